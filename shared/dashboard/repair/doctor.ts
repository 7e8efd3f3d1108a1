import { html } from 'hono/html';
import { examine, type Found } from '../../doctor/doctor.ts';
import { isWrong } from '../../doctor/finding.ts';
import type { Place } from '../../runtime/stage/place.ts';
import type { Html } from '../html.ts';
import { emptyState, pill, section } from '../parts/status.ts';
import type { PersonVisit, Shown } from '../visit.ts';
import { DOCTOR } from './addresses.ts';
import { repairTabs } from './tabs.ts';

/** API Gateway waits for thirty seconds. */
const FOR_MS = 22_000;

/** Everything that a stage needs, checked now: what the command `doctor` says. */
export async function showDoctor(visit: PersonVisit, place: Place): Promise<Shown> {
  const found = await examine(place, { forMs: FOR_MS });
  const wrong = found.filter(isWrong);
  const others = found.filter((one) => !isWrong(one));
  return {
    title: 'Doctor',
    main: html`${repairTabs(visit)}
${
  wrong.length === 0
    ? emptyState('Nothing is wrong', 'Everything that this stage needs was checked just now.')
    : section(`${wrong.length} ${wrong.length === 1 ? 'thing is' : 'things are'} wrong`, [
        html`<ol class="findings">${wrong.map(wrongFinding)}</ol>`,
        html`<p class="hint">Commands are for the computer that deployed this stage: <code>npm run --silent admin -- COMMAND${place.stage !== 'local' && ` --stage ${place.stage}`}</code></p>`,
      ])
}
<p><a class="button plain" href="${DOCTOR}">Check again</a></p>
${section(
  'In order',
  html`<ul class="findings">${others.map(({ state, says }) => html`<li>${state === 'fine' ? pill('good', 'Fine') : pill('plain', 'Not here')} ${says}</li>`)}</ul>`,
)}`,
  };
}

function wrongFinding({ says, todo }: Found): Html {
  return html`<li>${pill('look', 'Wrong')} ${says}${todo && html`<p class="words">${todo}</p>`}</li>`;
}
