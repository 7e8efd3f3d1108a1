import { describe, expect, test } from 'vitest';
import type { Network } from '../../../shared/ghana/network.ts';
import { DAY_MS, HOUR_MS } from '../../../shared/runtime/values/calendar.ts';
import {
  agreedAnchor,
  anchorAt,
  isGuessable,
  isUnsure,
  isYoung,
  knownIfDue,
  provesSinceMs,
  SECOND_LOOK_AFTER_MS,
  withinSum,
} from '../../../shared/wallets/chain/anchor.ts';
import type { Chain, Movement } from '../../../shared/wallets/chain/chain.ts';
import { withFailed } from '../../../shared/wallets/chain/guesses.ts';
import { checkEach } from '../../support/check-each.ts';
import { at, chainAt, newChain, text } from './texts.ts';

/** A chain whose owner named GHS 50.37 at minute 0. */
const YOUNG = newChain(0, 5037);

test('a balance is guessable if it is below GHS 5 or whole cedis', () =>
  checkEach(
    [
      [0, true],
      [1, true],
      [499, true],
      [500, true],
      [501, false],
      [100_000, true],
      [100_001, false],
    ] as const,
    ([pesewas, isExpected]) => expect(isGuessable(pesewas)).toBe(isExpected),
  ));

describe('an anchor', () => {
  test('verifies texts at once unless anybody would try its balance, or it ends a pause', () => {
    expect(anchorAt(5037, 7)).toEqual({ balance: 5037, at_ms: 7, proves_since_ms: 7 });
    expect(anchorAt(5000, 7)).toEqual({ balance: 5000, at_ms: 7 });
    expect(anchorAt(5037, 7, { endsPause: true })).toEqual({ balance: 5037, at_ms: 7 });
  });

  test('verifies texts from the look that names another kind of balance', () => {
    const guessable = anchorAt(5000, 0);
    expect(agreedAnchor(guessable, 6000, 9).proves_since_ms).toBeUndefined();
    expect(agreedAnchor(guessable, 6037, 9).proves_since_ms).toBe(9);
    expect(agreedAnchor(anchorAt(5037, 3), 6000, 9).proves_since_ms).toBe(3);
  });

  test('is young until a look twelve hours later agrees', () => {
    const agreedAfter = (ms: number) => agreedAnchor(YOUNG.anchor, 5037, at(0) + ms);
    const isYoungAfter = (ms: number) => isYoung({ ...YOUNG, anchor: agreedAfter(ms) }, at(0) + ms);
    expect([SECOND_LOOK_AFTER_MS - 1, SECOND_LOOK_AFTER_MS].map(isYoungAfter)).toEqual([true, false]);
    expect(SECOND_LOOK_AFTER_MS).toBe(12 * HOUR_MS);
  });

  test('keeps the time of its second look', () => {
    const [second, third] = [at(0) + 12 * HOUR_MS, at(0) + 36 * HOUR_MS];
    expect(agreedAnchor(agreedAnchor(YOUNG.anchor, 5037, second), 5037, third).agreed_ms).toBe(second);
  });

  test('is young again while there are more than eight guesses in thirty days', () => {
    const chain = chainAt(0, 5037);
    expect(isYoung(withFailed(chain, 8, at(0)), at(1))).toBe(false);
    expect(isYoung(withFailed(chain, 9, at(0)), at(1))).toBe(true);
    expect(isYoung(withFailed(chain, 9, at(0)), at(0) + 30 * DAY_MS)).toBe(false);
  });
});

test('a chain verifies nothing while its links prove nothing or are paused', () => {
  expect(isUnsure(YOUNG, at(1))).toBe(false);
  expect(isUnsure(newChain(0, 5000), at(1))).toBe(true);
  expect(isUnsure(withFailed(YOUNG, 3, at(1)), at(2))).toBe(true);
});

test.each<[Network, links: number, isKnown: boolean]>([
  ['MTN', 0, true],
  ['TELECEL', 19, false],
  ['TELECEL', 20, true],
  ['AT', 1000, false],
])('on %s, %i linked texts are enough to verify texts: %s', (network, links, isKnown) => {
  const chain = knownIfDue({ ...YOUNG, network, links, known_since_ms: undefined }, at(9));
  expect(provesSinceMs(chain)).toBe(isKnown ? at(9) : undefined);
  expect(knownIfDue(chain, at(10))).toEqual(chain);
});

describe('the sum of a young anchor', () => {
  const paid = (pesewas: number, changed: Partial<Movement> = {}) =>
    text(1, 5037, 5037 + pesewas, { receipt_id: `MTN-${pesewas}`, ...changed });
  /** Returns the amounts above the sum if each row's payments are linked at its minute. */
  const aboveSum = (chain: Chain, ...rows: readonly [minute: number, ...Movement[]][]) => {
    let current = chain;
    return rows.flatMap(([minute, ...linked]) => {
      const { chain: after, beyond } = withinSum(current, linked, at(minute));
      current = after;
      return [...beyond].map((one) => one.after - one.before);
    });
  };
  const DAY = 24 * 60;

  test('allows GHS 1,000 in any 24 hours', () =>
    checkEach<[what: string, above: number[], ...rows: [minute: number, ...Movement[]][]]>(
      [
        ['one payment of the sum', [], [1, paid(1000_00)]],
        ['one payment above the sum', [1000_01], [1, paid(1000_01)]],
        ['two payments up to the sum', [], [1, paid(400_00)], [2, paid(600_00)]],
        ['a pesewa more', [600_01], [1, paid(400_00)], [2, paid(600_01)]],
        ['smaller payments after one above the sum', [999_99], [1, paid(400_00), paid(999_99), paid(600_00)]],
        ['a payment 24 hours later', [1], [59, paid(1000_00)], [59 + DAY, paid(1)]],
        ['a payment in the hour after 24 hours', [], [59, paid(1000_00)], [60 + DAY, paid(1)]],
        ['a day between two others', [2], [1, paid(500_00)], [600, paid(500_00)], [2 + DAY, paid(2)]],
        ['money that is no payment', [], [1, paid(5000_00, { receipt_id: undefined })]],
        ['a text that arrived before the anchor', [], [1, paid(5000_00, { arrived_ms: at(0) - 1 })]],
      ],
      ([_, above, ...rows]) => expect(aboveSum(YOUNG, ...rows)).toEqual(above),
    ));

  test('counts texts whenever they arrived if they led to a named balance', () => {
    const early = paid(1000_01, { arrived_ms: at(0) - 1 });
    expect([...withinSum(newChain(0, 5000), [early], at(1), true).beyond]).toEqual([early]);
  });

  test('is unlimited after the second look', () => {
    expect(aboveSum(chainAt(0, 5037), [1, paid(1_000_000_00)])).toEqual([]);
    expect(withinSum(chainAt(0, 5037), [paid(1)], at(1)).chain.confirmed).toBeUndefined();
  });

  test('remembers the first payment above it', () => {
    const [first, second] = [paid(2000_00, { id: 7 }), paid(3000_00, { id: 5 })];
    const { chain } = withinSum(withinSum(YOUNG, [first], at(1)).chain, [second], at(2));
    expect(chain.beyond_since_id).toBe(5);
  });
});
