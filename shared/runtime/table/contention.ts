import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { PublicError, retryAfter, TRY_AGAIN } from '../values/errors.ts';
import type { TableNeeds } from './connection.ts';
import type { TableWrite } from './table.ts';

export const TRIES = 5;

/**
 * Thrown if another writer has changed the data since it was read. The caller must reread the data, then decide again.
 */
export class Changed extends PublicError {}

interface Retry {
  readonly isChanged?: (error: unknown) => boolean;
  readonly tries?: number;
  readonly pause?: (attempt: number) => Promise<void>;
}

/**
 * Repeats a read and the write that follows it whenever another writer changes the data in between. `refused` is the
 * error from the previous attempt.
 * @throws the last refusal after `tries` attempts, and any other error immediately.
 */
export async function retryIfChanged<Result>(
  readAndWrite: (refused: unknown) => Promise<Result>,
  { isChanged = (error) => error instanceof Changed, tries = TRIES, pause = async () => {} }: Retry = {},
): Promise<Result> {
  let refused: unknown;
  for (let attempt = 1; ; attempt++) {
    try {
      return await readAndWrite(refused);
    } catch (error) {
      if (!isChanged(error) || attempt === tries) throw error;
      refused = error;
    }
    await pause(attempt);
  }
}

class Contended extends PublicError {}

/** Retries a write that conflicts with a transaction on the same item. The SDK does not retry such conflicts. */
export async function retryWhileContended<T>(
  needs: TableNeeds,
  send: () => Promise<T>,
  contended?: TableWrite['contended'],
): Promise<T> {
  try {
    const isChanged = contended ? isUnknown : isContended;
    return await retryIfChanged(send, { isChanged, pause: (attempt) => backOff(needs, attempt) });
  } catch (error) {
    if (!isContended(error)) throw error;
    if (isUnknown(error))
      throw busy('The outcome is not yet known. Repeat the request in a second with the same Idempotency-Key.');
    if (contended) throw contended();
    const codes = refusalCodes(error);
    const message = `Too many requests are changing the same data, so nothing was done. ${TRY_AGAIN}`;
    throw codes.every((code) => CONFLICTS.has(code)) ? new Contended('busy', message, IN_A_SECOND) : busy(message);
  }
}

/**
 * Performs a write that can conflict only with the same caller's other requests.
 * @throws PublicError `too_many_requests` if the write failed only because of such conflicts.
 */
export async function refuseContention<T>(what: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof Contended)) throw error;
    const message = `${what} Nothing was done. Wait, then repeat this request.`;
    throw new PublicError('too_many_requests', message, IN_A_SECOND);
  }
}

export function backOff(needs: TableNeeds, attempt: number): Promise<void> {
  const share = needs.randomBytes(4).readUInt32BE() / 2 ** 32;
  return needs.sleep(share * longestPauseMs(attempt));
}

/**
 * Returns the longest pause after an attempt: 100 ms, doubled each time. Five attempts pause for at most 1.5 seconds.
 */
export function longestPauseMs(attempt: number): number {
  return 100 * 2 ** (attempt - 1);
}

const CONFLICTS = new Set(['TransactionConflict', 'TransactionConflictException']);
const CONTENDED = new Set([
  ...CONFLICTS,
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
  'TransactionInProgressException',
]);

/** Returns true if a write failed only because of conflicts. A failed condition is final. */
function isContended(error: unknown): boolean {
  const codes = refusalCodes(error);
  return !codes.includes('ConditionalCheckFailed') && codes.some((code) => CONTENDED.has(code));
}

/** Returns true if our own previous attempt is still in progress. */
function isUnknown(error: unknown): boolean {
  return refusalCodes(error).includes('TransactionInProgressException');
}

function refusalCodes(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  if (!(error instanceof TransactionCanceledException)) return [error.name];
  return (error.CancellationReasons ?? []).flatMap(({ Code = 'None' }) => (Code === 'None' ? [] : [Code]));
}

const IN_A_SECOND = retryAfter(1);

export function busy(message: string): PublicError {
  return new PublicError('busy', message, IN_A_SECOND);
}

const THROTTLED_ERRORS = new Set(['ProvisionedThroughputExceededException', 'ThrottlingException']);

export function isThrottled(error: unknown): boolean {
  return error instanceof Error && THROTTLED_ERRORS.has(error.name);
}
