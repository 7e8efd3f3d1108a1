/*
 * audit entry   AUDIT#<merchant>#<yyyy-mm> / <time>#<random>   what a person, a key or a command changed; AUDIT#OPERATOR#… for what
 *                                                              belongs to no merchant
 */
import * as z from 'zod/mini';
import { type IdOutside, nowIso, type TableOutside, type WriteOutside } from '../../runtime/outside/outside.ts';
import { endOfRetention, RETENTION } from '../../runtime/outside/retention.ts';
import { rows } from '../../runtime/table/rows.ts';
import { createItem, type Page, type Table, type TableWrite } from '../../runtime/table/table.ts';

/** What was changed: names of fields and what they say. No secrets; of people only ids. */
const Values = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]));

const AuditEntry = z.object({
  merchant_id: z.optional(z.string()),
  at: z.string(),
  /** The id of a person, `command line`, `key …1a2B`, or `shared phone` for what it noted by itself. */
  by: z.string(),
  /** The shared phone that it was done on, by somebody signed in there by PIN. */
  phone_id: z.optional(z.string()),
  /** A noun and a verb: `charge cancel`. The command line's words, where it has a command for it. */
  action: z.string(),
  /** The id of what was changed. */
  about: z.optional(z.string()),
  before: z.optional(Values),
  after: z.optional(Values),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

/** What somebody is about to change: a command and a form of the dashboard write it, each in their own name. No writes where it is so already. */
export interface Prepared {
  readonly writes: readonly TableWrite[];
  readonly entry: Omit<AuditEntry, 'at' | 'by' | 'phone_id'>;
}

/** Neither a session nor a key: somebody with the operator's AWS account. */
export const COMMAND_LINE = 'command line';

/** No person: what a phone that people share notes by itself. */
export const SHARED_PHONE = 'shared phone';

/** A merchant's entries of a month (`2026-11`), or those of what belongs to none. */
const auditRows = rows(AuditEntry, {
  pk: ({ merchant_id, month }: Pick<AuditEntry, 'merchant_id'> & { readonly month: string }) =>
    `AUDIT#${merchant_id ?? 'OPERATOR'}#${month}`,
  sk: '<at>#<unique>',
});

/** For the transaction that makes the change: no change without its entry, and no entry without its change. */
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

/** A page of what was changed in a month (`2026-11`), of a merchant or of what belongs to none. */
export function listAudit(outside: TableOutside, merchant_id: string | undefined, month: string, page: Page) {
  return auditRows.page(outside, { merchant_id, month }, page);
}

/** What the audit says of a phone number, which may be a person's: its last four digits, `…4567`. */
export function numberHint(number: string): string {
  return `…${number.slice(-4)}`;
}

const ItemKey = z.object({ pk: z.string(), sk: z.string() });

/**
 * The same side effects, but what a use case writes first has its audit entry in the same transaction. So a use case needs to know
 * nothing of the audit, and none of its callers can forget it. `entry` is asked for when something is written.
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
      // A transaction does not hand back what it wrote.
      return await table.get(z.parse(ItemKey, one.update?.Key));
    } catch (error) {
      if (error === refusal) return undefined;
      throw error;
    }
  };
  return { ...outside, table: { ...table, write, update } };
}
