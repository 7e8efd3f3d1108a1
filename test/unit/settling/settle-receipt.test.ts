import { beforeEach, describe, expect, test } from 'vitest';
import { arrivedPesewas } from '../../../shared/ghana/arrived.ts';
import { readWalletText } from '../../../shared/ghana/wallet-text/read-wallet-text.ts';
import { chargeRows, createCharge } from '../../../shared/money/charge/charge.table.ts';
import { createReceipt, ReceiptChanged, receiptRows, usePayment } from '../../../shared/money/receipt/receipt.table.ts';
import { factsOf, type PaymentReceipt, paymentReceiptId, type Receipt } from '../../../shared/money/receipt/receipt.ts';
import { decide, settlePayment, settleReceipt } from '../../../shared/money/settling/settle-receipt.ts';
import { PhoneEventJob, phoneEventRows } from '../../../shared/phones/gateway/phone-event.table.ts';
import { listSenders } from '../../../shared/phones/sender/sender.table.ts';
import { changeItem } from '../../../shared/runtime/table/table.ts';
import { sha256 } from '../../../shared/runtime/values/sha256.ts';
import { assignUnassignedReceipt } from '../../support/actions.ts';
import { mtn, post, type ReceiptText, reversal, telecel } from '../../support/receipts.ts';
import { type Shop, scene } from '../../support/scene.ts';

const world = await scene();
let shop: Shop;
beforeEach(async () => {
  shop = await world.createShop();
});

const OTHER = 'MTN-elsewhere-1';
const PROOF = { state: 'unproven', why: 'balance_gap' } as const;
const GAP = {
  proof: PROOF,
  isAnchored: true,
  isYoung: false,
  isFalse: false,
  isContested: false,
  isWaiting: false,
} as const;

describe('a new payment', () => {
  test('pays the charge with its reference', async () => {
    const reference = await shop.charge({ amount: 36 });
    expect(await decided(mtn({ reference }))).toMatchObject({ action: 'pay', reason: 'reference' });
  });

  test('pays the charge in the payer’s name', async () => {
    await shop.charge({ amount: 36, customer_name: 'Kofi Mensah' });
    expect(await decided(mtn())).toMatchObject({ action: 'pay', reason: 'name' });
  });

  test('becomes a partial payment if it is less than the outstanding amount', async () => {
    const reference = await shop.charge({ amount: 40 });
    expect(await decided(mtn({ reference }))).toMatchObject({ action: 'part', reason: 'reference' });
  });

  test('is held if it matches no charge', async () => {
    expect(await decided(mtn())).toMatchObject({ action: 'hold', reason: 'no_charge' });
    const reference = await shop.charge({ amount: 36 });
    const unplaced = await decided(mtn({ reference }), { isUnplaced: true });
    expect(unplaced).toMatchObject({ action: 'hold', reason: 'number_not_placed' });
  });

  test('is held while its verification is pending', async () => {
    const reference = await shop.charge({ amount: 360 });
    const { writes, ...decision } = await decided(mtn({ reference, amount: '360.00' }), { checked: GAP });
    expect(decision).toEqual({ action: 'hold', reason: 'balance_gap' });
    expect(writes.filter(({ update }) => update?.UpdateExpression?.includes('checking_until'))).toHaveLength(1);
  });

  test('is held without a note on the charge if it is unverified and only the name matches', async () => {
    await shop.charge({ amount: 360, customer_name: 'Kofi Mensah' });
    const { writes, ...decision } = await decided(mtn({ amount: '360.00' }), { checked: GAP });
    expect(decision).toEqual({ action: 'hold', reason: 'balance_gap' });
    expect(writes).toHaveLength(1);
  });

  test('is held if it needs proof and its proof was withdrawn, whatever the shop’s limit', async () => {
    const reference = await shop.charge({ amount: 36 });
    const text = mtn({ reference, from: 'VERIFIED GADGETS' });
    const withdrawn = { ...GAP, mode: 'observe' } as const;
    expect(await decided(text, { checked: withdrawn })).toMatchObject({ action: 'hold', reason: 'balance_gap' });
    expect(await decided(text, { checked: PROVEN })).toMatchObject({ action: 'pay' });
  });

  test('is noted on a cancelled charge, without a word on its page', async () => {
    const reference = await shop.charge({ amount: 36 });
    await shop.call('transaction/cancel', { parameters: { reference } });
    const current = await storedOf(mtn({ reference }));
    expect(current.reason).toBe('charge_cancelled');
    const { waiting_receipts, checking_until } = await world.chargeRow(reference);
    expect({ waiting_receipts, checking_until }).toEqual({ waiting_receipts: [current.receipt_id] });
  });

  test('is noted on its charge again only if it was displaced', async () => {
    const reference = await shop.charge({ amount: 360 });
    const text = mtn({ reference, amount: '360.00' });
    const { writes } = await decided(text, { checked: GAP });
    await world.outside.table.write(writes);
    const [{ receipt_id }, before] = [receiptOf(text), await world.chargeRow(reference)];
    const current = await receiptRows.find(world.outside, { receipt_id });
    expect(before).toMatchObject({ waiting_receipts: [receipt_id], checking_until: world.iso() });
    world.clock.nowMs += 1000;
    const unsure = { current, checked: { ...GAP, proof: { state: 'unproven', why: 'balance_unsure' } } } as const;
    expect((await decided(text, unsure)).writes).toHaveLength(1);
    const others = Array.from({ length: 5 }, (_, n) => `MTN-other-${n}`);
    await world.outside.table.write([changeItem(chargeRows.key({ reference }), { waiting_receipts: others })]);
    await world.outside.table.write((await decided(text, unsure)).writes);
    const after = { ...before, waiting_receipts: [...others.slice(0, 4), receipt_id] };
    expect(await world.chargeRow(reference)).toEqual(after);
  });

  test('is not evaluated again if it is verified but matches no charge', async () => {
    expect((await decided(mtn(), { checked: PROVEN })).again).toBeUndefined();
  });

  test('is not evaluated again if it is an unverified second payment', async () => {
    const reference = await shop.charge({ amount: 36 });
    await shop.pay(mtn({ reference }));
    const { reason, again } = await decided(mtn({ reference }), { checked: GAP });
    expect({ reason, again }).toEqual({ reason: 'already_paid', again: undefined });
  });
});

