import { merchantRoute } from '../../shared/merchants/merchant/merchant-route.ts';
import { ok } from '../../shared/runtime/http/answer.ts';
import { metaOf, PAGE_PARAMETERS, pageOf, TIME_PARAMETERS, timesOf } from '../../shared/runtime/http/pagination.ts';
import { presentBundles } from '../../shared/texts/credits/bundles.ts';
import { getCredits } from '../../shared/texts/credits/credits.table.ts';
import type { CreditsResponse } from '../../shared/texts/credits/responses.ts';
import { listCreditChanges, presentCreditChange } from '../../shared/texts/sms/list-credit-changes.ts';
import { manifest } from '../manifest.ts';

/** Returns a merchant's credit balance, its history (newest first) and the bundles for sale. */
export const handler = merchantRoute(
  manifest['sms/credits'],
  { query: [...TIME_PARAMETERS, ...PAGE_PARAMETERS] },
  async ({ merchant, query }, outside) => {
    const page = pageOf(query);
    const times = timesOf(query);
    const { merchant_id } = merchant;
    const [{ balance, owed, low_below }, bundles, { changes, next }] = await Promise.all([
      getCredits(outside, merchant_id),
      presentBundles(outside, merchant_id),
      listCreditChanges(outside, merchant_id, page, times),
    ]);
    const data = { balance, owed, low_below, bundles, entries: changes.map(presentCreditChange) };
    return ok<CreditsResponse>('SMS credits', data, metaOf(page, next));
  },
);
