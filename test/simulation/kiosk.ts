import { createHmac } from 'node:crypto';
import type { Context } from 'aws-lambda';
import * as z from 'zod';
import { manifest } from '../../functions/manifest.ts';
import { rights } from '../../functions/rights.ts';
import { handler as housekeeping } from '../../functions/work/housekeeping.ts';
import { createMemoryDynamoDb, type MemoryDynamoDb, type MemoryRequest } from '../../infra/local/memory-dynamodb.ts';
import type { CallInput, Client, RouteName } from '../../infra/local/story/steps.ts';
import { addMerchant } from '../../shared/merchants/merchant/add-merchant.ts';
import { addApiKey } from '../../shared/merchants/merchant/manage-keys.ts';
import type { User } from '../../shared/merchants/user/user.table.ts';
import { Charge } from '../../shared/money/charge/charge.table.ts';
import { expectPings } from '../../shared/phones/gateway/phone.table.ts';
import { addSender } from '../../shared/phones/sender/manage-senders.ts';
import type { Answer } from '../../shared/runtime/http/answer.ts';
import type { LogFields } from '../../shared/runtime/outside/log.ts';
import type { PublicAnswer, PublicPost } from '../../shared/runtime/outside/post-public.ts';
import type { WorkerOutside } from '../../shared/runtime/outside/worker-outside.ts';
import { openTable } from '../../shared/runtime/table/open-table.ts';
import { type Item, putItem } from '../../shared/runtime/table/table.ts';
import { completeRows } from '../../shared/runtime/triggers/complete-row.ts';
import { type CompleteRow, keyKindsOf } from '../../shared/runtime/triggers/row.ts';
import { isWanted } from '../../shared/runtime/triggers/stream.ts';
import { HOUR_MS } from '../../shared/runtime/values/calendar.ts';
import { topUp } from '../../shared/texts/credits/top-up.ts';
import { messageId, partIds } from '../../shared/texts/sms/message-id.ts';
import { setWebhook } from '../support/actions.ts';
import type { Person } from '../support/dashboard.ts';
import { Faults } from '../support/faults.ts';
import { httpFunction } from '../support/functions.ts';
import { notGranted } from '../support/grants.ts';
import { leaks, leaksIn } from '../support/leaks.ts';
import { wirelessClient } from '../support/memory-dynamodb/wireless.ts';
import type { TestBrowser } from '../support/push-service.ts';
import { doneIn, SimulatedQueues, workerOf } from '../support/queues.ts';
import type { CalledByHttp } from '../support/routes.ts';
import { type Reader, readers } from '../support/stream-readers.ts';
import { type Call, type Counted, FORWARDER_KEYS, httpEvent, metricsInto, UNLIMITED } from '../support/world.ts';
import { Violation } from './invariants.ts';
import { type Arrived, SimulatedPhones } from './phones.ts';
import type { Chance } from './random.ts';

export interface Shop {
  readonly id: string;
  readonly liveKey: string;
  readonly smsKey: string;
  /** Keys of the test account. */
  readonly testKey: string;
  readonly smsTestKey: string;
  readonly number: string;
}

/** Promises made to clients by 200 responses. */
export interface Promised {
  readonly messageIds: Set<string>;
  readonly references: Set<string>;
  /** Sends by idempotency key. */
  readonly idsByKey: Map<string, Set<string>>;
}

/** A claim code entered for a charge. */
export interface TypedCode {
  readonly reference: string;
  readonly phone: string;
  readonly code: string;
}

interface ArrivedText {
  readonly message: string;
  readonly sender: string;
  readonly receivedAt?: string | undefined;
}

/** An accepted text, the time of the request, and the number of changes committed before that request. */
interface ThankedText extends ArrivedText {
  readonly device: string;
  readonly postedMs: number;
  readonly records: number;
}

export const DEVICES = ['device-1', 'device-2'] as const;
export const SIGNING_KEY = 'canary-signing-key';
/** Recommended ping interval. */
const PING_MS = 300_000;

