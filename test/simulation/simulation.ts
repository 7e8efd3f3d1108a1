import { AsyncLocalStorage } from 'node:async_hooks';
import { createHmac } from 'node:crypto';
import type { Context } from 'aws-lambda';
import { handler as callback } from '../../functions/callback/smsgate.ts';
import { manifest } from '../../functions/manifest.ts';
import { handler as assign } from '../../functions/receipt/assign.ts';
import { handler as send } from '../../functions/sms/send.ts';
import { handler as initialize } from '../../functions/transaction/initialize.ts';
import { handler as deliverSms } from '../../functions/work/deliver-sms.ts';
import { handler as deliverWebhook } from '../../functions/work/deliver-webhook.ts';
import { handler as housekeeping } from '../../functions/work/housekeeping.ts';
import { handler as relay } from '../../functions/work/relay.ts';
import { handler as settleReceipt } from '../../functions/work/settle-receipt.ts';
import { addApiKey, addMerchant, addSender, setWebhook, topUp } from '../../infra/admin/operations.ts';
import { claimPayment } from '../../shared/receipt/claim-payment.ts';
import type { HttpHandler } from '../../shared/runtime/http.ts';
import type { QueueHandler } from '../../shared/runtime/queue.ts';
import type { Row } from '../../shared/runtime/row.ts';
import { openTable } from '../../shared/runtime/table.ts';
import type { WorkerOutside } from '../../shared/runtime/worker-outside.ts';
import { findTransaction } from '../../shared/transaction/transaction.table.ts';
import { notGranted } from '../support/grants.ts';
import { createMemoryDynamoDb, type Fate, type MemoryRequest, memoryClient } from '../support/memory-dynamodb.ts';
import { type Counted, httpEvent, metricsInto } from '../support/world.ts';
import { checkAlways, checkAtTheEnd } from './invariants.ts';
import { SimulatedPhones } from './phones.ts';
import { SimulatedQueues } from './queues.ts';
import { type Chance, chanceFrom } from './random.ts';

/** One client's request whose outcome counts: what was promised with a 200 must be kept. */
export interface Promised {
  readonly messageIds: Set<string>;
  readonly references: Set<string>;
  /** The sends that were answered under each idempotency key. */
  readonly idsByKey: Map<string, Set<string>>;
}

interface Shop {
  readonly id: string;
  readonly liveKey: string;
  readonly smsKey: string;
  readonly number: string;
}

interface Call {
  readonly key?: string;
  readonly body: object;
  readonly headers?: Record<string, string>;
  readonly parameters?: Record<string, string>;
}

/** A worker or a request that may be stopped dead between any two of its calls to the world. */
interface Life {
  /** The function of the manifest that runs, where it is one. */
  readonly name: string | undefined;
  isDead: boolean;
  readonly die: () => void;
}

const SIGNING_KEY = 'simulated-signing-key';
const DEVICES = ['device-1', 'device-2'];
const NAMES = ['KOFI MENSAH', 'AMA OWUSU', 'YAW ADJEI'];
const AMOUNTS = [10, 10, 36.5];

/**
 * The whole service in one process with everything that can go wrong: answers lost, workers killed, jobs and changes handed
 * out twice and late, phones and gateway away, the clock jumping. All chance comes from the seed.
 */
export class Simulation {
  readonly chance: Chance;
  readonly memory;
  readonly queues: SimulatedQueues;
  readonly phones: SimulatedPhones;
  readonly promised: Promised = { messageIds: new Set(), references: new Set(), idsByKey: new Map() };
  /** What the functions counted for the operator. */
  readonly counted: Counted = {};
  /** What functions asked of the table without a grant in the manifest. */
  readonly denied = new Set<string>();
  nowMs = Date.UTC(2026, 0, 5, 8);
  /** How likely a call to the world goes wrong. */
  faultRate = 0.03;
  readonly #lives = new AsyncLocalStorage<Life>();
  readonly #outside: WorkerOutside;
  readonly #shops: Shop[] = [];
  readonly #keysUsed: { shop: Shop; key: string; body: object }[] = [];
  /** What phones have to tell and have not been thanked for. */
  #callbacks: { device: string; body: object }[] = [];
  #position = 0;
  #nextHousekeepingMs = 0;
  #events = 0;
  #payments: { text: string; device: string }[] = [];
  #receiverDown = false;

