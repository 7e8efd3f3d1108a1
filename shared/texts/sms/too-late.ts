import { quietFromMs } from '../../ghana/quiet-hours.ts';
import { TEXT_LIFETIME_SECONDS } from '../../phones/gateway/smsgate.ts';
import type { Clock } from '../../runtime/outside/outside.ts';
import type { Send } from './send.table.ts';

type Times = Pick<Send, 'useless_at'>;

function lifetimeSeconds(outside: Clock, { useless_at }: Times): number {
  if (useless_at === undefined) return TEXT_LIFETIME_SECONDS;
  return Math.min(TEXT_LIFETIME_SECONDS, Math.floor((Date.parse(useless_at) - outside.now()) / 1000));
}

/**
 * Returns how many seconds the phone may keep the text. Marketing and reminders must be sent before quiet hours start.
 */
export function lifetimeOnPhone(outside: Clock, send: Times & Pick<Send, 'category' | 'quiet_hours'>): number {
  const seconds = lifetimeSeconds(outside, send);
  const quietMs = send.category ? quietFromMs(send.quiet_hours, outside.now()) : undefined;
  return quietMs === undefined ? seconds : Math.min(seconds, Math.floor((quietMs - outside.now()) / 1000));
}

/** Returns true if it is too late to hand the text to a phone. */
export function isTooLate(outside: Clock, send: Times): boolean {
  return lifetimeSeconds(outside, send) <= 0;
}
