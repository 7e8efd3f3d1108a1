/**
 * merchant       MERCHANT#<id> / MERCHANT     listed in gsi1 under MERCHANTS / <id>
 * MoMo account   MOMO#<number> / <merchant>   a merchant that is paid on this number. Used to find a payment's merchant
 */
import * as z from 'zod/mini';
import { cached, SETTINGS_CACHE_SECONDS } from '../../runtime/outside/cached.ts';
import type { Outside, TableOutside } from '../../runtime/outside/outside.ts';
import { rows, wholeAsRead } from '../../runtime/table/rows.ts';
import type { PageStart, TableWrite } from '../../runtime/table/table.ts';
import { PublicError } from '../../runtime/values/errors.ts';
import { Merchant, MomoAccount } from './merchant.ts';
import { isTestAccount, originalIdOf, testAccountOf } from './test-account.ts';

const INDEX_PARTITION = 'MERCHANTS';

export const merchantRows = rows(Merchant, {
  pk: 'MERCHANT#<merchant_id>',
  sk: 'MERCHANT',
  gsi1: { pk: INDEX_PARTITION, sk: '<merchant_id>' },
});

const AccountOfNumber = z.extend(MomoAccount, { merchant_id: z.string() });
export type AccountOfNumber = z.infer<typeof AccountOfNumber>;

export const accountRows = rows(AccountOfNumber, { pk: 'MOMO#<number>', sk: '<merchant_id>' });

/** Returns the merchant with this id. Also accepts the id of its test account. */
export async function getMerchantOrTestAccount(
  outside: TableOutside,
  merchantId: string,
): Promise<Merchant | undefined> {
  const merchant = await merchantRows.find(outside, { merchant_id: originalIdOf(merchantId) });
  return merchant && isTestAccount(merchantId) ? testAccountOf(merchant) : merchant;
}

/** Returns the numbers on which a merchant is paid. Returns undefined if the merchant does not exist. */
export async function numbersOfMerchant(outside: TableOutside, merchantId: string): Promise<string[] | undefined> {
  const merchant = await getMerchantOrTestAccount(outside, merchantId);
  return merchant?.momo_accounts.map(({ number }) => number);
}

export const merchantCache = cached(SETTINGS_CACHE_SECONDS, (outside: Outside, merchantId) =>
  getMerchantOrTestAccount(outside, merchantId),
);

export function listMerchants(outside: TableOutside): Promise<Merchant[]> {
  return merchantRows.list(outside, {});
}

export async function listMerchantsAfter(outside: TableOutside, after: string | undefined, limit: number) {
  const { entries, next } = await merchantRows.page(outside, {}, { start: startAfter(after), limit });
  return { merchants: entries, next: next?.sort };
}

/** Lists at most `limit` merchant ids, oldest first. */
export async function listMerchantIds(
  outside: TableOutside,
  after: string | undefined,
  limit: number,
): Promise<string[]> {
  const { keys } = await outside.table.listIndexKeys('gsi1', INDEX_PARTITION, { start: startAfter(after), limit });
  return keys.map(({ sort }) => sort);
}

function startAfter(merchant_id: string | undefined): PageStart | undefined {
  return merchant_id === undefined ? undefined : { ...merchantRows.key({ merchant_id }), sort: merchant_id };
}

export function createMerchant(merchant: Merchant): TableWrite[] {
  return [merchantRows.create(merchant), ...merchant.momo_accounts.map((account) => putAccount(merchant, account))];
}

/** Replaces a merchant. The writes fail if the merchant has changed since it was read. */
export function replaceMerchant(before: Merchant, after: Merchant): TableWrite[] {
  const gone = before.momo_accounts.filter(
    ({ number }) => !after.momo_accounts.some((account) => account.number === number),
  );
  return [
    merchantRows.put(after, {
      ...wholeAsRead(Merchant, before),
      refused: () => new PublicError('busy', 'Somebody else has just changed this merchant. Try again.'),
    }),
    ...gone.map(({ number }) => accountRows.remove({ merchant_id: after.merchant_id, number })),
    ...after.momo_accounts.map((account) => putAccount(after, account)),
  ];
}

function putAccount({ merchant_id }: Merchant, account: MomoAccount): TableWrite {
  return { put: { Item: accountRows.item({ merchant_id, ...account }) } };
}
