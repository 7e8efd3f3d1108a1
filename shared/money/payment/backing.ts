import type { ArrivedPesewas } from '../../ghana/arrived.ts';
import { COMMAND_LINE } from '../../merchants/audit/audit.table.ts';
import { isTestAccount } from '../../merchants/merchant/test-account.ts';
import {
  type ChargeState,
  type Dispute,
  isReversalDoubted,
  isSamePayment,
  missingPesewas,
  type OfPayment,
  type Payment,
  paymentsOf,
  type Refund,
  totalPesewas,
} from './payment.ts';

/**
 * Strength of the evidence for a payment. `verified`: confirmed by the wallet's other texts, or by a person who checked
 * the wallet. `unverified`: reported only by its own text. `contradicted`: disproved by another text, or by the
 * payment's own balance or id. `unknown`: no proof was ever recorded. `test`: belongs to a test account.
 */
export type Backing = (typeof weakestFirst)[number];
export const weakestFirst = ['contradicted', 'unverified', 'unknown', 'verified', 'test'] as const;

export interface BackedCharge {
  readonly merchant_id: string;
  readonly state: ChargeState;
  readonly payment?: Payment | undefined;
  readonly parts?: readonly Payment[] | undefined;
  readonly disputed?: Dispute | undefined;
  readonly released_by?: string | undefined;
}

export interface BackedReceipt extends Backed {
  readonly merchant_id?: string | undefined;
  readonly reason?: string | undefined;
  readonly contradicted_by?: readonly string[] | undefined;
  readonly agreed_by?: readonly string[] | undefined;
  readonly reversal_doubt_at?: string | undefined;
  readonly reversal_suspected_at?: string | undefined;
}

/**
 * Returns the weakest backing among a charge's payments. For an expired, cancelled or reversed charge, returns at best
 * `unknown`, because the charge's copies of its parts are no longer updated.
 */
export function backingOfCharge({ merchant_id, disputed, released_by, ...charge }: BackedCharge): Backing {
  if (isTestAccount(merchant_id)) return 'test';
  if (isDoubted({ disputed, ...charge })) return 'contradicted';
  const record = hasEndedUnpaid(charge) && charge.parts?.length ? (['unknown'] as const) : [];
  return weakest([...unverifiedOf({ released_by, ...charge }).map(backingOfPayment), ...record]);
}

/** True if a charge is disputed, or the network may have reversed one of its payments without a text. */
export function isDoubted(charge: Parameters<typeof isSuspected>[0] & Pick<BackedCharge, 'disputed'>): boolean {
  return charge.disputed !== undefined || isSuspected(charge);
}

/** Returns the time since which a charge is in doubt (ISO), if it is. */
export function doubtedSince(charge: Parameters<typeof isDoubted>[0]): string | undefined {
  return (
    charge.disputed?.at ??
    (isSuspected(charge) ? paymentsOf(charge).find(mayBeReversed)?.reversal_suspected_at : undefined)
  );
}

/** True if the network may have reversed one of a pending or paid charge's payments without a text. */
export function isSuspected(charge: Pick<BackedCharge, 'state' | 'payment' | 'parts'>): boolean {
  return !hasEndedUnpaid(charge) && paymentsOf(charge).some(mayBeReversed);
}

/**
 * Returns a charge without suspicions about reversals that no text reported, which only the shop may see. Somebody who
 * pays many bills and forges texts could otherwise learn the wallet's balance from the bills' pages.
 */
export function asCustomerSees<Bill extends Pick<BackedCharge, 'payment' | 'parts'>>(bill: Bill): Bill {
  const { payment, parts } = bill;
  const seen = (one: Payment): Payment => ({ ...one, reversal_suspected_at: undefined });
  return { ...bill, payment: payment && seen(payment), parts: parts?.map(seen) };
}

/** Like `asCustomerSees`, for a held payment. */
export function heldAsCustomerSees<Held extends SuspectedHeld>(receipt: Held): Held {
  const { reason, unsuspected_reason, reversal_suspected_at, ...others } = receipt;
  const isOnlySuspected = unsuspected_reason !== undefined && reason === 'conflict';
  const seen = isOnlySuspected ? { reason: unsuspected_reason, reversal_doubt_at: undefined } : { reason };
  return { ...others, ...seen } as Held;
}

