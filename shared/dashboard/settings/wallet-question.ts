import { html } from 'hono/html';
import type { Wallet } from '../../chain/chain.table.ts';
import { networks } from '../../checkout/networks.ts';
import { shownNumber } from '../../checkout/shown-number.ts';
import { shownAmount } from '../../ghana/money.ts';
import type { Html } from '../html.ts';
import { form } from '../parts/form.ts';
import type { MerchantVisit } from '../visit.ts';
import { fieldAmount } from './amount-from-zero.ts';
import { walletAddress } from './wallet-parts.ts';

/** Leads to the question. */
export function questionBanner({ momo_number }: Wallet, balancePesewas: number): Html {
  return html`<section class="ask"><h2>Is your balance now GHS ${shownAmount(balancePesewas)}?</h2>
<p>A text of ${shownNumber(momo_number)} is missing, or somebody forged one. Only you can tell.</p>
<p><a class="button" href="${walletAddress(momo_number)}">Answer</a></p></section>`;
}

/**
 * Asks what a wallet holds: one tap opens an answer, another gives it. The balance that was on the page goes with it, so that an answer is
 * to the question that was read.
 */
export function questionSection(
  visit: Pick<MerchantVisit, 'once' | 'refused'>,
  { network, momo_number }: Wallet,
  balancePesewas: number,
): Html {
  const amount = `GHS ${shownAmount(balancePesewas)}`;
  const answer = (what: 'yes' | 'no', submit: string) =>
    form(
      visit,
      {
        path: `/wallets/{number}/${what}`,
        action: `${walletAddress(momo_number)}/${what}`,
        submit,
        isDangerous: what === 'no',
      },
      () => html`<input type="hidden" name="balance" value="${fieldAmount(balancePesewas)}">`,
    );
  return html`<section class="ask"><h2>Is your balance now ${amount}?</h2>
<p>A text of this wallet is missing, or somebody forged one. Payments that came since are not proven until you answer.</p>
<p><b>Look into the wallet itself: dial ${networks[network].ussd} and check the balance.</b> Do not go by the texts: they are what is in doubt.</p>
<details><summary>Yes, the wallet shows ${amount}</summary><p>The payments that wait are then proven, and their charges confirm.</p>
${answer('yes', `Yes, it is ${amount}`)}</details>
<details><summary>No, it shows another balance</summary><p>Has money come or gone since this page opened? Then open it again first. Otherwise the texts that lead to ${amount} are forged: what they tell of confirms nothing, and charges that they did confirm are disputed. This cannot be taken back.</p>
${answer('no', 'No, those texts are forged')}</details></section>`;
}
