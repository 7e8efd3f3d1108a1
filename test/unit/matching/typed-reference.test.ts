import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  isNearReference,
  mayHoldPart,
  mayHoldReference,
  namesCharge,
  readTypedReference,
} from '../../../shared/money/matching/typed-reference.ts';
import { checkEach } from '../../support/check-each.ts';
import { expectCost } from '../../support/cpu.ts';

const NOTHING = { named: [], bare: [], isBroken: false };

describe('a reference entered by the payer', () => {
  test('is parsed however it is written', () =>
    checkEach(
      [
        ...['MK-4071932685', 'mk-4071932685', 'MK4071932685', 'Mk 4071 932 685', 'MK 4071-932685', 'MK#4071932685'],
        ...['MK–4071932685.', '(mk) 4071932685!', 'pay MK-4071932685 thanks', 'Ref: mk 4071932685 kente'],
        ...['MK-4071932685 2 yards', 'kenteMK4071932685', 'MK-4071932685 MK-4071932685'],
        // The payer copies the reference and adds a word.
        ...['MK 4071 932 685 Obaapa', 'MK 4071 932 685 order 5', 'MK 4071 932 685 Isaac', 'MK 4071 932 685 Lydia 0244'],
        ...['MK 4071 932 685 oil', 'MK 4071 932 685, Oil 5 litres', 'MK 4071 932 685 I paid', 'MK 4071 932 685.Ola'],
        ...[
          'MK4071932685Isaac',
          'MK 4071 932 685Obaapa',
          'MK 4071 932 685 from Ama, 2 yards',
          'mk 4071-932-685 onions',
        ],
        ...['MK 4071 932 685 lo', 'MK 4071 932 685 lo 5 bags', 'MK 4071    932 685'],
        // Digits grouped as on our pages show where the reference ends.
        ...['MK 4071 932 685 2', 'MK 4071 932 685, 5 bags', 'MK 4071 932 685-5', 'MK-4071-932-685 / 2'],
        ...[
          'MK 4071 932 685 O',
          'MK 4071 932 685 I',
          'MK 4071 932 685 O 5',
          'MK 4071 932 685 l0',
          'MK 4071 932 685 OI5',
        ],
        ...['MK 4071 932 685 0244123456', '0244 123 456 MK 4071 932 685', 'MK 4071 932 685 tel 0244 123 456'],
      ],
      (typed) => {
        expect(readTypedReference(typed)).toEqual({ named: ['MK-4071932685'], bare: [], isBroken: false });
      },
    ));

  test.each([' 4071932685 ', '407-193-2685', 'kente 4071932685', '4071932685MK', 'M-4071932685', 'KM 4071932685'])(
    'is found without its prefix in %j',
    (typed) => {
      expect(readTypedReference(typed)).toEqual({ named: [], bare: ['MK-4071932685'], isBroken: false });
    },
  );

  test.each([
    ...['4071932685 2', '2 4071932685', '12 4071932685 34'],
    ...['4071 932 685 2 bags', '4071 932 685, 2 bags', '4071 932 685-2', '4071-932-685 2', '4071.932.685 / 2'],
    ...['Room 12, 4071 932 685', 'Order 5 4071 932 685', '2 bags 4071 932 685', '3 4071 932 685 4'],
    ...[
      '4071 932 685 0244123456',
      '0244 123 456 4071 932 685',
      '4071 932 685 tel 0244 123 456',
      '0244123456,4071 932 685',
    ],
  ])('is found without its prefix among other numbers in %j', (typed) => {
    expect(readTypedReference(typed)).toEqual({ named: [], bare: ['MK-4071932685'], isBroken: false });
  });

  test('must have exactly ten digits that do not begin with 0', () => {
    for (const typed of [
      '40719326851 2',
      '2 14071932685',
      '407193268 21',
      '4071 932 6855',
      '0244 123 456',
      '407 193 268 52',
    ])
      expect(readTypedReference(typed)).toEqual(NOTHING);
  });

  test('is unclear if it is longer than 300 characters', () => {
    const reference = 'MK-4071932685';
    const longest = `${'x'.repeat(287)}${reference}`;
    expect(readTypedReference(longest)).toEqual({ ...NOTHING, named: [reference] });
    for (const length of [300, 400])
      expect(readTypedReference(`${'x'.repeat(length)}${reference}`)).toEqual({ ...NOTHING, isBroken: true });
    expect(isNearReference(`${'x'.repeat(300)}${reference}`, reference)).toBe(false);
    expect(mayHoldReference(`${'x'.repeat(300)}${reference}`)).toBe(false);
  });

  test('is recognised as mistyped', () =>
    checkEach(
      [
        ...['MK-4071932', 'MK-40719326', 'MK-O071932685', 'MK-84938320I6', 'MK-4071932685123', 'MK-407193268'],
        ...[
          'MK-40719',
          'MK-407193',
          'MK-40719326850',
          'MK-407193268501',
          'pay mk 407193268 please',
          'MK 4071 932 6855',
        ],
        // More than ten digits may contain a different reference.
        ...['MK 407 193 268 5 2 bags', 'MK 407 1932 685 5', 'MK 4071 932 68 order 5', 'MK 4071 932 685O'],
        ...['MK 4071 932 68 O', 'MK O71 932 685 Ola'],
        ...['MK 4071 932 6850 order', 'MK 4071932685O', 'MK O 071932685 Isaac', 'MK 4071 932 68l Isaac'],
      ],
      (typed) => {
        expect(readTypedReference(typed)).toMatchObject({ named: [], isBroken: true });
      },
    ));

  test.each([null, '', ' ', '1', 'MK', 'MK-', 'MK-4071', 'MK 2026', 'school fees', 'MK OIL'])(
    'is not found in %j',
    (typed) => {
      expect(readTypedReference(typed)).toEqual(NOTHING);
    },
  );

  test.each([
    ['MK-４０７１９３２６８５', ['MK-4071932685'], []],
    ['ＭＫ-4071932685', ['MK-4071932685'], []],
    ['M\u200bK-40719\u200b32685', ['MK-4071932685'], []],
    ['٤٠٧١٩٣٢٦٨٥', [], ['MK-4071932685']],
    // Two runs of ten digits without a gap between them.
    [
      '\u{116d4}\u{116d0}\u{116d7}\u{116d1}\u{116d9}\u{116d3}\u{116d2}\u{116d6}\u{116d8}\u{116d5}',
      [],
      ['MK-4071932685'],
    ],
    [
      '\u{116de}\u{116da}\u{116e1}\u{116db}\u{116e3}\u{116dd}\u{116dc}\u{116e0}\u{116e2}\u{116df}',
      [],
      ['MK-4071932685'],
    ],
    ['MK 4071\n932\n685', ['MK-4071932685'], []],
    ['MK 4071/932.685', ['MK-4071932685'], []],
    ['MK-٤٠٧١٩٣٢٦٨٥ 2 yards', ['MK-4071932685'], []],
  ])('is recognised with unusual characters: %j', (typed, named, bare) => {
    expect(readTypedReference(typed)).toEqual({ named, bare, isBroken: false });
  });

  test('is unclear if the payer entered two references', () => {
    expect(readTypedReference('MK-4071932685 MK-1234567890').named).toEqual(['MK-4071932685', 'MK-1234567890']);
    const both = { named: ['MK-4071932685'], bare: ['MK-1234567890'], isBroken: false };
    expect(readTypedReference('MK-4071932685 1234567890')).toEqual(both);
  });

  test('is separated from the digits before and after it', () => {
    expect(readTypedReference('12345 MK-4071932685 67890')).toEqual({ ...NOTHING, named: ['MK-4071932685'] });
  });

  test('is found among any words without digits', () => {
    const words = fc.stringMatching(/^[a-jln-z ,.:!?-]{0,20}$/);
    const digits = fc.stringMatching(/^[1-9]\d{9}$/);
    fc.assert(
      fc.property(words, digits, words, fc.constantFrom('MK-', 'mk', 'Mk ', 'MK: '), (before, ten, after, mk) => {
        const typed = `${before} ${mk}${ten} ${after}`;
        expect(readTypedReference(typed)).toMatchObject({ named: [`MK-${ten}`], isBroken: false });
      }),
    );
  });

  test('is parsed at little cost from a very long text', async () => {
    const parse = () => {
      for (const piece of ['MK', '1 ', 'MK-1', '0123456789 ', 'MK 1-']) {
        readTypedReference(piece.repeat(100_000));
        isNearReference(piece.repeat(100_000), 'MK-4071932685');
      }
    };
    await expectCost(20, parse);
  });
});

