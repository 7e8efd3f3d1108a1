import * as z from 'zod/mini';
import { Network } from '../ghana/network.ts';
import { type Device, deviceRows, NoticeKind, TEXT_SLOT } from '../merchants/user/device.table.ts';
import type { WorkerOutside } from '../runtime/outside/worker-outside.ts';

/** Notification kinds that are enabled together with another kind. */
const chosenWith = {
  code_waiting: 'held',
  limit_reached: 'held',
  unread: 'held',
  stock_low: 'credits',
} as const satisfies Readonly<Record<string, NoticeKind>>;

/** An event and its subject, without amounts or names. */
const PushNotification = z.object({
  /** `hello` is a sample notification for a newly added browser. */
  kind: z.union([NoticeKind, z.literal(['hello', 'evening', 'code_waiting', 'limit_reached', 'unread', 'stock_low'])]),
  /** The subject: a charge's reference, a receipt's id, a link's slug, a network, a number, a day or a hash. */
  about: z.string(),
  at: z.string(),
  wallet: z.optional(z.object({ network: Network, momo_number: z.string() })),
  /** True if the reversal was inferred from the wallet's balance rather than reported in a text. */
  is_suspected: z.optional(z.boolean()),
});
export type PushNotification = z.infer<typeof PushNotification>;

export const PushJob = z.extend(PushNotification, {
  merchant_id: z.string(),
  user_id: z.string(),
  slot: z.string(),
  /** True once the job has been requeued. The notification may then cover several events. */
  is_late: z.optional(z.boolean()),
  /** Time before which the job must not run. Set only if this time is beyond the queue's maximum delay. */
  due_at: z.optional(z.string()),
});
export type PushJob = z.infer<typeof PushJob>;

/** A notification for all of a merchant's devices that have this kind enabled. */
export interface Notification {
  readonly merchant_id: string;
  readonly notice: Omit<PushNotification, 'at'>;
  readonly only?: Device;
}

/** Queues a notification for each eligible device, at least once. `at` is the time of the change (ISO). */
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

/** Returns the queue for a device's notifications. Texts cost credits, so the worker that handles money sends them. */
export function queueOf({ slot }: Pick<PushJob, 'slot'>): 'deliver-push' | 'run-follow-up' {
  return slot === TEXT_SLOT ? 'run-follow-up' : 'deliver-push';
}

/** Returns the kind that a person must enable to get this notification, or undefined if none is required. */
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
