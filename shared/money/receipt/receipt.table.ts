/*
 * receipt   RECEIPT#<receipt id> / RECEIPT   for a payment, the id is <network>-<momo number>-<network's id>
 *   gsi1   MERCHANT#<merchant>#RECEIPT#<list> / <received_at>#<receipt id>      <list> is the state, `set_aside` or `decided`; NOBODY#RECEIPT#… if the merchant is unknown
 *   gsi2   HELD#<momo number>#<pesewas> / <received_at>#<payer's number, if it may get a code>#<receipt id>     while the payment is held; the key ends in `#proven` once the payment is verified
 *          ASIDE#<momo number>#<pesewas> / as above                              once the payment is set aside
 * payment use   PAYMENT#<network>#<network's id> / PAYMENT   the charge that a payment paid through one of its texts;
 *                                                             no charge if the network reversed the payment first
 * typed use     PAYMENT#<network>#<network's id> / TYPED#<merchant>   the charge that the merchant marked as paid by typing the id
 */

import * as z from 'zod/mini';
import type { Merchant } from '../../merchants/merchant/merchant.ts';
import { isoOf, type TableOutside, type TimedOutside } from '../../runtime/outside/outside.ts';
import { Changed } from '../../runtime/table/contention.ts';
import { rows, wholeAsRead } from '../../runtime/table/rows.ts';
import {
  asRead,
  checkItem,
  createItem,
  type Item,
  type Page,
  type PageStart,
  putItem,
  type TableWrite,
} from '../../runtime/table/table.ts';
import { type BudgetedPage, listWithin } from '../../runtime/table/within-budget.ts';
import { MINUTE_MS } from '../../runtime/values/calendar.ts';
import { sha256Bytes } from '../../runtime/values/sha256.ts';
import { isSettled } from '../charge/charge.ts';
import { UNITS_OF_RECEIPT } from '../payment/payment.ts';
import {
  codePhoneOf,
  type HeldReason,
  isAssignable,
  isTestTransactionId,
  listOf,
  type PaymentReceipt,
  Receipt,
  type ReceiptList,
} from './receipt.ts';

export const receiptRows = rows(Receipt, { pk: 'RECEIPT#<receipt_id>', sk: 'RECEIPT' });
const indexPartition = (merchantId: string | undefined, list: ReceiptList) =>
  `${merchantId === undefined ? 'NOBODY' : `MERCHANT#${merchantId}`}#RECEIPT#${list}`;
type Held = 'HELD' | 'ASIDE';
const amountPartition = (kind: Held, momoNumber: string, amountPesewas: number) =>
  `${kind}#${momoNumber}#${amountPesewas}`;

export function getReceipts(outside: TableOutside, receiptIds: readonly string[]): Promise<Receipt[]> {
  return receiptRows.findMany(
    outside,
    receiptIds.map((receipt_id) => ({ receipt_id })),
  );
}

interface Noting {
  readonly reference: string;
  readonly second_receipts?: string[] | undefined;
}

/** Leaves out of a receipt everything that a reader may not see. */
export type View = (receipt: Receipt) => Receipt;

interface Waiting {
  readonly reference: string;
  readonly waiting_receipts?: string[] | undefined;
}

type NotingSecond = Noting & Parameters<typeof isSettled>[0];

export async function secondReceiptsOf(
  outside: TableOutside,
  charge: NotingSecond,
  view?: View,
): Promise<PaymentReceipt[]> {
  return (await secondReceiptsOfAll(outside, [charge], view)).get(charge.reference) ?? [];
}

export async function secondReceiptsOfAll(
  outside: TableOutside,
  charges: readonly NotingSecond[],
  view?: View,
): Promise<ReadonlyMap<string, PaymentReceipt[]>> {
  const noted = await notedReceiptsOfAll(outside, charges, view);
  const secondOf = (charge: NotingSecond) =>
    (noted.get(charge.reference) ?? []).filter((receipt) => isSecond(receipt, charge));
  return new Map(charges.map((charge) => [charge.reference, secondOf(charge)]));
}

