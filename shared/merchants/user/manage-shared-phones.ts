import { endsIn, nowIso, nowSeconds, type TimedOutside, type WriteOutside } from '../../runtime/outside/outside.ts';
import { retryIfChanged } from '../../runtime/table/contention.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { DAY_SECONDS } from '../../runtime/values/calendar.ts';
import { PublicError } from '../../runtime/values/errors.ts';
import { newUlid } from '../../runtime/values/ids.ts';
import { NoSuch } from '../../runtime/values/no-such.ts';
import { sha256 } from '../../runtime/values/sha256.ts';
import { type AuditEntry, recordAudit } from '../audit/audit.table.ts';
import type { Giver } from './giver.ts';
import {
  changeSharedPhone,
  getSharedPhone,
  LINK_SECONDS,
  listSharedPhones,
  MAX_SHARED_PHONES,
  type SharedPhone,
  type SharedPhoneKey,
  sharedPhoneRows,
} from './shared-phone.table.ts';
import type { User } from './user.table.ts';

type By = Pick<AuditEntry, 'by'>;

/** @throws NoSuch if the phone is no longer shared or belongs to another merchant. */
export async function requireSharedPhone(outside: TimedOutside, key: SharedPhoneKey): Promise<SharedPhone> {
  const phone = await getSharedPhone(outside, key);
  if (phone) return phone;
  throw new NoSuch('shared phone', 'This is no longer a shared phone.');
}

type Person = Pick<User, 'user_id'>;

interface Coded {
  readonly code: string;
  readonly writes: TableWrite[];
}

/**
 * Adds a shared phone, which becomes active when its link is opened. Returns the link's token and a code for the first
 * user.
 * @throws PublicError if the merchant already has the maximum number of phones.
 */
export async function prepareSharedPhone(
  outside: WriteOutside,
  { merchant_id, name }: Pick<SharedPhone, 'merchant_id' | 'name'>,
  person: Person,
  giver: Giver,
): Promise<Coded & { readonly token: string }> {
  if ((await listSharedPhones(outside, merchant_id)).length >= MAX_SHARED_PHONES)
    throw new PublicError(
      'invalid_request',
      `A shop can have at most ${MAX_SHARED_PHONES} shared phones. Remove one first.`,
    );
  const { by } = giver;
  const phone_id = newUlid(outside);
  const token = `${merchant_id}.${phone_id}.${outside.randomBytes(32).toString('base64url')}`;
  const phone = {
    merchant_id,
    phone_id,
    name,
    added_by: by,
    credential_id: giver.credential_id,
    added_at: nowIso(outside),
    link_hash: sha256(token),
    people: {},
    version: 1,
    ...endsIn(outside, LINK_SECONDS),
  };
  const { code, people, noted } = newCode(outside, phone, person, giver);
  const entry = { merchant_id, by, action: 'phone add', about: phone_id, after: { name } };
  return { code, token, writes: [sharedPhoneRows.create({ ...phone, people }), recordAudit(outside, entry), noted] };
}

export const CODE_SECONDS = DAY_SECONDS;

/** Creates a code for setting a PIN on a shared phone. Invalidates the user's previous PIN and its session. */
export function prepareCode(outside: WriteOutside, phone: SharedPhone, person: Person, giver: Giver): Coded {
  const { code, people, noted } = newCode(outside, phone, person, giver);
  return { code, writes: [changeSharedPhone(phone, { people }), noted] };
}

function newCode(outside: WriteOutside, phone: SharedPhone, { user_id }: Person, { by, credential_id }: Giver) {
  const code = String(outside.randomBytes(6).readUIntBE(0, 6) % 10 ** CODE_DIGITS).padStart(CODE_DIGITS, '0');
  const ends_at_epoch_seconds = nowSeconds(outside) + CODE_SECONDS;
  const { merchant_id, phone_id, people } = phone;
  const on = { code: { hash: sha256(code), given_by: by, credential_id, ends_at_epoch_seconds } };
  const entry = { merchant_id, by, action: 'pin invite', about: user_id, phone_id };
  return { code, people: { ...people, [user_id]: on }, noted: recordAudit(outside, entry) };
}

/** Number of digits in a code. A code works on one phone only, with at most ten attempts. */
export const CODE_DIGITS = 8;

export async function endSharedPhone(outside: WriteOutside, phone: SharedPhone, { by }: By): Promise<void> {
  const { merchant_id, phone_id, name } = phone;
  const entry = { merchant_id, by, action: 'phone end', about: phone_id, before: { name } };
  await outside.table.write([sharedPhoneRows.remove(phone), recordAudit(outside, entry)]);
}

export function unlockPhone(outside: WriteOutside, phone: SharedPhone, { by }: By): Promise<void> {
  const { merchant_id, phone_id } = phone;
  const people = Object.fromEntries(Object.entries(phone.people).map(([id, { tries: _, ...on }]) => [id, on]));
  const entry = { merchant_id, by, action: 'phone unlock', about: phone_id };
  return outside.table.write([changeSharedPhone(phone, { people, strangers: undefined }), recordAudit(outside, entry)]);
}

export function signOutPhone(outside: WriteOutside, phone: SharedPhone, { by }: By): Promise<void> {
  const { merchant_id, phone_id } = phone;
  const entry = { merchant_id, by, action: 'phone sign-out', about: phone_id };
  return outside.table.write([changeSharedPhone(phone, { session_hash: undefined }), recordAudit(outside, entry)]);
}

export async function forgetOnPhones(
  outside: TimedOutside,
  { merchant_id, user_id }: Pick<User, 'merchant_id' | 'user_id'>,
): Promise<TableWrite[]> {
  if (merchant_id === undefined) return [];
  const phones = await listSharedPhones(outside, merchant_id);
  return phones
    .filter(({ people }) => Object.hasOwn(people, user_id))
    .map((phone) => {
      const { [user_id]: _, ...people } = phone.people;
      return changeSharedPhone(phone, { people });
    });
}

export function endPins(outside: TimedOutside, user: Pick<User, 'merchant_id' | 'user_id'>): Promise<void> {
  return retryIfChanged(async () => {
    const writes = await forgetOnPhones(outside, user);
    if (writes.length > 0) await outside.table.write(writes);
  });
}
