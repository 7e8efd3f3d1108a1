import { html, raw } from 'hono/html';
import { askStage, type ShownFinding } from '../../../care/repair/protocol.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import type { Html } from '../html.ts';
import { emptyState, pill, section } from '../parts/status.ts';
import type { PersonVisit, Shown } from '../visit.ts';
import { DOCTOR } from './addresses.ts';
import { repairTabs } from './tabs.ts';

/** Everything that a stage needs, checked now: what the command `doctor` says. */
export async function showDoctor(visit: PersonVisit, outside: Outside): Promise<Shown> {
  const { stage, findings } = await askStage(outside, 'doctor', {});
  const wrong = findings.filter(({ state }) => state === 'wrong');
  const others = findings.filter(({ state }) => state !== 'wrong');
  const fine = others.filter(({ state }) => state === 'fine');
  const absent = others.length - fine.length;
  return {
    title: 'Doctor',
    main: html`${repairTabs(visit)}
${
  wrong.length === 0
    ? emptyState('Nothing is wrong', 'Everything that this stage needs was checked just now.')
    : section(`${wrong.length} ${wrong.length === 1 ? 'thing is' : 'things are'} wrong`, [
        html`<ul class="findings" role="list">${wrong.map(wrongFinding)}</ul>`,
        html`<p class="hint">Commands are for the computer that deployed this stage: <code>npm run --silent admin -- COMMAND${stage !== 'local' && ` --stage ${stage}`}</code></p>`,
      ])
}
<p><a class="button plain" href="${DOCTOR}">Check again</a></p>
<details class="more"${wrong.length === 0 && raw(' open')}><summary>${fine.length} in order${absent > 0 && `, ${absent} not here`}</summary>
<ul class="findings" role="list">${others.map(({ state, says }) => html`<li>${state === 'fine' ? pill('good', 'Fine') : pill('plain', 'Not here')} ${says}</li>`)}</ul></details>`,
  };
}

function wrongFinding({ says, todo }: ShownFinding): Html {
  return html`<li>${pill('look', 'Wrong')} ${says}${todo && html`<p class="words">${todo}</p>`}</li>`;
}
