import { nowIso, type TimedOutside } from '../../runtime/outside/outside.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { type Checked, checkText } from '../../wallets/chain/check-text.ts';
import { MovedOn, replacePayment } from '../charge/change-charge.table.ts';
import type { Charge } from '../charge/charge.table.ts';
import { uncount, uncountAmount, withRest } from '../goods/decide-release.ts';
import { admit } from '../matching/admit.ts';
import { namesCharge } from '../matching/typed-reference.ts';
import { givesWay, isPaidUnproven, isReplacedBy } from '../payment/backing.ts';
import { isSamePayment, type Payment, paymentsOf, refundedPesewas, totalPesewas } from '../payment/payment.ts';
import { receiptRows, releasePayment, secondReceiptsOf, usePayment } from '../receipt/receipt.table.ts';
import type { PaymentReceipt, Receipt } from '../receipt/receipt.ts';
import { withoutRepeated } from '../receipt/repeated-text.ts';
import { withSecond } from '../receipt/second-receipts.ts';
import { takeOverForeignUse } from '../receipt/typed-use.ts';
import { readReceipt } from '../receipt/wallet-text-of.ts';
import {
  holdAgain,
  isFreeSecond,
  type MatchedReceipt,
  matchReceipt,
  paymentOf,
  releaseParts,
} from './matched-receipt.ts';
import { useOfPart } from './pay-charge.ts';
import type { InPlace } from './remove-payment.ts';

/**
 * Handles a payment for a charge that is already paid. A verified payment replaces an unverified one that paid the
 * charge. Any other payment becomes a second payment. A forged text that arrives first must not make real money look
 * like an overpayment.
 */

export interface Replaced {
  readonly replaces: Charge & { readonly payment: Payment };
  readonly leaving: Payment;
  readonly replaced: Receipt;
}

type Arrived = Omit<PaymentReceipt, 'state' | 'reason'>;

/**
 * Returns the charge whose payment a verified payment replaces, if any. The verified payment must be one that would
 * have paid the charge if it had arrived first. A charge stays unchanged if it is disputed or refunded, was tapped, or
 * has a verified or assigned payment. However, a payment with the same id is replaced even if it is a part or a person
 * vouched for it, because the money is the same.
 */
export async function replaceable(
  outside: TimedOutside,
  charge: Charge,
  receipt: Arrived,
  checked: Checked,
): Promise<Replaced | undefined> {
  const { payment, state, amount_pesewas, disputed, refunds } = charge;
  if (checked.proof.state !== 'proven' || state !== 'success' || !payment) return undefined;
  const same = paymentsOf(charge).find((one) => isSamePayment(one, receipt));
  // With the same receipt id, this is a copy of the text that reported the charge's payment.
  const mayLeave = same
    ? isReplacedBy(same, receipt) && same.receipt_id !== receipt.receipt_id && same.matched_by !== 'till'
    : payment.matched_by !== 'till' && isPaidUnproven(charge) && paymentsOf(charge).every(givesWay);
  if (!mayLeave || disputed || refundedPesewas(refunds) > 0 || receipt.received_at > charge.expires_at)
    return undefined;
  const leaving = same ?? payment;
  const before = totalPesewas(paymentsOf(charge));
  const kept = same ? before - same.amount_pesewas : 0;
  if (kept + receipt.amount_pesewas < Math.min(before, amount_pesewas)) return undefined;
  const replaced = await receiptRows.find(outside, leaving);
  const isAdmitted = same || 'writes' in (await admit(outside, charge, receipt, checked));
  return replaced && isAdmitted ? { replaces: { ...charge, payment }, leaving, replaced } : undefined;
}

/**
 * Finds a verified second payment that covers the outstanding amount and can replace a reversed payment. Returns
 * undefined if there is none, money is already being refunded, or the charge is in doubt for another reason.
 */
