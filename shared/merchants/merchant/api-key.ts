import { crc32 } from 'node:zlib';
import type { Clock } from '../../runtime/outside/outside.ts';
import type { KeyKind, KeyPermission } from '../../runtime/triggers/row.ts';
import { encodeBase62, randomBase62 } from '../../runtime/values/base62.ts';
import { sha256 } from '../../runtime/values/sha256.ts';
import type { ApiKey } from './api-key.table.ts';
import { isTwin, twinIdOf } from './twin.ts';

/** Whether a key is for money and texts, or for tests. */
export type KeyMode = 'real' | 'test';

/** How keys begin. */
export const keyPrefixes: Readonly<Record<KeyKind, Readonly<Record<KeyMode, string>>>> = {
  live: { real: 'sk_live_', test: 'sk_test_' },
  sms: { real: 'sk_sms_', test: 'sk_sms_test_' },
};

/**
 * One of those, its merchant's id, 30 random base62 characters (178 bits) and the CRC32 of all that as 6 more, as GitHub's tokens.
 * The id lets a request that remembers nothing read the key and the merchant at the same time.
 */
const FORM = /^(sk_(live|test|sms|sms_test)_([0-9A-HJKMNP-TV-Z]{26})[0-9A-Za-z]{30})([0-9A-Za-z]{6})$/;

/** Far more than a shop needs: a key that got out, or a loop that got out of hand, is held to this. */
export const DEFAULT_REQUESTS_PER_SECOND = 50;
/** Test keys lie in more places, and nobody waits for their answers at a till. */
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

/** Whose keys they are: a merchant's own, or its twin's. */
export function keyModeOf({ merchant_id }: Pick<ApiKey, 'merchant_id'>): KeyMode {
  return isTwin(merchant_id) ? 'test' : 'real';
}

/** How many requests a second a key of this merchant, or twin, may make where the operator says nothing else. */
export function defaultRequestsPerSecond(merchantId: string): number {
  return isTwin(merchantId) ? DEFAULT_TEST_REQUESTS_PER_SECOND : DEFAULT_REQUESTS_PER_SECOND;
}

/** How many requests a second a key may make. */
export function requestsPerSecondOf(key: Pick<ApiKey, 'requests_per_second' | 'merchant_id'>): number {
  return key.requests_per_second ?? defaultRequestsPerSecond(key.merchant_id);
}

/**
 * What a well-formed key claims: its kind, and its merchant or that one's twin. Undefined for anything else, so that junk and typing
 * errors cost no read.
 */
export function readApiKey(key: string): { readonly kind: KeyKind; readonly merchantId: string } | undefined {
  const [, body, prefix, merchantId, sum] = FORM.exec(key) ?? [];
  if (!body || !merchantId || checksum(body) !== sum) return undefined;
  const isTest = prefix === 'test' || prefix === 'sms_test';
  return {
    kind: prefix === 'live' || prefix === 'test' ? 'live' : 'sms',
    merchantId: isTest ? twinIdOf(merchantId) : merchantId,
  };
}

/** Whether the time is over for which a key worked beside the one that took its place. */
export function hasEnded({ now }: Clock, { ends_at }: Pick<ApiKey, 'ends_at'>): boolean {
  return ends_at !== undefined && Date.parse(ends_at) <= now();
}

/** What is stored in place of the key. The key is 178 random bits, so a fast hash without salt is enough. */
export function hashApiKey(key: string): string {
  return sha256(key);
}

function checksum(body: string): string {
  return encodeBase62(crc32(body), 6);
}

/** What a key may only where its scope names it: what a wallet holds is for its owner to tell. */
export const namedOnly: ReadonlySet<KeyPermission> = new Set(['balances:read']);

/** What a key of each kind can be allowed at all: what the routes that take it need, and what one of them shows besides. */
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
