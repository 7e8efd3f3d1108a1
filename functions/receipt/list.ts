import { merchantRoute } from '../../shared/merchants/merchant/merchant-route.ts';
import { presentReceipt } from '../../shared/money/receipt/present-receipt.ts';
import { listReceipts } from '../../shared/money/receipt/receipt.table.ts';
import { receiptLists } from '../../shared/money/receipt/receipt.ts';
import type { ReceiptListResponse } from '../../shared/money/receipt/responses.ts';
import { receiptFor, startFor } from '../../shared/money/receipt/shown-receipt.ts';
import { ok } from '../../shared/runtime/http/answer.ts';
import { choiceOf, metaOf, PAGE_PARAMETERS, pageOf } from '../../shared/runtime/http/pagination.ts';
import { manifest } from '../manifest.ts';

/** Lists a merchant's receipts, newest first. Defaults to held receipts. */
export const handler = merchantRoute(
  manifest['receipt/list'],
  { query: ['status', ...PAGE_PARAMETERS] },
  async ({ merchant, query, allows }, outside) => {
    const reader = { seesBalances: false, seesIds: allows('receipts:assign') };
    const list = choiceOf(query, 'status', receiptLists) ?? 'held';
    const page = pageOf(query);
    const { receipts, next } = await listReceipts(outside, merchant.merchant_id, list, page);
    const shown = receipts.map((receipt) => presentReceipt(receiptFor(reader, receipt)));
    return ok<ReceiptListResponse>('Receipts', { receipts: shown }, metaOf(page, startFor(reader, next)));
  },
);
