import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { parseLossless } from '../../../../shared/runtime/values/json.ts';
import { Metadata, metadataValue } from '../../../../shared/runtime/values/metadata.ts';

test('metadata is returned unchanged, numbers as they were written', () => {
  const text = '{"order":12345678901234567890,"price":1.10,"tags":["a",null,{"deep":[1E2,-0]}],"":"😀\\ud800"}';
  const stored = z.parse(Metadata, parseLossless(text));
  expect(stored).toBe(text);
  expect(JSON.stringify({ metadata: metadataValue(stored) })).toBe(`{"metadata":${text}}`);
});

test('without metadata the answer has null', () => {
  expect(metadataValue(undefined)).toBeNull();
});

test.each([
  ['of letters', (size: number) => ({ a: 'x'.repeat(size - '{"a":""}'.length) }), 16_384],
  ['of bytes, not of characters', (size: number) => ({ a: '😀'.repeat(size) }), 4_094],
  ['of digits that are kept as written', (size: number) => parseLossless(`{"a":${'1'.repeat(size)}}`), 16_378],
])('16 KB as JSON %s are accepted, one more byte is not', (_, sized, most) => {
  expect(problems(sized(most))).toEqual([]);
  expect(problems(sized(most + 1))).toEqual(['must be at most 16384 bytes long as JSON']);
});

test.each([
  ['objects', '{"a":', '}'],
  ['lists', '[', ']'],
])('100 levels of %s are accepted, 101 are not', (_, open, close) => {
  const levels = (count: number) => parseLossless(`{"a":${open.repeat(count - 1)}1${close.repeat(count - 1)}}`);
  expect(problems(levels(100))).toEqual([]);
  expect(problems(levels(101))).toEqual(['must be nested at most 100 levels deep']);
});

test('a raw number is not a level of its own', () => {
  expect(problems(parseLossless(`${'{"a":'.repeat(100)}1.10${'}'.repeat(100)}`))).toEqual([]);
});

test.each([[null], [[]], ['text'], [36], [true], [undefined]])('%j is not an object', (value) => {
  expect(problems(value)).toEqual(['must be a JSON object']);
});

test.each(['1.10', '1e400', '12345678901234567890'])('the raw number %s is not an object', (written) => {
  expect(problems(parseLossless(written))).toEqual(['must be a JSON object']);
});

test('a key __proto__ is ordinary data and changes no prototype', () => {
  const text = '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}';
  expect(z.parse(Metadata, parseLossless(text))).toBe(text);
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
});

function problems(value: unknown): string[] {
  return z.safeParse(Metadata, value).error?.issues.map(({ message }) => message) ?? [];
}
