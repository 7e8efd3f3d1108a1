import * as z from 'zod/mini';
import { PublicError } from '../../runtime/values/errors.ts';
import { backingOfReceipt } from '../payment/backing.ts';
import type { Receipt } from './receipt.ts';

/** The proof that a form shows of a held payment, the best first. A test's payment needs none. */
export const ShownProof = z.enum(['verified', 'checking', 'unverified', 'contradicted']);
export type ShownProof = z.infer<typeof ShownProof>;

/** A person who gives a payment to a charge, and what the form that they sent had said of its proof. */
export interface Look {
  readonly by: string;
  readonly shown: ShownProof;
}

/** The proof that a form about a held payment has to show now. */
export function shownProofOf(receipt: Pick<Receipt, 'merchant_id' | 'reason' | 'proof' | 'looked_by'>): ShownProof {
  const backing = backingOfReceipt(receipt);
  if (backing === 'verified' || backing === 'test') return 'verified';
  if (backing === 'contradicted') return backing;
  return receipt.proof?.state === 'checking' ? 'checking' : 'unverified';
}

/**
 * The person who answers for a payment that is given to a charge; undefined where its wallet's texts verify it.
 * @throws PublicError `receipt_not_held` where less speaks for the payment now than its form had said: the person has to look again.
 */
export function lookedBy(receipt: Receipt, { by, shown }: Look): string | undefined {
  const now = shownProofOf(receipt);
  if (ShownProof.options.indexOf(now) > ShownProof.options.indexOf(shown))
    throw new PublicError(
      'receipt_not_held',
      'This payment is no longer what the page said of it. Read it again before you give it.',
    );
  return now === 'verified' ? undefined : by;
}
