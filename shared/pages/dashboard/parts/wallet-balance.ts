import { html } from 'hono/html';
import { shownMoney } from '../../../ghana/money.ts';
import { doubtOf } from '../../../money/payment/shown-payment.ts';
import { type Chain, headOf, isEstablished } from '../../../wallets/chain/chain.ts';
import { isBalanceInDoubt } from '../../../wallets/chain/guesses.ts';
import { arrived, type Html } from './content.ts';

/** Renders a wallet's balance, and where it comes from. Only an established chain has a verified balance. */
export function walletBalance(chain: Chain, nowMs: number): Html {
  const amount = shownMoney(headOf(chain).balance);
  if (!isEstablished(chain)) return arrived({ amount, doubt: doubtOf('unverified') });
  const source = isBalanceInDoubt(chain, nowMs) ? 'last verified' : 'from its texts';
  return html`${arrived({ amount, doubt: undefined })}<br><span class="hint">${source}</span>`;
}
