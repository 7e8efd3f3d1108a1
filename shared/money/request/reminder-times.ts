import { isoOf } from '../../runtime/outside/outside.ts';
import { addDays, MINUTE_MS } from '../../runtime/values/calendar.ts';
import type { PaymentRequest } from './request.table.ts';
import { duePesewas } from './schedule.ts';

/** Time of a reminder (ISO), and the last due date that it covers. */
export interface ReminderTime {
  readonly at: string;
  readonly until: string;
}

/** Reminders are sent between 09:00 and 11:00 in Accra, spread over the minutes by slug. */
const FIRST_HOUR = 9;
const SPREAD_MINUTES = 120;

type Reminded = Pick<PaymentRequest, 'slug' | 'instalments' | 'reminder_days'>;

/**
 * Returns all reminders of a payment request in chronological order. Merges reminders for the same time, keeping the
 * later due date.
 */
export function reminderTimes({ slug, instalments, reminder_days = [] }: Reminded): ReminderTime[] {
  const minute = Array.from(slug).reduce((hash, one) => (hash * 31 + Number(one.codePointAt(0))) % SPREAD_MINUTES, 0);
  const time = isoOf((FIRST_HOUR * 60 + minute) * MINUTE_MS).slice(11);
  const times = instalments.flatMap(({ due }) =>
    due === undefined ? [] : reminder_days.map((days) => [`${addDays(due, days)}T${time}`, due] as const),
  );
  // Instalments are sorted by day, so the later due date overwrites the earlier one.
  const untilOf = new Map(times);
  return [...untilOf].map(([at, until]) => ({ at, until })).toSorted((one, other) => (one.at < other.at ? -1 : 1));
}

export function nextReminderAt(request: Reminded, afterMs: number): string | undefined {
  const after = isoOf(afterMs);
  return reminderTimes(request).find(({ at }) => at > after)?.at;
}

/**
 * Returns the time of the next reminder for which an amount is still due, or undefined. Cancelled requests have no
 * `remind_at`.
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
