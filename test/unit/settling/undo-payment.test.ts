import { beforeEach, describe, expect, test } from 'vitest';
import { type Charge, chargeRows } from '../../../shared/money/charge/charge.table.ts';
import type { TakenGoods } from '../../../shared/money/charge/goods.ts';
import { sumName } from '../../../shared/money/goods/unproven.table.ts';
import { paymentUseRows, receiptRows } from '../../../shared/money/receipt/receipt.table.ts';
import { type PaymentReceipt, paymentReceiptId } from '../../../shared/money/receipt/receipt.ts';
import { removePayment } from '../../../shared/money/settling/remove-payment.ts';
import { freeScanned, releaseTaken, undoPayment } from '../../../shared/money/settling/undo-payment.ts';
import { storedCharge, storedPayment } from '../../support/rows-of-kinds.ts';
import { type Scene, scene } from '../../support/scene.ts';

const AT = storedCharge().created_at;
const ID = '51234567890';
const NUMBER = storedCharge().momo_number;
const TAP: TakenGoods = {
  kind: 'take',
  state: 'given',
  shift_id: 'shift',
  by: 'ama',
  at: AT,
  scanned: 'MK-1000000001',
};

const receipt_id = paymentReceiptId('MTN', NUMBER, ID);
const payment = storedPayment(receipt_id, 60_00, { transaction_id: ID, matched_by: 'till' });
const opened = storedCharge({ reference: 'MK-1000000001', paid_as: 'MK-2000000002' });
const tapped = storedCharge({ reference: 'MK-2000000002', state: 'success', paid_at: AT, goods: TAP, payment });
const receipt: PaymentReceipt = {
  receipt_id,
  state: 'matched',
  matched_by: 'till',
  reference: tapped.reference,
  merchant_id: 'shop',
  network: 'MTN',
  momo_number: NUMBER,
  transaction_id: ID,
  amount_pesewas: payment.amount_pesewas,
  received_at: AT,
};

let world: Scene;
beforeEach(async () => {
  world = await scene({ inMemory: true });
  world.clock.nowMs = Date.parse(AT);
});

interface Stored {
  readonly tapped?: Partial<Charge>;
  readonly receipt?: Partial<PaymentReceipt>;
}

async function undo(stored: Stored = {}): Promise<void> {
  const charge = { ...tapped, ...stored.tapped };
  await world.outside.table.write([
    chargeRows.put(opened),
    chargeRows.put(charge),
    receiptRows.put({ ...receipt, ...stored.receipt }),
    paymentUseRows.put({ network: 'MTN', transaction_id: ID, receipt_id, reference: tapped.reference }),
  ]);
  await world.outside.table.write(await releaseTaken(world.outside, { ...charge, goods: TAP }, 'user'));
}

const find = ({ reference }: Charge) => chargeRows.find(world.outside, { reference });

describe('undoing a tap', () => {
  test('cancels its charge, holds its payment and reopens the scanned charge', async () => {
    await undo();
    expect(await find(tapped)).toMatchObject({ state: 'cancelled', goods: { state: 'taken_back', undone_by: 'user' } });
    expect(await receiptRows.find(world.outside, receipt)).toMatchObject({ state: 'held', reason: 'no_charge' });
    expect(await paymentUseRows.find(world.outside, receipt)).toBeUndefined();
    expect(await find(opened)).not.toHaveProperty('paid_as');
  });

  test('holds the payment of a disputed charge as a conflict', async () => {
    await undo({ tapped: { disputed: { at: AT, why: 'conflict' } } });
    expect(await receiptRows.find(world.outside, receipt)).toMatchObject({ state: 'held', reason: 'conflict' });
  });

  test.each([
    ['re-evaluates a verified', { proof: { state: 'proven' } }, 'checking'],
    ['leaves an unverified', { proof: { state: 'unproven' } }, 'conflict'],
    ['leaves a reversed', { proof: { state: 'proven' }, reason: 'reversed' }, 'reversed'],
  ] as const)('%s text that conflicts with its payment', async (_, text, reason) => {
    const beside = { ...receipt, receipt_id: `${receipt_id}-12345678`, matched_by: undefined, reference: undefined };
    await world.outside.table.write([receiptRows.put({ ...beside, state: 'held', reason: 'conflict', ...text })]);
    await undo({ receipt: { contradicted_by: [beside.receipt_id] } });
    const after = await receiptRows.find(world.outside, beside);
    expect([after?.reason, after?.first_undone]).toEqual([reason, reason === 'checking' || undefined]);
  });

  test.each<[string, Stored]>([
    ['its charge is reversed', { tapped: { state: 'reversed' } }],
    ['its charge has no payment', { tapped: { payment: undefined } }],
    ['its charge has a part', { tapped: { parts: [storedPayment('part', 1_00)] } }],
    ['its payment is held', { receipt: { state: 'held', reason: 'conflict' } }],
    ['its payment pays another charge', { receipt: { reference: 'MK-3000000003' } }],
  ])('changes nothing if %s', async (_, stored) => {
    await expect(undo(stored)).rejects.toThrow('Check it again.');
    expect(await find(opened)).toHaveProperty('paid_as');
  });
});

