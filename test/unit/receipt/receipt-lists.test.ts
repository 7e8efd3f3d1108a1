import { beforeEach, describe, expect, test } from 'vitest';
import { arrivedPesewas } from '../../../shared/ghana/arrived.ts';
import {
  countHeld,
  createReceipt,
  getReceipts,
  heldReceiptsOf,
  listHeldOfAmount,
  listHeldOfPayer,
  listMatched,
  listReceiptKeys,
  listReceipts,
  listSendable,
  notedReceiptsOf,
  receiptRows,
  replaceReceipt,
  secondReceiptsOf,
  secondReceiptsOfAll,
  versionOfArrived,
  versionOfReceipts,
  waitingReceiptsOfAll,
} from '../../../shared/money/receipt/receipt.table.ts';
import type { Receipt, ReceiptList } from '../../../shared/money/receipt/receipt.ts';
import { isoOf } from '../../../shared/runtime/outside/outside.ts';
import { putItem } from '../../../shared/runtime/table/table.ts';
import { MINUTE_MS } from '../../../shared/runtime/values/calendar.ts';
import { newNumber } from '../../support/receipts.ts';
import { scene } from '../../support/scene.ts';

const PAYER = '+233201112223';
const PROVEN = { state: 'proven' } as const;
const SET_ASIDE = { at: '2026-11-20T10:00:00.000Z', by: 'ama' };

const { clock, outside, requests } = await scene({ inMemory: true });
/** The merchant's number, new for each test. */
let number: string;
/** The merchant, new for each test. */
let merchant_id: string;
beforeEach(() => {
  number = newNumber();
  merchant_id = `shop-${number}`;
});
const merchant = () => ({ merchant_id, momo_accounts: [{ number, network: 'MTN' as const, account_name: 'AMA' }] });
const minutesAgo = (minutes: number) => isoOf(clock.nowMs - minutes * MINUTE_MS);

/** Stores payments by name. Unless stated, they are held payments of GHS 36 on the merchant's number. */
async function store(receipts: Readonly<Record<string, Partial<Receipt>>>): Promise<void> {
  await outside.table.write(Object.entries(receipts).map(([name, fields]) => createReceipt(receipt(name, fields))));
}

function receipt(name: string, fields: Partial<Receipt> = {}): Receipt {
  return {
    receipt_id: `${number}-${name}`,
    state: 'held',
    reason: 'no_charge',
    merchant_id,
    network: 'MTN',
    momo_number: number,
    transaction_id: name,
    amount_pesewas: arrivedPesewas(36_00),
    received_at: minutesAgo(20),
    ...fields,
  };
}

/** Changes a stored payment whose index entries have not followed yet. */
async function changeBehindIndex(name: string, fields: Partial<Receipt>): Promise<void> {
  const stored = await outside.table.get(receiptRows.key(receipt(name)));
  await outside.table.write([putItem({ ...stored, ...fields })]);
}

function named(receipts: readonly Pick<Receipt, 'transaction_id'>[]): (string | undefined)[] {
  return receipts.map(({ transaction_id }) => transaction_id);
}

