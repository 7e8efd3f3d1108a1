import { describe, expect, test } from 'vitest';
import { arrivedPesewas } from '../../../shared/ghana/arrived.ts';
import type { Merchant } from '../../../shared/merchants/merchant/merchant.ts';
import type { User } from '../../../shared/merchants/user/user.table.ts';
import type { Charge } from '../../../shared/money/charge/charge.table.ts';
import type { Payment } from '../../../shared/money/payment/payment.ts';
import type { Receipt } from '../../../shared/money/receipt/receipt.ts';
import { type TillRows, tillView } from '../../../shared/pages/dashboard/till/till-view.ts';
import { storedCharge, storedPayment } from '../../support/rows-of-kinds.ts';

const AT = '2026-11-20T10:00:00.000Z';
const outside = { now: () => Date.parse(AT) + 10_000 };
const user = (role: 'cashier' | 'manager'): User => ({
  user_id: 'ama',
  name: 'Ama',
  role,
  merchant_id: 'shop',
  created_at: AT,
});
const cashier = user('cashier');
const merchant: Merchant = {
  merchant_id: 'shop',
  name: 'Ama Stores',
  momo_accounts: [{ number: '+233241234567', network: 'MTN', account_name: 'AMA STORES LTD' }],
  created_at: AT,
};
const shift = { shift_id: 'shift', by: 'ama', began_at: AT };
const till = { merchant_id: 'shop', till_id: 'till', name: 'Counter 1', created_at: AT, sticker: 'slug', shift };
const rows: TillRows = {
  merchant,
  user: cashier,
  till,
  shift,
  amountPesewas: undefined,
  typed: undefined,
  arrived: [],
  taken: [],
  scanned: [],
  justTaken: undefined,
  question: undefined,
  refused: undefined,
};
const view = (given: Partial<TillRows>) => tillView(outside, { ...rows, ...given });

const proven = { state: 'proven' } as const;
const unproven = { state: 'unproven', why: 'balance_gap' } as const;
const newWallet = { state: 'unproven', why: 'not_anchored' } as const;
const receipt: Receipt = {
  receipt_id: 'MTN-+233241234567-1',
  network: 'MTN',
  momo_number: '+233241234567',
  transaction_id: '1',
  amount_pesewas: arrivedPesewas(36_00),
  payer_name: 'KOFI MENSAH',
  sender: 'MobileMoney',
  text: '',
  received_at: AT,
  state: 'held',
  reason: 'no_charge',
  proof: proven,
};

/** Returns a sticker charge for GHS 36.00 that was paid with `pesewas`. */
function scanned(pesewas: number, payment: Partial<Payment> = {}, charge: Partial<Charge> = {}): Charge {
  return storedCharge({
    merchant_id: 'shop',
    reference: 'MK-1111111111',
    amount_pesewas: 36_00,
    state: 'success',
    created_at: AT,
    paid_at: AT,
    payment: storedPayment('MTN-1', pesewas, { proof: proven, payer_name: 'ESI OWUSU', ...payment }),
    goods: { kind: 'counter', state: 'unpaid' },
    ...charge,
  });
}

describe('a till’s current step', () => {
  test('is to enter an amount', () => {
    expect(view({}).step).toEqual({ kind: 'keypad', typed: undefined, isWrong: false });
    expect(view({ typed: '3,6' }).step).toEqual({ kind: 'keypad', typed: '3,6', isWrong: true });
  });

  test('is to wait after an amount is entered', () => {
    expect(view({ typed: '36', amountPesewas: 36_00 }).step).toEqual({
      kind: 'due',
      amount: 'GHS 36.00',
      numbers: [{ network: 'MTN MoMo', accountName: 'AMA STORES LTD', number: '024 123 4567' }],
    });
  });

  test('is to ask who paid if a scanned charge has the same amount', () => {
    const open = [storedCharge({ reference: 'MK-2222222222', created_at: AT })];
    const { step } = view({ amountPesewas: 36_00, question: { tapped: receipt, open } });
    expect(step).toMatchObject({
      kind: 'question',
      amount: 'GHS 36.00',
      fieldAmount: '36',
      payer: 'KOFI MENSAH',
      choices: [{ reference: 'MK-2222222222', note: undefined, at: AT }],
    });
  });
});

