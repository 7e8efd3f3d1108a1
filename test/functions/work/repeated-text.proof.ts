import { beforeEach, describe, expect, test } from 'vitest';
import { proofJob } from '../../../shared/money/receipt/proof-job.ts';
import type { Item } from '../../../shared/runtime/table/table.ts';
import { MINUTE_MS } from '../../../shared/runtime/values/calendar.ts';
import { type Shop, scene } from '../../support/scene.ts';
import { type BookedText, provenBook, type WalletBook } from '../../support/wallet-book.ts';

// Somebody who has seen a payment's text can forge another one with its id and balances.

const PROVEN = { state: 'proven' };
const UNPROVEN = { state: 'unproven' };

const world = await scene();
let shop: Shop;
let book: WalletBook;

type Repeat = (genuine: BookedText) => BookedText;
const largerWithFee: Repeat = ({ id }) => book.receipt(300, { id, reference: '2', balance: book.pesewas, fee: 264 });
const ofAnotherPayer: Repeat = ({ id }) => book.receipt(36, { id, from: 'EVE ANKRAH', balance: book.pesewas });
const larger: Repeat = ({ id }) => book.receipt(300, { id, reference: '2', balance: book.pesewas });
const repeats = [
  ['a larger amount and a fee', largerWithFee],
  ['a different payer', ofAnotherPayer],
] as const;

describe('a text that repeats a payment’s id', () => {
  beforeEach(async () => {
    shop = await world.createShop();
    book = await provenBook(world, shop, 6);
  });

  test.each(repeats)('is never verified if it has %s', async (_, repeat) => {
    const genuine = book.paid(36);
    const copy = repeat(genuine);
    await shop.pay(genuine);
    expect(await rowOf(genuine)).toMatchObject({ proof: PROVEN });
    await shop.pay(copy);
    expect(await rowOf(copy)).toMatchObject({ state: 'held', reason: 'conflict', proof: UNPROVEN });
    await decideAllAgain();
    expect(await rowOf(copy)).toMatchObject({ reason: 'conflict', proof: UNPROVEN });
    const reference = await openCoded();
    expect(await assign(copy, reference)).toBe(200);
    await decideAllAgain();
    expect(await shop.verified(reference)).toMatchObject({ status: 'success', proof: UNPROVEN });
    expect(await rowOf(copy)).toMatchObject({ state: 'matched', proof: UNPROVEN });
    await world.tell(8);
    expect((await world.chargeRow(reference)).goods).toMatchObject({ state: 'to_release' });
  });

  test.each(repeats)('puts the paid bill in dispute if it has %s', async (_, repeat) => {
    const reference = await shop.charge({ amount: 36 });
    const genuine = book.paid(36, { reference });
    await shop.pay(genuine);
    await shop.pay(repeat(genuine));
    await decideAllAgain();
    expect(await rowOf(genuine)).toMatchObject({ state: 'matched', reference, proof: PROVEN });
    expect(await shop.verified(reference)).toMatchObject({ status: 'success', disputed: { why: 'conflict' } });
  });

  test.each(repeats)('leaves both texts unverified if it arrives first and has %s', async (_, repeat) => {
    const genuine = book.paid(36);
    const copy = repeat(genuine);
    await shop.pay(copy);
    await shop.pay(genuine);
    await decideAllAgain();
    for (const text of [copy, genuine])
      expect(await rowOf(text)).toMatchObject({ reason: 'conflict', proof: UNPROVEN });
    const [forged, looked] = [await openCoded(), await shop.charge({ amount: 36 })];
    const manager = await shop.signIn('manager');
    const { receipt_id } = await rowOf(genuine);
    const form = { reference: looked, shown: 'contradicted' };
    expect((await manager.visit(`/dashboard/held/${receipt_id}/give`, { form })).status).toBe(303);
    expect(await shop.verified(looked)).toMatchObject({ status: 'success' });
    expect((await rowOf(genuine)).looked_by).toBeDefined();
    expect(await assign(copy, forged)).toBe(409);
  });

  test.each(repeats)('stays unverified if it has %s, even after an API key assigns it', async (_, repeat) => {
    const genuine = book.paid(36);
    const copy = repeat(genuine);
    await shop.pay(copy);
    await shop.pay(genuine);
    const reference = await openCoded();
    expect(await assign(copy, reference)).toBe(200);
    await shop.arrive({ ...copy, text: `${copy.text} ` });
    await decideAllAgain();
    expect(await shop.verified(reference)).toMatchObject({ proof: UNPROVEN });
    await world.tell(8);
    expect((await world.chargeRow(reference)).goods).toMatchObject({ state: 'to_release' });
  });

  test('stays unverified after a third text repeats the id', async () => {
    const genuine = book.paid(36);
    const [first, third] = [larger(genuine), largerWithFee(genuine)];
    await shop.pay(first);
    await shop.pay(genuine);
    world.clock.nowMs += 3 * MINUTE_MS;
    await decideAllAgain();
    expect(await rowOf(genuine)).toMatchObject({ reason: 'conflict', proof: PROVEN });
    await shop.pay({ ...third, text: third.text.replace('KOFI', 'EVE') });
    await decideAllAgain();
    const rows = (await shop.receipts()).filter(({ transaction_id }) => transaction_id === genuine.id);
    const forged = rows.filter(({ amount_pesewas }) => amount_pesewas === 300_00);
    expect(forged).toMatchObject([{ proof: UNPROVEN }, { proof: UNPROVEN }]);
  });

  test('makes an assigned genuine payment unverified if it arrives first', async () => {
    const genuine = book.paid(36);
    await shop.pay(larger(genuine));
    await shop.pay(genuine);
    expect(await rowOf(genuine)).toMatchObject({ reason: 'conflict', proof: PROVEN });
    const reference = await shop.charge({ amount: 36 });
    expect(await assign(genuine, reference)).toBe(200);
    expect(await shop.verified(reference)).toMatchObject({ status: 'success', proof: UNPROVEN });
    await decideAllAgain();
    expect(await shop.verified(reference)).toMatchObject({ status: 'success', proof: UNPROVEN });
  });

  test('makes an assigned genuine payment unverified if it arrives later', async () => {
    const genuine = book.paid(36);
    await shop.pay(genuine);
    await shop.pay(larger(genuine));
    const reference = await shop.charge({ amount: 36 });
    expect(await assign(genuine, reference)).toBe(200);
    await decideAllAgain();
    expect(await shop.verified(reference)).toMatchObject({ status: 'success', proof: UNPROVEN });
  });

  test('is treated as a copy if it uses a usual text template', async () => {
    const reference = await shop.charge({ amount: 36 });
    const genuine = book.paid(36, { reference });
    await shop.pay(genuine);
    for (const text of [genuine.text, genuine.text.toUpperCase(), genuine.text.replace(/TRANSACTION FEE.*/, '')])
      await shop.arrive({ ...genuine, text });
    await decideAllAgain();
    const rows = (await shop.receipts()).filter(({ transaction_id }) => transaction_id === genuine.id);
    expect(rows).toMatchObject([{ state: 'matched', proof: PROVEN }]);
    expect(await shop.verified(reference)).toMatchObject({ status: 'success', disputed: null, proof: PROVEN });
  });
});

