import * as z from 'zod/mini';
import { orNull } from '../../runtime/values/or-null.ts';

export const ProofState = z.enum(['proven', 'checking', 'unproven']);

export const Unproven = z.enum([
  'balance_gap',
  'balance_unsure',
  'clock_odd',
  'balance_impossible',
  'sender_differs',
  'no_balance',
  'not_anchored',
  'anchor_young',
  'reversal_suspected',
]);
export type Unproven = z.infer<typeof Unproven>;

export const Proof = z.object({ state: ProofState, why: z.optional(Unproven) });
export type Proof = z.infer<typeof Proof>;

/** Returns the API's representation of a proof. */
export function presentProof(proof: Proof | undefined) {
  return proof ? orNull(proof, 'state', 'why') : null;
}