describe('a payment whose id is already stored', () => {
  test('is the same payment if an earlier release stored the digits in its reference', async () => {
    const reference = await shop.charge({ amount: 36 });
    const typed = `Hi. Dear Ama, room 1207 wifi code ${reference}`;
    const text = mtn({ reference: typed });
    await shop.pay(text);
    const key = receiptRows.key({ receipt_id: shop.paymentId(text) });
    expect(await world.outside.table.get(key)).toMatchObject({ payer_reference: typed.replace('1207', '****') });
    await world.outside.table.write([changeItem(key, { payer_reference: typed, text: text.text })]);
    await shop.arrive(text);
    expect(await shop.verified(reference)).toMatchObject({ status: 'success', disputed: null });
    await shop.arrive({ ...text, text: text.text.replace('room 1207', 'room 1208 b') });
    expect(await shop.verified(reference)).toMatchObject({ status: 'success', disputed: { why: 'conflict' } });
  });

  test('is held if the wallet’s unverified limit is used up', async () => {
    const reference = await shop.charge({ amount: 36 });
    const text = mtn({ reference });
    expect(await decided(text, { checked: GAP })).toMatchObject({ action: 'pay' });
    const limited = await decided(text, { checked: GAP, isLimitReached: true });
    expect(limited).toMatchObject({ action: 'hold', reason: 'balance_gap' });
  });

  test('is held if a different text with the same id was used', async () => {
    const use = { receipt_id: OTHER, reference: await shop.charge({ amount: 1 }) };
    expect(await decided(mtn(), { use })).toMatchObject({ action: 'hold', reason: 'already_paid' });
    expect(await decided(mtn(), { use: { receipt_id: OTHER } })).toMatchObject({ action: 'hold', reason: 'reversed' });
  });

  test('is held and leaves the text that used its id unchanged if that text pays no charge', async () => {
    const { receipt_id } = await storedOf(mtn({ from: 'EVE MENSAH' }));
    const { writes, reason } = await decided(mtn(), { use: { receipt_id, reference: 'MK-1000000000' } });
    expect({ reason, writes: writes.length }).toEqual({ reason: 'conflict', writes: 1 });
  });

  test('changes nothing if it repeats the stored receipt', async () => {
    const text = mtn();
    const stored = await storedOf(text);
    const use = { receipt_id: OTHER };
    expect(await decided(text, { stored, use })).toEqual({ action: 'ignore', reason: 'copy', writes: [] });
  });

  test('is held as a conflict if the details differ', async () => {
    const text = mtn();
    const stored = await storedOf(text);
    const other = mtn({ id: text.id, from: 'EVE MENSAH' });
    expect(await decided(other, { stored })).toMatchObject({ action: 'hold', reason: 'conflict' });
    const reversed: Receipt = { ...stored, reason: 'reversed' };
    expect(await decided(other, { stored: reversed })).toMatchObject({ action: 'hold', reason: 'reversed' });
  });

  test('disputes no other charge if the stored payment was reversed', async () => {
    const text = mtn();
    const reversed: Receipt = { ...(await storedOf(text)), reason: 'reversed' };
    const paid = await storedOf(mtn({ reference: await shop.charge({ amount: 36 }) }));
    await world.outside.table.write(usePayment({ ...receiptOf(text), receipt_id: paid.receipt_id }, undefined));
    const { writes } = await decided(mtn({ id: text.id, from: 'EVE MENSAH' }), { stored: reversed });
    expect(writes).toHaveLength(1);
  });

  test('is held as a conflict if a text without a number differs', async () => {
    const reference = await shop.charge({ amount: 36 });
    const text = mtn({ reference });
    // The phone has two SIMs and does not report which one received the text.
    await shop.arrive({ ...mtn({ id: text.id, from: 'EVE MENSAH' }), recipient: null });
    expect(await world.receiptRow(paymentReceiptId('MTN', undefined, text.id))).toBeDefined();
    const stored: Receipt = { ...receiptOf(text), state: 'held', reason: 'no_charge' };
    expect(await decided(text, { stored })).toMatchObject({ action: 'hold', reason: 'conflict' });
    expect(await decided(text, { stored, isUnplaced: true })).toMatchObject({ action: 'ignore', reason: 'copy' });
  });
});

