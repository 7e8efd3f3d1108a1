import type { TimedOutside } from '../../runtime/outside/outside.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { type Checked, checkText } from '../../wallets/chain/check-text.ts';
import { MovedOn, replacePayment } from '../charge/change-charge.table.ts';
import type { Charge } from '../charge/charge.table.ts';
import { uncount } from '../goods/may-leave.ts';
import { admit } from '../matching/admit.ts';
import { isPaidUnproven } from '../payment/backing.ts';
import { type Payment, paymentsOf, refundedPesewas, totalPesewas } from '../payment/payment.ts';
import { findUse, receiptRows, releasePayment, secondReceiptsOf, usePayment } from '../receipt/receipt.table.ts';
import type { PaymentReceipt, Receipt } from '../receipt/receipt.ts';
import { withoutRepeated } from '../receipt/repeated-text.ts';
import { withSecond } from '../receipt/second-receipts.ts';
import { readReceipt } from '../receipt/wallet-text-of.ts';
import { holdAgain, isFreeSecond, matchReceipt, paymentOf } from './matched-receipt.ts';
import type { InPlace } from './remove-payment.ts';

/*
 * A payment that names a charge which is paid already: a second one, or, where it is verified and what paid the charge is not, the one that pays
 * it. A forged text that comes first must not make the customer's own money look like too much.
 */

/** A charge whose payment a verified one replaces. */
export interface Replaced {
  readonly replaces: Charge & { readonly payment: Payment };
  /** The stored receipt of the payment that is replaced. */
  readonly replaced: Receipt;
}

type Arrived = Omit<PaymentReceipt, 'state' | 'reason'>;

/**
 * The charge whose payment a verified one takes the place of; undefined where it does not. It must be what would have paid the charge, had it come
 * first. What a person gave or took, what goes back, and what is in doubt or in parts stays as it is: the advice to look covers these.
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
  // A copy of the text that paid it.
  if (payment.network === receipt.network && payment.transaction_id === receipt.transaction_id) return undefined;
  if (parts.length > 0 || disputed || refundedPesewas(refunds) > 0) return undefined;
  if (receipt.amount_pesewas < charge.amount_pesewas || receipt.received_at > charge.expires_at) return undefined;
  const replaced = await receiptRows.find(outside, payment);
  if (!replaced) return undefined;
  const admission = await admit(outside, charge, receipt, checked);
  return 'writes' in admission ? { replaces: { ...charge, payment }, replaced } : undefined;
}

/**
 * The second payment that takes the place of one that the network took back: a verified one that pays what is missing then. Undefined where none
 * does, and where money goes back already, or the charge is in doubt otherwise.
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
    if (!read || (await findUse(outside, stored, [charge.merchant_id]))) continue;
    const { wallet, movement, reason } = read.walletText;
    const checked = await withoutRepeated(outside, stored, await checkText(outside, wallet, movement, reason));
    const isVerified = checked.proof.state === 'proven';
    if (isVerified && 'writes' in (await admit(outside, charge, stored, checked)))
      return { receipt: { ...stored, proof: checked.proof }, stored };
  }
  return undefined;
}

/**
 * The writes with which a payment takes the place of the one that paid a charge. That one is held from then on, as a second payment of the charge, and
 * counts in no sum of unverified payments.
 * @throws MovedOn where something else became of it.
 */
export async function payWithSecond(
  outside: TimedOutside,
  { replaces: charge, replaced }: Replaced,
  receipt: Arrived,
  { current, isOverTyped }: { readonly current: Receipt | undefined; readonly isOverTyped: boolean },
): Promise<TableWrite[]> {
  const { reference, merchant_id, payment, second_receipts = [] } = charge;
  if (replaced.state !== 'matched' || replaced.reference !== reference)
    throw new MovedOn(`The payment of ${reference} has changed.`);
  const matched = { matched_by: 'reference' } as const;
  const others = second_receipts.filter((id) => id !== receipt.receipt_id);
  // Whoever is told of the charge from now on finds there what no longer pays it.
  const second = await withSecond(outside, { reference, second_receipts: others }, [payment], { isKept: true });
  return [
    matchReceipt(charge, receipt, matched, current),
    replacePayment(charge, { payment: paymentOf(receipt, matched) }, second),
    ...usePayment(receipt, charge, isOverTyped),
    holdAgain(replaced, { reason: 'already_paid', suggested_reference: reference }),
    releasePayment(payment, charge),
    ...uncount(outside, merchant_id, [payment]),
  ];
}
