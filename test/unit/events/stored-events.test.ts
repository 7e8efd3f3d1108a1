import { beforeEach, expect, test } from 'vitest';
import { occurrencesOf } from '../../../shared/events/occurrences-of.ts';
import { storeWebhookEvent } from '../../../shared/events/webhook-events.ts';
import type { Item } from '../../../shared/runtime/table/table.ts';
import { MINUTE_MS } from '../../../shared/runtime/values/calendar.ts';
import { eventIdOf, type WebhookEventType } from '../../../shared/webhook/event.ts';
import { mtn, reversal } from '../../support/receipts.ts';
import { rowOf, storedPayment } from '../../support/rows-of-kinds.ts';
import { type Scene, type Shop, scene } from '../../support/scene.ts';

const AT = '2026-11-20T10:00:00.000Z';
/** Time of the change in the stream. */
const CHANGED = '2026-11-20T12:00:00.000Z';
const REFERENCE = 'MK-0123456789';
const paid = { state: 'success', payment: storedPayment('sixty', 60_00), paid_at: AT };
const refund = { refund_id: 'refund', amount_pesewas: 5_00, state: 'sent', noted_at: AT, closed_at: AT };
const tap = { kind: 'take', state: 'taken_back', shift_id: 's', by: 'user', at: AT, undone_at: AT };
const byStranger = { origin: { kind: 'link', slug: 'kente' }, state: 'expired', expired_at: AT };
const disputed = { at: AT, why: 'conflict' };
const coded = (state: string) => ({ ...paid, goods: { kind: 'code', state } });
const stock = { codes_stocked: 9, codes_drawn: 0 };
const cancelled = { state: 'cancelled', cancelled_at: AT };

let world: Scene;
let shop: Shop;
beforeEach(async () => {
  world = await scene({ inMemory: true });
  shop = await world.createShop();
  await shop.setWebhook();
});

type Change = readonly [sk: string, before: Item | undefined, after: Item];
type Stored = readonly [type: WebhookEventType, cause: string, timestamp: string, data: object];

const stored: readonly (readonly [what: string, change: Change, ...Stored])[] = [
  [
    'a partial payment',
    ['TRANSACTION', {}, { parts: [storedPayment('ten', 10_00)] }],
    'charge.partly_paid',
    `${REFERENCE} ten`,
    CHANGED,
    { amount_paid: 10 },
  ],
  ['a paid charge', ['TRANSACTION', {}, paid], 'charge.success', REFERENCE, AT, { amount_paid: 60 }],
  [
    'an expired charge',
    ['TRANSACTION', {}, { state: 'expired', expired_at: AT }],
    'charge.expired',
    REFERENCE,
    AT,
    { status: 'expired' },
  ],
  [
    'an expired, partly paid charge of a link',
    ['TRANSACTION', { ...byStranger, state: 'pending' }, { ...byStranger, parts: [storedPayment('ten', 10_00)] }],
    'charge.expired',
    REFERENCE,
    AT,
    { status: 'expired' },
  ],
  ['a cancelled charge', ['TRANSACTION', {}, cancelled], 'charge.cancelled', REFERENCE, AT, { status: 'cancelled' }],
  [
    'an undone tap that was reported',
    ['TRANSACTION', paid, { ...cancelled, goods: { ...tap, told_at: AT } }],
    'charge.cancelled',
    REFERENCE,
    AT,
    { status: 'cancelled' },
  ],
  [
    'a reversed charge',
    ['TRANSACTION', paid, { ...paid, state: 'reversed', reversed_at: AT }],
    'charge.reversed',
    REFERENCE,
    AT,
    { status: 'reversed' },
  ],
  [
    'a charge reversed after its mark was undone',
    [
      'TRANSACTION',
      { ...paid, unmarked_at: CHANGED },
      { ...paid, unmarked_at: CHANGED, state: 'reversed', reversed_at: AT },
    ],
    'charge.reversed',
    `${REFERENCE} ${CHANGED}`,
    AT,
    { status: 'reversed' },
  ],
  [
    'undoing a bill’s mark',
    ['TRANSACTION', paid, { unmarked_at: AT }],
    'charge.unmarked',
    `${REFERENCE} ${AT}`,
    AT,
    { amount_paid: 0 },
  ],
  [
    'a refund',
    ['TRANSACTION', paid, { ...paid, refunds: [refund] }],
    'charge.refunded',
    `${REFERENCE} refund`,
    AT,
    { refunds: [{ refund_id: 'refund', amount: 5 }] },
  ],
  [
    'a disputed charge',
    ['TRANSACTION', paid, { ...paid, disputed }],
    'charge.disputed',
    REFERENCE,
    AT,
    { reference: REFERENCE },
  ],
  [
    'a charge disputed after another dispute ended',
    ['TRANSACTION', { ...paid, earlier_dispute_at: CHANGED }, { ...paid, earlier_dispute_at: CHANGED, disputed }],
    'charge.disputed',
    `${REFERENCE} ${CHANGED}`,
    AT,
    { reference: REFERENCE },
  ],
  [
    'a disputed charge whose payment may also be reversed',
    ['TRANSACTION', { ...paid, disputed }, { ...paid, disputed: { ...disputed, reversal_at: CHANGED } }],
    'charge.disputed',
    `${REFERENCE} reversal`,
    CHANGED,
    { reference: REFERENCE, disputed: { at: CHANGED, why: 'reversal' } },
  ],
  [
    'a charge that waits for stock codes',
    ['TRANSACTION', coded('to_release'), coded('waiting')],
    'charge.code_waiting',
    `${REFERENCE} waiting`,
    CHANGED,
    { reference: REFERENCE },
  ],
  [
    'a link with few codes',
    ['LINK', stock, { ...stock, codes_drawn: 7 }],
    'link.stock_low',
    'kente 9 7',
    CHANGED,
    { slug: 'kente' },
  ],
  [
    'a paid request',
    ['REQUEST', {}, { state: 'paid', version: 2 }],
    'request.paid',
    'fees 2',
    CHANGED,
    { slug: 'fees' },
  ],
  [
    'a reopened request',
    ['REQUEST', { state: 'paid' }, { version: 3 }],
    'request.reopened',
    'fees 3',
    CHANGED,
    { slug: 'fees' },
  ],
  [
    'a failed text',
    ['MESSAGE#00', { state: 'sending' }, { state: 'failed', failed_at: AT }],
    'sms.failed',
    's 0',
    AT,
    { send_id: 's' },
  ],
  [
    'an answer',
    ['ANSWER#1', undefined, {}],
    'sms.received',
    'ans',
    '2026-11-20T08:00:00.000Z',
    { from: '+233551112222' },
  ],
  [
    'low credits',
    ['LOW#5', undefined, {}],
    'credits.low',
    'PK LOW#5',
    '2026-11-20T08:00:00.000Z',
    { balance: 4, low_below: 5, bundles: [] },
  ],
  [
    'a refused payment',
    ['NOTICE#payment_refused#1', undefined, {}],
    'wallet.payment_refused',
    'PK NOTICE#payment_refused#1 2026-11-20T08:00:00.000Z',
    CHANGED,
    { payer_name: 'Kofi Mensah' },
  ],
  [
    'an unparsable text',
    ['RECEIPT', undefined, { state: 'unread', text: 'Balance: 999' }],
    'receipt.unread',
    'rcpt',
    CHANGED,
    { id: 'rcpt', text: null },
  ],
  [
    'a held payment',
    ['RECEIPT', undefined, { reason: 'no_charge' }],
    'receipt.held',
    'rcpt no_charge ',
    CHANGED,
    { id: 'rcpt', reason: 'no_charge' },
  ],
];

