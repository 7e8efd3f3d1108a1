import { merchantRoute } from '../../shared/merchant/merchant-route.ts';
import { presentReceipt } from '../../shared/receipt/present-receipt.ts';
import { listReceipts } from '../../shared/receipt/receipt.table.ts';
import { receiptLists } from '../../shared/receipt/receipt.ts';
import type { ReceiptListResponse } from '../../shared/receipt/responses.ts';
import { ok } from '../../shared/runtime/http/answer.ts';
import { choiceOf, metaOf, PAGE_PARAMETERS, pageOf } from '../../shared/runtime/http/pagination.ts';
import { manifest } from '../manifest.ts';

/** Lists a merchant's receipts, by default the held ones, newest first. */
export const handler = merchantRoute(
  manifest['receipt/list'],
  { query: ['status', ...PAGE_PARAMETERS] },
  async ({ merchant, query }, outside) => {
    const list = choiceOf(query, 'status', receiptLists) ?? 'held';
    const page = pageOf(query);
    const { receipts, next } = await listReceipts(outside, merchant.merchant_id, list, page);
    return ok<ReceiptListResponse>('Receipts', { receipts: receipts.map(presentReceipt) }, metaOf(page, next));
  },
);
