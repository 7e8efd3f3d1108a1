/*
 * booking   BOOKING#<merchant>#<day> / <time>#<sequence number>   what one change in the table meant to a merchant's money and texts,
 *                                                                 under the day on which it happened, in Ghana
 * totals   TOTALS#<merchant> / <day>   what happened to a merchant's money and texts on a day that is closed; none where nothing did
 *
 * The stream writes bookings. A change has one sequence number however often it arrives, so it is booked once.
 * Written once, and never changed: what is reversed later belongs to the day of its reversal.
 */

import { endOfTest } from '../../merchants/merchant/twin.ts';
import { type Clock, isoOf, type TableOutside, todayOf } from '../../runtime/outside/outside.ts';
import { createItem, type Page, type TableWrite } from '../../runtime/table/table.ts';
import { addDays, DAY_SECONDS, dayOf, dayStartMs } from '../../runtime/values/calendar.ts';
import { type Happened, parseHappened, storedHappened } from './totals.ts';

export interface Booking extends Happened {
  readonly merchant_id: string;
  /** When the change was made (ISO). */
  readonly at: string;
  readonly sequence: string;
}

/** Far longer than housekeeping can be down before somebody notices: a day that was not added up by then is lost. */
export const BOOKING_KEPT_SECONDS = 40 * DAY_SECONDS;

const partition = (merchantId: string, day: string) => `BOOKING#${merchantId}#${day}`;

/** Safe to repeat: the same change is the same row. The condition makes it a bare Put, which costs one write unit. */
export function book({ merchant_id, at, sequence, ...happened }: Booking): TableWrite {
  const day = dayOf(Date.parse(at));
  const key = { pk: partition(merchant_id, day), sk: `${at}#${sequence}` };
  const expires_at_epoch_seconds = dayStartMs(day) / 1000 + BOOKING_KEPT_SECONDS;
  return createItem({ ...key, ...storedHappened(happened), expires_at_epoch_seconds }, () => undefined);
}

/** What was booked on a day, in its order; at most `limit` of it. */
export async function listBookings(outside: TableOutside, merchantId: string, day: string, limit?: number) {
  const items = await outside.table.list(partition(merchantId, day), limit === undefined ? {} : { limit });
  return items.map(parseHappened);
}

/** A page of it, for adding up however much there is. */
export async function listBookingsPage(outside: TableOutside, merchantId: string, day: string, page: Page) {
  const { items, next } = await outside.table.listPage(partition(merchantId, day), page);
  return { bookings: items.map(parseHappened), next };
}

/**
 * When a day is closed: two whole days after its end. The stream keeps a change for one day, so nothing more is booked on it, and a
 * wrong clock makes no difference.
 */
export const CLOSED_AFTER_DAYS = 3;

/** The last day that may be closed by now. Later ones are added up from their bookings whenever somebody asks. */
export function lastClosableDay(outside: Clock): string {
  return addDays(todayOf(outside), -CLOSED_AFTER_DAYS);
}

const totalsOf = (merchantId: string) => `TOTALS#${merchantId}`;

/** Safe to repeat: the first to close a day has closed it. */
export function putTotals(merchantId: string, day: string, happened: Happened): TableWrite {
  // The books of a business name nobody and stay; tests are gone in a month.
  const ends = endOfTest(merchantId, isoOf(dayStartMs(day)));
  return createItem({ pk: totalsOf(merchantId), sk: day, ...storedHappened(happened), ...ends }, () => undefined);
}

/** What was closed of some days in a row, by day. */
export async function listTotals(
  outside: TableOutside,
  merchantId: string,
  first: string,
  last: string,
): Promise<ReadonlyMap<string, Happened>> {
  const items = await outside.table.list(totalsOf(merchantId), { between: [first, last] });
  return new Map(items.map((item) => [String(item.sk), parseHappened(item)]));
}
