import { describe, expect, test } from 'vitest';
import { english, spokenMoney, spokenName } from '../../../shared/ghana/spoken/spoken.ts';
import { checkEach } from '../../support/check-each.ts';

describe('spokenMoney', () => {
  test.each([
    [1, 'one pesewa'],
    [50, 'fifty pesewas'],
    [100, 'one cedi'],
    [3600, 'thirty-six cedis'],
    [3650, 'thirty-six cedis fifty pesewas'],
    [10_101, 'one hundred and one cedis one pesewa'],
    [124_000, 'one thousand two hundred and forty cedis'],
    [1_000_500, 'ten thousand and five cedis'],
    [10_000_000, 'one hundred thousand cedis'],
  ])('spells out %i pesewas', (pesewas, words) => {
    expect(spokenMoney(pesewas, english)).toBe(words);
  });

  test('returns undefined for an invalid amount', () => {
    expect([0, -100, 1.5, 10_000_001, Number.NaN].map((one) => spokenMoney(one, english))).toEqual(
      Array(5).fill(undefined),
    );
  });

  test('returns different words for each amount', () => {
    const said = Array.from({ length: 3_000 }, (_, n) => spokenMoney((n + 1) * 100, english));
    expect(new Set(said).size).toBe(3_000);
  });
});

describe('spokenName', () => {
  test.each([
    ['KOFI MENSAH BOATENG', 'Kofi Mensah Boateng'],
    ['Akosua Abdul-Rahman Nyarko', 'Akosua Abdul Rahman Nyarko'],
    ['YAW TENKORANG', 'Yaw Tenkorang'],
    ['SIMONE ASANTE', 'Simone Asante'],
    ['ƆHENE', 'Ɔhene'],
    ['KWAME TESTAROSSA', 'Kwame Testarossa'],
    ['AMA QUIDOO', 'Ama Quidoo'],
    ['KOFI MPEMBA', 'Kofi Mpemba'],
  ])('returns the name %s', (name, said) => {
    expect(spokenName(name, english)).toBe(said);
  });

  test('returns undefined for other words', () =>
    checkEach(
      [
        ...[
          'FIFTY CEDIS',
          'KOFI FIFTY',
          'F I F T Y',
          'FIF-TY MENSAH',
          'FIFFTYY',
          'FÍFTY',
          'ＦＩＦＴＹ',
          'FIFTY5',
          '50 KOFI',
        ],
        ...[
          'KOFI NAIRA',
          'KOFI USD',
          'AMA POUNDS',
          'KOFI CFA',
          'EURO',
          'ADUANAN',
          'SIX',
          'TEN',
          'KOFI AND TWO',
          'KOFI TOO',
          'GHS KOFI',
          'GH₵ KOFI',
          'KOFICEDI',
          'PE SE WAS',
          'FIFTУ',
          'APEM',
        ],
        ...['ƆHA', 'KOFI ƆPEPEM', 'MPEM', 'QUID', 'TENNER', 'CEDYS', 'HUN DRID', 'THOUSEND', 'THOUSAND'],
        ...['TAKEN BACK', 'KOFI REVERSED', 'NOT VERIFIED', 'TEST PAYMENT'],
        ...['', ' ', '<b>KOFI</b>', 'KOFI\nMENSAH', 'KOFI, MENSAH', 'A'.repeat(41), 'HUNDRED', 'KOFI PAID', 'K️OFI 🙂'],
      ],
      (name) => {
        expect(spokenName(name, english)).toBeUndefined();
      },
    ));
});
