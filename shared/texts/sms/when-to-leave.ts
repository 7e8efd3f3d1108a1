import { lastQuietEndMs, quietUntilMs } from '../../ghana/quiet-hours.ts';
import type { Clock } from '../../runtime/outside/outside.ts';
import { HOUR_MS, MINUTE_MS } from '../../runtime/values/calendar.ts';
import type { Send } from './send.table.ts';

/** Scheduled texts are queued this long before they are due. */
export const QUEUED_AHEAD_MS = 10 * MINUTE_MS;

export const MAX_AHEAD_DAYS = 30;
export const NO_QUIET_HOURS = 'none';
/** Maximum time a worker takes to hand over a text, unless it crashes. */
export const HANDING_OVER_MS = 2 * MINUTE_MS;

/** Time after which an unsent text is abandoned and delivery reports are no longer expected. */
export const CLOSED_MS = 72 * HOUR_MS;

type Times = Pick<Send, 'created_at' | 'send_at' | 'quiet_hours' | 'useless_at'>;

/**
 * Returns the earliest time a send's texts may be sent, in epoch milliseconds. Returns undefined if the texts may be
 * sent now.
 */
export function heldUntilMs(outside: Clock, { send_at, quiet_hours }: Omit<Times, 'created_at'>): number | undefined {
  const nowMs = outside.now();
  const atMs = Math.max(nowMs, Date.parse(send_at ?? '') || 0);
  const untilMs = quietUntilMs(quiet_hours, atMs) ?? atMs;
  return untilMs > nowMs ? untilMs : undefined;
}

export function mayLeaveSinceMs(outside: Clock, send: Times): number {
  const heldMs = heldUntilMs(outside, send);
  if (heldMs !== undefined) return heldMs;
  return Math.max(dueMs(send), lastQuietEndMs(send.quiet_hours, outside.now()) ?? 0);
}

export function dueMs({ created_at, send_at }: Pick<Times, 'created_at' | 'send_at'>): number {
  return Date.parse(send_at ?? created_at);
}
