import { isTestAccount } from '../../merchants/merchant/test-account.ts';
import type { TableOutside } from '../../runtime/outside/outside.ts';
import { getOptOuts, type OptOutRow } from '../conversation/opt-out.table.ts';
import { type Contact, hasConsent } from './contact.table.ts';
import type { ContactResponse } from './responses.ts';

export async function presentContacts(
  outside: TableOutside,
  merchantId: string,
  contacts: readonly Contact[],
): Promise<ContactResponse[]> {
  const numbers = contacts.map(({ number }) => number);
  const optOuts = await getOptOuts(outside, merchantId, numbers);
  return contacts.map((one) => presentContact(one, optOuts.get(one.number)));
}

function presentContact(contact: Contact, optOut: OptOutRow | undefined): ContactResponse {
  const { merchant_id, number, name = null, consent, created_at = '' } = contact;
  return {
    livemode: !isTestAccount(merchant_id),
    number,
    name,
    consent: consent ? { at: consent.at, how: consent.how, stored_by: consent.by, stored_at: consent.stored_at } : null,
    withdrawn_at: optOut?.withdrawn_at ?? null,
    gets_marketing: hasConsent(contact) && !optOut?.opted_out,
    created_at,
  };
}
