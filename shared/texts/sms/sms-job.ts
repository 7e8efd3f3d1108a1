import * as z from 'zod/mini';
import { type Job, MAX_DELAY_SECONDS } from '../../runtime/outside/queues.ts';
import type { WorkerOutside } from '../../runtime/outside/worker-outside.ts';
import { OPERATOR, type Send } from './send.table.ts';

/** One recipient's text, as it is queued. */
export const SmsJob = z.object({
  send_id: z.string(),
  index: z.number(),
  /** When it is tried again, or a test's text goes on, in milliseconds since 1970. */
  not_before_ms: z.optional(z.number()),
  /** Whether it has had its turn. */
  has_turn: z.optional(z.boolean()),
});
export type SmsJob = z.infer<typeof SmsJob>;

/** The turn of the first text that waits for a sender. */
export const TurnJob = z.object({
  sender: z.string(),
  /** When it is, in milliseconds since 1970; also what tells it from other turns. */
  turn_ms: z.number(),
});
export type TurnJob = z.infer<typeof TurnJob>;

/** Whatever the queue `deliver-sms` carries. */
export const DeliveryJob = z.union([SmsJob, TurnJob]);

type Owner = Pick<Send, 'merchant_id'>;
type QueueOutside = Pick<WorkerOutside, 'queues' | 'now'>;

/**
 * Queues a send's texts in their merchant's group, so that one merchant's bulk does not delay the others: for now, or for a time at most a
 * quarter of an hour ahead, in milliseconds since 1970.
 */
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

/** Queues a sender's turn, in the group of the merchant because of whom it comes. */
export async function queueTurn(outside: QueueOutside, owner: Owner, turn: TurnJob): Promise<void> {
  await outside.queues.send('deliver-sms', [jobAt(outside, owner, turn, turn.turn_ms)]);
}

/** A job that must wait for longer than SQS can delay it comes too early, and is queued again. */
function jobAt(outside: QueueOutside, { merchant_id }: Owner, body: SmsJob | TurnJob, atMs = 0): Job {
  const waitSeconds = Math.ceil((atMs - outside.now()) / 1000);
  return {
    body,
    group: merchant_id ?? OPERATOR,
    delaySeconds: Math.min(MAX_DELAY_SECONDS, Math.max(0, waitSeconds)),
  };
}

/** A job for each recipient of a send. */
export function smsJobs({ send_id, to }: Send): SmsJob[] {
  return to.map((_, index) => ({ send_id, index }));
}
