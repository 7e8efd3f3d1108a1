/**
 * audit entry   AUDIT#<merchant>#<yyyy-mm> / <time>#<random>   a change made by a user, a key or a command.
 *                                                              AUDIT#OPERATOR#… if it concerns no merchant
 */
import * as z from 'zod/mini';
import { type IdOutside, nowIso, type TableOutside, type WriteOutside } from '../../runtime/outside/outside.ts';
import { endOfRetention, RETENTION } from '../../runtime/outside/retention.ts';
import { rows } from '../../runtime/table/rows.ts';
import { createItem, type Page, type Table, type TableWrite } from '../../runtime/table/table.ts';

/** Changed fields and their values. Contains no secrets, and identifies users only by id. */
const Values = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]));

const AuditEntry = z.object({
  merchant_id: z.optional(z.string()),
  at: z.string(),
  /** A user's id, `command line`, `key …1a2B`, or `shared phone`. */
  by: z.string(),
  phone_id: z.optional(z.string()),
  /** A noun and a verb, such as `charge cancel`, or the name of a command. */
  action: z.string(),
  about: z.optional(z.string()),
  before: z.optional(Values),
  after: z.optional(Values),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

/** A change and its audit entry, ready to be written. `writes` is empty if nothing needs to change. */
export interface Prepared {
  readonly writes: readonly TableWrite[];
  readonly entry: Omit<AuditEntry, 'at' | 'by' | 'phone_id'>;
}

/**
 * Value of `by` for a change on the command line. Anyone with access to the operator's AWS account can make such a
 * change.
 */
export const COMMAND_LINE = 'command line';

export const SHARED_PHONE = 'shared phone';

const auditRows = rows(AuditEntry, {
  pk: ({ merchant_id, month }: Pick<AuditEntry, 'merchant_id'> & { readonly month: string }) =>
    `AUDIT#${merchant_id ?? 'OPERATOR'}#${month}`,
  sk: '<at>#<unique>',
});

/** Returns the write of an audit entry. Commit it together with the change. */
export function recordAudit(outside: IdOutside, entry: Omit<AuditEntry, 'at'>): TableWrite {
  const at = nowIso(outside);
  const { merchant_id } = entry;
  return createItem({
    ...auditRows.key({ merchant_id, month: at.slice(0, 7), at, unique: outside.randomBytes(6).toString('hex') }),
    at,
    ...entry,
    ...endOfRetention({ retentionDays: RETENTION.defaultDays }, at),
  });
}

export function listAudit(outside: TableOutside, merchant_id: string | undefined, month: string, page: Page) {
  return auditRows.page(outside, { merchant_id, month }, page);
}

/** Returns the last four digits of a phone number, such as `…4567`. */
export function numberHint(number: string): string {
  return `…${number.slice(-4)}`;
}

const ItemKey = z.object({ pk: z.string(), sk: z.string() });

/**
 * Returns an `Outside` that adds an audit entry to its first successful write. Calls `entry` only when something is
 * written.
 */
export function audited<Some extends WriteOutside>(outside: Some, entry: () => Omit<AuditEntry, 'at'>): Some {
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
      // A transaction does not return the items it wrote.
      return await table.get(z.parse(ItemKey, one.update?.Key));
    } catch (error) {
      if (error === refusal) return undefined;
      throw error;
    }
  };
  return { ...outside, table: { ...table, write, update } };
}