describe('held payments from a payer', () => {
  const find = async (since = minutesAgo(60)) =>
    named(await listHeldOfPayer(outside, { momoNumber: number, phone: PAYER, amountPesewas: 36_00 }, since));

  test('are listed newest first, in whichever order they are read', async () => {
    await store({
      second: { payer_phone: PAYER, received_at: minutesAgo(2) },
      third: { payer_phone: PAYER, received_at: minutesAgo(3) },
      first: { said_phone: PAYER, received_at: minutesAgo(1) },
    });
    const { getMany } = outside.table;
    for (const [a = 0, b = 0, c = 0] of [
      [0, 1, 2],
      [2, 1, 0],
      [1, 2, 0],
    ]) {
      outside.table.getMany = async (keys) => getMany([a, b, c].flatMap((n) => keys[n] ?? []));
      expect(await find()).toEqual(['first', 'second', 'third']);
    }
    outside.table.getMany = getMany;
  });

  test('include only waiting payments by this payer, of this amount, to this wallet', async () => {
    await store({
      theirs: { payer_phone: PAYER },
      verified: { payer_phone: PAYER, proof: PROVEN, received_at: minutesAgo(30) },
      anothers: { payer_phone: '+233201112224' },
      nobodys: {},
      landline: { payer_phone: '+233302123456' },
      dearer: { payer_phone: PAYER, amount_pesewas: arrivedPesewas(36_01) },
      elsewhere: { payer_phone: PAYER, momo_number: newNumber() },
      unplaced: { payer_phone: PAYER, momo_number: undefined },
      aside: { payer_phone: PAYER, set_aside: SET_ASIDE },
      counted: { payer_phone: PAYER, state: 'matched', reason: undefined },
    });
    expect(await find()).toEqual(['theirs', 'verified']);
  });

  test('include payments that arrived at or after the given time', async () => {
    await store({
      at: { payer_phone: PAYER, received_at: minutesAgo(60) },
      before: { payer_phone: PAYER, received_at: minutesAgo(61) },
    });
    expect(await find()).toEqual(['at']);
  });

  test('are limited to the newest ten', async () => {
    const names = Array.from({ length: 11 }, (_, n) => `${n}`);
    await store(Object.fromEntries(names.map((name, n) => [name, { payer_phone: PAYER, received_at: minutesAgo(n) }])));
    expect(await find()).toEqual(names.slice(0, 10));
  });
});

describe('held payments of a given amount', () => {
  const page = (more: object = {}) => ({
    amountPesewas: 36_00,
    between: [minutesAgo(60), '~'] as const,
    from: 0,
    limit: 10,
    ...more,
  });
  const find = async (more?: object) => {
    const { receipts, next } = await listHeldOfAmount(outside, merchant(), page(more));
    return { names: named(receipts), next };
  };

  test('are listed with verified ones first, then newest first', async () => {
    await store({
      new: { received_at: minutesAgo(1) },
      oldAndVerified: { received_at: minutesAgo(9), proof: PROVEN },
      old: { received_at: minutesAgo(8) },
      newAndVerified: { received_at: minutesAgo(2), proof: PROVEN },
      checking: { received_at: minutesAgo(3), proof: { state: 'checking' } },
    });
    expect(await find()).toEqual({
      names: ['newAndVerified', 'oldAndVerified', 'new', 'checking', 'old'],
      next: undefined,
    });
  });

  test('are returned in pages', async () => {
    await store({
      first: { received_at: minutesAgo(1) },
      second: { received_at: minutesAgo(2) },
      third: { received_at: minutesAgo(3) },
    });
    expect(await find({ limit: 1 })).toEqual({ names: ['first'], next: 1 });
    expect(await find({ from: 1, limit: 1 })).toEqual({ names: ['second'], next: 2 });
    expect(await find({ from: 2, limit: 1 })).toEqual({ names: ['third'], next: undefined });
    expect(await find({ limit: 3 })).toEqual({ names: ['first', 'second', 'third'], next: undefined });
  });

  test('include payments to all of the merchant’s numbers, once each', async () => {
    const other = newNumber();
    const account = (each: string) => ({ number: each, network: 'MTN' as const, account_name: 'AMA' });
    await store({ one: { received_at: minutesAgo(1) }, two: { momo_number: other, received_at: minutesAgo(2) } });
    const both = { merchant_id, momo_accounts: [account(number), account(other), account(number)] };
    const { receipts } = await listHeldOfAmount(outside, both, page());
    expect(named(receipts)).toEqual(['one', 'two']);
  });

  test('exclude payments of other amounts, times and merchants, and payments that were set aside', async () => {
    await store({
      shown: {},
      dearer: { amount_pesewas: arrivedPesewas(36_01) },
      earlier: { received_at: minutesAgo(61) },
      anothers: { merchant_id: 'another' },
      nobodys: { merchant_id: undefined },
      aside: { set_aside: SET_ASIDE },
      counted: { state: 'matched', reason: undefined },
    });
    expect(await find()).toEqual({ names: ['shown'], next: undefined });
  });

  test('exclude a payment that was counted or removed a moment ago', async () => {
    await store({ counted: {}, removed: {}, shown: {} });
    await changeBehindIndex('counted', { state: 'matched' });
    await outside.table.write([receiptRows.remove(receipt('removed'))]);
    expect((await find()).names).toEqual(['shown']);
  });
});

