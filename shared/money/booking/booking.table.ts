/*
 * booking   BOOKING#<merchant>#<day> / <time>#<sequence number>   the effect of one change on a merchant's money and texts, on its
 *                                                                 day in Ghana
 * totals    TOTALS#<merchant> / <day>   a merchant's money and texts on a closed day; no row if there were none
 *
 * The stream writes bookings. A change has the same sequence number in every delivery, so it is booked only once.
 * Bookings never change: a reversal is booked on its own day.
 */

import { endOfTest } from '../../merchants/merchant/test-account.ts';
import { type Clock, isoOf, type TableOutside, todayOf } from '../../runtime/outside/outside.ts';
import { createItem, type Page, type TableWrite } from '../../runtime/table/table.ts';
import { addDays, DAY_SECONDS, dayOf, dayStartMs } from '../../runtime/values/calendar.ts';
import { type Happened, parseHappened, storedHappened } from './totals.ts';

export interface Booking extends Happened {
  readonly merchant_id: string;
  readonly at: string;
  readonly sequence: string;
}

/** Far longer than any housekeeping outage. A day's bookings must not expire before the day is closed. */
export const BOOKING_KEPT_SECONDS = 40 * DAY_SECONDS;

const partition = (merchantId: string, day: string) => `BOOKING#${merchantId}#${day}`;

/** Stores a booking (one write unit). Needs no condition, because a redelivered change writes the same row. */
export function book({ merchant_id, at, sequence, ...happened }: Booking): TableWrite {
  const day = dayOf(Date.parse(at));
  const key = { pk: partition(merchant_id, day), sk: `${at}#${sequence}` };
  const expires_at_epoch_seconds = dayStartMs(day) / 1000 + BOOKING_KEPT_SECONDS;
  return createItem({ ...key, ...storedHappened(happened), expires_at_epoch_seconds }, () => undefined);
}

export async function listBookings(outside: TableOutside, merchantId: string, day: string, limit: number) {
  const items = await outside.table.list(partition(merchantId, day), { limit });
  return items.map((item) => ({ at: String(item.sk).split('#')[0] ?? '', ...parseHappened(item) }));
}

export async function listBookingsPage(outside: TableOutside, merchantId: string, day: string, page: Page) {
  const { items, next } = await outside.table.listPage(partition(merchantId, day), page);
  return { bookings: items.map(parseHappened), next };
}

/**
 * Days after which a day is closed. The stream keeps changes for only one day, so a closed day never gets another
 * booking.
 */
export const CLOSED_AFTER_DAYS = 3;

export function lastClosableDay(outside: Clock): string {
  return addDays(todayOf(outside), -CLOSED_AFTER_DAYS);
}

const totalsOf = (merchantId: string) => `TOTALS#${merchantId}`;

export function putTotals(merchantId: string, day: string, happened: Happened): TableWrite {
  const ends = endOfTest(merchantId, isoOf(dayStartMs(day)));
  return createItem({ pk: totalsOf(merchantId), sk: day, ...storedHappened(happened), ...ends }, () => undefined);
}

export async function listTotals(
  outside: TableOutside,
  merchantId: string,
  first: string,
  last: string,
): Promise<ReadonlyMap<string, Happened>> {
  const items = await outside.table.list(totalsOf(merchantId), { between: [first, last] });
  return new Map(items.map((item) => [String(item.sk), parseHappened(item)]));
}
