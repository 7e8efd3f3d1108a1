import { expect, test } from 'vitest';
import { parseBalance } from '../../../shared/ghana/balance.ts';

test.each([
  ['3017.27', 3_017_27],
  ['GHS 3,017.27', 3_017_27],
  [' ghs3017 ', 3_017_00],
  ['0', 0],
  ['1,234,567.8', 1_234_567_80],
])('%j is what a wallet shows', (written, pesewas) => {
  expect(parseBalance(written)).toBe(pesewas);
});

test.each([
  ...['', ' ', 'GHS', '-1', '1.234', '1e3x', 'all of it', 'NaN', 'Infinity', '12,50', '1,2', '1,0475', ',5'],
  '12,345,6',
])('%j is not', (written) => {
  expect(parseBalance(written)).toBeUndefined();
});
