import { expect, test } from 'vitest';
import { parseLossless } from '../../../../shared/runtime/values/json.ts';
import { chanceFrom } from '../../../simulation/random.ts';

const chance = chanceFrom(1);

test.each([
  ...['12345678901234567890', '1.10', '0.1', '1e400', '-0', '1E2', '-1.50e-7', '0.30000000000000004'],
  ...['9007199254740993', 'true', 'null', '""', '"1.10"', '[]', '{}'],
])('%s is written exactly as it was read', (text) => {
  expect(JSON.stringify(parseLossless(text))).toBe(text);
  expect(JSON.stringify(parseLossless(`{"a":[{"b":${text}}]}`))).toBe(`{"a":[{"b":${text}}]}`);
});

test('any JSON is written exactly as it was read', () => {
  for (let n = 0; n < 2_000; n++) {
    const text = randomJson(4);
    expect(JSON.stringify(parseLossless(text))).toBe(text);
  }
});

test('numbers that fit a double are read as numbers', () => {
  expect(parseLossless('{"a":36,"b":0.5,"c":{"rawJSON":"1"}}')).toEqual({ a: 36, b: 0.5, c: { rawJSON: '1' } });
});

test('the last of several duplicate keys wins', () => {
  expect(JSON.stringify(parseLossless('{"a":1.10,"a":2.20}'))).toBe('{"a":2.20}');
});

test.each(['', '{', '{"a":01}', '{a:1}', '[1,]', "{'a':1}", 'NaN', '1.10.1', '{"a":1} {"b":2}'])(
  '%j is rejected as invalid JSON',
  (text) => {
    expect(() => parseLossless(text)).toThrow(SyntaxError);
  },
);

/** Returns random compact JSON with unusual number notations. */
function randomJson(levels: number): string {
  const kind = Math.floor(chance.next() * (levels > 0 ? 5 : 3));
  const some = () => Array.from({ length: Math.floor(chance.next() * 4) }, () => randomJson(levels - 1));
  if (kind === 0) return ['true', 'false', 'null'][Math.floor(chance.next() * 3)] ?? 'null';
  if (kind === 1) return randomNumber();
  if (kind === 2) return JSON.stringify(String.fromCodePoint(...Array.from({ length: 5 }, randomCodePoint)));
  if (kind === 3) return `[${some().join(',')}]`;
  return `{${some()
    .map((value, n) => `"key ${n}":${value}`)
    .join(',')}}`;
}

function randomNumber(): string {
  const digits = () => String(Math.floor(chance.next() * 1e15));
  const fraction = chance.next() < 0.5 ? `.${digits()}0` : '';
  const exponent = chance.next() < 0.3 ? `${chance.next() < 0.5 ? 'e' : 'E+'}${Math.floor(chance.next() * 400)}` : '';
  return `${chance.next() < 0.5 ? '-' : ''}${digits()}${chance.next() < 0.3 ? digits() : ''}${fraction}${exponent}`;
}

function randomCodePoint(): number {
  return Math.floor(chance.next() * (chance.next() < 0.5 ? 0x80 : 0x10ffff));
}
