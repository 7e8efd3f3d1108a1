import { ACCOUNTS_CACHE_SECONDS } from '../../../shared/phones/gateway/accounts.ts';
import { GatewayName } from '../../../shared/phones/sender/sender-fields.ts';
import { noun, required, verb } from '../command.ts';
import { addPhone, phoneList, removePhone, rollPhone } from '../manage-phones.ts';
import { read } from '../options.ts';

const PHONE = required('<name>', 'the name of the phone, which is part of the address it posts to', read(GatewayName));
const UNTIL = `within ${ACCOUNTS_CACHE_SECONDS / 60} minutes`;

export const phones = noun('phone', 'phones that post their texts with a forwarding app instead of SMSGate', {
  add: verb("create a phone's key, which is shown only once", { phone: PHONE }, (place, { phone }) =>
    addPhone(place, phone),
  ),
  list: verb('list these phones with their numbers and the delay of their posts', {}, async (place) => ({
    phones: await phoneList(place),
  })),
  roll: verb(
    `replace a phone's key with a new one, which is shown only once; the old one is rejected everywhere ${UNTIL}`,
    { phone: PHONE },
    (place, { phone }) => rollPhone(place, phone),
  ),
  remove: verb(
    `revoke a phone's key; posts signed with it are rejected everywhere ${UNTIL}`,
    { phone: PHONE },
    (place, { phone }) => removePhone(place, phone),
  ),
});
