import { OPERATOR_PHONES, OPERATOR_WALLETS } from '../addresses.ts';
import type { Html } from '../html.ts';
import { areaTabs } from '../parts/tabs.ts';
import type { Visit } from '../visit.ts';

/** What sends and hears, and what is heard of. */
export function phoneTabs(visit: Pick<Visit, 'here'>): Html {
  return areaTabs(visit, 'Phones and wallets', [
    [OPERATOR_PHONES, 'Phones'],
    [OPERATOR_WALLETS, 'Wallets'],
  ]);
}
