import { html } from 'hono/html';
import { viewWallet } from '../../../care/wallet/wallet-view.ts';
import { pesewasOf } from '../../../ghana/money.ts';
import { networks } from '../../../ghana/network.ts';
import { shownNumber } from '../../../ghana/shown-number.ts';
import { othersPaidOn } from '../../../merchants/merchant/manage-merchant.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import { getChain } from '../../../wallets/chain/chain.table.ts';
import { MERCHANT_WALLETS } from '../addresses.ts';
import type { MerchantVisit, Shown } from '../visit.ts';
import { walletSections } from '../wallet/wallet-sections.ts';
import { accountOf } from './number-of.ts';
import { questionBanner, SHARED_WALLET, silent } from './wallet-parts.ts';

/** Each may take a search for the charges that it may have paid. */
const MAX_GAPS = 10;

/** One wallet: its balance as the texts prove it, its gaps, and what its owner is asked. */
export async function showWallet({ merchant, path }: MerchantVisit<'number'>, outside: Outside): Promise<Shown> {
  const { number, network } = accountOf(merchant, path.number);
  const wallet = { network, momo_number: number };
  const title = `${shownNumber(number)}, ${networks[network].name}`;
  const back = html`<p><a href="${MERCHANT_WALLETS}">All wallets</a></p>`;
  const others = await othersPaidOn(outside, merchant.merchant_id, number);
  if (others.length > 0) return { title, main: html`<section><p>${SHARED_WALLET}</p></section>${back}` };
  const chain = await getChain(outside, wallet);
  if (!chain) return { title, main: html`<section>${silent(network)}</section>${back}` };
  const view = await viewWallet(outside, chain, { maxGaps: MAX_GAPS });
  return {
    title,
    main: html`${view.question && questionBanner(wallet, pesewasOf(view.question.balance) ?? 0)}
${walletSections(outside, view)}
${back}`,
  };
}
