import { quietFromMs } from '../../ghana/quiet-hours.ts';
import { TEXT_LIFETIME_SECONDS } from '../../phones/gateway/smsgate.ts';
import type { Clock } from '../../runtime/outside/outside.ts';
import type { Send } from './send.table.ts';

type Times = Pick<Send, 'useless_at'>;

/** For how long a phone that is given a text now may wait before it sends it, in whole seconds; 0 or less if it is too late for that. */
function lifetimeSeconds(outside: Clock, { useless_at }: Times): number {
  if (useless_at === undefined) return TEXT_LIFETIME_SECONDS;
  return Math.min(TEXT_LIFETIME_SECONDS, Math.floor((Date.parse(useless_at) - outside.now()) / 1000));
}

/**
 * The same for the phone: marketing and reminders do not wait there into their quiet hours. A phone that comes back at night drops them,
 * and they are refunded. What somebody has to know leaves late rather than never.
 */
export function lifetimeOnPhone(outside: Clock, send: Times & Pick<Send, 'category' | 'quiet_hours'>): number {
  const seconds = lifetimeSeconds(outside, send);
  const quietMs = send.category ? quietFromMs(send.quiet_hours, outside.now()) : undefined;
  return quietMs === undefined ? seconds : Math.min(seconds, Math.floor((quietMs - outside.now()) / 1000));
}

/** The one rule for when a text is too late: no phone is given it from then on. */
export function isTooLate(outside: Clock, send: Times): boolean {
  return lifetimeSeconds(outside, send) <= 0;
}
