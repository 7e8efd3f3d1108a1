import { createHmac } from 'node:crypto';
import { buildPushPayload } from '@block65/webcrypto-web-push';
import { changeDevice, type Device, removeDevice, type Subscription } from '../merchants/user/device.table.ts';
import { nowIso } from '../runtime/outside/outside.ts';
import type { PublicAnswer } from '../runtime/outside/post-public.ts';
import { retryAfterSeconds } from '../runtime/outside/retry-after.ts';
import type { WorkerOutside } from '../runtime/outside/worker-outside.ts';
import { type Delivery, RetryLater } from '../runtime/triggers/queue.ts';
import { DAY_MS } from '../runtime/values/calendar.ts';
import type { PushJob } from './notice.ts';
import { ID_CHARACTERS, idOf, isInTurn, readNotice, USEFUL_SECONDS } from './notice-turn.ts';
import { type PushKey, pushKey } from './push-key.table.ts';
import { several, type Words } from './words.ts';

/** Timeout of a request to a push service, in ms. Most respond within a fraction of a second. */
export const PUSH_TIMEOUT_MS = 5_000;
/** Delays between attempts, in seconds. The notification is dropped after the last attempt. */
export const PUSH_WAITS_SECONDS = [5, 30, 120, 600, 900];
/** A subscription is removed after failing for this long. */
const FAILING_MS = 5 * DAY_MS;
const NOT_KNOWN_ANY_MORE = [404, 410];

/** Sends a notification to one browser, at least once. Browsers discard duplicates by id. */
export async function deliverPush(outside: WorkerOutside, job: PushJob, { receives }: Delivery): Promise<void> {
  const found = await readNotice(outside, job, ({ shows_details }) => shows_details);
  const key = found && (await pushKey(outside));
  if (!found?.device.subscription || !key) return;
  const { device, words } = found;
  if (!(await isInTurn(outside, job, receives))) return;
  await settle(outside, device, await post(outside, found.device.subscription, { key, job, words }), receives);
}

async function post(
  outside: WorkerOutside,
  { endpoint, p256dh, auth }: Subscription,
  { key, job, words }: { readonly key: PushKey; readonly job: PushJob; readonly words: Words },
): Promise<PublicAnswer | undefined> {
  // Use an HMAC, because a plain hash of the held payment's id could be brute-forced.
  const id = createHmac('sha256', key.private_key).update(idOf(job)).digest('base64url').slice(0, ID_CHARACTERS);
  const { headers, body } = await buildPushPayload(
    {
      data: { id, kind: job.kind, ...words, ...several[job.kind], ...(job.is_late && { more: true }) },
      // The push service replaces an undelivered notification with the same topic.
      options: { ttl: USEFUL_SECONDS, urgency: 'high', topic: id },
    },
    // The library signs only https URLs. Local development uses http.
    { endpoint: endpoint.replace(/^http:/, 'https:'), expirationTime: null, keys: { p256dh, auth } },
    { subject: outside.baseUrl, publicKey: key.public_key, privateKey: key.private_key },
  );
  const bytes = { body: Buffer.from(body).toString('base64'), encoding: 'base64' as const };
  // Discard the error: its message may contain the endpoint URL, which is a secret.
  return outside.postPublic({ url: endpoint, headers, ...bytes, timeoutMs: PUSH_TIMEOUT_MS }).catch(() => undefined);
}

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
    throw new RetryLater(seconds, `The push service responded with ${status}`);
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