const PROVEN = { ...GAP, proof: { state: 'proven' } } as const;

test('a text is not verified if the stored text about the payment reports the same balances', async () => {
  const text = mtn();
  await shop.pay(text);
  const forged = mtn({ id: text.id, from: 'EVE MENSAH' });
  const { momo_number, merchant_id, sender, text: words, received_at } = receiptOf(forged);
  const origin = { momo_number, merchant_id, sender, text: words, received_at };
  const accounts = [accountOf(shop)];
  await settlePayment(world.outside, paymentOf(forged), origin, { accounts, checked: PROVEN });
  const stored = (await shop.receipts()).find(({ payer_name }) => payer_name === 'EVE MENSAH');
  expect(stored).toMatchObject({ state: 'held', reason: 'conflict', proof: { state: 'unproven' } });
});

test('a reversal that a person must read is not checked again', async () => {
  const text = 'Transaction 50000000001 may be reversed.';
  const job = await post(world, { sender: 'MobileMoney', text, recipient: shop.number });
  const phoneEvent = await phoneEventRows.find(world.outside, PhoneEventJob.parse(job));
  if (!phoneEvent) throw new Error('The text is not stored');
  const { sender, message } = phoneEvent.event.payload;
  const arrived = { phoneEvent, reading: readWalletText(sender, message), senders: await listSenders(world.outside) };
  expect(await settleReceipt(world.outside, arrived)).toBeUndefined();
  expect(await shop.listed('unread')).toHaveLength(1);
});

