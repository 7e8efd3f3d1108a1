import { merchantEndpoint } from '../../shared/merchant/endpoint.ts';
import { listReceipts } from '../../shared/receipt/receipt.table.ts';
import { presentReceipt, ReceiptState } from '../../shared/receipt/receipt.ts';
import { invalidRequest } from '../../shared/runtime/errors.ts';
import { ok } from '../../shared/runtime/http.ts';
import { metaOf, pageOf } from '../../shared/runtime/page.ts';
import { manifest } from '../manifest.ts';

/** Lists a merchant's receipts in one state, the held ones where it does not say which, newest first. */
export const handler = merchantEndpoint(manifest['receipt/list'], {}, async ({ merchant, query }, outside) => {
  const state = ReceiptState.safeParse(query.status ?? 'held');
  if (!state.success) {
    throw invalidRequest([{ field: 'status', message: `must be one of ${ReceiptState.options.join(', ')}` }]);
  }
  const page = pageOf(query);
  const { receipts, next } = await listReceipts(outside, merchant.merchant_id, state.data, page);
  return ok('Receipts', { receipts: receipts.map(presentReceipt) }, metaOf(page, next));
});
