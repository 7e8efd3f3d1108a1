import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { parseBalance } from '../../../shared/ghana/balance.ts';
import { ghsOf, pesewasOf } from '../../../shared/ghana/money.ts';
import { AmountFromZero, TypedAmount } from '../../../shared/ghana/typed.ts';
import { chanceFrom } from '../../simulation/random.ts';

const chance = chanceFrom(1);

test('pesewas can be converted to cedis and back without loss', () => {
  const some = Array.from({ length: 20_000 }, () => 1 + Math.floor(chance.next() * 10_000_000));
  for (const pesewas of [1, 10, 29, 57, 99, 100, 101, 829, 113_999, 9_999_999, 10_000_000, ...some]) {
    const ghs = Number((pesewas / 100).toFixed(2));
    expect(pesewasOf(ghs)).toBe(pesewas);
    expect(ghsOf(pesewas)).toBe(ghs);
  }
});

test.each([0.001, 0.009, 1.005, 0.1 + 0.2, 99_999.999, 100_000.001])(
  '%d cedis are rejected because of a third decimal',
  (ghs) => {
    expect(pesewasOf(ghs)).toBeUndefined();
  },
);

test.each([-1, -0.01, Number.NaN, Number.POSITIVE_INFINITY, 1e21, 1e-7])(
  '%d cedis are rejected as an amount',
  (ghs) => {
    expect(pesewasOf(ghs)).toBeUndefined();
  },
);

test.each([
  ['20', 2_000],
  [' 35.5 ', 3_550],
  ['GHS 1,500.50', 150_050],
  ['20 ghs', 2_000],
  ['100,000', 10_000_000],
  ['20,50', 2_050],
  ['1,5', 150],
  ['1,200', 120_000],
  ['GHC 20', 2_000],
  ['GH¢20', 2_000],
  ['GH₵ 20.50', 2_050],
  ['20 cedis', 2_000],
  ['1 cedi', 100],
  ['２０', 2_000],
  ['\u202a20\u202c', 2_000],
])('a typed amount is parsed: %j', (written, pesewas) => {
  expect(z.parse(TypedAmount, written)).toBe(pesewas);
});

test.each(['12,34,56', '1,234,50', '1,2000', '1.200,50', 'abc', '12.345', '-5', '100,000.01', '0', '1e3'])(
  'an ambiguous amount is rejected with advice: %j',
  (written) => {
    const { success, error } = z.safeParse(TypedAmount, written);
    expect(success).toBe(false);
    expect(error?.issues[0]?.message).toBe('must be from 0.01 to 100,000 cedis, such as 50 or 49.99');
  },
);

test('a typed 0 is accepted if it means “never”', () => {
  expect(z.parse(AmountFromZero, '0')).toBe(0);
  expect(z.safeParse(AmountFromZero, '4,99,9').success).toBe(false);
});

test.each([
  ['3017.27', 3_017_27],
  ['GHS 3,017.27', 3_017_27],
  [' ghs3017 ', 3_017_00],
  ['0', 0],
  ['1,234,567.8', 1_234_567_80],
])('a balance copied from a phone is parsed: %j', (written, pesewas) => {
  expect(parseBalance(written)).toBe(pesewas);
});

test.each([
  ...['', ' ', 'GHS', '-1', '1.234', '1e3x', 'all of it', 'NaN', 'Infinity', '12,50', '1,2', '1,0475', ',5'],
  '12,345,6',
])('an invalid balance is rejected: %j', (written) => {
  expect(parseBalance(written)).toBeUndefined();
});
