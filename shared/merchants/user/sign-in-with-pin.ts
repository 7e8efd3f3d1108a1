import { timingSafeEqual } from 'node:crypto';
import { endsIn, nowIso, type Outside, type WriteOutside } from '../../runtime/outside/outside.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { invalidRequest, PublicError } from '../../runtime/values/errors.ts';
import { NoSuch } from '../../runtime/values/no-such.ts';
import { sha256 } from '../../runtime/values/sha256.ts';
import { recordAudit, SHARED_PHONE } from '../audit/audit.table.ts';
import { mayStillGive } from './giver.ts';
import { hashPin, isPin, weaknessOf } from './pin.ts';
import { afterRightTry, isLocked, isPhoneLocked, oneMoreTry } from './pin-tries.ts';
import { startSession } from './session.ts';
import {
  changeSharedPhone,
  getSharedPhone,
  type OnPhone,
  type Pin,
  personOn,
  type SharedPhone,
  type Tries,
  UNUSED_SECONDS,
} from './shared-phone.table.ts';
import { hasLastSecret, isThisPhone, type PhoneProof } from './shared-phone.ts';
import { type User, userRows } from './user.table.ts';

type PinOutside = Pick<Outside, 'table' | 'now' | 'randomBytes' | 'baseUrl'>;

/**
 * Returns the phone for a link.
 * @throws NoSuch if the link was opened or has expired, if the phone was removed, or if the person who gave the link may
 * no longer do so.
 */
export async function requirePhoneLink(outside: PinOutside, token: string): Promise<SharedPhone> {
  const [, merchant_id, phone_id] = LINK.exec(token) ?? [];
  const phone = merchant_id && phone_id ? await getSharedPhone(outside, { merchant_id, phone_id }) : undefined;
  if (phone?.link_hash === sha256(token) && (await mayStillGive(outside, { ...phone, by: phone.added_by })))
    return phone;
  throw new NoSuch('link', 'This link has expired or has already been used. Ask the owner for a new one.');
}

const LINK = /^(\w{26})\.(\w{26})\.[\w-]{43}$/;

/**
 * Turns the browser that opened a link into a shared phone.
 * @returns the contents of the browser's cookie.
 * @throws NoSuch if the link is not valid, PublicError `busy` if another browser opened it first.
 */
export async function enrolPhone(outside: PinOutside, token: string, browser: string): Promise<PhoneProof> {
  const phone = await requirePhoneLink(outside, token);
  const { merchant_id, phone_id, added_by: by, name } = phone;
  const proof = { merchant_id, phone_id, key: newSecret(outside), secret: newSecret(outside) };
  const now = nowIso(outside);
  await outside.table.write([
    changeSharedPhone(phone, {
      ...{
        link_hash: undefined,
        browser,
        used_at: now,
        key_hash: sha256(proof.key),
        secret_hash: sha256(proof.secret),
      },
      ...endsIn(outside, UNUSED_SECONDS),
    }),
    recordAudit(outside, { merchant_id, by, action: 'phone enrol', about: phone_id, after: { name, browser } }),
  ]);
  return proof;
}

export async function phoneOf(outside: PinOutside, proof: PhoneProof | undefined): Promise<SharedPhone | undefined> {
  const phone = proof && (await getSharedPhone(outside, proof));
  return phone && isThisPhone(phone, proof) ? phone : undefined;
}

export interface PinSession {
  readonly token: string;
  readonly activity_key: string;
  readonly proof: PhoneProof;
  /** Number of wrong PINs since the user's last correct PIN. */
  readonly wrongBefore: number;
}

/**
 * Signs a user in with their PIN. The error does not reveal whether the user exists.
 * @throws PublicError `too_many_tries`, `wrong_code`, `busy`.
 */
export function signInWithPin(
  outside: PinOutside,
  proof: PhoneProof | undefined,
  { userId, pin }: { readonly userId: string; readonly pin: string },
): Promise<PinSession> {
  return signIn(outside, proof, { userId, wrong: 'That PIN is wrong.' }, async (on, { key }) => {
    const isRight = await isPin(on?.pin, pin, key);
    return isRight ? on?.pin : undefined;
  });
}

/**
 * Signs a user in with a code from an owner, and sets their PIN.
 * @throws PublicError like `signInWithPin`, and `invalid_request` for a PIN that is easy to guess.
 */
export function choosePin(
  outside: PinOutside,
  proof: PhoneProof | undefined,
  { userId, code, pin }: { readonly userId: string; readonly code: string; readonly pin: string },
): Promise<PinSession> {
  const weakness = weaknessOf(pin);
  if (weakness)
    throw invalidRequest([{ field: 'pin', message: `is easy to guess, because ${weakness}. Choose a different PIN.` }]);
  return signIn(outside, proof, { userId, wrong: 'That code is wrong or has expired.' }, async (on, { key }) => {
    const made = await hashPin(outside, pin, key);
    const given = on?.code;
    const isOpen = given !== undefined && given.ends_at_epoch_seconds * 1000 > outside.now();
    const isRight = timingSafeEqual(Buffer.from(sha256(code)), Buffer.from(given?.hash ?? sha256('')));
    return isOpen && isRight && (await mayStillGive(outside, { ...given, by: given.given_by })) ? made : undefined;
  });
}

