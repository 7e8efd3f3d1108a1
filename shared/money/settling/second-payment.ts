import { nowIso, type TimedOutside } from '../../runtime/outside/outside.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { type Checked, checkText } from '../../wallets/chain/check-text.ts';
import { MovedOn, replacePayment } from '../charge/change-charge.table.ts';
import type { Charge } from '../charge/charge.table.ts';
import { uncount } from '../goods/may-leave.ts';
import { admit } from '../matching/admit.ts';
import { isPaidUnproven } from '../payment/backing.ts';
import { type Payment, paymentsOf, refundedPesewas, totalPesewas } from '../payment/payment.ts';
import { receiptRows, releasePayment, secondReceiptsOf, usePayment } from '../receipt/receipt.table.ts';
import type { PaymentReceipt, Receipt } from '../receipt/receipt.ts';
import { withoutRepeated } from '../receipt/repeated-text.ts';
import { withSecond } from '../receipt/second-receipts.ts';
import { takeOverForeignUse } from '../receipt/typed-use.ts';
import { readReceipt } from '../receipt/wallet-text-of.ts';
import { holdAgain, isFreeSecond, type MatchedReceipt, matchReceipt, paymentOf } from './matched-receipt.ts';
import type { InPlace } from './remove-payment.ts';

/**
 * Handles a payment for a charge that is already paid. A verified payment replaces an unverified one that paid the
 * charge. Any other payment becomes a second payment. A forged text that arrives first must not make real money look
 * like an overpayment.
 */

export interface Replaced {
  readonly replaces: Charge & { readonly payment: Payment };
  readonly replaced: Receipt;
}

type Arrived = Omit<PaymentReceipt, 'state' | 'reason'>;

/**
 * Returns the charge whose payment a verified payment replaces, if any. The verified payment must be one that would
 * have paid the charge if it had arrived first. Charges with assigned, tapped, refunded, disputed or part payments stay
 * unchanged.
 */
export async function replaceable(
  outside: TimedOutside,
  charge: Charge,
  receipt: Arrived,
  checked: Checked,
): Promise<Replaced | undefined> {
  const { payment, state, parts = [], disputed, refunds } = charge;
  const isByPerson = payment?.matched_by === 'hand' || payment?.matched_by === 'till';
  if (checked.proof.state !== 'proven' || state !== 'success' || !payment || isByPerson || !isPaidUnproven(charge))
    return undefined;
  // This receipt is a copy of the text that paid the charge.
  if (payment.network === receipt.network && payment.transaction_id === receipt.transaction_id) return undefined;
  if (parts.length > 0 || disputed || refundedPesewas(refunds) > 0) return undefined;
  if (receipt.amount_pesewas < charge.amount_pesewas || receipt.received_at > charge.expires_at) return undefined;
  const replaced = await receiptRows.find(outside, payment);
  if (!replaced) return undefined;
  const admission = await admit(outside, charge, receipt, checked);
  return 'writes' in admission ? { replaces: { ...charge, payment }, replaced } : undefined;
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
    if (!read) continue;
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
 * Replaces a charge's payment. Holds the replaced payment as a second payment, and subtracts it from the unverified
 * totals.
 * @throws MovedOn if the charge or a payment has changed in the meantime.
 */
export async function payWithSecond(
  outside: TimedOutside,
  { replaces: charge, replaced }: Replaced,
  receipt: Arrived,
  { current, over }: Pick<MatchedReceipt, 'current' | 'over'>,
): Promise<TableWrite[]> {
  const { reference, merchant_id, payment, second_receipts = [] } = charge;
  if (replaced.state !== 'matched' || replaced.reference !== reference)
    throw new MovedOn(`The payment for ${reference} has changed.`);
  const matched = { matched_by: 'reference', counted_at: nowIso(outside) } as const;
  const others = second_receipts.filter((id) => id !== receipt.receipt_id);
  // Keep the replaced payment in this list, where later notifications look for it.
  const second = await withSecond(outside, { reference, second_receipts: others }, [payment], { isKept: true });
  return [
    matchReceipt(charge, receipt, matched, current),
    replacePayment(charge, { payment: paymentOf(receipt, matched) }, second),
    ...usePayment(receipt, charge, over),
    holdAgain(replaced, { reason: 'already_paid', suggested_reference: reference }),
    ...releasePayment(payment, charge, replaced),
    ...uncount(outside, merchant_id, [payment]),
  ];
}