test.each([
  ['MK-4071932685', true],
  ['pay 4071932685', true],
  ['MK-4071932685 MK-1234567890', true],
  ['MK-1234567890', false],
  ['school fees', false],
  [null, false],
  [undefined, false],
])('%j names the charge: %s', (typed, isNaming) => {
  expect(namesCharge(typed, { reference: 'MK-4071932685' })).toBe(isNaming);
});

test.each([
  ['O', '0'],
  ['Q', '0'],
  ['Q', '9'],
  ['D', '0'],
  ['I', '1'],
  ['L', '1'],
  ['J', '1'],
  ['Z', '2'],
  ['Z', '7'],
  ['E', '3'],
  ['A', '4'],
  ['S', '5'],
  ['G', '6'],
  ['G', '9'],
  ['B', '6'],
  ['B', '8'],
  ['T', '7'],
])('the letter %s stands for %s beside one wrong digit', (letter, digit) => {
  const reference = `MK-40${digit}1932688`;
  expect(isNearReference(`40${letter}1932689`, reference)).toBe(true);
  expect(isNearReference(`40${letter}1932699`, reference)).toBe(false);
});

test.each([
  ['12345', false, false],
  ['kwk 123456', false, true],
  ['12345678', false, true],
  ['123456789', true, true],
  ['1234 5678 9', true, false],
  ['school fees', false, false],
])('%j may hold a reference: %s; a part of one: %s', (typed, whole, part) => {
  expect({ whole: mayHoldReference(typed), part: mayHoldPart(typed) }).toEqual({ whole, part });
});

