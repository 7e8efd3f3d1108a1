import { ACCOUNTS_CACHE_SECONDS } from '../../../shared/phones/gateway/accounts.ts';
import { GatewayName } from '../../../shared/phones/sender/sender-fields.ts';
import { noun, required, verb } from '../command.ts';
import { addPhone, phoneList, removePhone, rollPhone } from '../manage-phones.ts';
import { read } from '../options.ts';

const PHONE = required('<name>', 'the name of the phone, which is part of the address it posts to', read(GatewayName));
const UNTIL = `within ${ACCOUNTS_CACHE_SECONDS / 60} minutes`;

export const phones = noun('phone', 'the phones whose texts a forwarding app posts, without SMSGate', {
  add: verb("create a phone's key, which is shown only once", { phone: PHONE }, (place, { phone }) =>
    addPhone(place, phone),
  ),
  list: verb('show these phones, the numbers in them, and how late they post', {}, async (place) => ({
    phones: await phoneList(place),
  })),
  roll: verb(
    `replace a phone's key with a new one, which is shown only once; the old one is refused everywhere ${UNTIL}`,
    { phone: PHONE },
    (place, { phone }) => rollPhone(place, phone),
  ),
  remove: verb(
    `revoke a phone's key; its posts are refused everywhere ${UNTIL}`,
    { phone: PHONE },
    (place, { phone }) => removePhone(place, phone),
  ),
});