describe('a refused tap', () => {
  const refused = { tapped: receipt.receipt_id, message: 'Ask a manager.' };
  const step = (more: Partial<TillRows>) => view({ amountPesewas: 36_00, arrived: [receipt], refused, ...more }).step;

  test.each<[string, Partial<TillRows>, string | undefined]>([
    [
      'links a manager to the payment',
      { user: user('manager') },
      `/dashboard/held/${encodeURIComponent(receipt.receipt_id)}`,
    ],
    ['shows a cashier no link', {}, undefined],
    ['shows no link to a payment that is gone', { user: user('manager'), arrived: [] }, undefined],
  ])('replaces the amount and %s', (_, more, href) => {
    expect(step(more)).toEqual({ kind: 'refused', message: 'Ask a manager.', href });
  });
});

describe('a payment shown on a till', () => {
  const one = (given: Partial<Receipt>, more: Partial<TillRows> = {}) =>
    view({ arrived: [{ ...receipt, ...given }], ...more }).arrived[0];

  test('can be taken', () => {
    expect(one({})).toMatchObject({
      amount: 'GHS 36.00',
      payer: 'KOFI MENSAH',
      remark: { tone: 'good', label: 'Verified' },
      doubt: undefined,
      tap: { action: 'take', amount: '36' },
    });
    expect(one({ proof: unproven })).toMatchObject({
      remark: undefined,
      doubt: { badge: 'Not verified' },
      tap: { action: 'take' },
    });
  });

  test.each([
    ['is verified', {}, true],
    ['is unverified, within the limit', { proof: unproven }, true],
    ['is unverified, above the limit', { proof: unproven, amount_pesewas: arrivedPesewas(50_01) }, false],
    ['was allowed by a manager', { proof: unproven, amount_pesewas: arrivedPesewas(50_01), released_by: 'm' }, true],
  ])('shows “Take” within the limit and “For a manager” above it: it %s', (_, given, isTakeable) => {
    const shown = one(given);
    expect(shown?.isTakeable).toBe(isTakeable);
    expect(shown?.remark?.label === 'For a manager').toBe(!isTakeable);
  });

  test('shows the end of its ID only if another has the same amount and name', () => {
    const arrived = [
      { ...receipt, transaction_id: '51000000006' },
      { ...receipt, receipt_id: 'other', transaction_id: '51000000007' },
      { ...receipt, receipt_id: 'third', payer_name: 'ESI OWUSU' },
    ];
    const shown = view({ arrived }).arrived.map(({ payer, idEnd }) => [payer, idEnd]);
    expect(shown).toEqual([
      ['KOFI MENSAH', '…0006'],
      ['KOFI MENSAH', '…0007'],
      ['ESI OWUSU', undefined],
    ]);
  });

  test('comes first if it can be taken', () => {
    const { arrived } = view({ arrived: [{ ...receipt, reason: 'already_paid' }, receipt] });
    expect(arrived.map(({ tap, remark }) => [tap.action, remark?.label])).toEqual([
      ['take', 'Verified'],
      ['nothing', 'For a bill'],
    ]);
  });

  test('comes after newer ones if it arrived more than five minutes ago', () => {
    const minutesAgo = (minutes: number) => new Date(outside.now() - minutes * 60_000).toISOString();
    const old = { ...receipt, received_at: minutesAgo(6) };
    const used: Receipt = { ...receipt, reason: 'already_paid', received_at: minutesAgo(5) };
    const { arrived } = view({ shift: { ...shift, began_at: minutesAgo(60) }, arrived: [old, used] });
    expect(arrived.map(({ group, isTakeable }) => [group, isTakeable])).toEqual([
      ['recent', false],
      ['earlier', true],
    ]);
    const other: Receipt = { ...old, amount_pesewas: arrivedPesewas(1_00) };
    const typed = view({ amountPesewas: 36_00, shift: { ...shift, began_at: minutesAgo(5) }, arrived: [other, old] });
    expect(typed.arrived.map(({ group, amount }) => [group, amount])).toEqual([
      ['earlier', 'GHS 36.00'],
      ['other', 'GHS 1.00'],
    ]);
  });

  test.each<[string, Partial<Receipt>, Partial<TillRows>, object]>([
    ['it is for another amount', {}, { amountPesewas: 1_00 }, { tone: 'plain', label: 'Other amount' }],
    ['it was reversed', { reason: 'reversed' }, {}, { tone: 'bad', label: 'Reversed' }],
    ['it is for a bill', { reason: 'already_paid' }, {}, { tone: 'plain', label: 'For a bill' }],
    [
      'it arrived before the shift',
      { received_at: '2026-11-20T09:00:00.000Z' },
      {},
      { tone: 'plain', label: 'Before this shift' },
    ],
  ])('cannot be taken by a cashier if %s', (_, given, more, remark) => {
    expect(one(given, more)).toMatchObject({ remark, tap: { action: 'nothing' } });
  });

  test.each<[string, Partial<Receipt>, Partial<TillRows>, tone: string, label: string]>([
    ['is for a bill', { reason: 'already_paid' }, {}, 'plain', 'Already paid'],
    ['is doubtful', { reason: 'conflict' }, {}, 'bad', 'Two texts differ'],
    ['is large', { reason: 'large_amount' }, {}, 'plain', 'Large amount'],
    ['is above the limit', { proof: unproven, amount_pesewas: arrivedPesewas(50_01) }, {}, 'plain', 'Above the limit'],
    [
      'is above the limit and held',
      { proof: unproven, amount_pesewas: arrivedPesewas(50_01), reason: 'name_differs' },
      {},
      'plain',
      'Paid under another name',
    ],
    ['is for another amount', {}, { amountPesewas: 1_00 }, 'plain', 'Other amount'],
    ['arrived before the shift', { received_at: '2026-11-20T09:00:00.000Z' }, {}, 'plain', 'Before this shift'],
    ['was reversed', { reason: 'reversed' }, {}, 'bad', 'Reversed'],
    ['is being checked', { reason: 'checking' }, {}, 'waiting', 'Being checked'],
  ])('shows a manager the reason and links to its details if it %s', (_, given, more, tone, label) => {
    const tap = { action: 'open', href: expect.stringContaining('/dashboard/held/MTN-') };
    const doubt = given.proof && { badge: 'Not verified' };
    const shown = one(given, { ...more, user: user('manager') });
    expect(shown).toMatchObject({ remark: { tone, label }, isTakeable: false, tap, ...(doubt && { doubt }) });
  });

  test('hides its id from a cashier', () => {
    expect(one({})?.tap).not.toMatchObject({ receiptId: receipt.receipt_id });
    expect(one({}, { user: user('manager') })?.tap).toMatchObject({ receiptId: receipt.receipt_id });
  });

  test('comes first if it matches the entered amount', () => {
    const others = Array.from({ length: 7 }, () => ({ ...receipt, amount_pesewas: arrivedPesewas(1_00) }));
    const { arrived } = view({ amountPesewas: 36_00, arrived: [...others, receipt] });
    expect(arrived.map(({ amount }) => amount)).toEqual(['GHS 36.00', ...Array.from({ length: 5 }, () => 'GHS 1.00')]);
  });
});

