import type { TableOutside, TimedOutside, WriteOutside } from '../../runtime/outside/outside.ts';
import { retryIfChanged } from '../../runtime/table/contention.ts';
import { NoSuch } from '../../runtime/values/no-such.ts';
import { recordPasskey } from './accept-invitation.ts';
import { type Device, devicesOf, removeDevice } from './device.table.ts';
import { passkeyRows } from './passkey.table.ts';
import { listSessions, type Session, sessionRows } from './session.table.ts';
import { endPasskey, requireUser, type User } from './user.table.ts';

/**
 * Removes one of a user's passkeys, with the sessions and notifications that it began.
 * @throws NoSuch if the passkey does not exist.
 * @throws PublicError `invalid_request` if it is the user's only passkey.
 */
export async function dropPasskey(outside: WriteOutside, userId: string, credential_id: string): Promise<void> {
  const user = await retryIfChanged(async () => {
    const found = await requireUser(outside, userId);
    if (!found.passkeys?.includes(credential_id)) throw new NoSuch('passkey', 'This passkey does not exist.');
    await outside.table.write([
      passkeyRows.remove({ user_id: userId, credential_id }),
      ...endPasskey(found, credential_id),
      recordPasskey(outside, found, 'passkey remove', credential_id),
    ]);
    return found;
  });
  // Without their passkey, they no longer work. Deleting their rows is only a clean-up.
  const isOf = (one: Pick<Session, 'credential_id'>) => one.credential_id === credential_id;
  await endAll(outside, user, { session: isOf, device: isOf });
}

type Person = Pick<User, 'user_id' | 'merchant_id'>;

/**
 * Ends all of a user's sessions except the session `except`. Also turns off notifications in all of the user's other
 * browsers.
 * @returns the number of sessions ended.
 */
export function endSessions(outside: TimedOutside, person: Person, except?: Session): Promise<number> {
  return endAll(outside, person, {
    session: ({ hash }) => hash !== except?.hash,
    device: (one) => !except || (one.subscription !== undefined && one.session_hash !== except.hash),
  });
}

interface Ending {
  readonly session: (session: Session) => boolean;
  readonly device: (device: Device) => boolean;
}

async function endAll(outside: TimedOutside, person: Person, ends: Ending): Promise<number> {
  const [all, devices] = await Promise.all([listSessions(outside, person.user_id), devicesOf(outside, person)]);
  const sessions = all.filter(ends.session);
  const ended = devices.filter(ends.device);
  const writes = [...sessions.map((session) => sessionRows.remove(session)), ...ended.map(removeDevice)];
  for (let n = 0; n < writes.length; n += MAX_WRITES) await outside.table.write(writes.slice(n, n + MAX_WRITES));
  return sessions.length;
}

/** Ends a session and turns off notifications in its browser. @throws NoSuch if the session does not exist. */
export async function endOneSession(outside: TimedOutside, person: Person, hash: string): Promise<void> {
  const session = (await listSessions(outside, person.user_id)).find((one) => one.hash === hash);
  if (!session) throw new NoSuch('session', 'That session has already ended.');
  await endSession(outside, person, session);
}

/** Ends a session and turns off notifications in its browser. `deviceId` comes from the browser's cookie. */
export async function endSession(
  outside: TableOutside,
  person: Person,
  session: Session,
  deviceId?: string,
): Promise<void> {
  const isThere = ({ session_hash, device_id }: Device) => session_hash === session.hash || device_id === deviceId;
  const devices = (await devicesOf(outside, person)).filter(isThere);
  await outside.table.write([sessionRows.remove(session), ...devices.map(removeDevice)]);
}

const MAX_WRITES = 90;
