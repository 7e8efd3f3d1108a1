import { describe, expect, test } from 'vitest';
import { DAY_MS } from '../../../shared/runtime/values/calendar.ts';
import type { Gap } from '../../../shared/wallets/chain/branches.ts';
import type { Chain, Movement } from '../../../shared/wallets/chain/chain.ts';
import {
  doubtOf,
  forkOf,
  guessedUntilMs,
  isGuessed,
  isUnsure,
  withFailed,
} from '../../../shared/wallets/chain/guesses.ts';
import { at, chainAt, idOf, text } from './texts.ts';

const CHAIN = chainAt(0, 100, { established_ms: 0 });
const NEXT = text(5, 100, 150);
/** Texts that fit nowhere, each a minute older than the one before. */
const wrong = (count: number, minute = 3) =>
  Array.from({ length: count }, (_, n) => text(minute - n, 7000 + 10 * n, 9000 + n));
const doubt = (left: readonly Movement[], { chain = CHAIN, minute = 6, gaps = [] as readonly Gap[] } = {}) =>
  doubtOf(chain, { linked: [NEXT], left }, gaps, at(minute));

describe('what links counts as guessed', () => {
  test('once three texts failed, for thirty days from the first of them', () => {
    const failed = withFailed(withFailed(CHAIN, 1, at(0)), 2, at(1));
    expect(isGuessed(withFailed(CHAIN, 2, at(0)), at(1))).toBe(false);
    expect(isGuessed(failed, at(2))).toBe(true);
    expect(guessedUntilMs(failed, at(2))).toBe(at(0) + 30 * DAY_MS);
    expect(isGuessed(failed, at(0) + 30 * DAY_MS)).toBe(false);
    expect(guessedUntilMs(failed, at(0) + 30 * DAY_MS)).toBeUndefined();
  });

  test('longer with each that fails: only the last three count', () => {
    const failed = withFailed(withFailed(CHAIN, 3, at(0)), 1000, at(0) + 29 * DAY_MS);
    expect(failed.failed_ms).toHaveLength(3);
    expect(guessedUntilMs(failed, at(0) + 29 * DAY_MS)).toBe(at(0) + 59 * DAY_MS);
  });

  test('never before the chain is established', () => {
    expect(isGuessed({ ...withFailed(CHAIN, 3, at(0)), established_ms: undefined }, at(1))).toBe(false);
  });

  test('or where the wallet is empty, for the words that its owner sees', () => {
    const empty = chainAt(0, 0, { established_ms: 0 });
    expect([CHAIN, empty, chainAt(0, 0)].map((one) => isUnsure(one, at(1)))).toEqual([false, true, false]);
  });
});

describe('a text that links is doubted', () => {
  const failed = withFailed(CHAIN, 2, at(0));
  const newer = wrong(6, 12).map((one) => ({ ...one, at_ms: at(-60), arrived_ms: at(5) }));
  const road = [text(1, 7000, 7100), text(2, 7100, 7300), text(3, 7300, 100)];
  const ways = [text(1, 100, 180), text(2, 180, 190), text(3, 190, 200), text(3.5, 200, 220)];
  const gapTo = (minute: number): Gap => ({
    from: { id: idOf(-30), balance: 5, at_ms: at(-30) },
    to: { id: idOf(minute), balance: 9, at_ms: at(minute) },
  });
  const toEnd = [text(-0.3, 7000, 7100), text(-0.2, 7100, 7300), text(-0.1, 7300, 9)];
  const lastMinute = wrong(3, 0).map((one, n) => ({ ...one, id: idOf(-0.1 - n / 10) }));

  test.each<[ReturnType<typeof doubt>, string, readonly Movement[], Parameters<typeof doubt>[1]?]>([
    [undefined, 'where two were passed that had waited two minutes', wrong(2)],
    ['guessed', 'where more were', wrong(3)],
    ['guessed', 'where one was, with two that failed before', wrong(1), { chain: failed }],
    [undefined, 'thirty days after those', wrong(1), { chain: withFailed(CHAIN, 2, at(6) - 30 * DAY_MS) }],
    ['unclear', 'where the others may still be explained', wrong(3).map((one) => ({ ...one, arrived_ms: at(5) }))],
    // None is ever passed by falling ids.
    [undefined, 'while five are newer, though their phone got them long ago', newer.slice(1)],
    ['unclear', 'while more are', newer],
    ['unclear', 'where another that waited begins at the same balance', [text(3, 100, 180)]],
    ['unclear', 'where texts lead on from the head in another way', ways],
    ['unclear', 'where texts lead to it in another way, as after one that was lost', road],
    ['guessed', 'where others fit nowhere besides', [...road, ...wrong(3)]],
    ['guessed', 'where they lead there by a newer text', [...road.slice(0, 2), text(1.5, 50, 60), text(9, 7300, 100)]],
    [undefined, 'for what came before the chain decided', wrong(3), { chain: { ...CHAIN, established_ms: at(4) } }],
    [undefined, 'for what lies within a known break', wrong(3, -10), { gaps: [gapTo(-5)] }],
    ['guessed', 'for what leads on from the head in one', lastMinute, { gaps: [gapTo(0)] }],
    [undefined, 'for what leads to the end of one', toEnd, { gaps: [gapTo(0)] }],
    ['unclear', 'for what leads there from the head', [text(-0.1, 100, 9)], { gaps: [gapTo(0)] }],
    [undefined, 'before the chain is established', wrong(300), { chain: chainAt(0, 100) }],
  ])('as %s: %s', (expected, _, left, given) => {
    expect(doubt(left, given)).toBe(expected);
  });
});

describe('the place to go back to', () => {
  const recent = [100, 150, 170].map((balance, n) => ({ id: idOf(n - 2), balance, at_ms: at(n - 2) }));
  const chain: Chain = { ...CHAIN, recent };
  const begins = text(0, 100, 130);

  test('is where a text begins that waited two minutes', () => {
    expect(forkOf(chain, [begins], at(2))).toBe(recent[0]);
    expect(forkOf(chain, [begins], at(1))).toBeUndefined();
  });

  test.each<[string, Chain, Movement]>([
    ['at the head', chain, text(1, 170, 180)],
    ['at a balance that it never had', chain, text(0, 101, 130)],
    ['earlier than the place', chain, text(-5, 100, 130)],
    ['where only money went out since', { ...chain, recent: recent.toReversed() }, text(1, 150, 160)],
    ['before a break that the owner has confirmed', { ...chain, unbroken_since_ms: at(-1) }, begins],
    ['before the chain is established', { ...chain, established_ms: undefined }, begins],
    ['with a text from before that', { ...chain, established_ms: at(1) }, begins],
  ])('is none where it begins %s', (_, one, left) => {
    expect(forkOf(one, [left], at(10))).toBeUndefined();
  });
});
