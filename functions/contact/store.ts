import { merchantRoute } from '../../shared/merchants/merchant/merchant-route.ts';
import { isTestAccount } from '../../shared/merchants/merchant/test-account.ts';
import { ok } from '../../shared/runtime/http/answer.ts';
import { counted } from '../../shared/runtime/values/counted.ts';
import { givenInList } from '../../shared/runtime/values/read-csv.ts';
import { ContactRequest } from '../../shared/texts/contact/contact-request.ts';
import type { ContactsStoredResponse } from '../../shared/texts/contact/responses.ts';
import { storeContacts } from '../../shared/texts/contact/store-contacts.ts';
import { manifest } from '../manifest.ts';

/** Stores up to 1,000 contacts and whether each of them consented. */
export const handler = merchantRoute(
  manifest['contact/store'],
  { body: ContactRequest, writesBefore: true },
  async ({ merchant, body, by, commit }, outside) => {
    const given = givenInList('contacts', body.contacts);
    return storeContacts(outside, merchant, { contacts: given, by }, (writes, stored) => {
      const all = stored.added + stored.updated + stored.unchanged;
      const data = { livemode: !isTestAccount(merchant.merchant_id), ...stored };
      return commit(writes, ok<ContactsStoredResponse>(`Stored ${counted(all, 'contact')}`, data));
    });
  },
);