describe('a mistyped reference', () => {
  const reference = fc.stringMatching(/^[1-9]\d{9}$/).map((digits) => `MK-${digits}`);
  const place = fc.nat({ max: 9 });

  test('matches with one wrong, missing, extra or swapped character', () => {
    const around = fc.stringMatching(/^[a-z ]{0,8}$/);
    fc.assert(
      fc.property(
        reference,
        place,
        fc.stringMatching(/^[A-Z0-9]$/),
        around,
        around,
        (whole, n, other, before, after) => {
          const digits = whole.slice(3);
          const at = (more: string, skip: number) => digits.slice(0, n) + more + digits.slice(n + skip);
          const swapped = at(
            digits
              .slice(n, n + 2)
              .split('')
              .reverse()
              .join(''),
            2,
          );
          expect(mayHoldReference(at('', 1)) && mayHoldReference(swapped)).toBe(true);
          for (const wrong of [at(other, 1), at('', 1), at(other, 0), swapped, digits])
            expect(isNearReference(`${before}${wrong}${after}`, whole)).toBe(true);
        },
      ),
    );
  });

  test('does not match with two wrong characters', () => {
    fc.assert(
      fc.property(reference, fc.integer({ min: 3, max: 5 }), (whole, n) => {
        const digits = whole.slice(3);
        const [one = '', two = ''] = digits.slice(n, n + 2);
        fc.pre(one !== two);
        for (const wrong of ['XY', `${two}X`, `X${one}`])
          expect(isNearReference(digits.slice(0, n) + wrong + digits.slice(n + 2), whole)).toBe(false);
      }),
    );
  });

  test('does not match a different number', () => {
    for (const typed of ['4071932675 0', '4071923685x', '0241234567', '233241234567', 'kente', '', null, '40719'])
      expect(isNearReference(typed, 'MK-4075932686')).toBe(false);
  });

  test.each([
    ...['MK-4O71932685', 'MK 4O71-932 685', '4O7l932685', 'M.K. 4O7l 932 685', 'MK-4071932G8S', 'kente 4O7I93Z68S'],
    ...['MK-4O7I93268', '4O7l9326B5', 'KM-4O7l93265', '4q7l9E2b8S', 'AO71g32685', '4071932GBS'],
  ])('may contain letters in place of digits: %j', (typed) => {
    expect(mayHoldReference(typed)).toBe(true);
    expect(isNearReference(typed, 'MK-4071932685')).toBe(true);
  });

  test.each(['407193', 'fees 4071932', '40719326', '071932685', '932685', '1932685 shoes'])(
    'may be the beginning or the end of one: %j',
    (typed) => {
      expect(mayHoldPart(typed)).toBe(true);
      expect(isNearReference(typed, 'MK-4071932685')).toBe(true);
    },
  );

  test.each(['32685', '719326', '0241234567', 'kente 40719', 'MK'])(
    'is not suspected of being a part of one: %j',
    (typed) => {
      expect(isNearReference(typed, 'MK-4071932685')).toBe(false);
    },
  );

  test.each(['school fees 2026', '2026 BOSS BILLS', 'school bills of Bob', 'box 12 size 40'])(
    'is not suspected in %j',
    (typed) => {
      expect(mayHoldReference(typed)).toBe(false);
    },
  );
});