describe('a manually entered payment whose text arrives later', () => {
  const marked = { how: 'transfer', at: '2026-11-20T10:00:00.000Z', by: 'ama' } as const;
  const markOf = (text: ReceiptText): Receipt => ({
    ...receiptOf(text),
    state: 'matched',
    reference: 'MK-4071932685',
    proof: { state: 'unproven' },
    marked,
  });

  test('conflicts with an unverified text with different details', async () => {
    const text = mtn();
    const stored = markOf(mtn({ id: text.id, from: 'EVE MENSAH' }));
    expect(await decided(text, { stored, checked: GAP })).toMatchObject({ action: 'hold', reason: 'conflict' });
  });

  test('loses its id to a verified text with different details', async () => {
    const text = mtn();
    const stored = markOf(mtn({ id: text.id, from: 'EVE MENSAH' }));
    expect(await decided(text, { stored, checked: PROVEN })).toMatchObject({ action: 'hold', reason: 'no_charge' });
    const reference = await shop.charge({ amount: 36 });
    const named = await decided(mtn({ id: text.id, reference }), { stored, checked: PROVEN });
    expect(named).toMatchObject({ action: 'pay', reason: 'reference' });
  });

  /** Stores a text that contradicts the payment entered by hand. */
  async function storeBeside(text: ReceiptText, changed: Partial<Receipt> = {}): Promise<Receipt> {
    const receipt = receiptOf(text);
    const receipt_id = `${receipt.receipt_id}-${sha256(factsOf(receipt)).slice(0, 8)}`;
    const beside: Receipt = { ...receipt, receipt_id, state: 'held', reason: 'conflict', ...changed };
    await world.outside.table.write([createReceipt(beside)]);
    return beside;
  }

  test('conflicts with a different text without a proof', async () => {
    const text = mtn();
    const stored = markOf(mtn({ id: text.id, from: 'EVE MENSAH' }));
    expect(await decided(text, { stored })).toMatchObject({ action: 'hold', reason: 'conflict' });
  });

  test('is replaced by a verified text with the same details', async () => {
    const text = mtn();
    expect(await decided(text, { stored: markOf(text), checked: PROVEN })).toMatchObject({ action: 'read' });
  });

  test.each<[string, Partial<Receipt>, object]>([
    ['ignores the text if the text has paid a charge', { state: 'matched', reason: undefined }, { action: 'ignore' }],
    [
      'ignores the text if a person set the text aside',
      { set_aside: { at: marked.at, by: 'ama', why: '' } },
      { action: 'ignore' },
    ],
    ['ignores the text if the text’s payment was reversed', { reason: 'reversed' }, { action: 'ignore' }],
    [
      'ignores the text if the text’s payment may have been reversed',
      { reversal_doubt_at: marked.at },
      { action: 'ignore' },
    ],
    ['settles the text if the text is still held', {}, { action: 'hold', reason: 'no_charge' }],
  ])('%s, once verified', async (_, changed, decision) => {
    const text = mtn();
    await storeBeside(text, changed);
    const stored = markOf(mtn({ id: text.id, from: 'EVE MENSAH' }));
    expect(await decided(text, { stored, checked: PROVEN })).toMatchObject(decision);
    expect(await decided(text, { stored, checked: GAP })).toMatchObject({ action: 'ignore', reason: 'copy' });
  });

  test('conflicts with an earlier text after its mark is undone', async () => {
    const text = mtn();
    const first = await storeBeside(mtn({ id: text.id, from: 'EVE MENSAH' }));
    const stored: Receipt = { ...markOf(text), state: 'held', contradicted_by: [first.receipt_id] };
    expect(await decided(text, { stored })).toMatchObject({ action: 'hold', reason: 'conflict' });
  });

  test('is replaced by its text if the mark was undone', async () => {
    const text = mtn();
    const stored: Receipt = { ...markOf(text), state: 'held', reference: undefined };
    expect(await decided(text, { stored })).toMatchObject({ action: 'hold', reason: 'no_charge' });
    const reference = await shop.charge({ amount: 36 });
    expect(await decided(mtn({ id: text.id, reference }), { stored })).toMatchObject({ action: 'pay' });
  });

  test('is held after its mark is undone if the unverified limit is used up', async () => {
    const settled = async (text: ReceiptText) => {
      const { receipt_id, momo_number, merchant_id, received_at } = receiptOf(text);
      const origin = { momo_number, merchant_id, sender: text.sender, text: text.text, received_at };
      await settlePayment(world.outside, paymentOf(text), origin, { accounts: [accountOf(shop)], checked: GAP });
      return receiptRows.find(world.outside, { receipt_id });
    };
    const text = mtn({ reference: await shop.charge({ amount: 36 }) });
    await world.outside.table.write([createReceipt({ ...markOf(text), state: 'held', reference: undefined })]);
    for (let isOpen = true; isOpen; ) {
      const other = await settled(mtn({ reference: await shop.charge({ amount: 36 }) }));
      isOpen = other?.state === 'matched';
    }
    expect(await settled(text)).toMatchObject({ state: 'held', reason: 'balance_gap' });
  });

  test('stays reversed if it was reversed before the text arrived', async () => {
    const text = mtn();
    const stored: Receipt = { ...markOf(mtn({ id: text.id, from: 'EVE MENSAH' })), state: 'held', reason: 'reversed' };
    expect(await decided(text, { stored })).toMatchObject({ action: 'hold', reason: 'reversed' });
  });
});

