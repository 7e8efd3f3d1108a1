import * as z from 'zod/mini';
import type { PageStart } from '../table/table.ts';
import { UNITS_OF_A_PAGE, UNITS_OF_LARGEST_ROW } from '../table/within-budget.ts';
import { dayOf, isDay } from '../values/calendar.ts';
import { type FieldError, invalidRequest, refuseInvalid } from '../values/errors.ts';
import { parseJson } from '../values/json.ts';
import type { PageMeta } from './responses.ts';

export const DEFAULT_PER_PAGE = 50;
export const MAX_PER_PAGE = 100;

export const PAGE_PARAMETERS = ['per_page', 'cursor'] as const;
export const TIME_PARAMETERS = ['from', 'to'] as const;

type Query = Readonly<Record<string, string | undefined>>;

export interface PageRequest {
  readonly limit: number;
  readonly newestFirst: true;
  readonly start: PageStart | undefined;
  readonly budget: number;
}

const Start = z.object({ pk: z.string(), sk: z.string(), sort: z.string() });

/**
 * Parses `per_page` (1 to 100, 50 by default) and `cursor` (the `meta.next` of the previous page).
 * @throws PublicError `invalid_request`.
 */
export function pageOf({ per_page = String(DEFAULT_PER_PAGE), cursor }: Query): PageRequest {
  const limit = Number(per_page);
  const start = cursor === undefined ? undefined : parseJson(Start, Buffer.from(cursor, 'base64url').toString());
  const errors: FieldError[] = [];
  if (!/^\d+$/.test(per_page) || limit < 1 || limit > MAX_PER_PAGE) {
    errors.push({ field: 'per_page', message: `must be a whole number from 1 to ${MAX_PER_PAGE}` });
  }
  if (cursor !== undefined && !start)
    errors.push({ field: 'cursor', message: 'must be the meta.next value from an earlier page' });
  refuseInvalid(errors);
  return { limit, newestFirst: true, start, budget: UNITS_OF_A_PAGE };
}

/**
 * Parses `from` and `to` (ISO 8601, inclusive) to epoch milliseconds. A date alone means the whole day in Accra (UTC).
 * @throws PublicError `invalid_request`.
 */
export function timesOf({ from, to }: Query): { fromMs: number; toMs: number } {
  const fromMs = from === undefined ? 0 : parseTime(from, '00:00:00Z');
  const toMs = to === undefined ? LAST_MS : parseTime(to, '23:59:59.999Z');
  const errors = Object.entries({ from: fromMs, to: toMs }).flatMap(([field, message]) =>
    typeof message === 'string' ? [{ field, message }] : [],
  );
  refuseInvalid(errors);
  const times = { fromMs: between(0, Number(fromMs), LAST_MS), toMs: between(0, Number(toMs), LAST_MS) };
  if (times.fromMs > times.toMs) throw invalidRequest([{ field: 'from', message: 'must not be after "to"' }]);
  return times;
}

export function choiceOf<const Value extends string>(
  query: Query,
  name: string,
  values: readonly Value[],
): Value | undefined {
  const given = query[name];
  const value = values.find((one) => one === given);
  if (given === undefined || value !== undefined) return value;
  throw invalidRequest([{ field: name, message: `must be one of ${values.join(', ')}` }]);
}

export function metaOf(page: Pick<PageRequest, 'limit'>, next: PageStart | undefined): PageMeta {
  return { next: next ? Buffer.from(JSON.stringify(next)).toString('base64url') : null, per_page: page.limit };
}

export interface PartOfList<Entry> {
  readonly entries: readonly Entry[];
  readonly left: number;
  readonly next: PageStart | undefined;
}

/**
 * Reads a page of entries that pass a filter, within the read budget. A page may be short even if more entries follow.
 * `read` must return at least one entry. `startAfter` returns the position after an entry.
 */
export async function filledPage<Entry>(
  page: PageRequest,
  read: (page: PageRequest) => Promise<PartOfList<Entry>>,
  passes: (entry: Entry) => boolean,
  startAfter: (entry: Entry) => PageStart,
): Promise<{ entries: Entry[]; next: PageStart | undefined }> {
  const entries: Entry[] = [];
  let start = page.start;
  let { limit, budget } = page;
  do {
    const found = await read({ ...page, limit, start, budget });
    // The filter drops most entries, so larger reads save requests.
    limit = MAX_PER_PAGE;
    for (const [n, entry] of found.entries.entries()) {
      if (passes(entry)) entries.push(entry);
      const isLast = n === found.entries.length - 1 && !found.next;
      if (entries.length === page.limit) return { entries, next: isLast ? undefined : startAfter(entry) };
    }
    start = found.next;
    budget = found.left;
  } while (start && budget >= UNITS_OF_LARGEST_ROW);
  return { entries, next: start };
}

/** The last millisecond with a four-digit year. */
const LAST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

function between(least: number, value: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}

const TIME = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?))?(Z|[+ -]\d\d:?\d\d)?$/;

function parseTime(text: string, timeOfDay: string): number | string {
  const [, day, time, zone = 'Z'] = TIME.exec(text) ?? [];
  if (day === undefined) return 'must be a time such as 2026-11-20 or 2026-11-20T08:30:00Z';
  if (!isDay(day)) return noSuchDay(day);
  // In an unencoded query, a time zone's plus sign arrives as a space.
  const ms = Date.parse(`${day}T${time === undefined ? timeOfDay : `${time}${zone.replace(' ', '+')}`}`);
  return Number.isNaN(ms)
    ? 'must be a time such as 2026-11-20T08:30:00Z, with the + of a time zone encoded as %2B'
    : ms;
}

function noSuchDay(day: string): string {
  const [year, month] = [Number(day.slice(0, 4)), Number(day.slice(5, 7))];
  if (month < 1 || month > 12) return `must be an existing date, but there is no month ${day.slice(5, 7)}`;
  const last = dayOf(Date.UTC(year, month, 0));
  return `must be an existing date, but the last day of that month is ${last}`;
}
