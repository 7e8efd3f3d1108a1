import type { TimedOutside, WriteOutside } from '../../runtime/outside/outside.ts';
import { PublicError } from '../../runtime/values/errors.ts';
import { NoSuch } from '../../runtime/values/no-such.ts';
import { recordPasskey } from './accept-invitation.ts';
import { listPasskeys, removePasskey } from './passkey.table.ts';
import { listSessions, removeSession } from './session.table.ts';
import type { User } from './user.table.ts';

/** Removes one of a person's passkeys. @throws NoSuch passkey; PublicError `invalid_request` for the only one. */
export async function dropPasskey(outside: WriteOutside, user: User, credentialId: string): Promise<void> {
  const passkeys = await listPasskeys(outside, user.user_id);
  if (!passkeys.some(({ credential_id }) => credential_id === credentialId))
    throw new NoSuch('passkey', 'There is no such passkey.');
  if (passkeys.length === 1)
    throw new PublicError('invalid_request', 'This is your only passkey: add another one before you remove it.');
  await outside.table.write([
    removePasskey(user.user_id, credentialId),
    recordPasskey(outside, user, 'passkey remove', credentialId),
  ]);
}

/** Ends a person's sessions, or all but one; how many there were. */
export async function endSessions(outside: TimedOutside, userId: string, exceptHash?: string): Promise<number> {
  const sessions = (await listSessions(outside, userId)).filter(({ hash }) => hash !== exceptHash);
  for (let n = 0; n < sessions.length; n += MAX_WRITES)
    await outside.table.write(sessions.slice(n, n + MAX_WRITES).map(removeSession));
  return sessions.length;
}

/** Ends one of a person's sessions. @throws NoSuch session. */
export async function endOneSession(outside: TimedOutside, userId: string, hash: string): Promise<void> {
  const session = (await listSessions(outside, userId)).find((one) => one.hash === hash);
  if (!session) throw new NoSuch('session', 'That session has ended already.');
  await outside.table.write([removeSession(session)]);
}

/** Of a transaction, with room for an entry of the audit. */
const MAX_WRITES = 90;
