import { createHmac, timingSafeEqual } from 'node:crypto';
import * as z from 'zod/mini';
import type { Outside } from '../outside/outside.ts';
import { type Change, changeItem, type Key, type TableWrite } from './table.ts';

export const oneTimeCode = {
  code_salt: z.optional(z.string()),
  code_hash: z.optional(z.string()),
  valid_until: z.string(),
  tries: z.number(),
};
type HashedCode = { readonly [Field in 'code_salt' | 'code_hash']?: string | undefined };

export function newCode({ randomBytes }: Pick<Outside, 'randomBytes'>, digits: number): string {
  return String(randomBytes(6).readUIntBE(0, 6) % 10 ** digits).padStart(digits, '0');
}

/**
 * Returns the fields of a new code. The hash only prevents accidental disclosure: all codes can be hashed in a second.
 */
export function keepCode({ randomBytes }: Pick<Outside, 'randomBytes'>, code: string, valid_until: string) {
  const code_salt = randomBytes(16).toString('base64');
  return { code_salt, code_hash: hashOf(code_salt, code), valid_until, tries: 0 };
}

/** Compares the typed code in constant time. Call `countTry` first. */
export function isCode({ code_salt, code_hash }: HashedCode, typed: string): boolean {
  if (code_salt === undefined || code_hash === undefined) return false;
  return timingSafeEqual(Buffer.from(hashOf(code_salt, typed)), Buffer.from(code_hash));
}

function hashOf(salt: string, code: string): string {
  return createHmac('sha256', salt).update(code).digest('base64');
}

interface Try {
  readonly most: number;
  /** Time (ISO) at which the code must be valid. */
  readonly validAt: string;
}

/**
 * Counts an attempt. Must be written before the code is compared, so that simultaneous attempts cannot bypass the
 * limit. Fails with `NoCode` if the code was used or replaced, has expired, or has had too many attempts.
 */
export function countTry(key: Key, { code_hash = '' }: HashedCode, { most, validAt }: Try): TableWrite {
  const when = 'code_hash = :hash AND valid_until > :at';
  const values = { ':hash': code_hash, ':at': validAt };
  return changeItem(key, {}, { when, values, upTo: { tries: most }, refused: () => new NoCode() });
}

/** Marks a code as used. Fails with `NoCode` if it was already used or replaced. */
export function useUp(
  key: Key,
  { code_hash = '' }: HashedCode,
  { when = '', values, ...more }: Change = {},
): TableWrite {
  const used = { code_salt: undefined, code_hash: undefined };
  return changeItem(key, used, {
    when: `code_hash = :hash${when && ` AND ${when}`}`,
    values: { ':hash': code_hash, ...values },
    refused: () => new NoCode(),
    ...more,
  });
}

/** Thrown if the code does not exist or is no longer valid. Callers must not reveal which of the two is true. */
export class NoCode extends Error {}
