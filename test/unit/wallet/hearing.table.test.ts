import { beforeEach, describe, expect, test } from 'vitest';
import { HOUR_MS } from '../../../shared/runtime/values/calendar.ts';
import {
  endTest,
  findTest,
  type Hearing,
  type HearingTest,
  hearingOf,
  isTestDue,
  isUnreachable,
  noteReturned,
  setCanary,
  startTest,
} from '../../../shared/wallets/wallet/hearing.table.ts';
import { createWorld, type World } from '../../support/world.ts';

const NUMBER = '+233241234567';

let world: World;
beforeEach(async () => {
  world = await createWorld();
});

describe('starting a reception test', () => {
  test('fails during a test', async () => {
    expect(await begin('one')).toMatchObject({ nonce_hash: 'one', state: 'waiting' });
    expect(await begin('two')).toMatchObject({ nonce_hash: 'one' });
  });

  test('succeeds at most twice in 24 hours', async () => {
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

  test('fails if the wallet’s tests are turned off', async () => {
    await world.outside.table.write([setCanary(world.outside, NUMBER, false)]);
    expect(await begin('one')).toBeUndefined();
    await world.outside.table.write([setCanary(world.outside, NUMBER, true)]);
    expect(await begin('one')).toMatchObject({ state: 'waiting' });
  });
});

describe('ending a reception test', () => {
  test('succeeds once and only for the current test', async () => {
    const first = await missed('one');
    expect(await endTest(world.outside, first, 'heard')).toBe(false);
    const second = await begin('two');
    expect(await endTest(world.outside, first, 'missed')).toBe(false);
    expect(await current()).toEqual(second);
  });

  test('counts consecutive missed tests', async () => {
    await missed('one');
    expect(await missed('two', 1)).toMatchObject({ misses: 2, missed_at: world.iso() });
    world.clock.nowMs += 24 * HOUR_MS;
    const third = await begin('three', 2);
    if (third) await endTest(world.outside, third, 'heard');
    expect(await current()).toMatchObject({ state: 'heard', misses: 0, heard_at: world.iso() });
  });

  test('records a late text only after a missed test', async () => {
    const first = await begin('one');
    if (first) await noteReturned(world.outside, first);
    expect((await current())?.returned_at).toBeUndefined();
    if (first) await endTest(world.outside, first, 'missed');
    if (first) await noteReturned(world.outside, first);
    const returnedAt = world.iso();
    world.clock.nowMs += HOUR_MS;
    if (first) await noteReturned(world.outside, first);
    expect(await current()).toMatchObject({ state: 'missed', returned_at: returnedAt });
    expect((await begin('two'))?.returned_at).toBeUndefined();
  });
});

test('a reception test is found by its nonce', async () => {
  await begin('one');
  expect(await findTest(world.outside, 'one')).toMatchObject({ number: NUMBER });
  expect(await findTest(world.outside, 'two')).toBeUndefined();
});

const sender = { in_use_since: '2026-11-01T00:00:00.000Z' };

describe('isTestDue', () => {
  test.each([
    ['2026-11-19T21:00:00.000Z', '2026-11-20T16:59:59.999Z', '2026-11-20T17:00:00.000Z'],
    ['2026-11-20T06:00:00.000Z', '2026-11-20T17:59:59.999Z', '2026-11-20T18:00:00.000Z'],
    // After a text at night, the silence counts from the morning.
    ['2026-11-20T02:00:00.000Z', '2026-11-20T17:59:59.999Z', '2026-11-20T18:00:00.000Z'],
    ['2026-11-19T12:00:00.000Z', '2026-11-20T07:59:59.999Z', '2026-11-20T08:00:00.000Z'],
  ])('is true twelve opening hours after %s: not at %s, but at %s', (heardAt, notYet, due) => {
    expect(isTestDue(Date.parse(notYet), hearing({ heardAt }), sender)).toBe(false);
    expect(isTestDue(Date.parse(due), hearing({ heardAt }), sender)).toBe(true);
  });

  test('is false at night', () => {
    const at = (time: string) => isTestDue(Date.parse(`2026-11-20T${time}Z`), hearing({}), sender);
    expect(['22:00:00.000', '00:00:00.000', '05:59:59.999'].map(at)).toEqual([false, false, false]);
    expect(['06:00:00.000', '21:59:59.999'].map(at)).toEqual([true, true]);
  });

  test('is true twelve hours after the number was moved to a different SIM', () => {
    const moved = { in_use_since: '2026-11-20T06:00:00.000Z' };
    expect(isTestDue(Date.parse('2026-11-20T17:59:59.999Z'), hearing({}), moved)).toBe(false);
    expect(isTestDue(Date.parse('2026-11-20T18:00:00.000Z'), hearing({}), moved)).toBe(true);
  });

  test('is false if tests are turned off', () => {
    expect(isTestDue(Date.parse('2026-11-20T12:00:00.000Z'), hearing({ canary: false }), sender)).toBe(false);
  });
});

const started_at = '2026-11-20T10:00:00.000Z';

test.each<[what: string, said: Partial<HearingTest>, notYetHours: number, dueHours?: number]>([
  ['fifty minutes after a missed test', { state: 'missed' }, 0.8, 0.9],
  ['fifty minutes after an unsent test', { state: 'not_sent' }, 0.8, 0.9],
  ['fifty minutes after a dropped test', { state: 'dropped' }, 0.8, 0.9],
  // Waking hours are 10:00 to 22:00 on this day and from 06:00 on the next.
  ['twelve waking hours after a test that arrived', { state: 'heard', heard_at: started_at }, 11, 20],
  [
    'for the third time once the first test is a day old',
    { state: 'missed', before_at: '2026-11-20T08:00:00.000Z' },
    21.9,
    22,
  ],
  ['at no time while a test is in progress', { state: 'waiting' }, 5],
])('the next reception test starts %s', (_, said, notYetHours, dueHours) => {
  const isDueAfter = (hours: number) =>
    isTestDue(Date.parse(started_at) + hours * HOUR_MS, hearing({ said: { started_at, ...said } }), sender);
  expect(isDueAfter(notYetHours)).toBe(false);
  if (dueHours) expect(isDueAfter(dueHours)).toBe(true);
});

test.each<[is: boolean, what: string, given: Partial<Parameters<typeof hearing>[0]>, inUseSince?: string]>([
  [false, 'after one miss', { said: { misses: 1 } }],
  [true, 'after two misses in a row', {}],
  [true, 'while another test waits after two misses', { said: { state: 'waiting' } }],
  [true, 'when a text of the wallet arrived before two misses', { heardAt: '2026-11-20T11:59:00.000Z' }],
  [false, 'once a text arrives that was sent after two misses', { heardAt: '2026-11-20T12:00:01.000Z' }],
  [false, 'once its number is assigned to a phone again', {}, '2026-11-20T12:30:00.000Z'],
  [false, 'when tests are turned off', { canary: false }],
])(
  'a phone that sends but does not receive is reported (%s) %s',
  (is, _, { said, ...given }, in_use_since = sender.in_use_since) => {
    const missed = { state: 'missed', misses: 2, missed_at: '2026-11-20T12:00:00.000Z' } as const;
    expect(isUnreachable(hearing({ ...given, said: { ...missed, ...said } }), { in_use_since })).toBe(is);
  },
);

/** Tries to start a reception test. Returns the wallet's latest test. */
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

function hearing({
  heardAt,
  said,
  canary = true,
}: {
  heardAt?: string;
  said?: Partial<HearingTest>;
  canary?: boolean;
}): Hearing {
  const place = { number: NUMBER, gateway: 'phone', device_id: 'device-1' };
  const test: HearingTest = {
    ...place,
    state: 'heard',
    nonce_hash: 'hash',
    send_id: 'send',
    from: place.number,
    started_at: '2026-11-15T08:00:00.000Z',
    before_at: '',
    misses: 0,
    ...said,
  };
  const phones = heardAt ? [{ ...place, heard_at: heardAt }] : [];
  return { number: place.number, canary, phones, test: said && test };
}