/** True for a payment that arrived after its charge had been paid, even if another text contradicts it. */
export function isSecond({ reason }: Pick<Receipt, 'reason'>, charge: Parameters<typeof isSettled>[0]): boolean {
  return reason === 'already_paid' || (reason === 'conflict' && isSettled(charge));
}

/** Hold reasons for a payment whose charge has expired or was reversed. */
export const LATE: ReadonlySet<HeldReason | undefined> = new Set(['charge_expired', 'charge_reversed']);

/** Hold reasons whose money is owed to the customer if the payment is verified. */
export const OWED: ReadonlySet<HeldReason | undefined> = new Set(['already_paid', 'charge_cancelled', ...LATE]);

/** Returns a charge's second payments. For a payment request's expired charge, also returns its late payments. */
export async function notedReceiptsOf(outside: TableOutside, charge: Noting, view?: View): Promise<PaymentReceipt[]> {
  return (await notedReceiptsOfAll(outside, [charge], view)).get(charge.reference) ?? [];
}

export async function notedReceiptsOfAll(
  outside: TableOutside,
  charges: readonly Noting[],
  view?: View,
): Promise<ReadonlyMap<string, PaymentReceipt[]>> {
  const ids = charges.map(({ reference, second_receipts = [] }) => [reference, second_receipts] as const);
  const noted = (await heldForCharges(outside, ids, view)).filter(({ reason }) => isNoted(reason));
  return Map.groupBy(noted, ({ suggested_reference = '' }) => suggested_reference);
}

/** Returns a charge's noted payments that are still held for it, for any reason. */
export function heldReceiptsOf(outside: TableOutside, charge: Noting & Waiting): Promise<PaymentReceipt[]> {
  return heldForCharges(outside, [[charge.reference, allNoted(charge)]]);
}

/** Returns the payments that wait for a decision, except second and late payments. */
export async function waitingReceiptsOfAll(
  outside: TableOutside,
  charges: readonly (Noting & Waiting)[],
  view?: View,
): Promise<PaymentReceipt[]> {
  const ids = charges.map((charge) => [charge.reference, allNoted(charge)] as const);
  const held = await heldForCharges(outside, ids, view);
  return held.filter(({ reason, set_aside }) => reason !== 'already_paid' && !LATE.has(reason) && !set_aside);
}

function allNoted({ second_receipts = [], waiting_receipts = [] }: Noting & Waiting): string[] {
  return [...new Set([...second_receipts, ...waiting_receipts])];
}

/** Returns those of the charges' receipts that are still held for them, oldest first. */
async function heldForCharges(
  outside: TableOutside,
  charges: readonly (readonly [reference: string, ids: readonly string[]])[],
  view: View = (receipt) => receipt,
): Promise<PaymentReceipt[]> {
  const found = await getReceipts(
    outside,
    charges.flatMap(([, ids]) => ids),
  );
  const named = new Map(charges.map(([reference, ids]) => [reference, new Set(ids)]));
  return found
    .map(view)
    .filter(isAssignable)
    .filter((one) => named.get(one.suggested_reference ?? '')?.has(one.receipt_id))
    .toSorted((one, other) => one.received_at.localeCompare(other.received_at));
}

function isNoted(reason: Receipt['reason']): boolean {
  return reason === 'already_paid' || reason === 'conflict' || LATE.has(reason);
}

/** Lists a merchant's receipts. If `merchantId` is undefined, lists receipts without a merchant. */
export async function listReceipts(
  outside: TableOutside,
  merchantId: string | undefined,
  list: ReceiptList,
  page: BudgetedPage,
): Promise<{ receipts: Receipt[]; next: PageStart | undefined }> {
  const units = list === 'unread' ? undefined : { largest: UNITS_OF_RECEIPT };
  const { items, next } = await listWithin(outside.table, ['gsi1', indexPartition(merchantId, list)], page, units);
  // The index lags behind, so a receipt may have moved to another list or merchant.
  const receipts = items.map(receiptRows.parse).filter((one) => one.merchant_id === merchantId && listOf(one) === list);
  return { receipts, next };
}

