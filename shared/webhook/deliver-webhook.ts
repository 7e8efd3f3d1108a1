import { forMerchant } from '../merchants/merchant/test-account.ts';
import { isoOf, nowIso } from '../runtime/outside/outside.ts';
import type { PublicAnswer } from '../runtime/outside/post-public.ts';
import { MAX_URL_CHARACTERS } from '../runtime/outside/public-url.ts';
import { retryAfterSeconds } from '../runtime/outside/retry-after.ts';
import { waitUntil } from '../runtime/outside/same-timing.ts';
import type { WorkerOutside } from '../runtime/outside/worker-outside.ts';
import type { TableWrite } from '../runtime/table/table.ts';
import { DAY_MS, DAY_SECONDS } from '../runtime/values/calendar.ts';
import { disableEndpoint, endpointRows, noteFailing, noteWorking, type WebhookEndpoint } from './endpoint.table.ts';
import { signatureHeaders, validSecrets } from './endpoint.ts';
import { EventMovedOn, putAttempt, replaceWebhookEvent, webhookEventRows } from './event.table.ts';
import { queueTry, type WebhookAttempt, type WebhookEvent, type WebhookJob } from './event.ts';
import { noteSlow, reserveSlot, SLOW_MS, slownessAfter } from './lane.table.ts';

export const WEBHOOK_TIMEOUT_MS = 15_000;
/** Consecutive days of failures after which a webhook is disabled. */
export const FAILING_DAYS = 5;
export const SILENCE_DAYS = 2;
/** Time after which the last attempt counts as failed if its worker crashes. */
export const LAST_TRY_SECONDS = 5 * 60;
const GONE = 410;
/**
 * Delay of an attempt if the receiver's lane is full. Longer than the maximum queue delay, so housekeeping queues the
 * attempt.
 */
export const LANE_FULL_SECONDS = 20 * 60;
export const MAX_RETRY_AFTER_SECONDS = DAY_SECONDS;

/** Makes one attempt to deliver an event. The next attempt is scheduled first, in case the worker crashes. */
export async function deliverWebhook(given: WorkerOutside, job: WebhookJob): Promise<void> {
  const event = await webhookEventRows.find(given, job);
  if (event?.state !== 'pending' || event.tries !== job.tries) return;
  const outside = forMerchant(given, event);
  if (event.next_try_at && Date.parse(event.next_try_at) > outside.now() + 1000) return queueTry(outside, event);
  const endpoint = await endpointRows.find(outside, event);
  if (endpoint && !endpoint.disabled_at && (await mustWait(outside, event, endpoint))) return;
  const taken = await startTry(outside, event, endpoint);
  if (!taken || !endpoint) return;
  const trying = makeTry(outside, taken, endpoint);
  await noteSilence(outside, endpoint, trying).catch((error) => outside.log.warn('silence_not_noted', { error }));
  await settleTry(outside, taken, endpoint, await trying);
}

/** Returns true if the attempt was postponed because the receiver is slow. A postponed attempt is not counted. */
async function mustWait(outside: WorkerOutside, event: WebhookEvent, endpoint: WebhookEndpoint): Promise<boolean> {
  if (event.has_slot) return false;
  const slotMs = await reserveSlot(outside, endpoint, event);
  if (slotMs !== undefined && slotMs <= outside.now()) return false;
  const after: WebhookEvent =
    slotMs === undefined
      ? { ...event, next_try_at: timeIn(outside, LANE_FULL_SECONDS) }
      : { ...event, next_try_at: isoOf(slotMs), has_slot: true };
  if (await write(outside, [replaceWebhookEvent(outside, event, after)])) await queueTry(outside, after);
  return true;
}

/** Counts the attempt and schedules the next one. Returns undefined if no attempt should be made. */
async function startTry(
  outside: WorkerOutside,
  event: WebhookEvent,
  endpoint: WebhookEndpoint | undefined,
): Promise<WebhookEvent | undefined> {
  const isOver = !endpoint || endpoint.disabled_at !== undefined || event.round_tries >= MAX_TRIES;
  const tries = { tries: event.tries + 1, round_tries: event.round_tries + 1 };
  const share = outside.randomBytes(1).readUInt8() / 256;
  const next = waitSeconds(tries.round_tries, share) ?? LAST_TRY_SECONDS;
  const after: WebhookEvent = isOver
    ? { ...event, state: 'gave_up', next_try_at: undefined }
    : { ...event, ...tries, next_try_at: timeIn(outside, next), has_slot: undefined };
  const written = await write(outside, [replaceWebhookEvent(outside, event, after)]);
  return written && !isOver ? after : undefined;
}

