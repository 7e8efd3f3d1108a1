import type { Clock } from '../outside/outside.ts';

const PAGE = 500;

/**
 * Yields due entries page by page until none are left or time is up. Yields each entry only once, so entries that fail
 * do not block later ones.
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
