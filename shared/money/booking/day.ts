import { isoOf } from '../../runtime/outside/outside.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** The day of a moment in Accra, where it is the same time as UTC all year: `2026-11-20`. */
export function dayOf(ms: number): string {
  return isoOf(ms).slice(0, 10);
}

export function dayStartMs(day: string): number {
  return Date.parse(`${day}T00:00:00Z`);
}

/** The day that is so many days after another, or before it. */
export function dayAfter(day: string, days = 1): string {
  return dayOf(dayStartMs(day) + days * DAY_MS);
}

/** The first and last moment of some days in a row, both included. */
export function timesOfDays(first: string, last: string): { fromMs: number; toMs: number } {
  return { fromMs: dayStartMs(first), toMs: dayStartMs(dayAfter(last)) - 1 };
}

/** Every day from one to another, both included. */
export function daysBetween(first: string, last: string): string[] {
  const count = Math.round((dayStartMs(last) - dayStartMs(first)) / DAY_MS) + 1;
  return Array.from({ length: Math.max(0, count) }, (_, n) => dayAfter(first, n));
}
