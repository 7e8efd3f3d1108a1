import { handler as housekeeping } from '../../functions/work/housekeeping.ts';
import type { CallInput, Client, RouteName } from '../../infra/local/story/steps.ts';
import type { Job } from '../../shared/runtime/outside/queues.ts';
import type { WorkerOutside } from '../../shared/runtime/outside/worker-outside.ts';
import { itemBytes } from '../../shared/runtime/table/item-bytes.ts';
import type { Item } from '../../shared/runtime/table/table.ts';
import { tableSchema } from '../../shared/runtime/table/table-schema.ts';
import { completeRow } from '../../shared/runtime/triggers/complete-row.ts';
import type { Row } from '../../shared/runtime/triggers/row.ts';
import { isWanted } from '../../shared/runtime/triggers/stream.ts';
import { httpFunction } from '../support/functions.ts';
import { doneIn, SimulatedQueues, workerOf } from '../support/queues.ts';
import { receivedEvent, signedCallback } from '../support/receipts.ts';
import type { CalledByHttp } from '../support/routes.ts';
import { scan } from '../support/rows.ts';
import { type Reader, readers } from '../support/stream-readers.ts';
import { type Call, call, streamEvent, type World } from '../support/world.ts';
import { type Change, meter } from './meter.ts';
import { processorShare } from './processor.ts';

/** Billed units of a story. */
export interface Bill {
  apiRequests: number;
  invocations: number;
  lambdaGigabyteSeconds: number;
  writeUnits: number;
  readUnits: number;
  queueRequests: number;
  logBytes: number;
  storedByteMonths: number;
}

/**
 * Assumed milliseconds that a function waits for other services: typical medians within a region, and on the internet
 * for gateways and merchants.
 */
export const WAIT_MS = { read: 4, write: 6, transaction: 12, queue: 10, gateway: 150, webhook: 250 };
/** CPU milliseconds of our code and the SDK with 512 MB, a third of a vCPU. */
export const WORK_MS = 4;
export const LOG_BYTES_PER_API_REQUEST = 400;

/**
 * Runs the service in memory until nothing is left to do, and adds up the cost. Every invocation starts with empty
 * caches, so the result is an upper bound.
 */
export class Story implements Client {
  readonly bill: Bill = {
    apiRequests: 0,
    invocations: 0,
    lambdaGigabyteSeconds: 0,
    writeUnits: 0,
    readUnits: 0,
    queueRequests: 0,
    logBytes: 0,
    storedByteMonths: 0,
  };
  readonly #world: World;
  #changes: Change[] = [];
  readonly #queues: SimulatedQueues;

  constructor(world: World) {
    this.#world = world;
    this.#queues = new SimulatedQueues(() => world.clock.nowMs);
  }

