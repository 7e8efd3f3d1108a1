import { expect } from 'vitest';
import * as z from 'zod';
import { handler as request } from '../../functions/request/create.ts';
import { handler as bulk } from '../../functions/sms/bulk.ts';
import { handler as send } from '../../functions/sms/send.ts';
import { handler as housekeeping } from '../../functions/work/housekeeping.ts';
import { ReceivedEvent } from '../../shared/phones/gateway/callback.ts';
import { keepPhoneEvent, type PhoneEventJob } from '../../shared/phones/gateway/phone-event.table.ts';
import { addSender } from '../../shared/phones/sender/manage-senders.ts';
import { HOUR_MS, MINUTE_MS } from '../../shared/runtime/values/calendar.ts';
import { createWebhookEvent } from '../../shared/webhook/event.table.ts';
import { newWebhookEvent } from '../../shared/webhook/event.ts';
import { reportFigure } from '../support/figures.ts';
import { liveHolder } from '../support/holders.ts';
import { charge, createShop, mtn, receivedEvent, type Shop } from '../support/receipts.ts';
import { rotatingTest } from '../support/rotating-test.ts';
import { sendsOf } from '../support/rows.ts';
import { type BookedText, provenBook } from '../support/wallet-book.ts';
import { setWebhook } from '../support/webhooks.ts';
import { call, callWorker, createMerchant, createWorld, type TestMerchant, type World } from '../support/world.ts';
import { chanceFrom } from './random.ts';
import { TimedWork } from './timed-work.ts';

const test = rotatingTest(6);

/**
 * Each story runs with and without a greedy merchant. The other nine merchants' p99 waiting time may grow by at most
 * half. `npm run prove -- quick` runs one of the six stories.
 */

const MODEST = 9;
const MOST = 1.5;
const SECOND_MS = 1000;

test('texts wait at most 1.5 times as long on a busy SIM', async () => {
  compare('texts', await waitsForTexts(nothing), await waitsForTexts(manySends));
});

test('texts wait at most 1.5 times as long while a large send is under way', async () => {
  compare('texts beside a bulk send', await waitsForTexts(nothing), await waitsForTexts(oneBulk));
});

test('texts wait at most 1.5 times as long while many reminders are being sent', async () => {
  compare('texts beside reminders', await waitsForTexts(nothing), await waitsForTexts(manyReminders));
});

test('webhooks wait at most 1.5 times as long while another server is down', async () => {
  const alone = await waitsForWebhooks({ greedy: 0 });
  const beside = await waitsForWebhooks({ greedy: 600 });
  compare('webhooks, first tries', alone.first, beside.first);
  compare('webhooks, tries after half an hour', alone.retries, beside.retries);
});

test('receipts wait at most 1.5 times as long while another phone has a backlog', async () => {
  compare('receipts', await waitsForReceipts({ greedy: 0 }), await waitsForReceipts({ greedy: 1_000 }));
});

test('receipts wait at most 1.5 times as long while another wallet gets forged texts', async () => {
  compare('proven receipts', await waitsForProven({ forged: 0 }), await waitsForProven({ forged: 1_200 }));
});

/** Makes a merchant request hundreds of texts. Returns their number. */
type Greed = (world: World, glutton: TestMerchant) => Promise<number>;

const nothing: Greed = async () => 0;

const GREEDY_TEXTS = 400;
const customers = (count: number) => Array.from({ length: count }, (_, n) => `+23355112${String(n).padStart(4, '0')}`);

const manySends: Greed = async (world, { smsKey }) => {
  const ask = () => call(world, send, { key: smsKey, body: { to: customers(50), message: 'Hello' } });
  for (let n = 0; n < GREEDY_TEXTS / 50; n++) expect((await ask()).status).toBe(200);
  return GREEDY_TEXTS;
};

const oneBulk: Greed = async (world, { smsKey }) => {
  const recipients = customers(GREEDY_TEXTS).map((to, n) => ({ to, n: `${n}` }));
  const { status } = await call(world, bulk, { key: smsKey, body: { message: 'Hello {n}', recipients } });
  expect(status).toBe(200);
  return GREEDY_TEXTS;
};

