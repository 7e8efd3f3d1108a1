import { beforeEach, expect, test } from 'vitest';
import { CHARGE_LIFETIME_MS } from '../../../shared/money/charge/charge.table.ts';
import { EXPIRY_GRACE_SECONDS, noteExpiry } from '../../../shared/money/charge/expiry.table.ts';
import { expectFailure } from '../../support/envelope.ts';
import { mtn, reversal } from '../../support/receipts.ts';
import { type Shop, scene } from '../../support/scene.ts';
import { verifyMoney } from '../../support/verified.ts';
import { formsOf } from '../checkout/charges.ts';

const world = await scene();

let shop: Shop;
beforeEach(async () => {
  shop = await world.createShop();
});

test('repeated cancellations of a pending charge return the same response', async () => {
  const reference = await shop.charge({ amount: 36 });
  const { status, json } = await cancelled(reference);
  expect(status).toBe(200);
  expect(json.data).toMatchObject({ reference, status: 'cancelled', cancelled_at: world.iso(), amount_paid: 0 });
  world.clock.nowMs += 60_000;
  expect((await cancelled(reference)).json.data).toEqual(json.data);
  expect(await shop.verified(reference)).toEqual(json.data);
});

test('a repeated Idempotency-Key returns the first response', async () => {
  const reference = await shop.charge({ amount: 36 });
  const first = await cancelled(reference, { 'idempotency-key': 'cancel-1' });
  const second = await cancelled(reference, { 'idempotency-key': 'cancel-1' });
  expect(second.text).toBe(first.text);
  expect(second.headers['idempotent-replayed']).toBe('true');
});

test('a paid, reversed or expired charge cannot be cancelled', async () => {
  const reference = await shop.charge({ amount: 36 });
  const receipt = mtn({ reference });
  await shop.pay(receipt);
  const paid = await cancelled(reference);
  expectFailure(paid, 409, 'charge_not_pending');
  expect(paid.json.message).toContain('this one is success');
  await shop.arrive(reversal(receipt.id));
  expectFailure(await cancelled(reference), 409, 'charge_not_pending');
  const old = await shop.charge({ amount: 36 });
  world.clock.nowMs += CHARGE_LIFETIME_MS;
  expectFailure(await cancelled(old), 409, 'charge_not_pending');
});

test('a payment after cancellation can be assigned for a day', async () => {
  const reference = await shop.charge({ amount: 36, customer_name: 'Kofi Mensah' });
  await cancelled(reference);
  const [named, unnamed] = [mtn({ reference }), mtn()];
  expect(await shop.pay(named)).toMatchObject({
    state: 'held',
    reason: 'charge_cancelled',
    suggested_reference: reference,
  });
  expect(await shop.pay(unnamed)).toMatchObject({ state: 'held', reason: 'no_charge' });
  const claim = { transaction_id: named.id, name: 'Kofi Mensah' };
  expectFailure(
    await formsOf(world, 'checkout/claim').post(await world.chargeRow(reference), claim),
    410,
    'charge_cancelled',
  );
  world.clock.nowMs += CHARGE_LIFETIME_MS;
  const assigned = await shop.assign(named, reference);
  expect(assigned.json.data).toMatchObject({ status: 'success', payment: { matched_by: 'hand' } });

  const other = await shop.charge({ amount: 36 });
  await cancelled(other);
  const late = mtn({ reference: other });
  await shop.pay(late);
  world.clock.nowMs += CHARGE_LIFETIME_MS + 1;
  expectFailure(await shop.assign(late, other), 409, 'charge_not_pending');
});

test('part payments are held again after cancellation', async () => {
  const reference = await shop.charge({ amount: 60 });
  const part = mtn({ amount: '50.00', reference });
  await shop.pay(part);
  expect((await cancelled(reference)).json.data).toMatchObject({ status: 'cancelled', amount_paid: 50 });
  expect(await shop.listed('held')).toMatchObject([
    { transaction_id: part.id, status: 'held', reason: 'charge_cancelled', suggested_reference: reference },
  ]);
  const rest = mtn({ amount: '10.00', reference });
  await shop.pay(rest);
  const { json } = await shop.assign(rest, reference);
  expect(json.data).toMatchObject({ status: 'success', amount_paid: 60, parts: [{ transaction_id: part.id }] });
  expect(await shop.listed('held')).toEqual([]);
});

test('the response names the part payments that are still held, like every later response', async () => {
  const reference = await shop.charge({ amount: 100 });
  await shop.pay(mtn({ reference, amount: '60.00' }));
  await verifyMoney(world);
  const { json } = await shop.call('transaction/cancel', { parameters: { reference } });
  expect(json.data).toMatchObject({
    status: 'cancelled',
    amount_paid: 60,
    held: { amount: 60, proof: { state: 'proven' } },
  });
  const { held, proof, parts } = await shop.verified(reference);
  expect(json.data).toMatchObject({ held, proof, parts });
});

test('a charge past its deadline names its held parts before housekeeping ends it', async () => {
  const reference = await shop.charge({ amount: 100 });
  await shop.pay(mtn({ reference, amount: '60.00' }));
  await verifyMoney(world);
  const { expires_at } = await shop.verified(reference);
  world.clock.nowMs = Date.parse(expires_at) + 60_000;
  const before = await shop.verified(reference);
  expect(before).toMatchObject({ status: 'expired', held: { amount: 60, proof: { state: 'proven' } } });
  world.clock.nowMs += 10 * 60_000;
  await world.housekeeping();
  const { held, proof, amount_paid } = before;
  expect(await shop.verified(reference)).toMatchObject({ status: 'expired', held, proof, amount_paid });
});

test('either the payment or the cancellation succeeds if they coincide', async () => {
  for (const amount of ['36.00', '30.00']) {
    const reference = await shop.charge({ amount: 36 });
    const receipt = mtn({ amount, reference });
    world.rightBefore('TransactWriteItems', () => shop.pay(receipt));
    const answer = await cancelled(reference);
    if (amount === '36.00') {
      expectFailure(answer, 409, 'charge_not_pending');
      expect(await shop.verified(reference)).toMatchObject({ status: 'success', amount_paid: 36 });
    } else {
      expect(answer.json.data).toMatchObject({ status: 'cancelled', amount_paid: 30 });
      expect(await shop.listed('held')).toMatchObject([{ transaction_id: receipt.id, reason: 'charge_cancelled' }]);
    }
  }
});

test('a charge stays cancelled after housekeeping', async () => {
  const { reference, access_code } = await shop.createCharge();
  await world.outside.table.write([noteExpiry(await world.chargeRow(reference))]);
  await cancelled(reference);
  world.clock.nowMs += CHARGE_LIFETIME_MS + EXPIRY_GRACE_SECONDS * 1000;
  await world.housekeeping();
  const status = await world.call('checkout/status', { parameters: { access_code } });
  expect(status.json.data).toMatchObject({ status: 'cancelled', redirect_url: null });
});

test('another merchant’s charge returns 404', async () => {
  const reference = await shop.charge({ amount: 36 });
  expectFailure(await cancelled(reference, {}, await world.createShop()), 404, 'not_found');
  expect(await shop.verified(reference)).toMatchObject({ status: 'pending' });
});

function cancelled(reference: string, headers: Record<string, string> = {}, by = shop) {
  return by.call('transaction/cancel', { parameters: { reference }, headers });
}
