import { merchantRoute } from '../../shared/merchants/merchant/merchant-route.ts';
import { listCharges } from '../../shared/money/charge/list-charges.ts';
import type { ChargeListResponse } from '../../shared/money/charge/responses.ts';
import { termKinds } from '../../shared/money/charge/search.ts';
import { presentCharges } from '../../shared/money/settling/present-charge.ts';
import { ok } from '../../shared/runtime/http/answer.ts';
import { metaOf, PAGE_PARAMETERS, TIME_PARAMETERS } from '../../shared/runtime/http/pagination.ts';
import { manifest } from '../manifest.ts';

export const handler = merchantRoute(
  manifest['transaction/list'],
  { query: ['status', ...termKinds, ...TIME_PARAMETERS, ...PAGE_PARAMETERS] },
  async ({ merchant, query, allows }, outside) => {
    const reader = { seesIds: allows('receipts:assign') };
    const { charges, page, next } = await listCharges(outside, merchant.merchant_id, query, reader);
    const transactions = await presentCharges(outside, charges, reader);
    return ok<ChargeListResponse>('Charges', { transactions }, metaOf(page, next));
  },
);
