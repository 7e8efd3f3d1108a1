import { type Booking, book } from '../money/booking/booking.table.ts';
import {
  allHappened,
  type Happened,
  type PesewasByDay,
  type SomeTotals,
  withoutZeros,
} from '../money/booking/totals.ts';
import { backingOfCharge } from '../money/payment/backing.ts';
import { doubtOf } from '../money/payment/shown-payment.ts';
import type { WorkerOutside } from '../runtime/outside/worker-outside.ts';
import type { Change } from '../runtime/triggers/stream.ts';
import { dayOf } from '../runtime/values/calendar.ts';
import { type ConsumerTable, lookUp } from './consequences.ts';
import type { EarlierChange, Occurrence } from './occurrence.ts';

type Position = Pick<Change, 'at' | 'sequence'>;

export async function bookOccurrences(
  outside: WorkerOutside,
  occurrences: readonly Occurrence[],
  change: Position,
): Promise<void> {
  const booking = bookingOf(occurrences, change);
  if (booking) await outside.table.write([book(booking)]);
}

/**
 * Returns a change's effect on a merchant's totals, or undefined if there is none. A redelivered change gives the same
 * booking.
 */
export function bookingOf(occurrences: readonly Occurrence[], { at, sequence }: Position): Booking | undefined {
  const today = dayOf(Date.parse(at));
  const booked = occurrences.flatMap((occurrence) => lookUp(bookings, occurrence, today) ?? []);
  // All occurrences of a change concern the same merchant.
  const merchant_id = booked[0]?.merchant_id;
  const { totals, disputed, unverified_earlier } = allHappened(booked);
  return merchant_id
    ? { merchant_id, at, sequence, totals: withoutZeros(totals), disputed, unverified_earlier }
    : undefined;
}

interface Booked extends Happened {
  readonly merchant_id: string | undefined;
}

const bookings: ConsumerTable<'booking', [today: string], Booked> = {
  'charge.paid': ({ charge }) => entry(charge, { charges_paid: 1 }),
  'charge.expired': ({ charge }) => entry(charge, { charges_expired: 1 }),
  'charge.cancelled': ({ charge }) => entry(charge, { charges_cancelled: 1 }),
  'charge.reversed': ({ charge }) => entry(charge, { charges_reversed: 1 }),
  'charge.reopened': ({ charge }) => entry(charge, { charges_paid: -1 }),
  'charge.disputed': ({ charge }) => ({ ...entry(charge, {}), disputed: [charge.reference] }),
  'charge.overpaid': ({ charge, by, before }) => entry(charge, { overpaid_pesewas: by - before }),
  'charge.unverified': ({ charge, by, before, earlier = [] }, today) => {
    const ofOtherDays = earlier.filter(({ day }) => day !== today);
    // A payment that leaves on a later day was never verified. Its own day still says so.
    const stays = ofOtherDays.filter(({ isGone }) => isGone).reduce((sum, { pesewas }) => sum + pesewas, 0);
    const changed = ofOtherDays.filter(({ isGone }) => !isGone);
    return { ...entry(charge, { unverified_pesewas: by - before - stays }), unverified_earlier: sumByDay(changed) };
  },
  // An unverified payment may never have arrived, so refunding it does not reduce the day's takings.
  'charge.refunded': ({ charge, refund }) =>
    entry(charge, { refunds: 1, refunds_pesewas: doubtOf(backingOfCharge(charge)) ? 0 : refund.amount_pesewas }),
  'payment.counted': ({ charge, payment }) => entry(charge, { payments: 1, payments_pesewas: payment.amount_pesewas }),
  'payment.reversed': ({ charge, payment }) => entry(charge, { reversed: 1, reversed_pesewas: payment.amount_pesewas }),
  'payment.released': ({ charge, payment }) => entry(charge, { released: 1, released_pesewas: payment.amount_pesewas }),
  'send.accepted': ({ send }) => entry(send, { texts_accepted: send.to.length }),
  // A text that the merchant cancelled does not count as failed.
  'sms.failed': ({ message }) => entry(message, { texts_failed: 1 }),
  'sms.expired': ({ message }) => entry(message, { texts_failed: 1 }),
};

function entry({ merchant_id }: { readonly merchant_id?: string | undefined }, totals: SomeTotals): Booked {
  return { merchant_id, totals, disputed: [] };
}

function sumByDay(changes: readonly EarlierChange[]): PesewasByDay {
  const ofDay = Map.groupBy(changes, ({ day }) => day);
  return Object.fromEntries([...ofDay].map(([day, all]) => [day, all.reduce((sum, { pesewas }) => sum + pesewas, 0)]));
}
