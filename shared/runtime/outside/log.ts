import { Logger } from '@aws-lambda-powertools/logger';
import type { Context } from 'aws-lambda';
import { RowOfLaterRelease } from '../table/row-shape.ts';

/**
 * What may be logged: ids, codes, counts and durations. Phone numbers, texts, names, keys, headers and whole events are
 * personal data or secrets and have no field here.
 */
export interface LogFields {
  request_id?: string;
  merchant_id?: string;
  function?: string;
  route?: string;
  code?: string;
  /** A follow-up job's. */
  kind?: string;
  /** A charge's; of a job about a link's stock the slug. */
  reference?: string;
  send_id?: string;
  message_id?: string;
  gateway?: string;
  /** A phone's id at its gateway, never one that a stranger posted. */
  device?: string;
  sim?: number;
  network?: string;
  /** Who the job was for: a merchant's id or a gateway's name. */
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
 * A line of JSON for each event, with time and level, and the function and Lambda's request since `logInvocation`. Alarms count those at level
 * ERROR, and take a deployment back: what only a row of the newer release was in the way of is none of them.
 */
export const lambdaLog: Log = {
  info: (event, fields) => logger().info(event, plain(fields)),
  warn: (event, fields) => logger().warn(event, plain(fields)),
  error: (event, fields) =>
    fields?.error instanceof RowOfLaterRelease ? lambdaLog.warn(event, fields) : logger().error(event, plain(fields)),
};

/** Makes the following lines name the invocation that they are from. */
export function logInvocation(context: Context): void {
  logger().addContext(context);
}

let made: Logger | undefined;

/** Made on first use, so that importing a handler costs nothing. Its name and level come from the environment. */
function logger(): Logger {
  made ??= new Logger();
  return made;
}

function plain({ error, ...fields }: LogFields = {}) {
  return error === undefined ? { ...fields } : { ...fields, error: plainError(error) };
}

/**
 * Names, messages and stacks only. The logger's own way is to write every property of an error, and those of the table's
 * errors hold whole items: texts, phone numbers, secrets.
 */
function plainError(error: unknown): object | string {
  if (!(error instanceof Error)) return String(error);
  const { name, message, stack, cause } = error;
  return { name, message, stack, ...(cause !== undefined && { cause: plainError(cause) }) };
}
