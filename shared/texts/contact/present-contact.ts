import { isTwin } from '../../merchants/merchant/twin.ts';
import type { TableOutside } from '../../runtime/outside/outside.ts';
import { optedOutOf } from '../conversation/opt-out.table.ts';
import { type Contact, hasConsent } from './contact.table.ts';
import type { ContactResponse } from './responses.ts';

/** A merchant's contacts as the API shows them. */
export async function presentContacts(
  outside: TableOutside,
  merchantId: string,
  contacts: readonly Contact[],
): Promise<ContactResponse[]> {
  const numbers = contacts.map(({ number }) => number);
  const optedOut = await optedOutOf(outside, merchantId, numbers);
  return contacts.map((one) => presentContact(one, optedOut.has(one.number)));
}

function presentContact(contact: Contact, optedOut: boolean): ContactResponse {
  const { merchant_id, number, name = null, consent, withdrawn_at = null, created_at = '' } = contact;
  return {
    livemode: !isTwin(merchant_id),
    number,
    name,
    consent: consent ? { at: consent.at, how: consent.how, stored_by: consent.by, stored_at: consent.stored_at } : null,
    withdrawn_at,
    gets_marketing: hasConsent(contact) && !optedOut,
    created_at,
  };
}
