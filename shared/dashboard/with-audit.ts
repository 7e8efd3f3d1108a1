import { type AuditEntry, recordAudit } from '../audit/audit.table.ts';
import type { Outside } from '../runtime/outside/outside.ts';
import type { TableWrite } from '../runtime/table/table.ts';
import type { MerchantVisit } from './visit.ts';

/** The writes of a form with its audit entry among them. A form that changes nothing leaves none. */
export function withAudit(
  outside: Pick<Outside, 'now' | 'randomBytes'>,
  { merchant, user }: Pick<MerchantVisit, 'merchant' | 'user'>,
  writes: readonly TableWrite[],
  entry: Pick<AuditEntry, 'action' | 'about' | 'before' | 'after'>,
): readonly TableWrite[] {
  if (writes.length === 0) return writes;
  return [...writes, recordAudit(outside, { merchant_id: merchant.merchant_id, by: user.user_id, ...entry })];
}
