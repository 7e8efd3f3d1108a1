import { isTestAccount, retentionOf } from '../../merchants/merchant/test-account.ts';
import { nowIso, type TimedOutside } from '../../runtime/outside/outside.ts';
import { endOfRetention } from '../../runtime/outside/retention.ts';
import type { PaymentRequest } from './request.table.ts';

/**
 * Returns when to delete the row of an open payment request: one retention period after its last due date, charge or
 * payment. Test requests are kept for a month.
 */
export function endWhileOpen(
  outside: Pick<TimedOutside, 'now'> & { readonly retentionDays: number },
  { merchant_id, instalments, created_at }: Pick<PaymentRequest, 'merchant_id' | 'instalments' | 'created_at'>,
) {
  const kept = retentionOf(outside, merchant_id);
  if (isTestAccount(merchant_id)) return endOfRetention(kept, created_at);
  const touched = nowIso(outside);
  const latest = instalments.reduce((last, { due = '' }) => (due > last ? due : last), touched);
  return endOfRetention(kept, latest);
}
