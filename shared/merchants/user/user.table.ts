/**
 * user   USER#<id> / USER          a dashboard user. Kept for a while after removal, for the audit log
 *   gsi1   MERCHANT#<merchant>#USER / <created_at>#<id>     OPERATOR#USER for operators. Not set for removed users
 * team   TEAM#<merchant> / TEAM    the number of a merchant's owners with a passkey. Once above zero, only the operator's
 *                                  new link for a lost passkey can bring it back to zero
 */
import * as z from 'zod/mini';
import { type Clock, nowIso, type TableOutside } from '../../runtime/outside/outside.ts';
import { endOfRetention, RETENTION } from '../../runtime/outside/retention.ts';
import { rows } from '../../runtime/table/rows.ts';
import { asRead, type Change, type Item, type TableWrite } from '../../runtime/table/table.ts';
import { PublicError } from '../../runtime/values/errors.ts';
import { NoSuch } from '../../runtime/values/no-such.ts';
import { roles } from './permissions.ts';

const User = z.object({
  user_id: z.string(),
  name: z.string(),
  role: z.enum(roles),
  merchant_id: z.optional(z.string()),
  /** Ids of the user's passkeys. A session or device ends with the passkey that began it. Unset for none. */
  passkeys: z.optional(z.array(z.string())),
  /** Number of API keys that the user has made or taken over. Unset for none. */
  keys_made: z.optional(z.number()),
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

export function createUser(user: User): TableWrite {
  return userRows.create(user);
}

/** Changes a user's role. The writes fail if the user has changed or is the last owner with a passkey. */
export function changeRole(user: User, role: User['role']): TableWrite[] {
  return changeUser(user, { role });
}

/** Counts keys that a user makes or takes over. The write fails if the user was removed. */
export function countKeys(user_id: string, keys: number): TableWrite {
  const refused = () => new PublicError('forbidden', 'You are no longer in the team, so no key was made.');
  return userRows.change({ user_id }, {}, { when: IS_MEMBER, add: { keys_made: keys }, refused });
}

/** Returns the maker of one key. */
export function asMaker({ user_id }: Pick<User, 'user_id'>) {
  return { user_id, counted: countKeys(user_id, 1) };
}

/** Removes a user. The writes fail if the user has changed or is the last owner with a passkey. */
export function removeUser(outside: Clock, user: User): TableWrite[] {
  const at = nowIso(outside);
  const end = endOfRetention({ retentionDays: RETENTION.defaultDays }, at).expires_at_epoch_seconds;
  return changeUser(user, {
    removed_at: at,
    expires_at_epoch_seconds: end,
    gsi1pk: undefined,
    gsi1sk: undefined,
  });
}

/** Lists a user's new passkey. The writes fail if the user has changed or was removed. */
export function addToPasskeys(user: User, id: string): TableWrite[] {
  return changeUser(user, { passkeys: [...(user.passkeys ?? []), id] });
}

/**
 * Ends one of a user's passkeys. The writes fail if the user has changed.
 * @throws PublicError `invalid_request` if it is the only passkey.
 */
export function endPasskey(user: User, id: string): TableWrite[] {
  const passkeys = user.passkeys?.filter((one) => one !== id) ?? [];
  if (passkeys.length === 0)
    throw new PublicError('invalid_request', 'This is your only passkey. Add another one first.');
  return changeUser(user, { passkeys });
}

/**
 * Ends all of a user's passkeys. The writes fail if the user has changed or is the last owner with a passkey, unless
 * the operator helps an owner who has lost it (`isRecovery`).
 */
export function endPasskeys(user: User, isRecovery: boolean): TableWrite[] {
  return changeUser(user, { passkeys: undefined }, isRecovery);
}

/**
 * Returns true while the user still has the passkey that began a session or device. A PIN session, and a session of the
 * local stack's link, began without one.
 */
export function hasPasskeyOf(
  { passkeys = [] }: Pick<User, 'passkeys'>,
  { credential_id }: { readonly credential_id?: string | undefined },
): boolean {
  return credential_id === undefined || passkeys.includes(credential_id);
}

const IS_MEMBER = 'attribute_exists(pk) AND attribute_not_exists(removed_at)';

function changeUser(user: User, set: Partial<User> & Item, isRecovery = false): TableWrite[] {
  const { when, values } = asRead({ role: user.role, passkeys: user.passkeys, keys_made: user.keys_made });
  const difference = Number(isCounted({ ...user, ...set })) - Number(isCounted(user));
  const change: Change = { when: `${IS_MEMBER} AND ${when}`, values, refused: userRows.changed };
  return [userRows.change(user, set, change), ...countOwners(user, difference, isRecovery)];
}

/** True for an owner who can sign in. */
function isCounted({ role, passkeys = [], removed_at }: User): boolean {
  return role === 'owner' && passkeys.length > 0 && removed_at === undefined;
}

/** Updates the number of owners with a passkey. At least one must remain. */
function countOwners({ merchant_id }: User, difference: number, isRecovery: boolean): TableWrite[] {
  if (merchant_id === undefined || difference === 0) return [];
  const update = { Key: { pk: `TEAM#${merchant_id}`, sk: 'TEAM' }, UpdateExpression: 'ADD owners :difference' };
  if (difference > 0 || isRecovery)
    return [{ update: { ...update, ExpressionAttributeValues: { ':difference': difference } } }];
  return [
    {
      update: {
        ...update,
        ConditionExpression: 'owners > :one',
        ExpressionAttributeValues: { ':difference': difference, ':one': 1 },
      },
      refused: () =>
        new PublicError(
          'invalid_request',
          'A merchant needs at least one owner with a passkey. Make another person an owner first, and let them open their link.',
        ),
    },
  ];
}

export async function namesOf(outside: TableOutside, userIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const users = await getUsers(outside, userIds);
  return new Map(users.map(({ user_id, name }) => [user_id, name]));
}

/** @throws NoSuch if the user was removed or belongs to another merchant. */
export async function requireUser(outside: TableOutside, userId: string, merchantId?: string): Promise<User> {
  const user = await userRows.find(outside, { user_id: userId });
  const isTheirs = merchantId === undefined || user?.merchant_id === merchantId;
  if (!user || user.removed_at !== undefined || !isTheirs) throw new NoSuch('user', `There is no user ${userId}.`);
  return user;
}
