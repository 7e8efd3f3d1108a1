import type { SQSEvent } from 'aws-lambda';
import { handler as housekeeping } from '../../functions/work/housekeeping.ts';
import { doneIn, SimulatedQueues, workerOf } from '../support/queues.ts';
import { VirtualTime } from '../support/virtual-time.ts';
import type { World } from '../support/world.ts';

/** Concurrent batches per queue in `prod`. */
const WORKERS_PER_QUEUE = 5;
/** Duration of a batch, excluding waits. */
const BATCH_MS = 50;

/**
 * A world whose work takes simulated time. Each queue has several workers, and a worker is busy until its batch is
 * done. SQS's fair queues are not simulated.
 */
export class TimedWork {
  readonly #world: World;
  readonly #time: VirtualTime;
  readonly #queues: SimulatedQueues;
  readonly #busy = new Map<string, number>();

  constructor(world: World) {
    this.#world = world;
    this.#time = new VirtualTime(world.clock, () => world.requests.length);
    this.#queues = new SimulatedQueues(() => world.clock.nowMs);
    world.outside.queues.send = async (queue, jobs) => {
      await this.#queues.send(queue, jobs);
      // Jobs that become visible at the same moment form batches.
      const delays = new Set(jobs.map(({ delaySeconds = 0 }) => delaySeconds));
      for (const seconds of delays) this.after(seconds * 1000, () => this.#handOut(queue));
    };
    world.outside.queues.postpone = async () => {};
  }

  after(ms: number, act: () => void): void {
    this.#time.after(ms, act);
  }

  sleep(ms: number): Promise<void> {
    return this.#time.sleep(ms);
  }

  /** Advances the clock, with `housekeeping` once a minute. */
  async run(ms: number, { housekeeping: isKept = false } = {}): Promise<void> {
    for (let minute = 1; isKept && minute * 60_000 <= ms; minute++) {
      this.after(minute * 60_000, () => void housekeeping.with(this.#world.outside)());
    }
    await this.#time.run(ms);
  }

  #handOut(queue: string): void {
    const { batchSize } = workerOf(queue).row;
    while ((this.#busy.get(queue) ?? 0) < WORKERS_PER_QUEUE) {
      const event = this.#queues.receive(queue, batchSize);
      if (!event) return;
      this.#busy.set(queue, (this.#busy.get(queue) ?? 0) + 1);
      void this.#work(queue, event);
    }
  }

  async #work(queue: string, event: SQSEvent): Promise<void> {
    await this.sleep(BATCH_MS);
    const answer = await workerOf(queue).with(this.#world.outside)(event);
    if (answer.batchItemFailures.length !== 0)
      throw new Error(`A job of ${queue} failed`, { cause: this.#world.logged });
    this.#queues.delete(queue, doneIn(event, answer));
    this.#busy.set(queue, (this.#busy.get(queue) ?? 0) - 1);
    this.#handOut(queue);
  }
}