async function makeTry(outside: WorkerOutside, event: WebhookEvent, endpoint: WebhookEndpoint): Promise<TryResult> {
  const startedMs = outside.now();
  const signature = signatureHeaders(event.event_id, event.body, validSecrets(endpoint, startedMs), startedMs);
  const attempt = { number: event.tries, started_at: isoOf(startedMs) };
  try {
    const answer = await outside.postPublic({
      url: endpoint.url,
      headers: { 'content-type': 'application/json', ...signature },
      body: event.body,
      timeoutMs: WEBHOOK_TIMEOUT_MS,
    });
    const duration_ms = outside.now() - startedMs;
    return {
      attempt: {
        ...attempt,
        duration_ms,
        status_code: answer.statusCode,
        answer: answer.text,
        ...problemOf(answer),
      },
      retryAfterSeconds: Math.min(retryAfterSeconds(answer, startedMs), MAX_RETRY_AFTER_SECONDS),
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { attempt: { ...attempt, duration_ms: outside.now() - startedMs, error: reason }, retryAfterSeconds: 0 };
  }
}

/**
 * Marks a receiver as slow while the attempt still waits for a response. Otherwise, slow receivers could block every
 * worker.
 */
async function noteSilence(outside: WorkerOutside, endpoint: WebhookEndpoint, trying: Promise<unknown>): Promise<void> {
  const startedMs = outside.now();
  const isOver = trying.then(() => true);
  for (let ms = SLOW_MS; ms < WEBHOOK_TIMEOUT_MS; ms *= 2) {
    if (await Promise.race([isOver, waitUntil(outside, startedMs + ms).then(() => outside.now() < startedMs + ms)]))
      return;
    if (ms > (endpoint.slow_ms ?? 0)) await noteSlow(outside, endpoint, ms);
  }
}

interface TryResult {
  readonly attempt: WebhookAttempt;
  readonly retryAfterSeconds: number;
}

/** Describes a redirect, whose target may be the correct URL, or a page in place of a program's response. */
function problemOf({ statusCode, headers, text }: PublicAnswer): Pick<WebhookAttempt, 'error'> {
  if (isSuccess(statusCode) && PAGE.test(text))
    return {
      error:
        'The response is a web page, such as a bot protection’s check or an error message. Check that your program received the event.',
    };
  if (statusCode < 300 || statusCode > 399) return {};
  const to = headers.location ? ` to ${headers.location.slice(0, MAX_URL_CHARACTERS)}` : '';
  return {
    error: `The server redirected${to} with status ${statusCode}. Redirects are not followed. Set the webhook to the final address.`,
  };
}

/** Matches HTML and PHP's error messages. PHP labels every response as HTML, so the content type shows nothing. */
const PAGE =
  /^\s*(?:<(?:!--|(?:!doctype html|html|head|body|title|meta|script|style|br|b|p|div|h\d|pre)\b)|(?:PHP )?(?:Fatal|Parse) error:)/i;

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

async function settleTry(
  outside: WorkerOutside,
  event: WebhookEvent,
  endpoint: WebhookEndpoint,
  { attempt, retryAfterSeconds }: TryResult,
): Promise<void> {
  const { status_code: status = 0 } = attempt;
  const isDelivered = isSuccess(status);
  const isOver = isDelivered || status === GONE || event.round_tries >= MAX_TRIES;
  const asked = timeIn(outside, retryAfterSeconds);
  const next_try_at = event.next_try_at && event.next_try_at > asked ? event.next_try_at : asked;
  const after: WebhookEvent = isOver
    ? { ...event, state: isDelivered ? 'delivered' : 'gave_up', next_try_at: undefined, ended_by: attempt }
    : { ...event, next_try_at };
  const writes = [replaceWebhookEvent(outside, event, after), ...(isOver ? [] : [putAttempt(event, attempt)])];
  const isWritten = await write(outside, writes);
  outside.metrics.count(isDelivered ? 'webhook_tries_ok' : 'webhook_tries_failed');
  // The event was replayed in the meantime. Still record this attempt.
  if (!isWritten) return outside.table.write([putAttempt(event, attempt)]);
  if (!isOver) await queueTry(outside, after);
  await noteSlowness(outside, endpoint, attempt.duration_ms);
  await noteHealth(outside, endpoint, status, isDelivered);
}

async function noteSlowness(outside: WorkerOutside, endpoint: WebhookEndpoint, durationMs: number): Promise<void> {
  const slowMs = slownessAfter(endpoint, durationMs);
  if (slowMs !== endpoint.slow_ms) await noteSlow(outside, endpoint, slowMs);
}

async function noteHealth(
  outside: WorkerOutside,
  endpoint: WebhookEndpoint,
  status: number,
  isDelivered: boolean,
): Promise<void> {
  const now = nowIso(outside);
  if (isDelivered) {
    if (endpoint.failing_since) await noteWorking(outside, endpoint);
    return;
  }
  const { failing_since = now, last_failed_at = now } = endpoint;
  // A failing event is retried at least daily. A failure after a longer gap starts a new run of failures.
  const since = outside.now() - Date.parse(last_failed_at) > SILENCE_DAYS * DAY_MS ? now : failing_since;
  await noteFailing(outside, endpoint, since, now);
  if (status !== GONE && outside.now() - Date.parse(since) < FAILING_DAYS * DAY_MS) return;
  const isDisabled = await disableEndpoint(outside, endpoint, status === GONE ? 'gone' : 'failing', now);
  if (!isDisabled) return;
  outside.log.warn('webhook_disabled', { merchant_id: endpoint.merchant_id, status });
  outside.metrics.count('webhooks_disabled');
}

async function write(outside: WorkerOutside, writes: readonly TableWrite[]): Promise<boolean> {
  try {
    await outside.table.write(writes);
    return true;
  } catch (error) {
    if (error instanceof EventMovedOn) return false;
    throw error;
  }
}

function timeIn(outside: WorkerOutside, seconds: number): string {
  return isoOf(outside.now() + seconds * 1000);
}

const SECOND = 1;
const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** Delays after the first to ninth failure, in seconds: about 75 hours in total. */
export const WAITS_SECONDS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

export const MAX_TRIES = WAITS_SECONDS.length + 1;

/**
 * Returns the delay in seconds after the given number of attempts, or undefined after the last. `share` (0 to 1) adds
 * up to 10% jitter.
 */
export function waitSeconds(tries: number, share: number): number | undefined {
  const wait = WAITS_SECONDS[tries - 1];
  return wait === undefined ? undefined : wait * (1 + share / 10);
}