export function receivedBetween({ fromMs, toMs }: { fromMs: number; toMs: number }): readonly [string, string] {
  return [isoOf(fromMs), `${isoOf(toMs)}~`];
}

export function listReceiptKeys(
  outside: TableOutside,
  merchantId: string,
  page: Page,
  times: { fromMs: number; toMs: number },
): Promise<{ keys: PageStart[]; next: PageStart | undefined }> {
  const between = receivedBetween(times);
  return outside.table.listIndexKeys('gsi1', indexPartition(merchantId, 'matched'), { ...page, between });
}

/**
 * Returns a version that changes when a receipt is added to or removed from a list. The version is built from times,
 * because a version built from ids would help somebody to guess the ids.
 */
export async function versionOfReceipts(outside: TableOutside, merchantId: string, list: ReceiptList, limit: number) {
  const { keys } = await outside.table.listIndexKeys('gsi1', indexPartition(merchantId, list), {
    newestFirst: true,
    limit,
  });
  return versionOf(keys.map(({ sort }) => sort.split('#')[0]).join(' '));
}

function versionOf(facts: string): string {
  return sha256Bytes(facts).toString('base64url').slice(0, 16);
}

const CHECKED_MS = 5 * MINUTE_MS;

/**
 * Returns a version that changes when a held payment on the page arrives, disappears or gets a new proof. The page
 * shows the newest `limit` payments and those of the given amount.
 */
export async function versionOfArrived(
  outside: TimedOutside,
  merchant: Paid,
  limit: number,
  ofAmount?: AmountPage,
): Promise<string> {
  const [newest, { keys: own }] = await Promise.all([
    outside.table.listIndexKeys('gsi1', indexPartition(merchant.merchant_id, 'held'), { newestFirst: true, limit }),
    ofAmount ? keysOfAmount(outside, merchant, ofAmount) : { keys: [] },
  ]);
  const keys = [...newest.keys, ...own];
  const known = await readFresh(outside, keys, ['received_at', 'reason', 'proof']);
  const facts = known.map(({ received_at, reason, proof }) => JSON.stringify([received_at, reason, proof])).toSorted();
  return versionOf(JSON.stringify([keys.map(({ sort }) => sort.split('#')[0]), facts]));
}

/**
 * Counts the payments that are waiting for a person, up to `most`. Counts index keys, and reads only the recent
 * payments, which may still be in `checking`.
 */
export async function countHeld(outside: TimedOutside, merchantId: string, most: number): Promise<number> {
  const newest = { newestFirst: true, limit: most } as const;
  const { keys } = await outside.table.listIndexKeys('gsi1', indexPartition(merchantId, 'held'), newest);
  if (keys.length === most) return most;
  const fresh = await readFresh(outside, keys, ['reason']);
  return keys.length - fresh.filter(({ reason }) => reason === 'checking').length;
}

function readFresh(
  { table, now }: TimedOutside,
  keys: readonly PageStart[],
  fields: readonly string[],
): Promise<Item[]> {
  const checkedFrom = isoOf(now() - CHECKED_MS);
  return table.getMany(
    keys.filter(({ sort }) => sort >= checkedFrom),
    fields,
  );
}

/**
 * Maximum number of held payments of one amount to list for a payer. If there are more, the payer must contact the
 * merchant.
 */
const MAX_HELD_OF_PAYER = 10;
const MAX_HELD_OF_AMOUNT = 1_000;

/**
 * Lists the held payments of a given amount that a payer's number has sent to a wallet since a given time (ISO), newest
 * first.
 */
