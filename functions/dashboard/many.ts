import { area } from '../../shared/pages/dashboard/area.ts';
import * as contact from '../../shared/pages/dashboard/customers/contact.ts';
import * as contacts from '../../shared/pages/dashboard/customers/contacts.ts';
import { cancelRest, resultsFile, sendFailedAgain, showBulk } from '../../shared/pages/dashboard/many/many.ts';
import { ManyForm, sendMany, showMany } from '../../shared/pages/dashboard/many/send-to-many.ts';
import { page } from '../../shared/pages/dashboard/page.ts';
import { manifest } from '../manifest.ts';

const CONTACT = '/contacts/{number}';
const changes = { shownOn: CONTACT, needs: 'texts:send' } as const;

/** Texts to many, and contacts. */
export const handler = area(manifest['dashboard/many'], [
  page({ path: '/', needs: 'texts:send', hasFile: true, show: showMany, form: ManyForm, act: sendMany }),
  page({ path: '/contacts', needs: 'texts:read', show: contacts.showContacts }),
  page({
    path: '/contacts/add',
    needs: 'texts:send',
    show: contacts.showAdd,
    form: contacts.ContactForm,
    act: contacts.addContact,
  }),
  page({
    path: '/contacts/add/list',
    shownOn: '/contacts/add',
    needs: 'texts:send',
    hasFile: true,
    form: contacts.ListForm,
    act: contacts.addContacts,
  }),
  page({ path: CONTACT, needs: 'texts:read', show: contact.showContact }),
  page({ ...changes, path: `${CONTACT}/withdraw`, act: contact.withdraw }),
  page({ ...changes, path: `${CONTACT}/remove`, act: contact.remove }),
  page({ path: '/{id}', needs: 'texts:read', refreshSeconds: 15, show: showBulk }),
  page({ path: '/{id}/cancel', shownOn: '/{id}', needs: 'texts:send', act: cancelRest }),
  page({ path: '/{id}/retry', shownOn: '/{id}', needs: 'texts:send', act: sendFailedAgain }),
  page({ path: '/{id}/results.csv', needs: 'texts:read', show: resultsFile }),
]);
