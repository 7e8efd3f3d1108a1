import { type Clock, type IdOutside, nowIso, type Outside, type TimedOutside } from '../../runtime/outside/outside.ts';
import { PublicError } from '../../runtime/values/errors.ts';
import { NoSuch } from '../../runtime/values/no-such.ts';
import { recordAudit } from '../audit/audit.table.ts';
import { useChallenge } from './challenge.table.ts';
import { mayStillGive } from './giver.ts';
import { getInvitation, useInvitation } from './invitation.table.ts';
import { createPasskey, listPasskeys } from './passkey.table.ts';
import { freshenSession } from './session.table.ts';
import { requireOwnPhone, type SignedIn } from './session.ts';
import { type Answered, type Browser, moveDevice, startPasskeySession } from './sign-in.ts';
import { addToPasskeys, type User, userRows } from './user.table.ts';
import { verifyMade } from './verify-passkey.ts';

type SignInOutside = Pick<Outside, 'table' | 'now' | 'randomBytes' | 'baseUrl'>;

/**
 * @throws NoSuch if the invitation was used or has expired, or if the user was removed or the person who invited them may
 * no longer do so.
 */
export async function requireInvitation(outside: TimedOutside, token: string) {
  const invitation = await getInvitation(outside, token);
  const user = invitation && (await userRows.find(outside, invitation));
  if (
    !user ||
    user.removed_at !== undefined ||
    !(await mayStillGive(outside, { ...invitation, by: invitation.invited_by }))
  )
    throw new NoSuch('invitation', 'This invitation has expired or has already been used. Ask for a new one.');
  return { invitation, user };
}

/** Stores the user's new passkey and signs them in. @returns the session's token. */
export async function acceptInvitation(
  outside: SignInOutside,
  token: string,
  { challenge, credential }: Answered,
  from: Browser,
): Promise<string> {
  const { invitation, user } = await requireInvitation(outside, token);
  const made = verifyMade(outside, challenge, credential);
  const session = await startPasskeySession(outside, user, made, from);
  await outside.table.write([
    useInvitation(invitation),
    useChallenge(outside, challenge),
    createPasskey(newPasskey(outside, user, made, from.browser)),
    ...addToPasskeys(user, made.credential_id),
    session.write,
    recordPasskey(outside, user, 'passkey add', made.credential_id),
  ]);
  await moveDevice(outside, from.device, session.session);
  return session.token;
}

/**
 * Adds a passkey for a signed-in user. The write fails if the session has ended.
 * @throws PublicError `invalid_request` on a shared phone, or if the user has the maximum number of passkeys.
 */
export async function addPasskey(
  outside: SignInOutside,
  { user, session }: SignedIn,
  { challenge, credential }: Answered,
  browser: string,
): Promise<void> {
  requireOwnPhone(session);
  if ((await listPasskeys(outside, user.user_id)).length >= MAX_PASSKEYS)
    throw new PublicError('invalid_request', `You already have ${MAX_PASSKEYS} passkeys. Remove one first.`);
  const made = verifyMade(outside, challenge, credential);
  await outside.table.write([
    useChallenge(outside, challenge),
    freshenSession(session, session.fresh_until_ms),
    createPasskey(newPasskey(outside, user, made, browser)),
    ...addToPasskeys(user, made.credential_id),
    recordPasskey(outside, user, 'passkey add', made.credential_id),
  ]);
}

/** Maximum number of passkeys per user, so that one transaction can remove all of them. */
export const MAX_PASSKEYS = 20;

function newPasskey(outside: Clock, { user_id }: User, made: ReturnType<typeof verifyMade>, browser: string) {
  const at = nowIso(outside);
  return { user_id, ...made, browser, created_at: at, used_at: at };
}

export function recordPasskey(
  outside: IdOutside,
  { user_id, merchant_id }: User,
  action: string,
  credentialId: string,
) {
  const about = `…${credentialId.slice(-6)}`;
  return recordAudit(outside, { ...(merchant_id && { merchant_id }), by: user_id, action, about });
}
