import { beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { cancelWaiting, countOthersWaiting } from '../../../shared/texts/sms/waiting-texts.ts';
import { TimedWork } from '../../simulation/timed-work.ts';
import { type Merchant, type Scene, scene } from '../../support/scene.ts';

const [FIRST, SECOND] = ['+233241234567', '+233201234567'] as const;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const SUSPENDED = { state: 'failed', failure_reason: 'Its merchant was suspended when it was to leave' };

let world: Scene;
let merchant: Merchant;
let other: Merchant;
let work: TimedWork;
/** What the gateway was given, and for which phone. */
let given: { id: string; deviceId: string }[];
const Given = z.object({ id: z.string(), deviceId: z.string(), phoneNumbers: z.array(z.string()) });

beforeEach(async () => {
  world = await scene({ inMemory: true });
  await addPlaced(FIRST, 'device-1');
  merchant = await world.createMerchant({ credits: 1_000 });
  other = await world.createMerchant({ credits: 1_000 });
  work = new TimedWork(world);
  given = [];
  world.gateway = async (request) => {
    if (request.method === 'POST' && request.url.includes('/messages')) {
      const { phoneNumbers, ...text } = Given.parse(await request.json());
      // In the morning the phones text each other, to see that they hear.
      if (!phoneNumbers.some((to) => to === FIRST || to === SECOND)) given.push(text);
    }
    const lastSeen = world.iso();
    const devices = ['device-1', 'device-2'].map((id) => ({ id, lastSeen, simCards: [{ simNumber: 1 }] }));
    if (request.url.endsWith('/devices')) return Response.json(devices);
    return Response.json(request.method === 'POST' ? {} : [], { status: request.method === 'POST' ? 202 : 200 });
  };
});

describe('texts of a merchant that is suspended', () => {
  test('fail when they fall due, each refunded once, and what falls due afterwards leaves', async () => {
    const late = await accepted({ to: numbers(20), send_at: inDays(29) });
    const later = await accepted({ to: numbers(2), send_at: inDays(30) });
    await merchant.suspend();
    await goOn(29);
    expect(given).toEqual([]);
    for (const index of late.keys()) expect(await world.messageRow(late[0] ?? '', index)).toMatchObject(SUSPENDED);
    expect(await merchant.balance()).toBe(998);
    await merchant.suspend(false);
    await goOn(1);
    expect(given.map(({ id }) => id).toSorted()).toEqual(later.toSorted());
    expect(await merchant.balance()).toBe(998);
  });

  test('fail in test mode as they would live', async () => {
    const body = { to: '0247390002', message: 'Hello' };
    const { json } = await world.call('sms/send', { key: merchant.smsTestKey, body });
    await merchant.suspend();
    await world.work('deliver-sms', [{ send_id: json.data.id, index: 0 }]);
    expect(await world.messageRow(json.data.id)).toMatchObject(SUSPENDED);
  });

  test('that wait for their turn take none: the texts of others leave as if nobody else waited', async () => {
    const ids = await accepted({ to: numbers(30) });
    const others = await accepted({ to: numbers(5) }, other);
    await work.run(1_000);
    const before = given.length;
    await merchant.suspend();
    world.clock.nowMs += 3_000;
    // At 30 an hour.
    await work.run(12 * MINUTE_MS);
    const left = given.map(({ id }) => id);
    expect(left.filter((id) => ids.includes(id)).length).toBeLessThanOrEqual(before);
    expect(left.filter((id) => others.includes(id))).toHaveLength(5);
    expect(await merchant.balance()).toBe(1_000 - left.filter((id) => ids.includes(id)).length);
  });

  test('are not handed over by a second try', async () => {
    const [id = ''] = await accepted({ to: numbers(1) });
    const { gateway } = world;
    world.gateway = async () => Response.json({}, { status: 503 });
    await handOver(id);
    expect(await world.messageRow(id)).toMatchObject({ state: 'sending' });
    await merchant.suspend();
    world.clock.nowMs += 3_000;
    world.gateway = gateway;
    await handOver(id);
    expect(given).toEqual([]);
  });

  test('are cancelled by the operator, all that no phone was given, and a repeat cancels nothing', async () => {
    await accepted({ to: numbers(20), send_at: inDays(29) });
    await accepted({ to: numbers(3) });
    const others = await accepted({ to: numbers(2), send_at: inDays(1) }, other);
    await work.run(1_000);
    const left = given.length;
    expect(left).toBeGreaterThan(0);
    const { write } = world.outside.table;
    let writes = 0;
    world.outside.table.write = (all) => (++writes === 2 ? Promise.reject(new Error('died')) : write(all));
    await expect(cancelWaiting(world.outside, merchant.id)).rejects.toThrow('died');
    world.outside.table.write = write;
    const cancelled = await cancelWaiting(world.outside, merchant.id);
    expect(cancelled).toBeGreaterThan(0);
    expect(await cancelWaiting(world.outside, merchant.id)).toBe(0);
    expect(await merchant.balance()).toBe(1_000 - left);
    await goOn(1);
    await goOn(28);
    expect(
      given
        .slice(left)
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(others.toSorted());
  });
});

describe('texts whose number went to another merchant', () => {
  test('are counted as it goes, fail when they fall due, and are refunded', async () => {
    await accepted({ to: numbers(20), from: FIRST, send_at: inDays(1) });
    await accepted({ to: numbers(4), send_at: inDays(1) }, other);
    await other.giveSender(FIRST);
    expect(await countOthersWaiting(world.outside, FIRST, other.id)).toBe(20);
    expect(await countOthersWaiting(world.outside, SECOND, other.id)).toBe(0);
    await goOn(1);
    expect(given).toHaveLength(4);
    expect(await merchant.balance()).toBe(1_000);
    expect(await merchant.refunds()).toHaveLength(20);
  });

  test.each([
    ['that named it leave from another one of their own', FIRST, true],
    ['that named it fail where the other one is not theirs', FIRST, false],
    ['that named none leave from one that is everybody’s', 'random', false],
  ])('%s', async (_, from, isOwn) => {
    const ids = await accepted({ to: numbers(3), from });
    await work.run(1_000);
    const before = given.length;
    await addPlaced(SECOND, 'device-2');
    if (isOwn) await merchant.giveSender(SECOND);
    await other.giveSender(FIRST);
    world.clock.nowMs += 3_000;
    await work.run(30 * MINUTE_MS, { housekeeping: true });
    const moves = isOwn || from === 'random';
    expect(given.map(({ id }) => id).toSorted()).toEqual((moves ? ids : ids.slice(0, before)).toSorted());
    expect(given.slice(before).every(({ deviceId }) => deviceId === 'device-2')).toBe(true);
    expect(await merchant.balance()).toBe(1_000 - given.length);
  });
});

describe('a merchant with a number of its own', () => {
  beforeEach(async () => {
    await addPlaced(SECOND, 'device-2');
    await merchant.giveSender(SECOND);
  });

  test('sends from it unless it says otherwise, and from another where it cannot send', async () => {
    for (const from of [undefined, 'random']) for (let n = 0; n < 5; n++) expect(await senderOf({ from })).toBe(SECOND);
    expect(await senderOf({ from: FIRST })).toBe(FIRST);
    await world.outside.table.write([
      {
        update: {
          Key: { pk: 'SENDER', sk: SECOND },
          UpdateExpression: 'SET enabled = :no',
          ExpressionAttributeValues: { ':no': false },
        },
      },
    ]);
    world.clock.nowMs += 3_000;
    expect(await senderOf({})).toBe(FIRST);
  });
});

function addPlaced(number: string, device_id: string) {
  const network = number === FIRST ? 'MTN' : 'TELECEL';
  return world.addSender({ number, network, gateway: 'phone', device_id, sim_number: 1, messages_per_hour: 30 });
}

function numbers(count: number): string[] {
  return Array.from({ length: count }, (_, n) => `+23355${String(1_000_000 + n)}`);
}

function inDays(days: number): string {
  return world.iso(days * DAY_MS - 15 * MINUTE_MS);
}

async function sent(body: object, { smsKey: key } = merchant) {
  const { status, json } = await world.call('sms/send', { key, body: { message: 'Hello', ...body } });
  expect(status).toBe(200);
  return json.data;
}

async function senderOf(body: object): Promise<string> {
  return (await sent({ to: numbers(1), ...body })).from;
}

/** As the stream queues what is for now. */
async function accepted(body: object, whose = merchant): Promise<string[]> {
  const { id, ids, send_at } = await sent(body, whose);
  const jobs = ids.map((_: string, index: number) => ({ body: { send_id: id, index }, group: whose.id }));
  if (send_at === null) await world.outside.queues.send('deliver-sms', jobs);
  return ids;
}

/** Days in which nothing is due, but for the last half hour. */
async function goOn(days: number): Promise<void> {
  world.clock.nowMs += days * DAY_MS - 30 * MINUTE_MS;
  await work.run(60 * MINUTE_MS, { housekeeping: true });
}

async function handOver(send_id: string): Promise<void> {
  await world.work('deliver-sms', [{ send_id, index: 0 }]);
}
