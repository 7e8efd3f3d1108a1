import { beforeEach, describe, expect, test } from 'vitest';
import { arrivedPesewas } from '../../../shared/ghana/arrived.ts';
import {
  createReceipt,
  findUse,
  ownUse,
  paymentUseRows,
  receiptRows,
  releasePayment,
  removeReceipt,
  replaceReceipt,
  typedUseRows,
  usePayment,
} from '../../../shared/money/receipt/receipt.table.ts';
import type { PaymentReceipt } from '../../../shared/money/receipt/receipt.ts';
import { contradictionOf } from '../../../shared/money/receipt/texts-of-payment.ts';
import { foreignUse } from '../../../shared/money/receipt/typed-use.ts';
import type { TableWrite } from '../../../shared/runtime/table/table.ts';
import { newNumber } from '../../support/receipts.ts';
import { scene } from '../../support/scene.ts';

const AT = '2026-11-20T10:00:00.000Z';
const ENDS = { expires_at_epoch_seconds: 4_000_000_000 };
const marked = { how: 'transfer', at: AT, by: 'ama' } as const;
const charge = { reference: 'MK-0123456789', merchant_id: 'shop' };
const other = { reference: 'MK-9876543210', merchant_id: 'other' };
const NOT_HELD = 'receipt_not_held';
const USED =
  'Another text with the same transaction ID has already paid a charge. One payment can pay only one charge.';
const GONE = 'Another text about this payment has changed. Check the payment again.';

const { outside } = await scene({ inMemory: true });
let payment: PaymentReceipt;
let ids = 0;
beforeEach(() => {
  const transaction_id = `5${String(++ids).padStart(10, '0')}`;
  payment = {
    receipt_id: `MTN-233241234567-${transaction_id}`,
    state: 'held',
    reason: 'no_charge',
    merchant_id: 'shop',
    network: 'MTN',
    momo_number: '+233241234567',
    transaction_id,
    amount_pesewas: arrivedPesewas(36_00),
    received_at: AT,
    ...ENDS,
  };
});

const write = (writes: readonly TableWrite[]) => outside.table.write(writes);
const uses = () =>
  Promise.all([
    paymentUseRows.find(outside, payment),
    typedUseRows.find(outside, { ...payment, merchant_id: 'shop' }),
    typedUseRows.find(outside, { ...payment, merchant_id: 'other' }),
  ]);
const useBy = (receipt_id: string, reference: string | undefined) => ({ receipt_id, reference });

describe('the record that a payment was used', () => {
  test('is found by the payment’s id until it is removed', async () => {
    expect(await findUse(outside, payment, ['shop'])).toBeUndefined();
    expect(await ownUse(outside, payment, 'shop')).toBeUndefined();
    await write(usePayment(payment, charge));
    const use = useBy(payment.receipt_id, charge.reference);
    expect(await findUse(outside, payment, [])).toEqual(use);
    expect(await ownUse(outside, payment, 'shop')).toEqual(use);
    await write(releasePayment(payment, charge, {}));
    expect(await uses()).toEqual([undefined, undefined, undefined]);
  });

  test('belongs to one of the payment’s texts', async () => {
    await write(usePayment(payment, charge));
    expect(await ownUse(outside, { ...payment, receipt_id: 'another' }, 'shop')).toBeUndefined();
  });

  test.each([
    ['has paid a charge', charge, USED],
    ['has been reversed', undefined, 'The network reversed this payment.'],
  ])('is rejected if the payment %s', async (_, before, message) => {
    await write(usePayment(payment, before));
    const again = write(usePayment({ ...payment, receipt_id: 'another' }, other));
    const use = useBy(payment.receipt_id, before?.reference);
    await expect(again).rejects.toMatchObject({ code: NOT_HELD, message, use: { receipt_id: use.receipt_id } });
    expect(await uses()).toEqual([use, undefined, undefined]);
  });

  test('never expires for a real payment, and expires with the receipt for a test payment', async () => {
    await write(usePayment(payment, charge));
    expect(await outside.table.get(paymentUseRows.key(payment))).not.toHaveProperty('expires_at_epoch_seconds');
    const trial = { ...payment, transaction_id: `TEST${payment.transaction_id}` };
    await write(usePayment(trial, charge));
    expect(await outside.table.get(paymentUseRows.key(trial))).toMatchObject(ENDS);
  });

  test('is not removed if it belongs to a different charge, or if a different text has taken it over', async () => {
    await write(usePayment(payment, charge));
    await expect(write(releasePayment(payment, other, {}))).rejects.toThrow();
    expect(releasePayment(payment, charge, { use_lost: true })).toEqual([]);
    expect(await findUse(outside, payment, [])).toBeDefined();
  });
});

