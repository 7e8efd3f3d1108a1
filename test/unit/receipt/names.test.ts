import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareNames } from '../../../shared/receipt/names.ts';

describe('same: two words agree, one of them whole', () => {
  test.each([
    ['KOFI BOATENG MENSAH', 'MENSAH KOFI B.'],
    ['Kofi Mensah', 'KOFI MENSAH BOATENG'],
    ['Kofi Mensah', 'MENSAH KOFI'],
    ['Kofi Boateng', 'KOFI MENSAH BOATENG'],
    ['  kofi   mensah ', 'KOFI MENSAH'],
    ['Mensah, Kofi', 'KOFI MENSAH'],
    ['Kofi.Mensah', 'KOFI MENSAH'],
    ['K. Mensah', 'KOFI MENSAH'],
    ['Kofi M', 'KOFI MENSAH'],
    ['Kofi Mensah', 'K MENSAH'],
    ['K. Mensah', 'K. Mensah'],
    ['Kofi B. Mensah', 'MENSAH KOFI'],
    ['Dr. Kofi Mensah', 'KOFI MENSAH'],
    ['Mrs Ama Owusu', 'MS. AMA OWUSU'],
    ['Madam Ama Owusu', 'OWUSU AMA'],
    ['Rev. Prof. Kofi Mensah', 'Hon. KOFI MENSAH'],
    ['Abɛna Ɔwusu', 'ABENA OWUSU'],
    ['ABƐNA ƆWUSU', 'abena owusu'],
    ['Kɔfi Mɛnsa', 'KOFI MENSA'],
    ['José Mensàh', 'JOSE MENSAH'],
    ['Jose\u0301 Mensa\u0300h', 'José Mensàh'],
    ["N'Guessan Ama", 'NGUESSAN AMA'],
    ['N’Guessan Ama', "N'GUESSAN AMA"],
    ['Ama Owusu-Ansah', 'AMA OWUSU ANSAH'],
    ['Owusu-Ansah', 'AMA OWUSU ANSAH'],
    ['Ama Owusu–Ansah', 'OWUSU ANSAH'],
    ['Kofi Kofi', 'KOFI KOFI'],
    ['Kwaku Stores 2', 'KWAKU STORES'],
  ])('%j and %j', (onCharge, ofPayer) => {
    expect([compareNames(onCharge, ofPayer), compareNames(ofPayer, onCharge)]).toEqual(['same', 'same']);
  });
});

describe('perhaps: one of them is a single word, and the other has it', () => {
  test.each([
    ['Kofi', 'KOFI MENSAH'],
    ['Mensah', 'KOFI MENSAH BOATENG'],
    ['kofi', 'KOFI'],
    ['Mr Mensah', 'KOFI MENSAH'],
    ['Mr. Mensah', 'Mensah'],
    ['Ɔsei', 'KOFI OSEI'],
    ['Kofi Kofi', 'KOFI'],
    ['Yaa', 'YAA YAA'],
    ['Ama Mrs', 'AMA MENSAH MRS'],
  ])('%j and %j', (onCharge, ofPayer) => {
    expect([compareNames(onCharge, ofPayer), compareNames(ofPayer, onCharge)]).toEqual(['perhaps', 'perhaps']);
  });
});

describe('different', () => {
  test.each([
    ['', ''],
    ['', 'KOFI MENSAH'],
    [' - . ', 'KOFI MENSAH'],
    ['Mr', 'MR KOFI MENSAH'],
    ['Dr. Mrs.', 'DR. MRS.'],
    ['Kofi Mensah', 'AMA OWUSU'],
    ['Kofi Mensah', 'KOFI OWUSU'],
    ['Kofi Mensah', 'AMA MENSAH'],
    ['Mr Kofi Mensah', 'MR AMA OWUSU'],
    // One name that stands twice is one name.
    ['Kofi Kofi', 'KOFI MENSAH'],
    ['Kofi Mensah', 'MENSAH MENSAH'],
    // Initials alone are nobody, and an initial speaks for one word only.
    ['K. M.', 'KOFI MENSAH'],
    ['K', 'KOFI'],
    ['K', 'K'],
    ['K.', 'KOFI MENSAH'],
    ['K. M.', 'K. M.'],
    ['K. Boateng', 'KOFI MENSAH'],
    ['Kofi B.', 'KOFI MENSAH'],
    ['Kofi', 'KOFIE MENSAH'],
    ['Kof Mens', 'KOFI MENSAH'],
    ['Owusuansah Ama', 'OWUSU ANSAH'],
    // Letters that only look alike.
    ['Коfi Меnsah', 'KOFI MENSAH'],
    ['Kofi Mensah', 'K0FI MENSAH1'],
  ])('%j and %j', (onCharge, ofPayer) => {
    expect([compareNames(onCharge, ofPayer), compareNames(ofPayer, onCharge)]).toEqual(['different', 'different']);
  });
});

describe('properties', () => {
  const word = fc.stringMatching(/^[A-Z][a-zɛɔéàü]{2,9}$/);
  const fullName = fc.uniqueArray(word, { minLength: 2, maxLength: 5, selector: plain }).filter(hasNoTitle);

  test('order, case, accents, titles, dashes and a further name do not count', () => {
    const title = fc.constantFrom('', 'Mr ', 'DR. ', 'Madam ');
    fc.assert(
      fc.property(fullName, title, fc.constantFrom(' ', '  ', '-', ', '), word, (words, mr, between, more) => {
        const written = [...words].reverse().map(plain).join(between);
        expect(compareNames(words.join(' '), `${mr}${written} ${more}`)).toBe('same');
      }),
    );
  });

  test('the one whole word beside an initial is enough, and either may be the shorter', () => {
    fc.assert(
      fc.property(fullName, ([first = '', last = '']) => {
        expect(compareNames(`${first} ${last}`, `${plain(first).charAt(0)}. ${last}`)).toBe('same');
        expect(compareNames(first, `${last} ${first}`)).toBe('perhaps');
      }),
    );
  });

  test('names without a whole word in common are different', () => {
    fc.assert(
      fc.property(fullName, fullName, (ours, theirs) => {
        const known = new Set(ours.map(plain));
        fc.pre(!theirs.some((other) => known.has(plain(other))));
        expect(compareNames(ours.join(' '), theirs.join(' '))).toBe('different');
      }),
    );
  });

  test('whatever two texts hold, they agree as much as they do the other way round', () => {
    const some = fc.oneof(
      fc.string({ unit: 'binary' }),
      fullName.map((words) => words.join(' ')),
    );
    fc.assert(
      fc.property(some, some, (a, b) => {
        expect(compareNames(a, b)).toBe(compareNames(b, a));
      }),
      { numRuns: 500 },
    );
  });
});

function plain(name: string): string {
  return name.replaceAll('ɛ', 'e').replaceAll('ɔ', 'o').normalize('NFD').replace(/\p{M}/gu, '').toUpperCase();
}

function hasNoTitle(words: readonly string[]): boolean {
  return !words.some((one) => /^(MRS?|MS|MISS|MADAM|DR|PROF|REV|HON)$/.test(plain(one)));
}
