import { expect, test } from 'vitest';
import { numbersIn } from '../../../shared/ghana/phone-number.ts';

const AMA = '+233241234567';
const KOFI = '+233201112223';

test.each([
  ['one below the other', '0241234567\n0201112223', [AMA, KOFI]],
  ['as Windows writes lines', '0241234567\r\n0201112223\r\n', [AMA, KOFI]],
  ['with commas and semicolons', '0241234567, 020 111 2223;', [AMA, KOFI]],
  ['in one line with spaces', '0241234567 0201112223', [AMA, KOFI]],
  ['with spaces within', '024 123 4567 020 111 2223', [AMA, KOFI]],
  ['in every form', '+233 24 123 4567 / 00233201112223', [AMA, KOFI]],
  ['with the zero that some write behind the code', '+233(0)241234567', [AMA]],
  ['with names beside them', 'Ama Mensah 0241234567\nKofi (brother): 020-111-2223', [AMA, KOFI]],
  ['from a spreadsheet', 'Ama\t0241234567\nKofi\t0201112223', [AMA, KOFI]],
  ['twice', '0241234567, +233241234567', [AMA]],
  ['without any', '  \n, ', []],
  ['of words alone, which are shown', 'Ama, Kofi', ['Ama', 'Kofi']],
])('numbers are found %s', (_, pasted, expected) => {
  expect(numbersIn(pasted)).toEqual(expected);
});

test.each(['024123456', '02412345678', '12', 'Ama 024123', '0241234567 12'])(
  'what is no number stays as it was written, to be shown: %s',
  (written) => {
    expect(numbersIn(`0201112223, ${written}`)).toEqual([KOFI, written]);
  },
);
