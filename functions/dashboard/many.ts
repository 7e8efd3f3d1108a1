import { area } from '../../shared/pages/dashboard/area.ts';
import * as contact from '../../shared/pages/dashboard/many/contact.ts';
import { AddForm, addContacts, showAdd, showContacts } from '../../shared/pages/dashboard/many/contacts.ts';
import { page } from '../../shared/pages/dashboard/page.ts';
import { manifest } from '../manifest.ts';

const CONTACT = '/contacts/{number}';
const changes = { shownOn: CONTACT, needs: 'texts:send' } as const;

/** The people whom a merchant knows. */
export const handler = area(manifest['dashboard/many'], [
  page({ path: '/contacts', needs: 'texts:read', show: showContacts }),
  page({ path: '/contacts/add', needs: 'texts:send', hasFile: true, show: showAdd, form: AddForm, act: addContacts }),
  page({ path: CONTACT, needs: 'texts:read', show: contact.showContact }),
  page({ ...changes, path: `${CONTACT}/withdraw`, act: contact.withdraw }),
  page({ ...changes, path: `${CONTACT}/remove`, act: contact.remove }),
]);
