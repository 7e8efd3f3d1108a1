/*
 * device   DEVICES#<merchant> / DEVICE#<user>#<1 to 5>   a browser on which a person is told of the shop, and of what
 *                             / DEVICE#<user>#TEXT       the number of an owner who has no such browser
 *
 * A person has a place for each of five browsers and one for a number: the key, and not a count, is what bounds them. All of a
 * merchant's are one partition, since each event asks for them.
 */
import * as z from 'zod/mini';
import { type Clock, nowIso, type TableOutside } from '../../runtime/outside/outside.ts';
import { rows } from '../../runtime/table/rows.ts';
import { LAST_SORT, type TableWrite } from '../../runtime/table/table.ts';
import { PublicError } from '../../runtime/values/errors.ts';
import type { Permission } from './permissions.ts';
import type { User } from './user.table.ts';

/** What a person can be told of, each with the permission that it takes: nobody hears what they may not see. */
export const noticeKinds = {
  paid: 'charges:read',
  held: 'receipts:read',
  undone: 'charges:read',
  wallet: 'proof:confirm',
  credits: 'credits:read',
  phone: 'charges:read',
} as const satisfies Readonly<Record<string, Permission>>;
export const NoticeKind = z.enum(['paid', 'held', 'undone', 'wallet', 'credits', 'phone']);
export type NoticeKind = z.infer<typeof NoticeKind>;

const MAX_BROWSERS = 5;
const browserSlots = Array.from({ length: MAX_BROWSERS }, (_, n) => String(n + 1));
export const TEXT_SLOT = 'TEXT';

/** As the browser's push service gives it (RFC 8030, RFC 8291): keys in base64url. */
const Subscription = z.object({ endpoint: z.string(), p256dh: z.string(), auth: z.string() });
export type Subscription = z.infer<typeof Subscription>;

const Device = z.object({
  merchant_id: z.string(),
  user_id: z.string(),
  slot: z.string(),
  /** Random, and known to the browser alone: its cookie says by it which device it is. */
  device_id: z.string(),
  /** `Chrome on Android`, so that people know which is which; of a number nothing. */
  browser: z.optional(z.string()),
  subscription: z.optional(Subscription),
  /** The number that is texted, in place of a browser. */
  to: z.optional(z.string()),
  /** At most so many texts a day, each of which costs a credit. */
  texts_per_day: z.optional(z.number()),
  /** When its owner asked to answer the wallets' questions from there, and since when they may: they have proven the number by then. */
  answers_asked_at: z.optional(z.string()),
  answers_since: z.optional(z.string()),
  kinds: z.array(NoticeKind),
  /** Whether amounts and names may be shown, which a locked screen does to everybody. */
  shows_details: z.boolean(),
  created_at: z.string(),
  /** The hash of the session that the browser had last: what ends together with it, if somebody ends it. */
  session_hash: z.optional(z.string()),
  /** Since when nothing could be delivered. */
  failing_since: z.optional(z.string()),
});
export type Device = z.infer<typeof Device>;

/** What names a device's row. */
type DeviceKey = Pick<Device, 'merchant_id' | 'user_id' | 'slot'>;
/** The same, and which of those that have had its place it is. */
export type NamedDevice = DeviceKey & Pick<Device, 'device_id'>;

export const deviceRows = rows(Device, {
  pk: 'DEVICES#<merchant_id>',
  sk: 'DEVICE#<user_id>#<slot>',
  changed: 'Your devices were changed at the same time. Look again.',
});

/** Those of one person; none of somebody who belongs to no merchant. */
export async function devicesOf(
  outside: TableOutside,
  { merchant_id, user_id }: Pick<User, 'merchant_id' | 'user_id'>,
): Promise<Device[]> {
  if (merchant_id === undefined) return [];
  const start = `DEVICE#${user_id}#`;
  return deviceRows.list(outside, { merchant_id }, { between: [start, `${start}${LAST_SORT}`] });
}

/** A place that none of a person's browsers has. @throws PublicError `invalid_request` where all are taken. */
export function freeSlot(devices: readonly Device[]): string {
  const free = browserSlots.find((slot) => devices.every((device) => device.slot !== slot));
  if (free !== undefined) return free;
  throw new PublicError('invalid_request', `You are told on ${MAX_BROWSERS} browsers already: remove one first.`);
}

/** Refused where the place was taken since it was found free. */
export function createDevice(device: Device): TableWrite {
  return deviceRows.create(device, deviceRows.changed);
}

/** Changes a device; refused where it has ended. */
export function changeDevice(
  device: NamedDevice,
  set: Partial<Omit<Device, keyof NamedDevice | 'browser' | 'created_at'>>,
): TableWrite {
  const values = { ':same': device.device_id };
  return deviceRows.change(device, set, { when: IS_SAME, values, refused: deviceRows.changed });
}

/** From now on a number's owner answers by text; refused where they have chosen otherwise since it was read. */
export function acceptAnswers(outside: Clock, device: Device): TableWrite {
  const { device_id, to, answers_asked_at } = device;
  const values = { ':same': device_id, ':to_read': to, ':asked': answers_asked_at };
  const when = `${IS_SAME} AND #to = :to_read AND answers_asked_at = :asked`;
  const set = { answers_since: nowIso(outside) };
  return deviceRows.change(device, set, { when, values, refused: deviceRows.changed });
}

/** Ends a device; no harm where it has ended, or another has its place. */
export function removeDevice(device: NamedDevice): TableWrite {
  const when = `attribute_not_exists(pk) OR ${IS_SAME}`;
  return deviceRows.remove(device, { when, values: { ':same': device.device_id }, refused: () => undefined });
}

const IS_SAME = '#device_id = :same';
