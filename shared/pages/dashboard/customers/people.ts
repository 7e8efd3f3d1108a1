import { html } from 'hono/html';
import { may, type Permission } from '../../../merchants/user/permissions.ts';
import { ADD_CONTACT } from '../parts/addresses.ts';
import type { Html } from '../parts/content.ts';
import { carried, field } from '../parts/form.ts';
import { chips, foldedFilters, type ListPage, listPage } from '../parts/list.ts';
import type { MerchantVisit, Shown } from '../parts/visit.ts';

/** The page's lists. Each has its own order. */
const LISTS = {
  paid: { name: 'Have paid', needs: 'reports:read' },
  contacts: { name: 'Contacts', needs: 'texts:read' },
  stopped: { name: 'Wrote STOP', needs: 'texts:read' },
} as const satisfies Readonly<Record<string, { readonly name: string; readonly needs: Permission }>>;

export type PeopleList = keyof typeof LISTS;
const all: readonly PeopleList[] = ['paid', 'contacts', 'stopped'];

type Asked = Pick<MerchantVisit, 'user' | 'query'>;

function listsFor({ user }: Pick<Asked, 'user'>): PeopleList[] {
  return all.filter((list) => may(user, LISTS[list].needs));
}

export function listIn({ user, query }: Asked): PeopleList {
  const [first = 'contacts', ...others] = listsFor({ user });
  return others.find((list) => list === query.list) ?? first;
}

export function peoplePage<Entry>(
  visit: MerchantVisit,
  { about, ...list }: Omit<ListPage<Entry>, 'title' | 'actions' | 'above'> & { readonly about?: Html | false },
): Promise<Shown> {
  const { user, query } = visit;
  return listPage(visit, {
    ...list,
    title: 'Customers',
    actions: [may(user, 'texts:send') && { name: 'Add a contact', address: ADD_CONTACT }],
    above: (count) => html`${listTabs(visit)}
${(count > 0 || query.number) && numberSearch(visit)}
${count > 0 && about}`,
  });
}

function listTabs(visit: MerchantVisit): Html {
  const options = listsFor(visit).map((list) => [list, LISTS[list].name] as const);
  return chips(visit, { label: 'Which people', parameter: 'list', options, current: listIn(visit), areOfMenu: true });
}

function numberSearch(visit: MerchantVisit): Html {
  return foldedFilters(visit, visit.query.number ?? 'Filter by number', [
    carried({ list: listIn(visit) }),
    field('number', 'Number', { type: 'search', inputMode: 'tel' }),
  ]);
}