describe('an id that a merchant typed', () => {
  const typed = (receipt_id: string) => ({ ...payment, receipt_id, marked });

  test('is reserved for that merchant only', async () => {
    await write(usePayment(typed('one'), charge));
    await write(usePayment(typed('two'), other));
    const [ofShop, ofOther] = [useBy('one', charge.reference), useBy('two', other.reference)];
    expect(await uses()).toEqual([undefined, ofShop, ofOther]);
    expect(await findUse(outside, payment, ['other'])).toEqual(ofOther);
    expect(await findUse(outside, payment, ['third'])).toBeUndefined();
    expect(await ownUse(outside, typed('one'), 'shop')).toEqual(ofShop);
    expect(await ownUse(outside, typed('two'), 'shop')).toBeUndefined();
    await write(releasePayment(typed('one'), charge, {}));
    expect(await uses()).toEqual([undefined, undefined, ofOther]);
  });

  test('is rejected if the merchant typed it before, or if a text used it', async () => {
    await write(usePayment(typed('one'), charge));
    const again = write(usePayment(typed('two'), charge));
    await expect(again).rejects.toMatchObject({ message: USED, use: { receipt_id: 'one' } });
    await write(usePayment(payment, other));
    const late = write(usePayment(typed('three'), { ...charge, merchant_id: 'third' }));
    await expect(late).rejects.toMatchObject({ message: USED, use: { receipt_id: payment.receipt_id } });
  });

  test('does not affect a different wallet’s text with the same id', async () => {
    await write(usePayment(payment, other));
    const foreign = useBy(payment.receipt_id, other.reference);
    await expect(
      write(usePayment(typed('one'), charge, { foreign: { ...foreign, reference: 'MK-1' } })),
    ).rejects.toMatchObject({ message: USED, use: foreign });
    await expect(
      write(usePayment(typed('one'), charge, { foreign: { ...foreign, receipt_id: 'another' } })),
    ).rejects.toMatchObject({ message: USED, use: foreign });
    await write(usePayment(typed('one'), charge, { foreign }));
    expect(await uses()).toEqual([foreign, useBy('one', charge.reference), undefined]);
  });

  test('blocks the text of the same merchant’s payment, unless that text takes over the id', async () => {
    await write(usePayment(typed('one'), charge));
    await expect(write(usePayment(payment, charge))).rejects.toMatchObject({
      message: USED,
      use: { receipt_id: 'one' },
    });
    await expect(write(usePayment(payment, charge, { isTyped: false }))).rejects.toMatchObject({ message: USED });
    await write(usePayment(payment, charge, { isTyped: true }));
    expect(await uses()).toMatchObject([{ receipt_id: payment.receipt_id }, { receipt_id: 'one' }, undefined]);
  });

  test('does not block the text of another merchant’s payment', async () => {
    await write(usePayment(typed('one'), charge));
    await write(usePayment(payment, other));
    expect(await findUse(outside, payment, [])).toEqual(useBy(payment.receipt_id, other.reference));
  });
});

describe('the record that a different wallet’s text was used', () => {
  const foreign = useBy('foreign', other.reference);

  test('can be taken over', async () => {
    await write(usePayment({ ...payment, receipt_id: 'foreign' }, other));
    await write(usePayment(payment, charge, { foreign }));
    expect(await findUse(outside, payment, [])).toEqual(useBy(payment.receipt_id, charge.reference));
  });

  test.each([
    ['charge', { reference: 'MK-1' }],
    ['text', { receipt_id: 'another' }],
  ])('is kept if it now belongs to a different %s', async (_, now) => {
    await write(usePayment({ ...payment, receipt_id: 'foreign' }, other));
    const taken = write(usePayment(payment, charge, { foreign: { ...foreign, ...now } }));
    await expect(taken).rejects.toMatchObject({ message: USED, use: foreign });
  });

  test('must be checked again if it no longer exists', async () => {
    const taken = write(usePayment(payment, charge, { foreign }));
    await expect(taken).rejects.toMatchObject({ code: NOT_HELD, message: GONE });
    expect(await uses()).toEqual([undefined, undefined, undefined]);
  });
});

