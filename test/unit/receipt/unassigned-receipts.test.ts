import { beforeEach, expect, test } from 'vitest';
import { listNewestReceipts } from '../../../shared/money/receipt/newest-receipts.ts';
import { assignUnassignedReceipt } from '../../support/actions.ts';
import { expectFailure } from '../../support/envelope.ts';
import { mtn } from '../../support/receipts.ts';
import { type Scene, type Shop, scene } from '../../support/scene.ts';

let world: Scene;
/** Two merchants with the same number. */
let shop: Shop;
let other: Shop;
beforeEach(async () => {
  world = await scene();
  shop = await world.createShop();
  other = await world.createShop({ number: shop.number });
});

test('the operator can assign an unclear payment on a shared number', async () => {
  const reference = await shop.charge({ amount: 36 });
  const receipt = mtn({ reference: 'shoes' });
  await shop.pay(receipt);
  const id = shop.paymentId(receipt);

  expect(await shop.listed('held')).toEqual([]);
  expect(await other.listed('held')).toEqual([]);
  expect(await listNewestReceipts(world.outside, 'held')).toMatchObject([{ id, amount: 36 }]);
  expect(await listNewestReceipts(world.outside, 'unread')).toEqual([]);
  expectFailure(await shop.call('receipt/assign', { parameters: { id }, body: { reference } }), 404, 'not_found');

  const { assigned } = await assignUnassignedReceipt(world.outside, id, reference);
  expect(assigned).toEqual({ reference, merchant_id: shop.id, status: 'success' });
  expect(await shop.verified(reference)).toMatchObject({ status: 'success', payment: { matched_by: 'hand' } });
  expect(await listNewestReceipts(world.outside, 'held')).toEqual([]);
  expect(await shop.listed('matched')).toMatchObject([{ id, reference }]);

  const second = await other.charge({ amount: 36 });
  await expect(assignUnassignedReceipt(world.outside, id, second)).rejects.toThrow('No unassigned receipt');
});

test('a live payment cannot be assigned to a test charge', async () => {
  const { testKey } = await world.createMerchant();
  const { json } = await world.call('transaction/initialize', { key: testKey, body: { amount: 36 } });
  const receipt = mtn({ reference: 'shoes' });
  await shop.pay(receipt);
  const id = shop.paymentId(receipt);

  const assigned = assignUnassignedReceipt(world.outside, id, json.data.reference);
  await expect(assigned).rejects.toMatchObject({ code: 'invalid_request' });
  expect(await listNewestReceipts(world.outside, 'held')).toMatchObject([{ id }]);
});

test('a payment cannot be assigned to a merchant that does not use the receiving number', async () => {
  const third = await world.createShop();
  const reference = await third.charge({ amount: 36 });
  const receipt = mtn({ reference: 'shoes' });
  await shop.pay(receipt);
  const assigned = assignUnassignedReceipt(world.outside, shop.paymentId(receipt), reference);
  await expect(assigned).rejects.toThrow(`a merchant who does not receive payments on ${shop.number}`);
  expect(await third.verified(reference)).toMatchObject({ status: 'pending', amount_paid: 0 });
});

test('the operator cannot reassign a merchant’s payment', async () => {
  const alone = await world.createShop();
  const receipt = mtn({ reference: 'shoes' });
  await alone.pay(receipt);
  const reference = await alone.charge({ amount: 36 });
  expect(await listNewestReceipts(world.outside, 'held')).toEqual([]);
  const assigned = assignUnassignedReceipt(world.outside, alone.paymentId(receipt), reference);
  await expect(assigned).rejects.toThrow('unassigned');
  await expect(assignUnassignedReceipt(world.outside, 'MTN-1-1', reference)).rejects.toMatchObject({ noun: 'receipt' });
});
