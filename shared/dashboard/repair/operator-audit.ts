import { html } from 'hono/html';
import type { Outside } from '../../runtime/outside/outside.ts';
import { section } from '../parts/status.ts';
import { auditOf } from '../settings/audit.ts';
import type { PersonVisit, Shown } from '../visit.ts';

/** What was changed of numbers, wallets and operators. What was changed of a merchant is in that merchant's audit. */
export async function showOperatorAudit(visit: PersonVisit, outside: Outside): Promise<Shown> {
  const { main } = await auditOf(visit, outside, undefined);
  return {
    title: 'Audit',
    main: html`<p class="hint">Of numbers, wallets and operators. What was changed of a merchant is in its own audit: open its dashboard.</p>
${main}
${section(
  'When something is stuck',
  html`<p>Jobs that were given up, and the doctor’s checks, need the AWS credentials of a person: <code>npm run --silent admin -- doctor</code> says what
is wrong and what to do, <code>dead-letters list</code> and <code>dead-letters retry</code> show and retry the jobs.</p>`,
)}`,
  };
}
