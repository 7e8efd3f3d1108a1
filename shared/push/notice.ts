import * as z from 'zod/mini';
import { Network } from '../ghana/network.ts';
import { type Device, deviceRows, NoticeKind, TEXT_SLOT } from '../merchants/user/device.table.ts';
import type { WorkerOutside } from '../runtime/outside/worker-outside.ts';

/** Kinds of notification that are included when a person chooses another kind. */
const chosenWith = {
  code_waiting: 'held',
  limit_reached: 'held',
  unread: 'held',
  stock_low: 'credits',
} as const satisfies Readonly<Record<string, NoticeKind>>;

/** The event and its subject. Safe to store in a queue because it has no amounts and no names. */
const PushNotification = z.object({
  /** `hello` shows a newly added browser how notifications look. */
  kind: z.union([NoticeKind, z.literal(['hello', 'evening', 'code_waiting', 'limit_reached', 'unread', 'stock_low'])]),
  /** The charge's reference, the receipt's id, the link's slug, the network, the number, the day or the hash. */
  about: z.string(),
  at: z.string(),
  /**
   * A question to a wallet's owner. `notice_at` is the time in the notice's key. `yes_is_enough` allows yes or no as
   * the answer.
   */
  asks: z.optional(z.object({ momo_number: z.string(), notice_at: z.string(), yes_is_enough: z.boolean() })),
  wallet: z.optional(z.object({ network: Network, momo_number: z.string() })),
  /**
   * Set if no text reports the reversal and it was inferred because the wallet's balance fell by exactly the payment's
   * amount.
   */
  is_suspected: z.optional(z.boolean()),
});
export type PushNotification = z.infer<typeof PushNotification>;

export const PushJob = z.extend(PushNotification, {
  merchant_id: z.string(),
  user_id: z.string(),
  slot: z.string(),
  /** Set after the job waited for its turn. It may cover several notifications of its kind. */
  is_late: z.optional(z.boolean()),
  /** The time of its turn, if that is later than a queue can delay the job. */
  due_at: z.optional(z.string()),
});
export type PushJob = z.infer<typeof PushJob>;

/** A notification about a merchant, for the devices that chose its kind. */
export interface Notification {
  readonly merchant_id: string;
  readonly notice: Omit<PushNotification, 'at'>;
  readonly only?: Device;
}

/** Queues a notification for each of its devices, at least once. `at` is the time of the change (ISO). */
export async function queueNotification(
  outside: WorkerOutside,
  { merchant_id, only, ...about }: Notification,
  at: string,
): Promise<void> {
  const notice: PushNotification = { ...about.notice, at };
  const devices = only ? [only] : await deviceRows.list(outside, { merchant_id });
  const jobs = devices
    .filter(({ kinds }) => {
      const kind = chosenKind(notice.kind);
      return kind === undefined || kinds.includes(kind);
    })
    .map(({ user_id, slot }) => jobFor(merchant_id, { user_id, slot }, notice));
  const byQueue = Object.entries(Object.groupBy(jobs, ({ body }) => queueOf(body)));
  await Promise.all(byQueue.map(([queue, some]) => outside.queues.send(queue, some)));
}

/**
 * Returns the queue for a device's notifications. A text costs the shop a credit, so the worker that changes money
 * sends it.
 */
export function queueOf({ slot }: Pick<PushJob, 'slot'>): 'deliver-push' | 'run-follow-up' {
  return slot === TEXT_SLOT ? 'run-follow-up' : 'deliver-push';
}

/** Returns the kind that people choose to get this notification, or undefined if it needs no choice. */
export function chosenKind(kind: PushNotification['kind']): NoticeKind | undefined {
  if (kind === 'hello' || kind === 'evening') return undefined;
  const isOther = kind === 'code_waiting' || kind === 'limit_reached' || kind === 'unread' || kind === 'stock_low';
  return isOther ? chosenWith[kind] : kind;
}

export function jobFor(
  merchant_id: string,
  { user_id, slot }: Pick<Device, 'user_id' | 'slot'>,
  notice: PushNotification,
) {
  return { body: { merchant_id, user_id, slot, ...notice } satisfies PushJob, group: merchant_id };
}
