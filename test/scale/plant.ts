import { TransactionCanceledException, TransactionConflictException } from '@aws-sdk/client-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import * as z from 'zod';
import { handler as callback } from '../../functions/callback/smsgate.ts';
import { manifest, queues as queueRules } from '../../functions/manifest.ts';
import { handler as housekeeping } from '../../functions/work/housekeeping.ts';
import { type Settings, settingsFrom } from '../../infra/cdk/settings.ts';
import { Capacity } from '../../infra/local/memory-dynamodb/capacity.ts';
import type { HttpHandler } from '../../shared/runtime/http/http.ts';
import type { WorkerOutside } from '../../shared/runtime/outside/worker-outside.ts';
import { consumerOf } from '../../shared/runtime/triggers/complete-row.ts';
import type { QueueHandler } from '../../shared/runtime/triggers/queue.ts';
import { isWanted } from '../../shared/runtime/triggers/stream.ts';
import { MINUTE_MS } from '../../shared/runtime/values/calendar.ts';
import { WAIT_MS, WORK_MS } from '../bench/story.ts';
import { type Chance, chanceFrom } from '../simulation/random.ts';
import { workers } from '../support/queues.ts';
import { signedCallback } from '../support/receipts.ts';
import { type Reader, readers } from '../support/stream-readers.ts';
import { VirtualTime } from '../support/virtual-time.ts';
import { type Call, createWorld, databaseOf, httpEvent, type World } from '../support/world.ts';
import { Samples } from './samples.ts';
import { SimulatedQueue } from './simulated-queue.ts';

/**
 * The whole service in virtual time with AWS's limits: the real handlers on the in-memory table, with throughput limits
 * per key, transactions that briefly lock their items, the stream's lanes, queues with a limited number of workers, and
 * a limited total number of executions. Waiting times come from `test/bench/story.ts`.
 */

export interface PlantOptions {
  readonly stage?: 'dev' | 'prod';
  /** The account's limit on concurrent Lambda executions, which is ten for a new account. */
  readonly executions?: number;
  /** Number of shards in the table's stream, one per partition. A new on-demand table has four. */
  readonly shards?: number;
  /** Overrides AWS's units per second for a key (`gsi2 DUE#EVENT`). */
  readonly mostOf?: (key: string) => number | undefined;
  readonly coldMs?: number;
  readonly seed?: number;
}

/** Milliseconds for which a transaction locks its items. Other transactions on them are rejected during that time. */
const HELD_MS = 8;
const STREAM_POLL_MS = 100;
const NEXT_TRY_OF_A_BATCH_MS = 500;
/** Maximum pause of the SDK before a retry. */
const SDK_PAUSE_MS = 100;
const PHONE_PAUSE_MS = 10_000;
const PHONE_TRIES = 10;

const Queue = z.enum(['deliver-sms', 'settle-receipt', 'deliver-webhook', 'deliver-push', 'run-follow-up']);
type Queue = z.infer<typeof Queue>;

export class Plant {
  readonly world: World;
  readonly time: VirtualTime;
  readonly samples = new Samples();
  readonly capacity: Capacity;
  readonly chance: Chance;
  receiver: World['receiver'] = async () => ({ statusCode: 200, headers: {}, text: 'ok' });
  onChange: (change: DynamoDBRecord) => void = () => {};
  readonly #executions: number;
  readonly #coldMs: number;
  readonly #queues = new Map<string, SimulatedQueue>();
  readonly #lanes: Lane[];
  readonly #instances = new Map<string, WorkerOutside[]>();
  readonly #held = new Set<string>();
  #busy = 0;
  #running = 0;
  #seen = 0;
  #told = 0;

  static async open(options: PlantOptions = {}): Promise<Plant> {
    return new Plant(await createWorld({ inMemory: true }), options);
  }

  private constructor(
    world: World,
    { stage = 'prod', executions = 1000, shards = 4, mostOf, coldMs = 0, seed = 1 }: PlantOptions,
  ) {
    this.world = world;
    const settings = settingsFrom((name) => (name === 'stage' ? stage : undefined));
    this.#executions = executions;
    this.#coldMs = coldMs;
    this.chance = chanceFrom(seed);
    this.time = new VirtualTime(world.clock, () => this.#busy);
    this.capacity = new Capacity(() => world.clock.nowMs, mostOf);
    this.#lanes = readers.flatMap((reader) =>
      Array.from({ length: shards * settings.streamLanes }, () => ({ ...reader, waiting: [], isBusy: false })),
    );
    for (const [name, handler] of workers)
      this.#queues.set(name, this.#openQueue(Queue.parse(name), handler, settings));
  }

