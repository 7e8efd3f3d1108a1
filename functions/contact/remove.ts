import { parsePhoneNumber } from '../../shared/ghana/phone-number.ts';
import { numberHint } from '../../shared/merchants/audit/audit.table.ts';
import { merchantRoute } from '../../shared/merchants/merchant/merchant-route.ts';
import { ok } from '../../shared/runtime/http/answer.ts';
import { noSuchContact, removeContact } from '../../shared/texts/contact/contact.table.ts';
import { manifest } from '../manifest.ts';

/** Removes a merchant's contact, including the stored consent. */
export const handler = merchantRoute(
  manifest['contact/remove'],
  {},
  async ({ merchant: { merchant_id }, path, commit }) => {
    const number = parsePhoneNumber(path.number);
    if (number === undefined) throw noSuchContact();
    // Keeps the full phone number in the path out of the audit log.
    return commit([removeContact(merchant_id, number)], ok('Contact removed', {}), { about: numberHint(number) });
  },
);