test.each<[string, number, Partial<Charge>, Partial<Charge>]>([
  ['is reopened by the charge that replaced it', 1, {}, {}],
  ['stays closed if another charge replaced it', 0, {}, { paid_as: 'MK-3000000003' }],
  ['stays as it is if nothing replaced it', 0, {}, { paid_as: undefined }],
  ['stays closed if the other charge was not tapped', 0, { goods: undefined }, {}],
  ['stays closed if nothing was scanned', 0, { goods: { ...TAP, scanned: undefined } }, {}],
])('a scanned charge %s', async (_, writes, one, other) => {
  await world.outside.table.write([chargeRows.put({ ...opened, ...other })]);
  expect(await freeScanned(world.outside, { ...tapped, ...one })).toHaveLength(writes);
});

describe('undoing a mark', () => {
  const mark = { how: 'transfer', at: AT, by: 'user' } as const;
  const counted = { ...payment, matched_by: 'hand' as const, marked: mark };
  const marked = storedCharge({ reference: tapped.reference, state: 'success', paid_at: AT, payment: counted });
  const typed: PaymentReceipt = { ...receipt, matched_by: 'hand', marked: mark };

  async function unmark(some: Partial<PaymentReceipt> = {}, charge: Partial<Charge> = {}) {
    const [stored, read] = [
      { ...marked, ...charge },
      { ...typed, ...some },
    ];
    await world.outside.table.write([chargeRows.put(stored), receiptRows.put(read)]);
    const unmarked = { payment: stored.payment ?? counted, receipt: read, use: undefined, by: 'user' };
    return undoPayment(world.outside, stored, unmarked);
  }

  test('is rejected if its receipt is missing, held or not marked, or pays a different charge', async () => {
    const words = `The payment for ${marked.reference} was confirmed by a text or reversed. Check the charge again.`;
    for (const wrong of [{ state: 'held' }, { marked: undefined }, { reference: 'MK-3000000003' }] as const)
      await expect(unmark(wrong)).rejects.toThrow(words);
    const missing = { payment: counted, receipt: undefined, use: undefined, by: 'user' };
    await expect(undoPayment(world.outside, marked, missing)).rejects.toThrow(words);
  });

  test('is rejected for a payment without a mark that was verified, vouched for or is being checked', async () => {
    const unmarked = { ...counted, marked: undefined };
    const words = `The payment for ${marked.reference} was confirmed by a text or reversed. Check the charge again.`;
    for (const wrong of [
      { proof: { state: 'proven' } },
      { proof: { state: 'checking' } },
      { looked_by: 'user' },
      {},
    ] as const)
      await expect(unmark(wrong, { payment: unmarked })).rejects.toThrow(words);
    expect(await unmark({ marked: undefined }, { payment: unmarked })).not.toEqual([]);
  });

  test('updates the total of unverified payments and gives the charge an expiry again', async () => {
    const counted_in = sumName({ kind: 'new', way: 'alone', atMs: Date.parse(AT) });
    const inTotal = { ...counted, counted_in, counted_pesewas: 60_00 };
    const written = async (charge: Partial<Charge>) => JSON.stringify(await unmark({}, charge));
    expect(await written({})).not.toContain('UNPROVEN');
    expect(await written({ payment: inTotal })).toContain('UNPROVEN');
    expect(await written({})).toContain(`"${marked.expires_at}#`);
    expect(await written({ cancelled_at: AT })).not.toContain(`"${marked.expires_at}#`);
  });

  describe('while a reversal is in doubt', () => {
    const number = '+233249999999';
    const other = { ...typed, receipt_id: paymentReceiptId('MTN', number, ID), momo_number: number };
    const doubt = { reversal_doubt_at: AT, reversal_doubt_number: number };
    const held = { ...other, state: 'held', marked: undefined, reason: 'no_charge', reference: undefined } as const;
    const LATER = '2026-11-21T08:00:00.000Z';

    test.each<[string, PaymentReceipt | undefined, string | undefined]>([
      ['is stored there', undefined, AT],
      ['is added to a held payment', held, AT],
      ['is not added to a payment in doubt', { ...held, reversal_doubt_at: LATER }, LATER],
      ['is not added to a matched payment', { ...held, state: 'matched' }, undefined],
    ])('the doubt at the number of its text %s', async (_, known, at) => {
      if (known) await world.outside.table.write([receiptRows.put(known)]);
      await world.outside.table.write(await unmark(doubt));
      const found = await receiptRows.find(world.outside, other);
      expect(found).toMatchObject({ momo_number: number });
      expect(found?.reversal_doubt_at).toBe(at);
    });
  });
});

