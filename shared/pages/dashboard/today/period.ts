import { lastDays } from '../../../money/booking/days.ts';
import { type Clock, todayOf } from '../../../runtime/outside/outside.ts';
import { addDays, daysBetween, isDay } from '../../../runtime/values/calendar.ts';
import { type FieldError, refuseInvalid } from '../../../runtime/values/errors.ts';

export interface Period {
  readonly first: string;
  readonly last: string;
}

export const MAX_DAYS = 366;
const USUAL_DAYS = 30;

type Query = Readonly<Record<string, string | undefined>>;

/**
 * Parses the query's `from` and `to`. Defaults to the last 30 days and never ends after today.
 * @throws PublicError `invalid_request`.
 */
export function periodOf(outside: Clock, { from, to }: Query): Period {
  const today = todayOf(outside);
  const [givenFirst, givenLast] = [from?.trim() || undefined, to?.trim() || undefined];
  const faults = Object.entries({ from: givenFirst, to: givenLast }).flatMap(([field, day]): FieldError[] =>
    day === undefined || isDay(day) ? [] : [{ field, message: 'must be a date, such as 2026-11-20' }],
  );
  refuseInvalid(faults);
  const last = givenLast === undefined || givenLast > today ? today : givenLast;
  const first = givenFirst ?? addDays(last, 1 - USUAL_DAYS);
  if (first > last) refuseInvalid([{ field: 'from', message: 'must not be after the last day, or after today' }]);
  if (first <= addDays(last, -MAX_DAYS))
    refuseInvalid([{ field: 'from', message: `must be at most ${MAX_DAYS} days before the last day` }]);
  return { first, last };
}

export function usualPeriods(outside: Clock): readonly (readonly [name: string, period: Period])[] {
  const today = todayOf(outside);
  const monthStart = `${today.slice(0, 8)}01`;
  const lastMonthEnd = addDays(monthStart, -1);
  return [
    ['7 days', lastDays(outside, 7)],
    ['30 days', lastDays(outside, USUAL_DAYS)],
    ['This month', { first: monthStart, last: today }],
    ['Last month', { first: `${lastMonthEnd.slice(0, 8)}01`, last: lastMonthEnd }],
    ['12 months', lastDays(outside, MAX_DAYS - 1)],
  ];
}

export function queryOf({ first, last }: Period): string {
  return `from=${first}&to=${last}`;
}

export function lengthOf({ first, last }: Period): number {
  return daysBetween(first, last).length;
}
