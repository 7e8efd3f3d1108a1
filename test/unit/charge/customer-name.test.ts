import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  isNamed,
  isSameName,
  leastWords,
  lookedForWords,
  matchableName,
  nameWords,
} from '../../../shared/money/charge/customer-name.ts';
import { checkEach } from '../../support/check-each.ts';

describe('a customer name that matches the payer’s name', () => {
  test('is recognised as the same name', () =>
    checkEach(
      [
        ['Kofi Mensah', 'KOFI MENSAH'],
        ['Kofi Mensah', 'KOFI MENSAH BOATENG'],
        ['Kofi Boateng', 'KOFI MENSAH BOATENG'],
        ['Kofi Mensah', 'MENSAH KOFI'],
        ['Kofi Mensah', 'MENSAH KOFI B.'],
        ['  kofi   mensah ', 'KOFI MENSAH'],
        ['Mensah, Kofi', 'KOFI MENSAH'],
        ['Kofi.Mensah', 'KOFI MENSAH'],
        ['Dr. Kofi Mensah', 'KOFI MENSAH'],
        ['Mrs Ama Owusu', 'MS. AMA OWUSU'],
        ['Madam Ama Owusu', 'OWUSU AMA'],
        ['Rev. Prof. Kofi Mensah', 'Hon. KOFI MENSAH'],
        ['Abɛna Ɔwusu', 'ABENA OWUSU'],
        ['ABƐNA ƆWUSU', 'abena owusu'],
        ['José Mensàh', 'JOSE MENSAH'],
        ['Jose\u0301 Mensa\u0300h', 'José Mensàh'],
        ["N'Guessan Ama", 'NGUESSAN AMA'],
        ['N’Guessan Ama', "N'GUESSAN AMA"],
        ['Ama Owusu-Ansah', 'AMA OWUSU ANSAH'],
        ['Ama Owusu Ansah', 'AMA OWUSU-ANSAH'],
        ['Ama Owusu–Ansah', 'OWUSU ANSAH AMA'],
        ['Dorcas Dorcas Eshun', 'DORCAS DORCAS ESHUN'],
        ['Abdul-Rahman Ama Serwaa Oduro', 'AMA SERWAA ODURO ABDUL RAHMAN'],
        ['Ama Abdul-Rahman', 'AMA ABDULRAHMAN'],
        ['Ama Abdulrahman', 'ABDUL-RAHMAN AMA'],
        ['Ama Abdul‑Rahman', 'AMA ABDUL RAHMAN'],
        ['Abdul Rahman Ama', 'AMA ABDUL-RAHMAN'],
        ['Nʼguessan Ama', 'NGUESSAN AMA'],
        ['N‘Guessan Ama', "N'GUESSAN AMA"],
        ['Afi Aŋutɔ', 'AFI ANUTO'],
        ['Ɖela Ʋɔgbe', 'DELA VOGBE'],
        ['Alhaji Musah Iddrisu', 'MUSAH IDDRISU'],
        ['Musah Iddrisu', 'ALHAJI MUSAH IDDRISU'],
        ['Pastor Rev. Dr. Kofi Mensah', 'KOFI MENSAH'],
        ...[
          'Sir',
          'Auntie',
          'Nurse',
          'Ustaz',
          'El-Hadj',
          'Togbe',
          'Lt. Col.',
          'Sgt',
          'Insp.',
          'Barrister',
          'Opanyin',
        ].map((title): [string, string] => [`${title} Kofi Mensah`, 'KOFI MENSAH']),
        ['Kofi Mensah, PhD', 'KOFI MENSAH'],
        ['Ｋｏｆｉ Ｍｅｎｓａｈ', 'KOFI MENSAH'],
        ['N´Guessan Ama', 'NGUESSAN AMA'],
        ['Kofi Mensah Jnr.', 'KOFI MENSAH'],
        ['Kofi Mensah Jr', 'MENSAH KOFI JUNIOR'],
        ['Kofi Bank', 'KOFI BANK'],
        ['Abdul Rahman Ama', 'AMA ABDULRAHMAN'],
        ['Ama Abdul Rahman', 'ABDULRAHMAN AMA SERWAA'],
        ['Ama Abdulrahman', 'AMA ABDUL RAHMAN'],
        ['Abdul Rahman', 'MENSAH ABDUL RAHMAN'],
        ['Abdul Rahman Kofi', 'RAHMAN ABDUL KOFI'],
        ['Kofi Abdul Jnr', 'ABDUL KOFI'],
        ['Kofi Mensah Sr', 'KOFI MENSAH SENIOR'],
        ['Ƒoli Aɣe', 'FOLI AGE'],
        ['Hajia-Ama Owusu', 'AMA OWUSU'],
        ['Mr-Dr Kofi Mensah', 'KOFI MENSAH'],
        ['Kofi - Mensah', 'KOFI MENSAH'],
        ['Kofi -Mensah', 'KOFI MENSAH'],
      ],
      ([customer, payer]) => {
        expect(fits(customer, payer)).toBe(true);
      },
    ));

  test('matches with and without a title', () =>
    checkEach(
      [
        ...[
          'Mr',
          'Mrs',
          'Ms',
          'Miss',
          'Madam',
          'Dr',
          'Prof',
          'Rev',
          'Hon',
          'Alhaji',
          'Alhaja',
          'Hajia',
          'Hajiya',
          'Pastor',
        ],
        ...[
          'Reverend',
          'Bishop',
          'Apostle',
          'Prophet',
          'Prophetess',
          'Evangelist',
          'Elder',
          'Deacon',
          'Imam',
          'Mallam',
          'Ing',
        ],
        ...['Bro', 'Brother', 'Sis', 'Fr', 'Father', 'Haji', 'Al-Hajj', 'Capt', 'Apst', 'Ps'],
      ],
      (title) => {
        expect(fits(`${title} Kofi Mensah`, 'KOFI MENSAH')).toBe(true);
        expect(fits(`Kofi Mensah, ${title}.`, 'KOFI MENSAH')).toBe(true);
        expect(fits('Kofi Mensah', `${title.toUpperCase()} KOFI MENSAH`)).toBe(true);
        expect(matchableName(`${title} Kofi`)).toBeUndefined();
      },
    ));
});

