import { requireMerchant } from '../../merchants/merchant/manage-merchant.ts';
import type { TableOutside } from '../../runtime/outside/outside.ts';
import { presentReceipt } from './present-receipt.ts';
import { listReceipts } from './receipt.table.ts';
import type { ReceiptResponse } from './responses.ts';

/** @throws NoSuch if the merchant does not exist. */
export async function listNewestReceipts(
  outside: TableOutside,
  state: 'held' | 'unread',
  merchantId?: string,
): Promise<ReceiptResponse[]> {
  if (merchantId !== undefined) await requireMerchant(outside, merchantId);
  const { receipts } = await listReceipts(outside, merchantId, state, { limit: 50, newestFirst: true });
  return receipts.map(presentReceipt);
}
