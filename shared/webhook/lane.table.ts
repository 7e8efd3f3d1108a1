/**
 * webhook lane            WEBHOOK#<holder> / LANE         the next free start time at a slow receiver, and how slow it is
 * webhook lane of texts   WEBHOOK#<holder> / LANE#TEXTS   the same for text events, if the webhook also gets payment events
 *
 * A slow receiver keeps workers waiting, and all merchants share a few workers. Tries at a slow receiver are therefore
 * spaced out so that at most two run at once, one of them for a text event. Other tries wait in the lanes, where they
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

/** A receiver that takes longer than this is slow. Most answer within a tenth of it. */
export const SLOW_MS = 500;
/** Maximum concurrent tries at a slow receiver. Text events get half if the webhook also gets payment events. */
export const MAX_SLOW_TRIES_AT_ONCE = 2;
/** The range of a lane's slots. Tries beyond it wait without a slot until housekeeping queues them. */
export const LANE_MS = 15 * MINUTE_MS;
/**
 * Factor by which each quick answer reduces the slowness, so that a few quick answers do not open all workers. A
 * receiver that never answered counts as quick again after six minutes of quick answers.
 */
const EASING = 0.98;

/**
 * Returns the milliseconds for which the receiver occupies a worker, after a try of `durationMs`. Undefined once it is
 * no longer slow.
 */
export function slownessAfter({ slow_ms = 0 }: WebhookEndpoint, durationMs: number): number | undefined {
  const slowMs = Math.round(Math.max(durationMs, slow_ms * EASING));
  return slowMs > SLOW_MS ? slowMs : undefined;
}

/**
 * Returns the epoch milliseconds when a try at this receiver can start: now if it is not slow, otherwise its slot.
 * Undefined if the lane is full.
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
 * Records a receiver's slowness, or undefined for none. Also stored in the lane, so that it survives if the webhook is
 * removed and set again.
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
