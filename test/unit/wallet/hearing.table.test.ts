import { beforeEach, describe, expect, test } from 'vitest';
import {
  endTest,
  findTest,
  type HearingTest,
  hearingOf,
  noteReturned,
  setCanary,
  startTest,
} from '../../../shared/wallets/wallet/hearing.table.ts';
import { createWorld, type World } from '../../support/world.ts';

const NUMBER = '+233241234567';
const HOUR_MS = 3_600_000;

let world: World;
beforeEach(async () => {
  world = await createWorld();
});

describe('a test begins', () => {
  test('not while one waits', async () => {
    expect(await begin('one')).toMatchObject({ nonce_hash: 'one', state: 'waiting' });
    expect(await begin('two')).toMatchObject({ nonce_hash: 'one' });
  });

  test('twice in any 24 hours', async () => {
    await missed('one');
    world.clock.nowMs += 10 * HOUR_MS;
    await missed('two');
    world.clock.nowMs += 14 * HOUR_MS - 1;
    expect(await begin('three')).toMatchObject({ nonce_hash: 'two' });
    world.clock.nowMs += 1;
    expect(await missed('three')).toMatchObject({ nonce_hash: 'three' });
    world.clock.nowMs += 10 * HOUR_MS - 1;
    expect(await begin('four')).toMatchObject({ nonce_hash: 'three' });
    world.clock.nowMs += 1;
    expect(await begin('four')).toMatchObject({ nonce_hash: 'four' });
  });

  test('not for a wallet that is not to be tested', async () => {
    await world.outside.table.write([setCanary(world.outside, NUMBER, false)]);
    expect(await begin('one')).toBeUndefined();
    await world.outside.table.write([setCanary(world.outside, NUMBER, true)]);
    expect(await begin('one')).toMatchObject({ state: 'waiting' });
  });
});

describe('a test ends', () => {
  test('once, and as the one that it is', async () => {
    const first = await missed('one');
    expect(await endTest(world.outside, first, 'heard')).toBe(false);
    const second = await begin('two');
    expect(await endTest(world.outside, first, 'missed')).toBe(false);
    expect(await current()).toEqual(second);
  });

  test('misses are counted in a row', async () => {
    await missed('one');
    expect(await missed('two', 1)).toMatchObject({ misses: 2, missed_at: iso() });
    world.clock.nowMs += 24 * HOUR_MS;
    const third = await begin('three', 2);
    if (third) await endTest(world.outside, third, 'heard');
    expect(await current()).toMatchObject({ state: 'heard', misses: 0, heard_at: iso() });
  });

  test('and may come back after it was missed, not after anything else', async () => {
    const first = await begin('one');
    if (first) await noteReturned(world.outside, first);
    expect((await current())?.returned_at).toBeUndefined();
    if (first) await endTest(world.outside, first, 'missed');
    if (first) await noteReturned(world.outside, first);
    const returnedAt = iso();
    world.clock.nowMs += HOUR_MS;
    if (first) await noteReturned(world.outside, first);
    expect(await current()).toMatchObject({ state: 'missed', returned_at: returnedAt });
    expect((await begin('two'))?.returned_at).toBeUndefined();
  });
});

test('a test is found by its nonce alone', async () => {
  await begin('one');
  expect(await findTest(world.outside, 'one')).toMatchObject({ number: NUMBER });
  expect(await findTest(world.outside, 'two')).toBeUndefined();
});

/** What the wallet's last test is after another one was to begin. */
async function begin(nonce_hash: string, misses = 0): Promise<HearingTest | undefined> {
  const said = { number: NUMBER, from: NUMBER, gateway: 'phone', device_id: 'device-1', send_id: 'send' };
  await world.outside.table.write([startTest(world.outside, { ...said, nonce_hash, misses })]);
  return current();
}

async function missed(nonce_hash: string, misses = 0): Promise<HearingTest> {
  const begun = await begin(nonce_hash, misses);
  if (begun) await endTest(world.outside, begun, 'missed');
  const ended = await current();
  if (!ended) throw new Error('There is no test');
  return ended;
}

async function current(): Promise<HearingTest | undefined> {
  return (await hearingOf(world.outside, [NUMBER]))[0]?.test;
}

function iso(): string {
  return world.iso();
}
