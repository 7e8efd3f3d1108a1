/*
 * audit entry   AUDIT#<merchant>#<yyyy-mm> / <time>#<random>   what a person, a key or a command changed; AUDIT#OPERATOR#… for what
 *                                                              belongs to no merchant
 */
import * as z from 'zod/mini';
import type { Outside } from '../../runtime/outside/outside.ts';
import { endOfRetention, RETENTION } from '../../runtime/outside/retention.ts';
import type { Page, PageStart, TableWrite } from '../../runtime/table/table.ts';

/** What was changed: names of fields and what they say. No secrets; of people only ids. */
const Values = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]));

const AuditEntry = z.object({
  merchant_id: z.optional(z.string()),
  at: z.string(),
  /** The id of a person, `command line`, or `key …1a2B`. */
  by: z.string(),
  /** A noun and a verb: `charge cancel`. The command line's words, where it has a command for it. */
  action: z.string(),
  /** The id of what was changed. */
  about: z.optional(z.string()),
  before: z.optional(Values),
  after: z.optional(Values),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

/** Who has no session and no key: whoever has the operator's AWS account. */
export const COMMAND_LINE = 'command line';

const partitionOf = (merchantId: string | undefined, month: string) => `AUDIT#${merchantId ?? 'OPERATOR'}#${month}`;

/** For the transaction that makes the change: no change without its entry, and no entry without its change. */
export function recordAudit(
  { now, randomBytes }: Pick<Outside, 'now' | 'randomBytes'>,
  entry: Omit<AuditEntry, 'at'>,
): TableWrite {
  const at = new Date(now()).toISOString();
  return {
    put: {
      Item: {
        pk: partitionOf(entry.merchant_id, at.slice(0, 7)),
        sk: `${at}#${randomBytes(6).toString('hex')}`,
        at,
        ...entry,
        ...endOfRetention({ retentionDays: RETENTION.defaultDays }, at),
      },
      ConditionExpression: 'attribute_not_exists(pk)',
    },
  };
}

/** A page of what was changed in a month (`2026-11`), of a merchant or of what belongs to none. */
export async function listAudit(
  outside: Pick<Outside, 'table'>,
  merchantId: string | undefined,
  month: string,
  page: Page,
): Promise<{ entries: AuditEntry[]; next: PageStart | undefined }> {
  const { items, next } = await outside.table.listPage(partitionOf(merchantId, month), page);
  return { entries: items.map((item) => z.parse(AuditEntry, item)), next };
}
