import { html } from 'hono/html';
import { shownMoney } from '../../../ghana/money.ts';
import type { Transaction } from '../../../money/transaction/transaction.table.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import type { Html } from '../html.ts';
import { table } from '../parts/table.ts';
import { ago } from '../shown-time.ts';
import { chargeAddress } from './addresses.ts';
import { statePill } from './charge-state.ts';

/** Charges in a list, each of which leads to its page, or to where it is chosen. */
export function chargesTable(
  outside: Outside,
  charges: readonly Transaction[],
  addressOf: (reference: string) => string = chargeAddress,
): Html {
  return table(
    'Charges, the newest first',
    [
      { name: 'For' },
      { name: 'Reference' },
      { name: 'Status' },
      { name: 'Created' },
      { name: 'Amount', isNumber: true },
    ],
    charges.map((charge) => ({
      href: addressOf(charge.reference),
      cells: [
        charge.customer_name ?? charge.description ?? charge.merchant_reference ?? charge.reference,
        html`<span class="number">${charge.reference}</span>`,
        statePill(outside, charge),
        ago(outside, charge.created_at),
        shownMoney(charge.amount_pesewas),
      ],
    })),
    { isCompact: true },
  );
}
