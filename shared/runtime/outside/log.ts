import { Logger } from '@aws-lambda-powertools/logger';
import type { Context } from 'aws-lambda';
import { RowOfLaterRelease } from '../table/row-shape.ts';

/**
 * Fields that may be logged: ids, codes, counts and durations. There are deliberately no fields for phone numbers,
 * texts, names, keys, headers or whole events, because they are personal data or secrets.
 */
export interface LogFields {
  request_id?: string;
  merchant_id?: string;
  function?: string;
  route?: string;
  code?: string;
  kind?: string;
  /** A charge's reference or, for a job about a link's stock, the link's slug. */
  reference?: string;
  send_id?: string;
  message_id?: string;
  gateway?: string;
  /** The gateway's id for a phone. Never an id sent by an unauthenticated caller. */
  device?: string;
  sim?: number;
  network?: string;
  /** The job's message group: a merchant id or a gateway name. */
  group?: string;
  attempt?: number;
  status?: number;
  duration_ms?: number;
  error?: unknown;
}

export interface Log {
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
}

/**
 * Logs one line of JSON per event with the time and level and, after `logInvocation`, the function and the request.
 * Alarms count lines at level ERROR and can roll back a deployment, so errors about rows from a newer release are
 * logged below ERROR.
 */
export const lambdaLog: Log = {
  info: (event, fields) => logger().info(event, plain(fields)),
  warn: (event, fields) => logger().warn(event, plain(fields)),
  error: (event, fields) =>
    fields?.error instanceof RowOfLaterRelease ? lambdaLog.warn(event, fields) : logger().error(event, plain(fields)),
};

export function logInvocation(context: Context): void {
  logger().addContext(context);
}

let made: Logger | undefined;

/**
 * The logger is created on first use, so that importing a handler costs nothing. Its name and level come from
 * environment variables.
 */
function logger(): Logger {
  made ??= new Logger();
  return made;
}

function plain({ error, ...fields }: LogFields = {}) {
  return error === undefined ? { ...fields } : { ...fields, error: plainError(error) };
}

/**
 * Returns only an error's name, message and stack. By default, the logger writes every property of an error, and table
 * errors contain whole items, including texts, phone numbers and secrets.
 */
function plainError(error: unknown): object | string {
  if (!(error instanceof Error)) return String(error);
  const { name, message, stack, cause } = error;
  return { name, message, stack, ...(cause !== undefined && { cause: plainError(cause) }) };
}
