import type { Table } from '../table/table.ts';
import type { SecretName } from './ask-aws.ts';
import type { Log } from './log.ts';

/** Every side effect that a function can have. The wrappers pass it in; a test passes in its own and mocks no module. */
export interface Outside {
  table: Table;
  /** Milliseconds since 1970. */
  now(): number;
  randomBytes(length: number): Buffer;
  sleep(ms: number): Promise<void>;
  fetch: typeof fetch;
  /** The text of a secret. */
  secret(name: SecretName): Promise<string>;
  log: Log;
  /** Where the service is reached, without a slash at the end. */
  baseUrl: string;
  /** Whether webhooks and customers may be sent to this machine itself, which only the local stack allows. */
  allowsThisMachine: boolean;
  /** For how many days rows with people in them are kept. */
  retentionDays: number;
  /** Who runs the stage, and how they are reached, in a few words; unset where nobody said. */
  operator?: string | undefined;
  /** Calls another function of the stage, by its name in the manifest. @throws if it fails, or takes too long. */
  call(name: string, question: object): Promise<unknown>;
}

/** What reads the table, or writes what does not depend on the time. */
export type TableOutside = Pick<Outside, 'table'>;
export type Clock = Pick<Outside, 'now'>;
export type TimedOutside = TableOutside & Clock;
/** What gives something new its time and its id. */
export type IdOutside = Pick<Outside, 'now' | 'randomBytes'>;
/** What writes something new to the table. */
export type WriteOutside = TableOutside & IdOutside;
/** What a use case of the table needs that pauses before it tries again. */
export type RetryOutside = WriteOutside & Pick<Outside, 'sleep'>;

/** A moment as rows and answers have it: `2026-11-20T08:30:00.000Z`. In this form the later sorts after the earlier. */
export function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}

export function nowIso({ now }: Clock): string {
  return isoOf(now());
}

/** Today in Accra, where it is the same time as UTC all year: `2026-11-20`. */
export function todayOf(outside: Clock): string {
  return nowIso(outside).slice(0, 10);
}

/** Whole seconds since 1970. */
export function nowSeconds({ now }: Clock): number {
  return Math.floor(now() / 1000);
}

/** What DynamoDB deletes a row by that is kept for so long from now on. */
export function endsIn(outside: Clock, seconds: number) {
  return { expires_at_epoch_seconds: nowSeconds(outside) + seconds };
}
