import { merchantRoute } from '../../shared/merchants/merchant/merchant-route.ts';
import { ok } from '../../shared/runtime/http/answer.ts';
import { metaOf, PAGE_PARAMETERS } from '../../shared/runtime/http/pagination.ts';
import { listContactsByQuery } from '../../shared/texts/contact/list-contacts.ts';
import { presentContacts } from '../../shared/texts/contact/present-contact.ts';
import type { ContactsResponse } from '../../shared/texts/contact/responses.ts';
import { manifest } from '../manifest.ts';

export const handler = merchantRoute(
  manifest['contact/list'],
  { query: ['number', ...PAGE_PARAMETERS] },
  async ({ merchant, query }, outside) => {
    const { merchant_id } = merchant;
    const { contacts, page, next } = await listContactsByQuery(outside, merchant_id, query);
    const shown = await presentContacts(outside, merchant_id, contacts);
    return ok<ContactsResponse>('Contacts', { contacts: shown }, metaOf(page, next));
  },
);
