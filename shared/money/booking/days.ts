import * as z from 'zod/mini';
import { listMerchantIds } from '../../merchants/merchant/merchant.table.ts';
import { testAccountIdOf } from '../../merchants/merchant/test-account.ts';
import { type Clock, type TableOutside, type TimedOutside, todayOf } from '../../runtime/outside/outside.ts';
import { addDays, dayOf, daysBetween, HOURS_A_DAY, hourOf, timesOfDays } from '../../runtime/values/calendar.ts';
import { listChargeKeys, listCreationTimes } from '../charge/charge.table.ts';
import { lastClosableDay, listBookings, listBookingsPage, listTotals, putTotals } from './booking.table.ts';
import {
  addUp,
  allHappened,
  createdCharges,
  PesewasByDay,
  Stored,
  storedHappened,
  type Totals,
  withoutZeros,
} from './totals.ts';

const Sum = z.object({
  merchant_id: z.string(),
  list: z.enum(['booked', 'created']),
  start: z.optional(z.object({ pk: z.string(), sk: z.string(), sort: z.string() })),
  totals: Stored,
  disputed: z.array(z.string()),
  unverified_earlier: z.optional(PesewasByDay),
});
type Sum = z.infer<typeof Sum>;

/**
 * Progress in closing days. Every day up to `until` is closed for all merchants, and the next day is closed for
 * merchants up to `merchant`. `sum`: partial total of the merchant being closed. All fields are written together, so an
 * interrupted run counts nothing twice.
 */
export const Closing = z.object({
  until: z.string(),
  merchant: z.optional(z.string()),
  sum: z.catch(z.optional(Sum), undefined),
});
export type Closing = z.infer<typeof Closing>;

const MERCHANTS_A_RUN = 25;
/** Maximum number of rows per page. A whole page must fit in memory. */
const ROWS_A_PAGE = 5_000;

/**
 * Closes the next days for all merchants, oldest first. Goes through all merchants, so that no charge needs an extra
 * write to register its day.
 */
export async function closeDays(
  outside: TimedOutside,
  closing: Closing | undefined,
  untilMs: number,
): Promise<Closing> {
  const last = lastClosableDay(outside);
  const { until, merchant, sum } = closing ?? { until: last };
  if (until >= last) return { until };
  const day = addDays(until, 1);
  const merchants = await listMerchantIds(outside, merchant, MERCHANTS_A_RUN);
  let done = merchant;
  let begun = sum;
  for (const id of merchants) {
    for (const accountId of begun?.merchant_id === testAccountIdOf(id)
      ? [testAccountIdOf(id)]
      : [id, testAccountIdOf(id)]) {
      begun = await closeDay(outside, accountId, day, { begun, untilMs });
      if (begun) return { until, merchant: done, sum: begun };
    }
    done = id;
  }
  return merchants.length < MERCHANTS_A_RUN ? { until: day } : { until, merchant: done };
}

/** Closes a merchant's day, continuing from `begun`. Returns the progress if `untilMs` passes first. */
export async function closeDay(
  outside: TimedOutside,
  merchant_id: string,
  day: string,
  {
    begun,
    untilMs = Number.POSITIVE_INFINITY,
  }: { readonly begun?: Sum | undefined; readonly untilMs?: number | undefined } = {},
): Promise<Sum | undefined> {
  let sum: Sum = begun?.merchant_id === merchant_id ? begun : { merchant_id, list: 'booked', totals: {}, disputed: [] };
  for (;;) {
    if (outside.now() > untilMs) return sum;
    const { happened, next } = await readOn(outside, sum, day);
    const { totals, disputed, unverified_earlier } = allHappened([sum, ...happened]);
    const isLast = !next && sum.list === 'created';
    sum = {
      merchant_id,
      list: next ? sum.list : 'created',
      start: next,
      totals: withoutZeros(totals),
      disputed: [...disputed],
      unverified_earlier,
    };
    if (isLast) break;
  }
  const isEmpty = Object.keys(storedHappened(sum)).length === 0;
  if (!isEmpty) await outside.table.write([putTotals(merchant_id, day, sum)]);
  return undefined;
}

