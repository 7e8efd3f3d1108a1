import { ulid } from 'ulid';
import type { Outside } from '../outside/outside.ts';

/** A time-ordered id (https://github.com/ulid/spec). */
export function newUlid(outside: Pick<Outside, 'now' | 'randomBytes'>): string {
  return ulid(outside.now(), () => outside.randomBytes(4).readUInt32BE() / 2 ** 32);
}
