import fc from 'fast-check';
import { SegmentedMessage } from 'sms-segments-calculator';
import { describe, expect, test } from 'vitest';
import { inGsm7 } from '../../../shared/texts/sms/gsm7.ts';
import { sizeOf } from '../../../shared/texts/sms/segments.ts';

test.each([
  ['160 letters', 'x'.repeat(160), 1, 'GSM-7'],
  ['161 letters', 'x'.repeat(161), 2, 'GSM-7'],
  ['306 letters', 'x'.repeat(306), 2, 'GSM-7'],
  ['1,224 letters, as many as a phone accepts', 'x'.repeat(1_224), 8, 'GSM-7'],
  ['1,225 letters', 'x'.repeat(1_225), 9, 'GSM-7'],
  ['80 euro signs, two units each', '€'.repeat(80), 1, 'GSM-7'],
  ['81 euro signs', '€'.repeat(81), 2, 'GSM-7'],
  ['a euro sign that does not fit at the end of a part', `${'x'.repeat(152)}€${'x'.repeat(152)}`, 3, 'GSM-7'],
  ['70 letters and one outside GSM-7', `ɛ${'x'.repeat(69)}`, 1, 'UCS-2'],
  ['71 letters and one outside GSM-7', `ɛ${'x'.repeat(70)}`, 2, 'UCS-2'],
  ['536 letters and one outside GSM-7', `ɛ${'x'.repeat(535)}`, 8, 'UCS-2'],
  ['537 letters and one outside GSM-7', `ɛ${'x'.repeat(536)}`, 9, 'UCS-2'],
  ['35 emoji', '😀'.repeat(35), 1, 'UCS-2'],
  ['an emoji that does not fit at the end of a part', `${'x'.repeat(66)}😀${'x'.repeat(66)}`, 3, 'UCS-2'],
  ['1000 emoji', '😀'.repeat(1_000), 31, 'UCS-2'],
  ['a family emoji', `${'x'.repeat(60)}👨‍👩‍👧‍👦${'x'.repeat(60)}`, 3, 'UCS-2'],
  ['one character longer than a part', `x${'\u0301'.repeat(200)}`, 3, 'UCS-2'],
  ['a space', ' ', 1, 'GSM-7'],
])('the number of SMS is correct for %s', (_, text, segments, encoding) => {
  expect(sizeOf(text)).toEqual({ segments, encoding });
});

test('the number of SMS matches sms-segments-calculator', () => {
  const characters = ['x', 'é', ' ', '\n', '€', '[', ']', '^', '\\', '~', '|', '-', '@', 'ɛ', '😀', '👍🏽', 'e\u0301'];
  const fewKinds = fc
    .uniqueArray(fc.constantFrom(...characters), { minLength: 1, maxLength: 4 })
    .chain((kinds) => fc.array(fc.constantFrom(...kinds), { maxLength: 400 }));
  const anyCharacter = fc.array(
    fc.nat({ max: 0x24ff }).map((code) => String.fromCharCode(code)),
    { maxLength: 3 },
  );
  // The library splits a two-character line break, whereas phones do not.
  const text = fc.tuple(fewKinds, anyCharacter).map((parts) => parts.flat().join('').replaceAll('\r', ''));
  fc.assert(
    fc.property(text, (message) => {
      const { segmentsCount, encodingName } = new SegmentedMessage(message);
      expect(sizeOf(message)).toEqual({ segments: segmentsCount, encoding: encodingName });
    }),
    { numRuns: 300 },
  );
});

describe('conversion to GSM-7', () => {
  test.each([
    ['“It’s ready” – Ama…', '"It\'s ready" - Ama...'],
    ['GH₵50 or ₵50', 'GHS50 or GHS50'],
    ['Ɛte sɛn? Mepa wo kyɛw, ɔkyena', 'Ete sen? Mepa wo kyew, okyena'],
    ['Ŋdi, míawoe ɖo eƒe xɔ', 'Ndi, míawoe do efe xo'.replace('í', 'i')],
    ['a\u00a0b\tc\u200bd\ufeffe', 'a b cde'],
    ['½ price ™', '1/2 price TM'],
    ['São Tomé à crédit', 'Sao Tomé à crédit'],
    ['e\u0301', 'é'],
    ['[50€] {x} ~ ^ | \\', '[50€] {x} ~ ^ | \\'],
  ])('replaces the characters of %s that are not in GSM-7', (written, wanted) => {
    const { text, missing } = inGsm7(written);
    expect(text).toBe(wanted);
    expect(missing).toEqual([]);
    expect(sizeOf(text).encoding).toBe('GSM-7');
  });

  test('lists each character outside GSM-7 once', () => {
    const replaced = [{ from: '’', to: "'" }];
    expect(inGsm7('’a’ 😀 你 😀')).toEqual({ text: "'a' 😀 你 😀", replaced, missing: ['😀', '你'] });
  });

  test('keeps every character that is in GSM-7', () => {
    const text = 'ÄÖÑÜ§¿äöñüà@£$¥èéùìòÇØøÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ\n\r';
    expect(inGsm7(text)).toEqual({ text, replaced: [], missing: [] });
  });
});
