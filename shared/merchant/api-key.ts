import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { KeyKind } from '../runtime/triggers/row.ts';
import { encodeBase62, randomBase62 } from '../runtime/values/base62.ts';

/** `sk_live_` or `sk_sms_`, 30 random base62 characters (178 bits) and the CRC32 of all that as 6 more, as GitHub's tokens. */
const FORM = /^(sk_(live|sms)_[0-9A-Za-z]{30})([0-9A-Za-z]{6})$/;

/** Far more than a shop needs: a key that got out, or a loop that got out of hand, is held to this. */
export const DEFAULT_REQUESTS_PER_SECOND = 50;

export function newApiKey(kind: KeyKind, randomBytes: (length: number) => Uint8Array): string {
  const body = `sk_${kind}_${randomBase62(30, randomBytes)}`;
  return body + checksum(body);
}

/** The kind of a well-formed key; undefined for anything else, so that junk and typing errors cost no read. */
export function apiKeyKind(key: string): KeyKind | undefined {
  const [, body, kind, sum] = FORM.exec(key) ?? [];
  if (!body || checksum(body) !== sum) return undefined;
  return kind === 'live' ? 'live' : 'sms';
}

/** What is stored in place of the key. The key is 178 random bits, so a fast hash without salt is enough. */
export function hashApiKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

function checksum(body: string): string {
  return encodeBase62(crc32(body), 6);
}
