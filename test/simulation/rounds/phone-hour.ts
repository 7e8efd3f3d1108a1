import { createCharge } from '../../../infra/local/story/steps.ts';
import { AppQueue, RETRY_BASE_MS } from '../../../infra/phone/outbox.ts';
import { Charge } from '../../../shared/money/charge/charge.table.ts';
import { EVENTS } from '../../../shared/phones/gateway/ask-smsgate.ts';
import { HOUR_MS, MINUTE_MS } from '../../../shared/runtime/values/calendar.ts';
import { messageId } from '../../../shared/texts/sms/message-id.ts';
import { mtn } from '../../support/receipts.ts';
import { DEVICES, Kiosk } from '../kiosk.ts';
import type { Held } from '../phones.ts';
import { type Chance, chanceFrom } from '../random.ts';

/**
 * Simulates an hour of a shop's phone, which receives and sends texts at the maximum rate. Callbacks pass through the
 * app's own queue.
 */

const SECOND_MS = 1_000;

const TEXTS_AN_HOUR = 200;
/** A bulk send that uses the SIM's full rate. */
const BUNDLES = 6;
const TEXTS_A_BUNDLE = 40;
const PAYMENTS_AN_HOUR = 60;
/** Number of payments made once the shop's connection is back. */
const PAYMENTS_AFTERWARDS = 20;
const AFTERWARDS_MS = 2 * MINUTE_MS;
/** Measured round trip from a mobile phone to the service. */
const ROUND_TRIP_MS = 250;
/** The app's connection timeout. */
const NO_CONNECTION_MS = 5 * SECOND_MS;
/** Measured time on AWS from a callback to the paid charge. */
const SERVICE_MS = 500;
const PING_MS = 5 * MINUTE_MS;
/** Texts per pull from the server. */
const TEXTS_PER_PULL = 100;
/** The app sends texts without a pause. Half of them are delivered within 8 seconds. */
const RADIO_MS = 100;
const DELIVERY_MS = 8 * SECOND_MS;
const [DEVICE] = DEVICES;

/**
 * Connection problems: none, offline (the app waits), or no way through (every attempt fails and delays the next one).
 */
export const troubles = ['none', 'offline', 'no way through'] as const;
type Trouble = (typeof troubles)[number];

interface Post {
  readonly event: string;
  readonly payload: object;
  /** The charge paid by the receipt. */
  readonly reference?: string;
  readonly createdMs: number;
  tries: number;
  dueAtEpochMs: number;
}

interface Plan {
  readonly seed: number;
  readonly trouble: Trouble;
  /** The phone's webhook events. */
  readonly events?: readonly string[];
}

export interface PhoneHour {
  readonly trouble: Trouble;
  readonly texts: number;
  /** Time from each payment's text, or from the end of the problem, to the paid charge, in ms. */
  readonly paidMs: readonly number[];
  /** Time from each text's delivery until the merchant saw it, in ms. */
  readonly deliveredMs: readonly number[];
  /** Number of housekeeping runs that reported an online phone as silent. */
  readonly unheard: number;
  /** Maximum number of queued callbacks. */
  readonly longestQueue: number;
}

/** Time limits for a payment's text. After failed attempts, the app itself delays each text. */
const GATES: Readonly<Record<Trouble, { p95Ms: number; mostMs: number }>> = {
  none: { p95Ms: 5 * SECOND_MS, mostMs: MINUTE_MS },
  offline: { p95Ms: MINUTE_MS, mostMs: MINUTE_MS },
  'no way through': { p95Ms: HOUR_MS, mostMs: HOUR_MS },
};

/** Returns unacceptable results. */
export function missesOf({ trouble, paidMs, unheard }: PhoneHour): string[] {
  const { p95Ms, mostMs } = GATES[trouble];
  return [
    ...(quantile(paidMs, 0.95) > p95Ms ? [`95 % of payments after more than ${p95Ms / SECOND_MS} s`] : []),
    ...(quantile(paidMs, 1) > mostMs ? [`a payment after more than ${mostMs / SECOND_MS} s`] : []),
    ...(unheard > 0 ? ['a phone that posts was taken for silent'] : []),
  ];
}

