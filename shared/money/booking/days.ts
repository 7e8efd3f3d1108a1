import * as z from 'zod/mini';
import { listMerchantIds } from '../../merchants/merchant/merchant.table.ts';
import { twinIdOf } from '../../merchants/merchant/twin.ts';
import type { Clock, Outside, TableOutside, TimedOutside } from '../../runtime/outside/outside.ts';
import { listCreationTimes } from '../transaction/transaction.table.ts';
import { lastClosableDay, listBookings, listTotals, putTotals } from './booking.table.ts';
import { dayAfter, dayOf, daysBetween, timesOfDays } from './day.ts';
import { allHappened, createdCharges, type Totals } from './totals.ts';

/** How far the closing of days has come: all up to `until`, and of the next day the merchants up to `merchant`. */
export const Closing = z.object({ until: z.string(), merchant: z.optional(z.string()) });
export type Closing = z.infer<typeof Closing>;

/** How many merchants' days a run closes. At one run a minute that is 36,000 merchants a day. */
const MERCHANTS_A_RUN = 25;

/**
 * Closes the next days of merchants, the oldest day first, and says how far it has come. Housekeeping does so, not who reads them: a
 * page writes nothing, and the books are complete whether or not anybody looks. Merchants are walked through, rather than days with
 * something in them noted, so that a charge costs no write more than its booking.
 */
export async function closeDays(
  outside: Pick<Outside, 'table' | 'now' | 'retentionDays'>,
  closing: Closing | undefined,
  untilMs: number,
): Promise<Closing> {
  const last = lastClosableDay(outside);
  // A stage begins with its first run: there are no bookings from before.
  const { until, merchant } = closing ?? { until: last };
  if (until >= last) return { until };
  const day = dayAfter(until);
  const merchants = await listMerchantIds(outside, merchant, MERCHANTS_A_RUN);
  let done = merchant;
  for (const id of merchants) {
    if (outside.now() > untilMs) return { until, merchant: done };
    await Promise.all([id, twinIdOf(id)].map((whose) => closeDay(outside, whose, day)));
    done = id;
  }
  return merchants.length < MERCHANTS_A_RUN ? { until: day } : { until, merchant: done };
}

/** Adds up a day of a merchant for good. */
export async function closeDay(
  outside: Pick<Outside, 'table' | 'now' | 'retentionDays'>,
  merchantId: string,
  day: string,
): Promise<void> {
  const [bookings, created] = await Promise.all([
    listBookings(outside, merchantId, day),
    listCreationTimes(outside, merchantId, timesOfDays(day, day)),
  ]);
  if (bookings.length === 0 && created.length === 0) return;
  const happened = allHappened([...bookings, createdCharges(created.length)]);
  await outside.table.write([putTotals(outside, merchantId, day, happened)]);
}

/** What happened on a day. */
export interface Day {
  readonly day: string;
  readonly totals: Totals;
  /** The references of charges that became disputed. */
  readonly disputed: readonly string[];
}

/** How much is read of a day that is not closed: more than a page may take is more than a person needs to the pesewa today. */
const MAX_BOOKINGS = 4_000;
const MAX_CREATED = 8_000;

/**
 * The totals of each day from `first` to `last`: closed days in one read, the others from what was booked, a read each. `isMore`: more
 * happened on a day that is not closed than one page adds up.
 */
export async function totalsOfDays(
  outside: TimedOutside,
  merchantId: string,
  { first, last }: { readonly first: string; readonly last: string },
): Promise<{ days: Day[]; isMore: boolean }> {
  const days = daysBetween(first, last);
  // The last closable day may be about to be closed.
  const [firstOpen, today] = [lastClosableDay(outside), dayOf(outside.now())];
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

function createdOn(outside: TableOutside, merchantId: string, open: readonly string[]): Promise<string[]> {
  const [first, last] = [open[0], open.at(-1)];
  if (first === undefined || last === undefined) return Promise.resolve([]);
  return listCreationTimes(outside, merchantId, timesOfDays(first, last), MAX_CREATED);
}

/** The last so many days, today among them. */
export function lastDays({ now }: Clock, count: number): { first: string; last: string } {
  const last = dayOf(now());
  return { first: dayAfter(last, 1 - count), last };
}
