import { nowIso, type TableOutside, type TimedOutside, type WriteOutside } from '../../runtime/outside/outside.ts';
import { retryIfChanged } from '../../runtime/table/contention.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { PublicError } from '../../runtime/values/errors.ts';
import { newUlid } from '../../runtime/values/ids.ts';
import { type AuditEntry, COMMAND_LINE, recordAudit } from '../audit/audit.table.ts';
import { type ApiKey, apiKeyRows, handOverApiKey, revokeApiKey } from '../merchant/api-key.table.ts';
import { requireMerchant } from '../merchant/manage-merchant.ts';
import { listMerchantIds } from '../merchant/merchant.table.ts';
import type { Giver } from './giver.ts';
import { invitationRows, newInvitation } from './invitation.table.ts';
import { endSessions } from './manage-access.ts';
import { endPins, forgetOnPhones } from './manage-shared-phones.ts';
import { listPasskeys, passkeyRows } from './passkey.table.ts';
import type { Role } from './permissions.ts';
import { listSessions, sessionRows } from './session.table.ts';
import {
  changeRole,
  countKeys,
  createUser,
  endPasskeys,
  listUsers,
  removeUser,
  requireUser,
  type User,
  userRows,
} from './user.table.ts';

type By = Pick<AuditEntry, 'by'>;

type NewUser = Pick<User, 'name' | 'role' | 'merchant_id'>;

export interface Invited {
  readonly user: User;
  readonly token: string;
  readonly writes: TableWrite[];
}

const MAX_USERS = 50;

/**
 * Adds a user to a merchant, or adds an operator.
 * @throws NoSuch if the merchant does not exist.
 * @throws PublicError if the merchant already has the maximum number of users.
 */
export async function addUser(outside: WriteOutside, { name, role, merchant_id }: NewUser, by: By): Promise<User> {
  const { user, writes } = await prepareUser(outside, { name, role, merchant_id }, by);
  await outside.table.write(writes);
  return user;
}

export async function prepareUser(outside: WriteOutside, { name, role, merchant_id }: NewUser, { by }: By) {
  if (merchant_id !== undefined) await requireMerchant(outside, merchant_id);
  if ((await listUsers(outside, merchant_id)).length >= MAX_USERS)
    throw new PublicError('invalid_request', `The team already has ${MAX_USERS} people. Remove one first.`);
  const user: User = {
    user_id: newUlid(outside),
    name,
    role,
    ...(merchant_id && { merchant_id }),
    created_at: nowIso(outside),
  };
  const entry = { merchant_id, by, action: 'user invite', about: user.user_id, after: { role } };
  return { user, writes: [createUser(user), recordAudit(outside, entry)] };
}

export async function inviteUser(outside: WriteOutside, person: NewUser, by: Giver): Promise<Omit<Invited, 'writes'>> {
  const { writes, ...invited } = await prepareInvitation(outside, person, by);
  await outside.table.write(writes);
  return invited;
}

export async function prepareInvitation(outside: WriteOutside, person: NewUser, by: Giver): Promise<Invited> {
  const { user, writes } = await prepareUser(outside, person, by);
  const { token, write } = newInvitation(outside, user, by);
  return { user, token, writes: [...writes, write] };
}

/**
 * Creates a new invitation link for a user, as the operator. Invalidates their passkeys, in case somebody else has
 * access to them, even if they are the merchant's last owner.
 */
export async function inviteAgain(outside: WriteOutside, { user_id }: Pick<User, 'user_id'>, by: By): Promise<string> {
  const { user, token } = await retryIfChanged(async () => {
    const invited = await prepareNewLink(outside, await requireUser(outside, user_id), { ...by, isRecovery: true });
    await outside.table.write(invited.writes);
    return invited;
  });
  await endAccess(outside, user);
  return token;
}

/**
 * Prepares `inviteAgain`. The writes also end the user's sessions. Call `endAccess` afterwards to end sessions that
 * began in the meantime. `isRecovery`: the operator helps an owner who may be the last one.
 */
export async function prepareNewLink(
  outside: WriteOutside,
  user: User,
  { isRecovery, ...giver }: Giver & { readonly isRecovery: boolean },
): Promise<Invited> {
  const { merchant_id, user_id } = user;
  const { by } = giver;
  // People who give themselves a link lose the passkey with which they gave it.
  const { token, write } = newInvitation(outside, user, by === user_id ? { by } : giver);
  const [passkeys, sessions, pinsRemoved] = await Promise.all([
    listPasskeys(outside, user_id),
    listSessions(outside, user_id),
    forgetOnPhones(outside, user),
  ]);
  const after = { passkeys_removed: passkeys.length };
  const entry = { merchant_id, by, action: 'user invite', about: user_id, after };
  const removed = [
    ...endPasskeys(user, isRecovery),
    ...passkeys.map(({ credential_id }) => passkeyRows.remove({ user_id, credential_id })),
    ...sessions.slice(0, MAX_ENDED_SESSIONS).map((session) => sessionRows.remove(session)),
    ...pinsRemoved,
  ];
  return { user, token, writes: [write, ...removed, recordAudit(outside, entry)] };
}

/**
 * Maximum number of sessions to end when a new link is created, newest first. All of them must fit in one transaction.
 */
export const MAX_ENDED_SESSIONS = 50;

export async function endAccess(outside: WriteOutside, user: User): Promise<void> {
  await endSessions(outside, user);
  await endPins(outside, user);
}

