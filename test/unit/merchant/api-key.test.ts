import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { apiKeyKind, hashApiKey, newApiKey } from '../../../shared/merchant/api-key.ts';

describe.each(['live', 'sms'] as const)('a key of kind %s', (kind) => {
  test(`starts with sk_${kind}_, followed by 30 random characters and 6 of a checksum`, () => {
    for (let n = 0; n < 500; n++) {
      const key = newApiKey(kind, randomBytes);
      expect(key).toMatch(new RegExp(`^sk_${kind}_[0-9A-Za-z]{36}$`));
      expect(apiKeyKind(key)).toBe(kind);
    }
  });

  test('one wrong character anywhere, or two neighbours that changed places, is no key', () => {
    for (let n = 0; n < 50; n++) {
      const key = newApiKey(kind, randomBytes);
      for (let at = 0; at < key.length; at++) {
        const wrong = key.slice(0, at) + (key[at] === 'A' ? 'B' : 'A') + key.slice(at + 1);
        expect(apiKeyKind(wrong)).toBeUndefined();
        const swapped = key.slice(0, at) + (key[at + 1] ?? '') + key.charAt(at) + key.slice(at + 2);
        if (swapped !== key) expect(apiKeyKind(swapped)).toBeUndefined();
      }
    }
  });

  test('cut short, made longer, or with the prefix of the other kind, it is no key', () => {
    const key = newApiKey(kind, randomBytes);
    const other = key.replace(kind, kind === 'live' ? 'sms' : 'live');
    for (const wrong of ['', key.slice(0, -1), `${key}0`, ` ${key}`, `${key}\n`, other, key.toUpperCase()]) {
      expect(apiKeyKind(wrong)).toBeUndefined();
    }
  });
});

test('what is stored of a key is its SHA-256', () => {
  const key = newApiKey('live', randomBytes);
  expect(hashApiKey(key)).toBe(createHash('sha256').update(key).digest('hex'));
});
