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
 * The phone may keep the text for this many seconds. Marketing and reminders must not wait into quiet hours: a phone
 * that comes back at night drops them, and they are refunded. Other texts are sent late rather than never.
 */
export function lifetimeOnPhone(outside: Clock, send: Times & Pick<Send, 'category' | 'quiet_hours'>): number {
  const seconds = lifetimeSeconds(outside, send);
  const quietMs = send.category ? quietFromMs(send.quiet_hours, outside.now()) : undefined;
  return quietMs === undefined ? seconds : Math.min(seconds, Math.floor((quietMs - outside.now()) / 1000));
}

/** True once a text is too late to be handed to a phone. The only rule for this. */
export function isTooLate(outside: Clock, send: Times): boolean {
  return lifetimeSeconds(outside, send) <= 0;
}
