import type { Clock } from '../outside/outside.ts';

/** How much is listed at a time. */
const PAGE = 500;

/**
 * What a list names, page by page, until it names nothing new or the time is over. What is done leaves the list by itself. What could not
 * be done stays in it, is given once, and keeps nothing behind it from being read.
 */
export async function* pagesDue<One>(
  outside: Clock,
  untilMs: number,
  idOf: (one: One) => string,
  list: (limit: number) => Promise<readonly One[]>,
): AsyncGenerator<readonly One[]> {
  const given = new Set<string>();
  for (let limit = PAGE; outside.now() <= untilMs; ) {
    const page = await list(limit);
    const fresh = page.filter((one) => !given.has(idOf(one)));
    if (fresh.length === 0 && page.length < limit) return;
    for (const one of fresh) given.add(idOf(one));
    if (fresh.length > 0) yield fresh;
    limit = PAGE + page.length - fresh.length;
  }
}
