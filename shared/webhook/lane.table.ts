/*
 * webhook lane   WEBHOOK#<holder> / LANE   when the next try may start, at a receiver that is slow, and how slow it is
 *
 * A receiver that is slow keeps workers waiting, and there are few for all merchants. Its tries start so far apart that it has two
 * of them at most; the others wait in its lane, where they occupy no worker.
 */
import { holderId, type KeyHolder } from '../merchants/merchant/key-holder.ts';
import { endsIn, type TableOutside, type TimedOutside } from '../runtime/outside/outside.ts';
import { advance, CLOCK_KEPT_SECONDS } from '../runtime/table/due-clock.ts';
import { changeItem } from '../runtime/table/table.ts';
import { endpointRows, type WebhookEndpoint } from './endpoint.table.ts';

const laneKey = (holder: KeyHolder) => ({ pk: `WEBHOOK#${holderId(holder)}`, sk: 'LANE' });

/** A receiver that takes longer is slow; most answer within a tenth of this. */
export const SLOW_MS = 500;
/** How many tries a slow receiver has at a time. */
export const MAX_SLOW_TRIES_AT_ONCE = 2;
/** How far ahead a lane has slots. Tries beyond it wait without one, until housekeeping queues them in turn. */
export const LANE_MS = 15 * 60 * 1000;
/**
 * What a slow receiver's quick answer counts as, so that a few do not open all workers to it: one that never answered is quick again after
 * six minutes of quick answers.
 */
const EASING = 0.98;

/** How long the receiver occupies a worker, after a try that took `durationMs`; undefined once it is no longer slow. */
export function slownessAfter({ slow_ms = 0 }: WebhookEndpoint, durationMs: number): number | undefined {
  const slowMs = Math.round(Math.max(durationMs, slow_ms * EASING));
  return slowMs > SLOW_MS ? slowMs : undefined;
}

/**
 * When a try at this receiver may start, in milliseconds since 1970: now, if it is not slow, or the slot that it takes. Undefined
 * if its lane is full.
 */
export async function takeSlot(outside: TimedOutside, endpoint: WebhookEndpoint): Promise<number | undefined> {
  const nowMs = outside.now();
  if (endpoint.slow_ms === undefined) return nowMs;
  const stepMs = endpoint.slow_ms / MAX_SLOW_TRIES_AT_ONCE;
  const dueMs = await advance(outside, laneKey(endpoint), { stepMs, latestMs: nowMs + LANE_MS });
  return dueMs === undefined ? undefined : dueMs - stepMs;
}

/**
 * Records how long a receiver occupies a worker; undefined means that it is no longer slow. In its lane too, where it
 * outlives the webhook: one that is removed and set again is as slow as before.
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

/** How slow a holder's receiver is by what is known: of the webhook that it has, or of the one that it had. */
export async function getSlowness(
  outside: TableOutside,
  holder: KeyHolder,
  current: WebhookEndpoint | undefined,
): Promise<number | undefined> {
  if (current) return current.slow_ms;
  const slowMs = (await outside.table.get(laneKey(holder)))?.slow_ms;
  return typeof slowMs === 'number' ? slowMs : undefined;
}
