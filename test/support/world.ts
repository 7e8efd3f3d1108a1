import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes, randomUUID } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { APIGatewayProxyEventV2, Context, DynamoDBStreamEvent, SQSEvent } from 'aws-lambda';
import { inject } from 'vitest';
import { manifest } from '../../functions/manifest.ts';
import { rights } from '../../functions/rights.ts';
import { createTable } from '../../infra/local/dynamodb.ts';
import { createMemoryDynamoDb, type MemoryDynamoDb } from '../../infra/local/memory-dynamodb.ts';
import { addApiKey } from '../../shared/merchants/merchant/manage-keys.ts';
import { changeMerchant, newMerchant } from '../../shared/merchants/merchant/manage-merchant.ts';
import * as merchants from '../../shared/merchants/merchant/merchant.table.ts';
import { addSender } from '../../shared/phones/sender/manage-senders.ts';
import type { HttpHandler } from '../../shared/runtime/http/http.ts';
import type { LogFields } from '../../shared/runtime/outside/log.ts';
import type { MetricName } from '../../shared/runtime/outside/metric-names.ts';
import type { Metrics } from '../../shared/runtime/outside/metrics.ts';
import { isoOf } from '../../shared/runtime/outside/outside.ts';
import type { PublicAnswer, PublicPost } from '../../shared/runtime/outside/post-public.ts';
import type { Job } from '../../shared/runtime/outside/queues.ts';
import type { WorkerOutside } from '../../shared/runtime/outside/worker-outside.ts';
import type { AdminOutside, Deployment } from '../../shared/runtime/stage/deployment.ts';
import { newDynamoDbClient } from '../../shared/runtime/table/connection.ts';
import { openTable } from '../../shared/runtime/table/open-table.ts';
import type { Item } from '../../shared/runtime/table/table.ts';
import type { CallHandler } from '../../shared/runtime/triggers/call.ts';
import { completeRow } from '../../shared/runtime/triggers/complete-row.ts';
import type { CompleteRow, Rights, Row } from '../../shared/runtime/triggers/row.ts';
import { topUp } from '../../shared/texts/credits/top-up.ts';
import { quietPlace } from './deployment.ts';
import { notGranted } from './grants.ts';
import { leaks, leaksIn } from './leaks.ts';
import { loadFunction } from './load-function.ts';
import { wirelessClient } from './memory-dynamodb/wireless.ts';
import { requireDocumented } from './reference.ts';

/** An isolated test environment with its own table and clock. Records everything that is sent. */
export interface World {
  readonly outside: WorkerOutside;
  /** Milliseconds since 1970. Starts at a fixed time and moves only when a test moves it. */
  readonly clock: { nowMs: number };
  readonly iso: (laterMs?: number) => string;
  /** Names of the DynamoDB commands sent so far: `['GetItem', 'TransactWriteItems']`. */
  readonly requests: string[];
  /** Intercepts each command. Tests can lose a response (throw after `send`) or reject a command. */
  dynamoDb: (request: { command: string; input: object }, send: () => Promise<void>) => Promise<void>;
  /** Delays that the service requested, in ms. Tests do not wait. */
  readonly slept: number[];
  readonly queued: { queue: string; job: Job }[];
  readonly postponed: { queue: string; receiptHandle: string; seconds: number }[];
  readonly logged: { level: string; event: string; fields: LogFields | undefined }[];
  readonly noted: { event: string; fields: LogFields | undefined }[];
  readonly counted: Counted;
  /** The gateway's replaceable response. Requests are recorded in `fetched`. */
  gateway: (request: Request) => Promise<Response>;
  readonly fetched: { url: string; headers: Headers; body: unknown }[];
  /** The webhook receivers' replaceable response. Webhooks are recorded in `posted`. */
  receiver: (request: PublicPost) => Promise<PublicAnswer>;
  readonly posted: PublicPost[];
}

export type Counted = Partial<Record<MetricName, number>>;

export function metricsInto(counted: Counted): Metrics {
  return {
    count: (name, n = 1) => {
      counted[name] = (counted[name] ?? 0) + n;
    },
  };
}

const REACH = { url: 'https://gateway.example.com/3rdparty/v1', username: 'ama', password: 'canary-password' };

/** The phones' signing keys by gateway and device. Device names are unique only within a gateway. */
export const SIGNING_KEYS = {
  phone: { 'device-1': 'canary-key-1', 'device-2': 'canary-key-2', 'device-without-key': '' },
  spare: { 'device-1': 'canary-key-of-another-device-1', 'device-3': 'canary-key-3' },
};

export const FORWARDER_KEYS = { till: 'canary-till-'.padEnd(64, '0'), stall: 'canary-stall-'.padEnd(64, '1') };

