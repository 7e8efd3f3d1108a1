import { crc32 } from 'node:zlib';
import type { Clock } from '../../runtime/outside/outside.ts';
import type { KeyKind, KeyPermission } from '../../runtime/triggers/row.ts';
import { encodeBase62, randomBase62 } from '../../runtime/values/base62.ts';
import { sha256 } from '../../runtime/values/sha256.ts';
import type { ApiKey } from './api-key.table.ts';
import { isTestAccount, testAccountIdOf } from './test-account.ts';

export type KeyMode = 'real' | 'test';

export const keyPrefixes: Readonly<Record<KeyKind, Readonly<Record<KeyMode, string>>>> = {
  live: { real: 'sk_live_', test: 'sk_test_' },
  sms: { real: 'sk_sms_', test: 'sk_sms_test_' },
};

/**
 * A prefix, the merchant's id, 30 random base62 characters (178 bits) and a CRC32 in 6 characters. The id in the key
 * allows the key's row and the merchant's row to be read in parallel.
 */
const FORM = /^(sk_(live|test|sms|sms_test)_([0-9A-HJKMNP-TV-Z]{26})[0-9A-Za-z]{30})([0-9A-Za-z]{6})$/;

/** Default rate limit of a live key. Limits the damage from leaked keys and runaway loops. */
export const DEFAULT_REQUESTS_PER_SECOND = 50;
export const DEFAULT_TEST_REQUESTS_PER_SECOND = 10;

export function newApiKey(
  kind: KeyKind,
  merchantId: string,
  randomBytes: (length: number) => Uint8Array,
  mode: KeyMode = 'real',
): string {
  const body = keyPrefixes[kind][mode] + merchantId + randomBase62(30, randomBytes);
  return body + checksum(body);
}

export function keyModeOf({ merchant_id }: Pick<ApiKey, 'merchant_id'>): KeyMode {
  return isTestAccount(merchant_id) ? 'test' : 'real';
}

export function defaultRequestsPerSecond(merchantId: string): number {
  return isTestAccount(merchantId) ? DEFAULT_TEST_REQUESTS_PER_SECOND : DEFAULT_REQUESTS_PER_SECOND;
}

export function requestsPerSecondOf(key: Pick<ApiKey, 'requests_per_second' | 'merchant_id'>): number {
  return key.requests_per_second ?? defaultRequestsPerSecond(key.merchant_id);
}

/** Returns the kind and merchant that a key claims, or undefined if the key is malformed. */
export function readApiKey(key: string): { readonly kind: KeyKind; readonly merchantId: string } | undefined {
  const [, body, prefix, merchantId, sum] = FORM.exec(key) ?? [];
  if (!body || !merchantId || checksum(body) !== sum) return undefined;
  const isTest = prefix === 'test' || prefix === 'sms_test';
  return {
    kind: prefix === 'live' || prefix === 'test' ? 'live' : 'sms',
    merchantId: isTest ? testAccountIdOf(merchantId) : merchantId,
  };
}

export function hasEnded({ now }: Clock, { ends_at }: Pick<ApiKey, 'ends_at'>): boolean {
  return ends_at !== undefined && Date.parse(ends_at) <= now();
}

/** Returns the stored hash of a key. Keys have 178 random bits, so a fast hash without a salt is sufficient. */
export function hashApiKey(key: string): string {
  return sha256(key);
}

function checksum(body: string): string {
  return encodeBase62(crc32(body), 6);
}

/** Permissions that a key never has by default. They must be granted explicitly. */
export const namedOnly: ReadonlySet<KeyPermission> = new Set(['balances:read']);

/** Permissions available to each kind of key. */
export const scopesOfKind: Readonly<Record<KeyKind, readonly KeyPermission[]>> = {
  live: [
    'charges:read',
    'charges:write',
    'links:write',
    'receipts:read',
    'receipts:assign',
    'refunds:write',
    'balances:read',
    'webhooks:read',
    'webhooks:write',
  ],
  sms: ['texts:read', 'texts:send', 'credits:read', 'credits:buy', 'webhooks:read', 'webhooks:write'],
};
