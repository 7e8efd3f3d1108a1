/*
 * API key   KEY#<sha256 of the key> / KEY   listed in gsi1 under MERCHANT#<merchant>#KEY / <created_at>, also those of its twin
 * The key itself is shown once, when it is made, and never stored.
 */
import * as z from 'zod/mini';
import { cached } from '../../runtime/outside/cached.ts';
import { type Clock, nowIso, type Outside, type TableOutside } from '../../runtime/outside/outside.ts';
import { changeItem, createItem, listWholeIndex, type TableWrite } from '../../runtime/table/table.ts';
import { keyKinds, keyPermissions } from '../../runtime/triggers/row.ts';
import { PublicError } from '../../runtime/values/errors.ts';
import { originalIdOf } from './twin.ts';

const ApiKey = z.object({
  hash: z.string(),
  kind: z.enum(keyKinds),
  /** Of a test key, the twin of the merchant that it was made for. */
  merchant_id: z.string(),
  /** The key's last four characters, to tell keys apart. */
  hint: z.string(),
  /** How many requests it may make in a second; unset for the default. */
  requests_per_second: z.optional(z.number()),
  /** What it may do; unset for all that its kind may. */
  scope: z.optional(z.array(z.enum(keyPermissions))),
  created_at: z.string(),
  revoked_at: z.optional(z.string()),
  /** Set on a key that another has taken the place of: until then both work. */
  ends_at: z.optional(z.string()),
  /** To an hour or two; unset for never. */
  last_used_at: z.optional(z.string()),
});
export type ApiKey = z.infer<typeof ApiKey>;

const keyOf = (hash: string) => ({ pk: `KEY#${hash}`, sk: 'KEY' });
const indexPartition = (merchantId: string) => `MERCHANT#${originalIdOf(merchantId)}#KEY`;

/** How long a revoked key may still work, and a changed one has its old rate. */
export const KEY_CACHE_SECONDS = 30;

/** Keys that were not revoked, by their hash. */
export const apiKeyCache = cached(KEY_CACHE_SECONDS, async (outside: Outside, hash) => {
  const item = await outside.table.get(keyOf(hash));
  const key = item && z.parse(ApiKey, item);
  return key?.revoked_at ? undefined : key;
});

/** A merchant's keys and its twin's, oldest first. */
export async function listApiKeys(outside: TableOutside, merchantId: string): Promise<ApiKey[]> {
  const items = await listWholeIndex(outside.table, 'gsi1', indexPartition(merchantId));
  return items.map((item) => z.parse(ApiKey, item));
}

export function createApiKey(key: ApiKey): TableWrite {
  return createItem({ ...keyOf(key.hash), gsi1pk: indexPartition(key.merchant_id), gsi1sk: key.created_at, ...key });
}

/** How many requests the key may make in a second, from when it is read again. */
export function setRequestsPerSecond(hash: string, requestsPerSecond: number): TableWrite {
  return changeItem(keyOf(hash), { requests_per_second: requestsPerSecond }, { when: 'attribute_exists(pk)' });
}

/** Has a key end when another has taken its place; refused where it was revoked, or ends already. */
export function endApiKey(hash: string, at: string): TableWrite {
  const when = 'attribute_exists(pk) AND attribute_not_exists(revoked_at) AND attribute_not_exists(ends_at)';
  return {
    ...changeItem(keyOf(hash), { ends_at: at }, { when }),
    refused: () =>
      new PublicError('busy', 'This key was revoked or replaced at the same time. Look at the list of keys again.'),
  };
}

/** A second revocation keeps the first one's time. */
export function revokeApiKey(outside: Clock, hash: string): TableWrite {
  const once = { revoked_at: nowIso(outside) };
  return changeItem(keyOf(hash), {}, { when: 'attribute_exists(pk)', once });
}

/** Records when the key was used; where a later time is known, nothing is left to do. */
export async function setLastUse(outside: TableOutside, hash: string, at: string): Promise<void> {
  const when = 'attribute_exists(pk) AND (attribute_not_exists(last_used_at) OR last_used_at < :last_used_at)';
  await outside.table.update(changeItem(keyOf(hash), { last_used_at: at }, { when }));
}
