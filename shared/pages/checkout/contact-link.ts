import { shownNumber } from '../../ghana/shown-number.ts';
import { icons } from './icons.ts';

/** How a customer reaches the merchant with one tap. */
export interface ContactLink {
  readonly href: string;
  readonly label: string;
  /** Its drawing. */
  readonly icon: string;
}

/** The link of a merchant's contact, which `parseContact` has read. Whoever is asked sees which payment it is about. */
export function contactLink(contact: string, reference: string): ContactLink {
  if (contact.startsWith('https://wa.me/')) {
    const text = encodeURIComponent(`Hello, I have a question about my payment with the reference ${reference}.`);
    return { href: `${contact}?text=${text}`, label: 'Ask on WhatsApp', icon: icons.chat };
  }
  if (contact.includes('@')) {
    const subject = encodeURIComponent(`My payment ${reference}`);
    const address = encodeURIComponent(contact).replace('%40', '@');
    return { href: `mailto:${address}?subject=${subject}`, label: `Write to ${contact}`, icon: icons.mail };
  }
  return { href: `tel:${contact}`, label: `Call ${shownNumber(contact)}`, icon: icons.phone };
}
