import { beforeEach, describe, expect, test } from 'vitest';
import { setAside } from '../../../shared/money/receipt/assign-receipt.ts';
import { MAX_PARTS } from '../../../shared/money/receipt/charge-parts.ts';
import { claimPayment } from '../../../shared/money/receipt/claim-payment.ts';
import { paymentUseRows } from '../../../shared/money/receipt/receipt.table.ts';
import { EXPIRY_GRACE_SECONDS, noteExpiry } from '../../../shared/money/transaction/expiry.table.ts';
import { CHARGE_LIFETIME_MS } from '../../../shared/money/transaction/transaction.table.ts';
import { expectFailure } from '../../support/envelope.ts';
import { claimedPayments, mtn, post, type ReceiptText, reversal, settleAtOnce } from '../../support/receipts.ts';
import { type Shop, scene } from '../../support/scene.ts';

const world = await scene();
let shop: Shop;
let reference: string;
beforeEach(async () => {
  shop = await world.createShop();
  reference = await shop.charge({ amount: 60, customer_name: 'Kofi Mensah' });
});

describe('a payment that is too small', () => {
  test('is counted, and the one that completes it confirms the charge', async () => {
    const first = await paidPartly('59.00');
    const part = { transaction_id: first.id, amount: 59, matched_by: 'reference' };
    const partly = { status: 'pending', amount_paid: 59, overpaid: 0, parts: [part], payment: null };
    expect(await shop.verified(reference)).toMatchObject(partly);
    const second = mtn({ amount: '1.00', reference, from: 'AMA OWUSU' });
    await shop.pay(second);
    const payment = { transaction_id: second.id, amount: 1, payer_name: 'AMA OWUSU' };
    const paid = { status: 'success', amount_paid: 60, overpaid: 0, parts: [part], payment };
    expect(await shop.verified(reference)).toMatchObject(paid);
    expect((await shop.listed('matched')).map((one) => one.reference)).toEqual([reference, reference]);
  });

  test('followed by too much: the excess is reported', async () => {
    for (const amount of ['50.00', '5.00', '7.50']) await shop.pay(mtn({ amount, reference }));
    expect(await shop.verified(reference)).toMatchObject({ status: 'success', amount_paid: 62.5, overpaid: 2.5 });
  });

  test('counts once, however often its text arrives', async () => {
    const part = mtn({ amount: '59.00', reference });
    for (let copies = 0; copies < 3; copies++) await shop.arrive(part);
    expect(await shop.verified(reference)).toMatchObject({ status: 'pending', amount_paid: 59 });
  });

  test('twenty are counted; further ones are held, and a full payment still confirms', async () => {
    for (let n = 0; n < MAX_PARTS; n++) await shop.pay(mtn({ amount: '0.01', reference }));
    const more = mtn({ amount: '1.00', reference });
    expect(await shop.pay(more)).toMatchObject({ reason: 'amount_differs', suggested_reference: reference });
    await shop.pay(mtn({ amount: '60.00', reference }));
    expect(await shop.verified(reference)).toMatchObject({ status: 'success', amount_paid: 60.2, overpaid: 0.2 });
  });

  test('all at once: each is counted, and the charge is paid once', async () => {
    const parts = ['10.00', '20.00', '30.00'].map((amount) => mtn({ amount, reference }));
    const jobs = await Promise.all(parts.map((part) => post(world, { ...part, recipient: shop.number })));
    await settleAtOnce(world, jobs);
    expect(await shop.verified(reference)).toMatchObject({ status: 'success', amount_paid: 60, overpaid: 0 });
  });

  test('of a pesewa stops nobody from paying by name or by a claim', async () => {
    await shop.pay(mtn({ amount: '0.01', reference }));
    await shop.pay(mtn({ amount: '60.00' }));
    expect(await shop.verified(reference)).toMatchObject({ status: 'success', overpaid: 0.01 });
  });

  test('the rest can be claimed', async () => {
    await shop.pay(mtn({ amount: '59.00', reference }));
    const rest = mtn({ amount: '1.00' });
    await shop.pay(rest);
    const found = await world.transaction(reference);
    if (!found) throw new Error('The charge is gone');
    const who = { nameWords: ['KOFI', 'MENSAH'], sourceIp: '192.0.2.1' };
    const claim = { payments: claimedPayments(found, rest.id), ...who };
    expect(await claimPayment(world.outside, found, claim)).toEqual({ outcome: 'paid' });
    expect(await shop.verified(reference)).toMatchObject({ status: 'success', amount_paid: 60 });
  });

  test('disputed: the rest waits for a person', async () => {
    const part = mtn({ amount: '59.00', reference });
    await shop.pay(part);
    await shop.arrive(mtn({ amount: '95.00', reference, id: part.id }));
    const rest = mtn({ amount: '1.00', reference });
    expect(await shop.pay(rest)).toMatchObject({ reason: 'charge_disputed', suggested_reference: reference });
    expect(await shop.verified(reference)).toMatchObject({ status: 'pending', disputed: { why: 'conflict' } });
  });
});

