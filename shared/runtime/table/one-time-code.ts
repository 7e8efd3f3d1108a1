import { createHmac, timingSafeEqual } from 'node:crypto';
import * as z from 'zod/mini';
import type { Outside } from '../outside/outside.ts';
import { type Change, changeItem, type Item, type Key, type TableWrite } from './table.ts';

/** A code that was sent to somebody, as its row keeps it: beside what it is for. */
export const oneTimeCode = {
  /** Both unset once it was used. */
  code_salt: z.optional(z.string()),
  code_hash: z.optional(z.string()),
  valid_until: z.string(),
  tries: z.number(),
};
type HashedCode = { readonly [Field in 'code_salt' | 'code_hash']?: string | undefined };

/** A code of so many digits, at most 8. */
export function newCode({ randomBytes }: Pick<Outside, 'randomBytes'>, digits: number): string {
  return String(randomBytes(6).readUIntBE(0, 6) % 10 ** digits).padStart(digits, '0');
}

/**
 * What a row keeps of a new code, in place of that of any code before it. All possible codes can be hashed in a second: their short life
 * protects them; the hash only keeps them out of sight.
 */
export function keepCode({ randomBytes }: Pick<Outside, 'randomBytes'>, code: string, valid_until: string) {
  const code_salt = randomBytes(16).toString('base64');
  return { code_salt, code_hash: hashOf(code_salt, code), valid_until, tries: 0 };
}

/** Whether a code is the one that was typed, in constant time. Only who has taken a try asks. */
export function isCode({ code_salt, code_hash }: HashedCode, typed: string): boolean {
  if (code_salt === undefined || code_hash === undefined) return false;
  return timingSafeEqual(Buffer.from(hashOf(code_salt, typed)), Buffer.from(code_hash));
}

function hashOf(salt: string, code: string): string {
  return createHmac('sha256', salt).update(code).digest('base64');
}

interface Try {
  readonly most: number;
  /** Only while it is valid at this time (ISO); unset where an answer that is right and late is still heard. */
  readonly validAt?: string;
  readonly set?: Item;
  /** Other counts of wrong ones in its row. */
  readonly upTo?: Readonly<Record<string, number>>;
}

/**
 * Takes one of the tries at a code, before anybody compares it: tries at the same time gain nothing over one after the other. Refused with
 * `NoCode` where it was used, replaced or tried too often, or is too old.
 */
export function takeTry(key: Key, { code_hash = '' }: HashedCode, { most, validAt, set = {}, upTo }: Try): TableWrite {
  const isValid = validAt === undefined ? {} : { ':at': validAt };
  const when = `code_hash = :hash${validAt === undefined ? '' : ' AND valid_until > :at'}`;
  const values = { ':hash': code_hash, ...isValid };
  return changeItem(key, set, { when, values, upTo: { tries: most, ...upTo }, refused: () => new NoCode() });
}

/** Uses a code up, once. Refused with `NoCode` where it was used before, or replaced. */
export function useUp(
  key: Key,
  { code_hash = '' }: HashedCode,
  { set, when = '', values, ...more }: Change & { readonly set?: Item } = {},
): TableWrite {
  const used = { ...set, code_salt: undefined, code_hash: undefined };
  return changeItem(key, used, {
    when: `code_hash = :hash${when && ` AND ${when}`}`,
    values: { ':hash': code_hash, ...values },
    refused: () => new NoCode(),
    ...more,
  });
}

/** There is no such code, or it is valid no longer: which of these, nobody is told. */
export class NoCode extends Error {}