export function sayPhoneHour({ trouble, texts, paidMs, deliveredMs, longestQueue }: PhoneHour): string {
  const seconds = (values: readonly number[]) =>
    [0.5, 0.95, 1].map((share) => (quantile(values, share) / SECOND_MS).toFixed(1)).join(', ');
  return `a phone's hour, ${trouble === 'none' ? 'no trouble' : `an hour ${trouble}`}: ${texts} texts, ${paidMs.length} payments paid after ${seconds(paidMs)} s (half, 95 %, all), at most ${longestQueue} posts waiting; deliveries known after ${seconds(deliveredMs)} s`;
}

function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? Number.POSITIVE_INFINITY;
}

export async function playPhoneHour(plan: Plan): Promise<PhoneHour> {
  const hour = new Hour(plan);
  await hour.open();
  return hour.play();
}

const TROUBLE_STARTS_MS = 5 * MINUTE_MS;
/** Time to wait for late texts. The last ones are late by no more than the length of the problem. */
const END_MS = 10 * MINUTE_MS;
/** Interval between housekeeping runs. */
const LOOK_MS = MINUTE_MS;

class Hour {
  readonly #chance: Chance;
  readonly #kiosk: Kiosk;
  readonly #events: readonly string[];
  readonly #trouble: Trouble;
  readonly #troubleEndsMs: number;
  readonly #queue = new AppQueue<Post>();
  #isPosting = false;
  #agenda: { atMs: number; happens: () => Promise<void> }[] = [];
  #pulled: Held[] = [];
  readonly #known = new Set<string>();
  #isSending = false;
  readonly #cameMs = new Map<string, number>();
  readonly #paidMs = new Map<string, number>();
  readonly #arrivedMs = new Map<string, number>();
  readonly #learntMs = new Map<string, number>();
  #unheard = 0;
  #longestQueue = 0;
  #startMs = 0;

  constructor({ seed, trouble, events = EVENTS }: Plan) {
    this.#chance = chanceFrom(seed);
    this.#kiosk = new Kiosk(this.#chance);
    this.#events = events;
    this.#trouble = trouble;
    this.#troubleEndsMs = trouble === 'none' ? 0 : TROUBLE_STARTS_MS + HOUR_MS;
  }

  async open(): Promise<void> {
    await this.#kiosk.open(() => 1_000, TEXTS_AN_HOUR);
    this.#startMs = this.#kiosk.nowMs;
    // The shop's phone pings through the app's queue.
    for (const device of DEVICES) if (device !== DEVICE) this.#kiosk.pinging.add(device);
  }