test.each([
  ['is hidden if every payment is verified', [proven], undefined],
  ['mentions a new wallet', [newWallet], /^your wallet’s balance is not entered yet\. /],
  ['mentions the wallet’s other texts', [newWallet, unproven], /^the wallet’s other texts do not confirm it\. /],
] as const)('the note about unverified payments %s', (_, proofs, note) => {
  const { unverifiedNote } = view({ arrived: proofs.map((proof) => ({ ...receipt, proof })) });
  expect(unverifiedNote).toEqual(note && expect.stringMatching(note));
});

describe('the green confirmation', () => {
  const LOOK = 'Ask whoever has the phone with 024\u00a0123\u00a04567 to check the balance';
  const TOO_MUCH = 'GHS\u00a04.00 too much: give no change';
  const refund = (state: 'noted' | 'sent' | 'withdrawn') => ({
    refund_id: 'R1',
    amount_pesewas: arrivedPesewas(4_00),
    state,
    noted_at: AT,
  });
  const green = (charge: Charge, more: Partial<TillRows> = {}) => view({ scanned: [charge], ...more }).greens?.[0];

  test('shows no warning for a verified payment', () => {
    expect(green(scanned(36_00))).toEqual({
      reference: 'MK-1111111111',
      amount: 'GHS 36.00',
      words: [],
      needsLook: false,
      payer: 'ESI OWUSU',
      paidAt: AT,
      until: '2026-11-20T10:00:30.000Z',
      canHandOut: true,
    });
  });

  test.each([
    [
      'unverified within the limit',
      scanned(36_00, { proof: unproven }),
      { needsLook: true, canHandOut: true, words: ['Not verified: tap “Mark as handed over” first'] },
    ],
    [
      'unverified above the limit',
      scanned(90_00, { proof: newWallet }, { amount_pesewas: 90_00 }),
      {
        needsLook: true,
        canHandOut: false,
        words: ['New wallet: do not hand over the goods yet', LOOK],
      },
    ],
    [
      'a verified overpayment',
      scanned(40_00),
      { needsLook: false, canHandOut: true, words: [TOO_MUCH, 'A manager sends it back by MoMo'] },
    ],
    [
      'an overpayment with a recorded refund',
      scanned(40_00, {}, { refunds: [refund('noted')] }),
      { needsLook: false, canHandOut: true, words: [] },
    ],
    ['an overpayment that was sent back', scanned(40_00, {}, { refunds: [refund('sent')] }), { words: [] }],
    [
      'an overpayment with a withdrawn refund',
      scanned(40_00, {}, { refunds: [refund('withdrawn')] }),
      { words: [TOO_MUCH, 'A manager sends it back by MoMo'] },
    ],
    [
      'an unverified overpayment',
      scanned(40_00, { proof: unproven }),
      {
        needsLook: true,
        words: [
          'GHS\u00a04.00 (not verified) too much: give no change',
          LOOK,
          'Not verified: tap “Mark as handed over” first',
        ],
      },
    ],
    ['an accepted underpayment', scanned(30_00), { needsLook: true, words: ['GHS\u00a06.00 still due'] }],
  ])('shows the right instruction for a payment: %s', (_, charge, expected) => {
    expect(green(charge)).toMatchObject(expected);
  });

  test('appears after a tap within the limit', () => {
    const goods = { kind: 'take', state: 'given', shift_id: 'shift', by: 'ama', at: AT } as const;
    const taken = [scanned(36_00, { proof: unproven, counted_in: '2026-11-20' }, { goods })];
    const { greens } = view({ taken, justTaken: 'MK-1111111111' });
    expect(greens).toMatchObject([
      {
        needsLook: true,
        canHandOut: false,
        words: ['You can hand over the goods. This payment is not verified, but it is within the shop’s limit.'],
      },
    ]);
    expect(view({ taken, justTaken: 'MK-2222222222' }).greens).toEqual([]);
  });

  test('disappears after 30 seconds, an error or a different amount', () => {
    const charge = scanned(36_00);
    const later = { now: () => Date.parse(AT) + 30_000 };
    expect(tillView(later, { ...rows, scanned: [charge] }).greens).toEqual([]);
    expect(view({ scanned: [charge], amountPesewas: 1_00 }).greens).toEqual([]);
    expect(view({ scanned: [charge], refused: { tapped: undefined, message: 'No' } }).greens).toBeUndefined();
  });
});

