import { expect, test } from 'vitest';
import { handler as assign } from '../../../functions/receipt/assign.ts';
import { handler as initialize } from '../../../functions/transaction/initialize.ts';
import { listNewestReceipts } from '../../../shared/money/receipt/newest-receipts.ts';
import { assignUnassignedReceipt } from '../../support/actions.ts';
import { expectFailure } from '../../support/envelope.ts';
import { charge, createShop, listed, mtn, newNumber, pay, paymentId, verified } from '../../support/receipts.ts';
import { call, createMerchant, createWorld } from '../../support/world.ts';

test('a payment to a number of two merchants that names no charge: the operator sees it, and gives it to its charge', async () => {
  const world = await createWorld();
  const number = newNumber();
  const [shop, other] = [await createShop(world, { number }), await createShop(world, { number })];
  const reference = await charge(world, shop, { amount: 36 });
  const receipt = mtn({ reference: 'shoes' });
  await pay(world, shop, receipt);
  const id = paymentId(shop, receipt);

  expect(await listed(world, shop, 'held')).toEqual([]);
  expect(await listed(world, other, 'held')).toEqual([]);
  expect(await listNewestReceipts(world.outside, 'held')).toMatchObject([{ id, amount: 36 }]);
  expect(await listNewestReceipts(world.outside, 'unread')).toEqual([]);
  const asked = { key: shop.liveKey, parameters: { id }, body: { reference } };
  expectFailure(await call(world, assign, asked), 404, 'not_found');

  expect((await assignUnassignedReceipt(world.outside, id, reference)).assigned).toEqual({
    reference,
    merchant_id: shop.id,
    status: 'success',
  });
  expect(await verified(world, shop, reference)).toMatchObject({ status: 'success', payment: { matched_by: 'hand' } });
  expect(await listNewestReceipts(world.outside, 'held')).toEqual([]);
  expect(await listed(world, shop, 'matched')).toMatchObject([{ id, reference }]);

  const second = await charge(world, other, { amount: 36 });
  await expect(assignUnassignedReceipt(world.outside, id, second)).rejects.toThrow('No unassigned receipt');
});

test('a real payment is not given to a test charge', async () => {
  const world = await createWorld();
  const number = newNumber();
  const [shop] = [await createShop(world, { number }), await createShop(world, { number })];
  const { testKey } = await createMerchant(world);
  const { json } = await call(world, initialize, { key: testKey, body: { amount: 36 } });
  const receipt = mtn({ reference: 'shoes' });
  await pay(world, shop, receipt);
  const id = paymentId(shop, receipt);

  const assigned = assignUnassignedReceipt(world.outside, id, json.data.reference);
  await expect(assigned).rejects.toMatchObject({ code: 'invalid_request' });
  expect(await listNewestReceipts(world.outside, 'held')).toMatchObject([{ id }]);
});

test('a payment to a number of two merchants is given to no charge of a third, who is not paid there', async () => {
  const world = await createWorld();
  const number = newNumber();
  const [shop, third] = [await createShop(world, { number }), await createShop(world)];
  await createShop(world, { number });
  const reference = await charge(world, third, { amount: 36 });
  const receipt = mtn({ reference: 'shoes' });
  await pay(world, shop, receipt);
  const assigned = assignUnassignedReceipt(world.outside, paymentId(shop, receipt), reference);
  await expect(assigned).rejects.toThrow(`a merchant who is not paid on ${number}`);
  expect(await verified(world, third, reference)).toMatchObject({ status: 'pending', amount_paid: 0 });
});

test('the operator cannot assign what belongs to a merchant', async () => {
  const world = await createWorld();
  const shop = await createShop(world);
  const receipt = mtn({ reference: 'shoes' });
  await pay(world, shop, receipt);
  const reference = await charge(world, shop, { amount: 36 });
  expect(await listNewestReceipts(world.outside, 'held')).toEqual([]);
  await expect(assignUnassignedReceipt(world.outside, paymentId(shop, receipt), reference)).rejects.toThrow(
    'unassigned',
  );
  await expect(assignUnassignedReceipt(world.outside, 'MTN-1-1', reference)).rejects.toMatchObject({ noun: 'receipt' });
});