  constructor(seed: number) {
    this.chance = chanceFrom(seed);
    const now = () => this.nowMs;
    this.memory = createMemoryDynamoDb({ now, indexLag: 0 });
    this.queues = new SimulatedQueues(now);
    this.phones = new SimulatedPhones(DEVICES, now);
    this.memory.onRequest = ({ operation, input }) => {
      this.#checkGrant(operation, input);
      return this.#fate();
    };
    const randomBytes = (length: number) => this.chance.bytes(length);
    const sleep = async () => {};
    this.#outside = {
      table: openTable(memoryClient(this.memory), this.memory.tableName, { randomBytes, sleep }),
      now,
      randomBytes,
      sleep,
      baseUrl: 'https://pay.example.com',
      webhooksToAnyHost: false,
      log: { info: () => {}, warn: () => {}, error: () => {} },
      metrics: metricsInto(this.counted),
      secret: async () =>
        JSON.stringify({
          phone: {
            url: 'https://gateway.example.com/3rdparty/v1',
            username: 'u',
            password: 'p',
            signing_keys: Object.fromEntries(DEVICES.map((device) => [device, SIGNING_KEY])),
          },
        }),
      queues: {
        send: (queue, jobs) => this.#through(() => this.queues.send(queue, jobs)),
        postpone: (queue, handle, seconds) => this.#through(() => this.queues.postpone(queue, handle, seconds)),
      },
      fetch: (input, init) => this.#through(() => this.phones.answer(new Request(input, init))),
      postPublic: () =>
        this.#through(async () => ({
          statusCode: this.#receiverDown ? 503 : this.chance.pick([200, 200, 200, 500]),
          headers: {},
          text: '',
        })),
    };
  }

  /** Merchants, keys, credits, senders and webhooks, before anything goes wrong. */
  async prepare(): Promise<void> {
    const { faultRate } = this;
    this.faultRate = 0;
    for (const [n, device] of DEVICES.entries()) {
      const place = { gateway: 'phone', device_id: device, sim_number: 1, messages_per_hour: 600 };
      await addSender(this.#outside, { number: `+23324000000${n}`, network: 'MTN', ...place });
      const number = `+23324000000${n}`;
      const { merchant_id: id } = await addMerchant(this.#outside, {
        name: `Shop ${n}`,
        momo_accounts: [{ number, network: 'MTN', account_name: 'SHOP' }],
      });
      await topUp(this.#outside, id, this.chance.between(20, 120));
      const liveKey = await addApiKey(this.#outside, id, 'live');
      const smsKey = await addApiKey(this.#outside, id, 'sms');
      if (n === 0) await setWebhook(this.#outside, id, 'https://shop.example.com/hooks');
      this.#shops.push({ id, liveKey, smsKey, number });
    }
    this.faultRate = faultRate;
  }

  /** One random thing happens; then what must always hold is checked. */
  async step(): Promise<void> {
    const happenings: readonly [number, () => Promise<void>][] = [
      [6, () => this.#send()],
      [3, () => this.#initialize()],
      [3, () => this.#pay()],
      [1, () => this.#reverse()],
      [1, () => this.#claim()],
      [1, () => this.#assign()],
      [1, () => this.#topUp()],
      [6, () => this.#relay()],
      [6, async () => void (await this.#work())],
      [4, () => this.#phonesWork()],
      [2, () => this.#wait(this.chance.between(1, 90_000))],
      [1, () => this.#wait(this.chance.between(60_000, 7_200_000))],
      [1, async () => this.phones.switch(this.chance.pick(DEVICES), this.chance.happens(0.6))],
      [1, () => this.#switchServers()],
      [1, () => this.#moveSender()],
    ];
    const all = happenings.flatMap(([weight, happen]) => Array.from({ length: weight }, () => happen));
    await this.chance.pick(all)();
    checkAlways(this);
  }

  /** The faults end, everything is on again and time passes until nothing is left to do. */
  async settle(): Promise<void> {
    this.faultRate = 0;
    this.phones.isDown = false;
    this.#receiverDown = false;
    for (const device of DEVICES) this.phones.switch(device, true);
    const endMs = this.nowMs + 5 * 24 * 3_600_000;
    while (this.nowMs < endMs) {
      await this.#relayAll();
      while (await this.#work()) await this.#relayAll();
      await this.#phonesWork();
      await this.#relayAll();
      const next = this.queues.nextAtMs();
      // An hour at a time where nothing waits for less: housekeeping runs once in each.
      const waitMs = next === undefined ? 3_600_000 : Math.min(3_600_000, Math.max(1_000, next - this.nowMs));
      await this.#wait(waitMs);
      checkAlways(this);
    }
    checkAtTheEnd(this);
  }

  async #switchServers(): Promise<void> {
    this.phones.isDown = this.chance.happens(0.3);
    this.#receiverDown = this.chance.happens(0.4);
  }

  async #send(): Promise<void> {
    const shop = this.chance.pick(this.#shops);
    const count = this.chance.pick([1, 1, 2, 3, 12, 50]);
    const earlier =
      this.#keysUsed.length > 0 && this.chance.happens(0.2) ? this.chance.pick(this.#keysUsed) : undefined;
    const fresh = {
      shop,
      key: `key-${this.#events++}`,
      body: { to: Array.from({ length: count }, () => '0551112222'), message: 'Hello', from: 'random' },
    };
    const { shop: who, key, body } = earlier ?? fresh;
    const isKeyed = earlier !== undefined || this.chance.happens(0.4);
    if (isKeyed && !earlier) this.#keysUsed.push(fresh);
    const call = { key: who.smsKey, body, ...(isKeyed && { headers: { 'idempotency-key': key } }) };
    const answer = await this.#request('sms/send', send, call);
    if (answer?.statusCode !== 200) return;
    const { ids } = JSON.parse(answer.body).data;
    for (const id of ids) this.promised.messageIds.add(id);
    if (isKeyed) this.promised.idsByKey.set(key, (this.promised.idsByKey.get(key) ?? new Set()).add(ids[0]));
  }

  /** The operator moves a number to another phone. What was tried stays with the phone that it was tried on. */
  async #moveSender(): Promise<void> {
    const place = { gateway: 'phone', device_id: this.chance.pick(DEVICES), sim_number: 1, messages_per_hour: 600 };
    const { number } = this.chance.pick(this.#shops);
    await this.#live(() => addSender(this.#outside, { number, network: 'MTN', ...place }));
  }

  async #initialize(): Promise<void> {
    const shop = this.chance.pick(this.#shops);
    const body = {
      amount: this.chance.pick(AMOUNTS),
      customer_name: this.chance.happens(0.8) ? this.chance.pick(NAMES) : undefined,
    };
    const answer = await this.#request('transaction/initialize', initialize, { key: shop.liveKey, body });
    if (answer?.statusCode === 200) this.promised.references.add(JSON.parse(answer.body).data.reference);
  }

  /** A payment's receipt arrives at a phone: new, or the same text once more. */
  async #pay(): Promise<void> {
    const reference = this.chance.happens(0.5)
      ? this.#anyReference()
      : this.chance.pick(['1', 'shoes', 'MK-0000000000']);
    const amount = this.chance.pick(AMOUNTS).toFixed(2);
    const id = String(50_000_000_000 + this.chance.between(0, 999_999));
    const text = `Payment received for GHS ${amount} from ${this.chance.pick(NAMES)} Current Balance: GHS 1.00 . Available Balance: GHS 1.00. Reference: ${reference}. Transaction ID: ${id}. TRANSACTION FEE: 0.00`;
    const isCopy = this.#payments.length > 0 && this.chance.happens(0.25);
    const payment = isCopy ? this.chance.pick(this.#payments) : { text, device: this.chance.pick(DEVICES) };
    this.#payments.push(payment);
    for (let copies = this.chance.between(1, 3); copies > 0; copies--) this.#arrive(payment.device, payment.text);
    await this.#callBack();
  }

  async #reverse(): Promise<void> {
    if (this.#payments.length === 0) return;
    const { text, device } = this.chance.pick(this.#payments);
    const id = /Transaction ID: (\d{11})/.exec(text)?.[1] ?? '';
    this.#arrive(device, `Transaction ${id} has been reversed.`);
    await this.#callBack();
  }

  async #claim(): Promise<void> {
    const reference = this.#anyReference();
    const payment = this.#payments.length > 0 ? this.chance.pick(this.#payments) : undefined;
    const id = /Transaction ID: (\d{11})/.exec(payment?.text ?? '')?.[1] ?? '51111111111';
    await this.#live(async () => {
      const charge = await findTransaction(this.#outside, reference);
      if (charge) await claimPayment(this.#outside, charge, id);
    }, 'checkout/claim');
  }

  async #assign(): Promise<void> {
    const shop = this.chance.pick(this.#shops);
    const receipts = this.memory.items().filter(({ sk }) => sk === 'RECEIPT');
    if (receipts.length === 0) return;
    const parameters = { id: String(this.chance.pick(receipts).receipt_id) };
    await this.#request('receipt/assign', assign, {
      key: shop.liveKey,
      body: { reference: this.#anyReference() },
      parameters,
    });
  }

  async #topUp(): Promise<void> {
    await this.#live(() => topUp(this.#outside, this.chance.pick(this.#shops).id, this.chance.between(1, 60)));
  }

  /** The next changes reach the relay, now and then some of those before once more. */
  async #relay(): Promise<void> {
    if (this.chance.happens(0.15)) this.#position = Math.max(0, this.#position - this.chance.between(1, 5));
    const wanted = this.memory.records.slice(this.#position, this.#position + 10);
    const only = manifest['work/relay'].only;
    const Records = wanted.filter(({ eventName, dynamodb }) =>
      only.some(
        ({ event, sortKeyPrefixes }) =>
          event === eventName && sortKeyPrefixes.some((start) => dynamodb?.Keys?.sk?.S?.startsWith(start)),
      ),
    );
    const result = await this.#live(() => relay.with(this.#instance())({ Records }), 'work/relay');
    const failed = result?.batchItemFailures[0]?.itemIdentifier;
    if (!result) return;
    const stop = wanted.findIndex(({ dynamodb }) => dynamodb?.SequenceNumber === failed);
    this.#position += failed === undefined ? wanted.length : Math.max(0, stop);
  }

  async #relayAll(): Promise<void> {
    while (this.#position < this.memory.records.length) await this.#relay();
  }

  /** Workers take what is visible, in any order, several at once; false where nothing was. */
  async #work(): Promise<boolean> {
    const batches = this.queues.names().flatMap((queue) => {
      const event = this.queues.receive(queue, this.chance.between(1, 10), (jobs) => this.chance.shuffled(jobs));
      return event ? [{ queue, event }] : [];
    });
    await Promise.all(
      batches.map(async ({ queue, event }) => {
        const result = await this.#live(
          () => WORKERS[queue]?.with(this.#instance())(event) ?? Promise.reject(),
          `work/${queue}`,
        );
        if (!result) return;
        const failed = new Set(result.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
        // A job that is done may be handed out once more: SQS promises at least once.
        const done = event.Records.map(({ messageId }) => messageId).filter((id) => !failed.has(id));
        this.queues.delete(queue, this.faultRate > 0 ? done.filter(() => !this.chance.happens(0.1)) : done);
      }),
    );
    return batches.length > 0;
  }

  async #phonesWork(): Promise<void> {
    const isCalm = this.faultRate === 0;
    for (const text of this.phones.work(() => (this.chance.happens(0.1) ? 'Failed' : 'Sent'))) {
      const reports = text.state === 'Sent' ? ['sms:sent', 'sms:delivered', 'sms:delivered'] : ['sms:failed'];
      if (text.state === 'Sent') text.state = 'Delivered';
      for (const event of this.chance.shuffled(reports)) {
        // A report that never comes is learnt by housekeeping.
        if (!isCalm && this.chance.happens(0.2)) continue;
        const id = `event-${this.#events++}`;
        this.#callbacks.push({
          device: text.device,
          body: { event, id, deviceId: text.device, payload: { messageId: text.id } },
        });
      }
    }
    await this.#callBack();
  }

  #arrive(device: string, message: string): void {
    const receivedAt = new Date(this.nowMs).toISOString();
    const payload = { message, sender: 'MobileMoney', recipient: null, simNumber: 1, receivedAt };
    this.#callbacks.push({
      device,
      body: { event: 'sms:received', id: `event-${this.#events++}`, deviceId: device, payload },
    });
  }

  /** The phones post what they have to tell and keep what was not answered with a 2xx. */
  async #callBack(): Promise<void> {
    const waiting = this.chance.shuffled(this.#callbacks);
    this.#callbacks = [];
    for (const told of waiting) {
      const body = JSON.stringify(told.body);
      const timestamp = String(Math.floor(this.nowMs / 1000));
      const signature = createHmac('sha256', SIGNING_KEY)
        .update(body + timestamp)
        .digest('hex');
      const headers = { 'x-timestamp': timestamp, 'x-signature': signature };
      const event = httpEvent({ body, headers, parameters: { gateway: 'phone' } });
      const answer = await this.#live(() => callback.with(this.#instance())(event, CONTEXT), 'callback/smsgate');
      if (answer?.statusCode !== 200 || (this.faultRate > 0 && this.chance.happens(0.05))) this.#callbacks.push(told);
    }
  }

  async #wait(ms: number): Promise<void> {
    this.nowMs += ms;
    if (this.nowMs < this.#nextHousekeepingMs) return;
    this.#nextHousekeepingMs = this.nowMs + 60_000;
    await this.#live(() => housekeeping.with(this.#instance())(), 'work/housekeeping');
  }

  async #request(name: string, handler: HttpHandler, call: Call) {
    const event = httpEvent({ ...call, body: JSON.stringify(call.body) });
    const answer = await this.#live(() => handler.with(this.#instance())(event, CONTEXT), name);
    // The answer gets lost on its way to the client, who then knows nothing.
    return this.faultRate > 0 && this.chance.happens(0.05) ? undefined : answer;
  }

  #anyReference(): string {
    const { references } = this.promised;
    return references.size > 0 ? this.chance.pick([...references]) : 'MK-0123456789';
  }

  /** A function's instance: the same one goes on with what it remembers, a new one knows nothing. */
  #instance(): WorkerOutside {
    return this.chance.happens(0.5) ? this.#outside : { ...this.#outside };
  }

  /** Runs something that may be stopped dead; undefined where it was, or where it threw. */
  async #live<Result>(run: () => Promise<Result>, name?: string): Promise<Result | undefined> {
    let die = () => {};
    const death = new Promise<undefined>((resolve) => {
      die = () => resolve(undefined);
    });
    const life: Life = { name, isDead: false, die };
    const work = this.#lives.run(life, async () => run().catch(() => undefined));
    return Promise.race([work, death]);
  }

  #fate(): Fate | Promise<Fate> {
    if (this.#isToDie()) return new Promise<Fate>(() => {});
    if (!this.chance.happens(this.faultRate)) return 'pass';
    return this.chance.pick(['lose-request', 'lose-answer', 'throttle', 'conflict', 'internal']);
  }

  /** Neither database knows IAM: whether the manifest allows the function what it asks of the table is checked here. */
  #checkGrant(operation: string, input: MemoryRequest['input']): void {
    const name = this.#lives.getStore()?.name;
    if (!name) return;
    const row = Object.entries<Row>(manifest).find(([of]) => of === name)?.[1];
    if (!row) throw new Error(`The manifest has no ${name}`);
    for (const what of notGranted(row, operation, input)) this.denied.add(`${name} ${what}`);
  }

  /** A call to something else than the table. */
  async #through<Result>(act: () => Promise<Result>): Promise<Result> {
    if (this.#isToDie()) return new Promise<Result>(() => {});
    const isFaulty = this.chance.happens(this.faultRate);
    if (isFaulty && this.chance.happens(0.5)) throw new TypeError('fetch failed');
    const result = await act();
    if (isFaulty) throw new TypeError('fetch failed');
    if (this.#isToDie()) return new Promise<Result>(() => {});
    return result;
  }

  /** Whether whoever calls is stopped dead here, as when Lambda is killed: nothing it does from now on takes effect. */
  #isToDie(): boolean {
    const life = this.#lives.getStore();
    if (!life) return false;
    if (life.isDead) return true;
    if (!this.chance.happens(this.faultRate / 5)) return false;
    life.isDead = true;
    life.die();
    return true;
  }
}

const WORKERS: Readonly<Record<string, QueueHandler>> = {
  'deliver-sms': deliverSms,
  'settle-receipt': settleReceipt,
  'deliver-webhook': deliverWebhook,
};

const CONTEXT = {} as Context;
