import { requireMerchant } from '../merchant/manage-merchant.ts';
import type { Outside } from '../runtime/outside/outside.ts';
import { presentReceipt } from './present-receipt.ts';
import { listReceipts } from './receipt.table.ts';
import type { ReceiptResponse } from './responses.ts';

/** A merchant's receipts in a state, the newest fifty, as the merchant sees them. @throws NoSuch merchant. */
export async function listMerchantReceipts(
  outside: Pick<Outside, 'table'>,
  merchantId: string,
  state: 'held' | 'unread',
): Promise<ReceiptResponse[]> {
  await requireMerchant(outside, merchantId);
  const { receipts } = await listReceipts(outside, merchantId, state, { limit: 50, newestFirst: true });
  return receipts.map(presentReceipt);
}
