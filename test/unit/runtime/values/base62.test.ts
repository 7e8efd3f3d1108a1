import { expect, test } from 'vitest';
import { decodeBase62, encodeBase62, randomBase62 } from '../../../../shared/runtime/values/base62.ts';
import { chanceFrom } from '../../../simulation/random.ts';

const chance = chanceFrom(1);

test('an encoded number can be decoded', () => {
  for (let n = 0; n < 5_000; n++) {
    const length = 1 + (n % 8);
    const value = chance.between(0, 62 ** length - 1);
    const text = encodeBase62(value, length);
    expect(text).toMatch(/^[0-9A-Za-z]+$/);
    expect(text).toHaveLength(length);
    expect(decodeBase62(text)).toBe(value);
  }
});

test('the lowest number consists of 0s and the highest of zs', () => {
  expect(encodeBase62(0, 6)).toBe('000000');
  expect(encodeBase62(62 ** 6 - 1, 6)).toBe('zzzzzz');
});

test('encoded numbers sort numerically', () => {
  const values = Array.from({ length: 500 }, () => chance.between(0, 62 ** 6 - 1)).sort((a, b) => a - b);
  const texts = values.map((value) => encodeBase62(value, 6));
  expect([...texts].sort()).toEqual(texts);
});

test('random characters are uniformly distributed', () => {
  const everyByte = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
  const text = randomBase62(248, () => everyByte);
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  expect(counts.size).toBe(62);
  expect(new Set(counts.values())).toEqual(new Set([4]));
});

test('bytes that would bias the result are skipped', () => {
  const supply = [Buffer.alloc(60, 255), Buffer.alloc(60, 250), chance.bytes(60)];
  expect(randomBase62(8, () => supply.shift() ?? chance.bytes(60))).toMatch(/^[0-9A-Za-z]{8}$/);
  expect(supply).toEqual([]);
});