describe('re-evaluating a held payment', () => {
  test('pays a charge created later', async () => {
    const text = mtn();
    const current = await storedOf(text);
    const checked = {
      ...GAP,
      isAnchored: false,
      isYoung: false,
      proof: { state: 'unproven', why: 'not_anchored' },
    } as const;
    expect(await decided(text, { current, checked })).toEqual({ action: 'ignore', reason: 'unchanged', writes: [] });
    const reference = await shop.charge({ amount: 36 });
    expect(await decided({ ...mtn({ reference, id: text.id }) }, { current })).toMatchObject({ action: 'pay' });
  });

  test('fails if the receipt has changed, so that it is read again', async () => {
    const text = mtn();
    const current = await storedOf(text);
    const { receipt_id, momo_number, merchant_id, received_at } = current;
    await world.outside.table.write([receiptRows.change({ receipt_id }, { payer_name: 'AMA OWUSU' })]);
    const named = mtn({ id: text.id, reference: await shop.charge({ amount: 36 }) });
    const origin = { momo_number, merchant_id, sender: named.sender, text: named.text, received_at };
    const again = settlePayment(world.outside, paymentOf(named), origin, { accounts: [accountOf(shop)], current });
    await expect(again).rejects.toBeInstanceOf(ReceiptChanged);
  });

  test('adds no hold reason to another text with its id that pays a charge', async () => {
    const text = mtn({ reference: await shop.charge({ amount: 36 }) });
    const receipt_id = paymentReceiptId('MTN', undefined, text.id);
    await shop.arrive({ ...mtn({ id: text.id, from: 'EVE MENSAH' }), recipient: null });
    await assignUnassignedReceipt(world.outside, receipt_id, await shop.charge({ amount: 36 }));
    const current: Receipt = { ...receiptOf(text), state: 'held', reason: 'no_charge' };
    await world.outside.table.write([createReceipt(current)]);
    const { reason, writes } = await decided(text, { current });
    await world.outside.table.write(writes);
    expect(reason).toBe('conflict');
    const other = await world.receiptRow(receipt_id);
    expect(other).toMatchObject({ state: 'matched', contradicted_by: [current.receipt_id] });
    expect(other).not.toHaveProperty('reason');
  });

  test('holds the payment as already_paid if a text with other details has paid a charge', async () => {
    const reference = await shop.charge({ amount: 36 });
    const { receipt_id } = await storedOf(mtn({ reference }));
    const text = mtn({ from: 'EVE MENSAH' });
    const current = await storedOf(text);
    const { reason, writes } = await decided(text, { current, use: { receipt_id, reference } });
    expect({ reason, writes: writes.length }).toEqual({ reason: 'already_paid', writes: 1 });
  });

  test('holds the payment as already_paid if it was used through a different text', async () => {
    const text = mtn();
    const current = await storedOf(text);
    const use = { receipt_id: OTHER, reference: 'MK-1000000000' };
    expect(await decided(text, { current, use })).toMatchObject({ action: 'hold', reason: 'already_paid' });
  });
});