async function readOn(outside: TableOutside, { merchant_id, list, start }: Sum, day: string) {
  const page = { start, limit: ROWS_A_PAGE };
  if (list === 'booked') {
    const { bookings, next } = await listBookingsPage(outside, merchant_id, day, page);
    return { happened: bookings, next };
  }
  const { keys, next } = await listChargeKeys(outside, merchant_id, page, timesOfDays(day, day));
  return { happened: [createdCharges(keys.length)], next };
}

export interface Day {
  readonly day: string;
  readonly totals: Totals;
  readonly disputed: readonly string[];
  readonly unverified_earlier?: PesewasByDay;
}

const MAX_BOOKINGS = 4_000;
const MAX_CREATED = 8_000;

/**
 * Returns the totals of each day from `first` to `last`. All closed days share one read; each open day needs its own.
 * `isMore`: the totals of an open day are incomplete.
 */
export async function totalsOfDays(
  outside: TimedOutside,
  merchantId: string,
  { first, last }: { readonly first: string; readonly last: string },
): Promise<{ days: Day[]; isMore: boolean }> {
  const days = daysBetween(first, last);
  const [firstOpen, today] = [lastClosableDay(outside), todayOf(outside)];
  const open = days.filter((day) => day >= firstOpen && day <= today);
  const [closed, booked, created] = await Promise.all([
    listTotals(outside, merchantId, first, last),
    Promise.all(open.map((day) => listBookings(outside, merchantId, day, MAX_BOOKINGS))),
    createdOn(outside, merchantId, open),
  ]);
  const isMore = created.length >= MAX_CREATED || booked.some((bookings) => bookings.length >= MAX_BOOKINGS);
  const createdOnDay = Map.groupBy(created, (at) => dayOf(Date.parse(at)));
  const stillOpen = new Map(
    open.map((day, n) => [day, [...(booked[n] ?? []), createdCharges(createdOnDay.get(day)?.length ?? 0)]]),
  );
  const happenedOn = (day: string) => {
    const once = closed.get(day);
    return allHappened(once ? [once] : (stillOpen.get(day) ?? []));
  };
  return { days: days.map((day) => ({ day, ...happenedOn(day) })), isMore };
}

/** Maximum number of bookings to read for today. At about 200 bytes each, they cost 25 read units. */
const MAX_TODAY = 1_000;

/** Adds up today's bookings by hour, for a page that must load quickly. `isMore`: some bookings are not included. */
export async function totalsOfToday(
  outside: TimedOutside,
  merchantId: string,
): Promise<{ hours: Totals[]; isMore: boolean }> {
  const bookings = await listBookings(outside, merchantId, todayOf(outside), MAX_TODAY);
  const byHour = Map.groupBy(bookings, ({ at }) => hourOf(at));
  const hours = Array.from({ length: HOURS_A_DAY }, (_, hour) =>
    addUp((byHour.get(hour) ?? []).map(({ totals }) => totals)),
  );
  return { hours, isMore: bookings.length >= MAX_TODAY };
}

/**
 * Returns how much of each day's money is still unverified. When money is verified later, the booking contains the day
 * when the money arrived.
 */
export function unverifiedByDay(days: readonly Day[]): number[] {
  const { unverified_earlier: later } = allHappened(days);
  return days.map(({ day, totals: { unverified_pesewas }, unverified_earlier = {} }) => {
    const ofOtherDays = Object.values(unverified_earlier).reduce((sum, one) => sum + one, 0);
    return Math.max(0, unverified_pesewas - ofOtherDays + (later[day] ?? 0));
  });
}

function createdOn(outside: TableOutside, merchantId: string, open: readonly string[]): Promise<string[]> {
  const [first, last] = [open[0], open.at(-1)];
  if (first === undefined || last === undefined) return Promise.resolve([]);
  return listCreationTimes(outside, merchantId, timesOfDays(first, last), MAX_CREATED);
}

export function lastDays(outside: Clock, count: number): { first: string; last: string } {
  const last = todayOf(outside);
  return { first: addDays(last, 1 - count), last };
}
