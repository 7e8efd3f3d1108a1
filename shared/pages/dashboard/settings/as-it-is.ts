import { requireMerchant } from '../../../merchants/merchant/manage-merchant.ts';
import type { Merchant } from '../../../merchants/merchant/merchant.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';

/**
 * Gives a page the merchant as it is in the table. Pages get one that may be some seconds old: here somebody looks at what they have just
 * set, and what is set next replaces all of it.
 */
export function asItIs<OfVisit extends { readonly merchant: Merchant }, Result>(
  handle: (visit: OfVisit, outside: Outside) => Promise<Result>,
): (visit: OfVisit, outside: Outside) => Promise<Result> {
  return async (visit, outside) => {
    const merchant = await requireMerchant(outside, visit.merchant.merchant_id);
    return handle({ ...visit, merchant }, outside);
  };
}
