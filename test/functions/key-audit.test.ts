import { expect, test } from 'vitest';
import { testAccountIdOf } from '../../shared/merchants/merchant/test-account.ts';
import { mtn } from '../support/receipts.ts';
import { scene } from '../support/scene.ts';

test('each change made with a live key is audited once', async () => {
  const world = await scene({ inMemory: true });
  const shop = await world.createShop();
  const by = `key …${shop.liveKey.slice(-4)}`;
  const [open, paid] = [await shop.charge({ amount: 36 }), await shop.charge({ amount: 36 })];
  const held = mtn();
  await shop.pay(held);
  await shop.assign(held, paid);
  await shop.call('transaction/refund', { parameters: { reference: paid }, body: { amount: 1 } });
  const [noted] = (await shop.verified(paid)).refunds;
  const parameters = { reference: paid, refund_id: noted.refund_id };
  await shop.call('transaction/close-refund', { parameters, body: { outcome: 'withdrawn' } });
  const headers = { 'idempotency-key': 'once' };
  for (let n = 0; n < 2; n++) await shop.call('transaction/cancel', { parameters: { reference: open }, headers });
  await shop.setWebhook();
  await shop.call('webhook/roll-secret');
  await shop.call('webhook/remove');

  const entries = (await shop.audit()).map(({ by, action, about }) => [by, action, about]);
  expect(entries.toSorted()).toEqual([
    [by, 'charge cancel', open],
    [by, 'receipt assign', shop.paymentId(held)],
    [by, 'refund close', paid],
    [by, 'refund note', paid],
    [by, 'webhook remove', 'live'],
    [by, 'webhook roll', 'live'],
    [by, 'webhook set', 'live'],
  ]);
});

test('changes made with a test key are not audited', async () => {
  const world = await scene({ inMemory: true });
  const merchant = await world.createMerchant();
  const tester = { ...merchant, liveKey: merchant.testKey };
  const { reference } = await tester.createCharge();
  await tester.call('transaction/cancel', { parameters: { reference } });
  for (const id of [merchant.id, testAccountIdOf(merchant.id)]) expect(await { ...merchant, id }.audit()).toEqual([]);
});
