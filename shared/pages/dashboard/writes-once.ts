import { type AuditEntry, recordAudit } from '../../merchants/audit/audit.table.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import type { Going, Visit } from './visit.ts';

/**
 * The same side effects for a use case that writes once: its transaction also has the audit entry, and the record by which the same form,
 * sent again, leads to the same place and writes nothing.
 */
export function writesOnce(
  outside: Outside,
  { commit }: Pick<Visit, 'commit'>,
  going: Going,
  entry: Omit<AuditEntry, 'at'>,
): Outside {
  const write: Outside['table']['write'] = async (writes) => {
    await commit([...writes, recordAudit(outside, entry)], going);
  };
  return { ...outside, table: { ...outside.table, write } };
}
