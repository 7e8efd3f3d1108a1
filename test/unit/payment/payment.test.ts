import { expect, test } from 'vitest';
import {
  type ChargeState,
  Dispute,
  idNameOf,
  isSamePayment,
  markedTextIds,
  missingPesewas,
  Note,
  overpaidPesewas,
  owedPesewas,
  Payment,
  paidPesewas,
  paymentsOf,
  type Refund,
  refundedPesewas,
  reversibleUntil,
  sentRefunds,
  unreturnedPesewas,
} from '../../../shared/money/payment/payment.ts';
import { storedPayment } from '../../support/rows-of-kinds.ts';

const pay = (pesewas: number) => storedPayment(`r${pesewas}`, pesewas);
const note = (amount_pesewas: number, state: Refund['state']): Refund => ({
  refund_id: `${state}${amount_pesewas}`,
  amount_pesewas,
  state,
  noted_at: '2026-11-24T10:00:00.000Z',
});

// `[paid, missing, overpaid]` in cedis for a charge of GHS 36, with parts of 10 and 20 and a payment of 16.
test.each<[ChargeState, [paid: number, missing: number, tooMuch: number]]>([
  ['pending', [30, 6, 0]],
  ['success', [46, 0, 10]],
  ['expired', [30, 36, 0]],
  ['cancelled', [30, 36, 0]],
  ['reversed', [30, 36, 0]],
])('the paid, missing and overpaid amounts are correct if the charge is %s', (state, expected) => {
  const charge = { state, amount_pesewas: 36_00, parts: [pay(10_00), pay(20_00)], payment: pay(16_00) };
  const found = [paidPesewas(charge), missingPesewas(charge), overpaidPesewas(charge)];
  expect(found.map((pesewas) => pesewas / 100)).toEqual(expected);
});

test('the full amount of a charge without payments is still due', () => {
  const charge = { state: 'pending', amount_pesewas: 36_00 } as const;
  expect({ paid: paidPesewas(charge), missing: missingPesewas(charge), overpaid: overpaidPesewas(charge) }).toEqual({
    paid: 0,
    missing: 36_00,
    overpaid: 0,
  });
  expect(paymentsOf({})).toEqual([]);
  expect(paymentsOf({ parts: [pay(1)], payment: pay(2) })).toEqual([pay(1), pay(2)]);
});

test('a sent refund is no longer owed', () => {
  const refunds = [note(3_00, 'noted'), note(4_00, 'sent'), note(5_00, 'withdrawn')];
  expect({ none: refundedPesewas(), some: refundedPesewas(refunds) }).toEqual({ none: 0, some: 7_00 });
  expect({ none: sentRefunds({}), some: sentRefunds({ refunds }) }).toEqual({ none: [], some: [note(4_00, 'sent')] });
});

// `[overpaid, noted, sent] → owed` in cedis.
test.each<[number, number, number, number]>([
  [0, 0, 0, 0],
  [10, 0, 0, 10],
  [10, 4, 0, 10],
  [4, 10, 0, 10],
  [10, 0, 4, 6],
  [0, 3, 4, 3],
])('%s overpaid with refunds of %s promised and %s sent leaves %s owed', (tooMuch, noted, sent, owed) => {
  const refunds = [note(noted * 100, 'noted'), note(sent * 100, 'sent')];
  const charge = { state: 'success', amount_pesewas: 36_00, payment: pay((36 + tooMuch) * 100), refunds } as const;
  expect(owedPesewas(charge) / 100).toBe(owed);
  expect(unreturnedPesewas(charge) / 100).toBe(Math.max(0, tooMuch - sent));
});

test.each([
  ['MTN', '2026-12-09T10:00:00.000Z'],
  ['TELECEL', '2026-12-01T10:00:00.000Z'],
  ['AT', '2026-12-24T10:00:00.000Z'],
] as const)('a payment on %s can be reversed until the network’s deadline', (network, until) => {
  expect(reversibleUntil({ network, received_at: '2026-11-24T10:00:00.000Z' })).toBe(until);
});

test('cash cannot be reversed', () => {
  const received_at = '2026-11-24T10:00:00.000Z';
  const marked = { at: received_at, by: 'user' };
  expect(reversibleUntil({ network: 'MTN', received_at, marked: { ...marked, how: 'cash' } })).toBe(received_at);
  expect(reversibleUntil({ network: 'MTN', received_at, marked: { ...marked, how: 'transfer' } })).toBe(
    '2026-12-09T10:00:00.000Z',
  );
});

test('a payment’s id has the name of its network, unless it was paid in cash', () => {
  const marked = { at: '', by: '' };
  const names = [undefined, { ...marked, how: 'transfer' }, { ...marked, how: 'cash' }] as const;
  expect(names.map((one) => idNameOf({ network: 'MTN', marked: one }))).toEqual([
    'MTN transaction ID',
    'MTN transaction ID',
    'Paid in cash',
  ]);
});

test.each([
  [true, {}],
  [false, { network: 'TELECEL' }],
  [false, { transaction_id: '2' }],
] as const)('two payments are the same (%s) if the second has %j', (is, other) => {
  const one = { network: 'MTN', transaction_id: '1' } as const;
  expect(isSamePayment(one, { ...one, ...other })).toBe(is);
});

test.each([
  [[], {}],
  [['a'], { text_id: 'a' }],
  [['b', 'c'], { earlier_text_ids: ['b', 'c'] }],
  [['a', 'b'], { text_id: 'a', earlier_text_ids: ['b'] }],
])('the ids of a mark’s texts are %j for %j', (ids, texts) => {
  expect(markedTextIds({ how: 'text', at: '', by: '', ...texts })).toEqual(ids);
});

test.each([
  ...['reference', 'name', 'claim', 'phone', 'hand', 'till'].map((matched_by) => ({ matched_by })),
  ...['text', 'transfer', 'cash'].map((how) => ({ marked: { how, at: 'then', by: 'user', text_id: 'a' } })),
  { marked: { how: 'text', at: 'then', by: 'user', earlier_text_ids: ['b'] } },
])('a stored payment is read with %j', (fields) => {
  const stored = { ...pay(5_00), ...fields };
  expect(Payment.parse(stored)).toEqual(stored);
});

test('a stored note and a stored dispute are read', () => {
  const noted = { at: 'then', by: 'user', text: 'Call', send_id: 's' };
  expect(Note.parse(noted)).toEqual(noted);
  for (const why of ['conflict', 'reversal', 'forged']) expect(Dispute.parse({ at: 'then', why }).why).toBe(why);
});
