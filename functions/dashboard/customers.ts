import { area } from '../../shared/pages/dashboard/area.ts';
import * as add from '../../shared/pages/dashboard/customers/add-contact.ts';
import * as contact from '../../shared/pages/dashboard/customers/contact.ts';
import { showCustomers } from '../../shared/pages/dashboard/customers/customers.ts';
import { stoppedFile } from '../../shared/pages/dashboard/customers/stopped-list.ts';
import { page } from '../../shared/pages/dashboard/page.ts';
import { manifest } from '../manifest.ts';

const CONTACT = '/{number}';
const looks = { needs: 'texts:read' } as const;
const adds = { needs: 'texts:send' } as const;
const changes = { ...adds, shownOn: CONTACT } as const;

/** Pages for payers, contacts and opted-out numbers. */
export const handler = area(manifest['dashboard/customers'], [
  page({ ...looks, path: '/', show: showCustomers }),
  page({ ...looks, path: '/stopped.csv', show: stoppedFile }),
  page({ ...adds, path: '/add', show: add.showAdd, form: add.ContactForm, act: add.addContact }),
  page({ ...adds, path: '/add/list', shownOn: '/add', hasFile: true, form: add.ListForm, act: add.addContacts }),
  page({ ...looks, path: CONTACT, show: contact.showContact }),
  page({ ...changes, path: `${CONTACT}/withdraw`, act: contact.withdraw }),
  page({ ...changes, path: `${CONTACT}/remove`, act: contact.remove }),
]);
