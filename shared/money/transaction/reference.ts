import { timingSafeEqual } from 'node:crypto';
import { decodeBase62, encodeBase62, randomBase62 } from '../../runtime/values/base62.ts';

type RandomBytes = (length: number) => Buffer;

/**
 * `MK-` and ten random digits, the first not 0: people type phone numbers where a reference belongs. A first collision is
 * likely by the 112,000th, so a create is conditional and tries another.
 */
export function newReference(randomBytes: RandomBytes): string {
  return `MK-${1_000_000_000n + (randomBytes(8).readBigUInt64BE() % 9_000_000_000n)}`;
}

export function isReference(text: string): boolean {
  return /^MK-\d{10}$/.test(text);
}

/** A checkout code: 6 base62 characters that say the reference, so that no index is needed, and 16 random ones (95 bits). */
export function newAccessCode(reference: string, randomBytes: RandomBytes): string {
  return encodeBase62(Number(reference.slice(3)), REFERENCE_CHARACTERS) + randomBase62(16, randomBytes);
}

/** The reference inside a checkout code; undefined for what cannot be one. It says where to look, not that the code is right. */
export function referenceOfAccessCode(accessCode: string): string | undefined {
  if (!/^[0-9A-Za-z]{22}$/.test(accessCode)) return undefined;
  const digits = String(decodeBase62(accessCode.slice(0, REFERENCE_CHARACTERS))).padStart(10, '0');
  return digits.length === 10 ? `MK-${digits}` : undefined;
}

/** Compares checkout codes in constant time. */
export function isSameAccessCode(shown: string, stored: string): boolean {
  return shown.length === stored.length && timingSafeEqual(Buffer.from(shown), Buffer.from(stored));
}

/** 62^6 is more than 10^10. */
const REFERENCE_CHARACTERS = 6;
