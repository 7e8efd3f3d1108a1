import { AsyncLocalStorage } from 'node:async_hooks';
import type { Fate, MemoryRequest } from '../../infra/local/memory-dynamodb.ts';
import type { WorkerOutside } from '../../shared/runtime/outside/worker-outside.ts';

export type Fault =
  /** The connection fails before the request arrives. */
  | 'lose-request'
  /** The request takes effect, but its response is lost. */
  | 'lose-answer'
  /** The write conflicts with a transaction. Other requests succeed. */
  | 'conflict'
  | 'throttle'
  | 'internal'
  /** The request waits until all other work has finished. See `whileDelayed`. */
  | 'delay'
  /** The function is killed before it sends the request. */
  | 'die'
  /** The request takes effect, but the function is killed before the response arrives. */
  | 'die-after';

export const WRITES: ReadonlySet<string> = new Set(['PutItem', 'UpdateItem', 'DeleteItem', 'TransactWriteItems']);

export interface Boundary {
  /** Name of the running function, such as `sms/send`. Undefined outside `run`. */
  readonly life: string | undefined;
  readonly what: string;
}

/** One run of a function, which can be killed between requests. */
interface Life {
  readonly name: string;
  isDead: boolean;
  readonly die: () => void;
}

/** Decides the outcome of each request. Without `decide`, every request succeeds. */
export class Faults {
  decide: (boundary: Boundary) => Fault | undefined = () => undefined;
  whileDelayed: () => Promise<unknown> = async () => {};
  readonly #lives = new AsyncLocalStorage<Life>();

  /** Runs `work` as this function. Returns undefined if the function was killed or threw. */
  async run<Result>(name: string, work: () => Promise<Result>): Promise<Result | undefined> {
    let die = () => {};
    const death = new Promise<undefined>((resolve) => {
      die = () => resolve(undefined);
    });
    const life: Life = { name, isDead: false, die };
    return Promise.race([this.#lives.run(life, async () => work().catch(() => undefined)), death]);
  }

  get running(): string | undefined {
    return this.#lives.getStore()?.name;
  }

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
        // The SDK would retry the lost request, but a killed function must not send any more requests.
        this.#kill(life);
        return 'lose-answer';
      default:
        return fault;
    }
  }

  /** Wraps `outside` so that requests to queues, the gateway and webhook receivers can fail. */
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

  #delayed(): Promise<unknown> {
    return this.#lives.exit(() => this.whileDelayed());
  }

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
