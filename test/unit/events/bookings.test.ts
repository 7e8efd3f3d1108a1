import { describe, expect, test } from 'vitest';
import { bookingOf } from '../../../shared/events/bookings.ts';
import { occurrencesOf } from '../../../shared/events/occurrences-of.ts';
import type { Item } from '../../../shared/runtime/table/table.ts';
import type { Change } from '../../../shared/runtime/triggers/stream.ts';
import { rowOf, storedPayment } from '../../support/rows-of-kinds.ts';

const AT = { at: '2026-11-20T23:59:59.000Z', sequence: '7' };

const pending = rowOf('TRANSACTION', {});
const verified = { proof: { state: 'proven' } } as const;
const [thirty, fifty] = [storedPayment('thirty', 30_00, verified), storedPayment('fifty', 50_00, verified)];
const partly = { ...pending, parts: [thirty] };
const paid = { ...pending, state: 'success', payment: storedPayment('sixty', 60_00, verified) };
const unverified = { ...paid, payment: storedPayment('sixty', 60_00) };
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
  ['a charge that is paid', pending, paid, { charges_paid: 1, ...pays(60_00) }],
  ['a part', pending, partly, pays(30_00)],
  ['the part that completes it', partly, paidInParts, { charges_paid: 1, ...pays(50_00), overpaid_pesewas: 20_00 }],
  ['a part that is reversed', partly, pending, { reversed: 1, reversed_pesewas: 30_00 }],
  ['a charge that expires', pending, { ...pending, state: 'expired' }, { charges_expired: 1 }],
  ['one that expires with a part', partly, { ...partly, state: 'expired' }, { charges_expired: 1, ...RELEASED }],
  ['one cancelled with a part', partly, { ...partly, state: 'cancelled' }, { charges_cancelled: 1, ...RELEASED }],
  [
    'a paid charge that is reversed, whose other payment is held again',
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
    'one that stays paid without the payment that was reversed',
    { ...pending, state: 'success', amount_pesewas: 30_00, parts: [thirty], payment: fifty },
    { ...pending, state: 'success', amount_pesewas: 30_00, payment: fifty },
    { reversed: 1, reversed_pesewas: 30_00, overpaid_pesewas: -30_00 },
  ],
  [
    'an expired charge that a person gives its part back to',
    { ...partly, state: 'expired' },
    { ...paidInParts, amount_pesewas: 60_00 },
    { charges_paid: 1, payments: 2, payments_pesewas: 80_00, overpaid_pesewas: 20_00 },
  ],
  ['unverified money', pending, unverified, { charges_paid: 1, ...pays(60_00), unverified_pesewas: 60_00 }],
  ['an unverified part', pending, { ...pending, parts: [ten] }, { ...pays(10_00), unverified_pesewas: 10_00 }],
  ['unverified money that is verified later', unverified, paid, { unverified_pesewas: -60_00 }],
  ['goods that a person lets go', unverified, { ...unverified, released_by: 'u' }, { unverified_pesewas: -60_00 }],
  [
    'unverified money that is reversed',
    unverified,
    { ...unverified, state: 'reversed' },
    { charges_reversed: 1, reversed: 1, reversed_pesewas: 60_00, unverified_pesewas: -60_00 },
  ],
  [
    'unverified money of which more arrives',
    withUnverified,
    { ...withUnverified, parts: [thirty, ten, storedPayment('more', 30_00, verified)] },
    pays(30_00),
  ],
  [
    'a refund of unverified money that was sent',
    refundOf(unverified, 'noted'),
    refundOf(unverified, 'sent'),
    { refunds: 1 },
  ],
  [
    'a refund of disputed money that was sent',
    refundOf({ ...paid, disputed }, 'noted'),
    refundOf({ ...paid, disputed }, 'sent'),
    { refunds: 1 },
  ],
  [
    'a refund that was sent before its money is verified',
    refundOf(unverified, 'sent'),
    refundOf(paid, 'sent'),
    { unverified_pesewas: -60_00 },
  ],
  ['a refund that is noted', paid, refunded(refund), undefined],
  ['a refund that was sent', refunded(refund), refunded({ ...refund, ...SENT }), { refunds: 1, refunds_pesewas: 5_00 }],
];

describe('a charge', () => {
  test.each(changes)('%s', (_, before, after, totals) => {
    const booking = booked({ event: before ? 'MODIFY' : 'INSERT', sk: 'TRANSACTION', before, after, ...AT });
    expect(booking).toEqual(totals && { merchant_id: 'shop', ...AT, totals, disputed: [] });
  });

  test('that becomes disputed is named once', () => {
    const inDoubt = { ...paid, disputed };
    const change = { event: 'MODIFY', sk: 'TRANSACTION', ...AT } as const;
    const booking = booked({ ...change, before: paid, after: inDoubt });
    expect(booking).toMatchObject({ disputed: ['MK-0123456789'], totals: { unverified_pesewas: 60_00 } });
    expect(booked({ ...change, before: inDoubt, after: { ...inDoubt, gsi1sk: 'x' } })).toBeUndefined();
  });
});

describe('texts', () => {
  const send = { send_id: 's', merchant_id: 'shop', from: '+233241234567', to: ['+233551112222', '+233551112223'] };
  const sent = { ...send, message: 'Hello', created_at: AT.at };
  const message = { send_id: 's', index: 0, merchant_id: 'shop', state: 'sent' };

  test('count once when they are accepted', () => {
    const change = { event: 'INSERT', sk: 'SEND', before: undefined, after: sent, ...AT } as const;
    expect(booked(change)?.totals).toEqual({ texts_accepted: 2 });
    expect(booked({ ...change, event: 'MODIFY', before: sent })).toBeUndefined();
  });

  test('count once when they fail', () => {
    const failed = { ...message, state: 'failed' };
    const change = { event: 'MODIFY', sk: 'MESSAGE#00', before: message, after: failed, ...AT } as const;
    expect(booked(change)?.totals).toEqual({ texts_failed: 1 });
    expect(booked({ ...change, after: { ...message, state: 'expired' } })?.totals).toEqual({ texts_failed: 1 });
    expect(booked({ ...change, before: failed })).toBeUndefined();
    expect(booked({ ...change, after: { ...message, state: 'delivered' } })).toBeUndefined();
  });

  test('of the operator are booked for nobody', () => {
    const { merchant_id: _, ...own } = sent;
    expect(booked({ event: 'INSERT', sk: 'SEND', before: undefined, after: own, ...AT })).toBeUndefined();
  });
});

function booked(change: Change) {
  return bookingOf(occurrencesOf(change), change);
}
