import { describe, expect, test } from 'vitest';
import { inGsm7 } from '../../../shared/texts/sms/gsm7.ts';
import { sizeOf } from '../../../shared/texts/sms/segments.ts';

describe('a text in GSM-7', () => {
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
  ])('%s', (written, wanted) => {
    const { text, missing } = inGsm7(written);
    expect(text).toBe(wanted);
    expect(missing).toEqual([]);
    expect(sizeOf(text).encoding).toBe('GSM-7');
  });

  test('says once of each character what stands for it, and names those for which there is nothing, which stay', () => {
    const replaced = [{ from: '’', to: "'" }];
    expect(inGsm7('’a’ 😀 你 😀')).toEqual({ text: "'a' 😀 你 😀", replaced, missing: ['😀', '你'] });
  });

  test('leaves every character of GSM-7 as it is', () => {
    const text = 'ÄÖÑÜ§¿äöñüà@£$¥èéùìòÇØøÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ\n\r';
    expect(inGsm7(text)).toEqual({ text, replaced: [], missing: [] });
  });
});
