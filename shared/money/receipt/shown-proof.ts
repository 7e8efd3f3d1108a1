import * as z from 'zod/mini';
import { PublicError } from '../../runtime/values/errors.ts';
import type { Proof } from '../../wallets/chain/proof.ts';
import { type BackedCharge, type Backing, backingOfCharge, backingOfReceipt } from '../payment/backing.ts';
import { paymentsOf } from '../payment/payment.ts';
import { proofOfCharge } from '../payment/shown-payment.ts';
import type { Receipt } from './receipt.ts';

/** Strength of a payment's proof in a form, strongest first. Test payments are shown as verified. */
export const ShownProof = z.enum(['verified', 'checking', 'unverified', 'contradicted']);
export type ShownProof = z.infer<typeof ShownProof>;

/** A held payment as a form showed it. `doubts`: as `namesOfDoubts` returns them. */
export interface ShownOfReceipt {
  readonly shown: ShownProof;
  readonly doubts?: string | undefined;
}

export interface Look extends ShownOfReceipt {
  readonly by: string;
}

export function shownProofOf(receipt: Pick<Receipt, 'merchant_id' | 'reason' | 'proof' | 'looked_by'>): ShownProof {
  return shownProof(backingOfReceipt(receipt), receipt.proof);
}

export function shownProofOfCharge(charge: BackedCharge): ShownProof {
  return shownProof(backingOfCharge(charge), proofOfCharge(charge));
}

function shownProof(backing: Backing, proof: Proof | undefined): ShownProof {
  if (backing === 'verified' || backing === 'test') return 'verified';
  if (backing === 'contradicted') return backing;
  return proof?.state === 'checking' ? 'checking' : 'unverified';
}

/**
 * @throws PublicError `receipt_not_held` if the proof is now weaker than the form showed. The person must then check
 * the wallet again.
 */
export function refuseOutdated(now: ShownProof, shown: ShownProof): void {
  if (ShownProof.options.indexOf(now) > ShownProof.options.indexOf(shown)) throw outdated();
}

/** Names a held payment's doubts, so that a decision counts only for those that the form showed. */
export function namesOfDoubts(receipt: Doubts): string {
  // An empty field would not be sent.
  return doubtsIn(receipt).join(' ') || 'none';
}

type Doubts = Pick<Receipt, 'reversal_doubt_at' | 'contradicted_by' | 'set_aside'>;

/** A colleague who set the payment aside did not find its money, or knows that it is for no bill. */
function doubtsIn({ reversal_doubt_at, contradicted_by = [], set_aside }: Doubts): string[] {
  return [reversal_doubt_at, set_aside?.at, ...contradicted_by].filter((one) => one !== undefined);
}

/** @throws PublicError `receipt_not_held` if the payment's proof is weaker, or it has doubts not shown. */
export function refuseOutdatedReceipt(receipt: Receipt, { shown, doubts }: ShownOfReceipt): void {
  refuseOutdated(shownProofOf(receipt), shown);
  refuseUnnamed(doubtsIn(receipt), doubts);
}

function refuseUnnamed(now: readonly string[], shown: string | undefined): void {
  const named = shown?.split(' ');
  if (named && now.some((one) => !named.includes(one))) throw outdated();
}

/** A charge as a form showed it. `payments`: its payments and doubts, as `namesOfPayments` returns them. */
export interface ShownOfCharge {
  readonly shown: ShownProof;
  readonly payments?: string | undefined;
}

type Named = Pick<BackedCharge, 'payment' | 'parts' | 'disputed'>;

/** Names a charge's payments and doubts, so that a decision counts only for those that the form showed. */
export function namesOfPayments(charge: Named): string {
  return namesIn(charge).join(' ');
}

function namesIn({ disputed, ...charge }: Named): string[] {
  const payments = paymentsOf(charge).map(({ receipt_id, reversal_suspected_at }) => [
    receipt_id,
    reversal_suspected_at,
  ]);
  const doubts = disputed ? [[disputed.why, disputed.at, disputed.reversal_at]] : [];
  return [...payments, ...doubts].map((one) => one.filter((part) => part !== undefined).join('@'));
}

/** @throws PublicError `receipt_not_held` if the charge's proof is weaker, or it has payments or doubts not shown. */
export function refuseChanged(charge: BackedCharge, { shown, payments }: ShownOfCharge): void {
  refuseOutdated(shownProofOfCharge(charge), shown);
  refuseUnnamed(namesIn(charge), payments);
}

function outdated(): PublicError {
  return new PublicError(
    'receipt_not_held',
    'This payment has changed since the page was loaded. Check it again before you decide.',
  );
}

/**
 * Returns the person who vouches for an assigned payment. Returns undefined if the wallet's texts verify it.
 * @throws PublicError `receipt_not_held` if the form is outdated.
 */
export function lookedBy(receipt: Receipt, { by, ...form }: Look): string | undefined {
  refuseOutdatedReceipt(receipt, form);
  return shownProofOf(receipt) === 'verified' ? undefined : by;
}
