/**
 * session   SESSION#<user> / <sha256 of its token>   a signed-in user. Expires after twelve hours, or on a shared phone
 *                                                    a quarter of an hour after the passkey was used
 *
 * The token of a PIN session starts with `PIN.`. Only such a session needs the shared phone's row.
 */

import * as z from 'zod/mini';
import type { Clock, Outside, TimedOutside } from '../../runtime/outside/outside.ts';
import { rows } from '../../runtime/table/rows.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { HOUR_SECONDS, MINUTE_MS } from '../../runtime/values/calendar.ts';
import { PublicError } from '../../runtime/values/errors.ts';
import { sha256 } from '../../runtime/values/sha256.ts';
import { roles } from './permissions.ts';

export const SESSION_SECONDS = 12 * HOUR_SECONDS;

/** Time for which a passkey session on a shared phone continues once its passkey is required again. */
const LEFT_AFTER_MS = 10 * MINUTE_MS;

const ByPin = z.object({
  phone_id: z.string(),
  /** Time at which the PIN was set. Setting a new PIN ends the session. */
  set_at: z.string(),
  /** The user's role when the session began. Changing the role ends the session. */
  role: z.enum(roles),
  /** Key that signs the time of the last page view. Never sent to the browser. */
  activity_key: z.string(),
});

export const Session = z.object({
  user_id: z.string(),
  hash: z.string(),
  started_at: z.string(),
  /** Time until which the passkey is not required again (ms since 1970). */
  fresh_until_ms: z.number(),
  opened_merchant_id: z.optional(z.string()),
  is_test: z.optional(z.boolean()),
  browser: z.string(),
  by_pin: z.optional(ByPin),
  /** The passkey that began the session. Removing the passkey ends the session. Unset for a PIN. */
  credential_id: z.optional(z.string()),
  /** True for a passkey session that began on a shared phone. */
  on_shared_phone: z.optional(z.boolean()),
  expires_at_epoch_seconds: z.number(),
});
export type Session = z.infer<typeof Session>;

export const sessionRows = rows(Session, { pk: 'SESSION#<user_id>', sk: '<hash>' });

export async function listSessions(outside: TimedOutside, user_id: string): Promise<Session[]> {
  return (await sessionRows.list(outside, { user_id }))
    .filter((session) => isOpen(outside, session))
    .sort((one, other) => other.started_at.localeCompare(one.started_at));
}

export function isOpen({ now }: Clock, { expires_at_epoch_seconds }: Session): boolean {
  return expires_at_epoch_seconds * 1000 > now();
}

export function freshenSession(session: Session, untilMs: number): TableWrite {
  const refused = () => new PublicError('invalid_request', 'This session has ended. Sign in again.');
  const set = { fresh_until_ms: untilMs, ...endOfSession({ ...session, fresh_until_ms: untilMs }) };
  return sessionRows.change(session, set, { when: 'attribute_exists(pk)', refused });
}

/** Returns the end of a session. Its row decides, because a holder can delete any cookie. */
export function endOfSession({
  started_at,
  fresh_until_ms,
  on_shared_phone,
}: Pick<Session, 'started_at' | 'fresh_until_ms' | 'on_shared_phone'>): Pick<Session, 'expires_at_epoch_seconds'> {
  const lastMs = Date.parse(started_at) + SESSION_SECONDS * 1000;
  const endMs = on_shared_phone ? Math.min(lastMs, fresh_until_ms + LEFT_AFTER_MS) : lastMs;
  return { expires_at_epoch_seconds: Math.floor(endMs / 1000) };
}

export function openMerchant(session: Session, merchantId: string | undefined): TableWrite {
  return sessionRows.change(session, { opened_merchant_id: merchantId }, { when: 'attribute_exists(pk)' });
}

export function setTestMode(session: Session, isTest: boolean): TableWrite {
  return sessionRows.change(session, { is_test: isTest }, { when: 'attribute_exists(pk)' });
}

/**
 * Creates a token and its hash, which is stored. The token contains the user's id and 256 random bits, so a fast hash
 * is sufficient.
 */
export function newToken({ randomBytes }: Pick<Outside, 'randomBytes'>, userId: string, prefix: '' | 'PIN.' = '') {
  const token = `${prefix}${userId}.${randomBytes(32).toString('base64url')}`;
  return { token, hash: sha256(token) };
}

/** Returns the user that a token claims and the token's hash, or undefined if the token is malformed. */
export function readToken(token: string) {
  const [, pin, userId] = TOKEN.exec(token) ?? [];
  return userId === undefined ? undefined : { userId, hash: sha256(token), isByPin: pin !== undefined };
}

const TOKEN = /^(PIN\.)?([0-7][0-9A-HJKMNP-TV-Z]{25})\.[\w-]{43}$/;
