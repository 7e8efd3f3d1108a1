import type { Outside } from '../../runtime/outside/outside.ts';
import { getUsers } from './user.table.ts';

/** The names of people by their ids, in one read; those who were removed have none. */
export async function namesOf(
  outside: Pick<Outside, 'table'>,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const users = userIds.length > 0 ? await getUsers(outside, [...new Set(userIds)]) : [];
  return new Map(users.map(({ user_id, name }) => [user_id, name]));
}
