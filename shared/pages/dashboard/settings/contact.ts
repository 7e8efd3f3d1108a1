import { html } from 'hono/html';
import * as z from 'zod/mini';
import { WHATSAPP_EXAMPLE } from '../../../ghana/phone-number.ts';
import { shownNumber } from '../../../ghana/shown-number.ts';
import { parseContact } from '../../../merchants/merchant/contact.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { SETTINGS } from '../parts/addresses.ts';
import { changeSection, changeShop } from '../parts/change-shop.ts';
import { section } from '../parts/content.ts';
import { field } from '../parts/form.ts';
import { typed } from '../parts/typed.ts';
import type { Going, MerchantVisit, Shown } from '../parts/visit.ts';

const PATH = '/contact';
export const CONTACT = `${SETTINGS}${PATH}`;

const RULE = `must be a Ghanaian number (0241234567), an e-mail address, or a WhatsApp link with the full number (${WHATSAPP_EXAMPLE})`;

/** As it is stored. */
export const TypedContact = typed(RULE, (written, refuse) => parseContact(written) ?? refuse());

/** Without one, the shop has none. */
export const ContactForm = z.object({ contact: z.optional(TypedContact) });

/** Whom customers ask. */
export async function showContact(visit: MerchantVisit): Promise<Shown> {
  const { merchant } = visit;
  const now = shownContact(merchant.contact);
  return {
    title: 'Contact',
    main: html`${section('Now', html`<p>${now ? html`Customers ask <b>${now}</b>.` : 'Customers see no contact.'}</p>`)}
${changeSection(visit, { path: PATH, submit: 'Set the contact' }, (filled) =>
  field(filled, {
    name: 'contact',
    label: 'Number, e-mail or WhatsApp link',
    value: now,
    maxLength: 254,
    hint: 'Shown on the page of each new bill, for customers who have a question. A mobile number also receives our texts to you, such as questions about your wallet’s balance. Leave it empty to show none.',
  }),
)}<p><a href="${SETTINGS}">All settings</a></p>`,
  };
}

export function setContact(visit: MerchantVisit<never, typeof ContactForm>, outside: Outside): Promise<Going> {
  const { contact = '' } = visit.form;
  const notice = contact ? `New bills tell customers to ask ${shownContact(contact)}.` : 'New bills show no contact.';
  return changeShop(visit, outside, { contact }, { goTo: CONTACT, notice });
}

/** A number as people read it; others as they are. */
export function shownContact(contact: string | undefined): string | undefined {
  return contact && shownNumber(contact);
}
