import { html } from 'hono/html';
import { changesIn, settingsForm } from '../../../operations/settings/settings.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { SETTINGS } from '../parts/addresses.ts';
import { changeShop, settingField, settingPage } from '../parts/change-shop.ts';
import type { Going, MerchantVisit, Shown } from '../parts/visit.ts';

const PATH = '/receipts';
export const RECEIPTS = `${SETTINGS}${PATH}`;

export const ReceiptsForm = settingsForm(['text_receipts']);

export async function showReceipts(visit: MerchantVisit): Promise<Shown> {
  const { text_receipts } = visit.merchant;
  const now = html`<p>${text_receipts ? 'Payers get a text for each paid bill.' : 'Payers do not get a text. A paid bill’s page has a receipt to print or keep.'}</p>`;
  return settingPage(visit, { title: 'Receipts', now, path: PATH }, [
    settingField(visit.merchant, 'text_receipts'),
    html`<p class="hint">Each bill gets one text, for one credit. The text goes to the payer’s number, if the network shows that number. Otherwise, the text goes to the phone number on the bill. If there is no number or no credit, no text is sent.</p>`,
  ]);
}

export function setReceipts(visit: MerchantVisit<never, typeof ReceiptsForm>, outside: Outside): Promise<Going> {
  const changes = changesIn(['text_receipts'], visit.form);
  const notice = changes.text_receipts ? 'Payers will get a text from now on.' : 'Payers will not get a text.';
  return changeShop(visit, outside, changes, { goTo: RECEIPTS, notice });
}
