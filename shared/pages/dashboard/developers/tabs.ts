import { DEVELOPERS } from '../addresses.ts';
import type { Html } from '../html.ts';
import { areaTabs } from '../parts/tabs.ts';
import type { Visit } from '../visit.ts';

/** The pages for developers. */
export function developerTabs(visit: Pick<Visit, 'here'>): Html {
  return areaTabs(visit, 'Developers', [
    [DEVELOPERS, 'Keys'],
    [`${DEVELOPERS}/webhooks`, 'Webhooks'],
    [`${DEVELOPERS}/events`, 'Events'],
    [`${DEVELOPERS}/requests`, 'Requests'],
  ]);
}