/** Changes a user's role and invalidates an unopened link. @throws PublicError `invalid_request` for the last owner. */
export async function giveRole(outside: WriteOutside, user: User, role: Role, { by }: By): Promise<void> {
  if ((user.role === 'operator') !== (role === 'operator'))
    throw new PublicError(
      'invalid_request',
      'A person’s role cannot be changed to or from operator. Invite a new person instead.',
    );
  if (user.role === role) return;
  const { merchant_id, user_id } = user;
  const entry = { merchant_id, by, action: 'user set', about: user_id, before: { role: user.role }, after: { role } };
  // A cashier's link is valid for a day, which is too long for an owner.
  await outside.table.write([
    ...changeRole(user, role),
    invitationRows.remove({ user_id }),
    recordAudit(outside, entry),
  ]);
}

/**
 * Removes a user with their passkeys, sessions and API keys. `keepsKeys` hands the keys over to `by` instead. Can be
 * repeated after a failure.
 * @throws PublicError `invalid_request` for the last owner, or if more than 50 keys are to be handed over.
 */
export async function removePerson(
  outside: WriteOutside,
  user: User,
  { by, keepsKeys = false }: By & { readonly keepsKeys?: boolean },
): Promise<void> {
  const { merchant_id, user_id, role } = user;
  const [passkeys, { keys, areAll }] = await Promise.all([listPasskeys(outside, user_id), keysMadeBy(outside, user)]);
  if (!areAll) throw userRows.changed();
  const [ended, others] = [keys.slice(0, MAX_ENDED_KEYS), keys.slice(MAX_ENDED_KEYS)];
  if (keepsKeys && others.length > 0) throw tooManyToKeep();
  const after = { keys: keys.length, keeps_keys: keepsKeys };
  const changed = keys.length > 0 ? { after } : {};
  const entry = { merchant_id, by, action: 'user remove', about: user_id, before: { role }, ...changed };
  await outside.table.write([
    ...removeUser(outside, await revokeFirst(outside, user, others)),
    ...(keepsKeys ? handOver(ended, user, by) : ended.map(({ hash }) => revokeApiKey(outside, hash))),
    invitationRows.remove({ user_id }),
    ...passkeys.map(({ credential_id }) => passkeyRows.remove({ user_id, credential_id })),
    recordAudit(outside, entry),
  ]);
  // A removed user's sessions and devices no longer work. Deleting their rows is only a clean-up.
  await endAccess(outside, user);
}

/** Maximum number of keys that one transaction ends, beside the other writes of a removal. */
const MAX_ENDED_KEYS = 50;

/**
 * Revokes the keys that the removal's own transaction has no room for. The user becomes a viewer first, so that they
 * make no more keys.
 */
async function revokeFirst(outside: WriteOutside, user: User, keys: readonly ApiKey[]): Promise<User> {
  if (keys.length === 0) return user;
  await outside.table.write(changeRole(user, 'viewer'));
  for (let n = 0; n < keys.length; n += MAX_ENDED_KEYS)
    await outside.table.write(keys.slice(n, n + MAX_ENDED_KEYS).map(({ hash }) => revokeApiKey(outside, hash)));
  return { ...user, role: 'viewer' };
}

/**
 * Lists the keys that a user made and that were not revoked. The index may lag behind: `areAll` is true if the list
 * agrees with the count in the user's row. A removal requires this, so that it never misses a key.
 */
export async function keysMadeBy(outside: TableOutside, user: User) {
  const { user_id, merchant_id, keys_made = 0 } = user;
  if (keys_made === 0) return { keys: [], areAll: true };
  const merchants = merchant_id === undefined ? await listMerchantIds(outside, undefined, 1_000) : [merchant_id];
  const lists = await Promise.all(merchants.map((id) => apiKeyRows.list(outside, { merchant_id: id })));
  const made = lists.flat().filter(({ made_by }) => made_by === user_id);
  return { keys: made.filter(({ revoked_at }) => revoked_at === undefined), areAll: made.length === keys_made };
}

function tooManyToKeep(): PublicError {
  return new PublicError(
    'invalid_request',
    `Nobody can take over more than ${MAX_ENDED_KEYS} API keys. Revoke those that the shop does not use first.`,
  );
}

function handOver(keys: readonly ApiKey[], { user_id }: User, by: string): TableWrite[] {
  if (by === user_id)
    throw new PublicError('invalid_request', 'Nobody can take over their own keys. Ask another owner to remove you.');
  const holder = by === COMMAND_LINE ? undefined : by;
  const counted = keys.length > 0 && holder ? [countKeys(holder, keys.length)] : [];
  return [...keys.map(({ hash }) => handOverApiKey(hash, holder)), ...counted];
}

export async function revokeSessions(outside: WriteOutside, user: User, { by }: By): Promise<number> {
  const { merchant_id, user_id } = user;
  const ended = await endSessions(outside, user);
  const entry = { merchant_id, by, action: 'user revoke-sessions', about: user_id, after: { ended } };
  await outside.table.write([recordAudit(outside, entry)]);
  return ended;
}

export async function showUsers(outside: TimedOutside, merchantId: string | undefined) {
  if (merchantId !== undefined) await requireMerchant(outside, merchantId);
  const users = await listUsers(outside, merchantId);
  return Promise.all(
    users.map(async (user) => {
      const { user_id } = user;
      const [passkeys, sessions] = await Promise.all([listPasskeys(outside, user_id), listSessions(outside, user_id)]);
      return { ...user, passkeys: passkeys.length, sessions: sessions.length };
    }),
  );
}
