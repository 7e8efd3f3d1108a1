import { parsePhoneNumber } from '../../ghana/phone-number.ts';
import { isEmail } from '../../runtime/values/text.ts';

/**
 * Normalises a contact to a phone number, an email address or a WhatsApp link (`https://wa.me/233…`). Returns undefined
 * for anything else. Removes prefilled messages from links.
 */
export function parseContact(written: string): string | undefined {
  const contact = written.trim();
  const [, account] = /^(?:https?:\/\/)?wa\.me\/([^/?#]+)\/?(?:[?#].*)?$/i.exec(contact) ?? [];
  if (account !== undefined) {
    const digits = parsePhoneNumber(account)?.slice(1) ?? /^\+?([1-9]\d{7,14})$/.exec(account)?.[1];
    return digits && `https://wa.me/${digits}`;
  }
  if (contact.length <= MAX_EMAIL_CHARACTERS && isEmail(contact)) return contact;
  return parsePhoneNumber(contact);
}

const MAX_EMAIL_CHARACTERS = 254;