interface Signing {
  key: string;
  /** The phone's clock offset in ms. */
  skewMs: number;
  /** The phone's id. It changes when the app is reinstalled. */
  id: string;
  /** Version of the app. Default: current. Old apps name the sender `phoneNumber`. */
  app?: 'old' | 'encrypting';
}
const START_MS = Date.UTC(2026, 0, 5, 8);

/**
 * The whole service in one process, with an in-memory database, queues, phones and a merchant's server. The caller
 * controls the order of everything.
 */
export class Kiosk implements Client {
  readonly chance: Chance;
  readonly memory: MemoryDynamoDb;
  readonly queues: SimulatedQueues;
  readonly phones: SimulatedPhones;
  readonly faults = new Faults();
  readonly promised: Promised = { messageIds: new Set(), references: new Set(), idsByKey: new Map() };
  readonly typedCodes: TypedCode[] = [];
  /** Number of times each verification code was accepted, by id. Repeated responses do not count. */
  readonly verified = new Map<string, number>();
  /** Approved payment destinations: `<shop> <number> <name>`. */
  readonly approved = new Set<string>();
  /** The operator's metrics. */
  readonly counted: Counted = {};
  /** Gauges from the last housekeeping run. */
  readonly measured: Counted = {};
  readonly signing = new Map<string, Signing>(DEVICES.map((id) => [id, { key: SIGNING_KEY, skewMs: 0, id }]));
  readonly pinging = new Set<string>();
  /** Functions with a disabled mapping or rule. */
  readonly stopped = new Set<string>();
  /** Texts from phones that the service accepted. */
  readonly thanked: ThankedText[] = [];
  /** Table requests that the manifest does not allow. */
  readonly denied = new Set<string>();
  /** Requests to merchants' servers. */
  readonly posted: PublicPost[] = [];
  /** Requests to push services. */
  readonly pushed: PublicPost[] = [];
  /** Browsers by push URL. */
  readonly browsers = new Map<string, TestBrowser>();
  readonly listeners = new Map<string, Pick<User, 'merchant_id' | 'user_id'>>();
  readonly shops: Shop[] = [];
  /** The person signed in at the first shop's dashboard. */
  person: Person | undefined;
  nowMs = START_MS;
  /** Returns the merchants' servers' responses. */
  receiver: (request: PublicPost) => PublicAnswer = () => ({ statusCode: 200, headers: {}, text: '' });
  /** True if callbacks, jobs and changes may be repeated or delayed. */
  isUnruly = false;
  readonly outside: WorkerOutside;
  /** Callbacks that phones still have to send. */
  #callbacks: { device: string; body: object; arrived?: ArrivedText | undefined; notBeforeMs?: number | undefined }[] =
    [];
  /** Each reader's position in the stream. */
  #positions: Record<Reader['name'], number> = { 'work/relay': 0, 'work/follow-up': 0 };
  #nextHousekeepingMs = 0;
  #pingedMs = new Map<string, number>();
  #events = 0;
  readonly #rows: ReadonlyMap<string, CompleteRow>;

  constructor(chance: Chance) {
    this.chance = chance;
    this.#rows = new Map(completeRows(manifest, rights));
    const now = () => this.nowMs;
    this.memory = createMemoryDynamoDb({ now, indexLag: 0 });
    this.queues = new SimulatedQueues(now);
    this.phones = new SimulatedPhones(DEVICES, now);
    this.phones.post = (found) => this.#tellOf(found);
    this.memory.onRequest = (request) => {
      this.#checkGrant(request);
      return this.faults.fateOf(request);
    };
    const randomBytes = (length: number) => this.chance.bytes(length);
    const sleep = async () => {};
    const account = {
      url: 'https://gateway.example.com/3rdparty/v1',
      username: 'u',
      password: 'canary-password',
      signing_keys: Object.fromEntries(DEVICES.map((device) => [device, SIGNING_KEY])),
    };
    const log = (event: string, fields?: LogFields) => void leaks.push(...leaksIn(event, fields));
    this.outside = this.faults.around({
      table: openTable(wirelessClient(this.memory), this.memory.tableName, { randomBytes, sleep }),
      now,
      randomBytes,
      sleep,
      baseUrl: 'https://pay.example.com',
      allowsThisMachine: false,
      retentionDays: 400,
      call: async (name) => {
        throw new Error(`Nothing here calls ${name}`);
      },
      log: { info: log, warn: log, error: log },
      metrics: {
        count: (name, n = 1) => {
          metricsInto(this.counted).count(name, n);
          this.measured[name] = n;
        },
      },
      secret: async () =>
        JSON.stringify({ phone: account, forwarder: { ...account, url: '', signing_keys: FORWARDER_KEYS } }),
      queues: this.queues,
      fetch: (input, init) => this.phones.answer(new Request(input, init)),
      postPublic: async (request) => {
        if (request.encoding) {
          this.pushed.push(request);
          return { statusCode: 201, headers: {}, text: '' };
        }
        this.posted.push(request);
        return this.receiver(request);
      },
    });
  }

