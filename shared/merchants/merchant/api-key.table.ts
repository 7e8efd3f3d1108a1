/*
 * API key   KEY#<sha256 of the key> / KEY   listed in gsi1 under MERCHANT#<merchant>#KEY / <created_at>, also those of its twin
 * The key itself is shown once, when it is made, and never stored.
 */
import * as z from 'zod/mini';
import { cached } from '../../runtime/outside/cached.ts';
import { type Clock, nowIso, type Outside, type TableOutside } from '../../runtime/outside/outside.ts';
import { rows } from '../../runtime/table/rows.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
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

/** A merchant's and its twin's are listed together, oldest first. */
export const apiKeyRows = rows(ApiKey, {
  pk: 'KEY#<hash>',
  sk: 'KEY',
  gsi1: {
    pk: ({ merchant_id }: Pick<ApiKey, 'merchant_id'>) => `MERCHANT#${originalIdOf(merchant_id)}#KEY`,
    sk: '<created_at>',
  },
});

/** How long a revoked key may still work, and a changed one has its old rate. */
export const KEY_CACHE_SECONDS = 30;

/** Keys that were not revoked, by their hash. */
export const apiKeyCache = cached(KEY_CACHE_SECONDS, async (outside: Outside, hash) => {
  const key = await apiKeyRows.find(outside, { hash });
  return key?.revoked_at ? undefined : key;
});

/** How many requests the key may make in a second, from when it is read again. */
export function setRequestsPerSecond(hash: string, requestsPerSecond: number): TableWrite {
  return apiKeyRows.change({ hash }, { requests_per_second: requestsPerSecond }, { when: 'attribute_exists(pk)' });
}

/** Has a key end when another has taken its place; refused where it was revoked, or ends already. */
export function endApiKey(hash: string, at: string): TableWrite {
  const when = 'attribute_exists(pk) AND attribute_not_exists(revoked_at) AND attribute_not_exists(ends_at)';
  const refused = () =>
    new PublicError('busy', 'This key was revoked or replaced at the same time. Look at the list of keys again.');
  return apiKeyRows.change({ hash }, { ends_at: at }, { when, refused });
}

/** A second revocation keeps the first one's time. */
export function revokeApiKey(outside: Clock, hash: string): TableWrite {
  const once = { revoked_at: nowIso(outside) };
  return apiKeyRows.change({ hash }, {}, { when: 'attribute_exists(pk)', once });
}

/** Records when the key was used; where a later time is known, nothing is left to do. */
export async function setLastUse(outside: TableOutside, hash: string, at: string): Promise<void> {
  const when = 'attribute_exists(pk) AND (attribute_not_exists(last_used_at) OR last_used_at < :last_used_at)';
  await outside.table.update(apiKeyRows.change({ hash }, { last_used_at: at }, { when }));
}
