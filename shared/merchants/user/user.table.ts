/**
 * user   USER#<id> / USER          a dashboard user. Kept for a while after removal, for the audit log
 *   gsi1   MERCHANT#<merchant>#USER / <created_at>#<id>     OPERATOR#USER for operators. Not set for removed users
 * team   TEAM#<merchant> / TEAM    the number of a merchant's owners, which never goes back to zero
 */
import * as z from 'zod/mini';
import { type Clock, nowIso, type TableOutside } from '../../runtime/outside/outside.ts';
import { endOfRetention, RETENTION } from '../../runtime/outside/retention.ts';
import { rows } from '../../runtime/table/rows.ts';
import type { Item, TableWrite } from '../../runtime/table/table.ts';
import { PublicError } from '../../runtime/values/errors.ts';
import { roles } from './permissions.ts';

const User = z.object({
  user_id: z.string(),
  name: z.string(),
  role: z.enum(roles),
  merchant_id: z.optional(z.string()),
  created_at: z.string(),
  removed_at: z.optional(z.string()),
});
export type User = z.infer<typeof User>;

/** All users, including removed users, who are kept but not listed. */
export const userRows = rows(User, {
  pk: 'USER#<user_id>',
  sk: 'USER',
  gsi1: {
    pk: ({ merchant_id }: Pick<User, 'merchant_id'>) =>
      merchant_id === undefined ? 'OPERATOR#USER' : `MERCHANT#${merchant_id}#USER`,
    sk: '<created_at>#<user_id>',
  },
  changed: 'Somebody else has just changed this person’s details. Check them, then try again.',
});

export function getUsers(outside: TableOutside, userIds: readonly string[]): Promise<User[]> {
  return userRows.findMany(
    outside,
    userIds.map((user_id) => ({ user_id })),
  );
}

export async function listUsers(outside: TableOutside, merchant_id: string | undefined): Promise<User[]> {
  return (await userRows.list(outside, { merchant_id })).filter(({ removed_at }) => removed_at === undefined);
}

export function createUser(user: User): TableWrite[] {
  return [userRows.create(user), ...countOwners(user, user.role === 'owner' ? 1 : 0)];
}

/** Changes a user's role. The writes fail if the user has changed or is the last owner. */
export function changeRole(user: User, role: User['role']): TableWrite[] {
  return [
    unlessChanged(user, { role }),
    ...countOwners(user, Number(role === 'owner') - Number(user.role === 'owner')),
  ];
}

export function removeUser(outside: Clock, user: User): TableWrite[] {
  const at = nowIso(outside);
  const end = endOfRetention({ retentionDays: RETENTION.defaultDays }, at).expires_at_epoch_seconds;
  return [
    unlessChanged(user, { removed_at: at, expires_at_epoch_seconds: end, gsi1pk: undefined, gsi1sk: undefined }),
    ...countOwners(user, user.role === 'owner' ? -1 : 0),
  ];
}

function unlessChanged(user: User, set: Item): TableWrite {
  const when = '#role = :was AND attribute_not_exists(removed_at)';
  return userRows.change(user, set, { when, values: { ':was': user.role }, refused: userRows.changed });
}

/** Updates the number of owners. At least one owner must remain. */
function countOwners({ merchant_id }: User, difference: number): TableWrite[] {
  if (merchant_id === undefined || difference === 0) return [];
  const update = { Key: { pk: `TEAM#${merchant_id}`, sk: 'TEAM' }, UpdateExpression: 'ADD owners :difference' };
  if (difference > 0) return [{ update: { ...update, ExpressionAttributeValues: { ':difference': difference } } }];
  return [
    {
      update: {
        ...update,
        ConditionExpression: 'owners > :one',
        ExpressionAttributeValues: { ':difference': difference, ':one': 1 },
      },
      refused: () =>
        new PublicError('invalid_request', 'A merchant needs at least one owner. Make another person an owner first.'),
    },
  ];
}

export async function namesOf(outside: TableOutside, userIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const users = await getUsers(outside, userIds);
  return new Map(users.map(({ user_id, name }) => [user_id, name]));
}
