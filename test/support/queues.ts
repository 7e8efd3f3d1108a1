import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { manifest, queues as rules } from '../../functions/manifest.ts';
import { handler as deliverPush } from '../../functions/work/deliver-push.ts';
import { handler as deliverSms } from '../../functions/work/deliver-sms.ts';
import { handler as deliverWebhook } from '../../functions/work/deliver-webhook.ts';
import { handler as runFollowUp } from '../../functions/work/run-follow-up.ts';
import { handler as settleReceipt } from '../../functions/work/settle-receipt.ts';
import type { Job, Queues } from '../../shared/runtime/outside/queues.ts';
import { consumerOf } from '../../shared/runtime/triggers/complete-row.ts';
import { type QueueHandler, visibilityTimeoutSeconds } from '../../shared/runtime/triggers/queue.ts';
import { queueRecord } from './world.ts';

export const workers = new Map<string, QueueHandler>(
  Object.entries({
    'deliver-sms': deliverSms,
    'settle-receipt': settleReceipt,
    'deliver-webhook': deliverWebhook,
    'deliver-push': deliverPush,
    'run-follow-up': runFollowUp,
  } satisfies Record<keyof typeof rules, QueueHandler>),
);

export function workerOf(queue: string): QueueHandler {
  const worker = workers.get(queue);
  if (!worker) throw new Error(`There is no queue ${queue}`);
  return worker;
}

interface Waiting {
  readonly id: string;
  readonly body: string;
  visibleAtMs: number;
  receives: number;
}
type QueuedJob = Readonly<Waiting> & { readonly queue: string };

/** Simulates SQS: jobs wait, are redelivered until deleted, and finally become dead letters. */
export class SimulatedQueues implements Queues {
  readonly deadLetters: { queue: string; body: string }[] = [];
  #waiting = new Map<string, Waiting[]>(Object.keys(rules).map((name) => [name, []]));
  #done: QueuedJob[] = [];
  readonly #now: () => number;
  #sent = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  goOnFrom(other: SimulatedQueues): void {
    this.deadLetters.splice(0, Infinity, ...other.deadLetters);
    this.#waiting = structuredClone(other.#waiting);
    this.#done = [...other.#done];
    this.#sent = other.#sent;
  }

  async send(queue: string, jobs: readonly Job[]): Promise<void> {
    for (const { body, delaySeconds = 0 } of jobs) {
      if (!(delaySeconds >= 0 && delaySeconds <= 900))
        throw new Error(`SQS does not support a delay of ${delaySeconds} s`);
      const visibleAtMs = this.#now() + delaySeconds * 1000;
      this.#in(queue).push({ id: String(this.#sent++), body: JSON.stringify(body), visibleAtMs, receives: 0 });
    }
  }

  async postpone(queue: string, receiptHandle: string, seconds: number): Promise<void> {
    const job = this.#in(queue).find(({ id }) => id === receiptHandle);
    if (job) job.visibleAtMs = this.#now() + seconds * 1000;
  }

  /** Receives visible jobs in the order given by `arrange`. Undefined if no job is visible. */
  receive(
    queue: string,
    most: number,
    arrange: <T extends Waiting>(jobs: T[]) => T[] = soonestFirst,
  ): SQSEvent | undefined {
    const visible = arrange(this.#in(queue).filter(({ visibleAtMs }) => visibleAtMs <= this.#now())).slice(0, most);
    const handedOut = visible.filter((job) => this.#receive(queue, job));
    if (handedOut.length === 0) return undefined;
    return { Records: handedOut.map(queueRecord) };
  }

  delete(queue: string, ids: readonly string[]): void {
    const [done, left] = [new Set(ids), this.#in(queue)];
    for (const job of left) if (done.has(job.id)) this.#done.push({ queue, ...job });
    this.#waiting.set(
      queue,
      left.filter(({ id }) => !done.has(id)),
    );
  }

  lose(queue: string): void {
    this.#waiting.set(queue, []);
  }

  repeatAll(): void {
    for (const { queue, body } of this.#done.splice(0)) {
      this.#in(queue).push({ id: String(this.#sent++), body, visibleAtMs: this.#now(), receives: 0 });
    }
  }

  get waiting(): QueuedJob[] {
    return soonestFirst([...this.#waiting].flatMap(([queue, jobs]) => jobs.map((job) => ({ queue, ...job }))));
  }

  get done(): readonly QueuedJob[] {
    return this.#done;
  }

  nextAtMs(): number | undefined {
    const times = [...this.#waiting.values()].flat().map(({ visibleAtMs }) => visibleAtMs);
    return times.length > 0 ? Math.min(...times) : undefined;
  }

  names(): string[] {
    return [...this.#waiting.keys()];
  }

  #receive(queue: string, job: Waiting): boolean {
    job.receives++;
    const rule = new Map(Object.entries(rules)).get(queue);
    if (job.receives > (rule?.maxReceiveCount ?? 1)) {
      this.deadLetters.push({ queue, body: job.body });
      this.delete(queue, [job.id]);
      return false;
    }
    job.visibleAtMs = this.#now() + visibilityTimeoutSeconds(consumerOf(manifest, queue).timeoutSeconds) * 1000;
    return true;
  }

  #in(queue: string): Waiting[] {
    const waiting = this.#waiting.get(queue);
    if (!waiting) throw new Error(`There is no queue ${queue}`);
    return waiting;
  }
}

/** Sorts jobs by the time they become visible, then by the time they were sent. */
function soonestFirst<T extends Waiting>(jobs: T[]): T[] {
  return jobs.sort((one, other) => one.visibleAtMs - other.visibleAtMs || Number(one.id) - Number(other.id));
}

/** Returns the jobs that the worker did not report as failed. */
export function doneIn({ Records }: SQSEvent, { batchItemFailures }: SQSBatchResponse): string[] {
  const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
  return Records.map(({ messageId }) => messageId).filter((id) => !failed.has(id));
}