  /** Starts applying limits and delays. Setup before this call takes no time. */
  start(): void {
    const { world, time } = this;
    const memory = requireMemory(world);
    memory.capacity = this.capacity;
    this.#seen = this.#told = memory.records.length;
    world.outside.sleep = (ms) => time.sleep(ms);
    world.dynamoDb = (request, send) => this.#ask(request, send);
    world.outside.queues.send = async (queue, jobs) => {
      await time.sleep(WAIT_MS.queue * Math.ceil(jobs.length / 10));
      this.#queue(queue).send(jobs);
    };
    world.outside.queues.postpone = async (queue, id, seconds) => this.#queue(queue).postpone(id, seconds);
    world.receiver = async (request) => {
      await time.sleep(WAIT_MS.webhook);
      return this.receiver(request);
    };
    const { gateway } = world;
    world.gateway = async (request) => {
      await time.sleep(WAIT_MS.gateway);
      return gateway(request);
    };
    this.#poll();
    this.#keepHouse();
  }

  run(ms: number): Promise<void> {
    return this.time.run(ms);
  }

  /** Sends a client's request through API Gateway once. Returns 429 if there is no free execution. */
  async request(name: string, handler: HttpHandler, request: Call): Promise<{ status: number; data: unknown }> {
    const startedMs = this.time.nowMs;
    const answer = await this.#invoke(name, (outside) => handler.with(outside)(httpEvent(request), {} as never));
    const status = answer?.statusCode ?? 429;
    this.samples.count(`${name}: ${status}`);
    this.samples.time(name, this.time.nowMs - startedMs);
    return { status, data: status === 200 && answer ? Answer.parse(JSON.parse(answer.body)).data : undefined };
  }

  /** Posts a phone's callback repeatedly until it is accepted. */
  async post(event: { deviceId: string; [field: string]: unknown }): Promise<void> {
    for (let tries = 1; tries <= PHONE_TRIES; tries++) {
      const request = signedCallback(this.world, event);
      if ((await this.request('callback/smsgate', callback, request)).status === 200) return;
      await this.time.sleep(PHONE_PAUSE_MS * tries);
    }
    this.samples.count('posts given up');
  }

