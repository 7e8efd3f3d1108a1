import { beforeEach, describe, expect } from 'vitest';
import { expectNoPings, expectPings, noteHeard } from '../../../shared/phones/gateway/phone.table.ts';
import { HOUR_MS, MINUTE_MS } from '../../../shared/runtime/values/calendar.ts';
import { sizeOf } from '../../../shared/texts/sms/segments.ts';
import { hearingOf, setCanary } from '../../../shared/wallets/wallet/hearing.table.ts';
import { arrive, mtn, receivedEvent, signedCallback } from '../../support/receipts.ts';
import { rotatingTest } from '../../support/rotating-test.ts';
import { type Scene, scene } from '../../support/scene.ts';

const test = rotatingTest(8);

/** A sending number that is also its merchant's wallet. */
const WALLET = '+233241234567';
const OTHER = '+233245556667';
const EIGHT = Date.parse('2026-11-20T08:00:00.000Z');

let world: Scene;
let left: { to: string; text: string; device: string }[];
/** True if the gateway has lost contact with the phones. */
let isOff: boolean;
/** `isHeld` keeps texts queued. `reports` makes phones report sent texts. */
let isHeld: boolean;
let reports: boolean;

beforeEach(async () => {
  world = await scene({ inMemory: true });
  world.clock.nowMs = EIGHT;
  left = [];
  isOff = false;
  isHeld = false;
  reports = true;
  await world.createSender(WALLET);
  await expectPings(world.outside, 'phone');
  world.gateway = async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname.endsWith('/inbox/refresh')) return new Response(null, { status: 202 });
    if (!pathname.endsWith('/devices')) return Response.json({ state: reports ? 'Pending' : 'Sent' }, { status: 202 });
    const lastSeen = new Date(isOff ? EIGHT : world.clock.nowMs).toISOString();
    return Response.json(['device-1', 'device-2'].map((id) => ({ id, lastSeen, simCards: [{ simNumber: 1 }] })));
  };
});

