import { DAY_SECONDS } from '../../runtime/values/calendar.ts';
import { isLoopback } from '../../runtime/values/loopback.ts';

export const MAX_EXPIRES_IN_SECONDS = 7 * DAY_SECONDS;

export const HTTPS_CALLBACK =
  'must be an https:// address without a user name, password, backslash or hidden character; with a test key or on the local stack, http://localhost is allowed too';

export function isCallbackUrl(value: string): boolean {
  // URL parsers disagree about backslashes, and invisible characters can disguise an address.
  if (!/^https?:\/\/[^\s\\\p{C}]+$/iu.test(value)) return false;
  const url = URL.parse(value);
  if (url === null || url.username !== '' || url.password !== '') return false;
  return isHttps(value) || isLoopback(value);
}

export function isHttps(url: string): boolean {
  return /^https:/i.test(url);
}
