import * as z from 'zod/mini';

/** A queued job about a charge or a link that changed. */
export const FollowUpJob = z.object({
  kind: z.enum([
    /** Text the customer receipt. */
    'receipt',
    /** Hand out, text or take back the charge's stock code. */
    'code',
    /** Give new stock codes to the charges that wait. */
    'stock',
    /** Give or take back the credits that the charge buys. */
    'purchase',
    /** Release the webhook of a payment taken at a till, once it cannot be undone. */
    'take',
    /** Bring the charge's payment request up to date. */
    'request',
  ]),
  merchant_id: z.string(),
  /** The charge's reference, or the link's slug. */
  about: z.string(),
});
export type FollowUpJob = z.infer<typeof FollowUpJob>;
