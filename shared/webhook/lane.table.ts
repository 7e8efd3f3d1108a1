/**
 * webhook lane            WEBHOOK#<holder> / LANE         next free start time at a slow receiver, and its response time
 * webhook lane of texts   WEBHOOK#<holder> / LANE#TEXTS   the same for SMS events, if the webhook also receives payment events
 *
 * All merchants share a few workers, so at most two of them may wait for a slow receiver. Further attempts get a later
 * start time from the receiver's lane. SMS events have their own lane, so that they do not delay payment events.
 */
import { holderId, type KeyHolder } from '../merchants/merchant/key-holder.ts';
import { endsIn, type TableOutside, type TimedOutside } from '../runtime/outside/outside.ts';
import { advance, CLOCK_KEPT_SECONDS } from '../runtime/table/due-clock.ts';
import { changeItem } from '../runtime/table/table.ts';
import { MINUTE_MS } from '../runtime/values/calendar.ts';
import { endpointRows, type WebhookEndpoint } from './endpoint.table.ts';
import { keyKindOfEvent, type WebhookEvent } from './event.ts';

const laneKey = (holder: KeyHolder) => ({ pk: `WEBHOOK#${holderId(holder)}`, sk: 'LANE' });

/** Response time in ms above which a receiver is slow. Most respond in a tenth of this time. */
export const SLOW_MS = 500;
/**
 * Maximum number of concurrent attempts at a slow receiver. Half are for SMS events if the webhook receives both kinds.
 */
export const MAX_SLOW_TRIES_AT_ONCE = 2;
/** Start times can be reserved this far ahead. Housekeeping queues later attempts. */
export const LANE_MS = 15 * MINUTE_MS;
/**
 * Factor by which a quick response reduces the recorded response time. After a timeout, a receiver counts as slow for
 * six more minutes.
 */
const EASING = 0.98;

/** Returns the expected response time in ms after an attempt, or undefined if the receiver is no longer slow. */
export function slownessAfter({ slow_ms = 0 }: WebhookEndpoint, durationMs: number): number | undefined {
  const slowMs = Math.round(Math.max(durationMs, slow_ms * EASING));
  return slowMs > SLOW_MS ? slowMs : undefined;
}

/** Returns when the next attempt can start (epoch ms), or undefined if the receiver's lane is full. */
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
 * Records a receiver's response time, or removes it if the receiver is no longer slow. The lane also keeps the time, in
 * case the webhook is removed.
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
