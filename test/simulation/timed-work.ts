import { manifest } from '../../functions/manifest.ts';
import { handler as deliverPush } from '../../functions/work/deliver-push.ts';
import { handler as deliverSms } from '../../functions/work/deliver-sms.ts';
import { handler as deliverWebhook } from '../../functions/work/deliver-webhook.ts';
import { handler as housekeeping } from '../../functions/work/housekeeping.ts';
import { handler as settleReceipt } from '../../functions/work/settle-receipt.ts';
import { consumerOf } from '../../shared/runtime/triggers/complete-row.ts';
import type { QueueHandler } from '../../shared/runtime/triggers/queue.ts';
import { VirtualTime } from '../support/virtual-time.ts';
import { queueEvent, type World } from '../support/world.ts';

/** As `prod` has it: batches of one queue that are worked on at a time. */
const WORKERS_PER_QUEUE = 5;
/** What a batch takes besides what it waits for. */
const BATCH_MS = 50;

const HANDLERS: Readonly<Record<string, QueueHandler>> = {
  'deliver-sms': deliverSms,
  'deliver-webhook': deliverWebhook,
  'deliver-push': deliverPush,
  'settle-receipt': settleReceipt,
};

/**
 * A world whose work takes time, which goes by as fast as the machine can: so many workers a queue, each with a batch until its
 * slowest job is done. Jobs are handed out first come, first served, whoever's they are: SQS's fair queues, which would put those of
 * a quiet merchant first, are left out.
 */
export class TimedWork {
  readonly #world: World;
  readonly #time: VirtualTime;
  readonly #visible = new Map<string, object[]>();
  readonly #busy = new Map<string, number>();

  constructor(world: World) {
    this.#world = world;
    this.#time = new VirtualTime(world.clock, () => world.requests.length);
    world.outside.queues.send = async (queue, jobs) => {
      for (const { body, delaySeconds = 0 } of jobs) this.after(delaySeconds * 1000, () => this.#show(queue, body));
    };
    world.outside.queues.postpone = async () => {};
  }

  after(ms: number, act: () => void): void {
    this.#time.after(ms, act);
  }

  sleep(ms: number): Promise<void> {
    return this.#time.sleep(ms);
  }

  /** Lets so much time go by, with `housekeeping` once a minute. */
  async run(ms: number, { housekeeping: isKept = false } = {}): Promise<void> {
    for (let minute = 1; isKept && minute * 60_000 <= ms; minute++) {
      this.after(minute * 60_000, () => void housekeeping.with(this.#world.outside)());
    }
    await this.#time.run(ms);
  }

  #show(queue: string, body: object): void {
    const visible = this.#visible.get(queue) ?? [];
    this.#visible.set(queue, visible);
    visible.push(body);
    // What becomes visible at the same moment is handed out together.
    if (visible.length === 1) this.after(0, () => this.#handOut(queue));
  }

  #handOut(queue: string): void {
    const visible = this.#visible.get(queue) ?? [];
    const consumer = consumerOf(manifest, queue);
    const batchSize = consumer.on === 'queue' ? consumer.batchSize : 1;
    while (visible.length > 0 && (this.#busy.get(queue) ?? 0) < WORKERS_PER_QUEUE) {
      this.#busy.set(queue, (this.#busy.get(queue) ?? 0) + 1);
      void this.#work(queue, visible.splice(0, batchSize));
    }
  }

  async #work(queue: string, bodies: readonly object[]): Promise<void> {
    await this.sleep(BATCH_MS);
    const answer = await HANDLERS[queue]?.with(this.#world.outside)(queueEvent(bodies));
    if (answer?.batchItemFailures.length !== 0)
      throw new Error(`A job of ${queue} failed`, { cause: this.#world.logged });
    this.#busy.set(queue, (this.#busy.get(queue) ?? 0) - 1);
    this.#handOut(queue);
  }
}
