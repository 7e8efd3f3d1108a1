import type { Clock, TableOutside, TimedOutside } from '../../runtime/outside/outside.ts';
import { listCreationTimes } from '../transaction/transaction.table.ts';
import { lastClosableDay, listBookings, listTotals } from './booking.table.ts';
import { dayAfter, dayOf, daysBetween, timesOfDays } from './day.ts';
import { allHappened, createdCharges, type Totals } from './totals.ts';

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
