import { beforeEach, expect, test } from 'vitest';
import { EXPIRY_GRACE_SECONDS, noteExpiry } from '../../../shared/money/transaction/expiry.table.ts';
import { CHARGE_LIFETIME_MS } from '../../../shared/money/transaction/transaction.table.ts';
import { expectFailure } from '../../support/envelope.ts';
import { mtn, type ReceiptText, reversal } from '../../support/receipts.ts';
import { type Shop, scene } from '../../support/scene.ts';

const world = await scene();

let shop: Shop;
beforeEach(async () => {
  shop = await world.createShop();
});

test('a pending charge is cancelled, and cancelling it again gives the same answer', async () => {
  const reference = await shop.charge({ amount: 36 });
  const { status, json } = await cancelled(shop, reference);
  expect(status).toBe(200);
  expect(json.data).toMatchObject({ reference, status: 'cancelled', cancelled_at: now(), amount_paid: 0 });
  world.clock.nowMs += 60_000;
  expect((await cancelled(shop, reference)).json.data).toEqual(json.data);
  expect(await shop.verified(reference)).toEqual(json.data);
});

test('under an Idempotency-Key too, which a repeat gets its answer by', async () => {
  const reference = await shop.charge({ amount: 36 });
  const first = await cancelled(shop, reference, { 'idempotency-key': 'cancel-1' });
  const second = await cancelled(shop, reference, { 'idempotency-key': 'cancel-1' });
  expect(second.text).toBe(first.text);
  expect(second.headers['idempotent-replayed']).toBe('true');
});

test('a charge that is paid, reversed or expired is not cancelled', async () => {
  const reference = await shop.charge({ amount: 36 });
  const receipt = mtn({ reference });
  await shop.pay(receipt);
  const paid = await cancelled(shop, reference);
  expectFailure(paid, 409, 'charge_not_pending');
  expect(paid.json.message).toContain('this one is success');
  await shop.arrive(reversal(receipt.id));
  expectFailure(await cancelled(shop, reference), 409, 'charge_not_pending');
  const old = await shop.charge({ amount: 36 });
  world.clock.nowMs += CHARGE_LIFETIME_MS;
  expectFailure(await cancelled(shop, old), 409, 'charge_not_pending');
});

test('a payment that arrives afterwards is held, named or not, and can be assigned for a day', async () => {
  const reference = await shop.charge({ amount: 36, customer_name: 'Kofi Mensah' });
  await cancelled(shop, reference);
  const [named, unnamed] = [mtn({ reference }), mtn()];
  expect(await shop.pay(named)).toMatchObject({
    state: 'held',
    reason: 'charge_cancelled',
    suggested_reference: reference,
  });
  expect(await shop.pay(unnamed)).toMatchObject({ state: 'held', reason: 'no_charge' });
  const body = { transaction_id: named.id, name: 'Kofi Mensah' };
  const { access_code } = await found(reference);
  expectFailure(
    await world.call('checkout/claim', { parameters: { access_code }, headers: { accept: 'application/json' }, body }),
    410,
    'charge_cancelled',
  );
  world.clock.nowMs += CHARGE_LIFETIME_MS;
  const assigned = await assignTo(shop, named, reference);
  expect(assigned.json.data).toMatchObject({ status: 'success', payment: { matched_by: 'hand' } });

  const other = await shop.charge({ amount: 36 });
  await cancelled(shop, other);
  const late = mtn({ reference: other });
  await shop.pay(late);
  world.clock.nowMs += CHARGE_LIFETIME_MS + 1;
  expectFailure(await assignTo(shop, late, other), 409, 'charge_not_pending');
});

test('its parts are held again, and count again if the rest is assigned', async () => {
  const reference = await shop.charge({ amount: 60 });
  const part = mtn({ amount: '50.00', reference });
  await shop.pay(part);
  expect((await cancelled(shop, reference)).json.data).toMatchObject({ status: 'cancelled', amount_paid: 50 });
  expect(await shop.listed('held')).toMatchObject([
    { transaction_id: part.id, status: 'held', reason: 'charge_cancelled', suggested_reference: reference },
  ]);
  const rest = mtn({ amount: '10.00', reference });
  await shop.pay(rest);
  const { json } = await assignTo(shop, rest, reference);
  expect(json.data).toMatchObject({ status: 'success', amount_paid: 60, parts: [{ transaction_id: part.id }] });
  expect(await shop.listed('held')).toEqual([]);
});

test('of a payment and a cancellation at the same moment one wins, and the answer says which', async () => {
  for (const amount of ['36.00', '30.00']) {
    const reference = await shop.charge({ amount: 36 });
    const receipt = mtn({ amount, reference });
    const usual = world.dynamoDb;
    let isFirst = true;
    world.dynamoDb = async ({ command }, sendOn) => {
      if (command === 'TransactWriteItems' && isFirst) {
        isFirst = false;
        await shop.pay(receipt);
      }
      await sendOn();
    };
    const answer = await cancelled(shop, reference);
    world.dynamoDb = usual;
    if (amount === '36.00') {
      expectFailure(answer, 409, 'charge_not_pending');
      expect(await shop.verified(reference)).toMatchObject({ status: 'success', amount_paid: 36 });
    } else {
      expect(answer.json.data).toMatchObject({ status: 'cancelled', amount_paid: 30 });
      expect(await shop.listed('held')).toMatchObject([{ transaction_id: receipt.id, reason: 'charge_cancelled' }]);
    }
  }
});

test('housekeeping leaves it as it is, and the page says so', async () => {
  const { json } = await shop.call('transaction/initialize', { body: { amount: 36 } });
  const { reference, access_code } = json.data;
  await world.outside.table.write([noteExpiry(await found(reference))]);
  await cancelled(shop, reference);
  world.clock.nowMs += CHARGE_LIFETIME_MS + EXPIRY_GRACE_SECONDS * 1000;
  await world.housekeeping();
  const status = await world.call('checkout/status', { parameters: { access_code } });
  expect(status.json.data).toMatchObject({ status: 'cancelled', redirect_url: null });
});

test('another merchant cannot cancel it', async () => {
  const reference = await shop.charge({ amount: 36 });
  expectFailure(await cancelled(await world.createShop(), reference), 404, 'not_found');
  expect(await shop.verified(reference)).toMatchObject({ status: 'pending' });
});

function cancelled(shop: Shop, reference: string, headers: Record<string, string> = {}) {
  return shop.call('transaction/cancel', { parameters: { reference }, headers });
}

function assignTo(shop: Shop, receipt: ReceiptText, reference: string) {
  const parameters = { id: shop.paymentId(receipt) };
  return shop.call('receipt/assign', { parameters, body: { reference } });
}

async function found(reference: string) {
  const transaction = await world.transaction(reference);
  if (!transaction) throw new Error('The charge is gone');
  return transaction;
}

function now(): string {
  return world.iso();
}