export async function listHeldOfPayer(
  outside: TableOutside,
  { momoNumber, phone, amountPesewas }: { momoNumber: string; phone: string; amountPesewas: number },
  since: string,
): Promise<Receipt[]> {
  const page = { between: [since, '~'], newestFirst: true, limit: MAX_HELD_OF_AMOUNT } as const;
  const partition = amountPartition('HELD', momoNumber, amountPesewas);
  const { keys } = await outside.table.listIndexKeys('gsi2', partition, page);
  const theirs = keys.filter(({ sort }) => sort.split('#')[1] === phone).slice(0, MAX_HELD_OF_PAYER);
  const receipts = (await outside.table.getMany(theirs)).map(receiptRows.parse);
  return receipts.toSorted((one, other) => (one.received_at < other.received_at ? 1 : -1));
}

export interface AmountPage extends Required<Pick<Page, 'between' | 'limit'>> {
  readonly amountPesewas: number;
  readonly from: number;
}

/**
 * Lists held payments of a given amount on a merchant's numbers: verified ones first, then newest first. `next`: start
 * of the next page, if any.
 */
export async function listHeldOfAmount(outside: TableOutside, merchant: Paid, page: AmountPage) {
  const { keys, next } = await keysOfAmount(outside, merchant, page);
  const found = await getReceipts(outside, keys.map(receiptIdOf));
  const receipts = keys.flatMap((key) => found.find(({ receipt_id }) => receipt_id === receiptIdOf(key)) ?? []);
  const { merchant_id } = merchant;
  return { receipts: receipts.filter((one) => one.merchant_id === merchant_id && listOf(one) === 'held'), next };
}

export async function listSendable(outside: TableOutside, merchant: Paid, page: AmountPage) {
  const { keys, next } = await keysOfAmount(outside, merchant, page, ['HELD', 'ASIDE']);
  const receipts = await getReceipts(outside, keys.map(receiptIdOf));
  return { receipts: receipts.filter(isAssignable), next };
}

type Paid = Pick<Merchant, 'merchant_id' | 'momo_accounts'>;

const PROVEN = '#proven';

async function keysOfAmount(
  { table }: TableOutside,
  { momo_accounts }: Paid,
  { amountPesewas, between, from, limit }: AmountPage,
  kinds: readonly Held[] = ['HELD'],
): Promise<{ keys: PageStart[]; next: number | undefined }> {
  const partitions = new Set(
    momo_accounts.flatMap(({ number }) => kinds.map((kind) => amountPartition(kind, number, amountPesewas))),
  );
  const newest = { between, newestFirst: true, limit: MAX_HELD_OF_AMOUNT } as const;
  const found = await Promise.all([...partitions].map((one) => table.listIndexKeys('gsi2', one, newest)));
  const rankOf = ({ sort }: PageStart) => `${Number(sort.endsWith(PROVEN))}${sort}`;
  const keys = found.flatMap((one) => one.keys).toSorted((one, other) => (rankOf(one) < rankOf(other) ? 1 : -1));
  return { keys: keys.slice(from, from + limit), next: from + limit < keys.length ? from + limit : undefined };
}

function receiptIdOf({ pk }: PageStart): string {
  return pk.slice('RECEIPT#'.length);
}

const MAX_MATCHED = 300;

/** Lists a merchant's newest matched payments that arrived in a period (ISO). */
export async function listMatched(
  outside: TableOutside,
  merchantId: string,
  [from, to]: readonly [string, string],
): Promise<z.output<typeof PaidBy>[]> {
  const page = { between: [from, to], newestFirst: true, limit: MAX_MATCHED } as const;
  const { keys } = await outside.table.listIndexKeys('gsi1', indexPartition(merchantId, 'matched'), page);
  const items = await outside.table.getMany(keys, Object.keys(PaidBy.shape));
  return items.map((item) => z.parse(PaidBy, item));
}

