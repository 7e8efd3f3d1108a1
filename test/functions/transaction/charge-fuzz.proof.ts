import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CHARGE_LIFETIME_MS, type Charge, chargeRows } from '../../../shared/money/charge/charge.table.ts';
import { statusOf } from '../../../shared/money/charge/charge.ts';
import { noteExpiry } from '../../../shared/money/charge/expiry.table.ts';
import { claimPayment } from '../../../shared/money/claims/claim-payment.ts';
import { paidPesewas, refundedPesewas } from '../../../shared/money/payment/payment.ts';
import type { Item } from '../../../shared/runtime/table/table.ts';
import { chanceFrom } from '../../simulation/random.ts';
import { claimedPayments, mtn, post, type ReceiptText, reversal, settleAtOnce } from '../../support/receipts.ts';
import { type Scene, scene } from '../../support/scene.ts';
import { isWhole, runsOf } from '../../support/slice.ts';

/** Totals over all runs, to check that the runs exercise every outcome. */
const totals = { success: 0, cancelled: 0, expired: 0, reversed: 0, parts: 0, sent: 0, claimed: 0, sentBack: 0 };

const step = fc.record({
  what: fc.oneof(
    fc.constantFrom('pay', 'payUnnamed', 'again', 'cancel', 'assign', 'reverse', 'claim', 'end'),
    fc.constantFrom('pay', 'payUnnamed', 'claim'),
    fc.constantFrom('note', 'note', 'close', 'transfer', 'transfer', 'sendBack'),
  ),
  charge: fc.nat(1),
  nth: fc.nat(5),
  amount: fc.constantFrom(20, 20, 40, 60),
  isOdd: fc.boolean(),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

test('no payment is lost or counted twice in any order of concurrent events', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(step, { minLength: 1, maxLength: 5 }), { minLength: 3, maxLength: 6 }),
      fc.integer(),
      async (rounds, seed) => {
        const chance = chanceFrom(seed);
        const world = await scene({ inMemory: true });
        const { payments, sentBack, take } = await openShop(world);
        world.dynamoDb = async (_, send) => {
          for (let n = chance.between(0, 3); n > 0; n--) await setImmediate();
          await send();
        };
        for (const round of rounds) {
          // A phone's post is rejected after a few minutes.
          world.clock.nowMs += round.some(({ what }) => what === 'end') ? CHARGE_LIFETIME_MS : 1_000;
          await Promise.all(round.map(take));
        }
        await check(world, payments, sentBack);
      },
    ),
    { seed: 1, ...runsOf(120, 4) },
  );
  // Some outcomes are too rare for a slice of the runs.
  expect(Math.min(...(isWhole ? Object.values(totals) : [totals.success]))).toBeGreaterThan(0);
});

/** Creates two charges and functions for every event that may happen to them. */
async function openShop(world: Scene) {
  const shop = await world.createShop();
  const references = [
    await shop.charge({ amount: 60, customer_name: 'Kofi Mensah' }),
    await shop.charge({ amount: 20, customer_name: 'Ama Owusu', expires_in: 3 * 24 * 3600 }),
  ];
  const payments: (ReceiptText & { receiptId: string })[] = [];
  const sentBack = new Set<string>();
  const receive = async (receipt: ReceiptText) => {
    payments.push({ ...receipt, receiptId: shop.paymentId(receipt) });
    await arriveAtOnce(receipt);
  };
  const arriveAtOnce = async (text: { sender: string; text: string }) =>
    settleAtOnce(world, [await post(world, { recipient: shop.number, ...text })]);

  const take = async ({ what, charge: n, nth, amount, isOdd }: Step) => {
    const reference = references[n] ?? '';
    const payment = payments[nth % Math.max(1, payments.length)];
    const at = { method: 'POST', parameters: { reference }, key: shop.liveKey };
    const ghs = `${amount}.00`;
    if (what === 'pay') return receive(mtn({ reference, amount: ghs }));
    if (what === 'payUnnamed') return receive(mtn({ amount: ghs, from: isOdd ? 'KOFI MENSAH' : 'AMA OWUSU' }));
    if (what === 'transfer') return arriveAtOnce(transfer(`${amount / 2}.00`, nth % 2));
    if (what === 'note')
      return answered(await world.call('transaction/refund', { ...at, body: { amount: amount / 2 } }));
    if (what === 'cancel') {
      const headers: Record<string, string> = isOdd ? { 'idempotency-key': String(nth % 2) } : {};
      return answered(await world.call('transaction/cancel', { ...at, headers }));
    }
    if (what === 'end') {
      for (const one of await chargesIn(world)) await world.outside.table.write([noteExpiry(one)]);
      await world.housekeeping();
      return;
    }
    const [found] = (await chargesIn(world)).filter((one) => one.reference === reference);
    if (what === 'close') {
      const { refund_id } = found?.refunds?.[nth % found.refunds.length] ?? {};
      if (!refund_id) return;
      const body = { outcome: isOdd ? 'sent' : 'withdrawn' };
      return answered(
        await world.call('transaction/close-refund', { ...at, parameters: { reference, refund_id }, body }),
      );
    }
    if (!payment || !found) return;
    if (what === 'again') return arriveAtOnce(payment);
    if (what === 'reverse') return arriveAtOnce(reversal(payment.id));
    if (what === 'sendBack') {
      const held = (await world.rows('RECEIPT')).filter(({ suggested_reference: meant }) => meant === reference);
      const receipt_id = String(held[nth % Math.max(1, held.length)]?.receipt_id ?? payment.receiptId);
      const { status } = await world.call('transaction/refund', { ...at, body: { receipt_id } });
      if (status === 200) sentBack.add(receipt_id);
      return answered({ status });
    }
    if (what === 'assign') {
      const parameters = { id: payment.receiptId };
      return answered(await world.call('receipt/assign', { ...at, parameters, body: { reference, as_part: isOdd } }));
    }
    if (statusOf(world.outside, found) !== 'pending') return;
    const claim = {
      payments: claimedPayments(found, payment.id),
      nameWords: ['KOFI', 'MENSAH'],
      sourceIp: '192.0.2.1',
    };
    if ((await claimPayment(world.outside, found, claim)).outcome === 'paid') totals.claimed += 1;
  };
  return { payments, sentBack, take };
}

