import * as z from 'zod/mini';
import { type FieldError, invalidRequest } from './errors.ts';
import { parseJson } from './json.ts';
import type { Page, PageStart } from './table.ts';

const DEFAULT_PER_PAGE = 50;
const MOST_PER_PAGE = 100;

const Start = z.object({ pk: z.string(), sk: z.string(), sort: z.string() });

/**
 * The page that a list's query asks for: `per_page` (1 to 100, by default 50) and `cursor`, the `meta.next` of the page
 * before. Lists are newest first.
 */
export function pageOf(query: Readonly<Record<string, string | undefined>>): Page & { readonly limit: number } {
  const { per_page = String(DEFAULT_PER_PAGE), cursor } = query;
  const limit = Number(per_page);
  const start = cursor === undefined ? undefined : parseJson(Start, Buffer.from(cursor, 'base64url').toString());
  const errors: FieldError[] = [];
  if (!/^\d{1,3}$/.test(per_page) || limit < 1 || limit > MOST_PER_PAGE) {
    errors.push({ field: 'per_page', message: `must be a whole number from 1 to ${MOST_PER_PAGE}` });
  }
  if (cursor !== undefined && !start)
    errors.push({ field: 'cursor', message: 'must be the meta.next of an earlier page' });
  const [first, ...rest] = errors;
  if (first) throw invalidRequest([first, ...rest]);
  return { limit, newestFirst: true, start };
}

/** What stands beside a list: `next` is the `cursor` of the page after it, null on the last one. */
export function metaOf(page: { readonly limit: number }, next: PageStart | undefined) {
  return { next: next ? Buffer.from(JSON.stringify(next)).toString('base64url') : null, per_page: page.limit };
}
