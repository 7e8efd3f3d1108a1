import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import * as z from 'zod/mini';
import type { QueueRow } from './row.ts';
import { inRealWorld, type WorkerOutside } from './worker-outside.ts';

type InWorld = (event: SQSEvent) => Promise<SQSBatchResponse>;
export interface QueueHandler {
  (event: SQSEvent, context?: Context): Promise<SQSBatchResponse>;
  /** The same handler in another world: a test's or a simulation's. */
  readonly with: (outside: WorkerOutside) => InWorld;
  /** Its row in the manifest. */
  readonly row: QueueRow;
}

export interface Delivery {
  /** How often the queue has handed this job out, this time included. */
  readonly receives: number;
}

/** Thrown by a job that wants its next try at a time of its own choosing. */
export class RetryLater extends Error {
  readonly seconds: number;
  constructor(seconds: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.seconds = seconds;
  }
}

/**
 * Wraps a function behind a queue. Each job stands alone: one that throws comes back after a pause that grows with every
 * receive, and in the end becomes a dead letter; the others of its batch are done.
 */
export function queue<JobBody>(
  row: QueueRow,
  jobSchema: z.core.$ZodType<JobBody>,
  handle: (job: JobBody, delivery: Delivery, outside: WorkerOutside) => Promise<void>,
): QueueHandler {
  const inWorld =
    (outside: WorkerOutside): InWorld =>
    async ({ Records }) => {
      const failed = await Promise.all(Records.map((record) => failureOf(record, outside)));
      return { batchItemFailures: failed.flatMap((id) => (id ? [{ itemIdentifier: id }] : [])) };
    };
  const handler = (event: SQSEvent, context?: Context) => inRealWorld(context, (outside) => inWorld(outside)(event));
  return Object.assign(handler, { with: inWorld, row });

  async function failureOf(record: SQSRecord, outside: WorkerOutside): Promise<string | undefined> {
    const receives = Number(record.attributes.ApproximateReceiveCount);
    try {
      await handle(z.parse(jobSchema, JSON.parse(record.body)), { receives }, outside);
      return undefined;
    } catch (error) {
      const { MessageGroupId: group } = record.attributes;
      outside.log.warn('job_failed', { function: row.queue, attempt: receives, ...(group && { group }), error });
      await postpone(record, error instanceof RetryLater ? error.seconds : pauseSeconds(receives), outside);
      return record.messageId;
    }
  }

  async function postpone({ receiptHandle }: SQSRecord, seconds: number, outside: WorkerOutside) {
    try {
      await outside.queues.postpone(row.queue, receiptHandle, seconds);
    } catch (error) {
      // The job still comes back, after the queue's own visibility timeout.
      outside.log.warn('postpone_failed', { function: row.queue, error });
    }
  }
}

/** 2 s, 4 s, 8 s … 15 minutes. Twenty receives span nearly three hours. */
export function pauseSeconds(receives: number): number {
  return Math.min(15 * 60, 2 ** receives);
}
