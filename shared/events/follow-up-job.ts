import * as z from 'zod/mini';

export const FollowUpJob = z.object({
  kind: z.enum([
    /** Texts the customer receipt. */
    'receipt',
    /** Hands out, texts or reverses the charge's stock code. */
    'code',
    /** Hands out new codes to the charges that are waiting for one. */
    'stock',
    /** Adds or reverses the credits bought with the charge. */
    'purchase',
    /** Sends the webhook event for a payment at a till, once the cashier can no longer undo it. */
    'take',
    /** Updates the charge's payment request. */
    'request',
  ]),
  merchant_id: z.string(),
  /** The charge's reference or the link's slug. */
  about: z.string(),
});
export type FollowUpJob = z.infer<typeof FollowUpJob>;
