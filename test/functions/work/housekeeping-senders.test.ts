import { beforeEach, describe, expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../../shared/runtime/values/calendar.ts';
import { expectFailure } from '../../support/envelope.ts';
import { type Merchant, type Scene, scene } from '../../support/scene.ts';

const MTN = '+233241234567';
const TELECEL = '+233201234567';

let world: Scene;
let merchant: Merchant;
/** The time each phone was last seen, according to its gateway. */
let lastSeen: Record<string, string>;

beforeEach(async () => {
  world = await scene({ inMemory: true });
  await world.createSender(MTN);
  await world.createSender(TELECEL, 'device-2');
  merchant = await world.createMerchant({ credits: 100 });
  lastSeen = { 'device-1': world.iso(), 'device-2': world.iso() };
  world.gateway = async ({ method }) => {
    if (method === 'POST') return Response.json({ state: 'Pending' }, { status: 202 });
    return Response.json(
      Object.entries(lastSeen).map(([id, seen]) => ({ id, name: id, lastSeen: seen, simCards: [] })),
    );
  };
});

describe('a phone that has not been seen for 15 minutes', () => {
  test('has its number paused', async () => {
    lastSeen = { 'device-1': world.iso(-15 * MINUTE_MS - 1), 'device-2': world.iso(-15 * MINUTE_MS) };
    await world.housekeeping();
    expect(await available()).toEqual({ [MTN]: false, [TELECEL]: true });
    const fields = { gateway: 'phone', device: 'device-1', code: 'not_seen' };
    expect(world.logged).toEqual([{ level: 'warn', event: 'phone_not_heard', fields }]);
    expect(world.counted).toMatchObject({ phones_not_heard: 1, senders_held_back: 0 });
  });

  test('is skipped by `random`', async () => {
    await seen(HOUR_MS);
    for (let n = 0; n < 20; n++) expect((await text('random')).json.data.from).toBe(TELECEL);
    const before = await merchant.balance();
    const answer = await text(MTN);
    expectFailure(answer, 503, 'no_sender_available');
    expect(answer.headers['retry-after']).toBe('60');
    expect(await merchant.balance()).toBe(before);
    expect(await merchant.sends()).toHaveLength(20);
  });

  test('makes a send return a 503 if its number is the merchant’s default', async () => {
    await merchant.change({ default_from: MTN });
    await seen(HOUR_MS);
    expectFailure(await text(), 503, 'no_sender_available');
    expect(await merchant.balance()).toBe(100);
  });

  test('makes a send return a 503 without a debit if the merchant has no other number', async () => {
    lastSeen = { 'device-1': world.iso(-HOUR_MS), 'device-2': world.iso(-HOUR_MS) };
    await world.housekeeping();
    for (const number of ['random', undefined]) expectFailure(await text(number), 503, 'no_sender_available');
    expect(await merchant.balance()).toBe(100);
    expect(await merchant.sends()).toEqual([]);
  });

  test('can send from its number again once it is seen', async () => {
    await seen(HOUR_MS);
    world.clock.nowMs += 5 * MINUTE_MS;
    lastSeen = { 'device-1': world.iso(), 'device-2': world.iso() };
    world.logged.length = 0;
    await world.housekeeping();
    expect(await available()).toEqual({ [MTN]: true, [TELECEL]: true });
    expect((await text(MTN)).status).toBe(200);
    const fields = { gateway: 'phone', device: 'device-1', sim: 1 };
    expect(world.logged).toEqual([{ level: 'warn', event: 'sender_back', fields }]);
  });

  test('has only its own numbers paused', async () => {
    await world.addSender({ number: '+233271234567', sim_number: 2 });
    await seen(HOUR_MS);
    expect(await available()).toEqual({ [MTN]: false, [TELECEL]: true, '+233271234567': false });
  });

  test('still gets previously accepted texts', async () => {
    const { json } = await text(MTN);
    await seen(HOUR_MS);
    world.fetched.length = 0;
    await world.work('deliver-sms', [{ send_id: json.data.id, index: 0 }]);
    expect(world.fetched).toMatchObject([{ body: { id: json.data.id, deviceId: 'device-1' } }]);
  });

  test('is counted every minute but logged once', async () => {
    await seen(HOUR_MS);
    world.requests.length = 0;
    for (let n = 0; n < 3; n++) await world.housekeeping();
    expect(writes()).toBe(3 * LEASE_WRITES);
    expect(world.logged).toHaveLength(4);
  });

  test('does not re-enable a number that the operator disabled', async () => {
    await world.switchSender(MTN, false);
    await seen(HOUR_MS);
    await seen(0);
    expect(await available()).toEqual({ [MTN]: false, [TELECEL]: true });
  });
});

describe('numbers on a gateway that does not list its phones', () => {
  const silences: [string, Scene['gateway']][] = [
    ['a network error', async () => Promise.reject(new TypeError('fetch failed'))],
    ['a timeout', async () => Promise.reject(new DOMException('The operation timed out', 'TimeoutError'))],
    ['a 500 response', async () => new Response('', { status: 500 })],
    ['a 401 response', async () => Response.json({ message: 'Unauthorized' }, { status: 401 })],
    ['a response that is not JSON', async () => new Response('<html>')],
    ['a response with other fields', async () => Response.json({ devices: [] })],
  ];

  test.each(silences)('stay available after %s', async (_, gateway) => {
    world.gateway = gateway;
    await world.housekeeping();
    expect(await available()).toEqual({ [MTN]: true, [TELECEL]: true });
    expect(world.logged).toMatchObject([{ level: 'warn', event: 'gateway_silent', fields: { gateway: 'phone' } }]);
  });

  test.each(silences)('stay held back after %s', async (_, silent) => {
    const { gateway } = world;
    await seen(HOUR_MS);
    world.gateway = silent;
    await world.housekeeping();
    expect(await available()).toEqual({ [MTN]: false, [TELECEL]: true });
    world.gateway = gateway;
    await seen(0);
    expect(await available()).toEqual({ [MTN]: true, [TELECEL]: true });
  });

  test('keep their state if the gateway’s timestamps are invalid', async () => {
    lastSeen['device-1'] = 'yesterday';
    await world.housekeeping();
    expect(await available()).toEqual({ [MTN]: true, [TELECEL]: true });
  });

  test('do not prevent checks of other gateways', async () => {
    await world.addSender({ number: '+233261234567', gateway: 'spare', device_id: 'device-3' });
    const account = (name: string) => ({ url: `https://${name}.example.com`, username: 'ama', password: 'secret' });
    world.outside.secret = async () => JSON.stringify({ phone: account('silent'), spare: account('spare') });
    world.gateway = async ({ url }) => {
      if (url.startsWith('https://silent.')) throw new TypeError('fetch failed');
      return Response.json([{ id: 'device-3', name: '', lastSeen: world.iso(-HOUR_MS), simCards: [] }]);
    };
    await world.housekeeping();
    expect(await available()).toEqual({ [MTN]: true, [TELECEL]: true, '+233261234567': false });
  });

  test('keep their state if their gateway has no account', async () => {
    await world.addSender({ number: '+233261234567', gateway: 'nowhere', device_id: 'device-3' });
    await seen(HOUR_MS);
    expect(await available()).toEqual({ [MTN]: false, [TELECEL]: true, '+233261234567': true });
    expect(world.logged.filter(({ level }) => level === 'error')).toEqual([]);
  });
});

describe('a merchant with over a day of texts queued on a number', () => {
  beforeEach(async () => {
    await world.addSender({ number: MTN, messages_per_hour: 1 });
    world.clock.nowMs += 5_000;
  });

  test('gets a 429 without a debit until the queue is shorter', async () => {
    // One text is sent at once. The other 26 follow an hour apart.
    await wait(27);
    expect(await available()).toEqual({ [MTN]: false, [TELECEL]: true });
    const balance = await merchant.balance();
    const answer = await text(MTN);
    expectFailure(answer, 429, 'queue_full');
    expect(answer.json.message).toContain('"from": "random"');
    const seconds = Number(answer.headers['retry-after']);
    expect(seconds).toBeGreaterThan(HOUR_MS / 1000);
    expect(seconds).toBeLessThan((2 * HOUR_MS) / 1000);
    expect(await merchant.balance()).toBe(balance);
    expect(await merchant.sends()).toHaveLength(1);

    // Housekeeping has not run in the meantime.
    world.clock.nowMs += seconds * 1000;
    expect((await text(MTN)).status).toBe(200);
  });

  test('does not affect other merchants on the same number', async () => {
    await wait(27);
    const neighbour = await world.createMerchant({ credits: 5 });
    world.clock.nowMs += 2_000;
    const { json } = await neighbour.call('sms/from');
    expect(json.data.senders).toContainEqual(expect.objectContaining({ number: MTN, network: 'MTN', available: true }));
    expect(await neighbour.text({ from: MTN })).toMatchObject({ from: MTN });
    expect(world.logged).toEqual([]);
  });

  test('uses a free number for `random`, or gets a 429 if all are full', async () => {
    await wait(27);
    for (let n = 0; n < 20; n++) expect((await text('random')).json.data.from).toBe(TELECEL);
    await world.addSender({ number: TELECEL, device_id: 'device-2', messages_per_hour: 1 });
    await wait(30, TELECEL);
    const answer = await text('random');
    expectFailure(answer, 429, 'queue_full');
    // Retry-After refers to the number that is free first.
    expect(Number(answer.headers['retry-after'])).toBeLessThan((2 * HOUR_MS) / 1000);
  });

  test('gets a 429 if the full number is the default', async () => {
    await merchant.change({ default_from: MTN });
    await wait(27);
    expectFailure(await text(), 429, 'queue_full');
  });

  test('can still send if exactly a day of texts is queued', async () => {
    await wait(25);
    expect(await available()).toEqual({ [MTN]: true, [TELECEL]: true });
  });

  test('gets an error about the phone if the phone is off', async () => {
    await wait(30);
    await seen(HOUR_MS);
    expectFailure(await text(MTN), 503, 'no_sender_available');
    await seen(0);
    expect(world.logged.map(({ event }) => event)).toEqual(['phone_not_heard', 'sender_back']);
    expectFailure(await text(MTN), 429, 'queue_full');
  });

  test('is logged only once', async () => {
    await wait(27);
    world.requests.length = 0;
    for (let n = 0; n < 3; n++) await world.housekeeping();
    expect(writes()).toBe(3 * LEASE_WRITES);
  });

  /** Queues this many texts on a slow number and runs housekeeping. */
  async function wait(count: number, number = MTN): Promise<void> {
    const to = Array.from({ length: count }, (_, n) => `05511122${n + 10}`);
    const { json } = await text(number, to);
    for (const index of to.keys()) await world.work('deliver-sms', [{ send_id: json.data.id, index }]);
    await world.housekeeping();
  }
});

/** A run writes its lease when it starts and when it ends. */
const LEASE_WRITES = 2;

function writes(): number {
  return world.requests.filter((name) => name === 'UpdateItem').length;
}

/** Runs housekeeping. The first phone was last seen this long ago. */
async function seen(agoMs: number): Promise<void> {
  lastSeen['device-1'] = world.iso(-agoMs);
  await world.housekeeping();
}

/** Returns whether each number is available. Caches have expired. */
async function available(): Promise<Record<string, boolean>> {
  world.clock.nowMs += 2_000;
  const { json } = await merchant.call('sms/from');
  const senders: { number: string; available: boolean }[] = json.data.senders;
  return Object.fromEntries(senders.map((sender) => [sender.number, sender.available]));
}

async function text(number?: string, to: string[] = ['0551112223']) {
  world.clock.nowMs += 2_000;
  return merchant.call('sms/send', { body: { to, message: 'Hello', ...(number && { from: number }) } });
}
