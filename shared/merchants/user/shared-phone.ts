import { createHmac } from 'node:crypto';
import { cookieName, cookieOf, setCookie } from '../../runtime/http/cookies.ts';
import type { Clock, Outside } from '../../runtime/outside/outside.ts';
import { sha256 } from '../../runtime/values/sha256.ts';
import type { Session } from './session.table.ts';
import { isKept, personOn, type SharedPhone, type SharedPhoneKey, UNUSED_SECONDS } from './shared-phone.table.ts';
import type { User } from './user.table.ts';

type Own = Pick<Outside, 'baseUrl'>;

/** A session that a PIN began ends when no page was opened for so long: the phone lies on a counter. */
export const IDLE_SECONDS = 10 * 60;

/** What the cookie of a shared phone holds. */
export interface PhoneProof extends SharedPhoneKey {
  /** In the hash of each of its PINs. */
  readonly key: string;
  readonly secret: string;
}

const NAME = 'shared_phone';
const COOKIE = /^(\w{26})\.(\w{26})\.([\w-]{43})\.([\w-]{43})$/;

export function sharedPhoneCookie({ baseUrl }: Own, { merchant_id, phone_id, key, secret }: PhoneProof): string {
  return setCookie(baseUrl, NAME, [merchant_id, phone_id, key, secret].join('.'), UNUSED_SECONDS);
}

/** The shared phone that a browser says it is. */
export function sharedPhoneIn({ baseUrl }: Own, cookies: readonly string[]): PhoneProof | undefined {
  const [, merchant_id, phone_id, key, secret] = COOKIE.exec(cookieOf(cookies, cookieName(baseUrl, NAME)) ?? '') ?? [];
  return merchant_id && phone_id && key && secret ? { merchant_id, phone_id, key, secret } : undefined;
}

/** Whether the browser is this phone, or was: its secret may have been replaced since. */
export function isThisPhone({ key_hash }: SharedPhone, { key }: PhoneProof): boolean {
  return key_hash === sha256(key);
}

/** Whether its secret is the last one that it was given, or the one before, where the answer with the last one was lost. */
export function hasLastSecret({ secret_hash, earlier_secret_hash }: SharedPhone, { secret }: PhoneProof): boolean {
  return [secret_hash, earlier_secret_hash].includes(sha256(secret));
}

/** Whether a session that a PIN began is still the one that its phone has, by what the browser sent along. */
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

/**
 * Says when somebody opened a page last, signed, so that no page costs a write of the session. Only what a person opens renews it: a
 * page that refreshes itself would keep the session open on an empty counter.
 */
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
