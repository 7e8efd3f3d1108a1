import { describe, expect, test } from 'vitest';
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

const DAY_MS = 24 * 60 * 60_000;
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
  test('where more than two were passed that had waited two minutes', () => {
    expect(doubt(wrong(2))).toBeUndefined();
    expect(doubt(wrong(3))).toBe('guessed');
  });

  test('with those that failed before, for thirty days', () => {
    const chain = withFailed(CHAIN, 2, at(0));
    expect(doubt(wrong(1), { chain })).toBe('guessed');
    const old = withFailed(CHAIN, 2, at(6) - 30 * DAY_MS);
    expect(doubt(wrong(1), { chain: old })).toBeUndefined();
  });

  test('for a moment, where the others may still be explained', () => {
    const fresh = wrong(3).map((one) => ({ ...one, arrived_ms: at(5) }));
    expect(doubt(fresh)).toBe('unclear');
  });

  test('while more than five are newer, though their phone got them long ago: none is ever passed by falling ids', () => {
    const newer = wrong(6, 12).map((one) => ({ ...one, at_ms: at(-60), arrived_ms: at(5) }));
    expect(doubt(newer.slice(1))).toBeUndefined();
    expect(doubt(newer)).toBe('unclear');
  });

  test('where another that waited begins at the same balance', () => {
    expect(doubt([text(3, 100, 180)])).toBe('unclear');
  });

  test('but not counted as guessed for texts that lead on from the head in another way', () => {
    expect(doubt([text(1, 100, 180), text(2, 180, 190), text(3, 190, 200), text(3.5, 200, 220)])).toBe('unclear');
  });

  test('but not counted as guessed for texts that lead to it in another way, as after one that was lost', () => {
    const road = [text(1, 7000, 7100), text(2, 7100, 7300), text(3, 7300, 100)];
    expect(doubt(road)).toBe('unclear');
    expect(doubt([...road, ...wrong(3)])).toBe('guessed');
    // What leads there only by a text that is newer is none.
    expect(doubt([...road.slice(0, 2), text(1.5, 5000, 6000), text(9, 7300, 100)])).toBe('guessed');
  });

  test('not for what came before the chain decided', () => {
    const chain: Chain = { ...CHAIN, established_ms: at(4) };
    expect(doubt(wrong(3), { chain })).toBeUndefined();
  });

  test('not for what lies within a known break, but for what leads on from the head there', () => {
    const gapTo = (minute: number): Gap => ({
      from: { id: idOf(-30), balance: 5, at_ms: at(-30) },
      to: { id: idOf(minute), balance: 9, at_ms: at(minute) },
    });
    expect(doubt(wrong(3, -10), { gaps: [gapTo(-5)] })).toBeUndefined();
    const lastMinute = wrong(3, 0).map((one, n) => ({ ...one, id: idOf(-0.1 - n / 10) }));
    expect(doubt(lastMinute, { gaps: [gapTo(0)] })).toBe('guessed');
  });

  test('never before the chain is established', () => {
    expect(doubt(wrong(300), { chain: chainAt(0, 100) })).toBeUndefined();
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
    ['before the chain is established', { ...chain, established_ms: undefined }, begins],
    ['with a text from before that', { ...chain, established_ms: at(1) }, begins],
  ])('is none where it begins %s', (_, one, left) => {
    expect(forkOf(one, [left], at(10))).toBeUndefined();
  });
});