test.each(stored)('%s is stored with its cause, time and data', async (_, change, type, cause, timestamp, data) => {
  const send = { ...rowOf('SEND', { merchant_id: shop.id }), pk: 'SEND#s' };
  await world.outside.table.write([{ put: { Item: send } }]);
  // A change may be delivered twice.
  for (let times = 0; times < 2; times++) await store(change);
  const events = await world.rows('EVENT');
  expect(events).toHaveLength(1);
  expect(events[0]?.event_id).toBe(eventIdOf(shop.id, type, cause));
  expect(JSON.parse(String(events[0]?.body))).toMatchObject({ type, timestamp, data });
});

test.each<[what: string, change: Change]>([
  [
    'the expiry of an unpaid charge opened by a stranger',
    ['TRANSACTION', { ...byStranger, state: 'pending' }, byStranger],
  ],
  ['an undone tap that was not reported', ['TRANSACTION', paid, { ...cancelled, goods: tap }]],
  ['a cancelled charge without a time', ['TRANSACTION', {}, { state: 'cancelled' }]],
  ['an unassigned payment', ['RECEIPT', undefined, { reason: 'no_charge', merchant_id: undefined }]],
  ['an occurrence with no event type', ['SEND', undefined, {}]],
])('%s is not stored', async (_, change) => {
  await store(change);
  expect(await world.rows('EVENT')).toEqual([]);
});

test('a text whose send does not exist stops the stream', async () => {
  const change = ['MESSAGE#00', { state: 'sending' }, { state: 'failed' }] as const;
  await expect(store(change)).rejects.toThrow('The send s does not exist');
});

test('a new dispute after an earlier one ended gets its own event', async () => {
  const reference = await shop.charge({ amount: 60 });
  const firstAt = world.iso();
  for (const amount of ['20.00', '30.00']) {
    const part = mtn({ reference, amount });
    await shop.pay(part);
    await shop.pay({ ...part, ...mtn({ reference, amount: '1.00', id: part.id }) });
    expect(await shop.verified(reference)).toMatchObject({ status: 'pending', disputed: { why: 'conflict' } });
    await shop.arrive(reversal(part.id, amount));
    expect(await shop.verified(reference)).toMatchObject({ status: 'pending', disputed: null });
    world.clock.nowMs += MINUTE_MS;
  }
  await world.followChanges();
  const events = (await world.rows('EVENT')).filter(({ type }) => type === 'charge.disputed');
  const causes = [reference, `${reference} ${firstAt}`];
  expect(new Set(events.map(({ event_id }) => event_id))).toEqual(
    new Set(causes.map((cause) => eventIdOf(shop.id, 'charge.disputed', cause))),
  );
});

async function store([sk, before, after]: Change): Promise<void> {
  const row = (fields: Item) => rowOf(sk, { merchant_id: shop.id, ...fields });
  const rows = { before: before && row(before), after: row(after) };
  for (const occurrence of occurrencesOf({ event: before ? 'MODIFY' : 'INSERT', sk, ...rows }))
    await storeWebhookEvent(world.outside, occurrence, { at: CHANGED, sequence: '1' });
}