/**
 * Records each attempt before checking the PIN, so that simultaneous attempts cannot bypass the limit. `check` returns
 * undefined if the PIN is wrong.
 */
async function signIn(
  outside: PinOutside,
  proof: PhoneProof | undefined,
  { userId, wrong }: { readonly userId: string; readonly wrong: string },
  check: (on: OnPhone | undefined, proof: PhoneProof) => Promise<Pin | undefined>,
): Promise<PinSession> {
  const [found, user] = await Promise.all([phoneOf(outside, proof), userRows.find(outside, { user_id: userId })]);
  if (!found || !proof) throw notShared();
  if (found.copied_at !== undefined || !hasLastSecret(found, proof)) return refuseCopy(outside, found);
  const phone = await countTry(outside, found, userId);
  const on = personOn(phone, userId);
  const pin = await check(on, proof);
  const isTheirs = user !== undefined && user.removed_at === undefined && user.merchant_id === phone.merchant_id;
  if (!on?.tries || !pin || !isTheirs) throw new PublicError('wrong_code', wrong);
  return beginSession(outside, phone, user, { proof, on: { ...on, tries: on.tries }, pin });
}

async function countTry(outside: PinOutside, phone: SharedPhone, userId: string): Promise<SharedPhone> {
  const tries = oneMoreTry(outside, phone, userId);
  const on = personOn(phone, userId);
  const set = on ? { people: { ...phone.people, [userId]: { ...on, tries } } } : { strangers: tries };
  const next = { ...phone, ...set, version: phone.version + 1 };
  const { merchant_id, phone_id } = phone;
  const isLast = isLocked(tries) || isPhoneLocked(next);
  const about = isPhoneLocked(next) || !on ? phone_id : userId;
  const entry = { merchant_id, by: SHARED_PHONE, action: 'phone lock', about, phone_id };
  await outside.table.write([changeSharedPhone(phone, set), ...(isLast ? [recordAudit(outside, entry)] : [])]);
  return next;
}

interface RightTry {
  readonly proof: PhoneProof;
  readonly on: OnPhone & { readonly tries: Tries };
  readonly pin: Pin;
}

async function beginSession(
  outside: PinOutside,
  phone: SharedPhone,
  user: User,
  { proof, on, pin }: RightTry,
): Promise<PinSession> {
  const { merchant_id, phone_id, name } = phone;
  const { user_id, role } = user;
  const activity_key = newSecret(outside);
  const by_pin = { phone_id, set_at: pin.set_at, role, activity_key };
  const { token, session, write } = startSession(outside, user, { browser: `Shared phone ${name}`, by_pin });
  const secret = newSecret(outside);
  const used_at = session.started_at;
  const set = {
    people: { ...phone.people, [user_id]: { pin, tries: afterRightTry(on.tries), used_at } },
    session_hash: session.hash,
    used_at,
    ...endsIn(outside, UNUSED_SECONDS),
    secret_hash: sha256(secret),
    earlier_secret_hash: sha256(proof.secret),
  };
  const entry = { merchant_id, by: user_id, action: 'pin set', about: user_id, phone_id };
  const noted: TableWrite[] = pin === on.pin ? [] : [recordAudit(outside, entry)];
  await outside.table.write([changeSharedPhone(phone, set), write, ...noted]);
  return { token, activity_key, proof: { ...proof, secret }, wrongBefore: on.tries.wrong - 1 };
}

/** Locks a shared phone, because two browsers have its cookies. An owner must add the phone again. */
async function refuseCopy(outside: WriteOutside, phone: SharedPhone): Promise<never> {
  const { merchant_id, phone_id } = phone;
  const entry = { merchant_id, by: SHARED_PHONE, action: 'phone copied', about: phone_id, phone_id };
  if (phone.copied_at === undefined)
    await outside.table.write([
      changeSharedPhone(phone, { copied_at: nowIso(outside), session_hash: undefined }),
      recordAudit(outside, entry),
    ]);
  throw new PublicError(
    'forbidden',
    'Another browser has signed in as this phone, so one of the two may be a copy. Ask an owner to remove this phone and add it again.',
  );
}

function notShared(): PublicError {
  return new PublicError(
    'forbidden',
    'This browser is not set up as a shared phone, or no longer is. Ask an owner to add it.',
  );
}

function newSecret({ randomBytes }: Pick<Outside, 'randomBytes'>): string {
  return randomBytes(32).toString('base64url');
}