// Payer references with too much or too little text.

const KOFI = { amount: 36, customer_name: 'Kofi Mensah' };
const UNCLEAR = { state: 'held', reason: 'reference_unclear' };
/** Ten-digit numbers that are not references. */
const NUMBERS = ['1240000001', '1240000002', '1240000003', '1240000004', '1240000005'];
const PHONES = NUMBERS.map((number) => number.replace('1', '0'));
const UNKNOWN = 'MK-1000000000';

describe('an unclear reference from a payer whose name matches', () => {
  test.each<[string, (own: string) => string | Promise<string>]>([
    ['a reference with a missing digit', () => 'MK-407193268'],
    ['two references that do not exist', () => `${UNKNOWN} MK-1000000001`],
    ['five numbers of ten digits', () => NUMBERS.join(', ')],
    ['a reference and four numbers of ten digits', () => [UNKNOWN, ...NUMBERS.slice(1)].join(', ')],
    ['a charge’s own reference and one that does not exist', (own) => `${own} ${UNKNOWN}`],
    ['an unknown reference and a pending charge’s ten digits', (own) => `${UNKNOWN}, ${digitsOf(own)}`],
    [
      'the reference of one pending charge and the ten digits of another',
      async (own) => `${own}, ${digitsOf(await shop.charge({ amount: 50 }))}`,
    ],
  ])('holds the payment if it contains %s', async (_, typed) => {
    const reference = await typed(await shop.charge(KOFI));
    expect(await shop.pay(mtn({ reference }))).toMatchObject(UNCLEAR);
  });
});

describe('a reference with several numbers', () => {
  test.each([
    ['the charge’s reference and five phone numbers', (it: string) => [it, ...PHONES].join(', ')],
    ['the charge’s ten digits and five phone numbers', (it: string) => [digitsOf(it), ...PHONES].join(', ')],
  ])('pays the charge if it contains %s', async (_, write) => {
    const reference = await shop.charge({ amount: 36 });
    expect(await shop.pay(mtn({ reference: write(reference) }))).toMatchObject({ state: 'matched', reference });
  });

  test('pays the pending charge if the other charge is paid', async () => {
    const [before, reference] = [await shop.charge({ amount: 20 }), await shop.charge({ amount: 36 })];
    await shop.pay(mtn({ amount: '20', reference: before }));
    const digits = mtn({ reference: `${digitsOf(before)}, ${digitsOf(reference)}` });
    expect(await shop.pay(digits)).toMatchObject({ state: 'matched', reference });
    const next = await shop.charge({ amount: 36 });
    const named = mtn({ reference: `${next}, ${digitsOf(before)}` });
    expect(await shop.pay(named)).toMatchObject({ state: 'matched', reference: next });
  });

  test('holds the payment as already_paid if the charge is paid', async () => {
    const before = await shop.charge({ amount: 36 });
    await shop.pay(mtn({ reference: before }));
    await shop.charge(KOFI);
    const second = mtn({ reference: digitsOf(before) });
    expect(await shop.pay(second)).toMatchObject({ state: 'held', reason: 'already_paid' });
  });
});

test('a merchant with the same number on two networks is paid on both', async () => {
  const neighbour = await world.createShop({ number: shop.number, network: 'TELECEL' });
  const [ours, theirs] = [await shop.charge({ amount: 36 }), await neighbour.charge({ amount: 36 })];
  expect(await shop.pay(mtn({ reference: ours }))).toMatchObject({ state: 'matched', reference: ours });
  expect(await shop.pay(telecel({ reference: theirs }))).toMatchObject({ state: 'matched', reference: theirs });
});

test('a bank’s name is never used for matching', async () => {
  await shop.charge({ amount: 36, customer_name: 'Absa Bank' });
  expect(await shop.pay(mtn({ from: 'ABSA BANK' }))).toMatchObject({ state: 'held', reason: 'no_charge' });
});

