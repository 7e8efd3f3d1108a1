import { html } from 'hono/html';
import { shownMoney } from '../../../ghana/money.ts';
import { type Chain, headOf } from '../../../wallets/chain/chain.ts';
import { arrived, type Html } from './content.ts';

/** Renders a wallet's balance, and where it comes from. */
export function walletBalance(chain: Chain): Html {
  const amount = shownMoney(headOf(chain).balance);
  const source = chain.waiting > 0 ? 'last verified' : 'from its texts';
  return html`${arrived({ amount, doubt: undefined })}<br><span class="hint">${source}</span>`;
}
