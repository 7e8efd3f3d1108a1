import type { Outside } from '../../outside/outside.ts';
import { PublicError, retryAfter } from '../../values/errors.ts';
import type { Middleware, Rate } from './middleware.ts';

/** Seconds' worth of requests that may come at once. */
export const BURST_SECONDS = 2;

/**
 * Refuses callers above their rate. Counts in this function's memory, so it costs no read or write; each instance of
 * each function counts separately (`docs/decisions/api.md#29` lists the guarantees). Runs after authentication, so that
 * the log line names the merchant.
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

const dueMs = new WeakMap<object, number>();

/** Milliseconds the caller has to wait; 0 if it may proceed (generic cell rate algorithm). */
function takeToken({ countedBy, requestsPerSecond }: Rate, nowMs: number): number {
  const intervalMs = 1000 / requestsPerSecond;
  const latestMs = nowMs + BURST_SECONDS * 1000;
  const known = dueMs.get(countedBy) ?? 0;
  // A later time is only possible if the clock was set back.
  const due = known > latestMs + 1 ? nowMs : Math.max(nowMs, known);
  const waitMs = due + intervalMs - latestMs;
  // Floating-point sums of intervals are inexact; ignore a thousandth of a millisecond.
  if (waitMs > 0.001) return waitMs;
  dueMs.set(countedBy, due + intervalMs);
  return 0;
}
