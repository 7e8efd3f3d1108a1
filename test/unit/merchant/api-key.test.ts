import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { hashApiKey, keyPrefixes, newApiKey, readApiKey } from '../../../shared/merchants/merchant/api-key.ts';
import { testAccountIdOf } from '../../../shared/merchants/merchant/test-account.ts';

const ID = '01KATYQ6Z5C5J8YB4SFH1N3XQ2';

describe.each([
  ['live', 'real'],
  ['live', 'test'],
  ['sms', 'real'],
  ['sms', 'test'],
] as const)('a %s API key in %s mode', (kind, mode) => {
  const prefix = keyPrefixes[kind][mode];
  test(`is ${prefix}, the merchant’s id, 30 random characters and a checksum`, () => {
    for (let n = 0; n < 500; n++) {
      const key = newApiKey(kind, ID, randomBytes, mode);
      expect(key).toMatch(new RegExp(`^${prefix}${ID}[0-9A-Za-z]{36}$`));
      expect(readApiKey(key)).toEqual({ kind, merchantId: mode === 'test' ? testAccountIdOf(ID) : ID });
    }
  });

  test('is rejected if it contains a typo', () => {
    for (let n = 0; n < 50; n++) {
      const key = newApiKey(kind, ID, randomBytes, mode);
      for (let at = 0; at < key.length; at++) {
        const wrong = key.slice(0, at) + (key[at] === 'A' ? 'B' : 'A') + key.slice(at + 1);
        expect(readApiKey(wrong)).toBeUndefined();
        const swapped = key.slice(0, at) + (key[at + 1] ?? '') + key.charAt(at) + key.slice(at + 2);
        if (swapped !== key) expect(readApiKey(swapped)).toBeUndefined();
      }
    }
  });

  test('is rejected if its length or prefix is wrong', () => {
    const key = newApiKey(kind, ID, randomBytes, mode);
    const others = Object.values(keyPrefixes)
      .flatMap(({ real, test: forTests }) => [real, forTests])
      .filter((other) => other !== prefix)
      .map((other) => key.replace(prefix, other));
    for (const wrong of ['', key.slice(0, -1), `${key}0`, ` ${key}`, `${key}\n`, ...others, key.toUpperCase()])
      expect(readApiKey(wrong)).toBeUndefined();
  });
});

test('an API key is stored as its SHA-256 hash', () => {
  const key = newApiKey('live', ID, randomBytes);
  expect(hashApiKey(key)).toBe(createHash('sha256').update(key).digest('hex'));
});
