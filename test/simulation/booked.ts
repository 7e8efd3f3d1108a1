import { addUp, moneyInPesewas, parseHappened, type Totals, totalNames } from '../../shared/money/booking/totals.ts';
import { type Charge, chargeRows } from '../../shared/money/charge/charge.table.ts';
import { isOpenedByStranger } from '../../shared/money/charge/origin.ts';
import { unverifiedPesewas } from '../../shared/money/payment/backing.ts';
import { overpaidPesewas, paidPesewas, refundedPesewas, sentRefunds } from '../../shared/money/payment/payment.ts';
import { dayOf } from '../../shared/runtime/values/calendar.ts';

type Item = Readonly<Record<string, unknown>>;

/**
 * Returns wrong bookings. For each merchant, the totals of closed days plus the bookings of open days must equal the
 * totals of charges and texts.
 */
export function wronglyBooked(items: readonly Item[]): string[] {
  const merchants = new Set(items.flatMap(({ merchant_id }) => (typeof merchant_id === 'string' ? [merchant_id] : [])));
  return [...merchants].flatMap((merchant) => {
    const theirs = items.filter(({ merchant_id }) => merchant_id === merchant);
    const charges = theirs.filter(({ sk }) => sk === 'TRANSACTION').map((item) => chargeRows.parse({ ...item }));
    const closed = items.filter(({ pk }) => pk === `TOTALS#${merchant}`);
    const booked = bookedOf(items, merchant, closed);
    return [
      ...differences(merchant, booked, saidBy(charges, theirs)),
      ...wronglyCreated(merchant, closed, charges),
      ...wronglyRefunded(merchant, booked, charges),
      ...wronglyUnverified(merchant, booked, charges),
      ...(moneyInPesewas(booked) === countedPesewas(charges)
        ? []
        : [`${merchant}: GHS ${moneyInPesewas(booked) / 100} booked, ${countedPesewas(charges) / 100} counted`]),
    ];
  });
}

function bookedOf(items: readonly Item[], merchant: string, closed: readonly Item[]): Totals {
  const days = new Set(closed.map(({ sk }) => `BOOKING#${merchant}#${sk}`));
  const open = items.filter(({ pk }) => String(pk).startsWith(`BOOKING#${merchant}#`) && !days.has(String(pk)));
  return addUp([...closed, ...open].map((item) => parseHappened(item).totals));
}

/** Returns the totals that do not depend on a charge's history. */
function saidBy(charges: readonly Charge[], theirs: readonly Item[]): Partial<Totals> {
  const count = (at: 'paid_at' | 'expired_at' | 'cancelled_at' | 'reversed_at') =>
    charges.filter((charge) => charge[at] !== undefined).length;
  const sent = charges.flatMap(({ refunds = [] }) => refunds.filter(({ state }) => state === 'sent'));
  const paid = charges.filter(({ state }) => state === 'success');
  return {
    charges_paid: count('paid_at'),
    charges_expired: count('expired_at'),
    charges_cancelled: count('cancelled_at'),
    charges_reversed: count('reversed_at'),
    overpaid_pesewas: paid.reduce((sum, charge) => sum + overpaidPesewas(charge), 0),
    refunds: sent.length,
    texts_accepted: theirs.reduce((sum, { sk, to }) => sum + (sk === 'SEND' && Array.isArray(to) ? to.length : 0), 0),
    texts_failed: theirs.filter(
      ({ sk, state }) => String(sk).startsWith('MESSAGE#') && (state === 'failed' || state === 'expired'),
    ).length,
  };
}

/** Only refunds of verified payments count. All sent refunds are an upper bound. */
function wronglyRefunded(merchant: string, { refunds_pesewas }: Totals, charges: readonly Charge[]): string[] {
  const sent = charges.reduce((sum, charge) => sum + refundedPesewas(sentRefunds(charge)), 0);
  return refunds_pesewas >= 0 && refunds_pesewas <= sent
    ? []
    : [`${merchant}: GHS ${refunds_pesewas / 100} booked as refunds, ${sent / 100} were sent`];
}

/** Unverified money that leaves on a later day stays unverified on its own day, but no other money does. */
function wronglyUnverified(merchant: string, booked: Totals, charges: readonly Charge[]): string[] {
  const { unverified_pesewas, reversed_pesewas, released_pesewas } = booked;
  const now = charges.reduce((sum, charge) => sum + unverifiedPesewas(charge), 0);
  const left = unverified_pesewas - now;
  return 0 <= left && left <= reversed_pesewas + released_pesewas
    ? []
    : [`${merchant}: GHS ${unverified_pesewas / 100} booked as unverified, ${now / 100} is`];
}

/** Returns the total of the payments that count towards charges. */
function countedPesewas(charges: readonly Charge[]): number {
  const counting = charges.filter(({ state }) => state === 'pending' || state === 'success');
  return counting.reduce((sum, charge) => sum + paidPesewas(charge), 0);
}

function differences(merchant: string, booked: Totals, said: Partial<Totals>): string[] {
  return totalNames.flatMap((name) => {
    const must = said[name];
    return must === undefined || must === booked[name]
      ? []
      : [`${merchant}: ${name} is ${booked[name]} by its bookings, and ${must} by what they are of`];
  });
}

/** Charges are counted when their day is closed. Strangers' charges count only if something was paid. */
function wronglyCreated(merchant: string, closed: readonly Item[], charges: readonly Charge[]): string[] {
  return closed.flatMap((item) => {
    const made = charges.filter(({ created_at }) => dayOf(Date.parse(created_at)) === item.sk);
    const own = made.filter((charge) => !isOpenedByStranger(charge)).length;
    const told = Number(item.charges_created ?? 0);
    return own <= told && told <= made.length ? [] : [`${merchant}: ${told} charges on ${item.sk}, not ${own}`];
  });
}
