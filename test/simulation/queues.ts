import type { SQSEvent } from 'aws-lambda';
import * as z from 'zod';
import { queues as rules } from '../../functions/manifest.ts';
import type { Job, Queues } from '../../shared/runtime/outside/queues.ts';
import { queueRecord } from '../support/world.ts';

const Waiting = z.object({ id: z.string(), body: z.string(), visibleAtMs: z.number(), receives: z.number() });
type Waiting = z.infer<typeof Waiting>;

/** What waits in the queues, as it is written down. */
export const QueueContents = z.object({
  waiting: z.map(z.string(), z.array(Waiting)),
  deadLetters: z.array(z.object({ queue: z.string(), body: z.string() })),
  sent: z.number(),
});

/** SQS as the service sees it: jobs wait, are delivered again until they are deleted, and become dead letters in the end. */
export class SimulatedQueues implements Queues {
  readonly deadLetters: { queue: string; body: string }[] = [];
  #waiting = new Map<string, Waiting[]>(Object.keys(rules).map((name) => [name, []]));
  #done: { queue: string; body: string }[] = [];
  readonly #now: () => number;
  #sent = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Takes over what waits in another's, and what was done. */
  goOnFrom(other: SimulatedQueues): void {
    this.deadLetters.splice(0, Infinity, ...other.deadLetters);
    this.#waiting = structuredClone(other.#waiting);
    this.#done = [...other.#done];
    this.#sent = other.#sent;
  }

  /** What waits, for `goOnAt`. */
  contents(): z.infer<typeof QueueContents> {
    return { waiting: this.#waiting, deadLetters: this.deadLetters, sent: this.#sent };
  }

  /** Goes on from contents that were written down. */
  goOnAt({ waiting, deadLetters, sent }: z.infer<typeof QueueContents>): void {
    this.deadLetters.splice(0, Infinity, ...deadLetters);
    this.#waiting = waiting;
    this.#sent = sent;
  }

  async send(queue: string, jobs: readonly Job[]): Promise<void> {
    for (const { body, delaySeconds = 0 } of jobs) {
      if (delaySeconds > 900) throw new Error(`SQS takes a delay of 900 seconds at most, not ${delaySeconds}`);
      const visibleAtMs = this.#now() + delaySeconds * 1000;
      this.#in(queue).push({ id: String(this.#sent++), body: JSON.stringify(body), visibleAtMs, receives: 0 });
    }
  }

  async postpone(queue: string, receiptHandle: string, seconds: number): Promise<void> {
    const job = this.#in(queue).find(({ id }) => id === receiptHandle);
    if (job) job.visibleAtMs = this.#now() + seconds * 1000;
  }

  /** The jobs that are visible now, in the order `arrange` gives them, as Lambda gets them; undefined if there are none. */
  receive(queue: string, most: number, arrange: <T>(jobs: readonly T[]) => T[]): SQSEvent | undefined {
    const visible = arrange(this.#in(queue).filter(({ visibleAtMs }) => visibleAtMs <= this.#now())).slice(0, most);
    const handedOut = visible.filter((job) => this.#receive(queue, job));
    if (handedOut.length === 0) return undefined;
    return { Records: handedOut.map(queueRecord) };
  }

  delete(queue: string, ids: readonly string[]): void {
    const jobs = this.#in(queue);
    for (const { id, body } of jobs) if (ids.includes(id)) this.#done.push({ queue, body });
    this.#waiting.set(
      queue,
      jobs.filter(({ id }) => !ids.includes(id)),
    );
  }

  /** Delivers once more what was done before. */
  repeatAll(): void {
    for (const { queue, body } of this.#done.splice(0)) {
      this.#in(queue).push({ id: String(this.#sent++), body, visibleAtMs: this.#now(), receives: 0 });
    }
  }

  /** The jobs of each queue that are not done. */
  get waiting(): [queue: string, jobs: readonly Readonly<Waiting>[]][] {
    return [...this.#waiting];
  }

  /** When the next job becomes visible; undefined if none waits. */
  nextAtMs(): number | undefined {
    const times = [...this.#waiting.values()].flat().map(({ visibleAtMs }) => visibleAtMs);
    return times.length > 0 ? Math.min(...times) : undefined;
  }

  names(): string[] {
    return [...this.#waiting.keys()];
  }

  #receive(queue: string, job: Waiting): boolean {
    job.receives++;
    if (job.receives > receivesOf(queue)) {
      this.deadLetters.push({ queue, body: job.body });
      this.delete(queue, [job.id]);
      return false;
    }
    // Lambda's visibility: six times the function's timeout.
    job.visibleAtMs = this.#now() + VISIBILITY_MS;
    return true;
  }

  #in(queue: string): Waiting[] {
    const waiting = this.#waiting.get(queue);
    if (!waiting) throw new Error(`There is no queue ${queue}`);
    return waiting;
  }
}

const VISIBILITY_MS = 180_000;

function receivesOf(queue: string): number {
  const found = Object.entries(rules).find(([name]) => name === queue);
  return found?.[1].maxReceiveCount ?? 1;
}
