import { describe, expect, test } from 'vitest';
import {
  isBacked,
  isClockDoubted,
  NEW_CLOCK,
  type Stray,
  straysAfter,
  withStray,
} from '../../../shared/wallets/chain/network-clock.ts';
import { at, idOf } from './texts.ts';

const HOUR = 60;
const DAY = 24 * HOUR;
/** The network has jumped: its ids are a month further than their time. */
const jumped = (minute: number) => ({ id: idOf(minute + 30 * DAY), at_ms: at(minute) });
const stray = (minute: number, payer = `payer-${minute}`): Stray => ({
  ...jumped(minute),
  receipt_id: `receipt-${minute}`,
  payer,
});
const chain = { network: 'MTN', clock: NEW_CLOCK, mode: 'observe' } as const;

describe('an odd id is believed', () => {
  test.each<[boolean, string, readonly Stray[]]>([
    [false, 'with none before it', []],
    [false, 'with two payers before it', [stray(0), stray(20)]],
    [true, 'with three payers before it, within ten minutes', [stray(0), stray(5), stray(10)]],
    [false, 'with three payers of nine minutes', [stray(0), stray(5), stray(9)]],
    [false, 'with one payer’s three', [stray(0, 'one'), stray(5, 'one'), stray(10, 'one')]],
    [false, 'with three that are no series', [stray(0), stray(5), { ...stray(10), id: idOf(90 * DAY) }]],
  ])('%s: %s', (expected, _, strays) => {
    expect(isBacked({ ...chain, strays }, jumped(11))).toBe(expected);
  });

  test('and its clock is doubted as long as one of them is', () => {
    expect(isClockDoubted(chain)).toBe(false);
    expect(isClockDoubted({ ...chain, strays: [stray(0), stray(5)] })).toBe(false);
    expect(isClockDoubted({ ...chain, strays: [stray(0), stray(5), stray(10)] })).toBe(true);
  });
});

test('a payment is one stray however often it comes, and the newest twenty stay', () => {
  expect(withStray(undefined, stray(0))).toEqual([stray(0)]);
  expect(withStray([stray(0)], { ...stray(0), at_ms: at(3) })).toBeUndefined();
  const many = Array.from({ length: 20 }, (_, n) => stray(n));
  expect(withStray(many, stray(20))).toEqual([...many.slice(1), stray(20)]);
});

describe('once a text has linked', () => {
  const strays = [stray(0), stray(5)];
  test('those of its series are none, and the others stay for a day', () => {
    expect(straysAfter(chain, jumped(6))).toBeUndefined();
    expect(straysAfter({ ...chain, strays }, jumped(6))).toEqual([]);
    const usual = (minute: number) => ({ id: idOf(minute), at_ms: at(minute) });
    expect(straysAfter({ ...chain, strays }, usual(6))).toEqual(strays);
    expect(straysAfter({ ...chain, strays }, usual(DAY))).toEqual([stray(5)]);
  });
});
