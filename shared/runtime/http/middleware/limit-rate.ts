import type { Outside } from '../../outside/outside.ts';
import { PublicError, retryAfter } from '../../values/errors.ts';
import type { Middleware, Rate } from './middleware.ts';

/** Maximum burst: as many requests as the caller's rate limit allows in this many seconds. */
export const BURST_SECONDS = 2;

/**
 * Rejects callers above their rate limit. Requests are counted in each function instance's memory
 * (`docs/decisions/api.md#29` lists the guarantees).
 */
export function limitRate(outside: Outside): Middleware {
  return {
    before: ({ event: { caller } }) => {
      if (!caller) return;
      const waitMs = takeToken(caller.rate, outside.now());
      if (waitMs === 0) return;
      throw new PublicError(
        'too_many_requests',
        `This key is limited to ${caller.rate.requestsPerSecond} requests a second. Nothing was done. Wait, then repeat this request.`,
        retryAfter(waitMs / 1000),
      );
    },
  };
}

const dueMs = new WeakMap<object, number>();

/** Returns how many milliseconds the caller must wait, or 0 (generic cell rate algorithm). */
function takeToken({ countedBy, requestsPerSecond }: Rate, nowMs: number): number {
  const intervalMs = 1000 / requestsPerSecond;
  const latestMs = nowMs + BURST_SECONDS * 1000;
  const known = dueMs.get(countedBy) ?? 0;
  // A time this far in the future means that the clock was set back.
  const due = known > latestMs + 1 ? nowMs : Math.max(nowMs, known);
  const waitMs = due + intervalMs - latestMs;
  // Tolerate floating-point error in sums of intervals.
  if (waitMs > 0.001) return waitMs;
  dueMs.set(countedBy, due + intervalMs);
  return 0;
}
