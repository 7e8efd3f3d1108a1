import { html } from 'hono/html';
import * as z from 'zod/mini';
import { WHATSAPP_EXAMPLE } from '../../../ghana/phone-number.ts';
import { shownNumber } from '../../../ghana/shown-number.ts';
import { parseContact } from '../../../merchants/merchant/contact.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { SETTINGS } from '../addresses.ts';
import { field } from '../parts/field.ts';
import { section } from '../parts/status.ts';
import type { Going, MerchantVisit, Shown } from '../visit.ts';
import { changeSection } from './change-section.ts';
import { changeShop } from './change-shop.ts';

const PATH = '/contact';
export const CONTACT = `${SETTINGS}${PATH}`;

const RULE = `must be a Ghanaian number (0241234567), an e-mail address, or a WhatsApp link with the full number (${WHATSAPP_EXAMPLE})`;

/** As it is stored; nothing removes it. */
export const ContactForm = z.object({
  contact: z.optional(
    z.pipe(
      z.string(RULE),
      z.transform((written: string, { issues }) => {
        const contact = parseContact(written);
        if (contact) return contact;
        issues.push({ code: 'custom', input: written, message: RULE });
        return z.NEVER;
      }),
    ),
  ),
});

/** Whom customers ask. */
export async function showContact(visit: MerchantVisit): Promise<Shown> {
  const { merchant } = visit;
  const now = shownContact(merchant.contact);
  return {
    title: 'Contact',
    main: html`${section('Now', html`<p>${now ? html`Customers ask <b>${now}</b>.` : 'Customers are told of nobody whom they can ask.'}</p>`)}
${changeSection(visit, { path: PATH, action: CONTACT, submit: 'Set the contact' }, (filled) =>
  field(filled, {
    name: 'contact',
    label: 'Number, e-mail or WhatsApp link',
    value: now,
    maxLength: 254,
    hint: 'Shown on the page of each new charge, wherever it tells a customer to ask. A mobile number also gets our texts to you, such as the question what your wallet holds. Leave it empty to show none.',
  }),
)}<p><a href="${SETTINGS}">All settings</a></p>`,
  };
}

export function setContact(visit: MerchantVisit<never, z.infer<typeof ContactForm>>, outside: Outside): Promise<Going> {
  const { contact = '' } = visit.form;
  const notice = contact
    ? `New charges tell customers to ask ${shownContact(contact)}.`
    : 'New charges show no contact.';
  return changeShop(visit, outside, { contact }, { goTo: CONTACT, notice });
}

/** A number as people read it; others as they are. */
export function shownContact(contact: string | undefined): string | undefined {
  return contact && shownNumber(contact);
}
