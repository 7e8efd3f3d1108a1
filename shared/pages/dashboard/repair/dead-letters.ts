import { html, raw } from 'hono/html';
import { askStage, MAX_LETTERS, type ShownLetter } from '../../../care/repair/protocol.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import type { Html } from '../html.ts';
import { form } from '../parts/form.ts';
import { emptyState, pill, section } from '../parts/status.ts';
import { table } from '../parts/table.ts';
import { shownTime } from '../shown-time.ts';
import type { Going, PersonVisit, Shown } from '../visit.ts';
import { DEAD_LETTERS } from './addresses.ts';
import { repairTabs } from './tabs.ts';

/** Jobs that were given up, by queue, to be tried again or dropped. */
export async function showDeadLetters(visit: PersonVisit, outside: Outside): Promise<Shown> {
  const { letters } = await askStage(outside, 'dead letters', {});
  const byQueue = Map.groupBy(letters, ({ queue }) => queue);
  return {
    title: 'Dead letters',
    main: html`${repairTabs(visit)}
${
  letters.length === 0
    ? emptyState(
        'No job was given up',
        `Texts, payments and webhooks that fail again and again end here, and wait for you for two weeks. ${HIDDEN}`,
      )
    : html`<p class="hint">Find out first why they failed: the doctor says it, or the log. ${HIDDEN}</p>
${[...byQueue].map(([queue, some]) => ofQueue(visit, queue, some))}`
}`,
  };
}

/** Also where none is found: a reader that broke off may hide them all. */
const HIDDEN = 'A letter that somebody else reads right now shows after two minutes.';

function ofQueue(visit: PersonVisit, queue: string, letters: readonly ShownLetter[]): Html {
  const hopeless = letters.filter(({ is_hopeless }) => is_hopeless).length;
  const count = letters.length >= MAX_LETTERS ? `the first ${MAX_LETTERS}` : letters.length;
  return section(`${queue}: ${count}`, [
    table(
      `Dead letters of ${queue}`,
      [{ name: 'About' }, { name: 'State' }, { name: 'Queued' }, { name: '' }],
      letters.map((letter) => ({
        cells: [
          letter.id ?? 'Cannot be read',
          letter.is_hopeless ? pill('bad', letter.state) : letter.state,
          shownTime(letter.queued_at),
          dropOne(visit, letter),
        ],
      })),
    ),
    ...(hopeless < letters.length ? [retryAll(visit, queue)] : []),
    ...(hopeless > 0 ? [dropHopeless(visit, queue, hopeless)] : []),
  ]);
}

function retryAll(visit: PersonVisit, queue: string): Html {
  return html`<p>Each is tried again from its first try on. A text whose credit was given back is not sent; what is done already is not done twice.</p>
${form(visit, { path: '/{queue}/retry', action: `${addressOf(queue)}/retry`, submit: `Retry those of ${queue}` }, () => [])}`;
}

function dropHopeless(visit: PersonVisit, queue: string, count: number): Html {
  return html`<p>No retry can help ${count === 1 ? 'one of them' : `${count} of them`}: this version cannot read it, or the change that it names is gone. If a newer version ran before this one, keep them until it runs again: it may read them.</p>
${form(visit, { path: '/{queue}/drop', action: `${addressOf(queue)}/drop`, submit: 'Drop those that no retry can help', isDangerous: true }, () => [])}`;
}

function dropOne(visit: PersonVisit, { queue, letter }: ShownLetter): Html {
  const action = `${addressOf(queue)}/${encodeURIComponent(letter)}/drop`;
  // Closed, it would hide why the letter is still there.
  const isOpen = visit.refused?.action === action;
  return html`<details${isOpen && raw(' open')}><summary>Drop</summary><p>It is deleted for good, and its job is not done.</p>
${form(visit, { path: '/{queue}/{letter}/drop', action, submit: 'Drop it', isDangerous: true, isSmall: true }, () => [])}</details>`;
}

function addressOf(queue: string): string {
  return `${DEAD_LETTERS}/${encodeURIComponent(queue)}`;
}

export async function retryLetters({ path, user }: PersonVisit<'queue'>, outside: Outside): Promise<Going> {
  const { queue } = path;
  const { retried, left } = await askStage(outside, 'retry', { queue, by: user.user_id });
  const notice = `${retried} of ${queue} ${retried === 1 ? 'is' : 'are'} tried again.${left > 0 ? ` ${left} can only be dropped.` : ''}`;
  return { goTo: DEAD_LETTERS, notice };
}

/** Those of a queue that no retry can help, or the one that the address names. */
export async function dropLetters(
  { path, user }: PersonVisit<'queue'> & { readonly path: { readonly letter?: string } },
  outside: Outside,
): Promise<Going> {
  const { queue, letter } = path;
  const { dropped } = await askStage(outside, 'drop', { queue, letter, by: user.user_id });
  return { goTo: DEAD_LETTERS, notice: `${dropped} of ${queue} ${dropped === 1 ? 'was' : 'were'} dropped.` };
}
