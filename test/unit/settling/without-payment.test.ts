import { describe, expect, test } from 'vitest';
import type { Charge } from '../../../shared/money/charge/charge.table.ts';
import { type Payment, paymentsOf } from '../../../shared/money/payment/payment.ts';
import type { Receipt } from '../../../shared/money/receipt/receipt.ts';
import { isPaidWithout, withoutPayment } from '../../../shared/money/settling/without-payment.ts';
import { storedCharge, storedPayment } from '../../support/rows-of-kinds.ts';
import { scene } from '../../support/scene.ts';

const PAID_AT = '2026-11-20T09:00:00.000Z';
const LATER = '2026-11-20T10:00:00.000Z';

// A person accepted GHS 40 for a bill of GHS 60. GHS 10 arrived later.
const accepted = storedPayment('forty', 40_00, { counted_at: PAID_AT });
const added = storedPayment('ten', 10_00, { counted_at: LATER });

function paid(payment: Payment, parts: readonly Payment[], more: Partial<Charge> = {}): Charge {
  return storedCharge({ state: 'success', paid_at: PAID_AT, payment, parts: [...parts], ...more });
}

/** Payments are compared by identity, so this finds the charge's own copy. */
function ofCharge(charge: Charge, { receipt_id }: Payment): Payment {
  const found = paymentsOf(charge).find((one) => one.receipt_id === receipt_id);
  if (!found) throw new Error('The charge has no such payment');
  return found;
}

const isPaid = (charge: Charge, removed: Payment, isUndone = false) =>
  isPaidWithout(charge, ofCharge(charge, removed), isUndone);

describe('a bill for which a person accepted less', () => {
  const before = { ...added, counted_at: '2026-11-20T08:00:00.000Z' };
  const again = { ...accepted, counted_at: LATER };

  test.each<[what: string, charge: Charge, removed: Payment, expected: boolean]>([
    ['stays paid without a payment that arrived later', paid(accepted, [added]), added, true],
    ['is unpaid without the accepted payment', paid(accepted, [added]), accepted, false],
    ['is unpaid without the accepted payment if that was counted again later', paid(again, [added]), again, false],
    ['is unpaid without a part that counted before', paid(accepted, [before]), before, false],
    ['is unpaid without its only payment', paid(accepted, []), accepted, false],
    ['is unpaid while it waits', paid(accepted, [added], { state: 'pending' }), added, false],
  ])('%s', (_, charge, removed, expected) => {
    expect(isPaid(charge, removed)).toBe(expected);
  });
});

describe('a bill that its payments cover', () => {
  const fifty = storedPayment('fifty', 50_00, { counted_at: PAID_AT });
  const sixty = storedPayment('sixty', 60_00, { counted_at: PAID_AT });

  test('is unpaid without a later part that the network reverses, and stays paid if a person undoes it', () => {
    const charge = paid(fifty, [added]);
    expect([isPaid(charge, added), isPaid(charge, added, true)]).toEqual([false, true]);
  });

  test('stays paid by the other payments if they cover it alone', () => {
    expect(isPaid(paid(sixty, [added]), added)).toBe(true);
  });
});

describe('the doubt about a bill', async () => {
  const { outside } = await scene({ inMemory: true });

  /** Removes the only payment of a bill in doubt. */
  async function doubtLeft(disputed: NonNullable<Charge['disputed']>, some: Partial<Payment> = {}, isUndone = true) {
    const charge = paid({ ...accepted, ...some }, [], { disputed });
    const payment = ofCharge(charge, accepted);
    const receipt: Receipt = { ...payment, state: 'matched' };
    return (await withoutPayment(outside, charge, { payment, receipt, isUndone })).disputed;
  }

  test.each<[what: string, disputed: NonNullable<Charge['disputed']>, some: Partial<Payment>, isUndone: boolean]>([
    ['about a conflict', { why: 'conflict', at: LATER }, {}, false],
    ['about a reversal that its receipt does not mention', { why: 'reversal', at: LATER }, {}, false],
    ['about a forged payment that a person undoes', { why: 'forged', at: LATER }, {}, true],
    ['that began before a payment that a person undoes', { why: 'reversal', at: '2026-11-20T08:58:00.000Z' }, {}, true],
    [
      'that began within a minute before the payment counted',
      { why: 'reversal', at: '2026-11-20T08:59:30.000Z' },
      {},
      false,
    ],
  ])('%s ends with its only payment', async (_, disputed, some, isUndone) => {
    expect(await doubtLeft(disputed, some, isUndone)).toBeUndefined();
  });

  test.each<[what: string, disputed: NonNullable<Charge['disputed']>, isUndone: boolean]>([
    ['that began before the payment counted', { why: 'reversal', at: '2026-11-20T08:58:00.000Z' }, false],
    ['about a forged payment that the network reverses', { why: 'forged', at: LATER }, false],
  ])('%s stays', async (_, disputed, isUndone) => {
    expect(await doubtLeft(disputed, {}, isUndone)).toEqual(disputed);
  });
});