  /** Creates two shops with keys, credits and a phone number each. The first shop has a webhook. */
  async open(credits: () => number, messages_per_hour = 600): Promise<void> {
    await expectPings(this.outside, 'phone');
    for (const [n, device] of DEVICES.entries()) {
      const place = { gateway: 'phone', device_id: device, sim_number: 1, messages_per_hour };
      const number = `+23324000000${n}`;
      await addSender(this.outside, { number, network: 'MTN', ...place });
      const { merchant_id: id } = await addMerchant(this.outside, {
        name: `Shop ${n}`,
        momo_accounts: [{ number, network: 'MTN', account_name: 'SHOP' }],
      });
      this.approved.add(`${id} ${number} SHOP`);
      await topUp(this.outside, id, credits());
      const liveKey = await addApiKey(this.outside, id, 'live', { requestsPerSecond: UNLIMITED });
      const smsKey = await addApiKey(this.outside, id, 'sms', { requestsPerSecond: UNLIMITED });
      const testKey = await addApiKey(this.outside, id, 'live', { requestsPerSecond: UNLIMITED, mode: 'test' });
      const smsTestKey = await addApiKey(this.outside, id, 'sms', { requestsPerSecond: UNLIMITED, mode: 'test' });
      if (n === 0)
        await setWebhook(this.outside, { merchant_id: id, key_kind: 'live' }, 'https://shop.example.com/hooks');
      this.shops.push({ id, liveKey, smsKey, testKey, smsTestKey, number });
    }
  }

  items(): Item[] {
    return this.memory.items();
  }

  /** Continues from rows alone. Their earlier changes are not relayed again. */
  async goOnAt(rows: readonly Item[], nowMs: number): Promise<void> {
    this.nowMs = nowMs;
    for (const row of rows) await this.outside.table.write([putItem(row)]);
    const end = this.memory.records.length;
    this.#positions = { 'work/relay': end, 'work/follow-up': end };
  }

  /** Copies another kiosk's state, but not its receiver and randomness. */
  goOnFrom(other: Kiosk): void {
    this.memory.reset(other.memory);
    this.queues.goOnFrom(other.queues);
    this.phones.goOnFrom(other.phones);
    const { posted, pushed, browsers, listeners, shops, person, nowMs, isUnruly } = other;
    const shared = {
      posted: [...posted],
      pushed: [...pushed],
      browsers: new Map(browsers),
      listeners: new Map(listeners),
    };
    const copied = structuredClone(pick(other, [...NOTED, 'stopped', 'thanked', 'denied']));
    Object.assign(this, copied, shared, { shops: [...shops], person, nowMs, isUnruly });
    this.#callbacks = [...other.#callbacks];
    this.#positions = { ...other.#positions };
    this.#nextHousekeepingMs = other.#nextHousekeepingMs;
    this.#pingedMs = new Map(other.#pingedMs);
    this.#events = other.#events;
  }

  /** Calls an HTTP function. Returns undefined if the function was killed. */
  request(name: CalledByHttp, call: Call): Promise<Answer | undefined> {
    const handler = httpFunction(name);
    const { method } = { method: undefined, ...handler.row };
    const event = httpEvent({ ...(method && { method }), ...call });
    return this.faults.run(name, () => handler.with(this.instance())(event, CONTEXT));
  }

