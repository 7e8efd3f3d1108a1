import * as z from 'zod/mini';
import { orNull } from '../../runtime/values/or-null.ts';

export const ProofState = z.enum(['proven', 'checking', 'unproven']);

/** Why a payment is not proven. */
export const Unproven = z.enum([
  /** The balance that its text states does not continue the wallet's: a text before it is missing, or it is forged. */
  'balance_gap',
  /** The wallet's balance may be guessed: too many of its texts failed to link, or it was empty. The owner's word decides. */
  'balance_unsure',
  /** Its transaction id does not belong to the time at which it came. */
  'clock_odd',
  /** The balance that its text states is less than the payment itself brought: no such payment can have been made. */
  'balance_impossible',
  /** Its text came under another name than the wallet's texts before it. */
  'sender_differs',
  /** Its text states no balance. */
  'no_balance',
  /** Too few of the wallet's texts are known yet. */
  'not_established',
]);
export type Unproven = z.infer<typeof Unproven>;

/** Whether the wallet's other texts prove a payment. While it is `checking`, a text before it may still be on its way. */
export const Proof = z.object({ state: ProofState, why: z.optional(Unproven) });
export type Proof = z.infer<typeof Proof>;

/** What is known of a payment, as its merchant sees it. It is here, and not beside its words for the reference, which few functions need. */
export function presentProof(proof: Proof | undefined) {
  return proof ? orNull(proof, 'state', 'why') : null;
}
