import * as z from 'zod/mini';
import { Network } from '../../ghana/network.ts';
import { Proof } from '../../wallets/chain/proof.ts';

/**
 * How a payment found its charge: what the payer typed, the payer's name, the customer's claim by the network's id, a code that
 * was sent to the number that paid, or the merchant's hand.
 */
export const MatchedBy = z.enum(['reference', 'name', 'claim', 'phone', 'hand']);
export type MatchedBy = z.infer<typeof MatchedBy>;

/** What paid a charge. The amount differs from the charge's only if the merchant assigned the payment by hand. */
export const Payment = z.object({
  receipt_id: z.string(),
  network: Network,
  transaction_id: z.string(),
  amount_pesewas: z.number(),
  payer_name: z.optional(z.string()),
  payer_phone: z.optional(z.string()),
  received_at: z.string(),
  matched_by: MatchedBy,
  /** What the wallet's other texts say about it; unset for a test's, and where it was matched before that was recorded. */
  proof: z.optional(Proof),
});
export type Payment = z.infer<typeof Payment>;

/** Every payment that a charge has on record, in the order of arrival: its parts, and the one that completed it. */
export function paymentsOf({
  parts = [],
  payment,
}: {
  readonly parts?: readonly Payment[] | undefined;
  readonly payment?: Payment | undefined;
}): Payment[] {
  return [...parts, ...(payment ? [payment] : [])];
}

/**
 * Why a charge's payment is in doubt, and since when. `conflict`: another text reported the same payment with different details.
 * `reversal`: a text that is not fully understood says that the payment was reversed. `forged`: its text never became a part of
 * the wallet's balance chain, or too many texts that nothing proves were to pay it.
 */
export const Dispute = z.object({
  at: z.string(),
  why: z.enum(['conflict', 'reversal', 'forged']),
  /** The hash of the text that says so, where one does: no other may try what it has tried. */
  text_hash: z.optional(z.string()),
});
export type Dispute = z.infer<typeof Dispute>;