describe('a wallet without texts for twelve waking hours', () => {
  beforeEach(async () => {
    await world.createMerchant({ credits: 100 });
  });

  test('gets one free reception test that merchants cannot see', async () => {
    expect(await leftAfter(11.9)).toEqual([]);
    expect(await leftAfter(0.2)).toMatchObject([{ to: WALLET, device: 'device-1' }]);
    expect(sizeOf(left[0]?.text ?? '').segments).toBe(1);
    expect(await state()).toBe('waiting');
    const sent = world.fetched.filter(({ url }) => url.includes('/messages?skip'));
    expect(sent).toMatchObject([{ body: { ttl: 30 * 60 } }]);
    expect(await world.rows('SEND')).toHaveLength(1);
    const merchant = await world.createMerchant({ credits: 7, momo: false });
    expect(await merchant.balance()).toBe(7);
    expect((await merchant.call('sms/list')).json.data.sends).toEqual([]);
    expect(JSON.stringify(await world.rows(WALLET))).not.toContain(nonce());
  });

  test('gets no reception test if a payment text has arrived', async () => {
    await hours(8);
    await arrive(world, { number: WALLET }, mtn());
    expect(await leftAfter(9)).toEqual([]);
  });

  test('passes its reception test when its phone forwards the test text', async () => {
    await hours(12.1);
    const before = (await world.rows('PHONE_EVENT')).length;
    expect(await hears({ sender: '+233200000001' })).toBe(200);
    expect(await state()).toBe('heard');
    expect(await world.rows('PHONE_EVENT')).toHaveLength(before);
    // The app occasionally posts a text twice.
    expect(await hears({})).toBe(200);
    expect(await world.rows('PHONE_EVENT')).toHaveLength(before);
    expect(await leftAfter(8)).toHaveLength(1);
    expect(await deaf()).toBe(0);
  });

  test('fails its reception test with a wrong nonce, phone or signature', async () => {
    await hours(12.1);
    const { text = '' } = left[0] ?? {};
    await hears({ text: text.replace(/.$/, (last) => (last === '0' ? '1' : '0')) });
    await hears({ device: 'device-2' });
    await hears({ gateway: 'spare' });
    const event = receivedEvent(world, { sender: WALLET, text });
    const unsigned = { ...signedCallback(world, event), headers: {} };
    expect((await world.call('callback/smsgate', unsigned)).status).toBe(401);
    expect(await state()).toBe('waiting');
    await hears({});
    expect(await state()).toBe('heard');
  });

  test('accepts a payment whose reference contains the test’s nonce', async () => {
    await hours(12.1);
    const receipt = mtn({ reference: `Hearing test ${nonce()}` });
    await arrive(world, { number: WALLET }, receipt);
    expect(await state()).toBe('waiting');
    expect(await world.rows('RECEIPT')).toHaveLength(1);
  });

  test('triggers an alarm after two missed tests', async () => {
    expect(await stateAfter(12.6)).toBe('missed');
    expect(world.logged.map(({ event }) => event)).toEqual(['hearing_test_missed']);
    expect(await deaf()).toBe(0);
    expect(await leftAfter(0.4)).toHaveLength(2);
    expect(await deafAfter(0.6)).toBe(1);
    const fields = { gateway: 'phone', device: 'device-1', code: 'does_not_hear' };
    expect(world.logged).toContainEqual({ level: 'warn', event: 'phone_not_heard', fields });
    expect(await deafAfter(8)).toBe(1);
    expect(left).toHaveLength(2);
  });

  test('clears its alarm when a text arrives', async () => {
    expect(await deafAfter(13.8)).toBe(1);
    await arrive(world, { number: WALLET }, mtn());
    expect(await deaf()).toBe(0);
    // The count of misses restarts.
    expect(await leftAfter(22.8)).toHaveLength(3);
    expect(await state()).toBe('missed');
    expect(await deaf()).toBe(0);
  });

  test('clears its alarm when a later test passes', async () => {
    await hours(13.8);
    expect(await leftAfter(22.5)).toHaveLength(3);
    expect(await deaf()).toBe(1);
    await hears({});
    expect(await deaf()).toBe(0);
  });

  test('is tested from a different SIM after a missed test', async () => {
    await world.createSender(OTHER, 'device-2');
    await hours(12.1);
    await hours(1);
    expect(left.map(({ device, to }) => [device, to])).toEqual(['device-1', 'device-2'].map((one) => [one, WALLET]));
  });

  test('gets at most two test texts a day', async () => {
    await hours(13.8);
    for (let day = 1; day <= 3; day++) {
      await hours(24);
      expect(left.length).toBeLessThanOrEqual(2 * (day + 1));
    }
    const sent = await world.rows('SEND');
    const times = sent.map(({ created_at }) => Date.parse(String(created_at))).toSorted((a, b) => a - b);
    expect(times.length).toBeGreaterThan(4);
    for (const [n, time] of times.entries()) expect(time - (times[n - 2] ?? 0)).toBeGreaterThanOrEqual(24 * HOUR_MS);
  });

  test('has its phone asked to resend recent texts after a missed test', async () => {
    await hours(1);
    await arrive(world, { number: WALLET }, mtn());
    const heardAt = world.iso(-5 * MINUTE_MS);
    await hours(12.7);
    const asked = world.fetched.filter(({ url }) => url.endsWith('/inbox/refresh'));
    expect(asked).toMatchObject([{ body: { deviceId: 'device-1', since: heardAt } }]);
  });

  test('misses its reception test if the test text arrives late', async () => {
    expect(await stateAfter(12.7)).toBe('missed');
    await hears({});
    const [hearing] = await hearingOf(world.outside, [WALLET]);
    expect(hearing?.test).toMatchObject({ state: 'missed', misses: 1, returned_at: world.iso() });
  });

  test('is logged without an alarm if the test text cannot be sent', async () => {
    world.gateway = withRefusal(world.gateway);
    expect(await stateAfter(12.7)).toBe('not_sent');
    await hours(0.4);
    expect(await stateAfter(0.7)).toBe('not_sent');
    expect(await deaf()).toBe(0);
    expect(world.logged.map(({ event }) => event)).toContain('hearing_test_not_sent');
    expect(world.fetched.filter(({ url }) => url.endsWith('/inbox/refresh'))).toEqual([]);
  });

  test('passes its reception test if a payment text arrives instead', async () => {
    await hours(12.1);
    await arrive(world, { number: WALLET }, mtn());
    expect(await stateAfter(0.5)).toBe('heard');
  });

  test('has half an hour to receive the test text', async () => {
    isHeld = true;
    await hours(12.4);
    const [send] = await world.rows('SEND');
    await leave(String(send?.send_id));
    expect(await stateAfter(0.4)).toBe('waiting');
    expect(await stateAfter(0.05)).toBe('missed');
  });

  test('does not miss a reception test while its phone is off', async () => {
    await hours(12.1);
    isOff = true;
    expect(await stateAfter(0.5, { pings: true })).toBe('dropped');
  });

  test('does not miss a reception test while its phone does not ping', async () => {
    await hours(12.1);
    expect(await stateAfter(0.5, { pings: false })).toBe('dropped');
  });

  test('does not miss a reception test while its silent phone sends no pings', async () => {
    await expectNoPings(world.outside, 'phone');
    reports = false;
    await hours(11.9);
    await hours(0.76, { pings: false });
    expect(left).toHaveLength(1);
    expect(await state()).toBe('dropped');
  });

  test('does not fail a reception test after its number is moved to another phone', async () => {
    await hours(12.1);
    await world.addSender({ number: WALLET, device_id: 'device-2' });
    expect(await stateAfter(1)).toBe('dropped');
  });

  test('is not tested if reception tests are turned off', async () => {
    await hours(13.8);
    await world.outside.table.write([setCanary(world.outside, WALLET, false)]);
    expect(await deaf()).toBe(0);
    expect(await leftAfter(48)).toHaveLength(2);
    expect(await hearingOf(world.outside, [WALLET])).toMatchObject([{ canary: false }]);
    await world.outside.table.write([setCanary(world.outside, WALLET, true)]);
    expect(await leftAfter(0.1)).toHaveLength(3);
  });

  test('is tested once if two housekeeping runs overlap', async () => {
    await hours(11.9);
    world.clock.nowMs += HOUR_MS;
    const { write } = world.outside.table;
    // The other run makes the same write first.
    world.outside.table.write = async (writes) => {
      world.outside.table.write = write;
      await write(writes);
      await write(writes.map(asAnother));
    };
    await world.housekeeping();
    expect(await world.rows('SEND')).toHaveLength(1);
  });
});