describe('a sticker charge', () => {
  const later = { now: () => Date.parse(AT) + 60_000 };
  const sticker = (charge: Charge) => tillView(later, { ...rows, scanned: [charge] }).sticker;

  test.each<[Charge, object]>([
    [scanned(36_00), { remark: { tone: 'good', label: 'Paid' }, canHandOut: true }],
    [scanned(36_00, { proof: unproven }), { remark: undefined, doubt: { badge: 'Not verified' }, canHandOut: true }],
    [scanned(30_00), { remark: { tone: 'look', label: 'GHS\u00a06.00 still due' } }],
    [scanned(36_00, {}, { state: 'reversed' }), { remark: { tone: 'bad', label: 'Reversed' }, canHandOut: false }],
    [
      scanned(36_00, {}, { goods: { kind: 'counter', state: 'given' } }),
      { remark: { tone: 'plain', label: 'Handed over' }, canHandOut: false },
    ],
  ])('shows its state after payment: %#', (charge, expected) => {
    expect(sticker(charge)).toMatchObject({ paid: [expected], unpaid: [] });
  });

  test('is listed as unpaid until it expires', () => {
    const open = storedCharge({ created_at: AT, expires_at: '2026-11-20T10:30:00.000Z', goods: undefined });
    expect(sticker(open)).toMatchObject({ paid: [], unpaid: [{ remark: { tone: 'waiting', label: 'Waiting' } }] });
    expect(sticker({ ...open, expires_at: AT })).toEqual({ paid: [], unpaid: [] });
  });

  test('has its button in the green confirmation', () => {
    const { greens, sticker: list } = view({ scanned: [scanned(36_00)] });
    expect({ greens, paid: list?.paid }).toMatchObject({
      greens: [{ canHandOut: true }],
      paid: [{ canHandOut: false }],
    });
  });

  test('is hidden at a till without a sticker', () => {
    expect(view({ till: { ...till, sticker: undefined } }).sticker).toBeUndefined();
  });
});

