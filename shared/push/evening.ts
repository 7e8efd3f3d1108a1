import { shownMoney } from '../ghana/money.ts';
import { listEveningDevices } from '../merchants/user/device.table.ts';
import { listBookings } from '../money/booking/booking.table.ts';
import { unverifiedByDay } from '../money/booking/days.ts';
import { allHappened, moneyInPesewas } from '../money/booking/totals.ts';
import { countHeld, listReceipts } from '../money/receipt/receipt.table.ts';
import { isoOf, type TimedOutside } from '../runtime/outside/outside.ts';
import type { WorkerOutside } from '../runtime/outside/worker-outside.ts';
import { dayOf, HOUR_MS } from '../runtime/values/calendar.ts';
import { counted } from '../runtime/values/counted.ts';
import { jobFor } from './notice.ts';

/**
 * Queues the daily summaries that owners want at the current hour (in Ghana, which is on UTC). `done` is the last hour
 * whose summaries were queued (ISO).
 */
export async function queueEvenings(outside: WorkerOutside, done: string | undefined): Promise<string> {
  const hourMs = Math.floor(outside.now() / HOUR_MS) * HOUR_MS;
  const at = isoOf(hourMs);
  if (at === done) return at;
  const devices = await listEveningDevices(outside, new Date(hourMs).getUTCHours());
  // At midnight, the summary is of the day that has just ended.
  const notice = { kind: 'evening', about: dayOf(hourMs - 1), at } as const;
  const jobs = devices.map((device) => jobFor(device.merchant_id, device, notice));
  if (jobs.length > 0) await outside.queues.send('deliver-push', jobs);
  return at;
}

const MAX_BOOKINGS = 4_000;
const MAX_WAITING = 50;

/** Describes a shop's day, such as `GHS 1,240.00 in 31 payments`. Omits amounts without `withDetails`. */
export async function eveningWords(
  outside: TimedOutside,
  { merchant_id, day }: { readonly merchant_id: string; readonly day: string },
  withDetails: boolean,
): Promise<{ readonly title: string; readonly body: string }> {
  const [bookings, waiting, unreadTexts] = await Promise.all([
    listBookings(outside, merchant_id, day, MAX_BOOKINGS),
    countHeld(outside, merchant_id, MAX_WAITING),
    listReceipts(outside, merchant_id, 'unread', { limit: MAX_WAITING }),
  ]);
  const more = (count: number, most: number) => (count < most ? '' : ' or more');
  const unread = unreadTexts.receipts.length;
  const happened = allHappened(bookings);
  const { totals } = happened;
  const { payments, reversed } = totals;
  const [unverifiedPesewas = 0] = unverifiedByDay([{ day, ...happened }]);
  const count = `${counted(payments, 'payment')}${more(bookings.length, MAX_BOOKINGS)}`;
  const unverified = withDetails ? `${shownMoney(unverifiedPesewas)} is not verified` : 'Some money is not verified';
  const facts = [
    ...(waiting > 0 ? [`${waiting}${more(waiting, MAX_WAITING)} ${waiting === 1 ? 'waits' : 'wait'}`] : []),
    ...(unread > 0
      ? [`${unread}${more(unread, MAX_WAITING)} ${unread === 1 ? 'message' : 'messages'} not understood`]
      : []),
    ...(reversed > 0 ? [`${reversed} reversed`] : []),
  ];
  const when = day === dayOf(outside.now()) ? 'today' : 'yesterday';
  const body = [...(unverifiedPesewas > 0 ? [unverified] : []), facts.join(', ') || 'Nothing is waiting'];
  return {
    title: withDetails
      ? `${shownMoney(moneyInPesewas(totals))} in ${count}${when === 'today' ? '' : ` ${when}`}`
      : `${count} ${when}`,
    body: `${body.join('. ')}.`,
  };
}
