import { html } from 'hono/html';
import * as z from 'zod/mini';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { parseStopWords } from '../../../texts/conversation/keywords.ts';
import { INBOX, OPT_OUTS, SETTINGS, TEXTS } from '../parts/addresses.ts';
import { changeSection, changeShop } from '../parts/change-shop.ts';
import { section } from '../parts/content.ts';
import { field, tick } from '../parts/form.ts';
import { typed } from '../parts/typed.ts';
import type { Going, MerchantVisit, Shown } from '../parts/visit.ts';

const PATH = '/answers';
export const ANSWERS = `${SETTINGS}${PATH}`;

const TypedStopWords = typed('must be words', (written, refuse) => {
  const words = parseStopWords(written);
  return typeof words === 'string' ? refuse(words) : words;
});

/** A box that is not ticked is not sent, nor a field that is empty. */
export const AnswersForm = z.object({
  answers: z.optional(z.literal('on')),
  stop_words: z.optional(TypedStopWords),
});

/** Whether what people answer to texts is kept, and which words end marketing. */
export async function showAnswers(visit: MerchantVisit): Promise<Shown> {
  const { answers, stop_words = [] } = visit.merchant;
  const now = answers
    ? html`<p>What people write to your own numbers is kept, and shown at <a href="${INBOX}">Answers</a>.</p>`
    : html`<p>What people write to your texts stays on the phone.</p>`;
  return {
    title: 'Answers',
    main: html`${section('Now', [
      now,
      html`<p class="hint">The sender of a text can be forged: an answer is no proof of who wrote it. Texts of wallets, banks and services, and one-time codes, are never shown, even where a customer forwards them. What people write to a number that shops share is kept for nobody: <a href="${TEXTS}/senders">whose your numbers are</a>.</p>`,
    ])}
${changeSection(visit, { path: PATH, submit: 'Set it' }, (filled) => [
  tick(filled, { name: 'answers', label: 'Keep and show answers', value: answers ? 'on' : '' }),
  field(filled, {
    name: 'stop_words',
    label: 'Your own words for STOP',
    value: stop_words.join(', '),
    hint: 'With commas, such as GYAE, NO MORE. They do what STOP does, but on your own numbers alone. STOP always works: it ends your marketing and reminders to whoever sends it, and is confirmed by one text, for one credit.',
  }),
])}<p><a href="${OPT_OUTS}">Who wrote STOP</a></p><p><a href="${SETTINGS}">All settings</a></p>`,
  };
}

export function setAnswers(visit: MerchantVisit<never, typeof AnswersForm>, outside: Outside): Promise<Going> {
  const answers = visit.form.answers === 'on';
  const notice = answers ? 'Answers are kept from now on.' : 'Answers are not kept.';
  const changes = { answers, stop_words: visit.form.stop_words ?? [] };
  return changeShop(visit, outside, changes, { goTo: ANSWERS, notice });
}
