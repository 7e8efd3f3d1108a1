/**
 * API key   KEY#<sha256 of the key> / KEY   a live key or a test key
 *   gsi1   MERCHANT#<merchant>#KEY / <created_at>
 *
 * The key itself is shown once, when it is created, and is never stored.
 */
import * as z from 'zod/mini';
import { cached } from '../../runtime/outside/cached.ts';
import { type Clock, nowIso, type Outside, type TableOutside } from '../../runtime/outside/outside.ts';
import { rows } from '../../runtime/table/rows.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { keyKinds, keyPermissions } from '../../runtime/triggers/row.ts';
import { PublicError } from '../../runtime/values/errors.ts';
import { originalIdOf } from './test-account.ts';

const ApiKey = z.object({
  hash: z.string(),
  kind: z.enum(keyKinds),
  /** Id of the merchant. For a test key, id of the merchant's test account. */
  merchant_id: z.string(),
  hint: z.string(),
  requests_per_second: z.optional(z.number()),
  /** The key's permissions. Unset for full access. */
  scope: z.optional(z.array(z.enum(keyPermissions))),
  created_at: z.string(),
  /** Id of the person who made the key. Unset for the command line. */
  made_by: z.optional(z.string()),
  revoked_at: z.optional(z.string()),
  /** Time at which a replaced key stops working. */
  ends_at: z.optional(z.string()),
  /** Time of the last use, accurate to two hours. Unset if the key was never used. */
  last_used_at: z.optional(z.string()),
});
export type ApiKey = z.infer<typeof ApiKey>;

export const apiKeyRows = rows(ApiKey, {
  pk: 'KEY#<hash>',
  sk: 'KEY',
  gsi1: {
    pk: ({ merchant_id }: Pick<ApiKey, 'merchant_id'>) => `MERCHANT#${originalIdOf(merchant_id)}#KEY`,
    sk: '<created_at>',
  },
});

/** Maximum seconds until a revoked key stops working and a new rate limit applies. */
export const KEY_CACHE_SECONDS = 30;

export const apiKeyCache = cached(KEY_CACHE_SECONDS, async (outside: Outside, hash) => {
  const key = await apiKeyRows.find(outside, { hash });
  return key?.revoked_at ? undefined : key;
});

export function setRequestsPerSecond(hash: string, requestsPerSecond: number): TableWrite {
  return apiKeyRows.change({ hash }, { requests_per_second: requestsPerSecond }, { when: 'attribute_exists(pk)' });
}

/** Sets the time at which a replaced key stops working. The write fails if the key was revoked or replaced. */
export function endApiKey(hash: string, at: string): TableWrite {
  const when = 'attribute_exists(pk) AND attribute_not_exists(revoked_at) AND attribute_not_exists(ends_at)';
  const refused = () => new PublicError('busy', 'This key was just revoked or replaced. Check the list of keys.');
  return apiKeyRows.change({ hash }, { ends_at: at }, { when, refused });
}

/** Revokes a key. Revoking it again does not change the time of revocation. */
export function revokeApiKey(outside: Clock, hash: string): TableWrite {
  const once = { revoked_at: nowIso(outside) };
  return apiKeyRows.change({ hash }, {}, { when: 'attribute_exists(pk)', once });
}

/** Makes somebody else responsible for a key. The write fails if the key was revoked. */
export function handOverApiKey(hash: string, madeBy: string | undefined): TableWrite {
  const when = 'attribute_exists(pk) AND attribute_not_exists(revoked_at)';
  const refused = () => new PublicError('busy', 'This key was just revoked. Check the list of keys.');
  return apiKeyRows.change({ hash }, { made_by: madeBy }, { when, refused });
}

/** Records a key's last use, unless a later use is recorded. */
export async function setLastUse(outside: TableOutside, hash: string, at: string): Promise<void> {
  const when = 'attribute_exists(pk) AND (attribute_not_exists(last_used_at) OR last_used_at < :last_used_at)';
  await outside.table.update(apiKeyRows.change({ hash }, { last_used_at: at }, { when }));
}
