import * as z from 'zod/mini';

/**
 * A note that a merchant sends money back: `noted` until it has left the wallet. The service holds no money and cannot send any, so
 * it is the wallet's own text or a person that says so.
 */
export const Refund = z.object({
  refund_id: z.string(),
  amount_pesewas: z.number(),
  reason: z.optional(z.string()),
  state: z.enum(['noted', 'sent', 'withdrawn']),
  noted_at: z.string(),
  closed_at: z.optional(z.string()),
  /** Who said so: a text of the wallet that it was sent from, or a person. */
  closed_by: z.optional(z.enum(['wallet', 'hand'])),
  /** The network's id of the transfer that sent it, if a text told of it. */
  transaction_id: z.optional(z.string()),
});
export type Refund = z.infer<typeof Refund>;

/** What a charge's notes take of what was paid for it, in pesewas. */
export function refundedPesewas(refunds: readonly Refund[] = []): number {
  const counted = refunds.filter(({ state }) => state !== 'withdrawn');
  return counted.reduce((sum, { amount_pesewas }) => sum + amount_pesewas, 0);
}