const manyReminders: Greed = async (world, { liveKey }) => {
  const due = world.iso().slice(0, 10);
  world.clock.nowMs -= 24 * HOUR_MS;
  for (const customer_phone of customers(GREEDY_TEXTS)) {
    const body = { title: 'Rent', lines: [{ description: 'Rent', amount: 500 }], customer_phone, due, reminders: [0] };
    expect((await call(world, request, { key: liveKey, body })).status).toBe(200);
  }
  world.clock.nowMs += 24 * HOUR_MS;
  await callWorker(world, housekeeping);
  return GREEDY_TEXTS;
};

/** Later than the hours in which reminders are sent. */
const NOON = Date.parse('2027-02-01T12:00:00Z');

/** Returns the waiting times of the other merchants' texts in ms. */
async function waitsForTexts(greed: Greed): Promise<number[]> {
  const world = await createWorld({ inMemory: true });
  world.clock.nowMs = NOON;
  const work = new TimedWork(world);
  const place = { gateway: 'phone', device_id: 'device-1', sim_number: 1, messages_per_hour: 200 };
  await addSender(world.outside, { number: '+233241234567', network: 'MTN', ...place });
  const acceptedMs = new Map<string, number>();
  const waits: number[] = [];
  let leftOfGreedy = 0;
  world.gateway = async (request) => {
    const { id } = z.object({ id: z.string() }).parse(await request.json());
    const ms = acceptedMs.get(id);
    if (ms === undefined) leftOfGreedy += 1;
    else waits.push(world.clock.nowMs - ms);
    return Response.json({ state: 'Pending' }, { status: 202 });
  };
  const text = async (merchant: TestMerchant, count: number) => {
    const body = { to: Array.from({ length: count }, (_, n) => `05511122${n + 10}`), message: 'Hello' };
    const { json } = await call(world, send, { key: merchant.smsKey, body });
    for (const id of json.data.ids) acceptedMs.set(id, world.clock.nowMs);
    const jobs = body.to.map((_, index) => ({ body: { send_id: json.data.id, index }, group: merchant.id }));
    await world.outside.queues.send('deliver-sms', jobs);
  };
  const glutton = await createMerchant(world, { credits: 100_000 });
  const greedy = await greed(world, glutton);
  const asked = z
    .array(z.object({ send_id: z.string(), to: z.array(z.string()) }))
    .parse(await sendsOf(world, glutton));
  const jobs = asked.flatMap(({ send_id, to }) =>
    to.map((_, index) => ({ body: { send_id, index }, group: glutton.id })),
  );
  expect(jobs).toHaveLength(greedy);
  await world.outside.queues.send('deliver-sms', jobs);
  const chance = chanceFrom(7);
  for (const merchant of await nine(world)) {
    // Each of the nine merchants texts sixteen numbers an hour, which uses 144 of the SIM's 200 texts.
    everyNowAndThen(chance, 3 * HOUR_MS, HOUR_MS / 8, (ms) => {
      const count = chance.between(1, 3);
      work.after(10 * MINUTE_MS + ms, () => void text(merchant, count));
    });
  }
  await work.run(4 * HOUR_MS);
  expect(waits).toHaveLength(acceptedMs.size);
  // The greedy merchant gets the SIM's remaining capacity.
  expect(leftOfGreedy).toBeGreaterThanOrEqual(Math.min(greedy, 200));
  return waits;
}

