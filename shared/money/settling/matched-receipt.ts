import * as z from 'zod/mini';
import type { TableOutside } from '../../runtime/outside/outside.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { type ForMoney, MovedOn } from '../charge/change-charge.table.ts';
import { type Charge, type Found, isReference } from '../charge/charge.table.ts';
import { namesCharge } from '../matching/typed-reference.ts';
import { isSamePayment, type OfPayment, Payment } from '../payment/payment.ts';
import {
  createReceipt,
  LATE,
  type Over,
  receiptRows,
  releasePayment,
  replaceReceipt,
} from '../receipt/receipt.table.ts';
import { type HeldReason, isSameText, type PaymentReceipt, type Receipt } from '../receipt/receipt.ts';
import { isInDoubt } from '../receipt/repeated-text.ts';

export type FoundField = keyof Found | 'amount_pesewas' | 'origin';

/** The match of a payment, the person who vouched for it, and the unverified total that includes it. */
type Matched = Pick<Payment, 'matched_by' | 'looked_by' | 'counted_in' | 'counted_pesewas'>;

/** A match, the stored receipt (if any), and the existing uses of the receipt's id that the match takes over. */
export type MatchedReceipt = Matched & { readonly current?: Receipt | undefined; readonly over?: Over | undefined };

/** Leaves out what the payer typed if it is just the charge's reference, so that most rows stay below one write unit. */
export function paymentOf(
  receipt: Omit<PaymentReceipt, 'state' | 'reason'>,
  matched: Matched & Pick<Payment, 'counted_at'>,
): Payment {
  const { payer_reference = '' } = receipt;
  const isNothingElse = matched.matched_by === 'reference' && isReference(payer_reference);
  return z.parse(Payment, { ...receipt, ...(isNothingElse && { payer_reference: undefined }), ...matched });
}

/** Stores a receipt as matched, so that its payment counts towards a charge. `current`: the stored receipt, if any. */
export function matchReceipt(
  { reference, merchant_id }: Pick<Charge, 'reference' | 'merchant_id'>,
  receipt: Omit<PaymentReceipt, 'state' | 'reason'>,
  { matched_by, looked_by }: Pick<Payment, 'matched_by' | 'looked_by'>,
  current?: Receipt,
): TableWrite {
  const matched: Receipt = {
    ...receipt,
    state: 'matched',
    reason: undefined,
    suggested_reference: undefined,
    unsuspected_reason: undefined,
    set_aside: undefined,
    merchant_id,
    matched_by,
    looked_by,
    // A person who checked the wallet has seen the money, which ends the doubt.
    ...(looked_by !== undefined && { reversal_doubt_at: undefined, reversal_suspected_at: undefined }),
    reference,
  };
  return current ? replaceReceipt(current, matched) : createReceipt(matched);
}

/** True for a second or late payment that no person has decided about and no text contradicts. */
export function isFreeSecond({ reason, set_aside }: Receipt): boolean {
  return (reason === 'already_paid' || LATE.has(reason)) && set_aside === undefined;
}

/** True if the text reports the typed payment. A text with another charge's reference may be for that charge. */
export function isTextOf(
  typed: Receipt,
  text: Omit<Receipt, 'state'>,
  named: Pick<Charge, 'reference'> | undefined,
): boolean {
  const isForOther = named && named.reference !== typed.reference && namesCharge(text.payer_reference, named);
  return isSameText(typed, text) && !isForOther;
}

type As = Pick<Receipt, 'reason' | 'suggested_reference' | 'reversal_doubt_at' | 'set_aside'>;

export function holdAgain(matched: Receipt, as: As): TableWrite {
  return replaceReceipt(matched, heldAgain(matched, as));
}

export function heldAgain(matched: Receipt, as: As): Receipt {
  const unmatched = { matched_by: undefined, looked_by: undefined, reference: undefined, use_lost: undefined };
  const { reversal_suspected_at: at } = matched;
  // With a reason, an undone mark would count as a payment that can be assigned.
  const reason: HeldReason | undefined = as.reason && 'conflict';
  const isOnlySuspected = (matched.reversal_doubt_at ?? as.reversal_doubt_at) === undefined;
  const suspected = { reversal_suspected_at: undefined, unsuspected_reason: isOnlySuspected ? as.reason : undefined };
  const doubted = at && { reversal_doubt_at: at, ...suspected, reason };
  return { ...matched, ...unmatched, state: 'held', ...as, ...doubted };
}

interface Holding {
  readonly reason: HeldReason;
  /** The payment that takes over a part's id. Set if the part may come from another text about the same payment. */
  readonly given?: OfPayment;
}

export async function releaseParts(
  outside: TableOutside,
  charge: ForMoney,
  parts: readonly Payment[],
  holding: Holding,
): Promise<TableWrite[]> {
  const found = await Promise.all(parts.map((part) => receiptRows.find(outside, part)));
  return holdParts(
    charge,
    parts,
    found.flatMap((receipt) => receipt ?? []),
    holding,
  );
}

/** Builds the writes that hold the payments of these parts again. */
export function holdParts(
  charge: ForMoney,
  parts: readonly Payment[],
  receipts: readonly Receipt[],
  { reason, given }: Holding,
): TableWrite[] {
  return parts.flatMap((part) => {
    const receipt = receipts.find(({ receipt_id }) => receipt_id === part.receipt_id);
    if (receipt?.state !== 'matched') throw new MovedOn(`The part payments of ${charge.reference} have changed.`);
    // If the part comes from another text about the payment that takes over its id, it is not a separate payment.
    const isSame = given !== undefined && isSamePayment(part, given);
    // Hold a disputed charge's payments as `conflict`: only a person can find out which one is in doubt.
    const isDoubted = isSame || charge.disputed !== undefined || isInDoubt(receipt);
    return [
      holdAgain(receipt, { reason: isDoubted ? 'conflict' : reason, suggested_reference: charge.reference }),
      ...(isSame ? [] : releasePayment(part, charge, receipt)),
    ];
  });
}
