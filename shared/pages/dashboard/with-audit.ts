import { type AuditEntry, recordAudit } from '../../merchants/audit/audit.table.ts';
import { isTwin, originalIdOf } from '../../merchants/merchant/twin.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import type { MerchantVisit } from './visit.ts';

/**
 * The writes of a form with its audit entry among them. A form that changes nothing leaves none. What was done to tests is in the shop's
 * audit, which is the only one that people see.
 */
export function withAudit(
  outside: Pick<Outside, 'now' | 'randomBytes'>,
  { merchant, user }: Pick<MerchantVisit, 'merchant' | 'user'>,
  writes: readonly TableWrite[],
  entry: Pick<AuditEntry, 'action' | 'about' | 'before' | 'after'>,
): readonly TableWrite[] {
  if (writes.length === 0) return writes;
  const { merchant_id } = merchant;
  const after = isTwin(merchant_id) ? { ...entry.after, test: true } : entry.after;
  const noted = { ...entry, merchant_id: originalIdOf(merchant_id), by: user.user_id, ...(after && { after }) };
  return [...writes, recordAudit(outside, noted)];
}
