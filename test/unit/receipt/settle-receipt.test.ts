import { beforeEach, describe, expect, test } from 'vitest';
import { assignUnassignedReceipt } from '../../support/actions.ts';
import { mtn, newNumber, post, receiptRows, reversal } from '../../support/receipts.ts';
import { type Shop, scene } from '../../support/scene.ts';

// One payment at several wallets, several texts of one payment, and texts that are nobody's.

const world = await scene();
let shop: Shop;
beforeEach(async () => {
  shop = await world.createShop();
});

describe('a payment that confirmed a charge, reported to another wallet', () => {
  test('with another payer is a conflict: the first charge is disputed, the second stays open', async () => {
    const other = await world.createShop();
    const [ours, theirs] = [await shop.charge({ amount: 36 }), await other.charge({ amount: 36 })];
    const receipt = mtn({ reference: ours });
    await shop.pay(receipt);
    const second = mtn({ id: receipt.id, reference: theirs, from: 'EVE MENSAH' });
    expect(await other.pay(second)).toMatchObject({ state: 'held', reason: 'conflict' });
    expect(await shop.verified(ours)).toMatchObject({ status: 'success', disputed: { why: 'conflict' } });
    expect(await other.verified(theirs)).toMatchObject({ status: 'pending' });
  });

  test('is not affected by an earlier reversal in another wallet: a text to one says nothing about the other', async () => {
    const other = await world.createShop();
    const theirs = await other.charge({ amount: 36 });
    const receipt = mtn({ reference: theirs });
    await shop.arrive(reversal(receipt.id));
    expect(await other.pay(receipt)).toMatchObject({ state: 'matched', reference: theirs });
    expect(await other.verified(theirs)).toMatchObject({ status: 'success' });
  });
});

describe('texts of one payment that contradict each other', () => {
  test('are each kept once, however often they come', async () => {
    const receipt = mtn();
    for (const from of ['KOFI MENSAH', 'EVE MENSAH', 'AMA OWUSU', 'EVE MENSAH', 'KOFI MENSAH'])
      await shop.pay(mtn({ id: receipt.id, from }));
    const names = (await shop.receipts()).map(({ payer_name }) => payer_name);
    expect(names.sort()).toEqual(['AMA OWUSU', 'EVE MENSAH', 'KOFI MENSAH']);
  });

  test('leave the first, which paid its charge, as it is: the charge is disputed', async () => {
    const reference = await shop.charge({ amount: 36 });
    const receipt = mtn({ reference });
    const first = await shop.pay(receipt);
    expect(await shop.pay(mtn({ id: receipt.id, from: 'EVE MENSAH' }))).toEqual(first);
    expect(await shop.verified(reference)).toMatchObject({ status: 'success', disputed: { why: 'conflict' } });
  });

  test('dispute no charge whose payment was reversed before', async () => {
    const reference = await shop.charge({ amount: 36 });
    const receipt = mtn({ reference });
    await shop.pay(receipt);
    await shop.arrive(reversal(receipt.id));
    await shop.pay(mtn({ id: receipt.id, from: 'EVE MENSAH' }));
    expect(await shop.verified(reference)).toMatchObject({ status: 'reversed', disputed: null });
  });

  test('on a shared number are shown to the merchant whose charge the first one paid', async () => {
    await world.createShop({ number: shop.number });
    const receipt = mtn({ reference: await shop.charge({ amount: 36 }) });
    await shop.pay(receipt);
    await shop.pay(mtn({ id: receipt.id, from: 'EVE MENSAH' }));
    const rows = await shop.receipts();
    expect(rows.map(({ merchant_id }) => merchant_id)).toEqual([shop.id, shop.id]);
  });
});

describe('a reversal', () => {
  test.each(['0241234567', '233241234567'])(
    'of %s is of a phone number: kept for a person, not waited for',
    async (id) => {
      await shop.arrive({ sender: 'MobileMoney', text: `Transaction ${id} has been reversed.` });
      expect(await shop.receipts()).toMatchObject([{ state: 'unread' }]);
    },
  );

  test.each(['2332412345678', '5241234567', '512412345678'])(
    'of %s, which is no phone number, waits for its payment',
    async (id) => {
      await shop.arrive({ sender: 'MobileMoney', text: `Transaction ${id} has been reversed.` });
      expect(await shop.receipts()).toMatchObject([{ state: 'held', reason: 'reversed', transaction_id: id }]);
    },
  );

  test('reverses a payment that came without a number and was assigned by hand', async () => {
    const reference = await shop.charge({ amount: 36 });
    const receipt = mtn();
    await shop.arrive({ ...receipt, recipient: null });
    await assignUnassignedReceipt(world.outside, `MTN-unknown-${receipt.id}`, reference);
    await shop.arrive(reversal(receipt.id));
    expect(await shop.verified(reference)).toMatchObject({ status: 'reversed' });
  });
});

test('a phone number in what the payer typed is not stored as the payer’s', async () => {
  const from = 'KOFI MENSAH';
  const typed = mtn({ from, reference: `${from} ,233209876543,MK-1 from VODAFONE` });
  expect(await shop.pay(typed)).toMatchObject({ payer_reference: 'MK-1' });
  expect(await shop.receipt(typed)).not.toHaveProperty('payer_phone');
});

test('a stranger’s text is counted, as a forgery only where it looks like a payment', async () => {
  const before = { ...world.counted };
  const counted = (name: 'texts_of_strangers' | 'receipts_forged') => (world.counted[name] ?? 0) - (before[name] ?? 0);
  await shop.arrive({ sender: '+233555000111', text: 'See you at six' });
  expect([counted('texts_of_strangers'), counted('receipts_forged')]).toEqual([1, 0]);
  await shop.arrive({ ...mtn(), sender: '+233555000111' });
  expect([counted('texts_of_strangers'), counted('receipts_forged')]).toEqual([2, 1]);
});

test('a text that could not be kept comes again: nothing that a network wrote is lost', async () => {
  const number = newNumber();
  const job = await post(world, { sender: 'MobileMoney', text: 'A wording that is new', recipient: number });
  const usual = world.dynamoDb;
  world.dynamoDb = async ({ command }, send) => {
    if (/Put|Write/.test(command)) throw new Error('The table fails');
    await send();
  };
  await expect(world.settle(job)).rejects.toThrow('1 jobs failed');
  world.dynamoDb = usual;
  await world.settle(job);
  expect(await receiptRows(world, { number })).toMatchObject([{ state: 'unread' }]);
});
