import * as z from 'zod/mini';

export const FollowUpJob = z.object({
  kind: z.enum([
    /** Texts the customer receipt. */
    'receipt',
    /** Issues, texts or takes back the charge's stock code. */
    'code',
    /** Issues newly added codes to waiting charges. */
    'stock',
    /** Adds or takes back the credits bought with the charge. */
    'purchase',
    /** Announces a payment at a till, once the cashier can no longer undo it. */
    'take',
    /** Updates the charge's payment request. */
    'request',
  ]),
  merchant_id: z.string(),
  /** A charge's reference or a link's slug. */
  about: z.string(),
});
export type FollowUpJob = z.infer<typeof FollowUpJob>;