describe('a part that is reversed', () => {
  test('of a pending charge: the charge waits for it again', async () => {
    const part = await paidPartly('20.00');
    await paidPartly('30.00');
    await shop.arrive(reversal(part.id));
    expect(await shop.verified(reference)).toMatchObject({ status: 'pending', amount_paid: 30 });
    expect(await shop.receipt(part)).toMatchObject({ state: 'held', reason: 'reversed' });
    expectFailure(await give(part, reference), 409, 'receipt_not_held');
    await shop.pay(mtn({ amount: '10.00', reference }));
    expect(await shop.verified(reference)).toMatchObject({ status: 'pending', amount_paid: 40 });
  });

  test.each(['the part', 'the one that completed it'])(
    'of a paid charge, %s: the other is held again',
    async (which) => {
      const [part, rest] = [await paidPartly('20.00'), await paidPartly('40.00')];
      const [gone, left, amount] = which === 'the part' ? [part, rest, 40] : [rest, part, 20];
      await shop.arrive(reversal(gone.id));
      const counted = { payment: { transaction_id: gone.id }, parts: [{ transaction_id: left.id }] };
      expect(await shop.verified(reference)).toMatchObject({ status: 'reversed', amount_paid: amount, ...counted });
      const held = { state: 'held', reason: 'charge_reversed', suggested_reference: reference };
      expect(await shop.receipt(left)).toMatchObject(held);
      const next = await shop.charge({ amount });
      expect(await give(left, next)).toMatchObject({ status: 200 });
      expect(await shop.verified(next)).toMatchObject({ status: 'success', amount_paid: amount });
    },
  );
});

describe('a charge that ends with parts', () => {
  test('expires some minutes after its time; its parts are held again and free', async () => {
    const part = await paidPartly('59.00');
    await end(EXPIRY_GRACE_SECONDS * 1000 - 1);
    expect(await world.transaction(reference)).toMatchObject({ state: 'pending' });
    await end(1);
    const expired = {
      status: 'expired',
      expired_at: world.iso(),
      amount_paid: 59,
      parts: [{ transaction_id: part.id }],
    };
    expect(await shop.verified(reference)).toMatchObject(expired);
    const row = await shop.receipt(part);
    expect(row).toMatchObject({ state: 'held', reason: 'charge_expired', suggested_reference: reference });
    expect(row).not.toHaveProperty('reference');
    expect(await paymentUseRows.find(world.outside, { network: 'MTN', transaction_id: part.id })).toBeUndefined();
    expect(await shop.listed('held')).toMatchObject([{ suggested_reference: reference }]);
  });

  test('assigning one of them to it restores the others', async () => {
    const [first, second] = [await paidPartly('20.00'), await paidPartly('30.00')];
    await end();
    expect(await give(first, reference)).toMatchObject({ status: 200, json: { data: { amount_paid: 50 } } });
    const payment = { transaction_id: first.id, matched_by: 'hand' };
    const paid = { status: 'success', amount_paid: 50, payment, parts: [{ transaction_id: second.id }] };
    expect(await shop.verified(reference)).toMatchObject(paid);
    expect(await shop.listed('held')).toEqual([]);
    expectFailure(await give(second, await shop.charge({ amount: 30 })), 409, 'receipt_not_held');
  });

  test('the rest, paid too late, is one call from done', async () => {
    await paidPartly('59.00');
    await end();
    const late = mtn({ amount: '1.00', reference });
    expect(await shop.pay(late)).toMatchObject({ reason: 'charge_expired', suggested_reference: reference });
    await give(late, reference);
    expect(await shop.verified(reference)).toMatchObject({ status: 'success', amount_paid: 60 });
  });

  test('a part that is assigned to another charge is not restored', async () => {
    const [first, second] = [await paidPartly('20.00'), await paidPartly('30.00')];
    await end();
    const other = await shop.charge({ amount: 20 });
    await give(first, other);
    expect(await shop.verified(other)).toMatchObject({ status: 'success', amount_paid: 20 });
    await give(second, reference);
    expect(await shop.verified(reference)).toMatchObject({ status: 'success', amount_paid: 30, parts: [] });
  });

  test.each([true, undefined])(
    'a part that was set aside is not restored, sent back (%s) or not',
    async (sent_back) => {
      const [first, second] = [await paidPartly('20.00'), await paidPartly('30.00')];
      await end();
      const said = { by: 'ama', sent_back };
      await world.outside.table.write(await setAside(world.outside, shop.id, shop.paymentId(first), said));
      await give(second, reference);
      expect(await shop.verified(reference)).toMatchObject({ status: 'success', amount_paid: 30, parts: [] });
      expect(await shop.receipt(first)).toMatchObject({ state: 'held', set_aside: { by: 'ama' } });
    },
  );

  test('a part that is reversed then belongs to no charge', async () => {
    const [first, second] = [await paidPartly('20.00'), await paidPartly('30.00')];
    await end();
    await shop.arrive(reversal(first.id));
    expectFailure(await give(first, reference), 409, 'receipt_not_held');
    await give(second, reference);
    expect(await shop.verified(reference)).toMatchObject({ status: 'success', amount_paid: 30 });
  });

  test('a disputed part is not restored automatically', async () => {
    const [first, second] = [await paidPartly('20.00'), await paidPartly('30.00')];
    await end();
    await shop.arrive(mtn({ amount: '2.00', reference, id: first.id }));
    await give(second, reference);
    expect(await shop.verified(reference)).toMatchObject({ status: 'success', amount_paid: 30 });
    expect(await shop.receipt(first)).toMatchObject({ state: 'held', reason: 'conflict' });
  });

  test('a text that is late and completes them waits for a person; one that is enough alone pays it', async () => {
    const part = await paidPartly('59.00');
    const receivedAt = world.iso();
    await end();
    const late = async (amount: string) => {
      const receipt = mtn({ amount, reference });
      await shop.arrive({ ...receipt, receivedAt });
      return receipt;
    };
    const rest = await late('1.00');
    expect(await shop.receipt(rest)).toMatchObject({ reason: 'charge_expired', suggested_reference: reference });
    await late('60.00');
    expect(await shop.verified(reference)).toMatchObject({ status: 'success', amount_paid: 60, parts: [] });
    await expectHeld(part, rest);
  });

  test('a paid charge does not expire', async () => {
    await shop.pay(mtn({ amount: '60.00', reference }));
    await end();
    expect(await shop.verified(reference)).toMatchObject({ status: 'success', expired_at: null });
  });

  test('a part that arrives while it ends is counted or held, never both', async () => {
    const part = await paidPartly('20.00');
    world.clock.nowMs += CHARGE_LIFETIME_MS + EXPIRY_GRACE_SECONDS * 1000;
    const receivedAt = world.iso(-(CHARGE_LIFETIME_MS / 2));
    const late = mtn({ amount: '30.00', reference });
    const job = await post(world, { ...late, recipient: shop.number, receivedAt });
    await Promise.all([world.settle(job), end(0)]);
    await end(0);
    const { amount_paid, status } = await shop.verified(reference);
    expect(status).toBe('expired');
    await expectHeld(part, late);
    expect([20, 50]).toContain(amount_paid);
  });
});

