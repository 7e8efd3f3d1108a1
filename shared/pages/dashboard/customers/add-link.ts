import { html } from 'hono/html';
import { may, type Rights } from '../../../merchants/user/permissions.ts';
import { CONTACTS } from '../parts/addresses.ts';
import type { Html } from '../parts/content.ts';

export function addLink(user: Rights, name = 'Add a contact'): Html | undefined {
  return may(user, 'texts:send') ? html`<a class="button" href="${CONTACTS}/add">${name}</a>` : undefined;
}
