import { html } from 'hono/html';
import * as z from 'zod/mini';
import { shownNumber } from '../../../ghana/shown-number.ts';
import { may } from '../../../merchants/user/permissions.ts';
import { metaOf } from '../../../runtime/http/pagination.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { counted } from '../../../runtime/values/counted.ts';
import { text } from '../../../runtime/values/text.ts';
import { MAX_CONTACTS, MAX_HOW_CHARACTERS } from '../../../texts/contact/contact-request.ts';
import { listContactsByQuery } from '../../../texts/contact/list-contacts.ts';
import { presentContacts } from '../../../texts/contact/present-contact.ts';
import { readContacts } from '../../../texts/contact/read-contacts.ts';
import type { ContactResponse } from '../../../texts/contact/responses.ts';
import { storeContacts } from '../../../texts/contact/store-contacts.ts';
import { CONTACTS, contactAddress } from '../addresses.ts';
import { emptyState, pill, shownDay } from '../parts/content.ts';
import { csvFields, csvShape, givenCsv } from '../parts/csv-fields.ts';
import { field, formSection } from '../parts/form.ts';
import { BY_NUMBER, filters, pagination, table } from '../parts/list.ts';
import type { Going, MerchantVisit, Shown } from '../visit.ts';

/** The people whom a merchant knows, by number, and who of them agreed to marketing. */
export async function showContacts(visit: MerchantVisit, outside: Outside): Promise<Shown> {
  const { merchant, query, user } = visit;
  const found = await listContactsByQuery(outside, merchant.merchant_id, { per_page: '50', ...query });
  const contacts = await presentContacts(outside, merchant.merchant_id, found.contacts);
  const add = may(user, 'texts:send') && html`<a class="button" href="${CONTACTS}/add">Add contacts</a>`;
  const nothing = query.number
    ? emptyState('You have no contact with this number', 'Look for another one, or empty the field.')
    : emptyState('No contacts yet', 'Offers and news go only to people who agreed. Store here who did, when and how.');
  return {
    title: 'Contacts',
    action: add || undefined,
    main: html`${filters(visit, (filled) => field(filled, { name: 'number', label: 'Number', type: 'search', inputMode: 'tel' }))}
${contacts.length > 0 ? table('Your contacts', ['Number', 'Name', 'Marketing', 'Agreed on', 'How'], contacts.map(row)) : nothing}
${pagination(visit, metaOf(found.page, found.next), BY_NUMBER)}`,
  };
}

function row(contact: ContactResponse) {
  const { number, name, consent } = contact;
  return {
    href: contactAddress(number),
    cells: [
      html`<span class="number">${shownNumber(number)}</span>`,
      name ?? '',
      marketingPill(contact),
      consent ? shownDay(consent.at) : '',
      consent?.how ?? '',
    ],
  };
}

export function marketingPill({ consent, withdrawn_at, gets_marketing }: ContactResponse) {
  if (gets_marketing) return pill('good', 'Agreed');
  if (consent) return pill('look', 'Wrote STOP');
  return withdrawn_at ? pill('look', 'Withdrew') : pill('plain', 'Not agreed');
}

export const AddForm = z.object({
  ...csvShape,
  agreed_on: z.optional(z.iso.date('must be a day, such as 2026-11-20')),
  agreed_how: z.optional(text(MAX_HOW_CHARACTERS)),
});

/** Where contacts are pasted or uploaded. */
export async function showAdd(visit: MerchantVisit): Promise<Shown> {
  const facts = { path: '/contacts/add', submit: 'Store', hasFile: true };
  return {
    title: 'Add contacts',
    main: formSection(visit, 'From a spreadsheet', facts, (filled) => [
      ...csvFields(filled, {
        example: 'number,name then 0241234567,Ama in the next line',
        hint: `Up to ${MAX_CONTACTS} lines. The first one names the columns: number, name, agreed_on, agreed_how. Others are ignored.`,
      }),
      field(filled, {
        name: 'agreed_on',
        label: 'Agreed to marketing on',
        type: 'date',
        hint: 'For everybody whose line has no day. Leave it empty if they have not agreed.',
      }),
      field(filled, {
        name: 'agreed_how',
        label: 'How they agreed',
        maxLength: MAX_HOW_CHARACTERS,
        hint: 'What you could show if somebody asked, such as: ticked the box on our order form.',
      }),
      html`<p class="hint">Somebody who is a contact already is changed, not added twice. Who wrote STOP, or no longer agrees, still gets no offers.</p>`,
    ]),
  };
}

/** Stores the contacts of a table, all or, where a line is wrong, none. */
export async function addContacts(visit: MerchantVisit<never, typeof AddForm>, outside: Outside): Promise<Going> {
  const { merchant, form, user, commit } = visit;
  const { text: csv, field: from } = givenCsv(form);
  const given = readContacts(csv, from, { at: form.agreed_on, how: form.agreed_how });
  return storeContacts(outside, merchant, given, user.user_id, (writes, { added, updated, unchanged, withdrawn }) => {
    const told = [
      `${counted(added, 'contact')} added`,
      updated > 0 && `${updated} changed`,
      unchanged > 0 && `${unchanged} as before`,
    ].filter(Boolean);
    const kept = withdrawn > 0 ? ` ${counted(withdrawn, 'consent')} not stored: withdrawn after that day.` : '';
    const going = { goTo: CONTACTS, notice: `${told.join(', ')}.${kept}` };
    return commit(writes, going, { action: 'contacts store', after: { added, updated } });
  });
}