describe('by hand', () => {
  test('parts are combined: each is counted, the last one pays', async () => {
    const [first, second] = [mtn({ amount: '20.00' }), mtn({ amount: '40.00' })];
    for (const part of [first, second]) await shop.pay(part);
    const one = (await give(first, reference, { as_part: true })).json.data;
    expect(one).toMatchObject({ status: 'pending', amount_paid: 20, parts: [{ matched_by: 'hand' }] });
    const both = (await give(second, reference, { as_part: true })).json.data;
    expect(both).toMatchObject({ status: 'success', amount_paid: 60 });
  });

  test('a part of a charge that has expired is refused, and stays held', async () => {
    const part = mtn({ amount: '20.00' });
    await shop.pay(part);
    world.clock.nowMs += CHARGE_LIFETIME_MS;
    expectFailure(await give(part, reference, { as_part: true }), 409, 'charge_not_pending');
    expect(await shop.receipt(part)).toMatchObject({ state: 'held' });
  });

  test('the twenty-first part is refused', async () => {
    for (let n = 0; n < MAX_PARTS; n++) await shop.pay(mtn({ amount: '0.01', reference }));
    const part = mtn({ amount: '1.00' });
    await shop.pay(part);
    expectFailure(await give(part, reference, { as_part: true }), 409, 'charge_not_pending');
  });
});

async function expectHeld(...payments: ReceiptText[]): Promise<void> {
  const held = (await shop.listed('held')).map(({ id }) => id).toSorted();
  expect(held).toEqual(payments.map((one) => shop.paymentId(one)).toSorted());
}

async function paidPartly(amount: string): Promise<ReceiptText> {
  const part = mtn({ amount, reference });
  await shop.pay(part);
  return part;
}

/** Time passes until the charge ended and `afterMs` more, and housekeeping looks. */
async function end(afterMs = EXPIRY_GRACE_SECONDS * 1000): Promise<void> {
  const found = await world.transaction(reference);
  if (!found) throw new Error('The charge is gone');
  await world.outside.table.write([noteExpiry(found)]);
  world.clock.nowMs = Math.max(world.clock.nowMs + (afterMs === 1 ? 1 : 0), Date.parse(found.expires_at) + afterMs);
  await world.housekeeping();
}

function give(receipt: ReceiptText, to: string, more: object = {}) {
  const parameters = { id: shop.paymentId(receipt) };
  return shop.call('receipt/assign', { parameters, body: { reference: to, ...more } });
}