describe('the record that a text to the same wallet was used', () => {
  const proven = { proof: { state: 'proven' } } as const;
  const looked = { looked_by: 'ama' };

  test.each<[string, boolean, Partial<PaymentReceipt>, Partial<PaymentReceipt>, boolean]>([
    ['can be taken over by a different text that is verified and that a person checked', true, {}, looked, true],
    ['stays if nobody checked the wallet', false, {}, {}, true],
    ['stays if the other text is not verified', false, {}, looked, false],
    ['stays if the other text is a copy', false, { balance_pesewas: 50_00 }, looked, true],
    ['stays if the text that used the id is verified', false, proven, looked, true],
    ['stays if a merchant typed the id', false, { marked }, looked, true],
  ])('%s', async (_, isTaken, used, text, isVerified) => {
    const first: PaymentReceipt = { ...payment, balance_pesewas: 77_00, ...used, state: 'matched', ...charge };
    await write([createReceipt(first), ...usePayment(payment, charge)]);
    const use = await paymentUseRows.find(outside, payment);
    const second = { ...payment, receipt_id: `${payment.receipt_id}-1`, balance_pesewas: 50_00, ...text };
    expect((await foreignUse(outside, use, second, { isVerified })) !== undefined).toBe(isTaken);
  });
});

describe('a stored receipt', () => {
  test('is created once', async () => {
    await write([createReceipt(payment)]);
    await expect(write([createReceipt({ ...payment, text: 'Another' })])).rejects.toMatchObject({
      code: NOT_HELD,
      message: 'The receipt is now held. Check it again.',
      receipt: payment,
    });
  });

  test.each([
    ['replaced', () => replaceReceipt(payment, { ...payment, reason: 'conflict' })],
    ['removed', () => removeReceipt(payment)],
  ])('is not %s if it has been changed or removed', async (_, change) => {
    await expect(write([change()])).rejects.toMatchObject({ code: NOT_HELD, message: GONE });
    const now = { ...payment, state: 'matched', reference: charge.reference } as const;
    await write([createReceipt(now)]);
    await expect(write([change()])).rejects.toMatchObject({
      code: NOT_HELD,
      message: 'The receipt is now matched. Check it again.',
      receipt: now,
    });
    expect(await receiptRows.find(outside, payment)).toEqual(now);
  });

  test('is removed if it is unchanged', async () => {
    await write([createReceipt(payment)]);
    await write([removeReceipt(payment)]);
    expect(await receiptRows.find(outside, payment)).toBeUndefined();
  });
});

describe('the text that contradicts a payment', () => {
  const unknown = (more: Partial<PaymentReceipt> = {}): PaymentReceipt => ({
    ...payment,
    receipt_id: `MTN-unknown-${payment.transaction_id}`,
    momo_number: undefined,
    text: 'Payment',
    ...more,
  });

  test.each<[string, isFound: boolean, more: Partial<PaymentReceipt>]>([
    ['is one with another amount, from a phone without a reported SIM', true, { amount_pesewas: arrivedPesewas(1) }],
    ['is not one that reads the same', false, {}],
    [
      'is not one from a phone that does not have the number',
      false,
      { amount_pesewas: arrivedPesewas(1), numbers_of_phone: [newNumber()] },
    ],
  ])('%s', async (_, isFound, more) => {
    await write([createReceipt(unknown(more))]);
    const found = await contradictionOf(outside, { ...payment, text: 'Payment' });
    expect(found?.receipt_id).toBe(isFound ? unknown().receipt_id : undefined);
  });

  test('is not the stored receipt itself', async () => {
    await write([createReceipt(unknown({ amount_pesewas: arrivedPesewas(1) }))]);
    expect(await contradictionOf(outside, unknown())).toBeUndefined();
  });
});
