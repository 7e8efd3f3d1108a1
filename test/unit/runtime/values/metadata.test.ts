import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { parseLossless } from '../../../../shared/runtime/values/json.ts';
import { Metadata, metadataValue } from '../../../../shared/runtime/values/metadata.ts';

test('metadata preserves numbers exactly', () => {
  const text = '{"order":12345678901234567890,"price":1.10,"tags":["a",null,{"deep":[1E2,-0]}],"":"😀\\ud800"}';
  const stored = z.parse(Metadata, parseLossless(text));
  expect(stored).toBe(text);
  expect(JSON.stringify({ metadata: metadataValue(stored) })).toBe(`{"metadata":${text}}`);
});

test('missing metadata is returned as null', () => {
  expect(metadataValue(undefined)).toBeNull();
});

test.each([
  ['with letters', (size: number) => ({ a: 'x'.repeat(size - '{"a":""}'.length) }), 16_384],
  ['counted in bytes, not characters', (size: number) => ({ a: '😀'.repeat(size) }), 4_094],
  ['with digits that are kept as written', (size: number) => parseLossless(`{"a":${'1'.repeat(size)}}`), 16_378],
])('metadata of 16 KB %s is accepted', (_, sized, most) => {
  expect(problems(sized(most))).toEqual([]);
  expect(problems(sized(most + 1))).toEqual(['must be at most 16384 bytes of JSON']);
});

test.each([
  ['objects', '{"a":', '}'],
  ['lists', '[', ']'],
])('%s can be nested up to 100 levels deep', (_, open, close) => {
  const levels = (count: number) => parseLossless(`{"a":${open.repeat(count - 1)}1${close.repeat(count - 1)}}`);
  expect(problems(levels(100))).toEqual([]);
  expect(problems(levels(101))).toEqual(['must not be nested more than 100 levels deep']);
});

test('a raw number does not count as a level of nesting', () => {
  expect(problems(parseLossless(`${'{"a":'.repeat(100)}1.10${'}'.repeat(100)}`))).toEqual([]);
});

test.each([[null], [[]], ['text'], [36], [true], [undefined]])(
  '%j is rejected as metadata because it is not an object',
  (value) => {
    expect(problems(value)).toEqual(['must be a JSON object']);
  },
);

test.each(['1.10', '1e400', '12345678901234567890'])(
  'the raw number %s is rejected as metadata because it is not an object',
  (written) => {
    expect(problems(parseLossless(written))).toEqual(['must be a JSON object']);
  },
);

test('the metadata key __proto__ is ordinary data', () => {
  const text = '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}';
  expect(z.parse(Metadata, parseLossless(text))).toBe(text);
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
});

function problems(value: unknown): string[] {
  return z.safeParse(Metadata, value).error?.issues.map(({ message }) => message) ?? [];
}
