import type { Outside } from '../../runtime/outside/outside.ts';
import { retryIfChanged } from '../../runtime/table/contention.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { invalidRequest } from '../../runtime/values/errors.ts';
import { changeStock, type Link, requireLink } from './link.table.ts';
import { checkLink } from './link.ts';
import { MAX_CODES } from './link-request.ts';
import { createCodes, listCodes } from './stock.table.ts';

export interface Added {
  readonly link: Link;
  readonly added: number;
  /** Codes that were already in stock or listed twice. */
  readonly known: number;
}

/**
 * Adds codes to a link's stock, ignoring those already added. Waiting charges then get the new codes. `commit` performs
 * the writes.
 * @throws PublicError `not_found`, `invalid_request` if the codes would exceed the link's limits, `busy`.
 */
export function addCodes<Result>(
  outside: Outside,
  merchantId: string,
  { slug, codes }: { readonly slug: string; readonly codes: readonly string[] },
  commit: (added: Added, writes: readonly TableWrite[]) => Promise<Result>,
): Promise<Result> {
  return retryIfChanged(async () => {
    const link = await requireLink(outside, merchantId, slug);
    const known = new Set(await listCodes(outside, link));
    const { link: stocked, codes: rows } = withCodes(
      link,
      codes.filter((code) => !known.has(code)),
    );
    checkLink(outside, stocked, link);
    const { codes_stocked } = stocked;
    if (codes_stocked > MAX_CODES)
      throw invalidRequest([
        { field: 'codes', message: `would take the link over ${MAX_CODES} codes; create another link for the rest` },
      ]);
    const added = codes_stocked - (link.codes_stocked ?? 0);
    const { codes_drawn, codes_waiting } = stocked;
    const writes = added > 0 ? [changeStock(link, { codes_stocked, codes_drawn, codes_waiting }), ...rows] : [];
    return commit({ link: stocked, added, known: codes.length - added }, writes);
  });
}

export function withCodes(link: Link, codes: readonly string[]) {
  const fresh = [...new Set(codes)];
  const { codes_stocked = 0, codes_drawn = 0, codes_waiting = 0 } = link;
  const counts = { codes_stocked: codes_stocked + fresh.length, codes_drawn, codes_waiting };
  return { link: { ...link, ...counts }, codes: createCodes(link, fresh) };
}

/**
 * Removes codes that have not been handed out from a link's stock. Removed codes can be added again.
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
    const { codes_stocked = 0, codes_drawn = 0, codes_removed = [] } = link;
    const left = codes_stocked - codes_drawn;
    const numbers: [number, number] = [codes_drawn + 1, codes_stocked];
    const after = { codes_drawn: codes_stocked, codes_removed: [...codes_removed, numbers] };
    return commit(left, left > 0 ? [changeStock(link, after)] : []);
  });
}
