import { AsyncLocalStorage } from 'node:async_hooks';
import type { Fate, MemoryRequest } from '../../infra/local/memory-dynamodb.ts';
import type { WorkerOutside } from '../../shared/runtime/outside/worker-outside.ts';

/** What may go wrong with one call to the world. */
export type Fault =
  /** The connection breaks before the call arrives. */
  | 'lose-request'
  /** The call takes effect, the connection breaks before its answer. */
  | 'lose-answer'
  /** A write meets a transaction on the same item; other calls pass. */
  | 'conflict'
  | 'throttle'
  /** The other side answers 500. */
  | 'internal'
  /** The call is on its way so long that everything else goes on meanwhile: see `whileDelayed`. */
  | 'delay'
  /** The function is killed before the call leaves. */
  | 'die'
  /** The call takes effect and the function is killed before it learns so. */
  | 'die-after';

/** The requests that can meet a conflict. */
export const WRITES: ReadonlySet<string> = new Set(['PutItem', 'UpdateItem', 'DeleteItem', 'TransactWriteItems']);

/** One call of a function to the world. */
export interface Boundary {
  /** What runs: `sms/send`. Undefined outside of `run`. */
  readonly life: string | undefined;
  /** `TransactWriteItems`, `queue deliver-sms`, `gateway`, `webhook`. */
  readonly what: string;
}

/** One run of a function, which may be killed between any two of its calls to the world. */
interface Life {
  readonly name: string;
  isDead: boolean;
  readonly die: () => void;
}

/** Stands between the functions and the world: decides the fate of each call. Without `decide` none fails. */
export class Faults {
  decide: (boundary: Boundary) => Fault | undefined = () => undefined;
  /** What happens while a call is delayed. */
  whileDelayed: () => Promise<unknown> = async () => {};
  readonly #lives = new AsyncLocalStorage<Life>();

  /** Runs a function under its name in the manifest; undefined if it was killed, or threw. */
  async run<Result>(name: string, work: () => Promise<Result>): Promise<Result | undefined> {
    let die = () => {};
    const death = new Promise<undefined>((resolve) => {
      die = () => resolve(undefined);
    });
    const life: Life = { name, isDead: false, die };
    return Promise.race([this.#lives.run(life, async () => work().catch(() => undefined)), death]);
  }

  /** The name of what runs. */
  get running(): string | undefined {
    return this.#lives.getStore()?.name;
  }

  /** For `MemoryDynamoDb.onRequest`. */
  fateOf({ operation }: MemoryRequest): Fate | Promise<Fate> {
    const life = this.#lives.getStore();
    if (life?.isDead) return never();
    const fault = this.decide({ life: life?.name, what: operation });
    switch (fault) {
      case undefined:
        return 'pass';
      case 'delay':
        return this.#delayed().then(() => 'pass');
      case 'die':
        return this.#kill(life) ? never() : 'pass';
      case 'die-after':
        // The SDK retries a call whose answer was lost, but a killed function makes no second call.
        this.#kill(life);
        return 'lose-answer';
      default:
        return fault;
    }
  }

  /** The same world, but for the calls to queues, gateway and webhooks, which may go wrong. */
  around(outside: WorkerOutside): WorkerOutside {
    const queueFails = () => Promise.reject(new Error('ServiceUnavailable'));
    return {
      ...outside,
      queues: {
        send: (queue, jobs) => this.#through(`queue ${queue}`, () => outside.queues.send(queue, jobs), queueFails),
        postpone: (queue, handle, seconds) =>
          this.#through(`postpone ${queue}`, () => outside.queues.postpone(queue, handle, seconds), queueFails),
      },
      fetch: (input, init) =>
        this.#through(
          'gateway',
          () => outside.fetch(input, init),
          async (status) => Response.json({ message: 'no' }, { status }),
        ),
      postPublic: (request) =>
        this.#through(
          'webhook',
          () => outside.postPublic(request),
          async (statusCode) => ({ statusCode, headers: {}, text: 'no' }),
        ),
    };
  }

  async #through<Result>(
    what: string,
    act: () => Promise<Result>,
    refuse: (status: 500 | 503) => Promise<Result>,
  ): Promise<Result> {
    const life = this.#lives.getStore();
    if (life?.isDead) return never();
    const fault = this.decide({ life: life?.name, what });
    if (fault === 'lose-request') throw new TypeError('fetch failed');
    if (fault === 'throttle') return refuse(503);
    if (fault === 'internal') return refuse(500);
    if (fault === 'die' && this.#kill(life)) return never();
    if (fault === 'delay') await this.#delayed();
    const result = await act();
    if (fault === 'lose-answer') throw new TypeError('fetch failed');
    if (fault === 'die-after' && this.#kill(life)) return never();
    return result;
  }

  /** What happens meanwhile is not part of this run. */
  #delayed(): Promise<unknown> {
    return this.#lives.exit(() => this.whileDelayed());
  }

  /** False if nothing runs that could be stopped. */
  #kill(life: Life | undefined): boolean {
    if (!life) return false;
    life.isDead = true;
    life.die();
    return true;
  }
}

function never(): Promise<never> {
  return new Promise(() => {});
}
