import { beforeEach, describe, expect, test } from 'vitest';
import { arrivedPesewas } from '../../../shared/ghana/arrived.ts';
import { MovedOn } from '../../../shared/money/charge/change-charge.table.ts';
import { type Charge, chargeRows } from '../../../shared/money/charge/charge.table.ts';
import { MAX_PART_PAYMENTS, type Payment } from '../../../shared/money/payment/payment.ts';
import { paymentUseRows, receiptRows } from '../../../shared/money/receipt/receipt.table.ts';
import type { PaymentReceipt } from '../../../shared/money/receipt/receipt.ts';
import { countPart, payWithReceipt } from '../../../shared/money/settling/pay-charge.ts';
import { addNumber } from '../../support/receipts.ts';
import { storedCharge, storedPayment } from '../../support/rows-of-kinds.ts';
import { type Scene, scene } from '../../support/scene.ts';
import { REMOVED, type SomeText, textsOfOnePayment } from '../../support/stored-texts.ts';

const PROVEN = { proof: { state: 'proven' } } as const;
const LATE = { reason: 'charge_expired' } as const;
const OF_REQUEST = { origin: { kind: 'request', slug: 'abcdefghjkmn' } } as const;
const AT = '2026-11-20T12:00:00.000Z';
const { reference, merchant_id } = storedCharge();

let world: Scene;
beforeEach(async () => {
  world = await scene({ inMemory: true });
});

const readText = ({ receipt_id }: PaymentReceipt) => receiptRows.find(world.outside, { receipt_id });
const readCharge = () => chargeRows.find(world.outside, { reference });
/** Stores a text about a payment of its own that is held for the charge. */
const held = (some: SomeText = {}) =>
  textsOfOnePayment(world.outside).stored({ suggested_reference: reference, merchant_id, ...some });

/** Stores a charge of 60 cedis, and pays it with a verified payment. */
async function pay(charge: Partial<Charge>, given: SomeText = {}, by: 'hand' | 'reference' = 'hand'): Promise<void> {
  const receipt = await held({ amount_pesewas: arrivedPesewas(60_00), ...PROVEN, ...given });
  const stored = storedCharge(charge);
  await world.outside.table.write([chargeRows.put(stored)]);
  const matched = { matched_by: by, looked_by: by === 'hand' ? 'ama' : undefined, current: receipt } as const;
  const { writes } = await payWithReceipt(world.outside, stored, receipt, matched);
  await world.outside.table.write(writes);
}

/** Counts a verified part towards a charge. `since`: the stored charge, if it changed after it was read. */
async function count(charge: Charge, given: SomeText, since = charge): Promise<void> {
  const receipt = await held({ ...PROVEN, ...given });
  await world.outside.table.write([chargeRows.put(since)]);
  const matched = { matched_by: 'reference', current: receipt } as const;
  const { writes } = await countPart(world.outside, charge, receipt, matched);
  await world.outside.table.write(writes);
}

/** Stores a text that pays the charge, with its use, and returns both. */
async function counted(some: SomeText & Partial<Payment> = {}): Promise<{ text: PaymentReceipt; payment: Payment }> {
  const text = await held({ state: 'matched', reference, suggested_reference: undefined, ...some });
  await world.outside.table.write([paymentUseRows.put({ ...text, reference })]);
  const payment = storedPayment(text.receipt_id, text.amount_pesewas, { transaction_id: text.transaction_id, ...some });
  return { text, payment };
}

describe('a payment that waits for a decision about a charge which another payment pays', () => {
  test.each<[what: string, some: SomeText, charge: Partial<Charge>, isSecond: boolean]>([
    ['becomes a second payment if it came late', LATE, {}, true],
    ['becomes a second payment if it came after a cancellation', { reason: 'charge_cancelled' }, {}, true],
    ['becomes a second payment if it is large', { reason: 'large_amount' }, {}, true],
    ['becomes a second payment if its balance does not match', { reason: 'balance_gap' }, {}, true],
    ['becomes a second payment if its balance is in doubt', { reason: 'balance_unsure' }, {}, true],
    ['becomes a second payment if its balance is impossible', { reason: 'balance_impossible' }, {}, true],
    ['becomes a second payment if its id is unusual', { reason: 'clock_odd' }, {}, true],
    ['stays held if another charge has its amount', { reason: 'amount_of_another' }, {}, false],
    ['stays held if the number paid is unknown', { reason: 'number_unknown' }, {}, false],
    ['becomes a second payment of a request if it is large', { reason: 'large_amount' }, OF_REQUEST, true],
    ['stays late if the charge belongs to a request', LATE, OF_REQUEST, false],
    ['stays held if its amount differs', { reason: 'amount_differs' }, {}, false],
    ['stays held if it may be for another charge', { ...LATE, suggested_reference: 'MK-2000000002' }, {}, false],
    ['stays removed if a person did not find its money', { ...LATE, ...REMOVED }, {}, false],
    ['stays held as an undone mark', { marked: { how: 'transfer', at: AT, by: 'ama' } }, {}, false],
  ])('%s', async (_, some, charge, isSecond) => {
    const text = await held(some);
    await pay({ waiting_receipts: [text.receipt_id], ...charge });
    expect(await readText(text)).toEqual(isSecond ? { ...text, reason: 'already_paid' } : text);
    expect((await readCharge())?.second_receipts).toEqual(isSecond ? [text.receipt_id] : undefined);
  });

  test('stays held if it is another text about the payment that pays', async () => {
    const texts = textsOfOnePayment(world.outside);
    const copy = await texts.stored({ ...LATE, suggested_reference: reference, merchant_id, copy: '-2' });
    await pay({ waiting_receipts: [copy.receipt_id] }, { transaction_id: copy.transaction_id });
    expect(await readText(copy)).toEqual(copy);
  });

  test('stays held if a person accepted less than the charge’s amount', async () => {
    const text = await held(LATE);
    await pay({ waiting_receipts: [text.receipt_id] }, { amount_pesewas: arrivedPesewas(10_00) });
    expect(await readText(text)).toEqual(text);
  });

  test('joins the second payments that the charge had', async () => {
    const text = await held(LATE);
    await pay({ waiting_receipts: [text.receipt_id], second_receipts: ['first'] });
    expect((await readCharge())?.second_receipts).toEqual(['first', text.receipt_id]);
  });
});