const PaidBy = z.pick(Receipt, {
  received_at: true,
  amount_pesewas: true,
  payer_name: true,
  payer_phone: true,
  reference: true,
});

/** Creates a receipt. Fails with `ReceiptChanged` if the receipt or its reversal already exists. */
export function createReceipt(receipt: Receipt): TableWrite {
  return createItem(itemOf(receipt), receiptChanged);
}

export function removeReceipt(receipt: Receipt): TableWrite {
  return receiptRows.remove(receipt, { ...wholeAsRead(Receipt, receipt), refused: receiptChanged });
}

export function replaceReceipt(before: Receipt, after: Receipt): TableWrite {
  const { expires_at_epoch_seconds } = before;
  return putItem(itemOf({ ...after, expires_at_epoch_seconds }), {
    ...wholeAsRead(Receipt, before),
    refused: receiptChanged,
  });
}

/** Fails with `ReceiptChanged` if the receipt is no longer as read: `undefined` if it did not exist. */
export function checkReceipt(receipt_id: string, read: Receipt | undefined): TableWrite {
  const unchanged = read ? wholeAsRead(Receipt, read) : { when: 'attribute_not_exists(pk)' };
  return checkItem(receiptRows.key({ receipt_id }), { ...unchanged, refused: receiptChanged });
}

/** Thrown if another writer stored the receipt first. `receipt`: the stored version. */
export class ReceiptChanged extends Changed {
  readonly receipt: Receipt;
  constructor(receipt: Receipt) {
    super('receipt_not_held', `The receipt is now ${receipt.state}. Check it again.`);
    this.receipt = receipt;
  }
}

function receiptChanged(current?: Item): Changed {
  // The receipt of a charge marked as paid is removed once a text replaces it.
  return current ? new ReceiptChanged(receiptRows.parse(current)) : new Gone();
}

function itemOf(receipt: Receipt) {
  const { receipt_id, merchant_id, received_at } = receipt;
  const listed = { gsi1pk: indexPartition(merchant_id, listOf(receipt)), gsi1sk: `${received_at}#${receipt_id}` };
  return receiptRows.item({ ...listed, ...amountKey(receipt), ...receipt });
}

function amountKey(receipt: Receipt): { gsi2pk?: string; gsi2sk?: string } {
  const { receipt_id, momo_number, amount_pesewas, received_at } = receipt;
  const kind = (
    { held: 'HELD', set_aside: 'ASIDE', matched: undefined, unread: undefined, decided: undefined } as const
  )[listOf(receipt)];
  if (!kind || !momo_number || amount_pesewas === undefined) return {};
  const gsi2sk = [received_at, codePhoneOf(receipt) ?? '', receipt_id].join('#');
  const isProven = receipt.proof?.state === 'proven';
  return { gsi2pk: amountPartition(kind, momo_number, amount_pesewas), gsi2sk: `${gsi2sk}${isProven ? PROVEN : ''}` };
}

const PaymentUse = z.object({ receipt_id: z.string(), reference: z.optional(z.string()) });
export type PaymentUse = z.infer<typeof PaymentUse>;

export const paymentUseRows = rows(PaymentUse, { pk: 'PAYMENT#<network>#<transaction_id>', sk: 'PAYMENT' });
export const typedUseRows = rows(PaymentUse, { pk: 'PAYMENT#<network>#<transaction_id>', sk: 'TYPED#<merchant_id>' });

type PaymentId = Pick<PaymentReceipt, 'network' | 'transaction_id'>;
type OfPayment = PaymentId & Pick<PaymentReceipt, 'receipt_id' | 'marked' | 'expires_at_epoch_seconds'>;

interface UsedFor {
  readonly reference: string;
  readonly merchant_id: string;
}

/**
 * Finds the record that a payment's id is in use, either by one of the payment's texts or because one of these
 * merchants typed the id.
 */
