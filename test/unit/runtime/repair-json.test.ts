import fc from 'fast-check';
import { expect, test } from 'vitest';
import { repairJson } from '../../../shared/runtime/values/repair-json.ts';
import { expectCost } from '../../support/cpu.ts';

test.each([
  ['{"a":"b\nc"}', { a: 'b\nc' }],
  ['{"a":"\r\n\t\u0001"}', { a: '\r\n\t\u0001' }],
  ['{"a":"\\\\\n\\"\n"}', { a: '\\\n"\n' }],
  ['{"a\nb":1}', { 'a\nb': 1 }],
])('an unescaped control character in a string is escaped: %j', (text, value) => {
  expect(JSON.parse(repairJson(text) ?? '')).toEqual(value);
});

test.each([
  '{"a":"b"}',
  '{\n"a":\t1}',
  'null',
  '',
  '{',
  '{"a":"b\nc"',
  '{"a":"b"c"\n"}',
  '{"a":"\\\n"}',
  '{"a":1,"a":"\n"}',
  '{\u0001"a":1}',
  'a\nb',
])('other JSON is left unchanged: %j', (text) => {
  expect(repairJson(text)).toBeUndefined();
});

test('any value with unescaped control characters is restored', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.string({ unit: 'binary' })), (value) => {
      const written = JSON.stringify(value);
      const raw = written.replace(/\\[nrtbf]|\\u00[01][0-9a-f]|\\./g, (one) =>
        /^\\(?:[nrtbf]|u00)/.test(one) ? JSON.parse(`"${one}"`) : one,
      );
      expect(JSON.parse(repairJson(raw) ?? raw)).toEqual(value);
    }),
  );
});

test.each([
  ['of escapes', `{"a":"${'\n\\"'.repeat(20_000)}"}`, true],
  ['of escapes without an end', `"${'\\"'.repeat(32_000)}`, false],
  ['of backslashes without an end', `"${'\\'.repeat(64_000)}`, false],
])('a long text %s is repaired at little cost', async (_, text, isRepaired) => {
  const repair = () => expect(repairJson(text) !== undefined).toBe(isRepaired);
  await expectCost(10, repair);
});
