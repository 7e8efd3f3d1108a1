import * as z from 'zod/mini';
import { listMerchantIds } from '../../merchants/merchant/merchant.table.ts';
import { twinIdOf } from '../../merchants/merchant/twin.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import { listCreationTimes } from '../transaction/transaction.table.ts';
import { lastClosableDay, listBookings, putTotals } from './booking.table.ts';
import { dayAfter, timesOfDays } from './day.ts';
import { allHappened, createdCharges } from './totals.ts';

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
