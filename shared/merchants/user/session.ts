import { cookieName, cookieOf, setCookie } from '../../runtime/http/cookies.ts';
import { type Clock, type IdOutside, nowIso, type Outside, type TimedOutside } from '../../runtime/outside/outside.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { PublicError } from '../../runtime/values/errors.ts';
import type { Rights } from './permissions.ts';
import {
  endOfSession,
  isOpen,
  newToken,
  readToken,
  SESSION_SECONDS,
  type Session,
  sessionRows,
} from './session.table.ts';
import { sharedPhoneRows } from './shared-phone.table.ts';
import { isPinSession, sharedPhoneIn } from './shared-phone.ts';
import { hasPasskeyOf, type User, userRows } from './user.table.ts';

/** Time for which a passkey counts as recently used. */
export const FRESH_SECONDS = 5 * 60;

export interface SignedIn {
  /** The signed-in user. In a PIN session, the user has at most a cashier's permissions. */
  readonly user: User & Rights;
  readonly session: Session;
}

interface NewSession extends Pick<Session, 'browser' | 'by_pin' | 'credential_id' | 'on_shared_phone'> {
  /**
   * Seconds for which the sign-in counts as a recent use of a passkey. Defaults to 0 for a PIN and to `FRESH_SECONDS`
   * for a passkey.
   */
  readonly freshSeconds?: number;
}

/** Creates a session. Returns the token for the cookie, and the write that stores the session. */
export function startSession(
  outside: IdOutside,
  { user_id }: Pick<User, 'user_id'>,
  { freshSeconds, ...facts }: NewSession,
): { readonly token: string; readonly session: Session; readonly write: TableWrite } {
  const { by_pin } = facts;
  const { token, hash } = newToken(outside, user_id, by_pin ? 'PIN.' : '');
  const begun = {
    user_id,
    hash,
    started_at: nowIso(outside),
    fresh_until_ms: outside.now() + (freshSeconds ?? (by_pin ? 0 : FRESH_SECONDS)) * 1000,
    ...facts,
  };
  const session = { ...begun, ...endOfSession(begun) };
  return { token, session, write: sessionRows.create(session) };
}

/**
 * Returns the session of a request, or undefined if the session has ended, or if its user or passkey was removed. A PIN
 * session is valid only on its shared phone.
 */
export async function signedIn(
  outside: TimedOutside & Pick<Outside, 'baseUrl'>,
  cookies: readonly string[],
): Promise<SignedIn | undefined> {
  const read = readToken(sessionToken(outside, cookies) ?? '');
  if (!read) return undefined;
  const proof = read.isByPin ? sharedPhoneIn(outside, cookies) : undefined;
  const keys = [
    userRows.key({ user_id: read.userId }),
    sessionRows.key({ user_id: read.userId, hash: read.hash }),
    ...(proof ? [sharedPhoneRows.key(proof)] : []),
  ];
  const items = await outside.table.getMany(keys);
  const [userItem, sessionItem, phoneItem] = keys.map(({ pk }) => items.find((item) => item.pk === pk));
  if (!userItem || !sessionItem) return undefined;
  const session = sessionRows.parse(sessionItem);
  const user = userRows.parse(userItem);
  if (!isOpen(outside, session) || user.removed_at !== undefined) return undefined;
  if (!session.by_pin) return hasPasskeyOf(user, session) ? { user, session } : undefined;
  const phone = phoneItem && sharedPhoneRows.parse(phoneItem);
  return isPinSession(outside, { session, user }, phone, cookies)
    ? { user: { ...user, at_most: 'cashier' }, session }
    : undefined;
}

export function isFresh({ now }: Clock, { fresh_until_ms }: Session): boolean {
  return fresh_until_ms > now();
}

/** @throws PublicError `invalid_request` on a shared phone, for what would outlive the session. */
export function requireOwnPhone({ on_shared_phone }: Session): void {
  if (on_shared_phone)
    throw new PublicError(
      'invalid_request',
      'This is a shared phone, so others could use this in your name. Do it on your own phone.',
    );
}

const NAME = 'session';

function sessionToken({ baseUrl }: Pick<Outside, 'baseUrl'>, cookies: readonly string[]): string | undefined {
  return cookieOf(cookies, cookieName(baseUrl, NAME));
}

export function sessionCookie({ baseUrl }: Pick<Outside, 'baseUrl'>, token: string): string {
  return setCookie(baseUrl, NAME, token, SESSION_SECONDS);
}

export function noSessionCookie({ baseUrl }: Pick<Outside, 'baseUrl'>): string {
  return setCookie(baseUrl, NAME, '', 0);
}

/** Returns a name such as `Chrome on Android`, so that users recognise their own devices. */
export function browserName(userAgent: string | undefined): string {
  const find = (names: readonly (readonly [string, RegExp])[]) =>
    names.find(([, pattern]) => pattern.test(userAgent ?? ''))?.[0];
  return `${find(BROWSERS) ?? 'A browser'} on ${find(SYSTEMS) ?? 'a computer'}`;
}

/** Derived browsers come first, because their user agents also contain the original browser's name. */
const BROWSERS = [
  ['Edge', /\bEdgA?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /\bSafari\//],
] as const;

const SYSTEMS = [
  ['Android', /\bAndroid\b/],
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Windows', /\bWindows\b/],
  ['Mac', /\bMacintosh\b/],
  ['Linux', /\bLinux\b/],
] as const;
