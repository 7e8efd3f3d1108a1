import { type Device, deviceRows, noticeKinds } from '../merchants/user/device.table.ts';
import { may } from '../merchants/user/permissions.ts';
import { hasPasskeyOf, type User, userRows } from '../merchants/user/user.table.ts';
import { isoOf } from '../runtime/outside/outside.ts';
import { MAX_DELAY_SECONDS } from '../runtime/outside/queues.ts';
import type { WorkerOutside } from '../runtime/outside/worker-outside.ts';
import { advance } from '../runtime/table/due-clock.ts';
import { RetryLater } from '../runtime/triggers/queue.ts';
import { HOUR_MS, HOUR_SECONDS } from '../runtime/values/calendar.ts';
import { sha256Bytes } from '../runtime/values/sha256.ts';
import { chosenKind, type PushJob, type PushNotification, queueOf } from './notice.ts';
import { type Words, wordsOf } from './words.ts';

/** Lifetime of an undelivered notification, also passed to push services as the TTL. */
export const USEFUL_SECONDS = 12 * HOUR_SECONDS;
/** Minimum time between two notifications of the same kind on a device. */
export const PACE_MS = 10_000;
/**
 * Minimum time between notifications about unparsed texts. The time is long, because all texts become unparsable if a
 * network changes its wording.
 */
export const UNREAD_PACE_MS = HOUR_MS;

/**
 * Reads a notification's device and builds its message. Returns undefined if the notification must not be shown.
 * @throws RetryLater if the notification is not due yet.
 */
export async function readNotice(
  outside: WorkerOutside,
  job: PushJob,
  withDetails: (device: Device) => boolean,
): Promise<{ readonly device: Device; readonly words: Words } | undefined> {
  if (outside.now() - Date.parse(job.at) > USEFUL_SECONDS * 1000) return undefined;
  const leftMs = job.due_at === undefined ? 0 : Date.parse(job.due_at) - outside.now();
  if (leftMs > 0) throw new RetryLater(Math.ceil(leftMs / 1000), 'The notification is not due yet');
  const [device, user] = await Promise.all([deviceRows.find(outside, job), userRows.find(outside, job)]);
  if (!device || !user || !hears(device, user, job.kind)) return undefined;
  const reader = { seesBalances: false, seesIds: may(user, 'receipts:assign') };
  const words = await wordsOf(outside, job, { withDetails: withDetails(device), ...reader });
  return words && { device, words };
}

/**
 * Returns true if the person may receive this kind of notification. Texts cost credits, so only owners receive them.
 */
function hears(device: Device, user: User, kind: PushNotification['kind']): boolean {
  const { kinds, merchant_id, to, evening_hour } = device;
  if (user.removed_at !== undefined || user.merchant_id !== merchant_id) return false;
  if (!hasPasskeyOf(user, device)) return false;
  if (to !== undefined && user.role !== 'owner') return false;
  if (kind === 'evening') return evening_hour !== undefined && user.role === 'owner';
  const chosen = chosenKind(kind);
  return chosen === undefined || (kinds.includes(chosen) && may(user, noticeKinds[chosen]));
}

/**
 * Returns true if the notification can be shown now. Otherwise, requeues the notification, or drops it if another one
 * of the same kind is already queued.
 */
export async function isInTurn(outside: WorkerOutside, job: PushJob, receives: number): Promise<boolean> {
  const { merchant_id, user_id, slot, kind } = job;
  // A redelivered job may already have passed this check.
  if (receives > 1 || job.is_late || kind === 'hello') return true;
  const clock = { pk: `PUSH_PACE#${merchant_id}`, sk: `${user_id}#${slot}#${kind}` };
  const nowMs = outside.now();
  const stepMs = kind === 'unread' ? UNREAD_PACE_MS : PACE_MS;
  const dueMs = await advance(outside, clock, { stepMs, latestMs: nowMs + stepMs });
  if (dueMs === undefined) return false;
  const delaySeconds = Math.ceil((dueMs - stepMs - nowMs) / 1000);
  if (delaySeconds <= 0) return true;
  const late: PushJob = { ...job, is_late: true };
  const isLong = delaySeconds > MAX_DELAY_SECONDS;
  const [body, delay] = isLong ? [{ ...late, due_at: isoOf(dueMs - stepMs) }, MAX_DELAY_SECONDS] : [late, delaySeconds];
  await outside.queues.send(queueOf(job), [{ body, group: merchant_id, delaySeconds: delay }]);
  return false;
}

/** Returns an id shared by all copies of a notification. */
export function idOf({ kind, about, at }: PushNotification): string {
  return sha256Bytes(`${kind} ${about} ${at}`).toString('base64url').slice(0, ID_CHARACTERS);
}

/** Length of an id. Push services accept topics of up to 32 characters. */
export const ID_CHARACTERS = 22;