/** Returns the delays of the other merchants' webhooks in ms. */
async function waitsForWebhooks({ greedy }: { greedy: number }): Promise<{ first: number[]; retries: number[] }> {
  const world = await createWorld({ inMemory: true });
  const work = new TimedWork(world);
  // Removes the random part of retry delays.
  const { randomBytes } = world.outside;
  world.outside.randomBytes = (length) => (length === 1 ? Buffer.alloc(1) : randomBytes(length));
  const dueMs = new Map<string, number>();
  const tries = new Map<string, number>();
  const [first, retries]: [number[], number[]] = [[], []];
  world.receiver = async ({ url, headers }) => {
    if (url.includes('greedy')) {
      await work.sleep(15 * SECOND_MS);
      throw new Error('Timed out after 15 s');
    }
    const id = headers['webhook-id'] ?? '';
    const n = (tries.get(id) ?? 0) + 1;
    tries.set(id, n);
    const late = world.clock.nowMs - (dueMs.get(id) ?? Number.NaN);
    if (n === 1) first.push(late);
    if (n === 4) retries.push(late);
    await work.sleep(100);
    const isAway = flaky.has(id) && n < 4;
    // Retry delays: five seconds, five minutes and half an hour.
    dueMs.set(id, world.clock.nowMs - 100 + ([5, 300, 1800][n - 1] ?? 0) * SECOND_MS);
    return { statusCode: isAway ? 503 : 200, headers: {}, text: '' };
  };
  const flaky = new Set<string>();
  let made = 0;
  const tell = async (merchant: TestMerchant, isFlaky: boolean) => {
    const at = world.iso();
    const event = newWebhookEvent(liveHolder(merchant.id), 'charge.success', { cause: `${made++}`, at, data: {} });
    dueMs.set(event.event_id, world.clock.nowMs);
    if (isFlaky) flaky.add(event.event_id);
    await world.outside.table.write([createWebhookEvent(event)]);
    const body = { event_id: event.event_id, tries: 0 };
    await world.outside.queues.send('deliver-webhook', [{ body, group: merchant.id }]);
  };
  const glutton = await createMerchant(world);
  await setWebhook(world, glutton, 'https://greedy.example.com/hooks');
  for (let n = 0; n < greedy; n++) work.after(n, () => void tell(glutton, false));
  const chance = chanceFrom(7);
  for (const merchant of await nine(world)) {
    await setWebhook(world, merchant);
    everyNowAndThen(chance, HOUR_MS, 20 * SECOND_MS, (ms) => {
      const isFlaky = chance.happens(0.15);
      work.after(ms, () => void tell(merchant, isFlaky));
    });
  }
  await work.run(1.7 * HOUR_MS, { housekeeping: true });
  return { first, retries };
}

/** Returns the times until the other merchants' receipts were evaluated, in ms. */
async function waitsForReceipts({ greedy }: { greedy: number }): Promise<number[]> {
  const world = await createWorld({ inMemory: true });
  const work = new TimedWork(world);
  const arrivedMs = new Map<string, number>();
  const waits: number[] = [];
  const receive = async (device: string, number: string, isModest: boolean) => {
    const { sender, text, id } = mtn({ reference: 'shoes' });
    const event = ReceivedEvent.parse(receivedEvent(world, { sender, text, device, recipient: number, eventId: id }));
    const job: PhoneEventJob = { gateway: 'phone', device_id: device, event_id: id };
    await keepPhoneEvent(world.outside, 'phone', event);
    if (isModest) arrivedMs.set(id, world.clock.nowMs);
    await world.outside.queues.send('settle-receipt', [{ body: job, group: 'phone' }]);
  };
  world.dynamoDb = async ({ command, input }, sendOn) => {
    await sendOn();
    if (command !== 'TransactWriteItems' && command !== 'PutItem') return;
    for (const [id, ms] of arrivedMs) {
      if (!JSON.stringify(input).includes(id) || !JSON.stringify(input).includes('RECEIPT#')) continue;
      arrivedMs.delete(id);
      waits.push(world.clock.nowMs - ms);
    }
  };
  const glutton = await createShop(world);
  for (let n = 0; n < greedy; n++) work.after(MINUTE_MS, () => void receive('device-1', glutton.number, false));
  const chance = chanceFrom(7);
  for (let n = 0; n < MODEST; n++) {
    const shop = await createShop(world);
    everyNowAndThen(chance, 5 * MINUTE_MS, 5 * SECOND_MS, (ms) =>
      work.after(ms, () => void receive('device-2', shop.number, true)),
    );
  }
  await work.run(6 * MINUTE_MS);
  expect(arrivedMs.size).toBe(0);
  return waits;
}

