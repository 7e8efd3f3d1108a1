import type { Outside } from '../runtime/outside/outside.ts';
import { parseUser, userKey } from './user.table.ts';

/** The names of people by their ids, in one read; those who were removed have none. */
export async function namesOf(
  outside: Pick<Outside, 'table'>,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(userIds)];
  const items = ids.length > 0 ? await outside.table.getMany(ids.map(userKey)) : [];
  return new Map(items.map(parseUser).map(({ user_id, name }) => [user_id, name]));
}
