import { html } from 'hono/html';
import { shownNumber } from '../../../ghana/shown-number.ts';
import { changesIn, settingsForm } from '../../../operations/settings/settings.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { HOME, SETTINGS } from '../parts/addresses.ts';
import { changeShop, settingField, settingPage } from '../parts/change-shop.ts';
import type { Going, MerchantVisit, Shown } from '../parts/visit.ts';

const PATH = '/contact';
export const CONTACT = `${SETTINGS}${PATH}`;

export const ContactForm = settingsForm(['contact']);

export async function showContact(visit: MerchantVisit): Promise<Shown> {
  const { merchant } = visit;
  const now = shownContact(merchant.contact);
  const sentence = html`<p>${now ? html`Customers ask <b>${now}</b>.` : 'Customers do not see a contact.'}</p>`;
  const facts = { title: 'Contact', now: sentence, path: PATH, submit: 'Set the contact' };
  return settingPage(visit, facts, settingField(merchant, 'contact'));
}

/** Sets the shop's contact. After the first contact is added, the person returns to the first steps. */
export function setContact(visit: MerchantVisit<never, typeof ContactForm>, outside: Outside): Promise<Going> {
  const changes = changesIn(['contact'], visit.form);
  const now = shownContact(changes.contact ?? undefined);
  const notice = now ? `New bills will tell customers to ask ${now}.` : 'New bills will not show a contact.';
  return changeShop(visit, outside, changes, { goTo: visit.merchant.contact ? CONTACT : HOME, notice });
}

/** Formats phone numbers. Other contacts are unchanged. */
export function shownContact(contact: string | undefined): string | undefined {
  return contact && shownNumber(contact);
}