/** Returns how long the other merchants' charges took to be paid, in ms, while another wallet's balance is guessed. */
async function waitsForProven({ forged }: { forged: number }): Promise<number[]> {
  const world = await createWorld({ inMemory: true });
  const open = async () => {
    const shop = await createShop(world);
    return { shop, book: await provenBook(world, shop) };
  };
  const victim = await open();
  const modest = [];
  for (let n = 0; n < MODEST; n++) modest.push(await open());

  const work = new TimedWork(world);
  world.outside.sleep = (ms) => work.sleep(ms);
  const arrivedMs = new Map<string, number>();
  const waits: number[] = [];
  // Each request and each listed row takes time.
  world.dynamoDb = async ({ input }, sendOn) => {
    await sendOn();
    const written = JSON.stringify(input);
    for (const [id, ms] of written.includes('"matched"') ? arrivedMs : []) {
      if (!written.includes(id)) continue;
      arrivedMs.delete(id);
      waits.push(world.clock.nowMs - ms);
    }
    await work.sleep(ASKED_MS);
  };
  const list = world.outside.table.list;
  world.outside.table.list = async (partition, range) => {
    const items = await list(partition, range);
    await work.sleep(items.length * LISTED_MS);
    return items;
  };
  const receive = async ({ number }: Shop, { sender, text, id }: BookedText) => {
    const event = ReceivedEvent.parse(receivedEvent(world, { sender, text, recipient: number, eventId: id }));
    await keepPhoneEvent(world.outside, 'phone', event);
    const job: PhoneEventJob = { gateway: 'phone', device_id: 'device-1', event_id: id };
    await world.outside.queues.send('settle-receipt', [{ body: job, group: 'phone' }]);
  };
  const chance = chanceFrom(7);
  const moments = new Set<number>();
  for (const { shop, book } of modest) {
    // Simultaneous payments would delay each other.
    for (let ms = chance.between(0, 30 * SECOND_MS); ms < 10 * MINUTE_MS; ms += 30 * SECOND_MS) {
      const pay = async () => {
        const text = book.paid(25, { reference: await charge(world, shop, { amount: 25 }) });
        arrivedMs.set(text.id, world.clock.nowMs);
        await receive(shop, text);
      };
      moments.add(ms);
      work.after(ms, () => void pay());
    }
  }
  for (let n = 0; n < forged; n++) {
    const text = () => victim.book.receipt(chance.between(1, 5_000), { balance: chance.between(500_000, 900_000) });
    const ms = MINUTE_MS + Math.round((n * 0.5 * MINUTE_MS) / forged);
    // A network assigns each id only once.
    if (![...moments].some((other) => Math.abs(other - ms) < 20))
      work.after(ms, () => void receive(victim.shop, text()));
  }
  await work.run(12 * MINUTE_MS, { housekeeping: true });
  expect(arrivedMs.size).toBe(0);
  return waits;
}

/** Approximate duration of a table request and of each listed row, in ms. */
const ASKED_MS = 5;
const LISTED_MS = 0.5;

function nine(world: World): Promise<TestMerchant[]> {
  return Promise.all(Array.from({ length: MODEST }, () => createMerchant(world, { credits: 10_000 })));
}

/** Calls `act` at random times with this average interval. */
function everyNowAndThen(
  chance: ReturnType<typeof chanceFrom>,
  untilMs: number,
  meanMs: number,
  act: (ms: number) => void,
): void {
  const wait = () => -Math.log(1 - chance.next()) * meanMs;
  for (let ms = wait(); ms < untilMs; ms += wait()) act(ms);
}

function compare(what: string, alone: readonly number[], beside: readonly number[]): void {
  expect(beside).toHaveLength(alone.length);
  const [without, withGreedy] = [p99(alone), p99(beside)];
  const worst = Math.max(...beside);
  const said = `p99 of ${alone.length}: alone ${seconds(without)}, beside a greedy merchant ${seconds(withGreedy)}`;
  reportFigure(
    `fairness, ${what}: ${said} (${(withGreedy / without).toFixed(2)} ×, at most ${MOST}), worst ${seconds(worst)}`,
  );
  expect(withGreedy).toBeLessThanOrEqual(MOST * without);
}

function p99(waits: readonly number[]): number {
  return [...waits].sort((a, b) => a - b)[Math.ceil(0.99 * waits.length) - 1] ?? Number.NaN;
}

function seconds(ms: number): string {
  return `${(ms / SECOND_MS).toFixed(2)} s`;
}
