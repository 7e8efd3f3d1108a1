/*
 * A row whose `due_ms` (milliseconds since 1970) moves on by a step for each thing that takes a place behind the others: the
 * generic cell rate algorithm, kept in the table for all who count together.
 */
import { nowSeconds, type TimedOutside } from '../outside/outside.ts';
import type { Key } from './table.ts';

/** Rows of unused clocks expire. */
export const CLOCK_KEPT_SECONDS = 7 * 24 * 60 * 60;

export interface Advance {
  readonly stepMs: number;
  /** The time that a clock behind it starts from; now by default. */
  readonly earliestMs?: number;
  /** A clock that is already past it is not moved. */
  readonly latestMs?: number;
  /** What else must hold of the row. */
  readonly when?: string;
}

/**
 * Moves a clock on by a step and gives its new time; undefined if it is past `latestMs` already. Each write is conditional, so
 * no two get the same place.
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
  // The third try: when two meet at an idle clock, the second finds it busy.
  for (const update of [fromDue, fromEarliest, fromDue]) {
    const item = await outside.table.update({ update: { Key: key, ...update } });
    if (item) return Number(item.due_ms);
  }
  return undefined;
}