export async function findUse(
  outside: TableOutside,
  payment: PaymentId,
  merchantIds: readonly string[],
): Promise<PaymentUse | undefined> {
  const found = await Promise.all([
    paymentUseRows.find(outside, payment),
    ...merchantIds.map((merchant_id) => typedUseRows.find(outside, { ...payment, merchant_id })),
  ]);
  return found.find((use) => use !== undefined);
}

export async function ownUse(
  outside: TableOutside,
  payment: OfPayment,
  merchant_id: string,
): Promise<PaymentUse | undefined> {
  const use = payment.marked
    ? await typedUseRows.find(outside, { ...payment, merchant_id })
    : await paymentUseRows.find(outside, payment);
  return use?.receipt_id === payment.receipt_id ? use : undefined;
}

/**
 * Records that a payment is used for a charge. If the network reversed the payment before its text arrived, the payment
 * is used for no charge. The record is removed once the payment is held again. A test payment's record expires with its
 * receipt. Fails with `PaymentUsed` if a different receipt for the payment was used before, because a network's id
 * identifies one payment. An id that a merchant typed counts only for that merchant, on all of the merchant's numbers.
 * `over`: the uses of the id that the payment takes over.
 */
export function usePayment(payment: OfPayment, charge: UsedFor | undefined, over: Over = {}): TableWrite[] {
  const { transaction_id, receipt_id, marked, expires_at_epoch_seconds } = payment;
  const use: PaymentUse = { receipt_id, reference: charge?.reference };
  const ends = isTestTransactionId(transaction_id) ? { expires_at_epoch_seconds } : {};
  const refused = (current?: Item) => (current ? new PaymentUsed(paymentUseRows.parse(current)) : new Gone());
  const [text, typed] = [paymentUseRows.key(payment), charge && typedUseRows.key({ ...payment, ...charge })];
  const free = { when: 'attribute_not_exists(pk)', refused };
  const { receipt_id: other, reference } = over.foreign ?? {};
  const foreign = over.foreign && { ...asRead({ receipt_id: other, reference }), refused };
  // Marking a charge as paid does not take an id from another wallet's text.
  if (marked && typed) return [createItem({ ...typed, ...use, ...ends }, refused), checkItem(text, foreign ?? free)];
  const item = { ...text, ...use, ...ends };
  const used = foreign ? putItem(item, foreign) : createItem(item, refused);
  return [used, ...(typed && !over.isTyped ? [checkItem(typed, free)] : [])];
}

/**
 * Existing uses of an id that a payment's text takes over: by a typed entry, by an unverified text to another wallet,
 * or by a part of the same charge.
 */
export interface Over {
  readonly isTyped?: boolean;
  readonly foreign?: PaymentUse | undefined;
}

/** Removes the record that a payment is used. Keeps the record if another wallet's text has taken it over. */
export function releasePayment(
  payment: PaymentId & Pick<OfPayment, 'marked'>,
  charge: UsedFor,
  { use_lost }: Pick<Receipt, 'use_lost'>,
): TableWrite[] {
  if (use_lost) return [];
  const read = asRead({ reference: charge.reference });
  if (payment.marked) return [typedUseRows.remove({ ...payment, ...charge }, read)];
  return [paymentUseRows.remove(payment, read)];
}

/** Thrown if the use that a payment was meant to take over has ended, or the receipt no longer exists. */
class Gone extends Changed {
  constructor() {
    super('receipt_not_held', 'Another text about this payment has changed. Check the payment again.');
  }
}

/** Thrown if a different receipt for the payment has already paid a charge, or the network reversed the payment. */
export class PaymentUsed extends Changed {
  readonly use: PaymentUse;
  constructor(use: PaymentUse) {
    super(
      'receipt_not_held',
      use.reference === undefined
        ? 'The network reversed this payment.'
        : 'Another text with the same transaction ID has already paid a charge. One payment can pay only one charge.',
    );
    this.use = use;
  }
}
