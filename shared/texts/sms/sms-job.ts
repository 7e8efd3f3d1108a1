import * as z from 'zod/mini';
import { type Job, MAX_DELAY_SECONDS } from '../../runtime/outside/queues.ts';
import type { WorkerOutside } from '../../runtime/outside/worker-outside.ts';
import { OPERATOR, type Send } from './send.table.ts';

export const SmsJob = z.object({
  send_id: z.string(),
  index: z.number(),
  not_before_ms: z.optional(z.number()),
  has_turn: z.optional(z.boolean()),
});
export type SmsJob = z.infer<typeof SmsJob>;

export const TurnJob = z.object({
  sender: z.string(),
  /** The turn's time in epoch milliseconds, also used as its id. */
  turn_ms: z.number(),
});
export type TurnJob = z.infer<typeof TurnJob>;

export const DeliveryJob = z.union([SmsJob, TurnJob]);

type Owner = Pick<Send, 'merchant_id'>;
type QueueOutside = Pick<WorkerOutside, 'queues' | 'now'>;

/** Queues a send's texts in the merchant's message group. `atMs` may be at most 15 minutes ahead. */
export async function queueSms(
  outside: QueueOutside,
  owner: Owner,
  jobs: readonly SmsJob[],
  atMs?: number,
): Promise<void> {
  await outside.queues.send(
    'deliver-sms',
    jobs.map((job) => jobAt(outside, owner, job, job.not_before_ms ?? atMs)),
  );
}

export async function queueTurn(outside: QueueOutside, owner: Owner, turn: TurnJob): Promise<void> {
  await outside.queues.send('deliver-sms', [jobAt(outside, owner, turn, turn.turn_ms)]);
}

/** SQS limits the delay, so a job may arrive early and be requeued. */
function jobAt(outside: QueueOutside, { merchant_id }: Owner, body: SmsJob | TurnJob, atMs = 0): Job {
  const waitSeconds = Math.ceil((atMs - outside.now()) / 1000);
  return {
    body,
    group: merchant_id ?? OPERATOR,
    delaySeconds: Math.min(MAX_DELAY_SECONDS, Math.max(0, waitSeconds)),
  };
}

export function smsJobs({ send_id, to }: Send): SmsJob[] {
  return to.map((_, index) => ({ send_id, index }));
}