describe('removing an unverified payment', () => {
  const unverified = { ...payment, matched_by: 'reference' as const };

  test.each<[string, Partial<Charge>, Partial<PaymentReceipt>]>([
    ['conflict', { disputed: { at: AT, why: 'forged' } }, {}],
    ['conflict', {}, { contradicted_by: ['x'] }],
    ['number_unknown', {}, { momo_number: undefined }],
    ['balance_unsure', {}, { proof: { state: 'unproven', why: 'balance_unsure' } }],
    ['balance_gap', {}, {}],
  ])('holds it as %s: %j %j', async (reason, some, text) => {
    const charge = { ...tapped, goods: undefined, payment: unverified, ...some };
    const stored = { ...receipt, matched_by: 'reference' as const, ...text };
    await world.outside.table.write([chargeRows.put(charge), receiptRows.put(stored)]);
    const undone = { payment: unverified, receipt: stored, use: undefined, by: 'user' };
    await world.outside.table.write(await undoPayment(world.outside, charge, undone));
    expect(await receiptRows.find(world.outside, receipt)).toMatchObject({ state: 'held', reason });
  });
});

describe('removing a reversed payment', () => {
  const second: PaymentReceipt = {
    ...receipt,
    receipt_id: `${receipt_id}-2`,
    state: 'held',
    reason: 'already_paid',
    reference: undefined,
    suggested_reference: tapped.reference,
  };

  test('keeps the charge’s refunds and other second payments if a second payment takes its place', async () => {
    const refund = { refund_id: 'r', amount_pesewas: 1_00, state: 'noted', noted_at: AT } as const;
    const charge = { ...tapped, refunds: [refund], second_receipts: [second.receipt_id, 'other'] };
    await world.outside.table.write([chargeRows.put(charge), receiptRows.put(second)]);
    const inPlace = { receipt: second, stored: second, taken: { over: {}, writes: [] } };
    const written = JSON.stringify(await removePayment(world.outside, charge, receipt, inPlace));
    expect(written).toContain('"refund_id":"r"');
    expect(written).toContain('["other"]');
  });

  test('holds its second payments as payments for a reversed charge', async () => {
    const charge = { ...tapped, second_receipts: [second.receipt_id] };
    await world.outside.table.write([chargeRows.put(charge), receiptRows.put(second)]);
    await world.outside.table.write(await removePayment(world.outside, charge, receipt));
    expect(await receiptRows.find(world.outside, second)).toMatchObject({ state: 'held', reason: 'charge_reversed' });
  });
});

test('a payment cannot be removed from a charge that it no longer pays', async () => {
  await expect(removePayment(world.outside, tapped, { ...receipt, receipt_id: 'another' })).rejects.toThrow(
    'The payment another no longer belongs to the charge MK-2000000002.',
  );
});
