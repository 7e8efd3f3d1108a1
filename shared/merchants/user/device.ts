import { cookieName, cookieOf, setCookie } from '../../runtime/http/cookies.ts';
import type { IdOutside, Outside } from '../../runtime/outside/outside.ts';
import { DAY_SECONDS } from '../../runtime/values/calendar.ts';
import type { NamedDevice } from './device.table.ts';

type Own = Pick<Outside, 'baseUrl'>;

const NAME = 'device';
/** Lifetime of the cookie: the maximum that browsers allow. */
const LIFETIME_SECONDS = 400 * DAY_SECONDS;

export function newDeviceId({ randomBytes }: Pick<IdOutside, 'randomBytes'>): string {
  return randomBytes(16).toString('base64url');
}

/** Returns a cookie that identifies the browser, even after the session has ended. */
export function deviceCookie({ baseUrl }: Own, { merchant_id, user_id, slot, device_id }: NamedDevice): string {
  return setCookie(baseUrl, NAME, [merchant_id, user_id, slot, device_id].join('.'), LIFETIME_SECONDS);
}

export function noDeviceCookie({ baseUrl }: Own): string {
  return setCookie(baseUrl, NAME, '', 0);
}

export function deviceIn({ baseUrl }: Own, cookies: readonly string[]): NamedDevice | undefined {
  const [, merchant_id, user_id, slot, device_id] =
    COOKIE.exec(cookieOf(cookies, cookieName(baseUrl, NAME)) ?? '') ?? [];
  return merchant_id && user_id && slot && device_id ? { merchant_id, user_id, slot, device_id } : undefined;
}

const COOKIE = /^(\w{26})\.(\w{26})\.([1-9])\.([\w-]{22})$/;
