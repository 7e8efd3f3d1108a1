import { html } from 'hono/html';
import { unreadNote } from '../../../ghana/network.ts';
import { localNumber } from '../../../ghana/shown-number.ts';
import type { Merchant } from '../../../merchants/merchant/merchant.ts';
import type { Wallet } from '../../../wallets/chain/chain.table.ts';
import type { Chain } from '../../../wallets/chain/chain.ts';
import { MERCHANT_WALLETS } from '../addresses.ts';
import type { Html } from '../html.ts';
import { pill } from '../parts/status.ts';
import { balanceAddress } from '../today/addresses.ts';
import { modes } from '../wallet/modes.ts';
import { ownersQuestion } from '../wallet/owners-word.ts';

// What the pages of a wallet have in common.

export function merchantWalletAddress(momoNumber: string): string {
  return `${MERCHANT_WALLETS}/${localNumber(momoNumber)}`;
}

/** The wallets that a merchant is paid on. */
export function walletsOf({ momo_accounts }: Merchant): Wallet[] {
  return momo_accounts.map(({ number, network }) => ({ network, momo_number: number }));
}

/** Whether what is not proven is held. */
export function modePill(chain: Chain | undefined): Html {
  return chain
    ? pill(chain.mode === 'enforce' ? 'good' : 'plain', modes[chain.mode].word)
    : pill('plain', 'No text yet');
}

/** Of a wallet that several merchants share. */
export const SHARED_WALLET =
  'Several shops are paid on this number: only the operator sees its balance, and answers for it.';

/** A wallet whose balance no text has reported. */
export function silent(network: Wallet['network']): Html {
  return html`<p>${unreadNote(network) ?? 'No text has reported this wallet’s balance yet. The first payment or withdrawal begins its chain.'}</p>`;
}

/** Leads to the question what a wallet holds. */
export function questionBanner(wallet: Wallet, balancePesewas: number): Html {
  return html`<section class="ask"><h2>${ownersQuestion(wallet, balancePesewas)}</h2>
<p>A text of this wallet is missing, or somebody forged one. Only you can tell.</p>
<p><a class="button" href="${balanceAddress(wallet)}">Answer</a></p></section>`;
}
