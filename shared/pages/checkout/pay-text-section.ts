import { html, raw } from 'hono/html';
import * as icons from '../frame/drawings.ts';
import { icon } from '../frame/icon.ts';
import { checkoutWords as words } from '../words/words.ts';
import type { CheckoutView } from './checkout-view.ts';
import { MAX_NUMBER_CHARACTERS, type PhoneClaim } from './phone-claim.ts';

/** State of the form. `open`: the form is shown, and nothing has been sent. */
export type PayTextForm = PhoneClaim | 'open' | undefined;

/**
 * Offers to text the payment details, because the network's menu covers this page. Without JavaScript, links to a page
 * that does not reload.
 */
export function payTextSection({ path, networkQuery, merchant, textsCustomers }: CheckoutView, form: PayTextForm) {
  if (!textsCustomers) return undefined;
  const { typed = '', message, error } = form === 'open' || form === undefined ? {} : form;
  const fault = error?.errors?.[0]?.message ?? error?.message;
  return html`
<details class="claim text-me"${form && raw(' open')}>
<summary>${icon(icons.chevron)}${words.textMeThis}</summary>
<form id="text-me" method="post" action="${path}/text${networkQuery && `?${networkQuery}`}">
<p>${words.whyText(merchant)}</p>
<p id="text-me-fault" class="fault" role="alert"${!fault && raw(' hidden')}>${fault}</p>
<label for="text-to">${words.yourNumber}</label>
<div class="inline-field">
<input id="text-to" name="phone" type="tel" value="${typed.slice(0, MAX_NUMBER_CHARACTERS)}" autocomplete="tel" required aria-describedby="text-me-fault"${fault && raw(' aria-invalid="true" autofocus')}>
<button class="button">${words.textMe}</button>
</div>
<p id="text-me-said" class="hint" role="status">${message}</p>
</form>
${form && html`<p class="bare"><a href="${path}${networkQuery && `?${networkQuery}`}">${words.backToWaiting}</a></p>`}
</details>
${!form && html`<p class="bare claim-link"><a href="${path}?text${networkQuery && `&${networkQuery}`}#text-me">${words.textMeThis}</a></p>`}`;
}
