import type { Outside } from '../../outside/outside.ts';
import { PublicError, retryAfter } from '../../values/errors.ts';
import type { Middleware, Rate } from './middleware.ts';

/** How many seconds' worth of requests may come at once. */
export const BURST_SECONDS = 2;

/**
 * Refuses a caller that asks faster than its rate, in this function's memory and so without a read or a write. Each instance
 * of each function counts separately: `docs/decisions/api.md#29` says what that guarantees. Comes after the caller is known, so
 * that the line of the log names the merchant.
 */
export function limitRate(outside: Outside): Middleware {
  return {
    before: ({ event: { caller } }) => {
      if (!caller) return;
      const waitMs = takeToken(caller.rate, outside.now());
      if (waitMs === 0) return;
      throw new PublicError(
        'too_many_requests',
        `This key may make ${caller.rate.requestsPerSecond} requests a second. Nothing was done; wait, then repeat this request.`,
        retryAfter(waitMs / 1000),
      );
    },
  };
}

/** When the next request is due at each caller's rate. */
const dueMs = new WeakMap<object, number>();

/** How long the caller has to wait; 0 if it had a token (the generic cell rate algorithm). */
function takeToken({ countedBy, requestsPerSecond }: Rate, nowMs: number): number {
  const intervalMs = 1000 / requestsPerSecond;
  const latestMs = nowMs + BURST_SECONDS * 1000;
  const known = dueMs.get(countedBy) ?? 0;
  // No count can be further ahead than that unless the clock was set back.
  const due = known > latestMs + 1 ? nowMs : Math.max(nowMs, known);
  const waitMs = due + intervalMs - latestMs;
  // Sums of intervals are not exact: a thousandth of a millisecond is no wait.
  if (waitMs > 0.001) return waitMs;
  dueMs.set(countedBy, due + intervalMs);
  return 0;
}
