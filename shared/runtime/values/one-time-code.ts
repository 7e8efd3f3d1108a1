import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Outside } from '../outside/outside.ts';

/** A code as it is stored. */
export interface HashedCode {
  readonly code_salt: string;
  readonly code_hash: string;
}

/** A code of so many digits, at most 8. */
export function newCode({ randomBytes }: Pick<Outside, 'randomBytes'>, digits: number): string {
  return String(randomBytes(6).readUIntBE(0, 6) % 10 ** digits).padStart(digits, '0');
}

/** All possible codes can be hashed in a second: their short life protects them; this only keeps them out of sight. */
export function hashCode({ randomBytes }: Pick<Outside, 'randomBytes'>, code: string): HashedCode {
  const code_salt = randomBytes(16).toString('base64');
  return { code_salt, code_hash: hashOf(code_salt, code) };
}

/** Whether a code is the one that was typed, in constant time. */
export function isCode({ code_salt, code_hash }: HashedCode, typed: string): boolean {
  return timingSafeEqual(Buffer.from(hashOf(code_salt, typed)), Buffer.from(code_hash));
}

function hashOf(salt: string, code: string): string {
  return createHmac('sha256', salt).update(code).digest('base64');
}
