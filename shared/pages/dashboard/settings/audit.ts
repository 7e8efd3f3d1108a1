import { html } from 'hono/html';
import { type AuditEntry, COMMAND_LINE, listAudit } from '../../../merchants/audit/audit.table.ts';
import { getUsers } from '../../../merchants/user/user.table.ts';
import { metaOf, pageOf } from '../../../runtime/http/pagination.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { chargeAddress } from '../charges/addresses.ts';
import type { Html } from '../html.ts';
import { choice } from '../parts/field.ts';
import { filters } from '../parts/filters.ts';
import { pagination } from '../parts/pagination.ts';
import { emptyState } from '../parts/status.ts';
import { table } from '../parts/table.ts';
import { shownDay, shownTime } from '../shown-time.ts';
import type { MerchantVisit, Shown } from '../visit.ts';
import { actionInWords, changesInWords } from './audit-words.ts';

/** As many months as entries are kept. */
const MONTHS = 13;

/** What people, keys and commands changed at a merchant, month by month. */
export function showAudit(visit: MerchantVisit, outside: Outside): Promise<Shown> {
  return auditOf(visit, outside, visit.merchant.merchant_id);
}

/** The same of what belongs to no merchant, without a merchant's id. */
export async function auditOf(
  { query, here }: Pick<MerchantVisit, 'query' | 'here'>,
  outside: Outside,
  merchantId: string | undefined,
): Promise<Shown> {
  const months = monthsUntil(outside.now());
  const month = months.find((one) => one === query.month) ?? months[0] ?? '';
  const page = pageOf({ cursor: query.cursor });
  const { entries, next } = await listAudit(outside, merchantId, month, page);
  const ids = entries.flatMap(({ by, about = '' }) => [by, about]).filter((id) => /^[0-7]\w{25}$/.test(id));
  const users = await getUsers(outside, [...new Set(ids)]);
  const names = new Map(users.map(({ user_id, name }) => [user_id, name]));
  const rows = entries.map((entry) => ({
    cells: [
      shownTime(entry.at),
      names.get(entry.by) ?? whoElse(entry.by),
      actionInWords(entry),
      names.get(entry.about ?? '') ?? aboutOf(entry),
      changesInWords(entry),
    ],
  }));
  const columns = ['When', 'Who', 'What', 'About', 'Before and after'].map((name) => ({ name }));
  return {
    title: 'Audit',
    main: html`${filters({ query, here }, (filled) => choice(filled, { name: 'month', label: 'Month', value: month, options: months.map((one) => [one, monthName(one)]) }))}
${rows.length === 0 ? emptyState('Nothing was changed', 'What people, keys and commands change shows here.') : table('What was changed', columns, rows)}
${pagination({ here, query }, metaOf(page, next))}`,
  };
}

function whoElse(by: string): string {
  return by === COMMAND_LINE ? 'The operator, by command line' : by;
}

/** A charge leads to its page; one of a test has none outside test mode. */
function aboutOf({ about = '', after }: AuditEntry): Html | string {
  return about.startsWith('MK-') && after?.test !== true ? html`<a href="${chargeAddress(about)}">${about}</a>` : about;
}

/** `Nov 2026`. */
function monthName(month: string): string {
  return shownDay(`${month}-01`).slice(2);
}

/** The newest first. */
function monthsUntil(nowMs: number): string[] {
  const now = new Date(nowMs);
  return Array.from({ length: MONTHS }, (_, n) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - n, 1)).toISOString().slice(0, 7),
  );
}
