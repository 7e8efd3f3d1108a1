import type { AreaHandler } from '../../shared/pages/dashboard/area.ts';
import type { AreaPage } from '../../shared/pages/dashboard/page.ts';
import { allPages } from './dashboard.ts';

export interface PageAt {
  /** The page's URL pattern, such as `/dashboard/charges/{reference}`. */
  readonly pattern: string;
  readonly address: string;
  readonly who: 'owner' | 'operator' | undefined;
  readonly handler: AreaHandler;
}

/** Example URLs keyed by pattern. Needed for patterns with an id, and to cover other views of a page. */
export type Examples = Readonly<Record<string, readonly string[]>>;

const isFile = (pattern: string) =>
  /\.(csv|json|js)$|\/(asset\/\{hash\}|icon)\/\{name\}$/.test(pattern) || pattern === '/dashboard/today/waiting';

export async function pagePatterns(): Promise<Omit<PageAt, 'address'>[]> {
  const pages = (await allPages()).filter(({ page, pattern }) => page.method === 'GET' && !isFile(pattern));
  return pages.map(({ pattern, handler, page }) => ({ pattern, handler, who: whoOf(page.needs) }));
}

function whoOf(needs: AreaPage['needs']): PageAt['who'] {
  if (needs === 'nothing') return undefined;
  return needs === 'operator' ? 'operator' : 'owner';
}

/**
 * Lists every page by its URL, or by its examples if the URL contains an id.
 * @throws if a page needs an example and has none.
 */
export async function everyPage(examples: Examples): Promise<PageAt[]> {
  const patterns = await pagePatterns();
  const lacking = patterns.filter(({ pattern }) => pattern.includes('{') && !examples[pattern]?.length);
  const unknown = Object.keys(examples).filter((one) => !patterns.some(({ pattern }) => pattern === one));
  if (lacking.length + unknown.length > 0) {
    const without = lacking.map(({ pattern }) => pattern).join(', ') || 'none';
    const gone = unknown.join(', ') || 'none';
    throw new Error(
      `busy-dashboard.ts lacks examples of these pages: ${without}. These examples match no page: ${gone}`,
    );
  }
  return patterns.flatMap((page) =>
    [...(page.pattern.includes('{') ? [] : [page.pattern]), ...(examples[page.pattern] ?? [])].map((address) => ({
      ...page,
      address,
    })),
  );
}
