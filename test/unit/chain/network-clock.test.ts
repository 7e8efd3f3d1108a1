import { describe, expect, test } from 'vitest';
import {
  isAhead,
  isBacked,
  isClockDoubted,
  isOld,
  learnFrom,
  NEW_CLOCK,
  type NetworkClock,
  type Stray,
  sameMoment,
  withStray,
} from '../../../shared/wallets/chain/network-clock.ts';
import { at, chainAt, IDS_A_MINUTE, idOf } from './texts.ts';

const HOUR = 60;
const DAY = 24 * HOUR;
const { recent } = chainAt(0, 100);
const sighting = (minute: number, atMinute = minute) => ({ id: idOf(minute), at_ms: at(atMinute) });

describe('isAhead', () => {
  test.each([
    [false, sighting(1)],
    [false, sighting(10)],
    // The pace of the busiest hour.
    [false, { id: idOf(2 * 10), at_ms: at(10) }],
    [true, { id: idOf(4 * 10), at_ms: at(10) }],
    [true, sighting(20, 1)],
    [true, sighting(60 * DAY, 1)],
  ])('returns %s for %j', (expected, one) => {
    expect(isAhead(NEW_CLOCK, 'MTN', recent, one)).toBe(expected);
  });

  test('returns false after a phone forwarded its last eight texts late', () => {
    const clock = learnFrom(NEW_CLOCK, 'MTN', undefined, sighting(0));
    const late = recent.map((_, n) => sighting(1 + n, DAY));
    expect(isAhead(clock, 'MTN', late, sighting(DAY + 1))).toBe(false);
    expect(isAhead(NEW_CLOCK, 'MTN', late, sighting(DAY + 1))).toBe(true);
    expect(isAhead(clock, 'MTN', late, sighting(10 * DAY, DAY + 1))).toBe(true);
  });
});

test('isOld returns true for an id that is days older than its text', () => {
  expect(isOld(NEW_CLOCK, 'MTN', recent, sighting(-2 * DAY, 0))).toBe(false);
  expect(isOld(NEW_CLOCK, 'MTN', recent, sighting(-4 * DAY, 0))).toBe(true);
});

describe('learnFrom', () => {
  test('learns how fast the network’s ids increase within two weeks', () => {
    const slow = (minute: number) => ({ id: idOf(0) + Math.round((minute * IDS_A_MINUTE) / 10), at_ms: at(minute) });
    let clock: NetworkClock = NEW_CLOCK;
    for (let day = 0; day <= 14; day++) clock = learnFrom(clock, 'MTN', slow((day - 1) * DAY), slow(day * DAY));
    expect(sameMoment(clock, 'MTN')).toBeCloseTo(IDS_A_MINUTE / 10, -2);
    expect(clock.anchors).toHaveLength(3);
    expect(clock.lately).toHaveLength(4);
  });

  test('limits the highest rate that it learns', () => {
    const clock = { ...NEW_CLOCK, anchors: [sighting(-7 * DAY), sighting(-DAY)], fastest: 1.5 };
    expect(learnFrom(clock, 'MTN', sighting(0), sighting(3 * HOUR, HOUR)).fastest).toBeCloseTo(3);
    expect(learnFrom(clock, 'MTN', sighting(0), sighting(30 * HOUR, HOUR)).fastest).toBe(4);
    expect(learnFrom({ ...clock, fastest: 1 }, 'MTN', sighting(0), sighting(1, HOUR)).fastest).toBe(1);
  });

  test('learns no rate from texts that arrive close together', () => {
    const clock = { ...NEW_CLOCK, anchors: [sighting(-7 * DAY), sighting(-DAY)] };
    expect(learnFrom(clock, 'MTN', sighting(0), sighting(100, 1)).fastest).toBe(clock.fastest);
  });
});

/** The network's ids have jumped ahead by a month. */
const jumped = (minute: number) => ({ id: idOf(minute + 30 * DAY), at_ms: at(minute) });
const stray = (minute: number, payer = `payer-${minute}`): Stray => ({
  ...jumped(minute),
  receipt_id: `receipt-${minute}`,
  payer,
});
const chain = { network: 'MTN', clock: NEW_CLOCK } as const;

describe('an unexpected id', () => {
  test.each<[boolean, string, readonly Stray[]]>([
    [false, 'without earlier unexpected ids', []],
    [false, 'after two from two payers', [stray(0), stray(20)]],
    [true, 'after three from three payers over ten minutes', [stray(0), stray(5), stray(10)]],
    [false, 'after three from three payers over nine minutes', [stray(0), stray(5), stray(9)]],
    [false, 'after three from one payer', [stray(0, 'one'), stray(5, 'one'), stray(10, 'one')]],
    [false, 'after three that do not form a series', [stray(0), stray(5), { ...stray(10), id: idOf(90 * DAY) }]],
  ])('is accepted (%s) %s', (expected, _, strays) => {
    expect(isBacked({ ...chain, strays }, jumped(11))).toBe(expected);
  });

  test('makes the network’s clock uncertain once it is accepted', () => {
    expect(isClockDoubted(chain)).toBe(false);
    expect(isClockDoubted({ ...chain, strays: [stray(0), stray(5)] })).toBe(false);
    expect(isClockDoubted({ ...chain, strays: [stray(0), stray(5), stray(10)] })).toBe(true);
  });
});

test('an unexpected id is stored once per payment, at most twenty times', () => {
  expect(withStray(undefined, stray(0))).toEqual([stray(0)]);
  expect(withStray([stray(0)], { ...stray(0), at_ms: at(3) })).toBeUndefined();
  const many = Array.from({ length: 20 }, (_, n) => stray(n));
  expect(withStray(many, stray(20))).toEqual([...many.slice(1), stray(20)]);
});
