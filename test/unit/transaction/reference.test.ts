import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  isReference,
  isSameAccessCode,
  newAccessCode,
  newReference,
  referenceOfAccessCode,
} from '../../../shared/money/transaction/transaction.table.ts';
import { encodeBase62 } from '../../../shared/runtime/values/base62.ts';

test('a reference is a two-letter prefix, a hyphen, then ten digits', () => {
  for (let n = 0; n < 2_000; n++) {
    const reference = newReference(randomBytes);
    expect(reference).toMatch(/^MK-\d{10}$/);
    expect(isReference(reference)).toBe(true);
  }
  expect(newReference((length) => Buffer.alloc(length))).toBe('MK-1000000000');
});

test('references are random over the whole range', () => {
  const references = Array.from({ length: 2_000 }, () => newReference(randomBytes));
  // Two of 2,000 are equal once in 5,000 runs of this test; ten pairs never.
  expect(new Set(references).size).toBeGreaterThan(1_990);
  // None begins with 0, as phone numbers do.
  expect([...new Set(references.map((reference) => reference[3]))].sort().join('')).toBe('123456789');
});

test.each(['', 'MK-123456789', 'MK-12345678901', 'mk-1234567890', 'XX-1234567890', 'MK1234567890', ' MK-1234567890'])(
  '%j is no reference',
  (text) => {
    expect(isReference(text)).toBe(false);
  },
);

test('a checkout code says its reference', () => {
  const references = Array.from({ length: 2_000 }, () => newReference(randomBytes));
  for (const reference of ['MK-0000000000', 'MK-9999999999', ...references]) {
    const code = newAccessCode(reference, randomBytes);
    expect(code).toMatch(/^[0-9A-Za-z]{22}$/);
    expect(referenceOfAccessCode(code)).toBe(reference);
  }
});

test('one reference has another code each time: 16 of its characters are random', () => {
  const codes = Array.from({ length: 100 }, () => newAccessCode('MK-1234567890', randomBytes));
  expect(new Set(codes.map((code) => code.slice(0, 6))).size).toBe(1);
  expect(new Set(codes).size).toBe(100);
});

test('a code with one character changed is not the same code', () => {
  for (let n = 0; n < 200; n++) {
    const code = newAccessCode(newReference(randomBytes), randomBytes);
    expect(isSameAccessCode(code, code)).toBe(true);
    for (let at = 0; at < code.length; at++) expect(isSameAccessCode(withOtherCharacter(code, at), code)).toBe(false);
  }
});

test('codes of another length or alphabet, or past the last reference, are invalid', () => {
  const code = newAccessCode('MK-1234567890', randomBytes);
  expect(isSameAccessCode(code.slice(1), code)).toBe(false);
  const pastTheLast = encodeBase62(10 ** 10, 6) + code.slice(6);
  for (const other of [
    '',
    code.slice(1),
    `${code}0`,
    code.replace(/.$/, '-'),
    `${code}\n`,
    'z'.repeat(22),
    pastTheLast,
  ])
    expect(referenceOfAccessCode(other)).toBeUndefined();
});

function withOtherCharacter(text: string, at: number): string {
  return text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1);
}