test('a mistyped reference is compared with the whole day’s charges', async () => {
  const model = await world.chargeRow(await shop.charge({ amount: 36 }));
  const rows = Array.from({ length: 999 }, (_, n) => ({ ...model, reference: `MK-2${String(n).padStart(9, '0')}` }));
  for (let n = 0; n < rows.length; n += 100) await world.outside.table.write(rows.slice(n, n + 100).map(createCharge));
  await shop.pay(mtn({ reference: 'MK-2000000007' }));
  expect(await shop.pay(mtn({ reference: '200000007' }))).toMatchObject(UNCLEAR);
  expect(await shop.pay(mtn({ reference: '900000000' }))).toMatchObject({ reason: 'no_charge' });
});

// Payments reported several times or by strangers.

describe('a payment reported to a second wallet', () => {
  test('does not dispute a charge of a different payer', async () => {
    const other = await world.createShop();
    const [ours, theirs] = [await shop.charge({ amount: 36 }), await other.charge({ amount: 36 })];
    const receipt = mtn({ reference: ours });
    await shop.pay(receipt);
    const second = mtn({ id: receipt.id, reference: theirs, from: 'EVE MENSAH' });
    expect(await other.pay(second)).toMatchObject({ state: 'held', reason: 'conflict' });
    expect(await shop.verified(ours)).toMatchObject({ status: 'success', disputed: null });
    expect(await other.verified(theirs)).toMatchObject({ status: 'pending' });
  });

  test('is not affected by a reversal in the other wallet', async () => {
    const other = await world.createShop();
    const theirs = await other.charge({ amount: 36 });
    const receipt = mtn({ reference: theirs });
    await shop.arrive(reversal(receipt.id));
    expect(await other.pay(receipt)).toMatchObject({ state: 'matched', reference: theirs });
    expect(await other.verified(theirs)).toMatchObject({ status: 'success' });
  });
});

describe('conflicting texts about one payment', () => {
  test('are each stored once', async () => {
    const receipt = mtn();
    for (const from of ['KOFI MENSAH', 'EVE MENSAH', 'AMA OWUSU', 'EVE MENSAH', 'KOFI MENSAH'])
      await shop.pay(mtn({ id: receipt.id, from }));
    const names = (await shop.receipts()).map(({ payer_name }) => payer_name);
    expect(names.sort()).toEqual(['AMA OWUSU', 'EVE MENSAH', 'KOFI MENSAH']);
  });

  test('dispute the charge of the first text', async () => {
    const reference = await shop.charge({ amount: 36 });
    const receipt = mtn({ reference });
    const first = await shop.pay(receipt);
    const after = await shop.pay(mtn({ id: receipt.id, from: 'EVE MENSAH' }));
    expect(after).toEqual({ ...first, contradicted_by: [expect.stringContaining(receipt.id)] });
    expect(await shop.verified(reference)).toMatchObject({ status: 'success', disputed: { why: 'conflict' } });
  });

  test('do not dispute a charge whose payment was reversed', async () => {
    const reference = await shop.charge({ amount: 36 });
    const receipt = mtn({ reference });
    await shop.pay(receipt);
    await shop.arrive(reversal(receipt.id));
    await shop.pay(mtn({ id: receipt.id, from: 'EVE MENSAH' }));
    expect(await shop.verified(reference)).toMatchObject({ status: 'reversed', disputed: null });
  });

  test('are shown to the paid merchant only if the number is not shared', async () => {
    await world.createShop({ number: shop.number });
    const receipt = mtn({ reference: await shop.charge({ amount: 36 }) });
    await shop.pay(receipt);
    await shop.pay(mtn({ id: receipt.id, from: 'EVE MENSAH' }));
    const rows = await shop.receipts();
    expect(rows.map(({ merchant_id }) => merchant_id)).toEqual([shop.id, undefined]);
  });
});