/** Initial time of every world's clock: a Wednesday morning, or `WORLD_CLOCK` (for example, midnight on a leap day). */
const begin = () => Date.parse(process.env.WORLD_CLOCK ?? '2026-12-02T09:30:15.250Z');

/** Moves the clock to 12:00 today, outside quiet hours. */
export function goToNoon({ clock }: World): void {
  clock.nowMs = new Date(clock.nowMs).setUTCHours(12, 0, 0, 0);
}

/**
 * Creates a world with its own table, in memory or in DynamoDB Local (`TEST_DYNAMODB=local`). `inMemory` overrides this
 * choice: `false` if another process reads the table, `true` for long stories.
 */
export async function createWorld({ inMemory = process.env.TEST_DYNAMODB !== 'local' } = {}): Promise<World> {
  const clock = { nowMs: begin() };
  const { newClient, tableName, records, memory } = inMemory ? memoryTable(() => clock.nowMs) : await localTable();
  const requests: string[] = [];
  const slept: number[] = [];
  const client = newClient();
  client.middlewareStack.add(
    (next, context) => async (args) => {
      const command = String(context.commandName).replace(/Command$/, '');
      requests.push(command);
      const call = running.getStore();
      call?.denied.push(...notGranted(call.row, command, args.input));
      let answer: Awaited<ReturnType<typeof next>> | undefined;
      // The test's own requests do not belong to this call.
      await running.exit(() =>
        world.dynamoDb({ command, input: args.input }, async () => {
          answer = await next(args);
        }),
      );
      if (!answer) throw new Error(`${command} was neither sent nor refused`);
      return answer;
    },
    { step: 'finalizeRequest' },
  );
  const sleep = async (ms: number) => void slept.push(ms);
  const counted: Counted = {};
  const world: World = {
    clock,
    iso: (laterMs = 0) => isoOf(clock.nowMs + laterMs),
    requests,
    dynamoDb: (_request, send) => send(),
    slept,
    queued: [],
    postponed: [],
    logged: [],
    noted: [],
    counted,
    fetched: [],
    gateway: async () => Response.json({ state: 'Pending' }, { status: 202 }),
    posted: [],
    receiver: async () => ({ statusCode: 200, headers: {}, text: 'ok' }),
    outside: {
      table: openTable(client, tableName, { randomBytes, sleep: (ms) => world.outside.sleep(ms) }),
      now: () => clock.nowMs,
      randomBytes,
      sleep,
      baseUrl: 'https://pay.example.com',
      allowsThisMachine: false,
      retentionDays: 400,
      call: (name, question) => callAt(quietPlace(world), name, question),
      postPublic: (request) => {
        world.posted.push(request);
        return world.receiver(request);
      },
      fetch: async (input, init) => {
        const request = new Request(input, init);
        const text = await request.clone().text();
        world.fetched.push({ url: request.url, headers: request.headers, body: text && JSON.parse(text) });
        return world.gateway(request);
      },
      secret: async () =>
        JSON.stringify({
          phone: { ...REACH, signing_keys: SIGNING_KEYS.phone },
          spare: { ...REACH, signing_keys: SIGNING_KEYS.spare },
          forwarder: { url: '', username: '', password: '', signing_keys: FORWARDER_KEYS },
        }),
      queues: {
        send: async (queue, jobs) => void world.queued.push(...jobs.map((job) => ({ queue, job }))),
        postpone: async (queue, receiptHandle, seconds) => void world.postponed.push({ queue, receiptHandle, seconds }),
      },
      metrics: metricsInto(counted),
      log: {
        info: (event, fields) => log('info', event, fields),
        warn: (event, fields) => log('warn', event, fields),
        error: (event, fields) => log('error', event, fields),
      },
    },
  };
  function log(level: string, event: string, fields?: LogFields) {
    if (level === 'info') world.noted.push({ event, fields });
    else world.logged.push({ level, event, fields });
    leaks.push(...leaksIn(event, fields));
  }
  const undisturbed = newClient();
  databases.set(world, {
    client: DynamoDBDocumentClient.from(undisturbed),
    plain: undisturbed,
    tableName,
    records,
    memory,
  });
  return world;
}

function memoryTable(now: () => number) {
  const memory = createMemoryDynamoDb({ now });
  const { tableName } = memory;
  return { newClient: () => wirelessClient(memory), tableName, records: () => [...memory.records], memory };
}

async function localTable() {
  const endpoint = inject('dynamoDbEndpoint');
  const tableName = `test-${randomUUID()}`;
  await createTable(endpoint, tableName);
  return { newClient: () => newDynamoDbClient(endpoint), tableName, records: () => [], memory: undefined };
}