  async play(): Promise<PhoneHour> {
    const lastMs = this.#trouble === 'none' ? HOUR_MS : this.#troubleEndsMs + 10 * MINUTE_MS;
    this.#plan(lastMs);
    while (this.#agenda.length > 0) await this.#next();
    const texts = this.#kiosk.phones.held.filter(({ device }) => device === DEVICE);
    return {
      trouble: this.#trouble,
      paidMs: [...this.#cameMs].map(([reference, cameMs]) => {
        const fromMs = Math.max(cameMs, this.#startMs + this.#troubleEndsMs);
        return (this.#paidMs.get(reference) ?? Number.POSITIVE_INFINITY) + SERVICE_MS - fromMs;
      }),
      texts: texts.length,
      deliveredMs: [...this.#arrivedMs]
        .filter(([, ms]) => ms < this.#startMs + lastMs)
        .map(([id, ms]) => (this.#learntMs.get(id) ?? Number.POSITIVE_INFINITY) - ms),
      unheard: this.#unheard,
      longestQueue: this.#longestQueue,
    };
  }

  #plan(lastMs: number): void {
    // The SIM's rate limit spreads this bulk send over the hour.
    const bulkMs = this.#trouble === 'none' ? 0 : TROUBLE_STARTS_MS - 1;
    for (let n = 0; n < BUNDLES; n++) this.#in(bulkMs, () => this.#sendTexts(TEXTS_A_BUNDLE));
    for (let n = 0; n < (PAYMENTS_AN_HOUR * lastMs) / HOUR_MS; n++) {
      this.#in(this.#chance.between(0, lastMs), () => this.#pay(n));
    }
    const endMs = lastMs + END_MS + (this.#trouble === 'no way through' ? this.#troubleEndsMs : 0);
    for (let ms = PING_MS; ms < endMs; ms += PING_MS) {
      this.#in(ms, async () => this.#enqueue({ event: 'system:ping', payload: { health: {} } }));
    }
    for (let ms = 0; ms < endMs; ms += LOOK_MS) this.#in(ms, async () => this.#look());
    if (this.#trouble === 'none') return;
    for (let n = 0; n < PAYMENTS_AFTERWARDS; n++) {
      this.#in(this.#troubleEndsMs + (n * AFTERWARDS_MS) / PAYMENTS_AFTERWARDS, () => this.#pay(PAYMENTS_AN_HOUR + n));
    }
    this.#in(TROUBLE_STARTS_MS, async () => this.#kiosk.phones.switch(DEVICE, false));
    this.#in(this.#troubleEndsMs, async () => {
      this.#kiosk.phones.switch(DEVICE, true);
      this.#pull();
      this.#postNext();
    });
  }

  get #isCut(): boolean {
    return this.#kiosk.phones.on.get(DEVICE) !== true;
  }

  #in(ms: number, happens: () => Promise<void>): void {
    this.#agenda.push({ atMs: this.#kiosk.nowMs + Math.round(ms), happens });
  }

  async #next(): Promise<void> {
    const next = this.#agenda.reduce((soonest, one) => (one.atMs < soonest.atMs ? one : soonest));
    const jobMs = this.#kiosk.queues.nextAtMs() ?? Number.POSITIVE_INFINITY;
    await this.#kiosk.wait(Math.max(0, Math.min(next.atMs, jobMs) - this.#kiosk.nowMs));
    if (next.atMs <= jobMs) {
      this.#agenda.splice(this.#agenda.indexOf(next), 1);
      await next.happens();
    }
    await this.#kiosk.carryOn();
    this.#noteNew();
  }

  async #sendTexts(count: number): Promise<void> {
    const [shop] = this.#kiosk.shops;
    const to = Array.from({ length: count }, () => `05511${String(this.#chance.between(0, 99_999)).padStart(5, '0')}`);
    // One text in three has two parts.
    const message = 'x'.repeat(this.#chance.happens(1 / 3) ? 200 : 100);
    const body = { to, message, from: shop?.number };
    const answer = await this.#kiosk.request('sms/send', { key: shop?.smsKey, body });
    const isRefused = answer?.statusCode === 503 && this.#trouble !== 'none';
    if (answer?.statusCode !== 200 && !isRefused) throw new Error(`The texts were not accepted: ${answer?.body}`);
  }

  async #pay(n: number): Promise<void> {
    const { reference } = await createCharge(this.#kiosk, { amount: 20, description: `Order ${n}` });
    const { text, sender } = mtn({ amount: '20.00', reference });
    const receivedAt = new Date(this.#kiosk.nowMs).toISOString();
    this.#cameMs.set(reference, this.#kiosk.nowMs);
    const payload = { message: text, sender, recipient: null, simNumber: 1, receivedAt };
    this.#enqueue({ event: 'sms:received', payload, reference });
  }

  // ---- callbacks

  #enqueue(what: Pick<Post, 'event' | 'payload' | 'reference'>): void {
    if (!this.#events.includes(what.event)) return;
    const { nowMs } = this.#kiosk;
    this.#queue.add({ ...what, createdMs: nowMs, tries: 0, dueAtEpochMs: nowMs });
    this.#longestQueue = Math.max(this.#longestQueue, this.#queue.posts.length);
    this.#postNext();
  }

  /** Runs the app's worker, which needs a network. */
  #postNext(): void {
    if (this.#isPosting || (this.#isCut && this.#trouble === 'offline')) return;
    this.#isPosting = true;
    this.#postBatch();
  }

  #postBatch(): void {
    const batch = this.#queue.batch(this.#kiosk.nowMs);
    if (this.#queue.posts.length === 0 || (this.#isCut && this.#trouble === 'offline')) this.#isPosting = false;
    else if (batch.length === 0) this.#in(RETRY_BASE_MS, async () => this.#postBatch());
    else this.#postOneOf(batch, 0);
  }

  #postOneOf([post, ...rest]: readonly Post[], taken: number): void {
    if (!post) {
      this.#in(taken > 0 ? 0 : RETRY_BASE_MS, async () => this.#postBatch());
      return;
    }
    this.#in(this.#isCut ? NO_CONNECTION_MS : ROUND_TRIP_MS, async () => {
      const isTaken = !this.#isCut && (await this.#post(post));
      this.#queue.tried(post, isTaken, this.#kiosk.nowMs);
      this.#postOneOf(rest, taken + (isTaken ? 1 : 0));
    });
  }

