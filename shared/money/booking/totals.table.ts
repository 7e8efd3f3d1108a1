/*
 * totals   TOTALS#<merchant> / <day>   what happened to a merchant's money and texts on a day that is closed; none where nothing did
 *
 * Written once, and never changed: what is reversed later belongs to the day of its reversal.
 */
import { isTwin, retentionOf } from '../../merchants/merchant/twin.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import { endOfRetention } from '../../runtime/outside/retention.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { dayAfter, dayOf, dayStartMs } from './day.ts';
import { type Happened, parseHappened, storedHappened } from './totals.ts';

/**
 * When a day is closed: two whole days after its end. The stream keeps a change for one day, so nothing more is booked on it, and a
 * wrong clock makes no difference.
 */
export const CLOSED_AFTER_DAYS = 3;

/** The last day that may be closed by now. Later ones are added up from their bookings whenever somebody asks. */
export function lastClosableDay({ now }: Pick<Outside, 'now'>): string {
  return dayAfter(dayOf(now()), -CLOSED_AFTER_DAYS);
}

const partition = (merchantId: string) => `TOTALS#${merchantId}`;

/** Safe to repeat: the first to close a day has closed it. */
export function putTotals(
  outside: Pick<Outside, 'retentionDays'>,
  merchantId: string,
  day: string,
  happened: Happened,
): TableWrite {
  // The books of a business name nobody and stay; tests are gone in a month.
  const ends = isTwin(merchantId)
    ? endOfRetention(retentionOf(outside, merchantId), new Date(dayStartMs(day)).toISOString())
    : {};
  return {
    put: {
      Item: { pk: partition(merchantId), sk: day, ...storedHappened(happened), ...ends },
      ConditionExpression: 'attribute_not_exists(pk)',
    },
    refused: () => undefined,
  };
}

/** What was closed of some days in a row, by day. */
export async function listTotals(
  outside: Pick<Outside, 'table'>,
  merchantId: string,
  first: string,
  last: string,
): Promise<ReadonlyMap<string, Happened>> {
  const items = await outside.table.list(partition(merchantId), { between: [first, last] });
  return new Map(items.map((item) => [String(item.sk), parseHappened(item)]));
}
