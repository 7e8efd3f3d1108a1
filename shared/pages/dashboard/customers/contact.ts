import { html } from 'hono/html';
import { parsePhoneNumber } from '../../../ghana/phone-number.ts';
import { shownNumber } from '../../../ghana/shown-number.ts';
import { numberHint } from '../../../merchants/audit/audit.table.ts';
import { may } from '../../../merchants/user/permissions.ts';
import { namesOf } from '../../../merchants/user/user.table.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { PublicError } from '../../../runtime/values/errors.ts';
import { type Contact, findContact, removeContact } from '../../../texts/contact/contact.table.ts';
import { presentContacts } from '../../../texts/contact/present-contact.ts';
import { storeContact } from '../../../texts/contact/store-contacts.ts';
import { CONTACTS, contactAddress, threadAddress } from '../parts/addresses.ts';
import { facts, type Html, section, shownDay, shownTime } from '../parts/content.ts';
import { formSection } from '../parts/form.ts';
import type { Going, MerchantVisit, Shown } from '../parts/visit.ts';
import { marketingPill } from './contact-list.ts';

type ContactVisit = MerchantVisit<'number'>;

export async function showContact(visit: ContactVisit, outside: Outside): Promise<Shown> {
  const { merchant, user } = visit;
  const contact = await requireContact(visit, outside);
  const [shown] = await presentContacts(outside, merchant.merchant_id, [contact]);
  const { consent, name, number, created_at } = contact;
  const withdrawnAt = shown?.withdrawn_at;
  return {
    title: name ?? shownNumber(number),
    back: { name: 'Contacts', path: CONTACTS },
    main: html`${section('Contact', [
      facts([
        ['Number', shownNumber(number)],
        ['Marketing', shown && marketingPill(shown)],
        ['Agreed on', consent && shownDay(consent.at)],
        ['How', consent?.how],
        ['Saved by', consent && (await whoOf(outside, consent.by))],
        ['Saved', consent && shownTime(consent.stored_at)],
        ['Withdrawn', withdrawnAt ? shownTime(withdrawnAt) : undefined],
        ['Contact since', created_at && shownTime(created_at)],
      ]),
      html`<p><a href="${threadAddress(number)}">Their replies</a></p>`,
    ])}
${may(user, 'texts:send') && changesOf(visit, contact)}`,
  };
}

function changesOf(visit: ContactVisit, { consent }: Contact): Html {
  return html`${
    consent &&
    formSection(
      visit,
      'No more marketing',
      { path: '/{number}/withdraw', submit: 'They no longer agree' },
      () =>
        html`<p class="hint">Use this when they tell you that they no longer agree. Scheduled offers will not be sent, and their credits will be returned.</p>`,
    )
  }
${formSection(
  visit,
  'Remove',
  { path: '/{number}/remove', submit: 'Remove the contact', isDangerous: true },
  html`<p class="hint">This also removes their consent. Texts that you sent them stay in the list.</p>`,
)}`;
}

async function whoOf(outside: Outside, by: string): Promise<string> {
  return by.startsWith('key ') ? by : ((await namesOf(outside, [by])).get(by) ?? 'A former team member');
}

export async function withdraw(visit: ContactVisit, outside: Outside): Promise<Going> {
  const { merchant_id, number } = await requireContact(visit, outside);
  const going = { goTo: contactAddress(number), notice: 'They will get no more marketing.' };
  const writes = storeContact(outside, { merchant_id, number }, { consent: undefined });
  return visit.commit(writes, going, { action: 'contact withdraw', about: numberHint(number) });
}

export async function remove(visit: ContactVisit, outside: Outside): Promise<Going> {
  const { merchant_id, number } = await requireContact(visit, outside);
  const going = { goTo: CONTACTS, notice: `${shownNumber(number)} is no longer a contact.` };
  const entry = { action: 'contact remove', about: numberHint(number) };
  return visit.commit([removeContact(merchant_id, number)], going, entry);
}

async function requireContact({ path, merchant }: Pick<ContactVisit, 'path' | 'merchant'>, outside: Outside) {
  const number = parsePhoneNumber(path.number);
  const contact = number && (await findContact(outside, merchant.merchant_id, number));
  if (!contact) throw new PublicError('not_found', 'This contact does not exist.');
  return contact;
}
