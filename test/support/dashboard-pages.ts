import type { AreaHandler } from '../../shared/pages/dashboard/area.ts';
import type { AreaPage } from '../../shared/pages/dashboard/page.ts';
import { allPages } from './dashboard.ts';

/** A page of the dashboard at an address that shows something. */
export interface PageAt {
  /** As its area's table has it: `/dashboard/charges/{reference}`. */
  readonly pattern: string;
  readonly address: string;
  /** Who looks at it; nobody who is signed in where it is for strangers. */
  readonly who: 'owner' | 'operator' | undefined;
  /** Its area's. */
  readonly handler: AreaHandler;
}

/** What the addresses of the pages are that have an id, and more that a page is worth looking at with, by their patterns. */
export type Examples = Readonly<Record<string, readonly string[]>>;

/** Files, which are no pages. */
const isFile = (pattern: string) =>
  /\.(csv|json|js)$|\/(asset\/\{hash\}|icon)\/\{name\}$/.test(pattern) || pattern === '/dashboard/today/waiting';

/** The pages that a browser shows, from the areas' own tables, each by its pattern. */
export async function pagePatterns(): Promise<Omit<PageAt, 'address'>[]> {
  const pages = (await allPages()).filter(({ page, pattern }) => page.method === 'GET' && !isFile(pattern));
  return pages.map(({ pattern, handler, page }) => ({ pattern, handler, who: whoOf(page.needs) }));
}

function whoOf(needs: AreaPage['needs']): PageAt['who'] {
  if (needs === 'nothing') return undefined;
  return needs === 'operator' ? 'operator' : 'owner';
}

/**
 * Every page: at its own address where that has no id, and at those of the examples.
 * @throws where a page with an id has no example: nobody would ever look at it.
 */
export async function everyPage(examples: Examples): Promise<PageAt[]> {
  const patterns = await pagePatterns();
  const lacking = patterns.filter(({ pattern }) => pattern.includes('{') && !examples[pattern]?.length);
  const unknown = Object.keys(examples).filter((one) => !patterns.some(({ pattern }) => pattern === one));
  if (lacking.length + unknown.length > 0) {
    const without = lacking.map(({ pattern }) => pattern).join(', ') || 'none';
    const gone = unknown.join(', ') || 'none';
    throw new Error(`Pages that busy-dashboard.ts has no example of: ${without}; examples of no page: ${gone}`);
  }
  return patterns.flatMap((page) =>
    [...(page.pattern.includes('{') ? [] : [page.pattern]), ...(examples[page.pattern] ?? [])].map((address) => ({
      ...page,
      address,
    })),
  );
}
