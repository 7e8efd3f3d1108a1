import { expect, test } from 'vitest';
import { isMobileNumber, usualNetwork } from '../../../shared/ghana/network.ts';
import { numbersIn, parsePhoneNumber } from '../../../shared/ghana/phone-number.ts';
import { wholeNumber } from '../../../shared/ghana/shown-number.ts';
import { chanceFrom } from '../../simulation/random.ts';
import { checkEach } from '../../support/check-each.ts';

const chance = chanceFrom(1);

test.each([
  '0241234567',
  '+233241234567',
  '024 123 4567',
  wholeNumber('+233241234567'),
  ...['024-123-4567', '(024) 123-4567', '+233 24 123 4567', '+233 (24) 123-4567', ' 0241234567 ', '233241234567'],
  ...['00233241234567', '+233 (0) 24 123 4567', '+233 0 24 123 4567', '024.123.4567'],
])('the number %j is parsed as +233241234567', (written) => {
  expect(parsePhoneNumber(written)).toBe('+233241234567');
});

test.each([
  ['with right-to-left marks', '\u202a+233 24 123 4567\u202c'],
  ['with non-breaking dashes', '024\u2011123\u20114567'],
  ['with minus signs', '024\u2212123\u22124567'],
  ['in full-width digits', '０２４１２３４５６７'],
  ['with narrow spaces', '024\u202f123\u20094567'],
  ['with zero-width spaces', '024\u200b123\u200b4567\ufeff'],
])('a number copied %s is parsed', (_, written) => {
  expect(parsePhoneNumber(written)).toBe('+233241234567');
  expect(numbersIn(`Kofi: ${written}\nAma: 0201234567`)).toHaveLength(2);
});

test('any separators in a number are ignored', () => {
  for (let n = 0; n < 1_000; n++) {
    const subscriber = String(chance.between(0, 1e9 - 1)).padStart(9, '0');
    for (const prefix of ['0', '+233', '233', '00233', '+233(0)']) {
      const written = [...`${prefix}${subscriber}`]
        .map((digit) => digit + chance.pick(['', '', ' ', '-', '.', '(', ')']))
        .join('');
      expect(parsePhoneNumber(written)).toBe(`+233${subscriber}`);
    }
  }
});

test.each([
  ...['', '0', 'random', '241234567', '+23300241234567', '0233241234567', '+00233241234567', '000233241234567'],
  ...['024123456', '02412345678', '+23324123456', '+2332412345678', '+234241234567', '++233241234567', '0241234567\n'],
  ...['0241234567;0201234567', '024/123/4567', '024123456a', '024123456٧'],
])('%j is rejected as a phone number', (written) => {
  expect(parsePhoneNumber(written)).toBeUndefined();
});

const mobile = ['20', '23', '24', '25', '26', '27', '50', '53', '54', '55', '56', '57', '59'];
const landlinesAndNobodys = ['30', '32', '00', '10', '21', '22', '28', '29', '51', '52', '58', '60', '99'];

test('accepts a number only with a mobile prefix', () =>
  checkEach([...mobile, ...landlinesAndNobodys], (prefix) => {
    expect(isMobileNumber(`+233${prefix}1234567`)).toBe(mobile.includes(prefix));
  }));

test.each([
  ['MTN', ['024', '025', '053', '054', '055', '059']],
  ['TELECEL', ['020', '050']],
  ['AT', ['026', '027', '056', '057']],
  [undefined, ['023', '030', '028']],
])('%s numbers start with %j', (network, prefixes) => {
  expect(prefixes.map((prefix) => usualNetwork(`+233${prefix.slice(1)}1234567`))).toEqual(prefixes.map(() => network));
});

const AMA = '+233241234567';
const KOFI = '+233201112223';

test.each([
  ['on separate lines', '0241234567\n0201112223', [AMA, KOFI]],
  ['on lines with Windows line ends', '0241234567\r\n0201112223\r\n', [AMA, KOFI]],
  ['with commas and semicolons', '0241234567, 020 111 2223;', [AMA, KOFI]],
  ['on one line, separated by spaces', '0241234567 0201112223', [AMA, KOFI]],
  ['written with spaces inside', '024 123 4567 020 111 2223', [AMA, KOFI]],
  ['in every supported format', '+233 24 123 4567 / 00233201112223', [AMA, KOFI]],
  ['with a zero after the country code', '+233(0)241234567', [AMA]],
  ['next to names', 'Ama Mensah 0241234567\nKofi (brother): 020-111-2223', [AMA, KOFI]],
  ['copied from a spreadsheet', 'Ama\t0241234567\nKofi\t0201112223', [AMA, KOFI]],
  ['twice', '0241234567, +233241234567', [AMA]],
  ['in an empty string', '  \n, ', []],
  ['in a string without numbers', 'Ama, Kofi', ['Ama', 'Kofi']],
])('several numbers %s are found', (_, pasted, expected) => {
  expect(numbersIn(pasted)).toEqual(expected);
});

test.each(['024123456', '02412345678', '12', 'Ama 024123', '0241234567 12'])(
  'a string that is not a phone number is returned unchanged: %s',
  (written) => {
    expect(numbersIn(`0201112223, ${written}`)).toEqual([KOFI, written]);
  },
);
