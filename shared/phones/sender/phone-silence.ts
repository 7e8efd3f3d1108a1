import type { Clock } from '../../runtime/outside/outside.ts';
import { MINUTE_MS } from '../../runtime/values/calendar.ts';
import type { Phone } from '../gateway/phone.table.ts';
import type { Sender } from './sender.ts';

/** A phone without contact for this long counts as offline. */
export const NOT_SEEN_MS = 15 * MINUTE_MS;
const MISSED_PINGS = 3;

const LATE_FOR_MS = 30 * MINUTE_MS;

export function isLate(outside: Clock, { late }: Partial<Phone> = {}): boolean {
  return late !== undefined && outside.now() - late.at_ms < LATE_FOR_MS;
}

/**
 * Returns true if a phone's ping is overdue. Returns false until `gateway connect` has configured the phones to ping.
 */
export function isSilent(
  outside: Clock,
  { in_use_since }: Pick<Sender, 'in_use_since'>,
  phone: Phone | undefined,
  pingsSinceMs: number | undefined,
): boolean {
  if (pingsSinceMs === undefined) return false;
  const sinceMs = Math.max(pingsSinceMs, Date.parse(in_use_since), phone?.heard_ms ?? 0);
  return outside.now() - sinceMs > Math.max(NOT_SEEN_MS, MISSED_PINGS * pingIntervalMs(phone));
}

/**
 * Returns the median of the most recent intervals between pings. If there are only two intervals, returns the shorter
 * one.
 */
function pingIntervalMs({ pinged_ms = [] }: Partial<Phone> = {}): number {
  const pauses = pinged_ms.slice(1).map((atMs, n) => (pinged_ms[n] ?? atMs) - atMs);
  return pauses.toSorted((a, b) => a - b)[Math.ceil(pauses.length / 2) - 1] ?? 0;
}
