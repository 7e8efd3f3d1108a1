/*
 * webhook lane   WEBHOOK#<merchant> / LANE   when the next try may start, at a receiver that is slow
 *
 * A receiver that is slow keeps workers waiting, and there are few for all merchants. Its tries start so far apart that it has two
 * of them at most; the others wait in its lane, where they occupy no worker.
 */
import type { Outside } from '../runtime/outside/outside.ts';
import { advance } from '../runtime/table/due-clock.ts';
import type { WebhookEndpoint } from './endpoint.table.ts';

/** A receiver that takes longer is slow; most answer within a tenth of this. */
const SLOW_MS = 2_000;
/** How many tries a slow receiver has at a time. */
export const MAX_SLOW_TRIES_AT_ONCE = 2;
/** How far ahead a lane has slots. Tries beyond it wait without one, until housekeeping queues them in turn. */
export const LANE_MS = 15 * 60 * 1000;
/** What a slow receiver's quick answer counts as, so that a single one does not open all workers to it. */
const EASING = 0.8;

/** How long the receiver occupies a worker, after a try of so many milliseconds; undefined once it is no longer slow. */
export function slownessAfter({ slow_ms = 0 }: WebhookEndpoint, durationMs: number): number | undefined {
  const slowMs = Math.round(Math.max(durationMs, slow_ms * EASING));
  return slowMs > SLOW_MS ? slowMs : undefined;
}

/**
 * When a try at this receiver may start, in milliseconds since 1970: now, if it is not slow, or the slot that it takes. Undefined
 * if its lane is full.
 */
export async function takeSlot(
  outside: Pick<Outside, 'table' | 'now'>,
  { merchant_id, slow_ms }: WebhookEndpoint,
): Promise<number | undefined> {
  const nowMs = outside.now();
  if (slow_ms === undefined) return nowMs;
  const stepMs = slow_ms / MAX_SLOW_TRIES_AT_ONCE;
  const key = { pk: `WEBHOOK#${merchant_id}`, sk: 'LANE' };
  const dueMs = await advance(outside, key, { stepMs, latestMs: nowMs + LANE_MS });
  return dueMs === undefined ? undefined : dueMs - stepMs;
}
