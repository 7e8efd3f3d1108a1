import { CURRENCY } from '../../../ghana/country.ts';
import { shownMoney } from '../../../ghana/money.ts';
import { networks } from '../../../ghana/network.ts';
import { shownNumber } from '../../../ghana/shown-number.ts';
import type { MoneyChange } from '../../../merchants/merchant/money-change.ts';

/** The kind of a change, for where there is little room. */
export const KINDS_OF_CHANGE = {
  add: 'New number',
  remove: 'Number removed',
  order: 'New order',
  name: 'New name',
  limit: 'New limit',
} as const satisfies Record<MoneyChange['kind'], string>;

/** A change as whoever decides about it has to see it: what it is, how it is before, and how after. */
export interface ChangeInWords {
  readonly what: string;
  readonly before: string;
  readonly after: string;
}

const LIMITS = {
  match_by_name_up_to: { name: 'Match by name up to', none: `${CURRENCY} 0.00` },
  confirm_unproven_up_to: { name: 'Confirm unproven up to', none: `${CURRENCY} 0.00` },
  confirm_always_above: { name: 'Confirm by hand above', none: 'nobody has to' },
} as const;

export function changeInWords(change: MoneyChange): ChangeInWords {
  switch (change.kind) {
    case 'add': {
      const { number, network, account_name, first } = change;
      const order = first === number || !first ? 'as the first number' : `after ${shownNumber(first)}`;
      return {
        what: `Add ${shownNumber(number)}, ${networks[network].name}`,
        before: 'No customer is shown it',
        after: `Customers are shown it as ${account_name}, ${order}`,
      };
    }
    case 'remove': {
      const { number, network, account_name, first } = change;
      return {
        what: `Remove ${shownNumber(number)}, ${networks[network].name}`,
        before: `Customers are shown it as ${account_name}`,
        after: first ? `No customer is shown it; ${shownNumber(first)} is the first number` : 'No customer is shown it',
      };
    }
    case 'order':
      return { what: 'Change the order of the numbers', before: listed(change.from), after: listed(change.to) };
    case 'name':
      return {
        what: `Change the name of ${shownNumber(change.number)}, ${networks[change.network].name}`,
        before: change.from,
        after: change.to,
      };
    case 'limit': {
      const { name, none } = LIMITS[change.limit];
      const shown = (pesewas: number | undefined) => (pesewas === undefined ? none : shownMoney(pesewas));
      return { what: name, before: shown(change.from), after: shown(change.to) };
    }
  }
}

function listed(numbers: readonly string[]): string {
  return numbers.map(shownNumber).join(', ');
}