test('a payment that no longer covers its charge is rejected unless a person accepts less', async () => {
  const receipt = await held({ amount_pesewas: arrivedPesewas(10_00), ...PROVEN });
  const pays = payWithReceipt(world.outside, storedCharge(), receipt, { matched_by: 'reference', current: receipt });
  await expect(pays).rejects.toThrow(MovedOn);
});

test.each<[what: string, other: SomeText, isCounted: boolean]>([
  ['counts again once a person matches the rest', {}, true],
  ['stays held if a text to another number of the shop has its ID and is verified', PROVEN, false],
])('a part of an expired charge %s', async (_, other, isCounted) => {
  const shop = await world.createShop();
  const texts = textsOfOnePayment(world.outside);
  const ofShop = { merchant_id: shop.id, momo_number: shop.number };
  const part = await texts.stored({ ...LATE, suggested_reference: reference, ...ofShop });
  await texts.stored({ reason: 'no_charge', ...ofShop, momo_number: await addNumber(world, shop), ...other });
  const payment = storedPayment(part.receipt_id, 36_00, { transaction_id: part.transaction_id });
  await pay(
    { state: 'expired', merchant_id: shop.id, parts: [payment] },
    { ...ofShop, amount_pesewas: arrivedPesewas(24_00) },
  );
  expect((await readText(part))?.state).toBe(isCounted ? 'matched' : 'held');
  expect((await readCharge())?.parts ?? []).toHaveLength(isCounted ? 1 : 0);
});

test('a part of an expired charge becomes a second payment once a payment made in time pays the charge', async () => {
  const part = await held(LATE);
  const payment = storedPayment(part.receipt_id, 36_00, { transaction_id: part.transaction_id });
  await pay({ state: 'expired', parts: [payment] }, {}, 'reference');
  expect(await readText(part)).toMatchObject({ state: 'held', reason: 'already_paid' });
  expect((await readCharge())?.second_receipts).toEqual([part.receipt_id]);
});

describe('a verified part', () => {
  test('replaces its unverified copy although the charge has the maximum number of parts', async () => {
    const copy = await counted();
    const others = Array.from({ length: MAX_PART_PAYMENTS - 1 }, (_, n) => storedPayment(`other-${n}`, 1_00));
    const charge = storedCharge({ parts: [...others, copy.payment] });
    await count(charge, { transaction_id: copy.text.transaction_id, copy: '-2' });
    const parts = (await readCharge())?.parts?.map(({ receipt_id }) => receipt_id);
    expect(parts).toHaveLength(MAX_PART_PAYMENTS);
    expect(parts).toEqual(expect.arrayContaining(others.map(({ receipt_id }) => receipt_id)));
  });

  describe('of a request’s charge that closed with its parts', () => {
    const CLOSED = { ...OF_REQUEST, state: 'success', paid_at: AT, asked_pesewas: 60_00 } as const;

    test.each<[what: string, isReplaced: boolean]>([
      ['is rejected if a refund was recorded since, and it replaces a copy', true],
      ['counts although a refund was recorded since, if it replaces nothing', false],
    ])('%s', async (_, isReplaced) => {
      const { text, payment: part } = await counted();
      const payment = storedPayment('payment', 10_00);
      const charge = storedCharge({ ...CLOSED, amount_pesewas: 46_00, payment, parts: [part] });
      const refunds = [{ refund_id: '1', amount_pesewas: 1_00, state: 'noted', noted_at: AT } as const];
      const counting = count(charge, isReplaced ? { transaction_id: text.transaction_id, copy: '-2' } : {}, {
        ...charge,
        refunds,
      });
      await (isReplaced ? expect(counting).rejects.toThrow(MovedOn) : counting);
    });

    test('becomes the charge’s payment if it replaces that payment’s copy', async () => {
      const { text, payment } = await counted();
      const part = storedPayment('part', 10_00);
      const charge = storedCharge({ ...CLOSED, amount_pesewas: 46_00, payment, parts: [part] });
      await count(charge, { transaction_id: text.transaction_id, copy: '-2' });
      const after = await readCharge();
      expect(after?.payment?.proof).toEqual(PROVEN.proof);
      expect(after?.parts).toEqual([part]);
    });

    test('stays a part if it replaces the copy of another part', async () => {
      const { text, payment: part } = await counted();
      const payment = storedPayment('payment', 10_00);
      const charge = storedCharge({ ...CLOSED, amount_pesewas: 46_00, payment, parts: [part] });
      await count(charge, { transaction_id: text.transaction_id, copy: '-2' });
      const after = await readCharge();
      expect(after?.payment).toEqual(payment);
      expect(after?.parts?.map(({ proof }) => proof)).toEqual([PROVEN.proof]);
    });
  });
});
