/*
 * booking   BOOKING#<merchant>#<day> / <time>#<sequence number>   what one change in the table meant to a merchant's money and texts,
 *                                                                 under the day on which it happened, in Ghana
 *
 * The stream writes them. A change has one sequence number however often it is told, so it is booked once.
 */
import type { Outside } from '../../runtime/outside/outside.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { dayOf, dayStartMs } from './day.ts';
import { type Happened, parseHappened, storedHappened } from './totals.ts';

export interface Booking extends Happened {
  readonly merchant_id: string;
  /** When the change was made (ISO). */
  readonly at: string;
  readonly sequence: string;
}

/** Far longer than housekeeping can be down before somebody notices: a day that was not added up by then is lost. */
export const BOOKING_KEPT_SECONDS = 40 * 24 * 60 * 60;

const partition = (merchantId: string, day: string) => `BOOKING#${merchantId}#${day}`;

/** Safe to repeat: the same change is the same row. The condition makes it a bare Put, which costs one write unit. */
export function book({ merchant_id, at, sequence, ...happened }: Booking): TableWrite {
  const day = dayOf(Date.parse(at));
  return {
    put: {
      Item: {
        pk: partition(merchant_id, day),
        sk: `${at}#${sequence}`,
        ...storedHappened(happened),
        expires_at_epoch_seconds: dayStartMs(day) / 1000 + BOOKING_KEPT_SECONDS,
      },
      ConditionExpression: 'attribute_not_exists(pk)',
    },
    refused: () => undefined,
  };
}

/** What was booked on a day, in its order; at most `limit` of it. */
export async function listBookings(
  outside: Pick<Outside, 'table'>,
  merchantId: string,
  day: string,
  limit?: number,
): Promise<Happened[]> {
  const items = await outside.table.list(partition(merchantId, day), limit === undefined ? {} : { limit });
  return items.map(parseHappened);
}
