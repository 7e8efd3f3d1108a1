import type { TableOutside } from '../../runtime/outside/outside.ts';
import { COMMAND_LINE } from '../audit/audit.table.ts';
import { may } from './permissions.ts';
import { userRows } from './user.table.ts';

/** Returns true while the person who gave a link or code may still give access. Otherwise the link or code is void. */
export async function mayStillGive(outside: TableOutside, by: string): Promise<boolean> {
  if (by === COMMAND_LINE) return true;
  const giver = await userRows.find(outside, { user_id: by });
  return giver !== undefined && giver.removed_at === undefined && may(giver, 'team:write');
}
