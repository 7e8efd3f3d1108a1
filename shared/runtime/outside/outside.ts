import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { newDynamoDbClient } from '../table/connection.ts';
import { openTable } from '../table/open-table.ts';
import type { Table } from '../table/table.ts';
import { callFunction, readSecret, type SecretName } from './ask-aws.ts';
import { environment } from './environment.ts';
import { type Log, lambdaLog } from './log.ts';
import { retentionDays } from './retention.ts';

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

/** The real side effects, created once per process on first use, so that importing a handler costs nothing. */
export function realOutside(): Outside {
  real ??= {
    table: openTable(newDynamoDbClient(process.env.DYNAMODB_ENDPOINT), environment('TABLE_NAME'), {
      randomBytes,
      sleep,
    }),
    now: Date.now,
    randomBytes,
    sleep,
    fetch: (...request) => fetch(...request),
    secret: readSecret,
    log: lambdaLog,
    baseUrl: environment('BASE_URL'),
    allowsThisMachine: process.env.ALLOWS_THIS_MACHINE === 'true',
    retentionDays: retentionDays(),
    operator: process.env.OPERATOR_CONTACT || undefined,
    call: callFunction,
  };
  return real;
}

let real: Outside | undefined;