type SuspectedHeld = Pick<BackedReceipt, 'reversal_doubt_at' | 'reversal_suspected_at'> & {
  readonly reason?: string | undefined;
  readonly unsuspected_reason?: string | undefined;
};

function mayBeReversed({ reversal_suspected_at }: Payment): boolean {
  return reversal_suspected_at !== undefined;
}

/** True if the network may have reversed one of a pending or paid charge's payments, with or without a text. */
export function mayHaveReversal(charge: Parameters<typeof isDoubted>[0]): boolean {
  return isReversalDoubted(charge) || isSuspected(charge);
}

export function hasEndedUnpaid({ state }: Pick<BackedCharge, 'state'>): boolean {
  return state !== 'pending' && state !== 'success';
}

/**
 * Returns a charge's unverified payments. A person who releases the goods vouches for all payments except those entered
 * to mark the charge as paid. A release on the command line vouches for none of them.
 */
function unverifiedOf({ released_by, ...charge }: Pick<BackedCharge, 'payment' | 'parts' | 'released_by'>): Payment[] {
  const unproven = paymentsOf(charge).filter(isUnproven);
  return released_by === undefined || released_by === COMMAND_LINE ? unproven : unproven.filter(({ marked }) => marked);
}

export function backingOfOne(charge: BackedCharge, payment: Payment): Backing {
  return backingOfCharge({ ...charge, parts: undefined, payment });
}

/**
 * Returns the backing of the charge that a second payment was meant for, from the wallet's texts alone. A person who
 * vouched for the charge's payment may have seen the second payment in the wallet. Returns `unknown` if the charge was
 * deleted, or if it was replaced and the replacement was not read (see `paidAs`).
 */
export function backingOfBill(bill: PaidBill | undefined): Backing {
  return !bill || bill.paid_as !== undefined ? 'unknown' : backingOfCharge(asTextsSay(bill));
}

/** Returns a charge as if nobody had vouched for its payments. */
export function asTextsSay<Bill extends BackedCharge>(bill: Bill): Bill {
  const { payment, parts } = bill;
  const unvouched = (one: Payment): Payment => ({ ...one, looked_by: undefined });
  return { ...bill, payment: payment && unvouched(payment), parts: parts?.map(unvouched), released_by: undefined };
}

export type PaidBill = BackedCharge & {
  readonly amount_pesewas: number;
  readonly paid_as?: string | undefined;
  readonly refunds?: readonly Refund[] | undefined;
};

export function backingOfReceipt(receipt: BackedReceipt): Backing {
  if (isTestAccount(receipt.merchant_id)) return 'test';
  const { reason, reversal_doubt_at, reversal_suspected_at, looked_by, marked } = receipt;
  // A person who checked the wallet overrules conflicting texts.
  const isDoubted = isDenied(receipt) || reversal_doubt_at !== undefined;
  const isContradicted = isDoubted && (looked_by === undefined || marked !== undefined);
  const isFalse = reversal_suspected_at !== undefined || (reason !== undefined && FALSE_REASONS.has(reason));
  return isContradicted || isFalse ? 'contradicted' : backingOfPayment(receipt);
}

export function unverifiedPesewas(charge: BackedCharge): ArrivedPesewas {
  return totalPesewas(unverifiedPayments(charge));
}

/** Returns the payments whose money counts as unverified. For a disputed charge, these are all its payments. */
export function unverifiedPayments(charge: BackedCharge): Payment[] {
  const backing = backingOfCharge(charge);
  if (hasEndedUnpaid(charge) || backing === 'verified' || backing === 'test') return [];
  const { state, parts, payment, disputed } = charge;
  return disputed
    ? paymentsOf({ parts, payment: state === 'success' ? payment : undefined })
    : paymentsOf(charge).filter((one) => isUnproven(one) || mayBeReversed(one));
}

export function weakest(all: readonly Backing[]): Backing {
  return weakestFirst.find((one) => all.includes(one)) ?? 'verified';
}

/**
 * True if nothing has confirmed the payment: neither the wallet's texts nor a person who was asked to check the wallet.
 */
