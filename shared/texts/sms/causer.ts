import * as z from 'zod/mini';
import { apiKeyCache, KEY_CACHE_SECONDS } from '../../merchants/merchant/api-key.table.ts';
import { type User, userRows } from '../../merchants/user/user.table.ts';
import type { Outside } from '../../runtime/outside/outside.ts';

/** The API key or person that asked for a text. */
export const Causer = z.union([z.object({ key_hash: z.string() }), z.object({ user_id: z.string() })]);
export type Causer = z.infer<typeof Causer>;

/** Returns a person as the one who asked for a text. */
export function asCauser({ user_id }: Pick<User, 'user_id'>): Causer {
  return { user_id };
}

interface Caused {
  /** Unset for the service's own texts, which do not depend on anybody's access. */
  readonly by?: Causer | undefined;
  readonly created_at: string;
}

/**
 * Returns the reason, if any, why the key or person behind a text may no longer send it. A replaced key does not count,
 * because its owner goes on with the new one. A recent text costs no read: a revoked key works for as long.
 */
export async function accessEndedBecause(outside: Outside, { by, created_at }: Caused): Promise<string | undefined> {
  const isRecent = outside.now() - Date.parse(created_at) < KEY_CACHE_SECONDS * 1000;
  if (by === undefined || isRecent) return undefined;
  if ('key_hash' in by) return (await apiKeyCache.get(outside, by.key_hash)) ? undefined : KEY_REVOKED;
  const user = await userRows.find(outside, by);
  return user && user.removed_at === undefined ? undefined : PERSON_REMOVED;
}

const KEY_REVOKED = 'The API key that sent it was revoked';
const PERSON_REMOVED = 'The person who sent it was removed from the team';
