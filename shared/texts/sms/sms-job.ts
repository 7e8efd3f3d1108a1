import * as z from 'zod/mini';
import { MAX_DELAY_SECONDS } from '../../runtime/outside/queues.ts';
import type { WorkerOutside } from '../../runtime/outside/worker-outside.ts';
import { OPERATOR, type Send } from './send.table.ts';

/** One recipient's text, as it is queued. */
export const SmsJob = z.object({
  send_id: z.string(),
  index: z.number(),
  /** When it tries to leave, in milliseconds since 1970; before it, the text waits. */
  not_before_ms: z.optional(z.number()),
  /** Its slot at the sender's pace, and whether it yields the burst to other merchants' texts. */
  slot: z.optional(z.object({ at_ms: z.number(), yields: z.boolean() })),
});
export type SmsJob = z.infer<typeof SmsJob>;

/**
 * Queues a send's texts in their merchant's group, so that one merchant's bulk does not delay the others. A text that must wait
 * longer than SQS can delay it is queued several times.
 */
export async function queueSms(
  outside: Pick<WorkerOutside, 'queues' | 'now'>,
  { merchant_id }: Pick<Send, 'merchant_id'>,
  jobs: readonly SmsJob[],
): Promise<void> {
  await outside.queues.send(
    'deliver-sms',
    jobs.map((job) => {
      const waitSeconds = Math.ceil(((job.not_before_ms ?? 0) - outside.now()) / 1000);
      return {
        body: job,
        group: merchant_id ?? OPERATOR,
        delaySeconds: Math.min(MAX_DELAY_SECONDS, Math.max(0, waitSeconds)),
      };
    }),
  );
}

/** A job for each recipient of a send. */
export function smsJobs({ send_id, to }: Send): SmsJob[] {
  return to.map((_, index) => ({ send_id, index }));
}
