import { createHmac } from 'node:crypto';
import { buildPushPayload } from '@block65/webcrypto-web-push';
import {
  changeDevice,
  type Device,
  deviceRows,
  noticeKinds,
  removeDevice,
  type Subscription,
} from '../merchants/user/device.table.ts';
import { may } from '../merchants/user/permissions.ts';
import { type User, userRows } from '../merchants/user/user.table.ts';
import { isoOf, nowIso } from '../runtime/outside/outside.ts';
import type { PublicAnswer } from '../runtime/outside/post-public.ts';
import { MAX_DELAY_SECONDS } from '../runtime/outside/queues.ts';
import { retryAfterSeconds } from '../runtime/outside/retry-after.ts';
import type { WorkerOutside } from '../runtime/outside/worker-outside.ts';
import { advance } from '../runtime/table/due-clock.ts';
import { type Delivery, RetryLater } from '../runtime/triggers/queue.ts';
import { HOUR_MS } from '../runtime/values/calendar.ts';
import { sha256Bytes } from '../runtime/values/sha256.ts';
import { askByText } from './ask-by-text.ts';
import { chosenKind, type Notice, type PushJob } from './notice.ts';
import { type PushKey, pushKey } from './push-key.table.ts';
import { type Texted, textNotice } from './text-notice.ts';
import { several, type Words, wordsOf } from './words.ts';

/** Push services answer within a fraction of a second. */
export const PUSH_TIMEOUT_MS = 5_000;
/** The waits after the first failures; after the one that follows the last, the notice is given up. */
export const PUSH_WAITS_SECONDS = [5, 30, 120, 600, 900];
/** What happened longer ago is seen on the dashboard, and wakes nobody. Push services keep a notice for no longer either. */
const USEFUL_SECONDS = 12 * 60 * 60;
/** How often a browser is told of one kind: of many payments in a row, it shows one notification and counts on. */
export const PACE_MS = 10_000;
/** The same for texts that were not understood: each may be nothing, and a new wording makes every text one. */
export const UNREAD_PACE_MS = HOUR_MS;
/** A subscription with which nothing has worked for so long is ended, although its push service knows it. */
const FAILING_MS = 5 * 24 * 60 * 60 * 1000;
const NOT_KNOWN_ANY_MORE = [404, 410];

/**
 * Tells one device, if it is still somebody's who asked for this and may see it: rights are read now, not when it happened. Made at least
 * once; the browser recognises a second one by its id.
 */
export async function deliverPush(outside: WorkerOutside, job: PushJob, { receives }: Delivery): Promise<void> {
  if (outside.now() - Date.parse(job.at) > USEFUL_SECONDS * 1000) return;
  const leftMs = job.due_at === undefined ? 0 : Date.parse(job.due_at) - outside.now();
  if (leftMs > 0) throw new RetryLater(Math.ceil(leftMs / 1000), 'Its turn comes later');
  const [device, user] = await Promise.all([deviceRows.find(outside, job), userRows.find(outside, job)]);
  if (!device || !user || !hears(device, user, job.kind)) return;
  // Of a text a copy is kept with the shop's others, where erasing a customer does not look for their name.
  const { to } = device;
  const withDetails = device.shows_details && to === undefined;
  const reader = { seesBalances: false, seesIds: may(user, 'receipts:assign') };
  const words = await wordsOf(outside, job, { withDetails, ...reader });
  if (!words) return;
  // One that comes again was not told, whatever the clock says.
  const inTurn = receives > 1 || job.is_late || job.kind === 'hello';
  if (to !== undefined) {
    if (job.kind === 'unread' && !inTurn && !(await isInTurn(outside, job))) return;
    return textOwner(outside, { ...device, to }, job, words);
  }
  const key = await pushKey(outside);
  if (!device.subscription || !key) return;
  if (!inTurn && !(await isInTurn(outside, job))) return;
  await settle(outside, device, await post(outside, device.subscription, { key, job, words }), receives);
}

/** An owner who answers by text is asked; all others are told where to answer. */
async function textOwner(outside: WorkerOutside, device: Texted, job: PushJob, words: Words): Promise<void> {
  if ((await askByText(outside, device, job, idOf(job))) || job.kind === 'hello') return;
  await textNotice(outside, device, idOf(job), words);
}

