import { beforeEach, describe, expect, test } from 'vitest';
import { readWalletText } from '../../../shared/ghana/wallet-text/read-wallet-text.ts';
import { receiptRows } from '../../../shared/money/receipt/receipt.table.ts';
import { type PaymentReceipt, paymentReceiptId, type Receipt } from '../../../shared/money/receipt/receipt.ts';
import { decide } from '../../../shared/money/receipt/settle-receipt.ts';
import { mtn, type ReceiptText } from '../../support/receipts.ts';
import { type Shop, scene } from '../../support/scene.ts';

// What is decided about a payment, by what is known of it. The first of several things that are known decides.

const world = await scene();
let shop: Shop;
beforeEach(async () => {
  shop = await world.createShop();
});

const OTHER = 'MTN-elsewhere-1';
const PROOF = { state: 'unproven', why: 'balance_gap' } as const;
const GAP = { proof: PROOF, mode: 'enforce', isFalse: false, isContested: false, isWaiting: false } as const;

describe('nothing stands there yet', () => {
  test('its reference pays its charge', async () => {
    const reference = await shop.charge({ amount: 36 });
    expect(await decided(mtn({ reference }))).toMatchObject({ does: 'pay', why: 'reference' });
  });

  test('its payer’s name pays the charge of that name', async () => {
    await shop.charge({ amount: 36, customer_name: 'Kofi Mensah' });
    expect(await decided(mtn())).toMatchObject({ does: 'pay', why: 'name' });
  });

  test('less than a charge lacks is a part of it', async () => {
    const reference = await shop.charge({ amount: 40 });
    expect(await decided(mtn({ reference }))).toMatchObject({ does: 'part', why: 'reference' });
  });

  test('what fits no charge is held, and so is what is paid to a number in no phone', async () => {
    expect(await decided(mtn())).toMatchObject({ does: 'hold', why: 'no_charge' });
    const reference = await shop.charge({ amount: 36 });
    const unplaced = await decided(mtn({ reference }), { isUnplaced: true });
    expect(unplaced).toMatchObject({ does: 'hold', why: 'number_not_placed' });
  });

  test('what is not proven is held, and its charge counts the text', async () => {
    const reference = await shop.charge({ amount: 360 });
    const { writes, ...decision } = await decided(mtn({ reference, amount: '360.00' }), { checked: GAP });
    expect(decision).toEqual({ does: 'hold', why: 'balance_gap' });
    expect(writes.filter(({ update }) => update?.UpdateExpression?.includes('unproven_texts'))).toHaveLength(1);
  });
});

describe('something stands there already', () => {
  test('a wallet whose limit is reached confirms no unproven payment', async () => {
    const reference = await shop.charge({ amount: 36 });
    const text = mtn({ reference });
    expect(await decided(text, { checked: GAP })).toMatchObject({ does: 'pay' });
    const limited = await decided(text, { checked: GAP, isLimitReached: true });
    expect(limited).toMatchObject({ does: 'hold', why: 'balance_gap' });
  });

  test('a payment that was used through another text is held, whatever its own reason', async () => {
    const use = { receipt_id: OTHER, reference: await shop.charge({ amount: 1 }) };
    expect(await decided(mtn(), { use })).toMatchObject({ does: 'hold', why: 'already_paid' });
    expect(await decided(mtn(), { use: { receipt_id: OTHER } })).toMatchObject({ does: 'hold', why: 'reversed' });
  });

  test('a copy of what is stored changes nothing, however the payment was used', async () => {
    const text = mtn();
    const stored = await storedOf(text);
    const use = { receipt_id: OTHER };
    expect(await decided(text, { stored, use })).toEqual({ does: 'ignore', why: 'copy', writes: [] });
  });

  test('another text with other details contradicts it', async () => {
    const text = mtn();
    const stored = await storedOf(text);
    const other = mtn({ id: text.id, from: 'EVE MENSAH' });
    expect(await decided(other, { stored })).toMatchObject({ does: 'hold', why: 'conflict' });
    const reversed: Receipt = { ...stored, reason: 'reversed' };
    expect(await decided(other, { stored: reversed })).toMatchObject({ does: 'hold', why: 'reversed' });
  });

  test('a contradiction by a phone without a number comes before the copy that is stored, where the payment would confirm', async () => {
    const reference = await shop.charge({ amount: 36 });
    const text = mtn({ reference });
    // Two SIMs are in this phone: it is not known which of them the text came to.
    await shop.arrive({ ...mtn({ id: text.id, from: 'EVE MENSAH' }), recipient: null });
    expect(
      await receiptRows.find(world.outside, { receipt_id: paymentReceiptId('MTN', undefined, text.id) }),
    ).toBeDefined();
    const stored: Receipt = { ...receiptOf(text), state: 'held', reason: 'no_charge' };
    expect(await decided(text, { stored })).toMatchObject({ does: 'hold', why: 'conflict' });
    expect(await decided(text, { stored, isUnplaced: true })).toMatchObject({ does: 'ignore', why: 'copy' });
  });
});

describe('a payment that is held is decided about again', () => {
  test('with nothing new, nothing changes; with a charge that it pays, it pays', async () => {
    const text = mtn();
    const current = await storedOf(text);
    const checked = { ...GAP, mode: 'observe', proof: { state: 'unproven', why: 'not_established' } } as const;
    expect(await decided(text, { current, checked })).toEqual({ does: 'ignore', why: 'unchanged', writes: [] });
    const reference = await shop.charge({ amount: 36 });
    expect(await decided({ ...mtn({ reference, id: text.id }) }, { current })).toMatchObject({ does: 'pay' });
  });

  test('if it was used meanwhile, that is why it is held', async () => {
    const text = mtn();
    const current = await storedOf(text);
    const use = { receipt_id: OTHER, reference: 'MK-1000000000' };
    expect(await decided(text, { current, use })).toMatchObject({ does: 'hold', why: 'already_paid' });
  });
});

function receiptOf({ id, sender, text }: ReceiptText): Omit<PaymentReceipt, 'state'> {
  const payment = paymentOf({ sender, text });
  return {
    receipt_id: paymentReceiptId('MTN', shop.number, id),
    network: 'MTN',
    momo_number: shop.number,
    merchant_id: shop.id,
    transaction_id: id,
    amount_pesewas: payment.amountPesewas,
    balance_pesewas: payment.balancePesewas ?? undefined,
    payer_name: payment.payerName,
    payer_reference: payment.reference ?? undefined,
    sender,
    text,
    received_at: new Date(world.outside.now()).toISOString(),
  };
}

function paymentOf({ sender, text }: Pick<ReceiptText, 'sender' | 'text'>) {
  const reading = readWalletText(sender, text);
  if (reading.kind !== 'payment') throw new Error('The text is of no payment');
  return reading;
}

function decided(
  text: ReceiptText,
  known: Omit<Parameters<typeof decide>[1], 'payment' | 'receipt' | 'accounts'> = {},
) {
  const accounts = [{ merchant_id: shop.id, number: shop.number, network: 'MTN', account_name: 'AMA STORES' }] as const;
  const receipt = { ...receiptOf(text), proof: known.checked?.proof };
  return decide(world.outside, { ...known, payment: paymentOf(text), receipt, accounts });
}

async function storedOf(text: ReceiptText): Promise<Receipt> {
  await shop.pay(text);
  const stored = await receiptRows.find(world.outside, { receipt_id: paymentReceiptId('MTN', shop.number, text.id) });
  if (!stored) throw new Error('The payment is not stored');
  return stored;
}