describe('a customer name that does not match the payer’s name', () => {
  test.each([
    ['Kofi Mensah', 'AMA OWUSU'],
    ['Kofi Mensah', 'KOFI OWUSU'],
    ['Kofi Mensah', 'AMA MENSAH'],
    ['Kofi Mensah', 'K MENSAH'],
    ['Kofi Mensah Boateng', 'KOFI MENSAH'],
    ['Kofi Kofi', 'KOFI MENSAH'],
    ['Mr Kofi Mensah', 'MR AMA OWUSU'],
    ['Kofi Mensah', 'KOFIE MENSAH'],
    ['Kof Mens', 'KOFI MENSAH'],
    ['Owusuansah Ama', 'AMA OWUSU ANSAH'],
    ['Kofi Mensah Jnr', 'KOFI MENSAH SNR'],
    ['Kofi Mensah Senior', 'KOFI MENSAH JUNIOR'],
    ['Kofi Mensah Snr', 'KOFI MENSAH-JNR'],
    ['Kofi Mensah Snr', 'KOFI MENSAH-JUNIOR'],
    ['Kofi Mensah Jnr', 'KOFI MENSAH-SR'],
    ['Ama Abdulmumin', 'AMA ABDUL RAHMAN'],
    ['Ama Abdul-Rahman', 'AMA ABDUL'],
    ['Ama Abdul-Rahman Abdul', 'AMA ABDUL RAHMAN'],
    ['Ama Abdul-Rahman Abdulrahman', 'AMA ABDULRAHMAN'],
    // Contains Cyrillic letters that look like Latin ones.
    ['Коfi Меnsah', 'KOFI MENSAH'],
    ['Kofi Mensah', ''],
  ])('is recognised as a different name: %j and %j', (customer, payer) => {
    expect(matchableName(customer)).toBeDefined();
    expect(fits(customer, payer)).toBe(false);
  });
});

describe('a customer name that cannot be used for matching', () => {
  test.each([
    ...['Kofi Jnr', 'Alhaji Musah', 'Pastor Rev. Kofi Snr', 'Abdul-Rahman', 'Abdul-R. Kofi'],
    ...['', ' - . ', 'Mr', 'Dr. Mrs.', 'Kofi', 'Mr Mensah', 'Owusu-Ansah', 'K. Mensah', 'Kofi M', 'Kofi B. Mensah'],
    ...['K. M.', 'Kofi Mensah 2', 'Kofi Mensah2', '2Kofi Mensah', '0241234567 Kofi', 'Kofi Ama Yaw Esi Abena'],
    'MENSAH OWUSU BOATENG ASANTE OSEI KOFI KWAME AMA A B C D E F G H I J K L M N O P Q R S T U V W X Y Z',
  ])('is stored but never matches: %j', (name) => {
    expect(matchableName(name)).toBeUndefined();
  });
});