export async function secondInPlaceOf(
  outside: TimedOutside,
  charge: Charge,
  receiptId: string,
): Promise<InPlace | undefined> {
  const { state, amount_pesewas, expires_at, disputed, refunds } = charge;
  const isDoubted = disputed && disputed.why !== 'reversal';
  if (state !== 'success' || isDoubted || refundedPesewas(refunds) > 0) return undefined;
  const others = paymentsOf(charge).filter(({ receipt_id }) => receipt_id !== receiptId);
  const missing = amount_pesewas - totalPesewas(others);
  for (const stored of missing > 0 ? await secondReceiptsOf(outside, charge) : []) {
    const isEnough = stored.amount_pesewas >= missing && stored.received_at <= expires_at;
    const read = isEnough && isFreeSecond(stored) && readReceipt(stored);
    // A payment whose name alone matched the charge never takes another payment's place.
    if (!read || !namesCharge(read.payment.reference, charge)) continue;
    const { wallet, movement, reason } = read.walletText;
    const checked = await withoutRepeated(outside, stored, await checkText(outside, wallet, movement, reason));
    const receipt = { ...stored, proof: checked.proof };
    const isVerified = checked.proof.state === 'proven';
    if (!isVerified || !('writes' in (await admit(outside, charge, stored, checked)))) continue;
    const taken = await takeOverForeignUse(outside, receipt, charge);
    if (taken) return { receipt, stored, taken };
  }
  return undefined;
}

/**
 * Replaces a charge's payment and its parts or, if the ids are the same, only the payment with this id.
 * @throws MovedOn if the charge or a payment has changed in the meantime.
 */
export async function payWithSecond(
  outside: TimedOutside,
  place: Replaced,
  receipt: Arrived,
  matched: Pick<MatchedReceipt, 'current' | 'over'>,
): Promise<TableWrite[]> {
  const { replaces, leaving, replaced } = place;
  if (replaced.state !== 'matched' || replaced.reference !== replaces.reference)
    throw new MovedOn(`The payment for ${replaces.reference} has changed.`);
  return isSamePayment(leaving, receipt)
    ? payWithSame(outside, place, receipt, matched)
    : payWithOther(outside, place, receipt, matched);
}

/**
 * Replaces the payment that has the same id, and holds its text as a conflict. The money is the same, so the payment
 * keeps its time, by which a later reversal finds it, and the unpaid part of a code's price in the unverified total.
 */
function payWithSame(
  outside: TimedOutside,
  { replaces: charge, leaving, replaced }: Replaced,
  receipt: Arrived,
  { current, over }: Pick<MatchedReceipt, 'current' | 'over'>,
): TableWrite[] {
  const { reference, merchant_id, payment, parts = [], second_receipts = [] } = charge;
  const matched = { matched_by: 'reference', counted_at: leaving.counted_at } as const;
  const arrived = { ...paymentOf(receipt, matched), ...withRest(leaving) };
  const changed = (one: Payment) => (one === leaving ? arrived : one);
  const second = second_receipts.filter((id) => id !== receipt.receipt_id);
  return [
    matchReceipt(charge, receipt, matched, current),
    replacePayment(charge, { parts: parts.map(changed), payment: changed(payment) }, second),
    ...usePayment(receipt, charge, over ?? useOfPart(charge, [leaving], receipt)),
    holdAgain(replaced, { reason: 'conflict', suggested_reference: reference }),
    ...uncountAmount(outside, merchant_id, leaving),
  ];
}

/**
 * Replaces the charge's payment and its parts, holds them as second payments, and subtracts them from the unverified
 * totals.
 */
async function payWithOther(
  outside: TimedOutside,
  { replaces: charge, leaving, replaced }: Replaced,
  receipt: Arrived,
  { current, over }: Pick<MatchedReceipt, 'current' | 'over'>,
): Promise<TableWrite[]> {
  const { reference, merchant_id, parts = [], second_receipts = [] } = charge;
  const matched = { matched_by: 'reference', counted_at: nowIso(outside) } as const;
  const others = second_receipts.filter((id) => id !== receipt.receipt_id);
  const seconds = await withSecond(outside, { reference, second_receipts: others }, parts);
  // Keep the replaced payment in this list: `charge-occurrences.ts` recognises the replacement by it.
  const second = await withSecond(outside, { reference, second_receipts: seconds }, [leaving], { isKept: true });
  return [
    matchReceipt(charge, receipt, matched, current),
    replacePayment(charge, { parts: [], payment: paymentOf(receipt, matched) }, second),
    ...usePayment(receipt, charge, over),
    holdAgain(replaced, { reason: 'already_paid', suggested_reference: reference }),
    ...releasePayment(leaving, charge, replaced),
    ...(await releaseParts(outside, charge, parts, { reason: 'already_paid', given: receipt })),
    ...uncount(outside, merchant_id, [leaving, ...parts]),
  ];
}
