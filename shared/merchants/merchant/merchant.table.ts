/*
 * merchant       MERCHANT#<id> / MERCHANT     listed in gsi1 under MERCHANTS / <id>
 * MoMo account   MOMO#<number> / <merchant>   whose number it is, to find the merchant of a payment
 */
import * as z from 'zod/mini';
import { cached, SETTINGS_CACHE_SECONDS } from '../../runtime/outside/cached.ts';
import type { Outside, TableOutside } from '../../runtime/outside/outside.ts';
import { createItem, listWholeIndex, type PageStart, type TableWrite } from '../../runtime/table/table.ts';
import { PublicError } from '../../runtime/values/errors.ts';
import { Merchant, MomoAccount } from './merchant.ts';
import { isTwin, originalIdOf, twinOf } from './twin.ts';

const keyOf = (merchantId: string) => ({ pk: `MERCHANT#${merchantId}`, sk: 'MERCHANT' });
const accountKey = (merchantId: string, number: string) => ({ pk: `MOMO#${number}`, sk: merchantId });
const INDEX_PARTITION = 'MERCHANTS';

const AccountOfNumber = z.extend(MomoAccount, { merchant_id: z.string() });
export type AccountOfNumber = z.infer<typeof AccountOfNumber>;

export async function getMerchant(outside: TableOutside, merchantId: string): Promise<Merchant | undefined> {
  const item = await outside.table.get(keyOf(merchantId));
  return item && z.parse(Merchant, item);
}

/** The same for the id of a twin too, whose merchant's row says all of it. */
export async function getMerchantOrTwin(outside: TableOutside, merchantId: string): Promise<Merchant | undefined> {
  const merchant = await getMerchant(outside, originalIdOf(merchantId));
  return merchant && isTwin(merchantId) ? twinOf(merchant) : merchant;
}

export const merchantCache = cached(SETTINGS_CACHE_SECONDS, (outside: Outside, merchantId) =>
  getMerchantOrTwin(outside, merchantId),
);

/** Every merchant, oldest first. */
export async function listMerchants(outside: TableOutside): Promise<Merchant[]> {
  const items = await listWholeIndex(outside.table, 'gsi1', INDEX_PARTITION);
  return items.map((item) => z.parse(Merchant, item));
}

/** A page of merchants after one of them, oldest first; `next` is the last one's id, unless no more follow. */
export async function listMerchantsAfter(outside: TableOutside, after: string | undefined, limit: number) {
  const { items, next } = await outside.table.listIndex('gsi1', INDEX_PARTITION, { start: startAfter(after), limit });
  return { merchants: items.map((item) => z.parse(Merchant, item)), next: next?.sort };
}

/** The ids of merchants after one of them, oldest first and at most `limit`. From the index alone. */
export async function listMerchantIds(
  outside: TableOutside,
  after: string | undefined,
  limit: number,
): Promise<string[]> {
  const { keys } = await outside.table.listIndexKeys('gsi1', INDEX_PARTITION, { start: startAfter(after), limit });
  return keys.map(({ sort }) => sort);
}

function startAfter(merchantId: string | undefined): PageStart | undefined {
  return merchantId === undefined ? undefined : { ...keyOf(merchantId), sort: merchantId };
}

/** The accounts of a MoMo number, one for each merchant that is paid on it. */
export async function listAccountsOfNumber(outside: TableOutside, momoNumber: string): Promise<AccountOfNumber[]> {
  const items = await outside.table.list(`MOMO#${momoNumber}`);
  return items.map((item) => z.parse(AccountOfNumber, item));
}

export function createMerchant(merchant: Merchant): TableWrite[] {
  return [createItem(itemOf(merchant)), ...merchant.momo_accounts.map((account) => putAccount(merchant, account))];
}

/** Replaces a merchant; refused if it was changed since it was read as `before`. */
export function replaceMerchant(before: Merchant, after: Merchant): TableWrite[] {
  const gone = before.momo_accounts.filter(
    ({ number }) => !after.momo_accounts.some((account) => account.number === number),
  );
  return [
    {
      put: { Item: itemOf(after), ...isStill(before) },
      refused: () => new PublicError('busy', 'The merchant was changed by somebody else at the same time. Try again.'),
    },
    ...gone.map(({ number }) => ({ delete: { Key: accountKey(after.merchant_id, number) } })),
    ...after.momo_accounts.map((account) => putAccount(after, account)),
  ];
}

/** The condition that nothing of a merchant is different: two people may change two settings at once. */
function isStill(before: Merchant) {
  const known = z.keyof(Merchant).options.map((field) => [field, before[field]] as const);
  const set = known.filter(([, value]) => value !== undefined);
  return {
    ConditionExpression: known
      .map(([field, value]) => (value === undefined ? `attribute_not_exists(#${field})` : `#${field} = :${field}`))
      .join(' AND '),
    ExpressionAttributeNames: Object.fromEntries(known.map(([field]) => [`#${field}`, field])),
    ExpressionAttributeValues: Object.fromEntries(set.map(([field, value]) => [`:${field}`, value])),
  };
}

function itemOf(merchant: Merchant) {
  return { ...keyOf(merchant.merchant_id), gsi1pk: INDEX_PARTITION, gsi1sk: merchant.merchant_id, ...merchant };
}

function putAccount({ merchant_id }: Merchant, account: MomoAccount): TableWrite {
  return { put: { Item: { ...accountKey(merchant_id, account.number), merchant_id, ...account } } };
}