describe('a text about a transfer to the payer', () => {
  let reference: string;
  beforeEach(async () => {
    shop = await world.createShop();
    book = await provenBook(world, shop, 6);
    reference = await shop.charge({ amount: 36 });
    await shop.pay(book.paid(36, { reference }));
    later();
  });

  /** Rewrites an outgoing text as a transfer of GHS 36 to the payer, plus a fee. */
  const repeat = (genuine: BookedText, sent: number): BookedText => ({
    ...genuine,
    receivedAt: world.iso(),
    text: sentToPayer(genuine.id, 36, sent - 36),
  });
  const sentToPayer = (id: string, amount: number, fee: number) =>
    `Payment for GHS${amount.toFixed(2)} to KOFI MENSAH BOATENG .Current Balance: GHS ${(book.pesewas / 100).toFixed(2)}. Transaction Id: ${id}. Fee charged: GHS${fee.toFixed(2)},Tax Charged 0.`;
  const note = () => shop.call('transaction/refund', { parameters: { reference }, body: {} });
  const statuses = async () => (await shop.verified(reference)).refunds.map(({ status }: { status: string }) => status);
  const later = (minutes = 3) => {
    world.clock.nowMs += minutes * MINUTE_MS;
  };

  test('marks a recorded refund as sent', async () => {
    await note();
    later();
    const genuine = book.spent(36);
    await shop.arrive({ ...genuine, text: sentToPayer(genuine.id, 36, 0) });
    expect(await statuses()).toEqual(['sent']);
  });

  test.each([
    ['of the same amount', 36],
    ['of a smaller amount with a fee', 50],
  ])('does not mark a refund as sent if it repeats the id of a transfer %s', async (_, sent) => {
    await note();
    later();
    const genuine = book.spent(sent);
    await shop.arrive(genuine);
    later();
    await shop.arrive(repeat(genuine, sent));
    expect(await statuses()).toEqual(['noted']);
  });

  test('does not mark a refund as sent if a genuine text arrives later', async () => {
    const genuine = book.spent(36);
    await shop.arrive(repeat(genuine, 36));
    later();
    await shop.arrive(genuine);
    await note();
    later();
    await shop.arrive(repeat(genuine, 36));
    expect(await statuses()).toEqual(['noted']);
  });
});

async function rowOf({ id, text }: BookedText): Promise<Item> {
  const row = (await shop.receipts()).find((one) => one.transaction_id === id && one.text === text);
  if (!row) throw new Error(`No receipt has the text ${text}`);
  return row;
}

async function openCoded(): Promise<string> {
  const { json } = await shop.call('link/create', { body: { title: 'Router', amount: 300, codes: ['CODE-1'] } });
  return (await world.openLink(json.data.slug)).reference;
}

async function assign(text: BookedText, reference: string): Promise<number> {
  const id = String((await rowOf(text)).receipt_id);
  return (await shop.call('receipt/assign', { parameters: { id }, body: { reference } })).status;
}

async function decideAllAgain(): Promise<void> {
  const rows = await shop.receipts();
  await world.settle(...rows.map(({ receipt_id }) => proofJob(String(receipt_id)).body));
}
