import { html } from 'hono/html';
import * as z from 'zod/mini';
import { type Outside, todayOf } from '../../../runtime/outside/outside.ts';
import { counted } from '../../../runtime/values/counted.ts';
import { invalidRequest, refuseInvalid } from '../../../runtime/values/errors.ts';
import type { Given } from '../../../runtime/values/read-csv.ts';
import {
  ContactGiven,
  How,
  MAX_CONTACTS,
  MAX_HOW_CHARACTERS,
  MAX_NAME_CHARACTERS,
} from '../../../texts/contact/contact-request.ts';
import { readContacts } from '../../../texts/contact/read-contacts.ts';
import { storeContacts } from '../../../texts/contact/store-contacts.ts';
import { CONTACTS } from '../parts/addresses.ts';
import { type Html, section } from '../parts/content.ts';
import { csvFields, csvShape, givenCsv } from '../parts/csv-fields.ts';
import { field, foldedForm, formSection, tick, ticks } from '../parts/form.ts';
import type { Going, MerchantVisit, Shown } from '../parts/visit.ts';

const LIST = '/add/list';

const Day = z.iso.date('must be a date, such as 2026-11-20');

export const ContactForm = z.object({
  number: ContactGiven.shape.number,
  name: ContactGiven.shape.name,
  ...ticks(['agreed']),
  how: z.optional(How),
  day: z.optional(Day),
});

export const ListForm = z.object({ ...csvShape, agreed_on: z.optional(Day), agreed_how: z.optional(How) });

export async function showAdd(visit: MerchantVisit, outside: Outside): Promise<Shown> {
  return {
    title: 'Add a contact',
    main: html`${formSection(visit, 'One person', { path: '/add', submit: 'Save' }, [
      field('number', 'Number', { type: 'tel', isRequired: true }),
      field('name', 'Name', { maxLength: MAX_NAME_CHARACTERS }),
      tick('agreed', 'They agreed to get offers'),
      field('how', 'How they agreed', { maxLength: MAX_HOW_CHARACTERS, hint: HOW }),
      field('day', 'When they agreed', { type: 'date', value: todayOf(outside) }),
      html`<p class="hint">${AGAIN}</p>`,
    ])}
${section('From a spreadsheet', manyFields(visit))}`,
  };
}

const HOW = 'In case someone asks. For example: ticked the box on our order form.';
const AGAIN =
  'Existing contacts are updated, not added twice. People who replied STOP or no longer agree still get no offers.';

function manyFields(visit: MerchantVisit): Html {
  const facts = { path: LIST, submit: 'Add them', hasFile: true };
  return foldedForm(visit, 'Upload a file, or paste a list', facts, [
    ...csvFields({
      example: '0241234567,Ama\n0201112223,Kofi',
      hint: `Up to ${MAX_CONTACTS} lines, each with a number and a name. If there are more columns, the first line must name them: number, name, agreed_on, agreed_how. Other columns are ignored. Lists from Google Contacts and Outlook are accepted, too.`,
    }),
    field('agreed_on', 'They all agreed to get offers on', {
      type: 'date',
      hint: 'Used for lines without a date. Leave this empty if they have not agreed.',
    }),
    field('agreed_how', 'How they all agreed', { maxLength: MAX_HOW_CHARACTERS, hint: HOW }),
  ]);
}

export async function addContact(visit: MerchantVisit<never, typeof ContactForm>, outside: Outside): Promise<Going> {
  const { number, name, ...agreed } = visit.form;
  const one = { number, name, consent: consentOf(agreed) };
  const errorAt = (_: number, at: string | undefined, message: string) => ({
    field: at === 'consent.at' ? 'day' : (at ?? 'number'),
    message,
  });
  return store(visit, outside, { all: [one], errorAt });
}

/** Returns the consent, or undefined if the box is unticked. @throws PublicError `invalid_request`. */
function consentOf({ agreed, how, day }: Pick<z.infer<typeof ContactForm>, 'agreed' | 'how' | 'day'>) {
  if (!agreed && how)
    throw invalidRequest([
      {
        field: 'how',
        message: 'can only be filled in if they agreed: tick the box, or leave this field empty',
      },
    ]);
  if (!agreed) return undefined;
  const given = Object.entries({ how, day });
  refuseInvalid(given.flatMap(([field, value]) => (value ? [] : [{ field, message: 'is missing' }])));
  return { at: day ?? '', how: how ?? '' };
}

/** Stores the contacts from a table. If one line is invalid, stores none of them. */
export async function addContacts(visit: MerchantVisit<never, typeof ListForm>, outside: Outside): Promise<Going> {
  const { agreed_on: at, agreed_how: how, ...given } = visit.form;
  const { text: csv, field: from } = givenCsv(given);
  return store(visit, outside, readContacts(csv, from, { at, how }));
}

function store(
  { merchant, user, commit }: MerchantVisit<never, unknown>,
  outside: Outside,
  given: Given<ContactGiven>,
): Promise<Going> {
  const stored = { contacts: given, by: user.user_id };
  return storeContacts(outside, merchant, stored, (writes, { added, updated, unchanged, withdrawn }) => {
    const counts = [
      added > 0 && `${counted(added, 'contact')} added`,
      updated > 0 && `${counted(updated, 'contact')} changed`,
      unchanged > 0 && `${unchanged} unchanged`,
    ].filter(Boolean);
    const kept =
      withdrawn > 0 ? ` ${counted(withdrawn, 'consent')} not saved, because the person withdrew after that day.` : '';
    const going = { goTo: CONTACTS, notice: `${counts.join(', ')}.${kept}` };
    return commit(writes, going, { action: 'contacts store', after: { added, updated } });
  });
}