/** Returns direct access to a world's table, without interception. */
export function databaseOf(world: World): Database {
  const database = databases.get(world);
  if (!database) throw new Error('This world has no table');
  return database;
}

/** The running call's rights and denied requests. */
const running = new AsyncLocalStorage<{ readonly row: CompleteRow; readonly denied: string[] }>();

interface Database {
  readonly client: DynamoDBDocumentClient;
  readonly plain: DynamoDBClient;
  readonly tableName: string;
  /** All stream records so far. Empty with DynamoDB Local. */
  readonly records: () => StreamRecords;
  readonly memory: MemoryDynamoDb | undefined;
}

const databases = new WeakMap<World, Database>();

type AdminWorld = { readonly outside: AdminOutside };

export interface TestMerchant {
  readonly id: string;
  readonly liveKey: string;
  readonly smsKey: string;
  readonly testKey: string;
  readonly smsTestKey: string;
}

/**
 * Creates a merchant with a MoMo number, all live and test keys, and `credits`. Does not assign sending numbers (see
 * `giveSender`).
 */
export async function createMerchant(
  { outside }: AdminWorld,
  { credits = 0, momo = true } = {},
): Promise<TestMerchant> {
  const momo_accounts = momo ? [{ number: '+233241234567', network: 'MTN' as const, account_name: 'AMA STORES' }] : [];
  const merchant = newMerchant(outside, { name: 'Ama Stores', momo_accounts });
  await outside.table.write(merchants.createMerchant(merchant));
  const { merchant_id: id } = merchant;
  if (credits > 0) await topUp(outside, id, credits);
  return {
    id,
    liveKey: await addApiKey(outside, id, 'live', { requestsPerSecond: UNLIMITED }),
    smsKey: await addApiKey(outside, id, 'sms', { requestsPerSecond: UNLIMITED }),
    testKey: await addApiKey(outside, id, 'live', { requestsPerSecond: UNLIMITED, mode: 'test' }),
    smsTestKey: await addApiKey(outside, id, 'sms', { requestsPerSecond: UNLIMITED, mode: 'test' }),
  };
}

/**
 * A rate limit, in requests per second, that no test reaches. The clock stands still, so all of a test's requests
 * coincide.
 */
export const UNLIMITED = 1_000_000;

export async function createSender({ outside }: World, number: string, device = 'device-1'): Promise<void> {
  await addSender(outside, {
    number,
    network: 'MTN',
    gateway: 'phone',
    device_id: device,
    sim_number: 1,
    messages_per_hour: 100_000,
    receives_only: false,
  });
}

export async function setDefaultSender({ outside }: AdminWorld, merchantId: string, number: string): Promise<void> {
  await changeMerchant(outside, merchantId, { default_from: number });
}

export interface Call {
  readonly method?: string;
  readonly path?: string;
  readonly parameters?: Record<string, string>;
  readonly query?: Record<string, string>;
  readonly key?: string;
  readonly headers?: Record<string, string>;
  readonly cookies?: readonly string[];
  readonly body?: unknown;
  /** API Gateway encodes everything except text in base64. */
  readonly isBase64Encoded?: boolean;
  readonly sourceIp?: string;
}

/**
 * Calls an HTTP function as API Gateway does (payload 2.0). `json` is the parsed body, or `{}`; `bytes` is the raw
 * body.
 * @throws if `functions/rights.ts` does not allow a table request, or if the response contradicts the API reference.
 */
export async function call({ outside }: Pick<World, 'outside'>, handler: HttpHandler, request: Call = {}) {
  const { row } = handler;
  const {
    statusCode,
    headers,
    cookies = [],
    body,
    isBase64Encoded,
  } = await asGranted(row, () => handler.with(outside)(httpEvent({ ...addressOf(row, request), ...request }), CONTEXT));
  const isZipped = isBase64Encoded && headers['content-encoding'] === 'gzip';
  const text = isZipped ? gunzipSync(Buffer.from(body, 'base64')).toString() : body;
  const contentType = headers['content-type'] ?? null;
  // A HEAD response equals the GET response without its body.
  if (row.on === 'http' && request.method !== 'HEAD')
    requireDocumented(row.method, row.path, { status: statusCode, contentType, text });
  const isJson = contentType?.startsWith('application/json');
  return {
    status: statusCode,
    headers,
    cookies,
    bytes: Buffer.byteLength(body, isBase64Encoded ? 'base64' : 'utf8'),
    text,
    json: isJson && text ? JSON.parse(text) : {},
  };
}

function addressOf(row: HttpHandler['row'], { parameters = {} }: Call): Pick<Call, 'method' | 'path'> {
  if (row.on !== 'http') return {};
  const path = row.path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent((parameters[name] ?? '').toWellFormed()));
  return { method: row.method, path };
}

