import { isoOf } from '../outside/outside.ts';

export const MINUTE_MS = 60 * 1000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
export const HOUR_SECONDS = 60 * 60;
export const DAY_SECONDS = 24 * HOUR_SECONDS;

/** Returns the date in Accra (UTC): `2026-11-20`. */
export function dayOf(ms: number): string {
  return isoOf(ms).slice(0, 10);
}

export const HOURS_A_DAY = 24;

export function hourOf(at: string): number {
  return new Date(at).getUTCHours();
}

export function dayStartMs(day: string): number {
  return Date.parse(`${day}T00:00:00Z`);
}

/** Returns true for an existing date, such as `2026-11-20`. JavaScript parses 30 February as 2 March. */
export function isDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) && dayOf(Date.parse(text)) === text;
}

export function addDays(day: string, days: number): string {
  return dayOf(dayStartMs(day) + days * DAY_MS);
}

/** Returns the same day in another month, or the last day of a month that is too short. */
export function addMonths(day: string, months: number): string {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const lastDate = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return dayOf(Date.UTC(year, month - 1 + months, Math.min(date, lastDate)));
}

export function timesOfDays(first: string, last: string): { fromMs: number; toMs: number } {
  return { fromMs: dayStartMs(first), toMs: dayStartMs(addDays(last, 1)) - 1 };
}

export function daysBetween(first: string, last: string): string[] {
  const count = Math.round((dayStartMs(last) - dayStartMs(first)) / DAY_MS) + 1;
  return Array.from({ length: Math.max(0, count) }, (_, n) => addDays(first, n));
}

/** Formats a time in Accra: `Fri`, `20 Nov 2026`, `14:03`. Avoids Intl, which slows down a cold start. */
export function inWords(at: string): { readonly weekday: string; readonly day: string; readonly time: string } {
  const [weekday = '', day, month, year, time = ''] = new Date(at).toUTCString().split(' ');
  return { weekday: weekday.slice(0, 3), day: `${Number(day)} ${month} ${year}`, time: time.slice(0, 5) };
}
