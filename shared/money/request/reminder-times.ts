import { isoOf } from '../../runtime/outside/outside.ts';
import { addDays } from '../../runtime/values/calendar.ts';
import type { PaymentRequest } from './request.table.ts';
import { duePesewas } from './schedule.ts';

/** A reminder: when it is due (ISO), and the day up to which it asks for what is due. */
export interface ReminderTime {
  readonly at: string;
  readonly until: string;
}

/** From nine to eleven in the morning, in Accra: each request at its own minute, so that not all of a month leave at once. */
const FIRST_HOUR = 9;
const SPREAD_MINUTES = 120;

type Reminded = Pick<PaymentRequest, 'slug' | 'instalments' | 'reminder_days'>;

/** All reminders of a request, in the order of their times; those of one moment are one, for the later of their days. */
export function reminderTimes({ slug, instalments, reminder_days = [] }: Reminded): ReminderTime[] {
  const minute = Array.from(slug).reduce((hash, one) => (hash * 31 + Number(one.codePointAt(0))) % SPREAD_MINUTES, 0);
  const time = isoOf((FIRST_HOUR * 60 + minute) * 60_000).slice(11);
  const times = instalments.flatMap(({ due }) =>
    due === undefined ? [] : reminder_days.map((days) => [`${addDays(due, days)}T${time}`, due] as const),
  );
  // Instalments are in the order of their days: the later one stays.
  const untilOf = new Map(times);
  return [...untilOf].map(([at, until]) => ({ at, until })).toSorted((one, other) => (one.at < other.at ? -1 : 1));
}

/** When the next reminder after a moment (milliseconds since 1970) is due; undefined where none follows. */
export function nextReminderAt(request: Reminded, afterMs: number): string | undefined {
  const after = isoOf(afterMs);
  return reminderTimes(request).find(({ at }) => at > after)?.at;
}

/**
 * When the next reminder leaves by what is paid now: those of what is paid already are passed over. Undefined where none follows, as of what is
 * paid whole; a cancelled request has lost its `remind_at`.
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
