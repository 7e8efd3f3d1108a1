import { OPERATOR_MERCHANTS } from '../addresses.ts';
import type { Html } from '../html.ts';
import { areaTabs } from '../parts/tabs.ts';
import type { Visit } from '../visit.ts';

export const UNASSIGNED = `${OPERATOR_MERCHANTS}/unassigned`;
export const UNREAD = `${OPERATOR_MERCHANTS}/unread`;

/** Whose money it is, and money of which nobody knows whose. */
export function moneyTabs(visit: Pick<Visit, 'here'>): Html {
  return areaTabs(visit, 'Merchants and their money', [
    [OPERATOR_MERCHANTS, 'Merchants'],
    [UNASSIGNED, 'Unassigned'],
    [UNREAD, 'Unread'],
  ]);
}
