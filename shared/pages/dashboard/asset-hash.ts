import { createHash } from 'node:crypto';

/** What the address of a style or a script has of it: another address for another text. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}
