import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import * as z from 'zod/mini';
import { type Worker, type WorkerOutside, worker } from '../outside/worker-outside.ts';
import { LATER_RELEASE_SECONDS, RowOfLaterRelease } from '../table/row-shape.ts';
import { parseJson } from '../values/json.ts';
import type { QueueRow } from './row.ts';

export type QueueHandler = Worker<QueueRow, SQSEvent, SQSBatchResponse>;

export interface Delivery {
  readonly receives: number;
}

/** Thrown by a job to choose the time of its next attempt. */
export class RetryLater extends Error {
  readonly seconds: number;
  constructor(seconds: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.seconds = seconds;
  }
}

export type Before<JobBody> = (job: JobBody) => Promise<void> | undefined;

interface QueueOptions<JobBody> {
  /** Prepares a batch of jobs. The jobs run even if the preparation fails. */
  readonly first?: (jobs: readonly JobBody[], outside: WorkerOutside) => Promise<Before<JobBody>>;
}

/**
 * Wraps a function that handles queued jobs. A failed job is redelivered with increasing delays and finally becomes a
 * dead letter.
 */
export function queue<JobBody>(
  row: QueueRow,
  jobSchema: z.core.$ZodType<JobBody>,
  handle: (job: JobBody, delivery: Delivery, outside: WorkerOutside) => Promise<void>,
  { first }: QueueOptions<JobBody> = {},
): QueueHandler {
  return worker(row, (outside) => async ({ Records }: SQSEvent) => {
    const jobs = Records.map(({ body }) => parseJson(jobSchema, body));
    const before = await beforeEach(jobs, outside);
    const failed = await Promise.all(
      Records.map((record, n) => {
        const job = jobs[n];
        return failureOf(record, outside, job && before?.(job));
      }),
    );
    return { batchItemFailures: failed.flatMap((id) => (id ? [{ itemIdentifier: id }] : [])) };
  });

  async function beforeEach(jobs: readonly (JobBody | undefined)[], outside: WorkerOutside) {
    try {
      return await first?.(
        jobs.flatMap((job) => job ?? []),
        outside,
      );
    } catch (error) {
      outside.log.warn('batch_not_prepared', { error });
      return undefined;
    }
  }

  async function failureOf(record: SQSRecord, outside: WorkerOutside, before: Promise<void> | undefined) {
    const receives = Number(record.attributes.ApproximateReceiveCount);
    try {
      await before;
      await handle(z.parse(jobSchema, JSON.parse(record.body)), { receives }, outside);
      return undefined;
    } catch (error) {
      const { MessageGroupId: group } = record.attributes;
      outside.log.warn('job_failed', { function: row.queue, attempt: receives, ...(group && { group }), error });
      await postpone(record, secondsUntilNext(error, receives), outside);
      return record.messageId;
    }
  }

  async function postpone({ receiptHandle }: SQSRecord, seconds: number, outside: WorkerOutside) {
    try {
      await outside.queues.postpone(row.queue, receiptHandle, seconds);
    } catch (error) {
      // The job is still redelivered after the queue's visibility timeout.
      outside.log.warn('postpone_failed', { function: row.queue, error });
    }
  }
}

function secondsUntilNext(error: unknown, receives: number): number {
  if (error instanceof RetryLater) return error.seconds;
  const seconds = pauseSeconds(receives);
  // A job's ten attempts must span a deployment, which takes several minutes.
  return error instanceof RowOfLaterRelease ? Math.max(LATER_RELEASE_SECONDS, seconds) : seconds;
}

/** Maximum delay between attempts, even if a gateway requests a longer one. */
export const MAX_PAUSE_SECONDS = 15 * 60;

/**
 * Returns the delay after an attempt. Doubles from 2 seconds to 15 minutes; twenty attempts span nearly three hours.
 */
export function pauseSeconds(receives: number): number {
  return Math.min(MAX_PAUSE_SECONDS, 2 ** receives);
}

/** Returns a queue's visibility timeout: six times its consumer's timeout, as AWS recommends. */
export function visibilityTimeoutSeconds(consumerTimeoutSeconds: number): number {
  return 6 * consumerTimeoutSeconds;
}

/**
 * Returns the longest time from a job's first attempt until the job becomes a dead letter. Assumes that every attempt
 * times out. After each attempt, the job waits for its delay or until the visibility timeout ends, whichever is later.
 */
export function longestLifeSeconds(receives: number, consumerTimeoutSeconds: number): number {
  const visibilitySeconds = visibilityTimeoutSeconds(consumerTimeoutSeconds);
  const tries = Array.from({ length: receives }, (_, n) => consumerTimeoutSeconds + pauseSeconds(n + 1));
  return tries.reduce((sum, seconds) => sum + Math.max(seconds, visibilitySeconds), 0);
}