/** Whether a person still belongs to the shop, and may see what they asked for. Texts, which the shop pays, are for owners alone. */
function hears({ kinds, merchant_id, to }: Device, user: User, kind: Notice['kind']): boolean {
  if (user.removed_at !== undefined || user.merchant_id !== merchant_id) return false;
  if (to !== undefined && user.role !== 'owner') return false;
  const chosen = chosenKind(kind);
  return chosen === undefined || (kinds.includes(chosen) && may(user, noticeKinds[chosen]));
}

/**
 * Whether a notice is told now. One that comes soon after another of its kind waits for its turn, and stands for all that come until
 * then: those are dropped.
 */
async function isInTurn(outside: WorkerOutside, job: PushJob): Promise<boolean> {
  const { merchant_id, user_id, slot, kind } = job;
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
  await outside.queues.send('deliver-push', [{ body, group: merchant_id, delaySeconds: delay }]);
  return false;
}

/** The same for the same notice, however often it is queued. */
function idOf({ kind, about, at }: Notice): string {
  return sha256Bytes(`${kind} ${about} ${at}`).toString('base64url').slice(0, ID_CHARACTERS);
}

/** A topic has at most 32. */
const ID_CHARACTERS = 22;

/** What a push service answered; undefined if nothing, or if its address is not one to post to. */
async function post(
  outside: WorkerOutside,
  { endpoint, p256dh, auth }: Subscription,
  { key, job, words }: { readonly key: PushKey; readonly job: PushJob; readonly words: Words },
): Promise<PublicAnswer | undefined> {
  // With the key: a held payment's id is guessed within some hundred, and a bare hash would say which of them it is.
  const id = createHmac('sha256', key.private_key).update(idOf(job)).digest('base64url').slice(0, ID_CHARACTERS);
  const { headers, body } = await buildPushPayload(
    {
      data: { id, kind: job.kind, ...words, ...several[job.kind], ...(job.is_late && { more: true }) },
      // As a topic, the id has the push service replace a second one that is not delivered yet.
      options: { ttl: USEFUL_SECONDS, urgency: 'high', topic: id },
    },
    // The library signs for https alone. Anything else gets this far on a developer's machine only.
    { endpoint: endpoint.replace(/^http:/, 'https:'), expirationTime: null, keys: { p256dh, auth } },
    { subject: outside.baseUrl, publicKey: key.public_key, privateKey: key.private_key },
  );
  const bytes = { body: Buffer.from(body).toString('base64'), encoding: 'base64' as const };
  // What went wrong may name the address, which is a secret of the browser's.
  return outside.postPublic({ url: endpoint, headers, ...bytes, timeoutMs: PUSH_TIMEOUT_MS }).catch(() => undefined);
}

/** Ends what is gone, and tries again for a while what may work later. */
async function settle(
  outside: WorkerOutside,
  device: Device,
  answer: PublicAnswer | undefined,
  receives: number,
): Promise<void> {
  const { merchant_id, failing_since } = device;
  const status = answer?.statusCode ?? 0;
  if (status >= 200 && status < 300) {
    if (failing_since) await outside.table.update(changeDevice(device, { failing_since: undefined }));
    return;
  }
  if (NOT_KNOWN_ANY_MORE.includes(status)) {
    outside.log.info('push_ended', { merchant_id, status });
    return outside.table.write([removeDevice(device)]);
  }
  const waitSeconds = PUSH_WAITS_SECONDS[receives - 1];
  const mayWorkLater = status === 0 || status === 429 || status >= 500;
  if (mayWorkLater && waitSeconds !== undefined) {
    const asked = answer ? retryAfterSeconds(answer, outside.now()) : 0;
    const seconds = Math.min(Math.max(waitSeconds, asked), Math.max(...PUSH_WAITS_SECONDS));
    throw new RetryLater(seconds, `The push service answered ${status}`);
  }
  outside.log.warn('push_given_up', { merchant_id, status });
  await noteFailing(outside, device);
}

async function noteFailing(outside: WorkerOutside, device: Device): Promise<void> {
  const { failing_since } = device;
  const now = nowIso(outside);
  if (!failing_since) await outside.table.update(changeDevice(device, { failing_since: now }));
  else if (outside.now() - Date.parse(failing_since) > FAILING_MS) await outside.table.write([removeDevice(device)]);
}
