import { describe, expect, test } from 'vitest';
import { BALANCE_LIMITS_PESEWAS } from '../../../shared/ghana/balance-limit.ts';
import { networkTexts } from '../../../shared/ghana/network.ts';
import { LEAST_NEAR_PESEWAS, nearLimit } from '../../../shared/wallets/wallet/record-wallet-notices.ts';

describe('a wallet with a balance limit', () => {
  test.each(BALANCE_LIMITS_PESEWAS)('is near its limit of %d pesewas at nine tenths', (limit) => {
    const near = { limit_pesewas: limit, assumed: false };
    expect(nearLimit(0.9 * limit - 1, limit)).toBeUndefined();
    for (const balance of [0.9 * limit, limit, limit + 1]) expect(nearLimit(balance, limit)).toEqual(near);
  });

  test('ignores all other limits', () => {
    expect(nearLimit(4_999_99, 40_000_00)).toBeUndefined();
  });
});

describe('a wallet without a balance limit', () => {
  test.each([
    [4_499_99, undefined],
    [4_500_00, 5_000_00],
    [5_000_00, 5_000_00],
    [5_000_01, undefined],
    [35_999_99, undefined],
    [36_000_00, 40_000_00],
    [40_000_01, undefined],
    [67_500_00, 75_000_00],
    [75_000_00, 75_000_00],
    [75_000_01, undefined],
  ])('with %d pesewas is near the next limit: %s', (balance, limit_pesewas) => {
    expect(nearLimit(balance, undefined)).toEqual(limit_pesewas && { limit_pesewas, assumed: true });
  });
});

test('LEAST_NEAR_PESEWAS is the lowest balance near a limit', () => {
  const limits = [undefined, ...BALANCE_LIMITS_PESEWAS];
  expect(limits.some((limit) => nearLimit(LEAST_NEAR_PESEWAS, limit))).toBe(true);
  expect(limits.some((limit) => nearLimit(LEAST_NEAR_PESEWAS - 1, limit))).toBe(false);
});

test('every text about a refused payment contains the network’s id', () => {
  const refusals = Object.values(networkTexts)
    .flatMap(({ shapes }) => Object.values(shapes))
    .filter(({ text }) => text.includes('{refused}'));
  expect(refusals.length).toBeGreaterThan(0);
  // Ids in square brackets are optional.
  for (const { text } of refusals) expect(text.replace(/\[[^\]]*\]/g, '')).toContain('{id}');
});
