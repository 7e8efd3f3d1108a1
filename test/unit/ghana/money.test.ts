import { expect, test } from 'vitest';
import { ghsOf, pesewasOf } from '../../../shared/ghana/money.ts';

test('every amount of whole pesewas is taken as it is written and given back the same', () => {
  const some = Array.from({ length: 20_000 }, () => 1 + Math.floor(Math.random() * 10_000_000));
  for (const pesewas of [1, 10, 29, 57, 99, 100, 101, 829, 113_999, 9_999_999, 10_000_000, ...some]) {
    const ghs = Number((pesewas / 100).toFixed(2));
    expect(pesewasOf(ghs)).toBe(pesewas);
    expect(ghsOf(pesewas)).toBe(ghs);
  }
});

test.each([0.001, 0.009, 1.005, 0.1 + 0.2, 99_999.999, 100_000.001])('%d has more than two decimals', (ghs) => {
  expect(pesewasOf(ghs)).toBeUndefined();
});

test.each([-1, -0.01, Number.NaN, Number.POSITIVE_INFINITY, 1e21, 1e-7])('%d is no amount', (ghs) => {
  expect(pesewasOf(ghs)).toBeUndefined();
});
