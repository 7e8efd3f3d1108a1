import type { Clock } from '../../runtime/outside/outside.ts';
import type { Phone } from '../gateway/phone.table.ts';
import type { Sender } from './sender.ts';

/** A phone that the gateway has not heard from for this long is off or unreachable. */
export const NOT_SEEN_MS = 15 * 60 * 1000;
/** How many of its own pings a phone misses before it counts as silent. */
const MISSED_PINGS = 3;

/** For how long after a text that came late its phone counts as late: housekeeping, which looks once a minute, has named it by then. */
const LATE_FOR_MS = 30 * 60 * 1000;

/** Whether a phone's texts reach us late: those that it received are posted minutes after. */
export function isLate(outside: Clock, { late }: Partial<Phone> = {}): boolean {
  return late !== undefined && outside.now() - late.at_ms < LATE_FOR_MS;
}

/** Where the phones of an account were never told to ping (`gateway connect`), silence says nothing. */
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
 * The middle of the last pauses between its pings, so that one that was lost, or a night without power, changes nothing; of two
 * the shorter, for the same reason.
 */
function pingIntervalMs({ pinged_ms = [] }: Partial<Phone> = {}): number {
  const pauses = pinged_ms.slice(1).map((atMs, n) => (pinged_ms[n] ?? atMs) - atMs);
  return pauses.toSorted((a, b) => a - b)[Math.ceil(pauses.length / 2) - 1] ?? 0;
}