describe('the index of held payments', () => {
  test.each<[what: string, partition: string | undefined, fields: Partial<Receipt>]>([
    ['contains a held payment', 'HELD#NUMBER#3600', {}],
    ['contains a payment that was set aside', 'ASIDE#NUMBER#3600', { set_aside: SET_ASIDE }],
    ['leaves out a matched payment', undefined, { state: 'matched', reason: undefined }],
    ['leaves out a text that could not be parsed', undefined, { state: 'unread', reason: undefined }],
    ['leaves out a payment without a number', undefined, { momo_number: undefined }],
    ['leaves out a reversal without an amount', undefined, { reason: 'reversed', amount_pesewas: undefined }],
  ])('%s', async (_, partition, fields) => {
    await store({ one: fields });
    const row = await outside.table.get(receiptRows.key(receipt('one')));
    expect(row?.gsi2pk).toBe(partition?.replace('NUMBER', number));
    expect(row?.gsi2sk).toBe(partition && `${minutesAgo(20)}##${number}-one`);
  });
});

describe('payments that can be sent back', () => {
  test('are held or set aside, and not reversed', async () => {
    await store({
      held: { received_at: minutesAgo(1) },
      aside: { set_aside: SET_ASIDE, received_at: minutesAgo(2) },
      reversed: { reason: 'reversed' },
      unmarked: { reason: undefined, marked: { how: 'transfer', at: minutesAgo(1), by: 'ama' } },
      counted: { state: 'matched', reason: undefined },
      dearer: { amount_pesewas: arrivedPesewas(36_01) },
    });
    const page = { amountPesewas: 36_00, between: [minutesAgo(60), '~'], from: 0, limit: 10 } as const;
    const { receipts, next } = await listSendable(outside, merchant(), page);
    expect({ names: named(receipts).toSorted(), next }).toEqual({ names: ['aside', 'held'], next: undefined });
    expect((await listSendable(outside, merchant(), { ...page, limit: 1 })).next).toBe(1);
  });
});

describe('the version of a list', () => {
  const version = (limit = 2) => versionOfReceipts(outside, merchant_id, 'held', limit);

  test('stays the same until a payment is added or removed', async () => {
    await store({ one: {} });
    const before = await version();
    expect(await version()).toBe(before);
    await store({ two: { received_at: minutesAgo(1) } });
    const after = await version();
    expect(after).not.toBe(before);
    await outside.table.write([receiptRows.remove(receipt('two'))]);
    expect(await version()).toBe(before);
  });

  test('depends only on the newest payments', async () => {
    await store({ one: { received_at: minutesAgo(1) }, two: { received_at: minutesAgo(2) } });
    const before = await version(2);
    await store({ old: { received_at: minutesAgo(3) } });
    expect(await version(2)).toBe(before);
    expect(await version(3)).not.toBe(before);
  });

  test('is short and depends on times, not on ids', async () => {
    await store({ one: {} });
    const first = await version();
    await outside.table.write([receiptRows.remove(receipt('one')), createReceipt(receipt('other'))]);
    expect(await version()).toBe(first);
    expect(first).toMatch(/^[\w-]{16}$/);
  });

  test('changes if one payment replaces another', async () => {
    await store({ one: {} });
    const before = await version();
    const later = receipt('later', { received_at: minutesAgo(1) });
    await outside.table.write([receiptRows.remove(receipt('one')), createReceipt(later)]);
    expect(await version()).not.toBe(before);
  });

  test('depends only on one list of one merchant', async () => {
    await store({ aside: { set_aside: SET_ASIDE }, anothers: { merchant_id: 'another' } });
    const nothing = await versionOfReceipts(outside, 'nobody', 'held', 2);
    expect(await version()).toBe(nothing);
    expect(await versionOfReceipts(outside, merchant_id, 'set_aside', 2)).not.toBe(nothing);
  });
});

