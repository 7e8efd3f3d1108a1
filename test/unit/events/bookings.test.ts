import { describe, expect, test } from 'vitest';
import { bookingOf, bookOccurrences } from '../../../shared/events/bookings.ts';
import { occurrencesOf } from '../../../shared/events/occurrences-of.ts';
import { listBookings } from '../../../shared/money/booking/booking.table.ts';
import type { Item } from '../../../shared/runtime/table/table.ts';
import type { Change } from '../../../shared/runtime/triggers/stream.ts';
import { rowOf, storedPayment } from '../../support/rows-of-kinds.ts';
import { createWorld } from '../../support/world.ts';

const AT = { at: '2026-11-20T23:59:59.000Z', sequence: '7' };

const DAY_BEFORE = '2026-11-19T20:00:00.000Z';

const pending = rowOf('TRANSACTION', {});
const verified = { proof: { state: 'proven' } } as const;
const [thirty, fifty] = [storedPayment('thirty', 30_00, verified), storedPayment('fifty', 50_00, verified)];
const partly = { ...pending, parts: [thirty] };
const paid = { ...pending, state: 'success', payment: storedPayment('sixty', 60_00, verified) };
const unverified = { ...paid, payment: storedPayment('sixty', 60_00) };
const byHand = storedPayment('sixty', 60_00, { marked: { how: 'cash', at: AT.at, by: 'user' } });
const disputed = { at: AT.at, why: 'conflict' };
const paidInParts = { ...partly, state: 'success', payment: fifty };
const refund = { refund_id: 'r', amount_pesewas: 5_00, state: 'noted', noted_at: AT.at };
const SENT = { state: 'sent' };
const RELEASED = { released: 1, released_pesewas: 30_00 };
const pays = (payments_pesewas: number) => ({ payments: 1, payments_pesewas });
const refunded = (one: object) => ({ ...paid, refunds: [one] });

const ten = storedPayment('ten', 10_00);
const withUnverified = { ...pending, parts: [thirty, ten] };
const refundOf = (one: Item, state: string) => ({ ...one, refunds: [{ ...refund, state }] });

const changes: [what: string, before: Item | undefined, after: Item, totals: object | undefined][] = [
  ['a new charge', undefined, pending, undefined],
  ['a paid charge', pending, paid, { charges_paid: 1, ...pays(60_00) }],
  ['a partial payment', pending, partly, pays(30_00)],
  [
    'the partial payment that completes a charge',
    partly,
    paidInParts,
    { charges_paid: 1, ...pays(50_00), overpaid_pesewas: 20_00 },
  ],
  ['a reversed partial payment', partly, pending, { reversed: 1, reversed_pesewas: 30_00 }],
  ['an expired charge', pending, { ...pending, state: 'expired' }, { charges_expired: 1 }],
  ['an expired, partly paid charge', partly, { ...partly, state: 'expired' }, { charges_expired: 1, ...RELEASED }],
  ['a cancelled, partly paid charge', partly, { ...partly, state: 'cancelled' }, { charges_cancelled: 1, ...RELEASED }],
  [
    'a reversed charge with another payment held again',
    paidInParts,
    { ...partly, state: 'reversed', payment: fifty },
    {
      charges_reversed: 1,
      reversed: 1,
      reversed_pesewas: 50_00,
      released: 1,
      released_pesewas: 30_00,
      overpaid_pesewas: -20_00,
    },
  ],
  [
    'a charge still paid after a reversal',
    { ...pending, state: 'success', amount_pesewas: 30_00, parts: [thirty], payment: fifty },
    { ...pending, state: 'success', amount_pesewas: 30_00, payment: fifty },
    { reversed: 1, reversed_pesewas: 30_00, overpaid_pesewas: -30_00 },
  ],
  [
    'an expired charge with a reassigned payment',
    { ...partly, state: 'expired' },
    { ...paidInParts, amount_pesewas: 60_00 },
    { charges_paid: 1, payments: 2, payments_pesewas: 80_00, overpaid_pesewas: 20_00 },
  ],
  ['an unverified payment', pending, unverified, { charges_paid: 1, ...pays(60_00), unverified_pesewas: 60_00 }],
  [
    'an unverified partial payment',
    pending,
    { ...pending, parts: [ten] },
    { ...pays(10_00), unverified_pesewas: 10_00 },
  ],
  ['an unverified payment that is verified later', unverified, paid, { unverified_pesewas: -60_00 }],
  ['manually released goods', unverified, { ...unverified, released_by: 'u' }, { unverified_pesewas: -60_00 }],
  [
    'a reversed unverified payment',
    unverified,
    { ...unverified, state: 'reversed' },
    { charges_reversed: 1, reversed: 1, reversed_pesewas: 60_00, unverified_pesewas: -60_00 },
  ],
  [
    'an unverified payment followed by another one',
    withUnverified,
    { ...withUnverified, parts: [thirty, ten, storedPayment('more', 30_00, verified)] },
    pays(30_00),
  ],
  [
    'a sent refund of an unverified payment',
    refundOf(unverified, 'noted'),
    refundOf(unverified, 'sent'),
    { refunds: 1 },
  ],
  [
    'a sent refund of a disputed payment',
    refundOf({ ...paid, disputed }, 'noted'),
    refundOf({ ...paid, disputed }, 'sent'),
    { refunds: 1 },
  ],
  [
    'a refund sent before its payment is verified',
    refundOf(unverified, 'sent'),
    refundOf(paid, 'sent'),
    { unverified_pesewas: -60_00 },
  ],
  [
    'a mark as paid that is undone',
    { ...paid, payment: byHand },
    { ...pending, unmarked_at: AT.at },
    { charges_paid: -1, released: 1, released_pesewas: 60_00, unverified_pesewas: -60_00 },
  ],
  ['a recorded refund', paid, refunded(refund), undefined],
  ['a sent refund', refunded(refund), refunded({ ...refund, ...SENT }), { refunds: 1, refunds_pesewas: 5_00 }],
];

