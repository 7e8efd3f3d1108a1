/*
 * shared phone   SHARED_PHONE#<merchant> / <phone>   a browser on which the people of a shop change by PIN: what it proves itself with, whose
 *                                                    PINs it knows, and the wrong ones. Ended 30 days after the last PIN.
 *
 * All that is decided about a phone is decided on this one row, and each change is of the version that was read: of guesses that are
 * sent at once, one is tried. A PIN is of one phone: its hash has the phone's key in it, which only the phone's cookie holds.
 */
import * as z from 'zod/mini';
import type { Clock, TimedOutside } from '../../runtime/outside/outside.ts';
import { rows } from '../../runtime/table/rows.ts';
import type { TableWrite } from '../../runtime/table/table.ts';

/** From the owner's tap until the phone opens the link. */
export const LINK_SECONDS = 15 * 60;
export const UNUSED_SECONDS = 30 * 24 * 60 * 60;
export const MAX_SHARED_PHONES = 5;

/** Wrong PINs, and codes, of one person on one phone. */
const Tries = z.object({
  /** Since the last right one. */
  wrong: z.number(),
  /** No other is tried until then; milliseconds since 1970. */
  wait_until_ms: z.number(),
  /** A right one does not clear these: else a colleague could guess a few between any two of them. */
  month_began_ms: z.number(),
  wrong_in_month: z.number(),
});
export type Tries = z.infer<typeof Tries>;

const Pin = z.object({ salt: z.string(), hash: z.string(), set_at: z.string() });
export type Pin = z.infer<typeof Pin>;

const OnPhone = z.object({
  pin: z.optional(Pin),
  /** Lets the person set a PIN, once. */
  code: z.optional(z.object({ hash: z.string(), ends_at_epoch_seconds: z.number() })),
  tries: z.optional(Tries),
  used_at: z.optional(z.string()),
});
/** What a phone knows of a person. */
export type OnPhone = z.infer<typeof OnPhone>;

const SharedPhone = z.object({
  merchant_id: z.string(),
  /** A ulid. */
  phone_id: z.string(),
  /** As the owner calls it. */
  name: z.string(),
  added_by: z.string(),
  added_at: z.string(),
  /** Until the phone has opened its link. */
  link_hash: z.optional(z.string()),
  browser: z.optional(z.string()),
  /** Stays the same as long as the phone does. */
  key_hash: z.optional(z.string()),
  /** Another one with each sign-in: a copy of the cookies and the phone cannot both go on. */
  secret_hash: z.optional(z.string()),
  /** The one before, for a phone that never got the answer with the new one. */
  earlier_secret_hash: z.optional(z.string()),
  /** When a secret came that had been replaced. */
  copied_at: z.optional(z.string()),
  used_at: z.optional(z.string()),
  /** The one session that the phone has. */
  session_hash: z.optional(z.string()),
  /** By the ids of those whom the owner has given a code. */
  people: z.record(z.string(), OnPhone),
  /** Of ids that nobody has here. */
  strangers: z.optional(Tries),
  version: z.number(),
  expires_at_epoch_seconds: z.number(),
});
export type SharedPhone = z.infer<typeof SharedPhone>;

/** What names a phone's row. */
export type SharedPhoneKey = Pick<SharedPhone, 'merchant_id' | 'phone_id'>;

/** A merchant's are listed from the first one on. */
export const sharedPhoneRows = rows(SharedPhone, {
  pk: 'SHARED_PHONE#<merchant_id>',
  sk: '<phone_id>',
  changed: 'This phone was used or changed at the same time. Nothing was done: try again.',
});

/** A phone that has not ended, or whose link can still be opened. */
export async function getSharedPhone(outside: TimedOutside, key: SharedPhoneKey): Promise<SharedPhone | undefined> {
  const phone = await sharedPhoneRows.find(outside, key);
  return phone && isKept(outside, phone) ? phone : undefined;
}

/** A merchant's, the first one first. */
export async function listSharedPhones(outside: TimedOutside, merchant_id: string): Promise<SharedPhone[]> {
  return (await sharedPhoneRows.list(outside, { merchant_id })).filter((phone) => isKept(outside, phone));
}

/** DynamoDB deletes late. */
export function isKept({ now }: Clock, { expires_at_epoch_seconds }: SharedPhone): boolean {
  return expires_at_epoch_seconds * 1000 > now();
}

/** What a phone knows of this person; undefined for an id that nobody has here. */
export function personOn({ people }: Pick<SharedPhone, 'people'>, userId: string): OnPhone | undefined {
  return Object.hasOwn(people, userId) ? people[userId] : undefined;
}

/** Refused where the phone was changed, or ended, since it was read. */
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
