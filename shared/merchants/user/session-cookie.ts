import { cookieName, cookieOf, setCookie } from '../../runtime/http/cookies.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import { SESSION_SECONDS } from './session.table.ts';

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
