import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import * as changes from '../../../shared/money/charge/change-charge.table.ts';
import { Charge, chargeRows } from '../../../shared/money/charge/charge.table.ts';
import type { TakenGoods } from '../../../shared/money/charge/goods.ts';
import type { Refund } from '../../../shared/money/payment/payment.ts';
import { ReceiptChanged, receiptRows, replaceReceipt } from '../../../shared/money/receipt/receipt.table.ts';
import { Receipt } from '../../../shared/money/receipt/receipt.ts';
import type { TableWrite } from '../../../shared/runtime/table/table.ts';
import { checkEach } from '../../support/check-each.ts';
import { storedCharge, storedPayment } from '../../support/rows-of-kinds.ts';
import { createWorld } from '../../support/world.ts';

/** A write must fail if and only if a field that its decision depends on has changed. */

const { outside } = await createWorld({ inMemory: true });
const AT = '2026-11-20T09:00:00.000Z';

/** Fields of a charge that never change, or change only with its state. */
const FIXED = [
  'reference',
  'access_code',
  'merchant_id',
  'merchant_name',
  'amount_pesewas',
  'asked_pesewas',
  'momo_number',
  'momo_network',
  'momo_account_name',
  'momo_accounts',
  'merchant_contact',
  'email',
  'customer_name',
  'customer_phone',
  'origin',
  'callback_url',
  'description',
  'merchant_reference',
  'metadata',
  'created_at',
  'expires_at',
  'paid_at',
  'expired_at',
  'cancelled_at',
  'reversed_at',
  'unmarked_at',
  'expires_at_epoch_seconds',
] as const satisfies readonly (keyof Charge)[];
type Changing = Exclude<keyof Charge, (typeof FIXED)[number]>;
const fixed: ReadonlySet<keyof Charge> = new Set(FIXED);
const isChanging = (field: keyof Charge): field is Changing => !fixed.has(field);
const changing = z.keyof(Charge).options.filter(isChanging);

const refund = (refund_id: string): Refund => ({ refund_id, amount_pesewas: 1, state: 'noted', noted_at: AT });
const take: TakenGoods = { kind: 'take', state: 'given', shift_id: 'shift', by: 'kofi', at: AT };
const note = (text: string) => ({ at: AT, by: 'ama', text });

/** Each field's value when read, and after a concurrent change. */
const values: Readonly<Record<Changing, readonly [read: unknown, then: unknown]>> = {
  state: ['set by each decision', 'expired'],
  parts: [[storedPayment('one', 1_00)], [storedPayment('one', 1_00), storedPayment('two', 1_00)]],
  payment: [storedPayment('paid', 60_00), storedPayment('another', 60_00)],
  goods: [take, { ...take, told_at: AT }],
  disputed: [
    { at: AT, why: 'conflict' },
    { at: AT, why: 'reversal' },
  ],
  earlier_dispute_at: ['2026-11-20T07:00:00.000Z', '2026-11-20T08:00:00.000Z'],
  checking_until: [AT, '2026-11-20T09:02:00.000Z'],
  refunds: [[refund('first')], [refund('first'), refund('second')]],
  released_by: ['ama', 'kofi'],
  paid_as: ['MK-1111111111', 'MK-2222222222'],
  notes: [[note('one')], [note('one'), note('two')]],
  second_receipts: [['one'], ['one', 'two']],
  waiting_receipts: [['one'], ['one', 'two']],
  verified_waiting_pesewas: [5_00, 6_00],
  receipt_send_id: ['send', 'another'],
};

interface Decision {
  readonly state: Charge['state'];
  readonly reads: readonly Changing[];
  /** Fields that the decision requires, or requires to be absent. */
  readonly needs?: readonly Changing[];
  readonly lacks?: readonly Changing[];
  readonly write: (charge: Charge) => TableWrite | readonly TableWrite[];
}

const FOR_MONEY = ['state', 'parts', 'payment', 'disputed', 'paid_as'] as const;
const FOR_GOODS = ['state', 'parts', 'payment', 'disputed', 'goods', 'refunds', 'released_by'] as const;
const REVERSAL = [...FOR_MONEY, 'goods', 'refunds', 'second_receipts'] as const;
const FOR_UNMARK = [...FOR_MONEY, 'goods', 'refunds', 'released_by', 'waiting_receipts'] as const;
const payment = storedPayment('new', 60_00);
const goodsOf = ({ goods }: Charge) => (goods?.kind === 'take' ? goods : take);

