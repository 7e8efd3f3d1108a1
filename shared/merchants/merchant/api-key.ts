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
 * Matches a prefix, the merchant's id, 30 random base62 characters (178 bits) and a CRC32 in 6 characters, similar to
 * GitHub's tokens. The merchant's id lets us read the key's row and the merchant's row in parallel.
 */
const FORM = /^(sk_(live|test|sms|sms_test)_([0-9A-HJKMNP-TV-Z]{26})[0-9A-Za-z]{30})([0-9A-Za-z]{6})$/;

/**
 * Default rate limit of a live key. It is far more than a shop needs, and limits the damage from leaked keys and
 * runaway loops.
 */
export const DEFAULT_REQUESTS_PER_SECOND = 50;
/**
 * Default rate limit of a test key. It is lower, because test keys are stored in more places and no till waits for
 * their responses.
 */
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

/**
 * Returns the kind and the merchant (or test account) that a well-formed key claims. Returns undefined for other
 * strings, so that malformed keys do not cost a read.
 */
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

/** Returns the hash of a key, as stored. Keys have 178 random bits, so a fast hash without a salt is sufficient. */
export function hashApiKey(key: string): string {
  return sha256(key);
}

function checksum(body: string): string {
  return encodeBase62(crc32(body), 6);
}

/**
 * Permissions that a key has only if its scope lists them, because the shop's owner must decide who may see wallet
 * balances.
 */
export const namedOnly: ReadonlySet<KeyPermission> = new Set(['balances:read']);

/** The permissions available for each kind of key: those required by its routes, and the optional ones. */
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
