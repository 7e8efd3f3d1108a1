import * as z from 'zod/mini';
import { isTwin } from '../../merchants/merchant/twin.ts';
import { PublicError } from '../../runtime/values/errors.ts';
import type { HeldReason, Receipt } from './receipt.ts';

/** What a form says of a held payment's proof, the best first. A test's payment needs none. */
export const ShownProof = z.enum(['verified', 'checking', 'unverified', 'contradicted']);
export type ShownProof = z.infer<typeof ShownProof>;

/** A person who gives a payment to a charge, and what the form that they sent had said of its proof. */
export interface Look {
  readonly by: string;
  readonly shown: ShownProof;
}

/** What a form has to say of a held payment's proof now. */
export function shownProofOf({
  merchant_id,
  reason,
  proof,
}: Pick<Receipt, 'merchant_id' | 'reason' | 'proof'>): ShownProof {
  if (merchant_id !== undefined && isTwin(merchant_id)) return 'verified';
  if (reason !== undefined && CONTRADICTED.has(reason)) return 'contradicted';
  return ({ proven: 'verified', checking: 'checking', unproven: 'unverified' } as const)[proof?.state ?? 'unproven'];
}

/** A second text, its time or its balance says that such a payment is false. */
const CONTRADICTED: ReadonlySet<HeldReason> = new Set(['conflict', 'before_charge', 'clock_odd', 'balance_impossible']);

/**
 * Who answers for a payment that is given to a charge; undefined where its wallet's texts verify it, and nobody has to.
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
