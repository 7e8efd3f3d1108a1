import type { Change } from '../../runtime/triggers/stream.ts';
import type { Booking } from '../booking/booking.table.ts';
import { allHappened, type Happened, type SomeTotals, withoutZeros } from '../booking/totals.ts';
import { backingOfCharge } from '../payment/backing.ts';
import { doubtOf } from '../payment/shown-payment.ts';
import { type ByOccurrence, lookUp, type Occurrence } from './occurrences-of.ts';

/**
 * What a change in the table means to a merchant's money and texts; undefined if nothing. It follows from the change alone, so that one
 * that arrives twice gives the same booking. That a charge was created is not booked: the list of charges says when.
 */
export function bookingOf(
  occurrences: readonly Occurrence[],
  { at, sequence }: Pick<Change, 'at' | 'sequence'>,
): Booking | undefined {
  const booked = occurrences.flatMap((occurrence) => lookUp(bookings, occurrence) ?? []);
  // A row is one merchant's, or the operator's own.
  const merchant_id = booked[0]?.merchant_id;
  const { totals, disputed } = allHappened(booked);
  return merchant_id ? { merchant_id, at, sequence, totals: withoutZeros(totals), disputed } : undefined;
}

interface Booked extends Happened {
  readonly merchant_id: string | undefined;
}

const bookings: ByOccurrence<[], Booked> = {
  'charge.paid': ({ charge }) => book(charge, { charges_paid: 1 }),
  'charge.expired': ({ charge }) => book(charge, { charges_expired: 1 }),
  'charge.cancelled': ({ charge }) => book(charge, { charges_cancelled: 1 }),
  'charge.reversed': ({ charge }) => book(charge, { charges_reversed: 1 }),
  'charge.reopened': ({ charge }) => book(charge, { charges_paid: -1 }),
  'charge.disputed': ({ charge }) => ({ ...book(charge, {}), disputed: [charge.reference] }),
  'charge.overpaid': ({ charge, by, before }) => book(charge, { overpaid_pesewas: by - before }),
  'charge.unverified': ({ charge, by, before }) => book(charge, { unverified_pesewas: by - before }),
  // Unverified money may never have arrived, so that what is sent back of it is no refund of the day's takings.
  'charge.refunded': ({ charge, refund }) =>
    book(charge, { refunds: 1, refunds_pesewas: doubtOf(backingOfCharge(charge)) ? 0 : refund.amount_pesewas }),
  'payment.counted': ({ charge, payment }) => book(charge, { payments: 1, payments_pesewas: payment.amount_pesewas }),
  'payment.reversed': ({ charge, payment }) => book(charge, { reversed: 1, reversed_pesewas: payment.amount_pesewas }),
  'payment.released': ({ charge, payment }) => book(charge, { released: 1, released_pesewas: payment.amount_pesewas }),
  'send.accepted': ({ send }) => book(send, { texts_accepted: send.to.length }),
  // What its merchant cancelled did not fail.
  'sms.failed': ({ message }) => book(message, { texts_failed: 1 }),
  'sms.expired': ({ message }) => book(message, { texts_failed: 1 }),
};

function book({ merchant_id }: { readonly merchant_id?: string | undefined }, totals: SomeTotals): Booked {
  return { merchant_id, totals, disputed: [] };
}