describe('a reversal text', () => {
  test.each(['0241234567', '233241234567'])('is left for review if its id is the phone number %s', async (id) => {
    await shop.arrive({ sender: 'MobileMoney', text: `Transaction ${id} has been reversed.` });
    expect(await shop.receipts()).toMatchObject([{ state: 'unread' }]);
  });

  test.each(['2332412345678', '5241234567', '512412345678'])(
    'waits for its payment if its id is %s, which is not a phone number',
    async (id) => {
      await shop.arrive({ sender: 'MobileMoney', text: `Transaction ${id} has been reversed.` });
      expect(await shop.receipts()).toMatchObject([{ state: 'held', reason: 'reversed', transaction_id: id }]);
    },
  );

  test('reverses a manually assigned payment without a receiving number', async () => {
    const reference = await shop.charge({ amount: 36 });
    const receipt = mtn();
    await shop.arrive({ ...receipt, recipient: null });
    await assignUnassignedReceipt(world.outside, `MTN-unknown-${receipt.id}`, reference);
    await shop.arrive(reversal(receipt.id));
    expect(await shop.verified(reference)).toMatchObject({ status: 'reversed' });
  });
});

test('a phone number in the payer’s reference is ignored', async () => {
  const from = 'KOFI MENSAH';
  const typed = mtn({ from, reference: `${from} ,233209876543,MK-1 from VODAFONE` });
  expect(await shop.pay(typed)).toMatchObject({ payer_reference: 'MK-1' });
  expect(await shop.receipt(typed)).not.toHaveProperty('payer_phone');
});

test('a stranger’s text is counted', async () => {
  const before = { ...world.counted };
  const counted = (name: 'texts_of_strangers' | 'receipts_forged') => (world.counted[name] ?? 0) - (before[name] ?? 0);
  await shop.arrive({ sender: '+233555000111', text: 'See you at six' });
  expect({ strangers: counted('texts_of_strangers'), forged: counted('receipts_forged') }).toEqual({
    strangers: 1,
    forged: 0,
  });
  await shop.arrive({ ...mtn(), sender: '+233555000111' });
  expect({ strangers: counted('texts_of_strangers'), forged: counted('receipts_forged') }).toEqual({
    strangers: 2,
    forged: 1,
  });
});

test('a network’s text is redelivered if it could not be stored', async () => {
  const job = await post(world, { sender: 'MobileMoney', text: 'A wording that is new', recipient: shop.number });
  const usual = world.dynamoDb;
  world.dynamoDb = async ({ command }, send) => {
    if (/Put|Write/.test(command)) throw new Error('The table fails');
    await send();
  };
  await expect(world.settle(job)).rejects.toThrow('1 jobs failed');
  world.dynamoDb = usual;
  await world.settle(job);
  expect(await shop.receipts()).toMatchObject([{ state: 'unread' }]);
});

function receiptOf({ id, sender, text }: ReceiptText): Omit<PaymentReceipt, 'state'> {
  const payment = paymentOf({ sender, text });
  return {
    receipt_id: paymentReceiptId('MTN', shop.number, id),
    network: 'MTN',
    momo_number: shop.number,
    merchant_id: shop.id,
    transaction_id: id,
    amount_pesewas: arrivedPesewas(payment.amountPesewas),
    balance_pesewas: payment.balancePesewas ?? undefined,
    payer_name: payment.payerName,
    payer_reference: payment.reference ?? undefined,
    sender,
    text,
    received_at: world.iso(),
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
  const accounts = [accountOf(shop)];
  const receipt = { ...receiptOf(text), proof: known.checked?.proof };
  return decide(world.outside, { ...known, payment: paymentOf(text), receipt, accounts });
}

function accountOf({ id: merchant_id, number }: Shop) {
  return { merchant_id, number, network: 'MTN', account_name: 'AMA STORES' } as const;
}

async function storedOf(text: ReceiptText): Promise<Receipt> {
  await shop.pay(text);
  const stored = await receiptRows.find(world.outside, { receipt_id: paymentReceiptId('MTN', shop.number, text.id) });
  if (!stored) throw new Error('The payment is not stored');
  return stored;
}

function digitsOf(reference: string): string {
  return reference.slice('MK-'.length);
}
