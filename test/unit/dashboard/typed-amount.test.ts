import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { AmountFromZero, TypedAmount } from '../../../shared/ghana/typed.ts';

test.each([
  ['20', 2_000],
  [' 35.5 ', 3_550],
  ['GHS 1,500.50', 150_050],
  ['20 ghs', 2_000],
  ['100,000', 10_000_000],
])('an amount is understood as people write it: %j', (written, pesewas) => {
  expect(z.parse(TypedAmount, written)).toBe(pesewas);
});

// Read without its comma, 20,50 would ask a customer for a hundred times as much.
test.each(['20,50', '1,50', '12,34,56', 'abc', '12.345', '-5', '100,000.01', '0', '1e3'])(
  'what may be meant otherwise is refused, with what to write: %j',
  (written) => {
    const { success, error } = z.safeParse(TypedAmount, written);
    expect(success).toBe(false);
    expect(error?.issues[0]?.message).toBe('must be from 0.01 to 100,000 cedis, such as 50 or 49.99');
  },
);

test('where 0 means never, it may be typed', () => {
  expect(z.parse(AmountFromZero, '0')).toBe(0);
  expect(z.safeParse(AmountFromZero, '49,99').success).toBe(false);
});
