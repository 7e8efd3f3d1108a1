/**
 * A row whose `due_ms` (epoch milliseconds) advances by one step per queued entry: the generic cell rate algorithm. All
 * users of the row share one rate.
 */
import { nowSeconds, type TimedOutside } from '../outside/outside.ts';
import { DAY_SECONDS } from '../values/calendar.ts';
import type { Key } from './table.ts';

export const CLOCK_KEPT_SECONDS = 7 * DAY_SECONDS;

export interface Advance {
  readonly stepMs: number;
  readonly earliestMs?: number;
  readonly latestMs?: number;
  readonly when?: string;
}

/**
 * Advances a clock by one step. Every caller gets a different time.
 * @returns the clock's new time, or undefined if the clock is already past `latestMs`.
 */
export async function advance(
  outside: TimedOutside,
  key: Key,
  { stepMs, earliestMs = outside.now(), latestMs = Number.MAX_SAFE_INTEGER, when }: Advance,
): Promise<number | undefined> {
  const expires = nowSeconds(outside) + CLOCK_KEPT_SECONDS;
  const also = when ? ` AND ${when}` : '';
  const fromDue = {
    UpdateExpression: 'SET due_ms = due_ms + :step, expires_at_epoch_seconds = :expires',
    ConditionExpression: `due_ms > :earliest AND due_ms <= :latest${also}`,
    ExpressionAttributeValues: { ':step': stepMs, ':earliest': earliestMs, ':latest': latestMs, ':expires': expires },
  };
  const fromEarliest = {
    UpdateExpression: 'SET due_ms = :next, expires_at_epoch_seconds = :expires',
    ConditionExpression: `(attribute_not_exists(due_ms) OR due_ms <= :earliest)${also}`,
    ExpressionAttributeValues: { ':next': earliestMs + stepMs, ':earliest': earliestMs, ':expires': expires },
  };
  // If two callers find the clock idle, the second update succeeds for one of them and the third for the other.
  for (const update of [fromDue, fromEarliest, fromDue]) {
    const item = await outside.table.update({ update: { Key: key, ...update } });
    if (item) return Number(item.due_ms);
  }
  return undefined;
}
