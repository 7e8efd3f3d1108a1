import { cookieName, cookieOf, setCookie } from '../../runtime/http/cookies.ts';
import type { Clock, IdOutside, Outside, TimedOutside } from '../../runtime/outside/outside.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import {
  createSession,
  isOpen,
  newToken,
  parseSession,
  readToken,
  SESSION_SECONDS,
  type Session,
  sessionKey,
} from './session.table.ts';
import { parseUser, type User, userKey } from './user.table.ts';

/** How long a passkey counts as just used. */
export const FRESH_SECONDS = 5 * 60;

/** A person whose session is valid. */
export interface SignedIn {
  readonly user: User;
  readonly session: Session;
}

/**
 * A new session: the token for the browser's cookie, and the write that makes it valid. The token names its person, so that
 * both are read at once.
 */
export function startSession(
  { now, randomBytes }: IdOutside,
  { user_id }: Pick<User, 'user_id'>,
  { browser, freshSeconds = FRESH_SECONDS }: { browser: string; freshSeconds?: number },
): { readonly token: string; readonly session: Session; readonly write: TableWrite } {
  const { token, hash } = newToken({ randomBytes }, user_id);
  const session = {
    user_id,
    hash,
    started_at: new Date(now()).toISOString(),
    fresh_until_ms: now() + freshSeconds * 1000,
    browser,
    expires_at_epoch_seconds: Math.floor(now() / 1000) + SESSION_SECONDS,
  };
  return { token, session, write: createSession(session) };
}

/** Who holds this token; undefined for a token that is unknown, ended or revoked, or whose person was removed. */
export async function signedIn(outside: TimedOutside, token: string | undefined): Promise<SignedIn | undefined> {
  const read = readToken(token ?? '');
  if (!read) return undefined;
  const keys = [userKey(read.userId), sessionKey(read.userId, read.hash)];
  const items = await outside.table.getMany(keys);
  const [userItem, sessionItem] = keys.map(({ pk }) => items.find((item) => item.pk === pk));
  if (!userItem || !sessionItem) return undefined;
  const session = parseSession(sessionItem);
  const user = parseUser(userItem);
  return isOpen(outside, session) && user.removed_at === undefined ? { user, session } : undefined;
}

export function isFresh({ now }: Clock, { fresh_until_ms }: Session): boolean {
  return fresh_until_ms > now();
}

const NAME = 'session';

export function sessionToken({ baseUrl }: Pick<Outside, 'baseUrl'>, cookies: readonly string[]): string | undefined {
  return cookieOf(cookies, cookieName(baseUrl, NAME));
}

export function sessionCookie({ baseUrl }: Pick<Outside, 'baseUrl'>, token: string): string {
  return setCookie(baseUrl, NAME, token, SESSION_SECONDS);
}

export function noSessionCookie({ baseUrl }: Pick<Outside, 'baseUrl'>): string {
  return setCookie(baseUrl, NAME, '', 0);
}

/** `Chrome on Android`: enough for people to know their own devices by, and nothing that tells them from others'. */
export function browserName(userAgent: string | undefined): string {
  const find = (names: readonly (readonly [string, RegExp])[]) =>
    names.find(([, pattern]) => pattern.test(userAgent ?? ''))?.[0];
  return `${find(BROWSERS) ?? 'A browser'} on ${find(SYSTEMS) ?? 'a computer'}`;
}

/** Each names itself beside those that it descends from. */
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
