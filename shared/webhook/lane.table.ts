/**
 * webhook lane            WEBHOOK#<holder> / LANE         next free start time at a slow receiver, and its slowness
 * webhook lane of texts   WEBHOOK#<holder> / LANE#TEXTS   the same for text events, if the webhook also receives payment events
 *
 * A slow receiver keeps workers waiting, and all merchants share a few workers. Attempts at a slow receiver are therefore
 * spaced out so that at most two run at once, one of them for a text event. Other attempts wait in the lanes, where they
 * do not occupy a worker. The separate lane keeps payment events from waiting behind a thousand texts.
 */
import { holderId, type KeyHolder } from '../merchants/merchant/key-holder.ts';
import { endsIn, type TableOutside, type TimedOutside } from '../runtime/outside/outside.ts';
import { advance, CLOCK_KEPT_SECONDS } from '../runtime/table/due-clock.ts';
import { changeItem } from '../runtime/table/table.ts';
import { MINUTE_MS } from '../runtime/values/calendar.ts';
import { endpointRows, type WebhookEndpoint } from './endpoint.table.ts';
import { keyKindOfEvent, type WebhookEvent } from './event.ts';

const laneKey = (holder: KeyHolder) => ({ pk: `WEBHOOK#${holderId(holder)}`, sk: 'LANE' });

/** A receiver is slow above this response time, in ms. Most receivers respond within a tenth of this time. */
export const SLOW_MS = 500;
/**
 * Maximum number of concurrent attempts at a slow receiver. If the webhook receives both payment and text events, half
 * of these attempts are for text events.
 */
export const MAX_SLOW_TRIES_AT_ONCE = 2;
/**
 * Slots in a lane can be reserved this far ahead. Later attempts have no slot and wait until housekeeping queues them.
 */
export const LANE_MS = 15 * MINUTE_MS;
/**
 * Each quick response multiplies the recorded slowness by this factor, so that a few quick responses do not free all
 * workers for the receiver. After a timeout, a receiver needs six minutes of quick responses to count as quick again.
 */
const EASING = 0.98;

/**
 * Returns the time (ms) for which the receiver is expected to occupy a worker, after an attempt that took `durationMs`.
 * Returns undefined if the receiver is no longer slow.
 */
export function slownessAfter({ slow_ms = 0 }: WebhookEndpoint, durationMs: number): number | undefined {
  const slowMs = Math.round(Math.max(durationMs, slow_ms * EASING));
  return slowMs > SLOW_MS ? slowMs : undefined;
}

/**
 * Returns the start time of the next attempt at this receiver (epoch ms): now, or its slot if the receiver is slow.
 * Returns undefined if the lane is full.
 */
export async function reserveSlot(
  outside: TimedOutside,
  endpoint: WebhookEndpoint,
  { type }: Pick<WebhookEvent, 'type'>,
): Promise<number | undefined> {
  const nowMs = outside.now();
  if (endpoint.slow_ms === undefined) return nowMs;
  const isBesidePayments = endpoint.key_kind === 'live' && keyKindOfEvent(type) === 'sms';
  const { pk, sk } = laneKey(endpoint);
  const [key, atOnce] = isBesidePayments
    ? [{ pk, sk: `${sk}#TEXTS` }, MAX_SLOW_TRIES_AT_ONCE / 2]
    : [{ pk, sk }, MAX_SLOW_TRIES_AT_ONCE];
  const stepMs = endpoint.slow_ms / atOnce;
  const dueMs = await advance(outside, key, { stepMs, latestMs: nowMs + LANE_MS });
  return dueMs === undefined ? undefined : dueMs - stepMs;
}

/**
 * Records how slow a receiver is, or that it is no longer slow (undefined). The value is also stored in the lane, so it
 * survives the removal of the webhook.
 */
export async function noteSlow(
  outside: TimedOutside,
  endpoint: WebhookEndpoint,
  slowMs: number | undefined,
): Promise<void> {
  await outside.table.update(endpointRows.change(endpoint, { slow_ms: slowMs }, { when: 'attribute_exists(pk)' }));
  await outside.table.update(
    changeItem(laneKey(endpoint), { slow_ms: slowMs, ...endsIn(outside, CLOCK_KEPT_SECONDS) }),
  );
}

export async function getSlowness(
  outside: TableOutside,
  holder: KeyHolder,
  current: WebhookEndpoint | undefined,
): Promise<number | undefined> {
  if (current) return current.slow_ms;
  const slowMs = (await outside.table.get(laneKey(holder)))?.slow_ms;
  return typeof slowMs === 'number' ? slowMs : undefined;
}