async function check(
  world: Scene,
  payments: readonly { receiptId: string }[],
  sentBack: ReadonlySet<string>,
): Promise<void> {
  const [charges, receipts] = [await chargesIn(world), await world.rows('RECEIPT')];
  const takenBack = receipts.filter(({ reason }) => reason === 'reversed');
  const reversed = new Set(idsOf(takenBack, 'receipt_id'));
  const matched = receipts.filter(({ state }) => state === 'matched');
  const counted = charges.flatMap(whatCounts).toSorted();
  const uses = (await world.rows('PAYMENT')).filter((use) => use.reference && !reversed.has(String(use.receipt_id)));
  const refunds = charges.flatMap((one) => one.refunds ?? []);
  const transfers = refunds.flatMap(({ transaction_id }) => transaction_id ?? []);

  expect(idsOf(matched, 'receipt_id')).toEqual(counted);
  expect(idsOf(uses, 'receipt_id')).toEqual(counted);
  expect(receipts.map(({ receipt_id }) => receipt_id)).toEqual(
    expect.arrayContaining(payments.map(({ receiptId }) => receiptId)),
  );
  // No step restores payments that were sent back.
  for (const { state, set_aside } of receipts.filter(({ receipt_id }) => sentBack.has(String(receipt_id))))
    expect({ state, set_aside }).toMatchObject({ state: 'held', set_aside: { sent_back: true } });
  for (const { state, cancelled_at, payment } of charges) {
    if (cancelled_at && state === 'success') expect(payment?.matched_by).toBe('hand');
  }
  // After a reversal, refunds may exceed the amount paid.
  if (reversed.size === 0)
    for (const one of charges)
      expect(refundedPesewas(one.refunds)).toBeLessThanOrEqual(one.state === 'success' ? paidPesewas(one) : 0);
  expect(new Set(transfers).size).toBe(transfers.length);
  // A transfer text may arrive after the refund was closed by hand.
  const awaited = refunds.filter((one) => one.state === 'noted' || (one.state === 'sent' && !one.transaction_id));
  expect(idsOf(await world.rows('REFUND'), 'refund_id')).toEqual(idsOf(awaited, 'refund_id'));

  for (const { state, parts } of charges) {
    if (state !== 'pending') totals[state] += 1;
    if (parts?.length) totals.parts += 1;
  }
  // Unverified transfer texts close no refund.
  totals.sent += refunds.filter(({ state }) => state === 'sent').length;
  totals.sentBack += sentBack.size;
}

/** Returns the receipts that count towards a charge. */
function whatCounts({ state, parts = [], payment }: Charge): string[] {
  const payments = state === 'pending' ? parts : state === 'success' && payment ? [...parts, payment] : [];
  return payments.map(({ receipt_id }) => receipt_id);
}

function idsOf(items: readonly object[], name: string): string[] {
  return items.map((item) => String(new Map(Object.entries(item)).get(name))).toSorted();
}

async function chargesIn(world: Scene): Promise<Charge[]> {
  return (await world.rows('TRANSACTION')).map((item: Item) => chargeRows.parse(item));
}

function answered({ status }: { status: number }): void {
  expect(status).toBeLessThan(500);
}

function transfer(ghs: string, nth: number) {
  const text = `Payment made for GHS ${ghs} to KOFI MENSAH BOATENG. Current Balance: GHS 2869.54. Available Balance: GHS 2869.54. Reference: 2. Transaction ID: ${76_000_000_000 + nth}. Fee charged: GHS 0.62 TAX charged: GHS 0.00.`;
  return { sender: 'MobileMoney', text };
}
