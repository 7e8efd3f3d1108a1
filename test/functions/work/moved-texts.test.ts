import { beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { handler as deliver } from '../../../functions/work/deliver-sms.ts';
import { changeItem } from '../../../shared/runtime/table/table.ts';
import { getSendAndMessage, takeMessage } from '../../../shared/texts/sms/message.table.ts';
import { TimedWork } from '../../simulation/timed-work.ts';
import { type Merchant, type Scene, scene } from '../../support/scene.ts';
import { callWorker, queueEvent } from '../../support/world.ts';

const [FIRST, SECOND] = ['+233241234567', '+233201234567'] as const;
const MINUTE_MS = 60_000;

let world: Scene;
let merchant: Merchant;
let work: TimedWork;
/** What the gateway was given, and for which phone. */
let given: { id: string; deviceId: string }[];

beforeEach(async () => {
  world = await scene({ inMemory: true });
  await world.addSender({ number: FIRST, network: 'MTN', ...place('device-1'), messages_per_hour: 30 });
  merchant = await world.createMerchant({ credits: 1_000 });
  work = new TimedWork(world);
  given = [];
  world.gateway = async (request) => {
    if (request.method === 'POST' && request.url.includes('/messages'))
      given.push(z.object({ id: z.string(), deviceId: z.string() }).parse(await request.json()));
    const lastSeen = world.iso();
    const devices = ['device-1', 'device-2'].map((id) => ({ id, lastSeen, simCards: [{ simNumber: 1 }] }));
    if (request.url.endsWith('/devices')) return Response.json(devices);
    return Response.json(request.method === 'POST' ? {} : [], { status: request.method === 'POST' ? 202 : 200 });
  };
});

const place = (device_id: string) => ({ gateway: 'phone', device_id, sim_number: 1 });
const addSecond = (messages_per_hour = 30) =>
  world.addSender({ number: SECOND, network: 'TELECEL', ...place('device-2'), messages_per_hour });

describe('a sender that can send no more', () => {
  test('texts of any number leave from another one at once, all but those that a phone was given', async () => {
    const ids = await accepted({ to: numbers(12), from: 'random' });
    await work.run(5 * MINUTE_MS);
    const before = given.length;
    expect(before).toBeGreaterThan(1);
    expect(before).toBeLessThan(5);
    await addSecond(3_000);
    await world.switchSender(FIRST, false);
    world.clock.nowMs += 3_000;
    await work.run(10 * MINUTE_MS, { housekeeping: true });
    expect(given.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    expect(given.slice(0, before).every(({ deviceId }) => deviceId === 'device-1')).toBe(true);
    expect(given.slice(before).every(({ deviceId }) => deviceId === 'device-2')).toBe(true);
    const moved = given.at(-1)?.id ?? '';
    expect((await merchant.call('sms/show', { parameters: { id: moved } })).json.data.from).toBe(SECOND);
  });

  test('texts that wait at their new sender are looked for in its queue: none is queued again as forgotten', async () => {
    const ids = await accepted({ to: numbers(12), from: 'random' });
    await work.run(1_000);
    await addSecond();
    await world.switchSender(FIRST, false);
    world.clock.nowMs += 3_000;
    await work.run(30 * MINUTE_MS, { housekeeping: true });
    expect(world.logged.filter(({ event }) => event === 'sms_queued_again')).toEqual([]);
    expect(await world.messageRow(ids[0] ?? '', 11)).toMatchObject({ from: SECOND });
    expect(new Set(given.map(({ id }) => id)).size).toBe(given.length);
  });

  test('a text that moved leaves with no turn of the number that it left, which works again', async () => {
    const ids = await accepted({ to: numbers(4), from: 'random' });
    await work.run(1_000);
    await addSecond();
    await isBusy(SECOND);
    await world.switchSender(FIRST, false);
    world.clock.nowMs += 3_000;
    const [last = ''] = ids.slice(-1);
    await world.work('deliver-sms', [{ send_id: ids[0], index: 3 }]);
    expect(await world.messageRow(ids[0] ?? '', 3)).toMatchObject({ from: SECOND });
    await world.switchSender(FIRST, true);
    world.clock.nowMs += 3_000;
    await work.run(20 * MINUTE_MS);
    const left = given.map(({ id }) => id);
    expect([left.length, left.includes(last)]).toEqual([3, false]);
    await work.run(20 * MINUTE_MS, { housekeeping: true });
    expect(given.at(-1)).toMatchObject({ id: last, deviceId: 'device-2' });
  });

  test('a text whose merchant named the number stays, and so does one for which there is no other', async () => {
    const named = await accepted({ to: numbers(2), from: FIRST });
    await addSecond();
    await world.switchSender(FIRST, false);
    world.clock.nowMs += 3_000;
    await work.run(5 * MINUTE_MS);
    expect(given.filter(({ id }) => named.includes(id)).every(({ deviceId }) => deviceId === 'device-1')).toBe(true);
  });

  test('a text that a phone was given does not move, whatever became of the try', async () => {
    world.gateway = async () => Response.json({ message: 'down' }, { status: 502 });
    const { json } = await merchant.call('sms/send', {
      body: { to: '0551112223', message: 'Hello', from: 'random' },
    });
    const job = queueEvent([{ send_id: json.data.id, index: 0 }]);
    await callWorker(world, deliver, job);
    await addSecond();
    await world.switchSender(FIRST, false);
    world.clock.nowMs += 3_000;
    await callWorker(world, deliver, job);
    const row = await world.messageRow(json.data.id);
    expect(row).toMatchObject({ state: 'sending', device_id: 'device-1' });
    expect(row).not.toHaveProperty('from');
  });
});

test('a text that a phone is given as it is to move does not move', async () => {
  await addSecond();
  await world.switchSender(SECOND, false);
  const body = { to: '0551112223', message: 'Hello', from: 'random' };
  const { id } = (await merchant.call('sms/send', { body })).json.data;
  await world.switchSender(SECOND, true);
  await world.switchSender(FIRST, false);
  world.clock.nowMs += 3_000;
  world.rightBefore('UpdateItem', async () => {
    const found = await getSendAndMessage(world.outside, id, 0);
    if (found) await takeMessage(world.outside, found.send, 0, place('device-1'));
  });
  await world.work('deliver-sms', [{ send_id: id, index: 0 }]);
  const row = await world.messageRow(id);
  expect(row).toMatchObject({ state: 'sending', device_id: 'device-1' });
  expect(row).not.toHaveProperty('from');
});

test('a text whose job comes when it is of no use any more expires, and its credit comes back', async () => {
  const body = { to: '0551112223', message: 'Hello', valid_for: 60 };
  const { id } = (await merchant.call('sms/send', { body })).json.data;
  world.clock.nowMs += MINUTE_MS;
  await world.work('deliver-sms', [{ send_id: id, index: 0 }]);
  expect(given).toEqual([]);
  expect(await world.messageRow(id)).toMatchObject({ state: 'expired' });
  expect(await merchant.balance()).toBe(1_000);
});

describe('from: random', () => {
  test('the number at which it leaves soonest, for texts and for codes', async () => {
    await addSecond();
    await isBusy(FIRST);
    for (let n = 0; n < 8; n++) {
      const body = { to: '0551112223', message: 'Hello', from: 'random' };
      expect((await merchant.call('sms/send', { body })).json.data.from).toBe(SECOND);
      const code = { to: `05511122${10 + n}`, from: 'random' };
      expect((await merchant.call('verify/start', { body: code })).json.data.from).toBe(SECOND);
    }
  });

  test('where all are free, they share the texts', async () => {
    await addSecond();
    const from = new Set<string>();
    for (let n = 0; n < 30; n++) {
      const body = { to: '0551112223', message: 'Hello', from: 'random' };
      from.add((await merchant.call('sms/send', { body })).json.data.from);
    }
    expect(from).toEqual(new Set([FIRST, SECOND]));
  });
});

/** A number at which the next text leaves in half an hour. */
async function isBusy(number: string): Promise<void> {
  const busy = { due_ms: world.clock.nowMs + 30 * MINUTE_MS, turn_ms: world.clock.nowMs + 29 * MINUTE_MS, round: 1 };
  await world.outside.table.update(changeItem({ pk: `PACE#${number}`, sk: 'SENDER' }, busy));
}

const numbers = (count: number) => Array.from({ length: count }, () => '0551112223');

async function accepted(body: object): Promise<string[]> {
  const { json } = await merchant.call('sms/send', { body: { message: 'Hello', ...body } });
  const { id, ids } = json.data;
  await world.outside.queues.send(
    'deliver-sms',
    ids.map((_: string, index: number) => ({ body: { send_id: id, index }, group: merchant.id })),
  );
  return ids;
}
