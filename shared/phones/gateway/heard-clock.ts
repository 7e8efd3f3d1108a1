/** A fetch that notes how far the clock of whoever answered is ahead of `now`, by the answer's `Date`. */
export function hearClock(
  send: typeof fetch,
  now: () => number,
): { fetch: typeof fetch; aheadMs(): number | undefined } {
  let aheadMs: number | undefined;
  return {
    fetch: async (...request) => {
      const response = await send(...request);
      const date = Date.parse(response.headers.get('date') ?? '');
      if (!Number.isNaN(date)) aheadMs = date - now();
      return response;
    },
    aheadMs: () => aheadMs,
  };
}

/** A `Date` has whole seconds, and an answer takes some. */
export const CLOCK_TOLERANCE_MS = 60_000;
