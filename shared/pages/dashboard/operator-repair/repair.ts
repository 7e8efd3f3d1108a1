import { html, raw } from 'hono/html';
import { askStage, MAX_LETTERS, type ShownFinding, type ShownLetter } from '../../../operations/repair/protocol.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { DOCTOR, OPERATOR_REPAIR } from '../parts/addresses.ts';
import { emptyState, type Html, pill, section, shownTime } from '../parts/content.ts';
import { form } from '../parts/form.ts';
import { table } from '../parts/list.ts';
import type { Going, PersonVisit, Shown } from '../parts/visit.ts';
import { auditOf } from '../settings/audit.ts';

export async function showDeadLetters(visit: PersonVisit, outside: Outside): Promise<Shown> {
  const { letters } = await askStage(outside, 'dead letters', {});
  const byQueue = Map.groupBy(letters, ({ queue }) => queue);
  return {
    title: 'Dead letters',
    main: html`${
      letters.length === 0
        ? emptyState(
            'No failed jobs',
            `Texts, payments and webhooks that keep failing appear here for two weeks. ${HIDDEN}`,
          )
        : html`<p class="hint">First find out why these jobs failed, using the doctor or the log. ${HIDDEN}</p>
${[...byQueue].map(([queue, some]) => ofQueue(visit, queue, some))}`
    }`,
  };
}

/** Shown even for an empty list, because an interrupted reader may be hiding all dead letters. */
const HIDDEN = 'A dead letter that someone else is reading appears after two minutes.';

function ofQueue(visit: PersonVisit, queue: string, letters: readonly ShownLetter[]): Html {
  const hopeless = letters.filter(({ is_hopeless }) => is_hopeless).length;
  const count = letters.length >= MAX_LETTERS ? `the first ${MAX_LETTERS}` : letters.length;
  return section(`${queue}: ${count}`, [
    table(letters, {
      caption: `Dead letters from ${queue}`,
      columns: {
        About: ({ id }) => id ?? 'Cannot be read',
        State: ({ is_hopeless, state }) => (is_hopeless ? pill('bad', state) : state),
        Queued: ({ queued_at }) => html`<span class="number">${shownTime(queued_at)}</span>`,
        '': (letter) => dropOne(visit, letter),
      },
    }),
    ...(hopeless < letters.length ? [retryAll(visit, queue)] : []),
    ...(hopeless > 0 ? [dropHopeless(visit, queue, hopeless)] : []),
  ]);
}

function retryAll(visit: PersonVisit, queue: string): Html {
  return html`<p>Each job starts again from its first attempt. Refunded texts are not sent, and nothing is done twice.</p>
${form(visit, { path: '/{queue}/retry', ids: { queue }, submit: `Retry jobs from ${queue}` })}`;
}

function dropHopeless(visit: PersonVisit, queue: string, count: number): Html {
  return html`<p>${count === 1 ? 'One job' : `${count} jobs`} cannot be retried. This version cannot read such a job, or the data it refers to is gone. If a newer version ran before, drop nothing until that version runs again.</p>
${form(visit, { path: '/{queue}/drop', ids: { queue }, submit: 'Drop jobs that cannot be retried', isDangerous: true })}`;
}

function dropOne(visit: PersonVisit, { queue, letter }: ShownLetter): Html {
  const drop = { path: '/{queue}/{letter}/drop', ids: { queue, letter } };
  // Keep the form open to show its error.
  const isOpen = visit.refused?.action === visit.addressOf(drop.path, drop.ids);
  return html`<details${isOpen && raw(' open')}><summary>Drop</summary><p>This dead letter will be deleted permanently, and its job will not be done.</p>
${form(visit, { ...drop, submit: 'Drop it', isDangerous: true, isSmall: true })}</details>`;
}

export async function retryLetters({ path, user }: PersonVisit<'queue'>, outside: Outside): Promise<Going> {
  const { queue } = path;
  const { retried, left } = await askStage(outside, 'retry', { queue, by: user.user_id });
  const notice = `${retried} from ${queue} ${retried === 1 ? 'is' : 'are'} being retried.${left > 0 ? ` ${left} can only be dropped.` : ''}`;
  return { goTo: OPERATOR_REPAIR, notice };
}

/** Drops a queue's dead letters that cannot be retried, or only the one in the URL. */
export async function dropLetters(
  { path, user }: PersonVisit<'queue'> & { readonly path: { readonly letter?: string } },
  outside: Outside,
): Promise<Going> {
  const { queue, letter } = path;
  const { dropped } = await askStage(outside, 'drop', { queue, letter, by: user.user_id });
  return { goTo: OPERATOR_REPAIR, notice: `${dropped} from ${queue} ${dropped === 1 ? 'was' : 'were'} dropped.` };
}

export async function showDoctor(_visit: PersonVisit, outside: Outside): Promise<Shown> {
  const { stage, findings } = await askStage(outside, 'doctor', {});
  const wrong = findings.filter(({ state }) => state === 'wrong');
  const others = findings.filter(({ state }) => state !== 'wrong');
  const fine = others.filter(({ state }) => state === 'fine');
  const absent = others.length - fine.length;
  return {
    title: 'Doctor',
    actions: [{ name: 'Check again', address: DOCTOR }],
    main: html`${
      wrong.length === 0
        ? emptyState('Nothing is wrong', 'Everything this stage needs has just been checked.')
        : section(`${wrong.length} ${wrong.length === 1 ? 'thing is' : 'things are'} wrong`, [
            html`<ul class="findings" role="list">${wrong.map(wrongFinding)}</ul>`,
            html`<p class="hint">Run commands on the computer that deployed this stage: <code>npm run --silent admin -- COMMAND${stage !== 'local' && ` --stage ${stage}`}</code></p>`,
          ])
    }
<details class="more"${wrong.length === 0 && raw(' open')}><summary>${fine.length} fine${absent > 0 && `, ${absent} not applicable`}</summary>
<ul class="findings" role="list">${others.map(({ state, says }) => html`<li>${state === 'fine' ? pill('good', 'Fine') : pill('plain', 'Not applicable')} ${says}</li>`)}</ul></details>`,
  };
}

function wrongFinding({ says, todo }: ShownFinding): Html {
  return html`<li>${pill('look', 'Wrong')} ${says}${todo && html`<p class="words">${todo}</p>`}</li>`;
}

/** Shows changes to numbers, wallets, dead letters and operators. Merchants have their own audit log. */
export function showOperatorAudit(visit: PersonVisit, outside: Outside): Promise<Shown> {
  const about = html`<p class="hint">Shows changes to numbers, wallets, dead letters and operators. For a merchant’s changes, open its dashboard.</p>
`;
  return auditOf(visit, outside, undefined, about);
}
