import type { Outside } from '../../outside/outside.ts';
import { PublicError, retryAfter } from '../../values/errors.ts';
import type { Middleware, Rate } from './middleware.ts';

/** Size of a burst: the number of requests that the caller's rate allows in this many seconds. */
export const BURST_SECONDS = 2;

/**
 * Refuses callers above their rate limit. Each function instance counts requests in its own memory, so the limit costs
 * no reads or writes (`docs/decisions/api.md#29` lists the guarantees). Runs after authentication, so that the log line
 * includes the merchant.
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

/** Returns the milliseconds that the caller must wait, or 0 if the request is allowed (generic cell rate algorithm). */
function takeToken({ countedBy, requestsPerSecond }: Rate, nowMs: number): number {
  const intervalMs = 1000 / requestsPerSecond;
  const latestMs = nowMs + BURST_SECONDS * 1000;
  const known = dueMs.get(countedBy) ?? 0;
  // A stored time this far in the future means that the clock was set back.
  const due = known > latestMs + 1 ? nowMs : Math.max(nowMs, known);
  const waitMs = due + intervalMs - latestMs;
  // Tolerates a thousandth of a millisecond, because floating-point sums of intervals are inexact.
  if (waitMs > 0.001) return waitMs;
  dueMs.set(countedBy, due + intervalMs);
  return 0;
}
