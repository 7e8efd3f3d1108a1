import { html, raw } from 'hono/html';
import type { CheckoutView } from './checkout-view.ts';
import type { PhoneClaim } from './phone-claim.ts';

/**
 * For customers who paid from another network: two forms; the second appears once a code was requested. `checkout.js` sends
 * both in place and shows the same.
 */
export function phoneSection({ path, networkQuery }: CheckoutView, claim: PhoneClaim | undefined) {
  const { typed = '', said, error } = claim ?? {};
  const query = networkQuery && `?${networkQuery}`;
  const fault = error?.errors?.[0]?.message ?? error?.message;
  const isAboutCode = said !== undefined;
  const number = typed.slice(0, MAX_REPEATED_CHARACTERS);
  const wrong = (isWrong: boolean) => fault !== undefined && isWrong && raw(' aria-invalid="true" autofocus');
  return html`
<form id="ask-code" method="post" action="${path}/code${query}">
<p><b>Paid from another network?</b> Type the number that paid. If its payment has arrived, we text it a code.</p>
<p id="ask-code-fault" class="fault" role="alert"${(!fault || isAboutCode) && raw(' hidden')}>${!isAboutCode && fault}</p>
<label for="paid-from">Number that paid</label>
<div class="field">
<input id="paid-from" name="phone" type="tel" value="${number}" autocomplete="tel" required aria-describedby="ask-code-fault"${wrong(!isAboutCode)}>
<button class="button">Text a code</button>
</div>
</form>
<form id="confirm-code" method="post" action="${path}/code/confirm${query}"${!isAboutCode && raw(' hidden')}>
<p id="code-said" role="status">${said}</p>
<p id="confirm-code-fault" class="fault" role="alert"${(!fault || !isAboutCode) && raw(' hidden')}>${isAboutCode && fault}</p>
<input type="hidden" name="phone" value="${number}">
<label for="code">Code from the text</label>
<div class="field">
<input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" required aria-describedby="confirm-code-fault"${wrong(isAboutCode)}>
<button class="button">Confirm</button>
</div>
<p class="hint">It is valid for ten minutes. Do not share it.</p>
</form>`;
}

/** Longer than any number. */
const MAX_REPEATED_CHARACTERS = 40;
