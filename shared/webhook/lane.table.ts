/*
 * webhook lane            WEBHOOK#<holder> / LANE         when the next try may start, at a receiver that is slow, and how slow it is
 * webhook lane of texts   WEBHOOK#<holder> / LANE#TEXTS   the same of events about texts, where the webhook hears of payments too
 *
 * A receiver that is slow keeps workers waiting, and there are few for all merchants. Its tries start so far apart that it has two
 * of them at most, and one about texts; the others wait in its lanes, where they occupy no worker. No payment waits behind a thousand texts.
 */
import { holderId, type KeyHolder } from '../merchants/merchant/key-holder.ts';
import { endsIn, type TableOutside, type TimedOutside } from '../runtime/outside/outside.ts';
import { advance, CLOCK_KEPT_SECONDS } from '../runtime/table/due-clock.ts';
import { changeItem } from '../runtime/table/table.ts';
import { MINUTE_MS } from '../runtime/values/calendar.ts';
import { endpointRows, type WebhookEndpoint } from './endpoint.table.ts';
import { keyKindOfEvent, type WebhookEvent } from './event.ts';

const laneKey = (holder: KeyHolder) => ({ pk: `WEBHOOK#${holderId(holder)}`, sk: 'LANE' });

/** A receiver that takes longer is slow; most answer within a tenth of this. */
export const SLOW_MS = 500;
/** Simultaneous tries at a slow receiver. Text events get half if the webhook also gets payment events. */
export const MAX_SLOW_TRIES_AT_ONCE = 2;
/** Range of a lane's slots. Tries beyond it wait without a slot until housekeeping queues them. */
export const LANE_MS = 15 * MINUTE_MS;
/**
 * Decay of slowness per quick answer, so that a few quick answers do not open all workers: a receiver that never
 * answered is quick again after six minutes of quick answers.
 */
const EASING = 0.98;

/** Milliseconds the receiver occupies a worker, after a try of `durationMs`; undefined once it is no longer slow. */
export function slownessAfter({ slow_ms = 0 }: WebhookEndpoint, durationMs: number): number | undefined {
  const slowMs = Math.round(Math.max(durationMs, slow_ms * EASING));
  return slowMs > SLOW_MS ? slowMs : undefined;
}

/**
 * Epoch milliseconds at which a try at this receiver may start: now if it is not slow, or its slot. Undefined if the
 * lane is full.
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
 * Records a receiver's slowness; undefined for none. Also stored in the lane, where it survives removing and setting
 * the webhook again.
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