const decisions: Readonly<Record<string, Decision>> = {
  payCharge: {
    state: 'pending',
    reads: [...FOR_MONEY, 'second_receipts', 'waiting_receipts'],
    write: (one) => changes.payCharge(one, { paid_at: AT, payment, parts: one.parts, disputed: one.disputed }),
  },
  closeAtParts: { state: 'pending', reads: FOR_MONEY, needs: ['parts'], write: (one) => changes.closeAtParts(one, AT) },
  expireCharge: {
    state: 'pending',
    reads: FOR_MONEY,
    write: (one) => changes.expireCharge(outside, one, one.parts ?? []),
  },
  cancelCharge: {
    state: 'pending',
    reads: FOR_MONEY,
    write: (one) => changes.cancelCharge(one, one.parts ?? [], AT),
  },
  setParts: { state: 'success', reads: FOR_MONEY, write: (one) => changes.setParts(one, [payment]) },
  markPaidAs: {
    state: 'pending',
    reads: FOR_MONEY,
    lacks: ['parts', 'disputed', 'paid_as'],
    write: (one) => changes.markPaidAs(one, 'MK-3333333333'),
  },
  freePaidAs: { state: 'pending', reads: ['paid_as'], needs: ['paid_as'], write: changes.freePaidAs },
  reverseCharge: {
    state: 'success',
    reads: REVERSAL,
    write: (one) => changes.reverseCharge(outside, one, { payment, parts: one.parts, refunds: one.refunds }),
  },
  dropPayment: {
    state: 'success',
    reads: REVERSAL,
    write: (one) => changes.dropPayment(one, [payment], { refunds: one.refunds }),
  },
  setRefunds: {
    state: 'success',
    reads: FOR_GOODS,
    write: (one) => changes.setRefunds(one, [refund('new')]),
  },
  setGoods: {
    state: 'success',
    reads: FOR_GOODS,
    needs: ['goods'],
    write: (one) => changes.setGoods({ ...one, goods: goodsOf(one) }, { ...goodsOf(one), scanned: 'MK-3333333333' }),
  },
  tellTake: {
    state: 'success',
    reads: FOR_GOODS,
    needs: ['goods'],
    write: (one) => changes.tellTake(outside, { ...one, goods: goodsOf(one) }),
  },
  undoMark: {
    state: 'success',
    reads: FOR_UNMARK,
    write: (one) => changes.undoMark(one, one.parts ?? [], { isPaid: false }, AT),
  },
  undoTake: {
    state: 'success',
    reads: FOR_GOODS,
    needs: ['goods', 'payment'],
    write: (one) => changes.undoTake({ ...one, payment, ...one, goods: goodsOf(one) }, 'ama', AT),
  },
  releaseGoods: { state: 'success', reads: FOR_GOODS, write: (one) => changes.releaseGoods(one, 'esi') },
  noteReceiptText: {
    state: 'success',
    reads: [...FOR_GOODS, 'receipt_send_id'],
    lacks: ['receipt_send_id'],
    write: (one) => changes.noteReceiptText(one, 'new', undefined),
  },
  replacePayment: {
    state: 'success',
    reads: [...FOR_MONEY, 'refunds', 'released_by', 'second_receipts'],
    write: (one) => changes.replacePayment(one, { payment }, ['new']),
  },
  noteSecondReceipts: {
    state: 'success',
    reads: ['state', 'disputed', 'paid_as', 'second_receipts', 'verified_waiting_pesewas'],
    write: (one) => changes.noteSecondReceipts(outside, one, { second_receipts: ['new'] }, 'quiet'),
  },
  noteWaitingReceipts: {
    state: 'pending',
    reads: ['state', 'waiting_receipts', 'verified_waiting_pesewas'],
    write: (one) => changes.noteWaitingReceipts(outside, one, { waiting_receipts: ['new'] }, 'checking'),
  },
  endDispute: { state: 'success', reads: FOR_MONEY, write: changes.endDispute },
  disputeForged: {
    state: 'success',
    reads: ['state', 'disputed'],
    write: (one) => changes.disputeForged(outside, one, true),
  },
  disputeReversal: {
    state: 'reversed',
    reads: ['state', 'disputed'],
    write: (one) => changes.disputeReversal(one, '2026-11-20T12:00:00.000Z'),
  },
  addNote: { state: 'pending', reads: ['notes'], write: (one) => changes.addNote(one, note('new')) },
};

/** Writes without conditions. */
const UNCONDITIONAL = ['disputeCharge', 'MovedOn', 'ReceiptTexted'];

