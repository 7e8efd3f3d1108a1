import { isTwin, retentionOf } from '../../merchants/merchant/twin.ts';
import { nowIso, type TimedOutside } from '../../runtime/outside/outside.ts';
import { endOfRetention } from '../../runtime/outside/retention.ts';
import type { PaymentRequest } from './request.table.ts';

/**
 * When the row of an open request is removed: the stage's retention after its last day, or after somebody last began or made a payment. Nobody asks for
 * what was left so long, and its customer's name and number are kept no longer than a charge's. Of a test, a month after it was made.
 */
export function endWhileOpen(
  outside: Pick<TimedOutside, 'now'> & { readonly retentionDays: number },
  { merchant_id, instalments, created_at }: Pick<PaymentRequest, 'merchant_id' | 'instalments' | 'created_at'>,
) {
  const kept = retentionOf(outside, merchant_id);
  if (isTwin(merchant_id)) return endOfRetention(kept, created_at);
  const touched = nowIso(outside);
  const latest = instalments.reduce((last, { due = '' }) => (due > last ? due : last), touched);
  return endOfRetention(kept, latest);
}
