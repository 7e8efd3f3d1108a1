import { MAX_PATH_ID_CHARACTERS } from '../../runtime/http/request.ts';
import type { Outside, TableOutside } from '../../runtime/outside/outside.ts';
import { PublicError } from '../../runtime/values/errors.ts';
import { useChallenge } from './challenge.table.ts';
import { changeDevice, type NamedDevice, removeDevice } from './device.table.ts';
import { type Passkey, passkeyRows, usePasskey } from './passkey.table.ts';
import { freshenSession, type Session } from './session.table.ts';
import { FRESH_SECONDS, startSession } from './session.ts';
import type { PhoneProof } from './shared-phone.ts';
import { phoneOf } from './sign-in-with-pin.ts';
import { type User, userRows } from './user.table.ts';
import { readSigned, type Signed, verifySigned } from './verify-passkey.ts';

type SignInOutside = Pick<Outside, 'table' | 'now' | 'randomBytes' | 'baseUrl'>;

export interface Answered {
  readonly challenge: string;
  readonly credential: string;
}

export interface Browser {
  readonly browser: string;
  /** The device in the browser's cookie, which may belong to another user. */
  readonly device: NamedDevice | undefined;
  /** The shared phone in the browser's cookie. */
  readonly proof: PhoneProof | undefined;
}

/** Signs in the passkey's user. @returns the session's token. @throws PublicError `invalid_request`. */
export async function signInWithPasskey(
  outside: SignInOutside,
  { challenge, credential }: Answered,
  from: Browser,
): Promise<string> {
  const signed = readSigned(credential);
  const { user, passkey } = await ownerOf(outside, signed);
  const counter = verifySigned(outside, challenge, passkey, signed);
  const { token, session, write } = await startPasskeySession(outside, user, passkey, from);
  await outside.table.write([useChallenge(outside, challenge), usePasskey(outside, passkey, counter), write]);
  await moveDevice(outside, from.device, session);
  return token;
}

/** Starts a session after the use of a passkey. On a shared phone, the session is short. */
export async function startPasskeySession(
  outside: SignInOutside,
  user: User,
  { credential_id }: Pick<Passkey, 'credential_id'>,
  { browser, proof }: Browser,
) {
  const on_shared_phone = (await phoneOf(outside, proof)) !== undefined;
  return startSession(outside, user, { browser, credential_id, ...(on_shared_phone && { on_shared_phone }) });
}

/** Moves the browser's device to the new session. Removes the device if it belongs to another user. */
export async function moveDevice(
  outside: TableOutside,
  device: NamedDevice | undefined,
  { user_id, hash, credential_id }: Pick<Session, 'user_id' | 'hash' | 'credential_id'>,
): Promise<void> {
  if (device?.user_id === user_id)
    await outside.table.update(changeDevice(device, { session_hash: hash, credential_id }));
  else if (device) await outside.table.write([removeDevice(device)]);
}

/** Marks a session's passkey as recently used. @throws PublicError `invalid_request` for another user's passkey. */
export async function confirmWithPasskey(
  outside: SignInOutside,
  session: Session,
  { challenge, credential }: Answered,
): Promise<void> {
  const signed = readSigned(credential);
  const { user, passkey } = await ownerOf(outside, signed);
  if (user.user_id !== session.user_id)
    throw new PublicError('invalid_request', 'This passkey belongs to somebody else. Use your own.');
  const counter = verifySigned(outside, challenge, passkey, signed);
  await outside.table.write([
    useChallenge(outside, challenge),
    usePasskey(outside, passkey, counter),
    freshenSession(session, outside.now() + FRESH_SECONDS * 1000),
  ]);
}

async function ownerOf(outside: TableOutside, { id, userHandle }: Signed) {
  const userId = Buffer.from(userHandle, 'base64url').toString();
  const isId = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(userId) && id.length <= MAX_PATH_ID_CHARACTERS;
  const [user, passkey] = isId
    ? await Promise.all([
        userRows.find(outside, { user_id: userId }),
        passkeyRows.find(outside, { user_id: userId, credential_id: id }),
      ])
    : [undefined, undefined];
  if (user && passkey) return { user, passkey };
  throw new PublicError('invalid_request', 'This passkey is unknown or was removed. Ask an owner for a new link.');
}
