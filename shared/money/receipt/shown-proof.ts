import * as z from 'zod/mini';
import { PublicError } from '../../runtime/values/errors.ts';
import type { Proof } from '../../wallets/chain/proof.ts';
import { type BackedCharge, type Backing, backingOfCharge, backingOfReceipt } from '../payment/backing.ts';
import { proofOfCharge } from '../payment/shown-payment.ts';
import type { Receipt } from './receipt.ts';

/** Strength of a payment's proof in a form, strongest first. Test payments are shown as verified. */
export const ShownProof = z.enum(['verified', 'checking', 'unverified', 'contradicted']);
export type ShownProof = z.infer<typeof ShownProof>;

export interface Look {
  readonly by: string;
  readonly shown: ShownProof;
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
  if (ShownProof.options.indexOf(now) > ShownProof.options.indexOf(shown))
    throw new PublicError(
      'receipt_not_held',
      'This payment has changed since the page was loaded. Check it again before you decide.',
    );
}

/**
 * Returns the person who vouches for an assigned payment. Returns undefined if the wallet's texts verify it.
 * @throws PublicError `receipt_not_held` if the form is outdated.
 */
export function lookedBy(receipt: Receipt, { by, shown }: Look): string | undefined {
  const now = shownProofOf(receipt);
  refuseOutdated(now, shown);
  return now === 'verified' ? undefined : by;
}