export function isUnproven({ proof, looked_by, marked }: Backed): boolean {
  return proof?.state !== 'proven' && (looked_by === undefined || marked !== undefined);
}

/** True if some of a charge's money is unverified. Pages that show the charge as paid must also show this. */
export function isPaidUnproven({ released_by, ...charge }: Omit<BackedCharge, 'disputed'>): boolean {
  return !isTestAccount(charge.merchant_id) && unverifiedOf({ released_by, ...charge }).length > 0;
}

/**
 * Returns a pending charge's smallest unverified part that no person assigned. Once the charge has the maximum number
 * of parts, a verified or assigned part replaces this part. Forged parts of one pesewa therefore cannot block the
 * payer.
 */
export function partGivingWay({ state, parts = [] }: Pick<BackedCharge, 'state' | 'parts'>): Payment | undefined {
  if (state !== 'pending') return undefined;
  return parts.filter(givesWay).toSorted((one, other) => one.amount_pesewas - other.amount_pesewas)[0];
}

/**
 * True if a verified payment with the same id replaces `one`, an unverified payment from a text to a different number.
 * A payment that is still being checked is not replaced, because it may yet be verified.
 */
export function isReplacedBy(one: Payment, verified: OfPayment): boolean {
  const { proof, marked } = one;
  const isOpen = proof?.state !== 'proven' && proof?.state !== 'checking';
  return isSamePayment(one, verified) && isOpen && marked === undefined;
}

/**
 * Returns the payments that a verified payment with the same id replaces. Empty unless the charge is pending or was
 * closed as paid by its parts.
 */
export function replacedBy(charge: Counting, payment: OfPayment & Backed): Payment[] {
  const { state, asked_pesewas } = charge;
  const isOpen = state === 'pending' || (state === 'success' && asked_pesewas !== undefined);
  return isOpen && !isUnproven(payment) ? paymentsOf(charge).filter((one) => isReplacedBy(one, payment)) : [];
}

interface Counting extends Pick<BackedCharge, 'state' | 'parts' | 'payment'> {
  readonly asked_pesewas?: number | undefined;
}

export function withoutReplaced<Of extends Counting>(charge: Of, payment: OfPayment & Backed): Of {
  const replaced = replacedBy(charge, payment);
  const { parts = [], payment: paying } = charge;
  const kept = { parts: parts.filter((part) => !replaced.includes(part)) };
  return paying && replaced.includes(paying) ? { ...charge, ...kept, payment: undefined } : { ...charge, ...kept };
}

/** True if an amount is a charge's whole amount, or the amount still due without what the payment would replace. */
export function fitsAmount(
  charge: Counting & { readonly amount_pesewas: number },
  payment: OfPayment & Backed,
  pesewas: number,
): boolean {
  return pesewas === charge.amount_pesewas || pesewas === missingPesewas(withoutReplaced(charge, payment));
}

/** True if a verified payment may replace this one: it is unverified, and no person assigned it. */
export function givesWay(payment: Payment): boolean {
  return isUnproven(payment) && payment.matched_by !== 'hand';
}

/** True if verified payments may replace all of the charge's payments. Also true if there are none. */
export function chargeGivesWay(charge: BackedCharge): boolean {
  return unverifiedOf(charge).filter(givesWay).length === paymentsOf(charge).length;
}

type Backed = Pick<Payment, 'proof' | 'looked_by' | 'marked'>;

/**
 * True if a text contradicts the payment. A text that agrees with a mark as paid, or whose money a person did not find,
 * does not.
 */
export function isDenied({ contradicted_by, agreed_by = [] }: BackedReceipt): boolean {
  return contradicted_by?.some((id) => !agreed_by.includes(id)) ?? false;
}

function backingOfPayment(payment: Backed): Backing {
  if (!isUnproven(payment)) return 'verified';
  const { proof } = payment;
  if (!proof) return 'unknown';
  return proof.why === 'clock_odd' || proof.why === 'balance_impossible' ? 'contradicted' : 'unverified';
}

const FALSE_REASONS: ReadonlySet<string> = new Set(['conflict', 'before_charge']);
