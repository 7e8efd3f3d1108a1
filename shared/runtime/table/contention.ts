import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { PublicError } from '../values/errors.ts';
import type { TableNeeds } from './connection.ts';

export const TRIES = 5;

/** The SDK retries network failures and throttling, but never a write that conflicted with a transaction on the same item. */
export async function retryWhileContended<T>(needs: TableNeeds, send: () => Promise<T>): Promise<T> {
  for (let attempt = 1; attempt < TRIES; attempt++) {
    try {
      return await send();
    } catch (error) {
      if (!isContended(error)) throw error;
      await backOff(needs, attempt);
    }
  }
  try {
    return await send();
  } catch (error) {
    throw isContended(error)
      ? busy('Too many requests are changing the same data; nothing was done. Try again in a second.')
      : error;
  }
}

/** Full jitter: each pause is random, up to its maximum. */
export function backOff(needs: TableNeeds, attempt: number): Promise<void> {
  const share = needs.randomBytes(4).readUInt32BE() / 2 ** 32;
  return needs.sleep(share * longestPauseMs(attempt));
}

/** Doubling from 100 ms: the four pauses between five tries are together under 1.5 seconds. */
export function longestPauseMs(attempt: number): number {
  return 100 * 2 ** (attempt - 1);
}

const CONTENDED_CODES = new Set(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded']);
const CONTENDED_ERRORS = new Set(['TransactionConflictException', 'TransactionInProgressException']);

/** A failed condition is final, even where another leg met a conflict. */
function isContended(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (!(error instanceof TransactionCanceledException)) return CONTENDED_ERRORS.has(error.name);
  const codes = (error.CancellationReasons ?? []).map(({ Code }) => Code ?? 'None');
  return !codes.includes('ConditionalCheckFailed') && codes.some((code) => CONTENDED_CODES.has(code));
}

export function busy(message: string): PublicError {
  return new PublicError('busy', message, { headers: { 'retry-after': '1' } });
}
