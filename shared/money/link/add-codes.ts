import type { Outside } from '../../runtime/outside/outside.ts';
import { retryIfChanged } from '../../runtime/table/contention.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { invalidRequest } from '../../runtime/values/errors.ts';
import { type Link, requireLink } from './link.table.ts';
import { MAX_CODES } from './link-request.ts';
import { changeStock, createCodes, listCodes } from './stock.table.ts';

/** What became of codes that were to be added. */
export interface Added {
  readonly link: Link;
  readonly added: number;
  /** Those that the link had already, or that were given twice. */
  readonly known: number;
}

/**
 * Adds codes to a link's stock, each once however often it is given: who repeats a request, or pastes a file again, sells no code twice.
 * Charges that wait get theirs by the stream. `commit` makes the writes.
 * @throws PublicError `not_found`, `invalid_request` beyond what a link may have, `busy`.
 */
export function addCodes<Result>(
  outside: Outside,
  merchantId: string,
  slug: string,
  codes: readonly string[],
  commit: (added: Added, writes: readonly TableWrite[]) => Promise<Result>,
): Promise<Result> {
  return retryIfChanged(async () => {
    const link = await requireLink(outside, merchantId, slug);
    const known = new Set(await listCodes(outside, slug));
    const fresh = [...new Set(codes)].filter((code) => !known.has(code));
    const { codes_stocked = 0 } = link;
    if (codes_stocked + fresh.length > MAX_CODES)
      throw invalidRequest([
        { field: 'codes', message: `must leave the link with at most ${MAX_CODES} codes; make another link` },
      ]);
    const stocked = { ...withStock(link), codes_stocked: codes_stocked + fresh.length };
    const writes = fresh.length > 0 ? [changeStock(link, stockOf(stocked)), ...createCodes(link, fresh)] : [];
    return commit({ link: stocked, added: fresh.length, known: codes.length - fresh.length }, writes);
  });
}

/** Its counts, which a link without codes has none of. */
function withStock(link: Link): Link {
  return { ...link, codes_stocked: 0, codes_drawn: 0, codes_waiting: 0, ...definedStock(link) };
}

function stockOf({ codes_stocked, codes_drawn, codes_waiting }: Link) {
  return { codes_stocked, codes_drawn, codes_waiting };
}

function definedStock(link: Link): Partial<Link> {
  return link.codes_stocked === undefined ? {} : stockOf(link);
}

/**
 * Takes out of the stock what nobody has drawn: wrong codes, or some that were sold elsewhere. They are handed out to nobody any more.
 * @throws PublicError `not_found`, `busy`.
 */
export function removeCodes<Result>(
  outside: Outside,
  merchantId: string,
  slug: string,
  commit: (removed: number, writes: readonly TableWrite[]) => Promise<Result>,
): Promise<Result> {
  return retryIfChanged(async () => {
    const link = await requireLink(outside, merchantId, slug);
    const { codes_stocked = 0, codes_drawn = 0 } = link;
    const left = codes_stocked - codes_drawn;
    return commit(left, left > 0 ? [changeStock(link, { codes_drawn: codes_stocked })] : []);
  });
}
