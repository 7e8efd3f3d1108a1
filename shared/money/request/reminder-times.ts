import { isoOf } from '../../runtime/outside/outside.ts';
import { addDays, MINUTE_MS } from '../../runtime/values/calendar.ts';
import type { PaymentRequest } from './request.table.ts';
import { duePesewas } from './schedule.ts';

/** The time (ISO) of a reminder, and the due date up to which it asks for open sums. */
export interface ReminderTime {
  readonly at: string;
  readonly until: string;
}

/**
 * Reminders are sent between 09:00 and 11:00 in Accra. Each payment request uses a different minute, to spread the load
 * at the end of the month.
 */
const FIRST_HOUR = 9;
const SPREAD_MINUTES = 120;

type Reminded = Pick<PaymentRequest, 'slug' | 'instalments' | 'reminder_days'>;

/**
 * Returns all reminders of a payment request, in order of time. Reminders for the same time are merged into one with
 * the later due date.
 */
export function reminderTimes({ slug, instalments, reminder_days = [] }: Reminded): ReminderTime[] {
  const minute = Array.from(slug).reduce((hash, one) => (hash * 31 + Number(one.codePointAt(0))) % SPREAD_MINUTES, 0);
  const time = isoOf((FIRST_HOUR * 60 + minute) * MINUTE_MS).slice(11);
  const times = instalments.flatMap(({ due }) =>
    due === undefined ? [] : reminder_days.map((days) => [`${addDays(due, days)}T${time}`, due] as const),
  );
  // The instalments are sorted by day, so for equal times the later due date overwrites the earlier one.
  const untilOf = new Map(times);
  return [...untilOf].map(([at, until]) => ({ at, until })).toSorted((one, other) => (one.at < other.at ? -1 : 1));
}

export function nextReminderAt(request: Reminded, afterMs: number): string | undefined {
  const after = isoOf(afterMs);
  return reminderTimes(request).find(({ at }) => at > after)?.at;
}

/**
 * Returns the time of the next reminder, or undefined if there is none. Skips reminders whose sums are already paid.
 * Cancelled requests have no `remind_at`.
 */
export function reminderToLeaveAt(
  request: Reminded & Pick<PaymentRequest, 'remind_at'>,
  paidPesewas: number,
): string | undefined {
  const { remind_at } = request;
  if (remind_at === undefined) return undefined;
  return reminderTimes(request).find(({ at, until }) => at >= remind_at && duePesewas(request, paidPesewas, until) > 0)
    ?.at;
}
