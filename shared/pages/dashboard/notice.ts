import { cookieName, cookieOf, setCookie } from '../../runtime/http/cookies.ts';
import type { Outside } from '../../runtime/outside/outside.ts';

const NAME = 'notice';
/** Long enough for a slow redirect. */
const LIFETIME_SECONDS = 60;
const MAX_CHARACTERS = 300;

/** Has the next page say what was done. In a cookie, since an address that says it could be made by anybody. */
export function noticeCookie({ baseUrl }: Pick<Outside, 'baseUrl'>, text: string): string {
  const value = Buffer.from(text.slice(0, MAX_CHARACTERS)).toString('base64url');
  return setCookie(baseUrl, NAME, value, LIFETIME_SECONDS);
}

export function noNoticeCookie({ baseUrl }: Pick<Outside, 'baseUrl'>): string {
  return setCookie(baseUrl, NAME, '', 0);
}

export function noticeIn({ baseUrl }: Pick<Outside, 'baseUrl'>, cookies: readonly string[]): string | undefined {
  const value = cookieOf(cookies, cookieName(baseUrl, NAME));
  return value && Buffer.from(value, 'base64url').toString().slice(0, MAX_CHARACTERS);
}