/** Calls a worker as Lambda does. @throws like `call`. */
export function callWorker<Event extends unknown[], Result>(
  { outside }: World,
  handler: { readonly row: Row; readonly with: (outside: WorkerOutside) => (...event: Event) => Promise<Result> },
  ...event: Event
): Promise<Result> {
  return asGranted(handler.row, () => handler.with(outside)(...event));
}

/** Calls an internal function with an operations deployment. @throws like `call`. */
export async function callAt(deployment: Deployment, name: string, question: object): Promise<unknown> {
  const handler = await loadFunction<CallHandler>(name);
  const answer = await asGranted(handler.row, () => handler.at(deployment)(JSON.parse(JSON.stringify(question))));
  return JSON.parse(JSON.stringify(answer));
}

const grants: Readonly<Record<string, Rights>> = rights;
const completeByRow: ReadonlyMap<Row, [string, CompleteRow]> = new Map(
  Object.entries<Row>(manifest).map(([name, row]) => [row, [name, completeRow(row, grants[name])]]),
);

/** Runs a function with a row's rights. @throws if the row does not allow a table request. */
export async function asGranted<Result>(row: Row, run: () => Promise<Result>): Promise<Result> {
  const [name, complete = completeRow(row)] = completeByRow.get(row) ?? [];
  const call = { row: complete, denied: [] };
  const result = await running.run(call, run);
  if (call.denied.length > 0) {
    throw new Error(`${name} ${call.denied.join(', ')}`);
  }
  return result;
}

export function httpEvent(request: Call): APIGatewayProxyEventV2 {
  const { method, path = '/', parameters, query, key, headers, cookies, body } = request;
  const { isBase64Encoded = Buffer.isBuffer(body) } = request;
  const { sourceIp = '192.0.2.1' } = request;
  const verb = method ?? (body === undefined ? 'GET' : 'POST');
  const text = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  return {
    version: '2.0',
    routeKey: `${verb} ${path}`,
    rawPath: path,
    rawQueryString: new URLSearchParams(query).toString(),
    ...(cookies && { cookies: [...cookies] }),
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...headers,
    },
    ...(parameters && { pathParameters: parameters }),
    ...(query && { queryStringParameters: query }),
    ...(body !== undefined && { body: isBase64Encoded ? Buffer.from(text).toString('base64') : String(text) }),
    isBase64Encoded,
    requestContext: {
      accountId: '000000000000',
      apiId: 'test',
      domainName: 'pay.example.com',
      domainPrefix: 'pay',
      http: { method: verb, path, protocol: 'HTTP/1.1', sourceIp, userAgent: 'test' },
      requestId: randomUUID(),
      routeKey: `${verb} ${path}`,
      stage: '$default',
      time: '',
      timeEpoch: 0,
    },
  };
}

/**
 * Creates a batch of jobs as Lambda receives it from SQS. Message ids and receipt handles are positions in the batch.
 */
export function queueEvent(bodies: readonly object[], receives = 1): SQSEvent {
  return { Records: bodies.map((body, n) => queueRecord({ id: String(n), body: JSON.stringify(body), receives })) };
}

/** Creates a job as Lambda receives it from SQS. The receipt handle equals the message id. */
export function queueRecord(job: { id: string; body: string; receives: number }): SQSEvent['Records'][number] {
  const { id, body, receives } = job;
  return {
    messageId: id,
    receiptHandle: id,
    body,
    attributes: {
      ApproximateReceiveCount: String(receives),
      SentTimestamp: '0',
      SenderId: '',
      ApproximateFirstReceiveTimestamp: '0',
    },
    messageAttributes: {},
    md5OfBody: '',
    eventSource: 'aws:sqs',
    eventSourceARN: '',
    awsRegion: 'us-east-1',
  };
}

export type StreamRecords = DynamoDBStreamEvent['Records'];

/** Creates a batch of changes as Lambda receives it from the stream. Sequence numbers are positions in the batch. */
export function streamEvent(
  changes: readonly { before?: Item; after?: Item }[],
  atMs = 1_700_000_000_000,
): { Records: StreamRecords } {
  return {
    Records: changes.map(({ before, after }, n) => ({
      eventName: !before ? 'INSERT' : after ? 'MODIFY' : 'REMOVE',
      dynamodb: {
        ApproximateCreationDateTime: atMs / 1000,
        SequenceNumber: String(n),
        Keys: image({ pk: (after ?? before)?.pk, sk: (after ?? before)?.sk }),
        ...(before && { OldImage: image(before) }),
        ...(after && { NewImage: image(after) }),
      },
    })),
  };
}

function image(item: Item) {
  return JSON.parse(JSON.stringify(marshall(item)));
}

const CONTEXT = {} as Context;