  /** Returns a call for a story's input. The default key is the first shop's. */
  callOf(name: RouteName, { once, key, ...said }: CallInput): Call {
    const [shop] = this.shops;
    const { row } = httpFunction(name);
    const [kind] = row.on === 'http' ? keyKindsOf(row) : [];
    const own = kind && (kind === 'live' ? shop?.liveKey : shop?.smsKey);
    const headers = { accept: 'application/json', ...(once && { 'idempotency-key': once }) };
    return { ...said, key: key ?? own, headers };
  }

  /** Calls a route and returns its data. @throws the errors of `answered`. */
  async ask(route: RouteName, said: CallInput = {}) {
    return JSON.parse((await this.answered(route, said)).body).data;
  }

  /**
   * Calls a route, and retries after a missing response, a 5xx or a rate limit.
   * @throws Violation if the response has another status.
   */
  async answered(route: RouteName, said: CallInput, statuses: readonly number[] = [200]): Promise<Answer> {
    for (let tries = 0; tries < 20; tries++) {
      const answer = await this.request(route, this.callOf(route, said));
      if (answer && statuses.includes(answer.statusCode)) {
        this.notePromise(route, said, answer);
        return answer;
      }
      if (answer && answer.statusCode < 500 && answer.statusCode !== 429)
        throw new Violation(`${route} answered ${answer.statusCode}: ${answer.body}`);
      this.nowMs += 2_000;
    }
    throw new Violation(`${route} did not answer in 20 tries`);
  }

  /** Records what a 200 response promised to the client. */
  notePromise(route: RouteName, { body }: CallInput, answer: Answer): void {
    if (answer.statusCode !== 200) return;
    const { reference, id, ids } = JSON.parse(answer.body).data;
    const { references, messageIds } = this.promised;
    if (route === 'transaction/initialize' || route === 'sms/buy-credits') references.add(reference);
    if (route === 'sms/send') for (const one of ids) messageIds.add(one);
    if (route === 'verify/start') messageIds.add(id);
    if (route === 'sms/bulk') for (const one of textsOfBulk(id, Object(body).recipients.length)) messageIds.add(one);
  }

  /** Delivers the next changes to each stream reader. */
  async relay(): Promise<void> {
    for (const reader of readers) await this.#read(reader);
  }

  async #read({ name, handler }: Reader): Promise<void> {
    if (this.stopped.has(name)) return;
    const start = this.#positions[name];
    const next = this.memory.records.slice(start, start + 10);
    const Records = next.filter((change) => isWanted(change, handler.row));
    const result = await this.faults.run(name, () => handler.with(this.instance())({ Records }));
    if (!result) return;
    const failed = result.batchItemFailures[0]?.itemIdentifier;
    const stop = next.findIndex(({ dynamodb }) => dynamodb?.SequenceNumber === failed);
    // Another run has processed this batch in the meantime.
    if (this.#positions[name] === start)
      this.#positions[name] += failed === undefined ? next.length : Math.max(0, stop);
  }

  /** Rewinds the stream by `changes`, or to the beginning, as Lambda may do. */
  rewindStream(changes = Infinity): void {
    for (const { name } of readers) this.#positions[name] = Math.max(0, this.#positions[name] - changes);
  }

