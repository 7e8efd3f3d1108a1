import { expect, test } from 'vitest';
import { isMobileNumber, usualNetwork } from '../../../shared/ghana/network.ts';
import { parsePhoneNumber } from '../../../shared/ghana/phone-number.ts';
import { wholeNumber } from '../../../shared/ghana/shown-number.ts';

test.each([
  '0241234567',
  '+233241234567',
  '024 123 4567',
  wholeNumber('+233241234567'),
  ...['024-123-4567', '(024) 123-4567', '+233 24 123 4567', '+233 (24) 123-4567', ' 0241234567 ', '233241234567'],
  ...['00233241234567', '+233 (0) 24 123 4567', '+233 0 24 123 4567', '024.123.4567'],
])('%j, a Ghanaian format, is +233241234567', (written) => {
  expect(parsePhoneNumber(written)).toBe('+233241234567');
});

test('any nine digits after one of the prefixes are normalised, whatever is between them', () => {
  for (let n = 0; n < 1_000; n++) {
    const subscriber = String(Math.floor(Math.random() * 1e9)).padStart(9, '0');
    for (const prefix of ['0', '+233', '233', '00233', '+233(0)']) {
      const written = [...`${prefix}${subscriber}`]
        .map((digit) => digit + anyOf(['', '', ' ', '-', '.', '(', ')']))
        .join('');
      expect(parsePhoneNumber(written)).toBe(`+233${subscriber}`);
    }
  }
});

test.each([
  ...['', '0', 'random', '241234567', '+23300241234567', '0233241234567', '+00233241234567', '000233241234567'],
  ...['024123456', '02412345678', '+23324123456', '+2332412345678', '+234241234567', '++233241234567', '0241234567\n'],
  ...['0241234567;0201234567', '024/123/4567', '024123456a', '０２４１２３４５６７', '024123456٧'],
])('%j is refused as a phone number', (written) => {
  expect(parsePhoneNumber(written)).toBeUndefined();
});

function anyOf(choices: readonly string[]): string {
  return choices[Math.floor(Math.random() * choices.length)] ?? '';
}

test.each(['20', '23', '24', '25', '26', '27', '50', '53', '54', '55', '56', '57', '59'])(
  '0%s… is a mobile number',
  (prefix) => {
    expect(isMobileNumber(`+233${prefix}1234567`)).toBe(true);
  },
);

test.each(['30', '32', '00', '10', '21', '22', '28', '29', '51', '52', '58', '60', '99'])(
  '0%s… is none: a landline, or nobody’s',
  (prefix) => {
    expect(isMobileNumber(`+233${prefix}1234567`)).toBe(false);
  },
);

test.each([
  ['MTN', ['024', '025', '053', '054', '055', '059']],
  ['TELECEL', ['020', '050']],
  ['AT', ['026', '027', '056', '057']],
  [undefined, ['023', '030', '028']],
])('%s gave out the numbers of %j', (network, prefixes) => {
  expect(prefixes.map((prefix) => usualNetwork(`+233${prefix.slice(1)}1234567`))).toEqual(prefixes.map(() => network));
});