  /** Sends a request through API Gateway and returns the body. @throws if the request fails. */
  async request(name: CalledByHttp, request: Call) {
    this.bill.apiRequests++;
    this.bill.logBytes += LOG_BYTES_PER_API_REQUEST;
    const handler = httpFunction(name);
    const { status, json } = await this.#invoke(handler.row, 1, (outside) =>
      call({ ...this.#world, outside }, handler, request),
    );
    if (status >= 400) throw new Error(`${name} answered ${status}: ${json.message}`);
    return json;
  }

  async ask(route: RouteName, { once, ...said }: CallInput = {}): Promise<unknown> {
    return (await this.request(route, { ...said, ...(once && { headers: { 'idempotency-key': once } }) })).data;
  }

  /** Adds the cost of storage. `begun` contains the rows at the start. */
  async keep(begun: readonly Item[]): Promise<void> {
    const known = new Map(begun.map((row) => [`${row.pk} ${row.sk}`, keptByteMonths(row, this.#world.clock.nowMs)]));
    for (const row of await scan(this.#world)) {
      const before = known.get(`${row.pk} ${row.sk}`) ?? 0;
      this.bill.storedByteMonths += keptByteMonths(row, this.#world.clock.nowMs) - before;
    }
  }

  async arrive(arrival: { sender: string; text: string; recipient: string }): Promise<void> {
    await this.#callback(signedCallback(this.#world, receivedEvent(this.#world, arrival)));
  }

  /** Processes all subsequent work until `endMs` and advances the clock to each job. */
  async goOn(endMs = Number.MAX_SAFE_INTEGER): Promise<void> {
    for (;;) {
      const changes = this.#changes.splice(0, STREAM_BATCH);
      if (changes.length > 0) {
        await this.#relay(changes);
        continue;
      }
      const [next] = this.#queues.waiting;
      if (!next || next.visibleAtMs > endMs) break;
      this.#world.clock.nowMs = Math.max(this.#world.clock.nowMs, next.visibleAtMs);
      await this.#work(next.queue);
    }
    if (endMs < Number.MAX_SAFE_INTEGER) this.#world.clock.nowMs = endMs;
  }

  /** Adds the table requests that this story causes in housekeeping. */
  async keepHouse(): Promise<void> {
    const run = () => meter(this.#world, () => housekeeping.with(this.#outside())());
    const { readUnits, writeUnits, changes } = await run();
    const idle = await run();
    this.bill.readUnits += readUnits - idle.readUnits;
    this.bill.writeUnits += writeUnits - idle.writeUnits;
    this.#changes.push(...changes.filter((change) => readers.some((reader) => isRead(change, reader))));
  }

  /** Both stream readers receive the changes that pass their filters. */
  async #relay(changes: readonly Change[]): Promise<void> {
    for (const reader of readers) {
      const { name, handler } = reader;
      const wanted = changes.filter((change) => isRead(change, reader));
      if (wanted.length === 0) continue;
      const { batchItemFailures } = await this.#invoke(handler.row, 1, (outside) =>
        handler.with(outside)(streamEvent(wanted, this.#world.clock.nowMs)),
      );
      if (batchItemFailures.length > 0) throw new Error(`${name} failed`, { cause: this.#world.logged.at(-1) });
    }
  }

  async #callback(request: Call): Promise<void> {
    await this.request('callback/smsgate', request);
  }

  async #work(queue: string): Promise<void> {
    const handler = workerOf(queue);
    const event = this.#queues.receive(queue, handler.row.batchSize);
    if (!event) return;
    // One request to receive the batch and one to delete it.
    this.bill.queueRequests += 2;
    const answer = await this.#invoke(handler.row, event.Records.length, (outside) => handler.with(outside)(event));
    const done = doneIn(event, answer);
    if (done.length < event.Records.length) throw new Error(`${queue} failed`, { cause: this.#world.logged.at(-1) });
    this.#queues.delete(queue, done);
  }

  /** Runs a function and bills it. `parallel` is the number of concurrent jobs. */
  async #invoke<Result>(row: Row, parallel: number, run: (outside: WorkerOutside) => Promise<Result>): Promise<Result> {
    const before = {
      queued: this.bill.queueRequests,
      fetched: this.#world.fetched.length,
      posted: this.#world.posted.length,
    };
    let result: Result | undefined;
    const { requests, readUnits, writeUnits, changes } = await meter(this.#world, async () => {
      result = await run(this.#outside());
    });
    if (result === undefined) throw new Error('The function returned no response');
    const waitsMs =
      waitMs(requests) +
      (this.bill.queueRequests - before.queued) * WAIT_MS.queue +
      (this.#world.fetched.length - before.fetched) * WAIT_MS.gateway +
      (this.#world.posted.length - before.posted) * WAIT_MS.webhook;
    this.bill.invocations++;
    this.bill.lambdaGigabyteSeconds += gigabyteSeconds(row, waitsMs, parallel);
    this.bill.readUnits += readUnits;
    this.bill.writeUnits += writeUnits;
    this.#changes.push(...changes.filter((change) => readers.some((reader) => isRead(change, reader))));
    return result;
  }

  /** Each invocation has its own `Outside`, which holds the caches. */
  #outside(): WorkerOutside {
    const send = async (queue: string, jobs: readonly Job[]) => {
      this.bill.queueRequests += Math.ceil(jobs.length / QUEUE_BATCH);
      await this.#queues.send(queue, jobs);
    };
    return { ...this.#world.outside, queues: { ...this.#world.outside.queues, send } };
  }
}

/**
 * Returns a row's byte-months of storage, including index entries and 100 bytes of overhead each. Rows without an
 * expiry are counted for a year.
 */
function keptByteMonths(row: Item, nowMs: number): number {
  const entries = tableSchema.indexes.map(({ partitionKey, sortKey }) =>
    row[partitionKey] === undefined
      ? 0
      : OVERHEAD_BYTES +
        itemBytes({ pk: row.pk, sk: row.sk, [partitionKey]: row[partitionKey], [sortKey]: row[sortKey] }),
  );
  const { expires_at_epoch_seconds: end } = row;
  const days = typeof end === 'number' ? (end - nowMs / 1000) / DAY_SECONDS : 365;
  return entries.reduce((sum, bytes) => sum + bytes, OVERHEAD_BYTES + itemBytes(row)) * (days / MONTH_DAYS);
}

const OVERHEAD_BYTES = 100;
const DAY_SECONDS = 24 * 60 * 60;
const MONTH_DAYS = 365 / 12;

const STREAM_BATCH = 10;
const QUEUE_BATCH = 10;

/** Returns true if the change passes the reader's stream filter. */
function isRead({ before, after }: Change, { handler }: Reader): boolean {
  const eventName = before ? (after ? 'MODIFY' : 'REMOVE') : 'INSERT';
  return isWanted({ eventName, dynamodb: { Keys: { sk: { S: String((after ?? before)?.sk) } } } }, handler.row);
}

/** Billed time of an invocation that processes `parallel` jobs concurrently. */
export function gigabyteSeconds(row: Row, waitsMs: number, parallel = 1): number {
  const { memoryMegabytes } = completeRow(row);
  const workMs = (WORK_MS * processorShare(512)) / processorShare(memoryMegabytes);
  return ((workMs * parallel + waitsMs / parallel) / 1000) * (memoryMegabytes / 1024);
}

/** Total assumed wait for requests to the table. */
export function waitMs(requests: readonly string[]): number {
  return requests.reduce((sum, request) => {
    if (request === 'TransactWriteItems') return sum + WAIT_MS.transaction;
    return sum + (request === 'PutItem' || request === 'UpdateItem' ? WAIT_MS.write : WAIT_MS.read);
  }, 0);
}
