import { choiceOf, filledPage, type PageRequest, pageOf, timesOf } from '../../runtime/http/pagination.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import type { PageStart } from '../../runtime/table/table.ts';
import { PublicError } from '../../runtime/values/errors.ts';
import { type Charge, isListed, listChargeRows, madeBetween, startAfterTransaction } from './charge.table.ts';
import { statusOf } from './charge.ts';
import { findCharges, startAfterFound } from './lookup.table.ts';
import { searchedTerms } from './search.ts';
import { chargeStatuses } from './states.ts';

/**
 * Returns a page of a merchant's charges that match a query, newest first. People who see only shortened payment ids
 * cannot search by id, because a search would reveal the full id. `passes`: an additional filter.
 * @throws PublicError `invalid_request`, `forbidden`.
 */
export async function listCharges(
  outside: Outside,
  merchantId: string,
  query: Readonly<Record<string, string | undefined>>,
  { seesIds, passes = () => true }: { readonly seesIds: boolean; readonly passes?: (charge: Charge) => boolean },
): Promise<{ charges: Charge[]; page: PageRequest; next: PageStart | undefined }> {
  const page = pageOf(query);
  const times = timesOf(query);
  const status = choiceOf(query, 'status', chargeStatuses);
  const terms = searchedTerms(query);
  if (query.transaction_id !== undefined && !seesIds)
    throw new PublicError(
      'forbidden',
      'Only keys that can assign payments (receipts:assign) can find charges by transaction_id.',
    );
  const { entries, next } = await filledPage(
    page,
    (part) =>
      terms
        ? findCharges(outside, merchantId, terms, { ...part, between: madeBetween(times) })
        : listChargeRows(outside, merchantId, part, { ...times, status: isListed(status) ? status : undefined }),
    (charge) => passes(charge) && (status === undefined || statusOf(outside, charge) === status),
    (charge) => (terms ? startAfterFound(charge, terms[0]) : startAfterTransaction(charge)),
  );
  return { charges: entries, page, next };
}

/**
 * Returns a page of a link's charges that received money, newest payment first. Unlike in `listCharges`, charges that
 * nobody paid cannot crowd them out.
 * @throws PublicError `invalid_request`.
 */
export async function listPaidAtLink(
  outside: Outside,
  merchantId: string,
  slug: string,
  query: Readonly<Record<string, string | undefined>>,
): Promise<{ charges: Charge[]; page: PageRequest; next: PageStart | undefined }> {
  const page = pageOf(query);
  const term = `paid_at_link:${slug}` as const;
  const { entries, next } = await filledPage(
    page,
    (part) => findCharges(outside, merchantId, [term], part),
    () => true,
    (charge) => startAfterFound(charge, term),
  );
  return { charges: entries, page, next };
}
