import { html } from 'hono/html';
import type { Wallet } from '../../chain/chain.table.ts';
import { type Chain, isEstablished } from '../../chain/chain.ts';
import { localNumber, shownNumber } from '../../checkout/shown-number.ts';
import { shownAmount } from '../../ghana/money.ts';
import type { Merchant } from '../../merchant/merchant.ts';
import { WALLETS } from '../addresses.ts';
import type { Html } from '../html.ts';
import { pill } from '../parts/status.ts';
import { balanceAddress } from '../today/addresses.ts';

// What the pages of a wallet have in common.

export function walletAddress(momoNumber: string): string {
  return `${WALLETS}/${localNumber(momoNumber)}`;
}

/** The wallets that a merchant is paid on. */
export function walletsOf({ momo_accounts }: Merchant): Wallet[] {
  return momo_accounts.map(({ number, network }) => ({ network, momo_number: number }));
}

/** Whether what is not proven is held. */
export function modePill(chain: Chain | undefined): Html {
  if (!chain) return pill('plain', 'No text yet');
  return chain.mode === 'enforce' ? pill('good', 'Decides') : pill('plain', 'Only recorded');
}

/** How far a chain's proof goes, in words. */
export function modeWords(chain: Chain): string {
  if (chain.mode === 'enforce') return 'Decides: what is not proven waits in Held';
  return isEstablished(chain) ? 'Only recorded, nothing is held' : 'Only recorded: too few texts are known yet';
}

/** Of a wallet that several merchants share. */
export const SHARED_WALLET =
  'Several shops are paid on this number: only the operator sees its balance, and answers for it.';

/** A wallet of which nothing has told a balance. */
export function silent(network: Wallet['network']): Html {
  return html`<p>${network === 'AT' ? 'Texts of AT Money cannot be read yet.' : 'No text of this wallet has told a balance yet. The first payment or withdrawal begins its chain.'}</p>`;
}

/** Leads to the question what a wallet holds. */
export function questionBanner({ network, momo_number }: Wallet, balancePesewas: number): Html {
  return html`<section class="ask"><h2>Is your balance now GHS ${shownAmount(balancePesewas)}?</h2>
<p>A text of ${shownNumber(momo_number)} is missing, or somebody forged one. Only you can tell.</p>
<p><a class="button" href="${balanceAddress({ network, number: momo_number })}">Answer</a></p></section>`;
}