test('a number without a wallet is not tested', async () => {
  await hours(12.1);
  expect(await leftAfter(0.2)).toEqual([]);
  world.requests.length = 0;
  await world.housekeeping();
  const quiet = world.requests.length;
  world.clock.nowMs += 15 * MINUTE_MS;
  world.requests.length = 0;
  await world.housekeeping();
  expect(world.requests.length).toBe(quiet + 1);
});

test('a disabled or held-back number is not tested', async () => {
  await world.createMerchant();
  await world.switchSender(WALLET, false);
  expect(await leftAfter(24)).toEqual([]);
  await world.switchSender(WALLET, true);
  isOff = true;
  expect(await leftAfter(24)).toEqual([]);
});

test('other phone metrics are reported if the test results are unreadable', async () => {
  const { list } = world.outside.table;
  world.outside.table.list = (partition, range) =>
    partition === 'HEARING' ? Promise.reject(new Error('no')) : list(partition, range);
  await world.housekeeping();
  expect(world.counted).toMatchObject({ phones_not_heard: 0, housekeeping_runs: 1 });
  expect(world.logged).toMatchObject([{ level: 'error', event: 'task_failed', fields: { function: 'hearing' } }]);
});

/** Runs housekeeping for this many hours. The phones send texts and ping. */
async function hours(count: number, said: { pings?: boolean } = {}): Promise<void> {
  const endMs = world.clock.nowMs + count * HOUR_MS;
  while (world.clock.nowMs < endMs) {
    world.clock.nowMs += 5 * MINUTE_MS;
    if (said.pings ?? !isOff)
      for (const device of ['device-1', 'device-2']) await noteHeard(world.outside, 'phone', device, { isPing: true });
    await world.housekeeping();
    for (const { send_id, created_at } of await world.rows('SEND')) {
      if (created_at === world.iso() && !isHeld) await leave(String(send_id));
    }
  }
}

async function leave(send_id: string): Promise<void> {
  const before = world.fetched.length;
  await world.work('deliver-sms', [{ send_id, index: 0 }]);
  for (const { url, body } of world.fetched.slice(before)) {
    if (!url.includes('/messages?skip')) continue;
    const { deviceId, phoneNumbers, textMessage, id } = Object(body);
    if (isOff) continue;
    left.push({ device: deviceId, to: phoneNumbers[0], text: textMessage.text });
    const event = { deviceId, event: 'sms:sent', id: `sent-${id}`, payload: { messageId: id } };
    if (reports) await world.call('callback/smsgate', signedCallback(world, event));
  }
}

/** Posts the latest test text from the wallet's phone. */
async function hears(said: { sender?: string; text?: string; device?: string; gateway?: 'phone' | 'spare' }) {
  const { gateway = 'phone', ...arrival } = said;
  const event = receivedEvent(world, { sender: WALLET, text: left.at(-1)?.text ?? '', ...arrival });
  return (await world.call('callback/smsgate', signedCallback(world, event, gateway))).status;
}

function nonce(): string {
  return /[0-9a-f]{20}$/.exec(left.at(-1)?.text ?? '')?.[0] ?? 'none';
}

async function state(): Promise<string | undefined> {
  const [hearing] = await hearingOf(world.outside, [WALLET]);
  return hearing?.test?.state;
}

async function stateAfter(...given: Parameters<typeof hours>): Promise<string | undefined> {
  await hours(...given);
  return state();
}

async function deafAfter(count: number): Promise<number | undefined> {
  await hours(count);
  return deaf();
}

async function leftAfter(count: number) {
  await hours(count);
  return left;
}

async function deaf(): Promise<number | undefined> {
  Reflect.deleteProperty(world.counted, 'phones_not_heard');
  await world.housekeeping();
  return world.counted.phones_not_heard;
}

/** Makes the gateway reject texts. */
function withRefusal(answer: Scene['gateway']): Scene['gateway'] {
  return async (request) =>
    request.url.includes('/messages?skip') ? Response.json({ message: 'no SIM' }, { status: 400 }) : answer(request);
}

/** Returns the write that a second run would make. */
function asAnother<Write extends { put?: { Item?: Record<string, unknown> | undefined } }>(write: Write): Write {
  const { put } = write;
  return put?.Item ? { ...write, put: { ...put, Item: { ...put.Item, pk: 'SEND#another' } } } : write;
}
