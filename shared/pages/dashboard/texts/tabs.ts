import { TEXTS } from '../addresses.ts';
import type { Html } from '../html.ts';
import { areaTabs } from '../parts/tabs.ts';
import type { Visit } from '../visit.ts';

/** The pages about texts. */
export function textTabs(visit: Pick<Visit, 'here'>): Html {
  return areaTabs(visit, 'Texts', [
    [TEXTS, 'Sent'],
    [`${TEXTS}/send`, 'Send'],
    [`${TEXTS}/credits`, 'Credits'],
    [`${TEXTS}/senders`, 'Senders'],
  ]);
}
