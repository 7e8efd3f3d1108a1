import * as z from 'zod/mini';
import type { Outside } from '../../runtime/outside/outside.ts';
import type { Table } from '../../runtime/table/table.ts';
import { type AuditEntry, recordAudit } from './audit.table.ts';

const ItemKey = z.object({ pk: z.string(), sk: z.string() });

type Needs = Pick<Outside, 'table' | 'now' | 'randomBytes'>;

/**
 * The same side effects, but what a use case writes first has its audit entry in the same transaction. So a use case needs to know
 * nothing of the audit, and none of its callers can forget it. `entry` is asked for when something is written.
 */
export function audited<Some extends Needs>(outside: Some, entry: () => Omit<AuditEntry, 'at'>): Some {
  const { table } = outside;
  let isRecorded = false;
  const write: Table['write'] = async (writes) => {
    if (isRecorded) return table.write(writes);
    await table.write([...writes, recordAudit(outside, entry())]);
    isRecorded = true;
  };
  const update: Table['update'] = async (one) => {
    if (isRecorded) return table.update(one);
    const refusal = new Error('The condition does not hold');
    try {
      await write([{ ...one, refused: () => refusal }]);
      // A transaction does not hand back what it wrote.
      return await table.get(z.parse(ItemKey, one.update?.Key));
    } catch (error) {
      if (error === refusal) return undefined;
      throw error;
    }
  };
  return { ...outside, table: { ...table, write, update } };
}
