import { html } from 'hono/html';
import type { ContactLink } from './contact-link.ts';
import { icon } from './icons.ts';

/** Follows text that sends the customer to the merchant; empty if the operator has set no contact. */
export function contactButton(contact: ContactLink | undefined) {
  return (
    contact &&
    html`<p><a class="plain button" href="${contact.href}">${icon(contact.icon)}<span>${contact.label}</span></a></p>`
  );
}
