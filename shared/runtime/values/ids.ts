import { decodeTime, encodeTime, ulid } from 'ulid';
import type { IdOutside } from '../outside/outside.ts';

/** A time-ordered id (https://github.com/ulid/spec). */
export function newUlid(outside: IdOutside): string {
  return ulid(outside.now(), () => outside.randomBytes(4).readUInt32BE() / 2 ** 32);
}

/** How the ulids of a millisecond begin; they sort by time. */
export function timeOfUlid(ms: number): string {
  return encodeTime(ms);
}

/** When a ulid was made, in milliseconds since 1970; undefined for anything else. */
export function msOfUlid(id: string): number | undefined {
  return /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(id) ? decodeTime(id) : undefined;
}
