import type { Html } from '../html.ts';
import { areaTabs } from '../parts/tabs.ts';
import type { Visit } from '../visit.ts';
import { DEAD_LETTERS, DOCTOR, OPERATOR_AUDIT } from './addresses.ts';

/** What went wrong, what is wrong, and who changed what. */
export function repairTabs(visit: Pick<Visit, 'here'>): Html {
  return areaTabs(visit, 'Repair', [
    [DEAD_LETTERS, 'Dead letters'],
    [DOCTOR, 'Doctor'],
    [OPERATOR_AUDIT, 'Audit'],
  ]);
}
