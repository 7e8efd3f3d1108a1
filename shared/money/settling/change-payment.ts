import type { Clock, TimedOutside } from '../../runtime/outside/outside.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { type ForMoney, replacePayment, setParts } from '../charge/change-charge.table.ts';
import type { Charge } from '../charge/charge.table.ts';
import { UNCOUNTED, uncount, uncountAmount, withRest } from '../goods/decide-release.ts';
import { type Payment, paymentsOf, refundedPesewas } from '../payment/payment.ts';
import { withoutExtra } from './pay-charge.ts';

/**
 * Changes one payment stored on a charge. Subtracts a newly verified payment from the unverified totals. Fails with
 * `MovedOn` if the charge has changed.
 */
export function changePayment(
  outside: Clock,
  charge: ForMoney,
  receiptId: string,
  change: (payment: Payment) => Payment,
): TableWrite[] {
  const isMeant = (one: Payment) => one.receipt_id === receiptId;
  const isVerified = (one: Payment) => isMeant(one) && !isProven(one) && isProven(change(one));
  const changed = (one: Payment): Payment => {
    if (!isMeant(one)) return one;
    return isVerified(one) ? { ...change(one), ...withRest(one) } : change(one);
  };
  const verified = paymentsOf(charge).filter(isVerified);
  return [
    setParts(charge, (charge.parts ?? []).map(changed), {
      payment: charge.payment && changed(charge.payment),
    }),
    ...verified.flatMap((one) => uncountAmount(outside, charge.merchant_id, one)),
  ];
}

/**
 * Changes the proof of a payment on its charge. Drops the charge's unverified payments if the verified ones alone now
 * cover the amount. Keeps all payments if the charge is disputed, refunded or released by a person.
 */
export async function changeProof(
  outside: TimedOutside,
  charge: Charge,
  receiptId: string,
  proof: Payment['proof'],
): Promise<TableWrite[]> {
  const isMeant = (one: Payment) => one.receipt_id === receiptId;
  const noted = (one: Payment) => (isMeant(one) ? { ...one, proof } : one);
  const { state, payment, parts = [], disputed, released_by, refunds } = charge;
  const isDecided = disputed || released_by !== undefined || refundedPesewas(refunds) > 0;
  if (state === 'success' && payment && proof?.state === 'proven' && !isDecided) {
    const covering = (one: Payment) => (isProven(noted(one)) ? { ...noted(one), ...UNCOUNTED } : one);
    const counts = { parts: parts.map(covering), payment: covering(payment) };
    const { second_receipts, extra = [], writes, ...kept } = await withoutExtra(outside, charge, counts);
    const verified = [...parts, payment].filter((one) => isProven(noted(one)));
    const uncounted = uncount(outside, charge.merchant_id, [...verified, ...extra]);
    if (second_receipts)
      return [replacePayment(charge, { ...counts, ...kept }, second_receipts), ...writes, ...uncounted];
  }
  return changePayment(outside, charge, receiptId, (one) => ({ ...one, proof }));
}

export function isProven({ proof }: Payment): boolean {
  return proof?.state === 'proven';
}
