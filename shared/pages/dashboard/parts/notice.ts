import * as z from 'zod/mini';
import { cookieName, cookieOf, setCookie } from '../../../runtime/http/cookies.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { parseJson } from '../../../runtime/values/json.ts';

export const Notice = z.object({
  notice: z.optional(z.string()),
  isWaiting: z.optional(z.boolean()),
  next: z.optional(z.object({ href: z.string(), name: z.string() })),
});
export type Notice = z.infer<typeof Notice>;

const NAME = 'notice';
const LIFETIME_SECONDS = 60;
const MAX_CHARACTERS = 300;

/** Stores the next page's notice in a cookie instead of the URL, because anybody could craft a URL with a notice. */
export function noticeCookie({ baseUrl }: Pick<Outside, 'baseUrl'>, { notice = '', ...more }: Notice): string {
  const shown: Notice = { ...more, notice: notice.slice(0, MAX_CHARACTERS) };
  return setCookie(baseUrl, NAME, Buffer.from(JSON.stringify(shown)).toString('base64url'), LIFETIME_SECONDS);
}

export function noNoticeCookie({ baseUrl }: Pick<Outside, 'baseUrl'>): string {
  return setCookie(baseUrl, NAME, '', 0);
}

export function noticeIn({ baseUrl }: Pick<Outside, 'baseUrl'>, cookies: readonly string[]): Notice | undefined {
  const value = cookieOf(cookies, cookieName(baseUrl, NAME));
  return value ? parseJson(Notice, Buffer.from(value, 'base64url').toString()) : undefined;
}
