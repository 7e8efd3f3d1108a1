import { expect, test } from 'vitest';
import { handler as assign } from '../../functions/receipt/assign.ts';
import { handler as cancel } from '../../functions/transaction/cancel.ts';
import { handler as closeRefund } from '../../functions/transaction/close-refund.ts';
import { handler as initialize } from '../../functions/transaction/initialize.ts';
import { handler as refund } from '../../functions/transaction/refund.ts';
import { handler as remove } from '../../functions/webhook/remove.ts';
import { handler as roll } from '../../functions/webhook/roll-secret.ts';
import { listAudit } from '../../shared/merchants/audit/audit.table.ts';
import { twinIdOf } from '../../shared/merchants/merchant/twin.ts';
import { charge, createShop, mtn, pay, paymentId, verified } from '../support/receipts.ts';
import { setWebhook } from '../support/webhooks.ts';
import { call, createMerchant, createWorld, type World } from '../support/world.ts';

async function audited(world: World, merchantId: string) {
  const month = new Date(world.clock.nowMs).toISOString().slice(0, 7);
  const { entries } = await listAudit(world.outside, merchantId, month, {});
  return entries.map(({ by, action, about }) => [by, action, about]).toSorted();
}

test('what a key changes is in the audit, once, with the end of the key', async () => {
  const world = await createWorld({ inMemory: true });
  const shop = await createShop(world);
  const key = shop.liveKey;
  const by = `key …${key.slice(-4)}`;
  const [open, paid] = [await charge(world, shop, { amount: 36 }), await charge(world, shop, { amount: 36 })];
  const held = mtn();
  await pay(world, shop, held);
  const id = paymentId(shop, held);
  await call(world, assign, { method: 'POST', key, parameters: { id }, body: { reference: paid } });
  await call(world, refund, { method: 'POST', key, parameters: { reference: paid }, body: { amount: 1 } });
  const [noted] = (await verified(world, shop, paid)).refunds;
  const parameters = { reference: paid, refund_id: noted.refund_id };
  await call(world, closeRefund, { method: 'POST', key, parameters, body: { outcome: 'withdrawn' } });
  const headers = { 'idempotency-key': 'once' };
  for (let n = 0; n < 2; n++)
    await call(world, cancel, { method: 'POST', key, parameters: { reference: open }, headers });
  await setWebhook(world, shop);
  await call(world, roll, { method: 'POST', key });
  await call(world, remove, { method: 'DELETE', key });

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
  const world = await createWorld({ inMemory: true });
  const merchant = await createMerchant(world);
  const key = merchant.testKey;
  const { reference } = (await call(world, initialize, { method: 'POST', key, body: { amount: 36 } })).json.data;
  await call(world, cancel, { method: 'POST', key, parameters: { reference } });
  for (const id of [merchant.id, twinIdOf(merchant.id)]) expect(await audited(world, id)).toEqual([]);
});
