import { html } from 'hono/html';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { auditOf } from '../settings/audit.ts';
import type { PersonVisit, Shown } from '../visit.ts';
import { repairTabs } from './tabs.ts';

/** What was changed of numbers, wallets, dead letters and operators. What was changed of a merchant is in that merchant's audit. */
export async function showOperatorAudit(visit: PersonVisit, outside: Outside): Promise<Shown> {
  const { main } = await auditOf(visit, outside, undefined);
  return {
    title: 'Audit',
    main: html`${repairTabs(visit)}
<p class="hint">Of numbers, wallets, dead letters and operators. What was changed of a merchant is in its own audit: open its dashboard.</p>
${main}`,
  };
}