describe('the version of the list of received payments', () => {
  const ofAmount = () => ({ amountPesewas: 36_00, between: [minutesAgo(60), '~'] as const, from: 0, limit: 10 });
  const version = (limit = 2) => versionOfArrived(outside, merchant(), limit);

  test.each<[what: string, change: Partial<Receipt>]>([
    ['gets a new proof', { proof: PROVEN }],
    ['gets another reason', { reason: 'conflict' }],
  ])('changes if a recent payment %s', async (_, change) => {
    await store({ recent: { received_at: minutesAgo(5) } });
    const before = await version();
    expect(await version()).toBe(before);
    await changeBehindIndex('recent', change);
    expect(await version()).not.toBe(before);
  });

  test('stays the same if a different field or an old payment changes', async () => {
    await store({ recent: { received_at: minutesAgo(5) }, old: { received_at: minutesAgo(6) } });
    const before = await version();
    await changeBehindIndex('recent', { payer_name: 'AMA' });
    await changeBehindIndex('old', { proof: PROVEN });
    expect(await version()).toBe(before);
  });

  test('depends on which payment changed', async () => {
    await store({ one: { received_at: minutesAgo(1) }, two: { received_at: minutesAgo(2) } });
    await changeBehindIndex('one', { proof: PROVEN });
    const ofOne = await version();
    await changeBehindIndex('one', { proof: undefined });
    await changeBehindIndex('two', { proof: PROVEN });
    expect(await version()).not.toBe(ofOne);
  });

  test('changes if a payment arrives or an old payment disappears', async () => {
    await store({ old: {} });
    const before = await version();
    await store({ new: { received_at: minutesAgo(1) } });
    const both = await version();
    expect(both).not.toBe(before);
    await outside.table.write([receiptRows.remove(receipt('old'))]);
    expect(await version()).not.toBe(both);
  });

  test('changes if one old payment replaces another', async () => {
    await store({ old: {} });
    const before = await version();
    const older = receipt('older', { received_at: minutesAgo(30) });
    await outside.table.write([receiptRows.remove(receipt('old')), createReceipt(older)]);
    expect(await version()).not.toBe(before);
  });

  test('covers the newest payments and those with the given amount', async () => {
    await store({ one: { received_at: minutesAgo(1) }, two: { received_at: minutesAgo(2) } });
    const [before, withAmount] = [await version(), await versionOfArrived(outside, merchant(), 2, ofAmount())];
    await store({ third: { received_at: minutesAgo(30) } });
    expect(await version()).toBe(before);
    expect(await versionOfArrived(outside, merchant(), 2, ofAmount())).not.toBe(withAmount);
    await store({ aside: { set_aside: SET_ASIDE, received_at: minutesAgo(1) } });
    expect(await version()).toBe(before);
  });

  test('does not depend on ids', async () => {
    await store({ one: {} });
    const before = await version();
    await outside.table.write([receiptRows.remove(receipt('one')), createReceipt(receipt('other'))]);
    expect(await version()).toBe(before);
    expect(before).toMatch(/^[\w-]{16}$/);
  });
});

describe('the number of payments that need a person', () => {
  test('excludes payments that have been checked for up to five minutes', async () => {
    await store({
      checking: { reason: 'checking', received_at: minutesAgo(5) },
      recent: { received_at: minutesAgo(1) },
      alsoRecent: { received_at: minutesAgo(2) },
      old: { received_at: minutesAgo(50) },
      aside: { set_aside: SET_ASIDE },
    });
    expect(await countHeld(outside, merchant_id, 10)).toBe(3);
  });

  test('includes a payment that is still being checked after more than five minutes', async () => {
    await store({ stuck: { reason: 'checking', received_at: minutesAgo(6) } });
    expect(await countHeld(outside, merchant_id, 10)).toBe(1);
  });

  test('is counted only up to the given number, without reading further payments', async () => {
    await store({ one: { received_at: minutesAgo(1) }, two: { reason: 'checking', received_at: minutesAgo(2) } });
    requests.length = 0;
    expect(await countHeld(outside, merchant_id, 2)).toBe(2);
    expect(requests).toEqual(['Query']);
    expect(await countHeld(outside, merchant_id, 1)).toBe(1);
    expect(await countHeld(outside, merchant_id, 3)).toBe(1);
  });
});