  #openQueue(name: Queue, handler: QueueHandler, { queueConcurrency }: Settings): SimulatedQueue {
    const { batchSize } = consumerOf(manifest, name);
    const { maxReceiveCount } = queueRules[name];
    const rules = { name, batchSize, concurrency: queueConcurrency[name], maxReceiveCount };
    return new SimulatedQueue(rules, this.time, this.samples, (event) =>
      this.#invoke(`work/${name}`, (outside) => handler.with(outside)(event)),
    );
  }

  #queue(name: string): SimulatedQueue {
    const queue = this.#queues.get(name);
    if (!queue) throw new Error(`There is no queue ${name}`);
    return queue;
  }

  /** Runs a function in a free or new instance. Returns undefined if the account has no free execution. */
  async #invoke<Result>(name: string, work: (outside: WorkerOutside) => Promise<Result>): Promise<Result | undefined> {
    if (this.#running >= this.#executions) {
      this.samples.count(`${name}: no execution free`);
      return undefined;
    }
    this.#running++;
    const free = this.#instances.get(name) ?? [];
    this.#instances.set(name, free);
    const used = free.pop();
    const outside = used ?? { ...this.world.outside };
    try {
      await this.time.sleep(WORK_MS + (used ? 0 : this.#coldMs));
      return await work(outside);
    } finally {
      free.push(outside);
      this.#running--;
      this.#busy++;
    }
  }

  /** Makes one attempt at a table request. */
  async #ask({ command, input }: { command: string; input: unknown }, send: () => Promise<void>): Promise<void> {
    this.#busy++;
    try {
      if (command === 'TransactWriteItems') return await this.#askTogether(input, send);
      const isWrite = command.endsWith('Item') && command !== 'GetItem' && command !== 'BatchGetItem';
      await this.time.sleep(isWrite ? WAIT_MS.write : WAIT_MS.read);
      const items = isWrite ? itemsOf(input) : [];
      if (items.some((item) => this.#held.has(item))) {
        this.#billConflict(items, 1);
        throw new TransactionConflictException({ message: 'Transaction is ongoing for the item', $metadata: {} });
      }
      await send();
    } catch (error) {
      // The SDK retries after a random pause.
      if (isThrottle(error)) {
        this.samples.count('throttled');
        await this.time.sleep(this.chance.next() * SDK_PAUSE_MS);
      }
      throw error;
    } finally {
      this.#tell();
      this.#busy++;
    }
  }

  #tell(): void {
    const { records } = requireMemory(this.world);
    for (; this.#told < records.length; this.#told++) {
      const change = records[this.#told];
      if (change) this.onChange(change);
    }
  }

  async #askTogether(input: unknown, send: () => Promise<void>): Promise<void> {
    const items = itemsOf(input);
    await this.time.sleep(WAIT_MS.transaction - HELD_MS);
    const isHeld = items.map((item) => this.#held.has(item));
    if (isHeld.includes(true)) {
      this.#billConflict(items, 2);
      throw new TransactionCanceledException({
        message: 'Transaction cancelled',
        $metadata: {},
        CancellationReasons: isHeld.map((held) => ({ Code: held ? 'TransactionConflict' : 'None' })),
      });
    }
    for (const item of items) this.#held.add(item);
    try {
      await this.time.sleep(HELD_MS);
      await send();
    } finally {
      for (const item of items) this.#held.delete(item);
    }
  }

  /** Rejected requests are billed too, here as items of one KB. */
  #billConflict(items: readonly string[], units: number): void {
    this.samples.count('conflicts');
    this.capacity.bill(items.map((item) => ({ key: `table ${item.split(' ')[0]}`, kind: 'write', units })));
  }

  #poll(): void {
    const { records } = requireMemory(this.world);
    for (; this.#seen < records.length; this.#seen++) {
      const change = records[this.#seen];
      if (!change) break;
      for (const { name, handler } of readers) {
        if (!isWanted(change, handler.row)) continue;
        this.#laneOf(name, String(change.dynamodb?.Keys?.pk?.S)).waiting.push({ change, atMs: this.time.nowMs });
      }
    }
    for (const lane of this.#lanes) if (!lane.isBusy && lane.waiting.length > 0) void this.#carry(lane);
    this.time.after(STREAM_POLL_MS, () => this.#poll());
  }

  #laneOf(reader: string, partition: string): Lane {
    const lanes = this.#lanes.filter(({ name }) => name === reader);
    const lane = lanes[hashOf(partition) % lanes.length];
    if (!lane) throw new Error('There are no lanes');
    return lane;
  }

  async #carry(lane: Lane): Promise<void> {
    lane.isBusy = true;
    while (lane.waiting.length > 0) {
      const batch = lane.waiting.slice(0, lane.handler.row.batchSize);
      const answer = await this.#invoke(lane.name, async (outside) => {
        try {
          return await lane.handler.with(outside)({ Records: batch.map(({ change }) => change) });
        } catch {
          // After a failed invocation, Lambda halves the batch until it has isolated the failure.
          return { batchItemFailures: [{ itemIdentifier: String(batch[0]?.change.dynamodb?.SequenceNumber) }] };
        }
      });
      const failed = answer ? answer.batchItemFailures[0]?.itemIdentifier : batch[0]?.change.dynamodb?.SequenceNumber;
      const carried = batch.findIndex(({ change }) => change.dynamodb?.SequenceNumber === failed);
      for (const { atMs } of lane.waiting.splice(0, carried < 0 ? batch.length : carried))
        this.samples.time(`${lane.name}: done after`, this.time.nowMs - atMs);
      if (failed === undefined) continue;
      this.samples.count(`${lane.name}: batches that failed`);
      await this.time.sleep(NEXT_TRY_OF_A_BATCH_MS);
    }
    lane.isBusy = false;
  }

  #keepHouse(): void {
    this.time.after(MINUTE_MS, () => {
      const startedMs = this.time.nowMs;
      void this.#invoke('work/housekeeping', (outside) => housekeeping.with(outside)()).then(() =>
        this.samples.time('housekeeping', this.time.nowMs - startedMs),
      );
      this.#keepHouse();
    });
  }
}

interface Lane {
  readonly name: Reader['name'];
  readonly handler: Reader['handler'];
  readonly waiting: { readonly change: DynamoDBRecord; readonly atMs: number }[];
  isBusy: boolean;
}

const Answer = z.object({ data: z.unknown() });

function requireMemory(world: World) {
  const { memory } = databaseOf(world);
  if (!memory) throw new Error('The plant is for the table in memory');
  return memory;
}

const Text = z.object({ S: z.string() });
const Key = z.object({ pk: Text, sk: Text });
const Leg = z.record(z.string(), z.object({ Key: Key.optional(), Item: Key.optional() }));
const Request = z.object({ Key: Key.optional(), Item: Key.optional(), TransactItems: z.array(Leg).optional() });

function itemsOf(input: unknown): string[] {
  const { TransactItems, ...one } = Request.parse(input);
  const places = TransactItems ? TransactItems.flatMap((leg) => Object.values(leg)) : [one];
  return places.flatMap(({ Key, Item }) => {
    const key = Key ?? Item;
    return key ? [`${key.pk.S} ${key.sk.S}`] : [];
  });
}

function isThrottle(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof TransactionCanceledException)
    return error.CancellationReasons?.some(({ Code }) => Code === 'ThrottlingError') ?? false;
  return error.name === 'ProvisionedThroughputExceededException';
}

/** FNV-1a hash. The stream keeps a partition's changes in one shard and therefore in one lane. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  hash ^= hash >>> 15;
  return Math.imul(hash, 0x85ebca77) >>> 0;
}
