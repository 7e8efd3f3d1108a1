import { Logger } from '@aws-lambda-powertools/logger';
import type { Context } from 'aws-lambda';
import { RowOfLaterRelease } from '../table/row-shape.ts';

/**
 * Fields that may be logged: ids, codes, counts and durations. Phone numbers, texts, names, keys, headers and whole
 * events must never be logged.
 */
export interface LogFields {
  request_id?: string;
  merchant_id?: string;
  function?: string;
  route?: string;
  code?: string;
  kind?: string;
  /** A charge's reference or a link's slug. */
  reference?: string;
  send_id?: string;
  message_id?: string;
  gateway?: string;
  /** The gateway's id for a phone. Never taken from an unauthenticated request. */
  device?: string;
  sim?: number;
  network?: string;
  /** A job's message group: a merchant id or a gateway name. */
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
 * Logs one line of JSON per event. Alarms count lines at level ERROR and can roll back a deployment, so an error about
 * a row from a newer release is logged below ERROR.
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

/** Creates the logger on first use, to keep imports cheap. Environment variables set its name and level. */
function logger(): Logger {
  made ??= new Logger();
  return made;
}

function plain({ error, ...fields }: LogFields = {}) {
  return error === undefined ? { ...fields } : { ...fields, error: plainError(error) };
}

/**
 * Returns only an error's name, message and stack. Other properties can contain whole items, with personal data and
 * secrets.
 */
function plainError(error: unknown): object | string {
  if (!(error instanceof Error)) return String(error);
  const { name, message, stack, cause } = error;
  return { name, message, stack, ...(cause !== undefined && { cause: plainError(cause) }) };
}
