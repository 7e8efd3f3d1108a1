/*
 * API key   KEY#<sha256 of the key> / KEY   listed in gsi1 under MERCHANT#<merchant>#KEY / <created_at>
 * The key itself is shown once, when it is made, and never stored.
 */
import * as z from 'zod/mini';
import { cached } from '../runtime/outside/cached.ts';
import type { Outside } from '../runtime/outside/outside.ts';
import { listWholeIndex, type TableWrite } from '../runtime/table/table.ts';
import { keyKinds } from '../runtime/triggers/row.ts';

const ApiKey = z.object({
  hash: z.string(),
  kind: z.enum(keyKinds),
  merchant_id: z.string(),
  /** The key's last four characters, to tell keys apart. */
  hint: z.string(),
  /** How many requests it may make in a second; unset for the default. */
  requests_per_second: z.optional(z.number()),
  created_at: z.string(),
  revoked_at: z.optional(z.string()),
});
type ApiKey = z.infer<typeof ApiKey>;

const keyOf = (hash: string) => ({ pk: `KEY#${hash}`, sk: 'KEY' });
const indexPartition = (merchantId: string) => `MERCHANT#${merchantId}#KEY`;

/** How long a revoked key may still work, and a changed one has its old rate. */
export const KEY_CACHE_SECONDS = 30;

/** Valid keys by their hash. */
export const apiKeyCache = cached(KEY_CACHE_SECONDS, async (outside: Outside, hash) => {
  const item = await outside.table.get(keyOf(hash));
  const key = item && z.parse(ApiKey, item);
  return key?.revoked_at ? undefined : key;
});

/** A merchant's keys, oldest first. */
export async function listApiKeys(outside: Pick<Outside, 'table'>, merchantId: string): Promise<ApiKey[]> {
  const items = await listWholeIndex(outside.table, 'gsi1', indexPartition(merchantId));
  return items.map((item) => z.parse(ApiKey, item));
}

export function createApiKey(key: ApiKey): TableWrite {
  return {
    put: {
      Item: { ...keyOf(key.hash), gsi1pk: indexPartition(key.merchant_id), gsi1sk: key.created_at, ...key },
      ConditionExpression: 'attribute_not_exists(pk)',
    },
  };
}

/** How many requests the key may make in a second, from when it is read again. */
export async function setRequestsPerSecond(
  outside: Pick<Outside, 'table'>,
  hash: string,
  requestsPerSecond: number,
): Promise<void> {
  await outside.table.update({
    update: {
      Key: keyOf(hash),
      UpdateExpression: 'SET requests_per_second = :rate',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: { ':rate': requestsPerSecond },
    },
  });
}

/** A second revocation keeps the first one's time. */
export async function revokeApiKey(outside: Pick<Outside, 'table' | 'now'>, hash: string): Promise<void> {
  await outside.table.update({
    update: {
      Key: keyOf(hash),
      UpdateExpression: 'SET revoked_at = if_not_exists(revoked_at, :now)',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: { ':now': new Date(outside.now()).toISOString() },
    },
  });
}
