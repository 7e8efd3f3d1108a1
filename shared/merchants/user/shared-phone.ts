import { createHmac } from 'node:crypto';
import { cookieName, cookieOf, setCookie } from '../../runtime/http/cookies.ts';
import type { Clock, Outside } from '../../runtime/outside/outside.ts';
import { sha256 } from '../../runtime/values/sha256.ts';
import type { Session } from './session.table.ts';
import { isKept, personOn, type SharedPhone, type SharedPhoneKey, UNUSED_SECONDS } from './shared-phone.table.ts';
import type { User } from './user.table.ts';

type Own = Pick<Outside, 'baseUrl'>;

/** Seconds without a page view after which a PIN session ends. */
export const IDLE_SECONDS = 10 * 60;

export interface PhoneProof extends SharedPhoneKey {
  /** The phone's key, which is part of every PIN's hash. */
  readonly key: string;
  readonly secret: string;
}

const NAME = 'shared_phone';
const COOKIE = /^(\w{26})\.(\w{26})\.([\w-]{43})\.([\w-]{43})$/;

export function sharedPhoneCookie({ baseUrl }: Own, { merchant_id, phone_id, key, secret }: PhoneProof): string {
  return setCookie(baseUrl, NAME, [merchant_id, phone_id, key, secret].join('.'), UNUSED_SECONDS);
}

export function sharedPhoneIn({ baseUrl }: Own, cookies: readonly string[]): PhoneProof | undefined {
  const [, merchant_id, phone_id, key, secret] = COOKIE.exec(cookieOf(cookies, cookieName(baseUrl, NAME)) ?? '') ?? [];
  return merchant_id && phone_id && key && secret ? { merchant_id, phone_id, key, secret } : undefined;
}

/** True if the browser is this phone, even if the browser's secret is outdated. */
export function isThisPhone({ key_hash }: SharedPhone, { key }: PhoneProof): boolean {
  return key_hash === sha256(key);
}

/** True for the current and the previous secret, because the response with the current one may have been lost. */
export function hasLastSecret({ secret_hash, earlier_secret_hash }: SharedPhone, { secret }: PhoneProof): boolean {
  return [secret_hash, earlier_secret_hash].includes(sha256(secret));
}

/** True if a PIN session is used on the phone where it began. */
export function isPinSession(
  outside: Own & Clock,
  {
    session: { by_pin, hash },
    user: { user_id, merchant_id, role },
  }: { readonly session: Session; readonly user: User },
  phone: SharedPhone | undefined,
  cookies: readonly string[],
): boolean {
  const proof = sharedPhoneIn(outside, cookies);
  if (!by_pin || !phone || !proof || phone.copied_at !== undefined || !isKept(outside, phone)) return false;
  const isOfPhone =
    by_pin.phone_id === phone.phone_id && merchant_id === phone.merchant_id && phone.session_hash === hash;
  const isOfPin = personOn(phone, user_id)?.pin?.set_at === by_pin.set_at && role === by_pin.role;
  return (
    isOfPhone &&
    isOfPin &&
    isThisPhone(phone, proof) &&
    hasLastSecret(phone, proof) &&
    isActive(outside, by_pin, cookies)
  );
}

const ACTIVE = 'active';

type ActivityKey = Pick<NonNullable<Session['by_pin']>, 'activity_key'>;

/** Returns a cookie with the signed time of the last page view. Pages that reload themselves must not renew it. */
export function activityCookie({ baseUrl, now }: Own & Clock, key: ActivityKey): string {
  const at = now().toString(36);
  return setCookie(baseUrl, ACTIVE, `${at}.${signed(key, at)}`, IDLE_SECONDS);
}

function isActive({ baseUrl, now }: Own & Clock, key: ActivityKey, cookies: readonly string[]): boolean {
  const [at = '', signature] = (cookieOf(cookies, cookieName(baseUrl, ACTIVE)) ?? '').split('.');
  return signature === signed(key, at) && Number.parseInt(at, 36) + IDLE_SECONDS * 1000 > now();
}

function signed({ activity_key }: ActivityKey, at: string): string {
  return createHmac('sha256', activity_key).update(at).digest('base64url');
}
