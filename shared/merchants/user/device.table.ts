/**
 * device   DEVICES#<merchant> / DEVICE#<user>#<1 to 5>   a browser that receives a user's notifications
 *                             / DEVICE#<user>#TEXT       the phone number of an owner without such a browser
 *   gsi2   EVENING#<hour> / <merchant>#<user>#<slot>     browsers that receive an owner's daily summary at that hour
 *
 * The slots limit a user to five browsers and one phone number. All devices of a merchant are read for every event.
 */
import * as z from 'zod/mini';
import type { TableOutside } from '../../runtime/outside/outside.ts';
import { rows } from '../../runtime/table/rows.ts';
import { LAST_SORT, listWholeIndex, type TableWrite } from '../../runtime/table/table.ts';
import { PublicError } from '../../runtime/values/errors.ts';
import type { Permission } from './permissions.ts';
import type { User } from './user.table.ts';

/** Kinds of notification, with the permission that each requires. */
export const noticeKinds = {
  paid: 'charges:read',
  held: 'receipts:read',
  undone: 'charges:read',
  wallet: 'proof:confirm',
  credits: 'credits:read',
  phone: 'charges:read',
  money_out: 'balances:read',
} as const satisfies Readonly<Record<string, Permission>>;
export const NoticeKind = z.enum(['paid', 'held', 'undone', 'wallet', 'credits', 'phone', 'money_out']);
export type NoticeKind = z.infer<typeof NoticeKind>;

const MAX_BROWSERS = 5;
const browserSlots = Array.from({ length: MAX_BROWSERS }, (_, n) => String(n + 1));
export const TEXT_SLOT = 'TEXT';

/** A push subscription (RFC 8030, RFC 8291). The keys are in base64url. */
const Subscription = z.object({ endpoint: z.string(), p256dh: z.string(), auth: z.string() });
export type Subscription = z.infer<typeof Subscription>;

const Device = z.object({
  merchant_id: z.string(),
  user_id: z.string(),
  slot: z.string(),
  /** Random id, stored in the browser's cookie. */
  device_id: z.string(),
  browser: z.optional(z.string()),
  subscription: z.optional(Subscription),
  to: z.optional(z.string()),
  texts_per_day: z.optional(z.number()),
  kinds: z.array(NoticeKind),
  /** True if notifications show amounts and names, which are visible on the lock screen. */
  shows_details: z.boolean(),
  /** Hour of the daily summary (0 to 23, Ghana time). Unset if the user gets no summary. */
  evening_hour: z.optional(z.number()),
  created_at: z.string(),
  /** Hash of the browser's latest session. Revoking that session also removes the device. */
  session_hash: z.optional(z.string()),
  /** The passkey of the session that set the device up. Removing the passkey ends the notifications. */
  credential_id: z.optional(z.string()),
  failing_since: z.optional(z.string()),
});
export type Device = z.infer<typeof Device>;

type DeviceKey = Pick<Device, 'merchant_id' | 'user_id' | 'slot'>;
/** A device and its id. The id distinguishes successive devices in one slot. */
export type NamedDevice = DeviceKey & Pick<Device, 'device_id'>;

export const deviceRows = rows(Device, {
  pk: 'DEVICES#<merchant_id>',
  sk: 'DEVICE#<user_id>#<slot>',
  changed: 'Your list of devices has just changed. Reload it.',
});

export async function devicesOf(
  outside: TableOutside,
  { merchant_id, user_id }: Pick<User, 'merchant_id' | 'user_id'>,
): Promise<Device[]> {
  if (merchant_id === undefined) return [];
  const start = `DEVICE#${user_id}#`;
  return deviceRows.list(outside, { merchant_id }, { between: [start, `${start}${LAST_SORT}`] });
}

/** Returns a free slot. @throws PublicError `invalid_request` if all slots are taken. */
export function freeSlot(devices: readonly Device[]): string {
  const free = browserSlots.find((slot) => devices.every((device) => device.slot !== slot));
  if (free !== undefined) return free;
  throw new PublicError(
    'invalid_request',
    `You already get notifications on ${MAX_BROWSERS} browsers. Remove one first.`,
  );
}

export function createDevice(device: Device): TableWrite {
  const { gsi2pk, gsi2sk } = eveningKey(device, device.evening_hour);
  return deviceRows.create({ ...(gsi2pk && { gsi2pk, gsi2sk }), ...device }, deviceRows.changed);
}

const eveningOf = (hour: number) => `EVENING#${String(hour).padStart(2, '0')}`;

function eveningKey({ merchant_id, user_id, slot }: DeviceKey, hour: number | undefined) {
  return hour === undefined
    ? { gsi2pk: undefined, gsi2sk: undefined }
    : { gsi2pk: eveningOf(hour), gsi2sk: `${merchant_id}#${user_id}#${slot}` };
}

export async function listEveningDevices({ table }: TableOutside, hour: number): Promise<Device[]> {
  return (await listWholeIndex(table, 'gsi2', eveningOf(hour))).map(deviceRows.parse);
}

export function changeDevice(
  device: NamedDevice,
  set: Partial<Omit<Device, keyof NamedDevice | 'browser' | 'created_at'>>,
): TableWrite {
  const values = { ':same': device.device_id };
  const listed = 'evening_hour' in set && eveningKey(device, set.evening_hour);
  return deviceRows.change(device, { ...set, ...listed }, { when: IS_SAME, values, refused: deviceRows.changed });
}

/** Removes a device. Does nothing if the device was already removed or replaced. */
export function removeDevice(device: NamedDevice): TableWrite {
  const when = `attribute_not_exists(pk) OR ${IS_SAME}`;
  return deviceRows.remove(device, { when, values: { ':same': device.device_id }, refused: () => undefined });
}

const IS_SAME = '#device_id = :same';
