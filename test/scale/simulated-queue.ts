import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import type { Job } from '../../shared/runtime/outside/queues.ts';
import { pauseSeconds } from '../../shared/runtime/triggers/queue.ts';
import type { VirtualTime } from '../support/virtual-time.ts';
import { queueRecord } from '../support/world.ts';
import type { Samples } from './samples.ts';

interface Message {
  readonly id: string;
  readonly body: string;
  readonly group: string;
  readonly dueMs: number;
  readonly receives: number;
}

interface Rules {
  readonly name: string;
  readonly batchSize: number;
  readonly concurrency: number;
  /** Number of receives before a message becomes a dead letter. */
  readonly maxReceiveCount: number;
}

/** The latency of Lambda's poller. */
const POLL_MS = 10;
/** The poller's delay before it retries if there is no free execution. The retry does not count as a receive. */
const NO_EXECUTION_MS = 5_000;

/**
 * A queue and its poller in virtual time. The queue is fair: among waiting messages, it prefers the group with the
 * fewest messages in progress.
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-fair-queues.html
 */
export class SimulatedQueue {
  readonly #rules: Rules;
  readonly #time: VirtualTime;
  readonly #samples: Samples;
  readonly #handle: (event: SQSEvent) => Promise<SQSBatchResponse | undefined>;
  readonly #ready = new Map<string, Message[]>();
  readonly #working = new Map<string, number>();
  readonly #postponed = new Map<string, number>();
  #batches = 0;
  #waiting = 0;
  #ids = 0;

  /** `handle` returns undefined if there was no free execution. */
  constructor(
    rules: Rules,
    time: VirtualTime,
    samples: Samples,
    handle: (event: SQSEvent) => Promise<SQSBatchResponse | undefined>,
  ) {
    this.#rules = rules;
    this.#time = time;
    this.#samples = samples;
    this.#handle = handle;
  }

  send(jobs: readonly Job[]): void {
    for (const { body, group, delaySeconds = 0 } of jobs) {
      const dueMs = this.#time.nowMs + delaySeconds * 1000;
      this.#put({ id: `${this.#rules.name} ${++this.#ids}`, body: JSON.stringify(body), group, dueMs, receives: 1 });
    }
  }

  postpone(id: string, seconds: number): void {
    this.#postponed.set(id, seconds);
  }

  #put(message: Message): void {
    this.#time.after(message.dueMs - this.#time.nowMs, () => {
      const ready = this.#ready.get(message.group) ?? [];
      ready.push(message);
      this.#ready.set(message.group, ready);
      this.#waiting++;
      this.#receive();
    });
  }

  #receive(): void {
    while (this.#waiting > 0 && this.#batches < this.#rules.concurrency) {
      const batch: Message[] = [];
      while (batch.length < this.#rules.batchSize && this.#waiting > 0) batch.push(this.#next());
      this.#batches++;
      void this.#work(batch);
    }
  }

  #next(): Message {
    const inWork = (group: string) => this.#working.get(group) ?? 0;
    let group = '';
    let fewest = Infinity;
    for (const [name] of this.#ready) {
      if (inWork(name) >= fewest) continue;
      group = name;
      fewest = inWork(name);
      if (fewest === 0) break;
    }
    const ready = this.#ready.get(group) ?? [];
    const message = ready.shift();
    if (!message) throw new Error('A group without messages is in no list');
    this.#ready.delete(group);
    if (ready.length > 0) this.#ready.set(group, ready);
    this.#waiting--;
    this.#working.set(group, inWork(group) + 1);
    return message;
  }

  async #work(batch: readonly Message[]): Promise<void> {
    await this.#time.sleep(POLL_MS);
    const answer = await this.#handle({ Records: batch.map(queueRecord) });
    const failed = new Set(answer?.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
    for (const message of batch) {
      const left = (this.#working.get(message.group) ?? 0) - 1;
      if (left > 0) this.#working.set(message.group, left);
      else this.#working.delete(message.group);
      if (!answer) this.#put({ ...message, dueMs: this.#time.nowMs + NO_EXECUTION_MS });
      else if (failed.has(message.id)) this.#again(message);
      else this.#samples.time(`${this.#rules.name}: done after`, this.#time.nowMs - message.dueMs);
    }
    this.#batches--;
    this.#receive();
  }

  #again(message: Message): void {
    this.#samples.count(`${this.#rules.name}: failed`);
    if (message.receives >= this.#rules.maxReceiveCount) {
      this.#samples.count(`${this.#rules.name}: dead letters`);
      return;
    }
    const seconds = this.#postponed.get(message.id) ?? pauseSeconds(message.receives);
    this.#postponed.delete(message.id);
    this.#put({ ...message, receives: message.receives + 1, dueMs: this.#time.nowMs + seconds * 1000 });
  }
}
