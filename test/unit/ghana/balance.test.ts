import { expect, test } from 'vitest';
import { parseBalance } from '../../../shared/ghana/balance.ts';

test.each([
  ['3017.27', 3_017_27],
  ['GHS 3,017.27', 3_017_27],
  [' ghs3017 ', 3_017_00],
  ['0', 0],
])('%j is what a wallet shows', (written, pesewas) => {
  expect(parseBalance(written)).toBe(pesewas);
});

test.each(['', ' ', 'GHS', '-1', '1.234', '1e3x', 'all of it', 'NaN', 'Infinity'])('%j is not', (written) => {
  expect(parseBalance(written)).toBeUndefined();
});
