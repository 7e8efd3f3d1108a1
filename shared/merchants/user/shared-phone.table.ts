/**
 * shared phone   SHARED_PHONE#<merchant> / <phone>   a browser that several users share, each with a PIN. Expires 30
 *                                                    days after the last sign-in
 *
 * Each write requires the version that was read, so simultaneous guesses fail. A PIN's hash includes the phone's key,
 * which is stored only in the phone's cookie.
 */
import * as z from 'zod/mini';
import type { Clock, TimedOutside } from '../../runtime/outside/outside.ts';
import { rows } from '../../runtime/table/rows.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { DAY_SECONDS } from '../../runtime/values/calendar.ts';

/** Seconds for which a shared phone's link can be opened. */
export const LINK_SECONDS = 15 * 60;
export const UNUSED_SECONDS = 30 * DAY_SECONDS;
export const MAX_SHARED_PHONES = 5;

const Tries = z.object({
  wrong: z.number(),
  /** Time of the next allowed attempt (ms since 1970). */
  wait_until_ms: z.number(),
  /**
   * Start of the month for which wrong PINs are counted. A correct PIN does not reset the count, because a colleague
   * could guess between two correct entries.
   */
  month_began_ms: z.number(),
  wrong_in_month: z.number(),
});
export type Tries = z.infer<typeof Tries>;

const Pin = z.object({ salt: z.string(), hash: z.string(), set_at: z.string() });
export type Pin = z.infer<typeof Pin>;

const OnPhone = z.object({
  pin: z.optional(Pin),
  code: z.optional(
    z.object({
      hash: z.string(),
      given_by: z.string(),
      credential_id: z.optional(z.string()),
      ends_at_epoch_seconds: z.number(),
    }),
  ),
  tries: z.optional(Tries),
  used_at: z.optional(z.string()),
});
export type OnPhone = z.infer<typeof OnPhone>;

const SharedPhone = z.object({
  merchant_id: z.string(),
  phone_id: z.string(),
  name: z.string(),
  added_by: z.string(),
  /** The passkey of the session that added the phone. Removing it voids the link. */
  credential_id: z.optional(z.string()),
  added_at: z.string(),
  link_hash: z.optional(z.string()),
  browser: z.optional(z.string()),
  /** Hash of the phone's key, which never changes. */
  key_hash: z.optional(z.string()),
  /** Hash of the phone's secret, which changes with each sign-in to detect copied cookies. */
  secret_hash: z.optional(z.string()),
  /** Hash of the previous secret, in case the phone did not receive the new one. */
  earlier_secret_hash: z.optional(z.string()),
  /** Time at which a browser presented an outdated secret. */
  copied_at: z.optional(z.string()),
  used_at: z.optional(z.string()),
  session_hash: z.optional(z.string()),
  /** Users who received a code for this phone, keyed by id. */
  people: z.record(z.string(), OnPhone),
  strangers: z.optional(Tries),
  version: z.number(),
  expires_at_epoch_seconds: z.number(),
});
export type SharedPhone = z.infer<typeof SharedPhone>;

export type SharedPhoneKey = Pick<SharedPhone, 'merchant_id' | 'phone_id'>;

export const sharedPhoneRows = rows(SharedPhone, {
  pk: 'SHARED_PHONE#<merchant_id>',
  sk: '<phone_id>',
  changed: 'Somebody else has just used or changed this phone. Nothing was done. Try again.',
});

/** Returns undefined if the phone was removed or its link has expired. */
export async function getSharedPhone(outside: TimedOutside, key: SharedPhoneKey): Promise<SharedPhone | undefined> {
  const phone = await sharedPhoneRows.find(outside, key);
  return phone && isKept(outside, phone) ? phone : undefined;
}

export async function listSharedPhones(outside: TimedOutside, merchant_id: string): Promise<SharedPhone[]> {
  return (await sharedPhoneRows.list(outside, { merchant_id })).filter((phone) => isKept(outside, phone));
}

export function isKept({ now }: Clock, { expires_at_epoch_seconds }: SharedPhone): boolean {
  return expires_at_epoch_seconds * 1000 > now();
}

export function personOn({ people }: Pick<SharedPhone, 'people'>, userId: string): OnPhone | undefined {
  return Object.hasOwn(people, userId) ? people[userId] : undefined;
}

/** Updates a shared phone. The write fails if the phone has changed or was removed. */
export function changeSharedPhone(
  phone: SharedPhone,
  set: Partial<Omit<{ [Name in keyof SharedPhone]: SharedPhone[Name] | undefined }, keyof SharedPhoneKey | 'version'>>,
): TableWrite {
  return sharedPhoneRows.change(
    phone,
    { ...set, version: phone.version + 1 },
    {
      when: '#version = :was',
      values: { ':was': phone.version },
      refused: sharedPhoneRows.changed,
      contended: sharedPhoneRows.changed,
    },
  );
}
