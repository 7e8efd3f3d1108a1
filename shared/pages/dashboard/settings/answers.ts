import { html } from 'hono/html';
import { changesIn, settingsForm } from '../../../operations/settings/settings.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { ANSWERS, INBOX, STOPPED, TEXTS } from '../parts/addresses.ts';
import { changeShop, settingField, settingPage } from '../parts/change-shop.ts';
import type { Going, MerchantVisit, Shown } from '../parts/visit.ts';

export const AnswersForm = settingsForm(['answers', 'stop_words']);

export async function showAnswers(visit: MerchantVisit): Promise<Shown> {
  const kept = visit.merchant.answers
    ? html`<p>Texts that people send to your own numbers are kept. You find them under <a href="${INBOX}">Replies</a>.</p>`
    : html`<p>Replies to your texts stay on the phone.</p>`;
  const now = [
    kept,
    html`<p class="hint">A sender’s number can be forged, so a reply does not prove who wrote it. Texts from wallets, banks and services are never shown, nor are one-time codes. Replies to a number shared by several shops are not kept. <a href="${TEXTS}/senders">See who owns your numbers</a>.</p>`,
  ];
  const links = html`<p><a href="${STOPPED}">People who wrote STOP</a></p>`;
  const content = [settingField(visit.merchant, 'answers'), settingField(visit.merchant, 'stop_words')];
  return settingPage(visit, { title: 'Replies', now, path: '/answers', links }, content);
}

export function setAnswers(visit: MerchantVisit<never, typeof AnswersForm>, outside: Outside): Promise<Going> {
  const changes = changesIn(['answers', 'stop_words'], visit.form);
  const notice = changes.answers ? 'Replies will now be kept.' : 'Replies will no longer be kept.';
  return changeShop(visit, outside, changes, { goTo: ANSWERS, notice });
}
