import { describe, expect, test } from 'vitest';
import { DAY_MS } from '../../../shared/runtime/values/calendar.ts';
import type { Gap } from '../../../shared/wallets/chain/branches.ts';
import type { Chain, Movement } from '../../../shared/wallets/chain/chain.ts';
import {
  doubtOf,
  forkOf,
  hasManyGuesses,
  isPaused,
  pausedUntilMs,
  withFailed,
  withoutCounts,
} from '../../../shared/wallets/chain/guesses.ts';
import { checkEach } from '../../support/check-each.ts';
import { at, chainAt, idOf, text } from './texts.ts';

const CHAIN = chainAt(0, 100);
const NEXT = text(5, 100, 150);
/** Creates texts that fit nowhere, each a minute older than the previous one. */
const wrong = (count: number, minute = 3) =>
  Array.from({ length: count }, (_, n) => text(minute - n, 7000 + 10 * n, 9000 + n));
const doubt = (left: readonly Movement[], { chain = CHAIN, minute = 6, gaps = [] as readonly Gap[] } = {}) =>
  doubtOf(chain, { linked: [NEXT], left }, gaps, at(minute));

describe('the pause after guesses', () => {
  const failed = withFailed(withFailed(CHAIN, 1, at(0)), 2, at(1));
  const paused = (chain: Chain, minute: number) => isPaused(chain, at(minute));

  test('starts after three failed texts and ends after thirty days', () => {
    expect(paused(withFailed(CHAIN, 2, at(0)), 1)).toBe(false);
    expect(paused(failed, 2)).toBe(true);
    expect(pausedUntilMs(failed, at(2))).toBe(at(0) + 30 * DAY_MS);
    expect(isPaused(failed, at(0) + 30 * DAY_MS)).toBe(false);
    expect(pausedUntilMs(failed, at(0) + 30 * DAY_MS)).toBeUndefined();
  });

  test('counts only guesses since the anchor', () => {
    const since = (minute: number) => ({ ...failed, anchor: { ...failed.anchor, at_ms: at(minute) } });
    expect(paused(since(-1), 2)).toBe(true);
    expect(paused(since(0), 2)).toBe(false);
    expect(pausedUntilMs(since(0), at(2))).toBeUndefined();
    expect(paused(withFailed(since(0), 1, at(2)), 2)).toBe(true);
  });

  test('is extended by each further failure', () => {
    const more = withFailed(failed, 1000, at(0) + 29 * DAY_MS);
    expect(more.failed_ms).toHaveLength(9);
    expect(pausedUntilMs(more, at(0) + 29 * DAY_MS)).toBe(at(0) + 59 * DAY_MS);
  });

  test('is forgotten without the texts that were counted', () => {
    const tries = [
      { text_hash: 'a', at_ms: at(1) },
      { text_hash: 'b', at_ms: at(7) },
    ];
    expect(withoutCounts(failed, tries).failed_ms).toEqual([at(0), at(1)]);
  });
});

test('more than eight guesses in thirty days are many, whether or not the owner looked', () => {
  const many = withFailed(withFailed(CHAIN, 8, at(0)), 1, at(60));
  const named = { ...many, anchor: { ...many.anchor, at_ms: at(90) } };
  expect(hasManyGuesses(withFailed(CHAIN, 8, at(0)), at(100))).toBe(false);
  expect(hasManyGuesses(named, at(100))).toBe(true);
  expect(hasManyGuesses(named, at(0) + 30 * DAY_MS)).toBe(false);
});

describe('doubtOf', () => {
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

  test('returns the possible guesses', () =>
    checkEach<[ReturnType<typeof doubt>, string, readonly Movement[], Parameters<typeof doubt>[1]?]>(
      [
        [undefined, 'with two unlinked texts after two minutes', wrong(2)],
        ['guessed', 'with three unlinked texts after two minutes', wrong(3)],
        ['guessed', 'with one unlinked text after two earlier failures', wrong(1), { chain: failed }],
        [
          undefined,
          'thirty days after earlier failures',
          wrong(1),
          { chain: withFailed(CHAIN, 2, at(6) - 30 * DAY_MS) },
        ],
        [
          'unclear',
          'with three unlinked texts that have just arrived',
          wrong(3).map((one) => ({ ...one, arrived_ms: at(5) })),
        ],
        // Texts with descending ids are never passed.
        [undefined, 'with five texts that have newer ids', newer.slice(1)],
        ['unclear', 'with six texts that have newer ids', newer],
        ['unclear', 'if another waiting text starts at the same balance', [text(3, 100, 180)]],
        ['unclear', 'if other texts also continue from the head', ways],
        ['unclear', 'if texts lead to the same balance from elsewhere', road],
        ['guessed', 'if further texts fit nowhere', [...road, ...wrong(3)]],
        [
          'guessed',
          'if the other path to the balance contains a newer text',
          [...road.slice(0, 2), text(1.5, 50, 60), text(9, 7300, 100)],
        ],
        [
          undefined,
          'if the unlinked texts arrived before the anchor',
          wrong(3),
          { chain: { ...CHAIN, anchor: { ...CHAIN.anchor, at_ms: at(4) } } },
        ],
        [undefined, 'if the unlinked texts lie within a known gap', wrong(3, -10), { gaps: [gapTo(-5)] }],
        ['guessed', 'if texts continue from the head at the end of a gap', lastMinute, { gaps: [gapTo(0)] }],
        [undefined, 'if texts lead to the end of a gap', toEnd, { gaps: [gapTo(0)] }],
        ['unclear', 'if a text leads from the head to the end of a gap', [text(-0.1, 100, 9)], { gaps: [gapTo(0)] }],
      ],
      ([expected, _, left, given]) => {
        expect(doubt(left, given)).toBe(expected);
      },
    ));
});

describe('forkOf', () => {
  const recent = [100, 150, 170].map((balance, n) => ({ id: idOf(n - 2), balance, at_ms: at(n - 2) }));
  const chain: Chain = { ...CHAIN, recent };
  const begins = text(0, 100, 130);

  test('returns the position from which a text has waited for two minutes', () => {
    expect(forkOf(chain, [begins], at(2))).toBe(recent[0]);
    expect(forkOf(chain, [begins], at(1))).toBeUndefined();
  });

  test.each<[string, Chain, Movement]>([
    ['at the head', chain, text(1, 170, 180)],
    ['at a balance that the wallet never had', chain, text(0, 101, 130)],
    ['before the position with its balance', chain, text(-5, 100, 130)],
    ['at a position with only outgoing money after it', { ...chain, recent: recent.toReversed() }, text(1, 150, 160)],
    ['before the owner’s last look', { ...chain, looked_ms: at(-1) }, begins],
  ])('returns undefined if the waiting text starts %s', (_, one, left) => {
    expect(forkOf(one, [left], at(10))).toBeUndefined();
  });
});
