/*
 * merchant   MERCHANT#<id> / MERCHANT   listed in gsi1 under MERCHANTS / <id>
 */
import * as z from 'zod/mini';
import { cached } from '../runtime/cached.ts';
import type { Outside } from '../runtime/outside.ts';
import { SETTINGS_CACHE_SECONDS } from '../runtime/settings-cache.ts';
import type { Piece } from '../runtime/table.ts';
import { Merchant } from './merchant.ts';

const keyOf = (merchantId: string) => ({ pk: `MERCHANT#${merchantId}`, sk: 'MERCHANT' });
const INDEX_PARTITION = 'MERCHANTS';

export async function getMerchant(outside: Pick<Outside, 'table'>, merchantId: string): Promise<Merchant | undefined> {
  const item = await outside.table.get(keyOf(merchantId));
  return item && z.parse(Merchant, item);
}

export const merchantCache = cached(SETTINGS_CACHE_SECONDS, (outside: Outside, merchantId) =>
  getMerchant(outside, merchantId),
);

/** Every merchant, oldest first. For the operator's command line: reads all pages. */
export async function listMerchants(outside: Pick<Outside, 'table'>): Promise<Merchant[]> {
  const items = await outside.table.listIndex('gsi1', INDEX_PARTITION);
  return items.map((item) => z.parse(Merchant, item)).sort((a, b) => a.merchant_id.localeCompare(b.merchant_id));
}

export function createMerchant(merchant: Merchant): Piece {
  return {
    put: {
      Item: { ...keyOf(merchant.merchant_id), gsi1pk: INDEX_PARTITION, gsi1sk: merchant.merchant_id, ...merchant },
      ConditionExpression: 'attribute_not_exists(pk)',
    },
  };
}

/** Changes only what is given; undefined where there is no such merchant. */
export async function setMerchant(
  outside: Pick<Outside, 'table'>,
  merchantId: string,
  changes: Partial<Pick<Merchant, 'momo_accounts' | 'default_from'>>,
): Promise<Merchant | undefined> {
  const entries = Object.entries(changes).filter(([, value]) => value !== undefined);
  const item = await outside.table.update({
    update: {
      Key: keyOf(merchantId),
      UpdateExpression: `SET ${entries.map(([name]) => `#${name} = :${name}`).join(', ')}`,
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeNames: Object.fromEntries(entries.map(([name]) => [`#${name}`, name])),
      ExpressionAttributeValues: Object.fromEntries(entries.map(([name, value]) => [`:${name}`, value])),
    },
  });
  return item && z.parse(Merchant, item);
}
