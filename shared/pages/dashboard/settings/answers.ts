import { html } from 'hono/html';
import { changesIn, settingsForm } from '../../../operations/settings/settings.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { ANSWERS, INBOX, STOPPED, TEXTS } from '../parts/addresses.ts';
import { changeShop, settingField, settingPage } from '../parts/change-shop.ts';
import type { Going, MerchantVisit, Shown } from '../parts/visit.ts';

export const AnswersForm = settingsForm(['answers', 'stop_words']);

export async function showAnswers(visit: MerchantVisit): Promise<Shown> {
  const kept = visit.merchant.answers
    ? html`<p>What people write to your own numbers is kept, and shown at <a href="${INBOX}">Answers</a>.</p>`
    : html`<p>What people write to your texts stays on the phone.</p>`;
  const now = [
    kept,
    html`<p class="hint">The sender of a text can be forged. An answer does not prove who wrote it. Texts of wallets, banks and services are never shown, nor are one-time codes. Answers to a number that shops share are not kept. <a href="${TEXTS}/senders">See whose your numbers are</a>.</p>`,
  ];
  const links = html`<p><a href="${STOPPED}">Who wrote STOP</a></p>`;
  const content = [settingField(visit.merchant, 'answers'), settingField(visit.merchant, 'stop_words')];
  return settingPage(visit, { title: 'Answers', now, path: '/answers', links }, content);
}

export function setAnswers(visit: MerchantVisit<never, typeof AnswersForm>, outside: Outside): Promise<Going> {
  const changes = changesIn(['answers', 'stop_words'], visit.form);
  const notice = changes.answers ? 'Answers are kept from now on.' : 'Answers are not kept.';
  return changeShop(visit, outside, changes, { goTo: ANSWERS, notice });
}
