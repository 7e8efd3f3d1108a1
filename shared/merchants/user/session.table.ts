/*
 * session   SESSION#<user> / <sha256 of its token>   somebody who signed in, for twelve hours. The token is in their browser alone.
 *
 * One that a PIN began says so, and on which shared phone. Its token begins with `PIN.`, so that a release that does not know of PINs
 * takes it for none.
 */

import * as z from 'zod/mini';
import type { Clock, Outside, TimedOutside } from '../../runtime/outside/outside.ts';
import { rows } from '../../runtime/table/rows.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { PublicError } from '../../runtime/values/errors.ts';
import { sha256 } from '../../runtime/values/sha256.ts';
import { roles } from './permissions.ts';

export const SESSION_SECONDS = 12 * 60 * 60;

/** What binds a session to the shared phone and the PIN that it was begun with. */
const ByPin = z.object({
  phone_id: z.string(),
  /** When that PIN was set: another one ends the session. */
  set_at: z.string(),
  /** The person's role at that time: another one ends the session. */
  role: z.enum(roles),
  /** Signs when the browser last opened a page. The browser does not know it. */
  activity_key: z.string(),
});

export const Session = z.object({
  user_id: z.string(),
  hash: z.string(),
  started_at: z.string(),
  /** Until when what needs a fresh passkey is done without asking for it again; milliseconds since 1970. */
  fresh_until_ms: z.number(),
  /** The merchant whose dashboard an operator has open. */
  opened_merchant_id: z.optional(z.string()),
  /** Whether the dashboard shows the tests of the merchant. */
  is_test: z.optional(z.boolean()),
  /** `Chrome on Android`, so that people know which session is which. */
  browser: z.string(),
  by_pin: z.optional(ByPin),
  expires_at_epoch_seconds: z.number(),
});
export type Session = z.infer<typeof Session>;

export const sessionRows = rows(Session, { pk: 'SESSION#<user_id>', sk: '<hash>' });

/** A person's sessions that have not ended, the newest first. */
export async function listSessions(outside: TimedOutside, user_id: string): Promise<Session[]> {
  return (await sessionRows.list(outside, { user_id }))
    .filter((session) => isOpen(outside, session))
    .sort((one, other) => other.started_at.localeCompare(one.started_at));
}

/** DynamoDB deletes late. */
export function isOpen({ now }: Clock, { expires_at_epoch_seconds }: Session): boolean {
  return expires_at_epoch_seconds * 1000 > now();
}

/** Until when the session counts as one whose passkey was just used; refused where it has ended. */
export function freshenSession(session: Session, untilMs: number): TableWrite {
  const refused = () => new PublicError('invalid_request', 'This session was ended meanwhile. Sign in again.');
  return sessionRows.change(session, { fresh_until_ms: untilMs }, { when: 'attribute_exists(pk)', refused });
}

/** Which merchant's dashboard an operator has open; undefined for none. */
export function openMerchant(session: Session, merchantId: string | undefined): TableWrite {
  return sessionRows.change(session, { opened_merchant_id: merchantId }, { when: 'attribute_exists(pk)' });
}

/** Whether the dashboard shows the merchant's tests from now on. */
export function setTestMode(session: Session, isTest: boolean): TableWrite {
  return sessionRows.change(session, { is_test: isTest }, { when: 'attribute_exists(pk)' });
}

/**
 * A new token of a person, and its hash, which alone is stored. It names them, so that what it is for is read by their id, and has 256
 * random bits, so that a fast hash is enough.
 */
export function newToken({ randomBytes }: Pick<Outside, 'randomBytes'>, userId: string, prefix: '' | 'PIN.' = '') {
  const token = `${prefix}${userId}.${randomBytes(32).toString('base64url')}`;
  return { token, hash: sha256(token) };
}

/** Whose token this says it is, and its hash; undefined for what can be none, which costs no read. */
export function readToken(token: string): { readonly userId: string; readonly hash: string } | undefined {
  const [, userId] = TOKEN.exec(token) ?? [];
  return userId === undefined ? undefined : { userId, hash: sha256(token) };
}

const TOKEN = /^(?:PIN\.)?([0-7][0-9A-HJKMNP-TV-Z]{25})\.[\w-]{43}$/;
