import { html } from 'hono/html';
import { type Chain, headOf, isEstablished } from '../../../wallets/chain/chain.ts';
import { isBalanceInDoubt } from '../../../wallets/chain/guesses.ts';
import { type Html, money } from './content.ts';

/** Renders a wallet's balance, and where it comes from. Only an established chain has a verified balance. */
export function walletBalance(chain: Chain, nowMs: number): Html {
  const isLastVerified = isEstablished(chain) && isBalanceInDoubt(chain, nowMs);
  return html`${money(headOf(chain).balance)}<br><span class="hint">${isLastVerified ? 'last verified' : 'from its texts'}</span>`;
}
