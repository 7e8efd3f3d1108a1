import { beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { changeItem } from '../../../shared/runtime/table/table.ts';
import { DAY_MS, MINUTE_MS } from '../../../shared/runtime/values/calendar.ts';
import { getSendAndMessage, startSending } from '../../../shared/texts/sms/message.table.ts';
import { cancelWaiting, countOthersWaiting } from '../../../shared/texts/sms/waiting-texts.ts';
import { TimedWork } from '../../simulation/timed-work.ts';
import { type Merchant, type Scene, scene } from '../../support/scene.ts';

const [FIRST, SECOND] = ['+233241234567', '+233201234567'] as const;
const SUSPENDED = { state: 'failed', failure_reason: 'Its merchant was suspended when it was due' };

let world: Scene;
let merchant: Merchant;
let other: Merchant;
let work: TimedWork;
/** Texts that the gateway received, with their phones. */
let given: { id: string; deviceId: string }[];
const Given = z.object({ id: z.string(), deviceId: z.string(), phoneNumbers: z.array(z.string()) });

beforeEach(async () => {
  world = await scene({ inMemory: true });
  await world.addSender({ number: FIRST, messages_per_hour: 30 });
  merchant = await world.createMerchant({ credits: 1_000 });
  other = await world.createMerchant({ credits: 1_000 });
  work = new TimedWork(world);
  given = [];
  world.gateway = async (request) => {
    if (request.method === 'POST' && request.url.includes('/messages')) {
      const { phoneNumbers, ...text } = Given.parse(await request.json());
      // Ignores the reception tests that the phones send each other in the morning.
      if (!phoneNumbers.some((to) => to === FIRST || to === SECOND)) given.push(text);
    }
    const lastSeen = world.iso();
    const devices = ['device-1', 'device-2'].map((id) => ({ id, lastSeen, simCards: [{ simNumber: 1 }] }));
    if (request.url.endsWith('/devices')) return Response.json(devices);
    return Response.json(request.method === 'POST' ? {} : [], { status: request.method === 'POST' ? 202 : 200 });
  };
});

describe('a sender that can no longer send', () => {
  test('has its `random` texts moved immediately unless a phone already has them', async () => {
    const ids = await accepted({ to: numbers(12), from: 'random' });
    await work.run(5 * MINUTE_MS);
    const before = given.length;
    expect(before).toBeGreaterThan(1);
    expect(before).toBeLessThan(5);
    await replaceFirst(3_000);
    await work.run(10 * MINUTE_MS, { housekeeping: true });
    expect(idsGiven().toSorted()).toEqual(ids.toSorted());
    expect(given.slice(0, before).every(({ deviceId }) => deviceId === 'device-1')).toBe(true);
    expect(given.slice(before).every(({ deviceId }) => deviceId === 'device-2')).toBe(true);
    const moved = given.at(-1)?.id ?? '';
    expect((await merchant.call('sms/show', { parameters: { id: moved } })).json.data.from).toBe(SECOND);
  });

  test('has each queued text moved exactly once', async () => {
    const [id = ''] = await accepted({ to: numbers(12), from: 'random' });
    await work.run(1_000);
    await replaceFirst();
    await work.run(30 * MINUTE_MS, { housekeeping: true });
    expect(world.logged.filter(({ event }) => event === 'sms_queued_again')).toEqual([]);
    expect(await world.messageRow(id, 11)).toMatchObject({ from: SECOND });
    expect(new Set(idsGiven()).size).toBe(given.length);
  });

  test('does not send moved texts after its recovery', async () => {
    const [id = '', , , last = ''] = await accepted({ to: numbers(4), from: 'random' });
    await work.run(1_000);
    await replaceFirst();
    await isBusy(SECOND);
    await handOver(id, 3);
    expect(await world.messageRow(id, 3)).toMatchObject({ from: SECOND });
    await world.switchSender(FIRST, true);
    world.clock.nowMs += 3_000;
    await work.run(20 * MINUTE_MS);
    expect({ given: given.length, hasLast: idsGiven().includes(last) }).toEqual({ given: 3, hasLast: false });
    await work.run(20 * MINUTE_MS, { housekeeping: true });
    expect(given.at(-1)).toMatchObject({ id: last, deviceId: 'device-2' });
  });

  test('keeps texts that require its number', async () => {
    const named = await accepted({ to: numbers(2), from: FIRST });
    await replaceFirst();
    await work.run(5 * MINUTE_MS);
    expect(given.filter(({ id }) => named.includes(id)).every(({ deviceId }) => deviceId === 'device-1')).toBe(true);
  });

  test('keeps a text that a phone may have sent', async () => {
    world.gateway = async () => Response.json({ message: 'down' }, { status: 502 });
    const { id } = await merchant.text({ from: 'random' });
    await handOver(id);
    await replaceFirst();
    await handOver(id);
    await expectNotMoved(id);
  });

  test('keeps a text that reaches a phone during the move', async () => {
    await addSecond();
    await world.switchSender(SECOND, false);
    const { id } = await merchant.text({ from: 'random' });
    await world.switchSender(SECOND, true);
    await world.switchSender(FIRST, false);
    world.clock.nowMs += 3_000;
    world.rightBefore('UpdateItem', async () => {
      const found = await getSendAndMessage(world.outside, id, 0);
      const place = { gateway: 'phone', device_id: 'device-1', sim_number: 1 };
      if (found) await startSending(world.outside, found.send, 0, place);
    });
    await handOver(id);
    await expectNotMoved(id);
  });

  async function expectNotMoved(id: string): Promise<void> {
    const row = await world.messageRow(id);
    expect(row).toMatchObject({ state: 'sending', device_id: 'device-1' });
    expect(row).not.toHaveProperty('from');
  }
});

test('a text that is still queued after its time limit is refunded', async () => {
  const { id } = await merchant.text({ valid_for: 60 });
  world.clock.nowMs += MINUTE_MS;
  await handOver(id);
  expect(given).toEqual([]);
  expect(await world.messageRow(id)).toMatchObject({ state: 'expired' });
  expect(await merchant.balance()).toBe(1_000);
});

describe('the sender `random`', () => {
  beforeEach(() => addSecond());

  test('is the number that can send soonest', async () => {
    await isBusy(FIRST);
    for (let n = 0; n < 8; n++) {
      expect((await merchant.text({ from: 'random' })).from).toBe(SECOND);
      const code = { to: `05511122${10 + n}`, from: 'random' };
      expect((await merchant.call('verify/start', { body: code })).json.data.from).toBe(SECOND);
    }
  });

  test('is spread over all idle numbers', async () => {
    const from = new Set<string>();
    for (let n = 0; n < 30; n++) from.add((await merchant.text({ from: 'random' })).from);
    expect(from).toEqual(new Set([FIRST, SECOND]));
  });
});

describe('texts from a suspended merchant', () => {
  test('fail and are refunded if they are due during the suspension', async () => {
    const late = await accepted({ to: numbers(20), send_at: inDays(29) });
    const later = await accepted({ to: numbers(2), send_at: inDays(30) });
    await merchant.suspend();
    await goOn(29);
    expect(given).toEqual([]);
    for (const index of late.keys()) expect(await world.messageRow(late[0] ?? '', index)).toMatchObject(SUSPENDED);
    expect(await merchant.balance()).toBe(998);
    await merchant.suspend(false);
    await goOn(1);
    expect(idsGiven().toSorted()).toEqual(later.toSorted());
    expect(await merchant.balance()).toBe(998);
  });

  test('also fail in test mode', async () => {
    const { id } = await { ...merchant, smsKey: merchant.smsTestKey }.text({ to: '0247390002' });
    await merchant.suspend();
    await handOver(id);
    expect(await world.messageRow(id)).toMatchObject(SUSPENDED);
  });

  test('do not delay other merchants’ texts', async () => {
    const ids = await accepted({ to: numbers(30) });
    const others = await accepted({ to: numbers(5) }, other);
    await work.run(1_000);
    const before = given.length;
    await merchant.suspend();
    world.clock.nowMs += 3_000;
    // Twelve minutes at 30 texts an hour.
    await work.run(12 * MINUTE_MS);
    const left = idsGiven();
    expect(left.filter((id) => ids.includes(id)).length).toBeLessThanOrEqual(before);
    expect(left.filter((id) => others.includes(id))).toHaveLength(5);
    expect(await merchant.balance()).toBe(1_000 - left.filter((id) => ids.includes(id)).length);
  });

  test('are not retried', async () => {
    const [id = ''] = await accepted({});
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

  test('can be cancelled by the operator, except those on a phone', async () => {
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
    expect(await cancelWaiting(world.outside, merchant.id)).toBeGreaterThan(0);
    expect(await cancelWaiting(world.outside, merchant.id)).toBe(0);
    expect(await merchant.balance()).toBe(1_000 - left);
    await goOn(1);
    await goOn(28);
    expect(idsGiven().slice(left).toSorted()).toEqual(others.toSorted());
  });
});

describe('texts from a reassigned number', () => {
  test('fail and are refunded when due', async () => {
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
    ['with that number as `from` are sent from the merchant’s other number', FIRST, true],
    ['with that number as `from` fail if the merchant has no other number', FIRST, false],
    ['with `random` as `from` are sent from a shared number', 'random', false],
  ])('%s', async (_, from, isOwn) => {
    const ids = await accepted({ to: numbers(3), from });
    await work.run(1_000);
    const before = given.length;
    await addSecond();
    if (isOwn) await merchant.giveSender(SECOND);
    await other.giveSender(FIRST);
    world.clock.nowMs += 3_000;
    await work.run(30 * MINUTE_MS, { housekeeping: true });
    const moves = isOwn || from === 'random';
    expect(idsGiven().toSorted()).toEqual((moves ? ids : ids.slice(0, before)).toSorted());
    expect(given.slice(before).every(({ deviceId }) => deviceId === 'device-2')).toBe(true);
    expect(await merchant.balance()).toBe(1_000 - given.length);
  });
});

test('a merchant’s own number is preferred to a shared one', async () => {
  await addSecond();
  await merchant.giveSender(SECOND);
  const senderOf = async (said: object) => (await merchant.text(said)).from;
  for (const said of [{}, { from: 'random' }]) for (let n = 0; n < 5; n++) expect(await senderOf(said)).toBe(SECOND);
  expect(await senderOf({ from: FIRST })).toBe(FIRST);
  await world.outside.table.update(changeItem({ pk: 'SENDER', sk: SECOND }, { enabled: false }));
  world.clock.nowMs += 3_000;
  expect(await senderOf({})).toBe(FIRST);
});

function addSecond(messages_per_hour = 30) {
  return world.addSender({ number: SECOND, network: 'TELECEL', device_id: 'device-2', messages_per_hour });
}

/** Disables the first number and adds a second one. */
async function replaceFirst(messages_per_hour?: number): Promise<void> {
  await addSecond(messages_per_hour);
  await world.switchSender(FIRST, false);
  world.clock.nowMs += 3_000;
}

/** Delays a number's next text by half an hour. */
async function isBusy(number: string): Promise<void> {
  const busy = { due_ms: world.clock.nowMs + 30 * MINUTE_MS, turn_ms: world.clock.nowMs + 29 * MINUTE_MS, round: 1 };
  await world.outside.table.update(changeItem({ pk: `PACE#${number}`, sk: 'SENDER' }, busy));
}

function numbers(count: number): string[] {
  return Array.from({ length: count }, (_, n) => `+23355${1_000_000 + n}`);
}

function inDays(days: number): string {
  return world.iso(days * DAY_MS - 15 * MINUTE_MS);
}

/** Accepts texts and queues those that are due. */
async function accepted(body: object, owner = merchant): Promise<string[]> {
  const { id, ids, send_at } = await owner.text(body);
  const jobs = ids.map((_: string, index: number) => ({ body: { send_id: id, index }, group: owner.id }));
  if (send_at === null) await world.outside.queues.send('deliver-sms', jobs);
  return ids;
}

async function handOver(send_id: string, index = 0): Promise<void> {
  await world.work('deliver-sms', [{ send_id, index }]);
}

function idsGiven(): string[] {
  return given.map(({ id }) => id);
}

/** Advances the clock by days. The workers run around the last half hour only. */
async function goOn(days: number): Promise<void> {
  world.clock.nowMs += days * DAY_MS - 30 * MINUTE_MS;
  await work.run(60 * MINUTE_MS, { housekeeping: true });
}