const counted = storedPayment('sixty', 60_00, { counted_at: DAY_BEFORE });
const earlier = { ...paid, payment: counted };

describe('the booking for a charge', () => {
  test.each(changes)('has the correct totals for %s', (_, before, after, totals) => {
    const booking = booked({ event: before ? 'MODIFY' : 'INSERT', sk: 'TRANSACTION', before, after, ...AT });
    expect(booking).toEqual(totals && { merchant_id: 'shop', ...AT, totals, disputed: [], unverified_earlier: {} });
  });

  test.each([
    ['is verified', { ...earlier, payment: { ...counted, ...verified } }, -60_00],
    ['is released', { ...earlier, released_by: 'u' }, -60_00],
  ])('records the arrival day of unverified money that %s later', (_, after, pesewas) => {
    const change = {
      event: 'MODIFY',
      sk: 'TRANSACTION',
      ...AT,
      before: earlier,
    } as const;
    const booking = booked({ ...change, after });
    expect(booking).toMatchObject({
      totals: { unverified_pesewas: pesewas },
      unverified_earlier: { '2026-11-19': pesewas },
    });
  });

  test.each([
    ['is reversed', { ...earlier, state: 'reversed' }],
    ['is removed', { ...pending, unmarked_at: AT.at }],
  ])('leaves money unverified on its arrival day if it %s on a later day', (_, after) => {
    const { totals, unverified_earlier } =
      booked({ event: 'MODIFY', sk: 'TRANSACTION', before: earlier, after, ...AT }) ?? {};
    expect(totals).not.toHaveProperty('unverified_pesewas');
    expect(unverified_earlier).toEqual({});
  });

  test('records the arrival day of an unverified part that is verified after the charge was paid', () => {
    const late = { ...ten, counted_at: DAY_BEFORE };
    const inParts = { ...paid, paid_at: AT.at };
    const change = { event: 'MODIFY', sk: 'TRANSACTION', ...AT, before: { ...inParts, parts: [late] } } as const;
    const booking = booked({ ...change, after: { ...inParts, parts: [{ ...late, ...verified }] } });
    expect(booking).toMatchObject({
      totals: { unverified_pesewas: -10_00 },
      unverified_earlier: { '2026-11-19': -10_00 },
    });
  });

  test('counts a new partial payment on the current day, even if its text is from the day before', () => {
    const late = { ...ten, received_at: DAY_BEFORE };
    const change = { event: 'MODIFY', sk: 'TRANSACTION', ...AT, before: pending } as const;
    const booking = booked({ ...change, after: { ...pending, parts: [late] } });
    expect(booking).toMatchObject({ totals: { unverified_pesewas: 10_00 }, unverified_earlier: {} });
  });

  test('counts a disputed charge once', () => {
    const inDoubt = { ...paid, disputed };
    const change = { event: 'MODIFY', sk: 'TRANSACTION', ...AT } as const;
    const booking = booked({ ...change, before: paid, after: inDoubt });
    expect(booking).toMatchObject({ disputed: ['MK-0123456789'], totals: { unverified_pesewas: 60_00 } });
    expect(booked({ ...change, before: inDoubt, after: { ...inDoubt, gsi1sk: 'x' } })).toBeUndefined();
  });
});

test('a booking is stored under the day of the change that causes it', async () => {
  const { outside } = await createWorld();
  const change = { event: 'MODIFY', sk: 'TRANSACTION', before: pending, after: paid, ...AT } as const;
  await bookOccurrences(outside, occurrencesOf(change), AT);
  await bookOccurrences(outside, [], { ...AT, sequence: '8' });
  expect(await listBookings(outside, 'shop', '2026-11-20', 9)).toEqual([
    { at: AT.at, totals: { charges_paid: 1, ...pays(60_00) }, disputed: [] },
  ]);
});

describe('the booking for sent texts', () => {
  const send = { send_id: 's', merchant_id: 'shop', from: '+233241234567', to: ['+233551112222', '+233551112223'] };
  const sent = { ...send, message: 'Hello', created_at: AT.at };
  const message = { send_id: 's', index: 0, merchant_id: 'shop', state: 'sent' };

  test('counts texts when they are accepted', () => {
    const change = { event: 'INSERT', sk: 'SEND', before: undefined, after: sent, ...AT } as const;
    expect(booked(change)?.totals).toEqual({ texts_accepted: 2 });
    expect(booked({ ...change, event: 'MODIFY', before: sent })).toBeUndefined();
  });

  test('counts a failed text once', () => {
    const failed = { ...message, state: 'failed' };
    const change = { event: 'MODIFY', sk: 'MESSAGE#00', before: message, after: failed, ...AT } as const;
    expect(booked(change)?.totals).toEqual({ texts_failed: 1 });
    expect(booked({ ...change, after: { ...message, state: 'expired' } })?.totals).toEqual({ texts_failed: 1 });
    expect(booked({ ...change, before: failed })).toBeUndefined();
    expect(booked({ ...change, after: { ...message, state: 'delivered' } })).toBeUndefined();
  });

  test('ignores the operator’s texts', () => {
    const { merchant_id: _, ...own } = sent;
    expect(booked({ event: 'INSERT', sk: 'SEND', before: undefined, after: own, ...AT })).toBeUndefined();
  });
});

function booked(change: Change) {
  return bookingOf(occurrencesOf(change), change);
}
