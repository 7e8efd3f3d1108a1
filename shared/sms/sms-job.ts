import * as z from 'zod/mini';
import type { Job } from '../runtime/queues.ts';
import type { Send } from './send.table.ts';

/** One recipient's text, as it is queued. */
export const SmsJob = z.object({ send_id: z.string(), index: z.number() });
export type SmsJob = z.infer<typeof SmsJob>;

/** A job for each recipient, in the merchant's group, so that one merchant's bulk does not hold up the others. */
export function smsJobs(send: Send): Job[] {
  return send.to.map((_, index) => ({
    body: { send_id: send.send_id, index } satisfies SmsJob,
    group: send.merchant_id,
  }));
}