test.each([
  ['success', 10_000, { tone: 'good', label: 'Taken' }, true],
  ['success', 60_000, { tone: 'good', label: 'Taken' }, false],
  ['cancelled', 10_000, { tone: 'plain', label: 'Undone' }, false],
  ['reversed', 10_000, { tone: 'bad', label: 'Reversed' }, false],
] as const)('a %s tap has the right label and undo button after %i ms', (state, ms, remark, canUndo) => {
  const goods = { kind: 'take', state: 'given', shift_id: 'shift', by: 'ama', at: AT } as const;
  const now = () => Date.parse(AT) + ms;
  const { taken } = tillView({ now }, { ...rows, taken: [scanned(36_00, {}, { state, goods })] });
  expect(taken).toMatchObject([{ reference: 'MK-1111111111', amount: 'GHS 36.00', remark, canUndo }]);
});

test.each([
  ['its own cashier', 'ama', 'cashier', 59_999, true],
  ['its own cashier after a minute', 'ama', 'cashier', 60_000, false],
  ['another cashier', 'kofi', 'cashier', 0, false],
  ['a manager at any time', 'kofi', 'manager', 600_000, true],
] as const)('a tap can be undone by %s: %s, %s, %i ms, %s', (_, user_id, role, ms, canUndo) => {
  const goods = { kind: 'take', state: 'given', shift_id: 'shift', by: 'ama', at: AT } as const;
  const user = { ...rows.user, user_id, role };
  const taken = [scanned(36_00, {}, { state: 'success', goods })];
  expect(tillView({ now: () => Date.parse(AT) + ms }, { ...rows, user, taken }).taken).toMatchObject([{ canUndo }]);
});