describe('matched payments', () => {
  test('are listed with their amount and payer from a given time on', async () => {
    const counted = { state: 'matched', reason: undefined, payer_name: 'AMA OWUSU' } as const;
    await store({
      at: { ...counted, received_at: minutesAgo(60) },
      new: { ...counted, received_at: minutesAgo(1), amount_pesewas: arrivedPesewas(40_00) },
      before: { ...counted, received_at: minutesAgo(61) },
      held: {},
    });
    const listed = await listMatched(outside, merchant_id, [minutesAgo(60), '~']);
    expect(listed.toSorted((one, other) => Number(one.amount_pesewas) - Number(other.amount_pesewas))).toEqual([
      { amount_pesewas: 36_00, payer_name: 'AMA OWUSU', received_at: minutesAgo(60) },
      { amount_pesewas: 40_00, payer_name: 'AMA OWUSU', received_at: minutesAgo(1) },
    ]);
  });

  test('are found from the first to the last moment of a period', async () => {
    const counted = { state: 'matched', reason: undefined } as const;
    await store({
      first: { ...counted, received_at: minutesAgo(60) },
      last: { ...counted, received_at: minutesAgo(10) },
      before: { ...counted, received_at: minutesAgo(61) },
      after: { ...counted, received_at: minutesAgo(9) },
      held: {},
    });
    const times = { fromMs: clock.nowMs - 60 * MINUTE_MS, toMs: clock.nowMs - 10 * MINUTE_MS };
    const { keys, next } = await listReceiptKeys(outside, merchant_id, { newestFirst: true }, times);
    const ids = keys.map(({ pk }) => pk);
    expect(ids).toEqual(['last', 'first'].map((name) => receiptRows.key(receipt(name)).pk));
    expect(next).toBeUndefined();
    const page = await listReceiptKeys(outside, merchant_id, { limit: 1 }, times);
    expect(page.keys).toHaveLength(1);
    expect(page.next).toBeDefined();
  });
});

describe('texts that nobody has dealt with', () => {
  test('are listed up to a given number', async () => {
    const unread = { state: 'unread', reason: undefined } as const;
    await store({
      one: { ...unread, received_at: minutesAgo(1) },
      two: { ...unread, received_at: minutesAgo(2) },
      read: { ...unread, reference: 'MK-0123456789' },
      held: {},
    });
    const listed = async (limit: number) => (await listReceipts(outside, merchant_id, 'unread', { limit })).receipts;
    expect(named(await listed(5)).toSorted()).toEqual(['one', 'two']);
    expect(await listed(1)).toHaveLength(1);
  });
});

