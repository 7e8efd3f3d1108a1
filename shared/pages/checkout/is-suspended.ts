import { merchantCache } from '../../merchants/merchant/merchant.table.ts';
import type { Transaction } from '../../money/transaction/transaction.table.ts';
import type { Outside } from '../../runtime/outside/outside.ts';

/** Whether nobody is to pay a charge now, because its merchant is suspended. What was paid stays to be seen. */
export async function isSuspended(outside: Outside, { state, merchant_id }: Transaction): Promise<boolean> {
  if (state !== 'pending') return false;
  return (await merchantCache.get(outside, merchant_id))?.suspended_at !== undefined;
}
