import { createHash } from 'node:crypto';
import type { Outside } from '../../runtime/outside/outside.ts';

/**
 * A new token of a person, and its hash, which alone is stored. It names them, so that what it is for is read by their id, and has 256
 * random bits, so that a fast hash is enough.
 */
export function newToken(
  { randomBytes }: Pick<Outside, 'randomBytes'>,
  userId: string,
): { readonly token: string; readonly hash: string } {
  const token = `${userId}.${randomBytes(32).toString('base64url')}`;
  return { token, hash: hashOf(token) };
}

/** Whose token this says it is, and its hash; undefined for what can be none, which costs no read. */
export function readToken(token: string): { readonly userId: string; readonly hash: string } | undefined {
  const [, userId] = TOKEN.exec(token) ?? [];
  return userId === undefined ? undefined : { userId, hash: hashOf(token) };
}

const TOKEN = /^([0-7][0-9A-HJKMNP-TV-Z]{25})\.[\w-]{43}$/;

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