  async #post({ event, payload, reference, createdMs }: Post): Promise<boolean> {
    const id = `${event}-${createdMs}-${reference ?? JSON.stringify(payload)}`;
    if ((await this.#kiosk.post(DEVICE, { event, id, payload }))?.statusCode !== 200) return false;
    if (reference) {
      await this.#kiosk.carryOn();
      if (this.#isPaid(reference)) this.#paidMs.set(reference, this.#kiosk.nowMs);
    }
    return true;
  }

  #isPaid(reference: string): boolean {
    const row = this.#kiosk.memory
      .items()
      .find(({ pk, sk }) => pk === `TRANSACTION#${reference}` && sk === 'TRANSACTION');
    return Charge.parse(row).state === 'success';
  }

  // ---- sent texts

  /** Notifies the phone of each new text. */
  #noteNew(): void {
    const isNew = this.#kiosk.phones.held.some(({ id, device }) => device === DEVICE && !this.#known.has(id));
    if (isNew) this.#pull();
  }

  /** Pulls at most a hundred texts, newest first. */
  #pull(): void {
    if (this.#isCut) return;
    const waiting = this.#kiosk.phones.held.filter(({ id, device }) => device === DEVICE && !this.#known.has(id));
    const pulled = waiting.toReversed().slice(0, TEXTS_PER_PULL);
    for (const { id } of pulled) this.#known.add(id);
    this.#pulled = [...pulled, ...this.#pulled];
    if (this.#isSending) return;
    this.#isSending = true;
    this.#in(RADIO_MS, async () => this.#sendOne());
  }

  #sendOne(): void {
    const text = this.#pulled.shift();
    this.#isSending = text !== undefined;
    if (!text) return;
    text.state = 'Sent';
    const payload = { messageId: text.id };
    this.#enqueue({ event: 'sms:sent', payload });
    this.#in(DELIVERY_MS, async () => {
      text.state = 'Delivered';
      this.#arrivedMs.set(text.id, this.#kiosk.nowMs);
      for (let part = 0; part < Math.ceil(text.text.length / 160); part++) {
        this.#enqueue({ event: 'sms:delivered', payload });
      }
    });
    this.#in(RADIO_MS, async () => this.#sendOne());
  }

  // ---- results

  #look(): void {
    const { memory, measured, nowMs } = this.#kiosk;
    for (const { sk, state, send_id, index } of memory.items()) {
      if (!String(sk).startsWith('MESSAGE#') || state !== 'delivered') continue;
      const id = messageId(String(send_id), Number(index));
      if (!this.#learntMs.has(id)) this.#learntMs.set(id, nowMs);
    }
    const goodSinceMs = nowMs - this.#startMs - this.#troubleEndsMs;
    if (!this.#isCut && goodSinceMs > 2 * MINUTE_MS && (measured.phones_not_heard ?? 0) > 0) this.#unheard++;
  }
}
