import { html } from 'hono/html';
import * as z from 'zod/mini';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { SETTINGS } from '../parts/addresses.ts';
import { changeSection, changeShop } from '../parts/change-shop.ts';
import { section } from '../parts/content.ts';
import { tick } from '../parts/form.ts';
import type { Going, MerchantVisit, Shown } from '../parts/visit.ts';

const PATH = '/receipts';
export const RECEIPTS = `${SETTINGS}${PATH}`;

/** A box that is not ticked is not sent. */
export const ReceiptsForm = z.object({ text_receipts: z.optional(z.literal('on')) });

/** Whether the payer of a charge gets a text about it. */
export async function showReceipts(visit: MerchantVisit): Promise<Shown> {
  const { text_receipts } = visit.merchant;
  return {
    title: 'Receipts',
    main: html`${section('Now', html`<p>${text_receipts ? 'Payers get a text for each bill that is paid.' : 'Payers get no text. The page of a paid bill has a receipt to print or keep.'}</p>`)}
${changeSection(visit, { path: PATH, submit: 'Set it' }, (filled) => [
  tick(filled, { name: 'text_receipts', label: 'Text a receipt to the payer', value: text_receipts ? 'on' : '' }),
  html`<p class="hint">One text and one credit for each bill, once. It goes to the number that paid where the network tells it and the payer typed the reference; otherwise to the phone number that you gave for the bill. Where there is neither, or no credit is left, none is sent.</p>`,
])}<p><a href="${SETTINGS}">All settings</a></p>`,
  };
}

export function setReceipts(visit: MerchantVisit<never, typeof ReceiptsForm>, outside: Outside): Promise<Going> {
  const text_receipts = visit.form.text_receipts === 'on';
  const notice = text_receipts ? 'Payers get a text from now on.' : 'Payers get no text.';
  return changeShop(visit, outside, { text_receipts }, { goTo: RECEIPTS, notice });
}
