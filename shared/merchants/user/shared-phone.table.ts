/*
 * shared phone   SHARED_PHONE#<merchant> / <phone>   a browser that a shop's people share by PIN: its proof of identity,
 *                                                    the PINs it knows, and wrong tries. Ends 30 days after the last PIN.
 *
 * Everything about a phone is decided on this one row, and each change requires the version that was read, so that of
 * simultaneous guesses only one is tried. A PIN belongs to one phone: its hash includes the phone's key, which only the
 * phone's cookie holds.
 */
import * as z from 'zod/mini';
import type { Clock, TimedOutside } from '../../runtime/outside/outside.ts';
import { rows } from '../../runtime/table/rows.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { DAY_SECONDS } from '../../runtime/values/calendar.ts';

/** From the owner's tap until the phone opens the link. */
export const LINK_SECONDS = 15 * 60;
export const UNUSED_SECONDS = 30 * DAY_SECONDS;
export const MAX_SHARED_PHONES = 5;

const Tries = z.object({
  wrong: z.number(),
  /** No further try until then; milliseconds since 1970. */
  wait_until_ms: z.number(),
  /** A correct PIN does not reset this; otherwise a colleague could guess a few times between any two. */
  month_began_ms: z.number(),
  wrong_in_month: z.number(),
});
export type Tries = z.infer<typeof Tries>;

const Pin = z.object({ salt: z.string(), hash: z.string(), set_at: z.string() });
export type Pin = z.infer<typeof Pin>;

const OnPhone = z.object({
  pin: z.optional(Pin),
  code: z.optional(z.object({ hash: z.string(), ends_at_epoch_seconds: z.number() })),
  tries: z.optional(Tries),
  used_at: z.optional(z.string()),
});
export type OnPhone = z.infer<typeof OnPhone>;

const SharedPhone = z.object({
  merchant_id: z.string(),
  phone_id: z.string(),
  name: z.string(),
  added_by: z.string(),
  added_at: z.string(),
  link_hash: z.optional(z.string()),
  browser: z.optional(z.string()),
  /** Constant for the lifetime of the phone. */
  key_hash: z.optional(z.string()),
  /** Renewed with each sign-in, so that the phone and a copy of its cookies cannot both continue. */
  secret_hash: z.optional(z.string()),
  /** The previous secret, for a phone that never received the new one. */
  earlier_secret_hash: z.optional(z.string()),
  /** The time a replaced secret was presented. */
  copied_at: z.optional(z.string()),
  used_at: z.optional(z.string()),
  session_hash: z.optional(z.string()),
  /** By id, for people whom the owner has given a code. */
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
  changed: 'This phone was used or changed at the same time. Nothing was done: try again.',
});

/** Undefined if the phone has ended and its link has expired. */
export async function getSharedPhone(outside: TimedOutside, key: SharedPhoneKey): Promise<SharedPhone | undefined> {
  const phone = await sharedPhoneRows.find(outside, key);
  return phone && isKept(outside, phone) ? phone : undefined;
}

export async function listSharedPhones(outside: TimedOutside, merchant_id: string): Promise<SharedPhone[]> {
  return (await sharedPhoneRows.list(outside, { merchant_id })).filter((phone) => isKept(outside, phone));
}

/** DynamoDB deletes late. */
export function isKept({ now }: Clock, { expires_at_epoch_seconds }: SharedPhone): boolean {
  return expires_at_epoch_seconds * 1000 > now();
}

export function personOn({ people }: Pick<SharedPhone, 'people'>, userId: string): OnPhone | undefined {
  return Object.hasOwn(people, userId) ? people[userId] : undefined;
}

/** Refused if the phone changed or ended since it was read. */
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