test.each([
  [true, 'Kofi Mensah', 'MENSAH, Mr Kofi'],
  [false, 'Kofi Mensah', 'Kofi Owusu'],
  [false, 'Kofi Mensah', 'Kofi Mensah Boateng'],
  [false, 'Kofi Kofi Mensah', 'Kofi Mensah Mensah'],
  [true, 'Ama Owusu-Ansah', 'Ansah Ama Owusu'],
  [false, 'Kofi Mensah', 'Kofi Mensah Jnr'],
  [false, 'Ama Nti', 'Aman Ti'],
])('two customer names belong to the same person (%s): %j and %j', (is, one, other) => {
  expect(isSameName(matchableName(one) ?? [], matchableName(other) ?? [])).toBe(is);
});

describe('the words in a name', () => {
  test('match a payer by a suffix such as Jnr only if the payer’s name has it', () => {
    expect(isNamed(nameWords('Jnr'), 'KOFI MENSAH')).toBe(false);
    expect(isNamed(nameWords('Jnr'), 'KOFI MENSAH JNR')).toBe(true);
  });

  test('are searched for both split at hyphens and joined', () => {
    expect(nameWords('Mr Kofi Owusu-Ansah')).toEqual(['KOFI', 'OWUSU', 'ANSAH']);
    expect(lookedForWords('Mr Kofi Owusu-Ansah')).toEqual(['KOFI', 'OWUSU', 'ANSAH', 'OWUSUANSAH']);
  });

  test.each([
    [2, 'Kofi Mensah'],
    [3, 'Kofi Mensah Boateng'],
    [2, 'Kofi Mensah Jnr'],
    [2, 'Kofi Kofi Mensah'],
    [2, 'Ama Owusu-Ansah'],
    [2, 'Ama Abdul-Rahman Abdulrahman'],
    [2, 'Ama S. Owusu'],
    [0, 'K. Mensah'],
    [5, 'Nana Kwame Osei Tutu Agyeman'],
    [0, 'Kofi'],
  ])('must match the payer’s name in at least %i words: %j', (least, name) => {
    expect(leastWords(name)).toBe(least);
  });
});

describe('name matching', () => {
  const word = fc.stringMatching(/^[A-Z][a-zɛɔéàü]{2,9}$/);
  const fullName = fc.uniqueArray(word, { minLength: 2, maxLength: 4, selector: plain }).filter(hasNoTitle);

  test('ignores word order, case, accents and titles', () => {
    const title = fc.constantFrom('', 'Mr ', 'DR. ', 'Madam ');
    fc.assert(
      fc.property(fullName, title, fc.constantFrom(' ', '  ', ', '), word, (words, mr, between, more) => {
        const payer = `${[...words].reverse().map(plain).join(' ')} ${more}`;
        expect(fits(`${mr}${words.join(between)}`, payer)).toBe(true);
      }),
    );
  });

  test('rejects a payer whose name lacks one of the words', () => {
    fc.assert(
      fc.property(fullName, fullName, fc.nat(), (words, others, n) => {
        const missing = words[n % words.length] ?? '';
        const payer = [...words.filter((one) => one !== missing), ...others];
        fc.pre(!payer.some((one) => plain(one) === plain(missing)));
        expect(fits(words.join(' '), payer.join(' '))).toBe(false);
      }),
    );
  });

  test('never matches more payers if the customer name is longer', () => {
    fc.assert(
      fc.property(fullName, word, fullName, (words, more, payer) => {
        fc.pre(words.length < 4 && hasNoTitle([more]));
        const [short, long] = [words.join(' '), [...words, more].join(' ')];
        if (fits(long, payer.join(' '))) expect(fits(short, payer.join(' '))).toBe(true);
      }),
    );
  });

  test('rejects a payer with a single name', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), word), word, (customer, payer) => {
        fc.pre(hasNoTitle([payer]));
        expect(fits(customer, payer)).toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  test('accepts a name in reverse order', () => {
    fc.assert(
      fc.property(fullName, (words) => {
        const [one, other] = [words, [...words].reverse()].map((each) => matchableName(each.join(' ')));
        expect(one && other && isSameName(one, other)).toBe(true);
      }),
    );
  });
});

function fits(customer: string, payer: string): boolean {
  const words = matchableName(customer);
  return words !== undefined && isNamed(words, payer);
}

function plain(name: string): string {
  return name.replaceAll('ɛ', 'e').replaceAll('ɔ', 'o').normalize('NFD').replace(/\p{M}/gu, '').toUpperCase();
}

function hasNoTitle(words: readonly string[]): boolean {
  return words.every((one) => nameWords(one).length > 0);
}
