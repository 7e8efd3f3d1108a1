import { lastQuietEndMs, quietUntilMs } from '../../ghana/quiet-hours.ts';
import type { Clock } from '../../runtime/outside/outside.ts';
import type { Send } from './send.table.ts';

/**
 * So long before its time a scheduled text is queued: the queue can delay it for this long and more, and housekeeping, which queues it, may
 * be late by this long.
 */
export const QUEUED_AHEAD_MS = 10 * 60 * 1000;

/** How far ahead a text may be scheduled. */
export const MAX_AHEAD_DAYS = 30;
/** Stands for no quiet hours, where a merchant has some. */
export const NO_QUIET_HOURS = 'none';
/** This long after a text was taken for it, handing it over has ended, or its worker has died. */
export const HANDING_OVER_MS = 2 * 60_000;

/** This long after its time, a text that has not left is given up, and reports that have not arrived will not arrive. */
export const CLOSED_MS = 72 * 60 * 60 * 1000;

type Times = Pick<Send, 'created_at' | 'send_at' | 'quiet_hours' | 'useless_at'>;

/** Until when no text of a send may leave, in milliseconds since 1970: its own time, or the end of its quiet hours. Undefined if it may now. */
export function heldUntilMs(outside: Clock, { send_at, quiet_hours }: Omit<Times, 'created_at'>): number | undefined {
  const nowMs = outside.now();
  const atMs = Math.max(nowMs, Date.parse(send_at ?? '') || 0);
  const untilMs = quietUntilMs(quiet_hours, atMs) ?? atMs;
  return untilMs > nowMs ? untilMs : undefined;
}

/** Since when its texts might have left, in milliseconds since 1970; in the future where none may yet. */
export function mayLeaveSinceMs(outside: Clock, send: Times): number {
  const heldMs = heldUntilMs(outside, send);
  if (heldMs !== undefined) return heldMs;
  return Math.max(dueMs(send), lastQuietEndMs(send.quiet_hours, outside.now()) ?? 0);
}

/** When a send was to leave, in milliseconds since 1970. */
export function dueMs({ created_at, send_at }: Pick<Times, 'created_at' | 'send_at'>): number {
  return Date.parse(send_at ?? created_at);
}