  /** Number of changes that enabled stream readers still have to process. */
  get unrelayed(): number {
    const reading = readers.filter(({ name }) => !this.stopped.has(name));
    return Math.max(0, ...reading.map(({ name }) => this.memory.records.length - this.#positions[name]));
  }

  /** Processes visible jobs concurrently in random order. Returns false if there were none. */
  async work(): Promise<boolean> {
    const batches = this.queues.names().flatMap((queue) => {
      if (this.stopped.has(`work/${queue}`)) return [];
      const most = this.isUnruly ? this.chance.between(1, 10) : 10;
      const event = this.queues.receive(queue, most, (jobs) =>
        this.isUnruly ? this.chance.shuffled(jobs) : [...jobs],
      );
      return event ? [{ queue, event }] : [];
    });
    await Promise.all(
      batches.map(async ({ queue, event }) => {
        const result = await this.faults.run(`work/${queue}`, () => workerOf(queue).with(this.instance())(event));
        if (!result) return;
        // SQS may deliver a finished job again.
        const done = doneIn(event, result);
        this.queues.delete(queue, this.isUnruly ? done.filter(() => !this.chance.happens(0.1)) : done);
      }),
    );
    return batches.length > 0;
  }

  /** Makes the phones send their texts and report most of them. */
  async phonesWork(outcome: () => 'Sent' | 'Failed' = () => 'Sent'): Promise<void> {
    for (const text of this.phones.work(outcome)) {
      const place = this.memory.items().find(({ pk, sk }) => pk === 'SENDER' && sk === text.to);
      if (text.state === 'Sent' && place) this.arrive(String(place.device_id), text.text, text.to);
      const reports = text.state === 'Sent' ? ['sms:sent', 'sms:delivered', 'sms:delivered'] : ['sms:failed'];
      if (text.state === 'Sent') text.state = 'Delivered';
      for (const event of this.chance.shuffled(reports)) {
        // Housekeeping finds unreported texts.
        if (this.isUnruly && this.chance.happens(0.2)) continue;
        this.#tell(text.device, event, { messageId: text.id, ...(text.error && { reason: text.error }) });
      }
    }
    await this.callBack();
  }

  /** Receives a text on a phone, which forwards it at the next `callBack` unless the text `isLost`. */
  arrive(
    device: string,
    message: string,
    sender = 'MobileMoney',
    isLost = this.phones.deaf.has(device),
    receivedMs = this.nowMs,
  ): void {
    const arrived = { device, message, sender, receivedAt: new Date(receivedMs).toISOString() };
    if (isLost) this.phones.inbox.push(arrived);
    else this.#tellOf(arrived);
  }

  /** Number of callbacks that the phones still have to send. */
  get untold(): number {
    return this.#callbacks.length;
  }

  /** Makes the phones send their callbacks. Rejected ones are kept for a retry. */
  async callBack(): Promise<void> {
    const waiting = this.chance.shuffled(this.#callbacks);
    const isDue = ({ notBeforeMs = 0 }) => notBeforeMs <= this.nowMs;
    this.#callbacks = waiting.filter((told) => !isDue(told));
    for (const told of waiting.filter(isDue)) {
      const postedMs = this.nowMs;
      const answer = await this.post(told.device, told.body);
      const { length: records } = this.memory.records;
      if (answer?.statusCode === 200 && told.arrived) {
        const { device } = told;
        // An updated app finds the old app's texts in its inbox.
        if (this.signing.get(device)?.app === 'encrypting')
          this.phones.inbox.push({ ...told.arrived, device, receivedAt: new Date(this.nowMs).toISOString() });
        else this.thanked.push({ ...told.arrived, device, postedMs, records });
      }
      // A phone waits after a rejection.
      const notBeforeMs = answer?.statusCode === 401 ? this.nowMs + 1_000 : 0;
      const isTold = answer?.statusCode === 200 && !(this.isUnruly && this.chance.happens(0.05));
      if (!isTold) this.#callbacks.push({ ...told, notBeforeMs });
    }
  }

  /** Sends a phone's callback once. */
  post(device: string, event: object): Promise<Answer | undefined> {
    const { key, skewMs, id: deviceId, app } = this.signing.get(device) ?? { key: '', skewMs: 0, id: device };
    const body = JSON.stringify({ ...postedBy(app, event), deviceId });
    const timestamp = String(Math.floor((this.nowMs + skewMs) / 1000));
    const signature = createHmac('sha256', key)
      .update(body + timestamp)
      .digest('hex');
    const headers = { 'x-timestamp': timestamp, 'x-signature': signature };
    return this.request('callback/smsgate', { body, headers, parameters: { gateway: 'phone' } });
  }

  /** Advances the clock, with housekeeping every minute. */
  async wait(ms: number): Promise<void> {
    this.nowMs += ms;
    await this.#ping();
    if (this.nowMs < this.#nextHousekeepingMs || this.stopped.has('work/housekeeping')) return;
    this.#nextHousekeepingMs = this.nowMs + 60_000;
    await this.faults.run('work/housekeeping', () => housekeeping.with(this.instance())());
  }

  /** Processes everything that is due. */
  async goOn(outcome?: () => 'Sent' | 'Failed'): Promise<void> {
    do {
      await this.carryOn();
      await this.phonesWork(outcome);
    } while (this.unrelayed > 0);
  }

  /** Relays changes and runs jobs. */
  async carryOn(): Promise<void> {
    while (this.unrelayed > 0) await this.relay();
    while (await this.work()) while (this.unrelayed > 0) await this.relay();
  }

  /** Time until the next visible job, in ms. At most an hour. */
  get quietMs(): number {
    const next = this.queues.nextAtMs();
    return next === undefined ? HOUR_MS : Math.min(HOUR_MS, Math.max(1_000, next - this.nowMs));
  }

  /** Returns a new or an existing instance of a function. */
  instance(): WorkerOutside {
    return this.chance.happens(0.5) ? this.outside : { ...this.outside };
  }

  /** Sends the online phones' pings. */
  async #ping(): Promise<void> {
    const due = [...this.pinging].filter((device) => {
      return this.phones.on.get(device) && this.nowMs >= (this.#pingedMs.get(device) ?? 0) + PING_MS;
    });
    for (const device of due) {
      this.#pingedMs.set(device, this.nowMs);
      this.#tell(device, 'system:ping', { health: {} });
    }
    if (due.length > 0) await this.callBack();
  }

  #tellOf({ device, message, sender, receivedAt }: Arrived): void {
    const text = { message, sender, receivedAt };
    this.#tell(device, 'sms:received', { ...text, recipient: null, simNumber: 1 }, text);
  }

  #tell(device: string, event: string, payload: object, arrived?: ArrivedText): void {
    this.#callbacks.push({
      device,
      ...(arrived && { arrived }),
      body: { event, id: `event-${this.#events++}`, deviceId: device, payload },
    });
  }

