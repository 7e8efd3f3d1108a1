import type { Table } from '../table/table.ts';
import type { SecretName } from './ask-aws.ts';
import type { Log } from './log.ts';

/** All side effects of a function. Tests pass a fake instead of mocking modules. */
export interface Outside {
  table: Table;
  now(): number;
  randomBytes(length: number): Buffer;
  sleep(ms: number): Promise<void>;
  fetch: typeof fetch;
  secret(name: SecretName): Promise<string>;
  log: Log;
  /** Base URL of the service, without a trailing slash. */
  baseUrl: string;
  /** True if webhooks and links may point to this machine, as on the local stack. */
  allowsThisMachine: boolean;
  retentionDays: number;
  operator?: string | undefined;
  call(name: string, question: object): Promise<unknown>;
}

export type TableOutside = Pick<Outside, 'table'>;
export type Clock = Pick<Outside, 'now'>;
export type TimedOutside = TableOutside & Clock;
export type IdOutside = Pick<Outside, 'now' | 'randomBytes'>;
export type WriteOutside = TableOutside & IdOutside;
export type RetryOutside = WriteOutside & Pick<Outside, 'sleep'>;

/** Formats a time as stored and returned by the API: `2026-11-20T08:30:00.000Z`. ISO times sort chronologically. */
export function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}

export function nowIso({ now }: Clock): string {
  return isoOf(now());
}

export function todayOf(outside: Clock): string {
  return nowIso(outside).slice(0, 10);
}

export function nowSeconds({ now }: Clock): number {
  return Math.floor(now() / 1000);
}

export function endsIn(outside: Clock, seconds: number) {
  return { expires_at_epoch_seconds: nowSeconds(outside) + seconds };
}
