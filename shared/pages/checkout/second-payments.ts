import { html } from 'hono/html';
import { otherMessage } from '../../money/payment/shown-payment.ts';
import { sharedWords as words } from '../words/words.ts';
import type { CheckoutView } from './checkout-view.ts';
import { contactButton } from './claim-section.ts';

/** Shows payments beyond the charge's amount. For verified ones, says whom to contact. */
export function secondPayments({ second, hasMoneyUnderReview, merchant, contact, reference }: CheckoutView) {
  const other = hasMoneyUnderReview && html`<p class="hint">${otherMessage(merchant)}</p>`;
  if (second.length === 0) return other;
  return html`${other}<div class="second" role="note">
<p><b>${second.length === 1 ? words.second : words.more}</b></p>
<ul role="list">${second.map(
    ({ amount, network, lastDigits, received, sentBack }) =>
      html`<li>${amount && html`<b class="number">${amount}</b>, `}${words.idOf(network.short, html`<span class="number" translate="no">${lastDigits}</span>`)}, <time datetime="${received.at}">${received.shown}</time>${sentBack && html`. <b>${words.itWasSentBack(sentBack.shown)}</b>`}</li>
`,
  )}</ul>
${
  second.some(({ sentBack }) => !sentBack) &&
  html`<p>${words.askForExtra(merchant, html`<b class="number" translate="no">${reference}</b>`)}</p>
${contactButton(contact)}`
}
</div>`;
}
