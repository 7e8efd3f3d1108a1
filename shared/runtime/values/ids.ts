import { decodeTime, encodeTime, ulid } from 'ulid';
import type { IdOutside } from '../outside/outside.ts';

/** Generates a ULID, a time-ordered id (https://github.com/ulid/spec). */
export function newUlid(outside: IdOutside): string {
  return ulid(outside.now(), () => outside.randomBytes(4).readUInt32BE() / 2 ** 32);
}

/** Returns the prefix of all ULIDs of the same millisecond. */
export function timeOfUlid(ms: number): string {
  return encodeTime(ms);
}

/** Returns a ULID's creation time in epoch milliseconds, or undefined for any other string. */
export function msOfUlid(id: string): number | undefined {
  return /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(id) ? decodeTime(id) : undefined;
}
