import { parsePhoneNumber } from '../../shared/ghana/phone-number.ts';
import { numberHint, recordAudit } from '../../shared/merchants/audit/audit.table.ts';
import { merchantRoute } from '../../shared/merchants/merchant/merchant-route.ts';
import { isTwin } from '../../shared/merchants/merchant/twin.ts';
import { ok } from '../../shared/runtime/http/answer.ts';
import { noSuchContact, removeContact } from '../../shared/texts/contact/contact.table.ts';
import { manifest } from '../manifest.ts';

/** Removes a merchant's contact, and with it the consent that was stored. */
export const handler = merchantRoute(
  manifest['contact/remove'],
  {},
  async ({ merchant: { merchant_id }, by, path, commit }, outside) => {
    const number = parsePhoneNumber(path.number);
    if (number === undefined) throw noSuchContact();
    // By hand: the path has the whole number, which the audit must not keep.
    const entry = { merchant_id, by, action: 'contact remove', about: numberHint(number) };
    const noted = isTwin(merchant_id) ? [] : [recordAudit(outside, entry)];
    return commit([removeContact(merchant_id, number), ...noted], ok('Contact removed', {}));
  },
);
