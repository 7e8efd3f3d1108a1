import { expect, test } from 'vitest';
import { listAudit } from '../../shared/merchants/audit/audit.table.ts';
import { twinIdOf } from '../../shared/merchants/merchant/twin.ts';
import { mtn } from '../support/receipts.ts';
import { type Scene, scene } from '../support/scene.ts';

async function audited(world: Scene, merchantId: string) {
  const month = world.iso().slice(0, 7);
  const { entries } = await listAudit(world.outside, merchantId, month, {});
  return entries.map(({ by, action, about }) => [by, action, about]).toSorted();
}

test('what a key changes is in the audit, once, with the end of the key', async () => {
  const world = await scene({ inMemory: true });
  const shop = await world.createShop();
  const key = shop.liveKey;
  const by = `key …${key.slice(-4)}`;
  const [open, paid] = [await shop.charge({ amount: 36 }), await shop.charge({ amount: 36 })];
  const held = mtn();
  await shop.pay(held);
  const id = shop.paymentId(held);
  await world.call('receipt/assign', { key, parameters: { id }, body: { reference: paid } });
  await world.call('transaction/refund', { key, parameters: { reference: paid }, body: { amount: 1 } });
  const [noted] = (await shop.verified(paid)).refunds;
  const parameters = { reference: paid, refund_id: noted.refund_id };
  await world.call('transaction/close-refund', { key, parameters, body: { outcome: 'withdrawn' } });
  const headers = { 'idempotency-key': 'once' };
  for (let n = 0; n < 2; n++) await world.call('transaction/cancel', { key, parameters: { reference: open }, headers });
  await shop.setWebhook();
  await world.call('webhook/roll-secret', { key });
  await world.call('webhook/remove', { key });

  expect(await audited(world, shop.id)).toEqual([
    [by, 'charge cancel', open],
    [by, 'receipt assign', id],
    [by, 'refund close', paid],
    [by, 'refund note', paid],
    [by, 'webhook remove', 'live'],
    [by, 'webhook roll', 'live'],
    [by, 'webhook set', 'live'],
  ]);
});

test('what a test key changes is in no audit', async () => {
  const world = await scene({ inMemory: true });
  const merchant = await world.createMerchant();
  const key = merchant.testKey;
  const { reference } = (await world.call('transaction/initialize', { key, body: { amount: 36 } })).json.data;
  await world.call('transaction/cancel', { key, parameters: { reference } });
  for (const id of [merchant.id, twinIdOf(merchant.id)]) expect(await audited(world, id)).toEqual([]);
});