  /** Checks table requests against the manifest, because the databases do not enforce IAM. */
  #checkGrant({ operation, input }: MemoryRequest): void {
    const name = this.faults.running;
    const row = name && this.#rows.get(name);
    if (!name || !row) return;
    for (const what of notGranted(row, operation, input)) this.denied.add(`${name} ${what}`);
  }
}

/** Fields with records that kiosks must not share. */
const NOTED = [
  ...(['promised', 'typedCodes', 'verified', 'approved'] as const),
  ...(['counted', 'measured', 'signing', 'pinging'] as const),
] as const;

function pick<Name extends keyof Kiosk>(kiosk: Kiosk, names: readonly Name[]): Partial<Kiosk> {
  return Object.fromEntries(names.map((name) => [name, kiosk[name]]));
}

export function chargesIn(items: readonly Readonly<Item>[]): Charge[] {
  return items.filter(({ sk }) => sk === 'TRANSACTION').map((item) => Charge.parse(item));
}

const Received = z.looseObject({ payload: z.looseObject({ message: z.string(), sender: z.string() }) });
const ENCRYPTED = '$aes-256-cbc/pbkdf2-sha1$i=300000$c2FsdA==$d29yZHM=';

/** Returns an app's callback for an event. Old apps use another format for received texts. */
function postedBy(app: Signing['app'], event: object): object {
  const { data } = Received.safeParse(event);
  if (!app || !data) return event;
  const { message, sender, ...payload } = data.payload;
  const words = app === 'old' ? { message, phoneNumber: sender } : { message: ENCRYPTED, sender: ENCRYPTED };
  return { ...data, payload: { ...payload, ...words } };
}

/** Returns the ids of a bulk's texts. */
function textsOfBulk(id: string, count: number): string[] {
  const sizes = partIds(id, Math.ceil(count / 50)).map((part, n) => [part, Math.min(50, count - 50 * n)] as const);
  return sizes.flatMap(([part, size]) => Array.from({ length: size }, (_, index) => messageId(part, index)));
}

const CONTEXT = {} as Context;