describe('payments noted on a charge', () => {
  const reference = 'MK-0123456789';
  const noted = (...names: string[]) => ({
    reference,
    state: 'pending' as const,
    second_receipts: names.map((name) => `${number}-${name}`),
  });
  const second = (reason: Receipt['reason'], minutes: number) => ({
    reason,
    suggested_reference: reference,
    received_at: minutesAgo(minutes),
  });

  test('are its second and late payments, oldest first', async () => {
    await store({
      late: second('charge_expired', 2),
      afterReversal: second('charge_reversed', 4),
      conflict: second('conflict', 1),
      second: second('already_paid', 3),
      unnoted: second('already_paid', 5),
      unclear: second('several_fit', 6),
      counted: { ...second('already_paid', 7), state: 'matched' },
      anothers: { ...second('already_paid', 8), suggested_reference: 'MK-9876543210' },
      nobodys: { ...second('already_paid', 9), suggested_reference: undefined },
    });
    const charge = noted('late', 'afterReversal', 'conflict', 'second', 'unclear', 'counted', 'anothers', 'nobodys');
    expect(named(await notedReceiptsOf(outside, charge))).toEqual(['afterReversal', 'second', 'late', 'conflict']);
    expect(named(await secondReceiptsOf(outside, charge))).toEqual(['second']);
    expect(named(await secondReceiptsOf(outside, { ...charge, state: 'success' }))).toEqual(['second', 'conflict']);
  });

  test('include those that wait for another reason, which are never second or late payments', async () => {
    const aside = { by: 'ama', at: minutesAgo(0) };
    await store({
      large: second('large_amount', 1),
      disputed: second('charge_disputed', 2),
      owed: second('already_paid', 3),
      aside: { ...second('large_amount', 4), set_aside: aside },
      assigned: { ...second('large_amount', 5), state: 'matched' },
      reversed: second('reversed', 6),
      anothers: { ...second('large_amount', 7), suggested_reference: 'MK-9876543210' },
    });
    const { second_receipts: ids } = noted('large', 'owed', 'aside', 'assigned', 'reversed', 'anothers');
    const charge = { ...noted('disputed', 'owed'), waiting_receipts: ids };
    expect(named(await heldReceiptsOf(outside, charge))).toEqual(['aside', 'owed', 'disputed', 'large']);
    expect(named(await waitingReceiptsOfAll(outside, [charge]))).toEqual(['disputed', 'large']);
    expect(named(await notedReceiptsOf(outside, charge))).toEqual(['owed']);
    expect(named(await secondReceiptsOf(outside, { ...charge, state: 'success' }))).toEqual(['owed']);
  });

  test('are an empty list if the charge has none', async () => {
    const { second_receipts: _, ...charge } = noted();
    expect(await notedReceiptsOf(outside, charge)).toEqual([]);
    expect(await secondReceiptsOf(outside, charge)).toEqual([]);
    expect(await secondReceiptsOfAll(outside, [charge])).toEqual(new Map([[reference, []]]));
  });

  test('are listed per charge if several charges are read', async () => {
    await store({
      one: second('already_paid', 1),
      two: { ...second('already_paid', 2), suggested_reference: 'MK-2' },
      unnoted: second('already_paid', 3),
    });
    const other = { ...noted('two', 'one', 'unnoted'), reference: 'MK-2' };
    const found = await secondReceiptsOfAll(outside, [noted('one', 'two'), other]);
    expect([...found].map(([of, receipts]) => [of, named(receipts)])).toEqual([
      [reference, ['one']],
      ['MK-2', ['two']],
    ]);
  });
});

describe('a list of receipts', () => {
  test('contains the receipts of one merchant, or those without a merchant', async () => {
    const unique = newNumber();
    await store({ own: {}, nobodys: { merchant_id: undefined, sender: unique }, anothers: { merchant_id: 'another' } });
    expect(named((await listReceipts(outside, merchant_id, 'held', { limit: 9 })).receipts)).toEqual(['own']);
    const { receipts } = await listReceipts(outside, undefined, 'held', { limit: 100 });
    expect(named(receipts.filter(({ sender }) => sender === unique))).toEqual(['nobodys']);
    expect(await outside.table.get(receiptRows.key(receipt('nobodys')))).toMatchObject({
      gsi1pk: 'NOBODY#RECEIPT#held',
    });
  });

  test('is read in smaller steps if its texts may be large', async () => {
    const three = { one: {}, two: {}, three: {} };
    const unread = { state: 'unread', reason: undefined } as const;
    await store({ ...three, four: unread, five: unread, six: unread });
    const readsOf = async (list: ReceiptList) => {
      requests.length = 0;
      const { receipts } = await listReceipts(outside, merchant_id, list, { limit: 9, budget: 100 });
      return [receipts.length, requests.filter((one) => one === 'BatchGetItem').length];
    };
    expect(await readsOf('held')).toEqual([3, 1]);
    expect(await readsOf('unread')).toEqual([3, 2]);
  });

  test('excludes a receipt that was assigned to a merchant or counted a moment ago', async () => {
    await store({ given: {}, counted: {}, own: {} });
    await changeBehindIndex('given', { merchant_id: 'another' });
    await changeBehindIndex('counted', { state: 'matched' });
    expect(named((await listReceipts(outside, merchant_id, 'held', { limit: 9 })).receipts)).toEqual(['own']);
  });
});

test('a changed receipt keeps its original expiry time', async () => {
  await store({ one: { expires_at_epoch_seconds: 4_000_000_000 } });
  const [before] = await getReceipts(outside, [`${number}-one`]);
  if (!before) throw new Error('The receipt is gone');
  await outside.table.write([
    replaceReceipt(before, { ...before, reason: 'conflict', expires_at_epoch_seconds: 5_000_000_000 }),
  ]);
  expect(await getReceipts(outside, [`${number}-one`])).toEqual([{ ...before, reason: 'conflict' }]);
});
