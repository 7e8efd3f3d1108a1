import { parsePhoneNumber } from '../../../ghana/phone-number.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { emptyState } from '../parts/content.ts';
import type { MerchantVisit, Shown } from '../parts/visit.ts';
import { showContacts } from './contact-list.ts';
import { showPaying } from './paying-list.ts';
import { listIn, type PeopleList, peoplePage } from './people.ts';
import { showStopped } from './stopped-list.ts';

type Show = (visit: MerchantVisit, outside: Outside, number: string | undefined) => Promise<Shown>;

const SHOW: Readonly<Record<PeopleList, Show>> = { paid: showPaying, contacts: showContacts, stopped: showStopped };

export function showCustomers(visit: MerchantVisit, outside: Outside): Promise<Shown> {
  const { number: typed } = visit.query;
  const number = typed === undefined ? undefined : parsePhoneNumber(typed);
  if (typed === undefined || number !== undefined) return SHOW[listIn(visit)](visit, outside, number);
  return peoplePage(visit, {
    read: async () => ({ entries: [], next: undefined }),
    columns: {},
    nothing: emptyState('This is not a phone number', 'Type all the digits, such as 024 123 4567.'),
  });
}