test('every exported function that writes a charge has a test case', () => {
  const exported = Object.entries(changes).flatMap(([name, one]) => (typeof one === 'function' ? [name] : []));
  expect(exported.filter((name) => !UNCONDITIONAL.includes(name)).toSorted()).toEqual(
    Object.keys(decisions).toSorted(),
  );
});

/** Decisions of functions that read more for some of their arguments. */
const further: Readonly<Record<string, Decision>> = {
  'setParts that completes a charge': {
    state: 'success',
    reads: [...FOR_MONEY, 'refunds', 'second_receipts', 'waiting_receipts'],
    write: (one) => changes.setParts(one, [payment], { second_receipts: ['new'] }),
  },
  'setParts that completes a charge and replaces a part': {
    state: 'success',
    reads: [...FOR_MONEY, 'refunds', 'second_receipts', 'waiting_receipts'],
    write: (one) => changes.setParts(one, [payment], { isReplaced: true, second_receipts: ['new'] }),
  },
};

describe('a decision about a charge', () => {
  /** For each decision, a charge with all fields, and one with only the required fields. */
  const charges = Object.entries({ ...decisions, ...further }).flatMap(([name, decision]) => {
    const { state, needs = [], lacks = [] } = decision;
    const all = chargeWith(state, (field) => !lacks.includes(field));
    const fewest = chargeWith(state, (field) => needs.includes(field));
    return [
      { ...decision, name: `${name} on a charge with all fields`, charge: all },
      { ...decision, name: `${name} on a charge with no optional field`, charge: fewest },
    ];
  });
  const changes = charges.flatMap((one) =>
    changing.map((field) => ({ ...one, name: `${one.name}, of which ${field} changes`, field })),
  );

  test('is refused exactly if a field that it reads has changed', () =>
    checkEach(changes, async ({ charge, field, reads, write }) => {
      await outside.table.write([chargeRows.put(charge)]);
      await outside.table.write([chargeRows.change(charge, { [field]: values[field][1] })]);
      expect(await outcomeOf([write(charge)].flat())).toBe(reads.includes(field) ? 'refused' : 'done');
    }));

  test('succeeds on an unchanged charge', () =>
    checkEach(charges, async ({ charge, write }) => {
      await outside.table.write([chargeRows.put(charge)]);
      expect(await outcomeOf([write(charge)].flat())).toBe('done');
    }));

  function chargeWith(state: Charge['state'], has: (field: Changing) => boolean): Charge {
    const given = changing.filter((field) => field !== 'state' && has(field)).map((field) => [field, values[field][0]]);
    return storedCharge({ ...Object.fromEntries(given), state });
  }
});

test('a write fails if the charge was deleted', async () => {
  const gone = { ...storedCharge(), reference: 'MK-9999999999' };
  expect(await outcomeOf([changes.addNote(gone, note('new'))])).toBe('refused');
});

describe('replaceReceipt', () => {
  const held: Receipt = { receipt_id: 'MTN-1', state: 'held', reason: 'no_charge', received_at: AT };
  const fields = z.keyof(Receipt).options.filter((field) => field !== 'receipt_id');
  /** Changed values of fields that are not free text. */
  const changed: Readonly<Record<string, unknown>> = {
    state: 'matched',
    reason: 'reversed',
    network: 'MTN',
    amount_pesewas: 1,
    balance_pesewas: 1,
    proof: { state: 'proven' },
    matched_by: 'till',
    set_aside: { at: AT, by: 'ama' },
    marked: { how: 'cash', at: AT, by: 'ama' },
    contradicted_by: ['MTN-2'],
    agreed_by: ['MTN-2'],
    numbers_of_phone: ['+233241234567'],
    first_undone: true,
    use_lost: true,
    released_verified: true,
    reversal_verified: true,
    unsuspected_reason: 'no_charge',
    expires_at_epoch_seconds: 1,
  };

  test('fails if any field has changed since the charge was read', () =>
    checkEach(fields, async (field) => {
      await outside.table.write([receiptRows.put(held)]);
      await outside.table.write([receiptRows.change(held, { [field]: changed[field] ?? 'another' })]);
      const write = outside.table.write([replaceReceipt(held, { ...held, reason: 'conflict' })]);
      await expect(write).rejects.toBeInstanceOf(ReceiptChanged);
    }));
});

async function outcomeOf(writes: readonly TableWrite[]): Promise<string> {
  return outside.table.write(writes).then(
    () => 'done',
    () => 'refused',
  );
}
