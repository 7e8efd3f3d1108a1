import { html, raw } from 'hono/html';
import { Network, networks } from '../../ghana/network.ts';
import type { NetworkFacts } from '../../ghana/network-facts.ts';
import * as icons from '../frame/drawings.ts';
import { icon } from '../frame/icon.ts';
import { checkoutWords as words } from '../words/words.ts';
import type { CheckoutView, ContactLink } from './checkout-view.ts';
import type { Refusal } from './claim.ts';
import type { PayTextForm } from './pay-text-section.ts';
import { MAX_NUMBER_CHARACTERS, type PhoneClaim } from './phone-claim.ts';

export interface ClaimForm {
  readonly isOpen: boolean;
  readonly refusal: Refusal | undefined;
  readonly phone: PhoneClaim | undefined;
}

export interface PageForms extends ClaimForm {
  readonly payText: PayTextForm;
}

/**
 * Renders the claim form. Without JavaScript, links to a page where the form is already open, because this page's
 * reloads would clear it.
 */
export function claimSection(view: CheckoutView, { isOpen, refusal, phone }: ClaimForm) {
  const { path, networkQuery } = view;
  return html`
<details class="claim"${isOpen && raw(' open')}>
<summary>${icon(icons.chevron)}${words.nothingHappens}</summary>
${view.isClaimedById ? idForm(view, refusal) : refusal && html`<p class="fault" role="alert">${refusal.error.message}</p>`}
${phoneSection(view, phone)}
${nextSteps(view, !view.isClaimedById || refusal?.error.code === 'payment_not_found' || refusal?.error.code === 'too_many_tries')}
${isOpen && html`<p class="bare"><a href="${path}${networkQuery && `?${networkQuery}`}">${words.backToWaiting}</a></p>`}
</details>
${!isOpen && html`<p class="bare claim-link"><a href="${path}?claim${networkQuery && `&${networkQuery}`}#claim">${words.nothingHappens}</a></p>`}`;
}

function idForm({ path, networkQuery }: CheckoutView, refusal: Refusal | undefined) {
  const fault = refusal && (refusal.error.errors?.[0]?.message ?? refusal.error.message);
  const wrong = refusal?.error.errors?.[0]?.field;
  const isWrong = (field: string) => fault !== undefined && (wrong ?? 'transaction_id') === field;
  const typed = (field: 'transaction_id' | 'name') => refusal?.typed[field].slice(0, MAX_REPEATED_CHARACTERS) ?? '';
  return html`<form id="claim" method="post" action="${path}/claim${networkQuery && `?${networkQuery}`}">
<p>${words.idFromText(html`<b>${words.idInText}</b>`)}</p>
<ul class="examples" role="list">
${Network.options.map((one) => idExample(networks[one]))}
</ul>
<p id="claim-fault" class="fault" role="alert"${!fault && raw(' hidden')}>${fault}</p>
<label for="transaction-id">${words.transactionId}</label>
<input id="transaction-id" name="transaction_id" value="${typed('transaction_id')}" autocomplete="off" autocapitalize="characters" spellcheck="false" required aria-describedby="claim-fault"${isWrong('transaction_id') && raw(' aria-invalid="true" autofocus')}>
<label for="payer-name">${words.payerName}</label>
<div class="inline-field">
<input id="payer-name" name="name" value="${typed('name')}" autocomplete="name" autocapitalize="words" spellcheck="false" required aria-describedby="claim-fault"${isWrong('name') && raw(' aria-invalid="true" autofocus')}>
<button class="button">${words.check}</button>
</div>
</form>`;
}

function idExample({ short, transactionId: { example } }: NetworkFacts) {
  return example && html`<li><span>${short}</span> ${example.before}<mark>${example.id}</mark>${example.after}</li>\n`;
}

/** Maximum length of a typed value to show again. Customers may paste an entire text. */
const MAX_REPEATED_CHARACTERS = 500;

/** Shows the next steps after a rejected claim. `checkout.js` reveals this section. */
function nextSteps(view: CheckoutView, isShown: boolean) {
  const { merchant, contact, reference, codesOf, isClaimedById } = view;
  return html`<div id="claim-next" class="next"${!isShown && raw(' hidden')}>
<p><b>${words.stillNot}</b></p>
<ul>
${isClaimedById && html`<li>${words.otherNetworkId(merchant)}${codesOf && ` ${words.typeNumberInstead}`}</li>\n`}<li>${words.otherwiseAsk(merchant, html`<b class="number" translate="no">${reference}</b>`)}</li>
</ul>
${contactButton(contact)}
</div>`;
}

/** Renders the form that requests a claim code and the form that submits the code, for customers on another network. */
function phoneSection(view: CheckoutView, claim: PhoneClaim | undefined) {
  const { path, networkQuery, codesOf, merchant } = view;
  if (!codesOf) return undefined;
  const { typed = '', message, error } = claim ?? {};
  const query = networkQuery && `?${networkQuery}`;
  const fault = error?.errors?.[0]?.message ?? error?.message;
  const isAboutCode = message !== undefined;
  const number = typed.slice(0, MAX_NUMBER_CHARACTERS);
  const wrong = (isWrong: boolean) => fault !== undefined && isWrong && raw(' aria-invalid="true" autofocus');
  return html`
<form id="ask-code" method="post" action="${path}/code${query}">
<p><b>${words.fromAnother}</b> ${words.typeNumber(codesOf.short, merchant)}${codesOf.namesNumbersOf === 'others' && ` ${words.notWithin(codesOf.short)}`}</p>
<p id="ask-code-fault" class="fault" role="alert"${(!fault || isAboutCode) && raw(' hidden')}>${!isAboutCode && fault}</p>
<label for="paid-from">${words.numberThatPaid}</label>
<div class="inline-field">
<input id="paid-from" name="phone" type="tel" value="${number}" autocomplete="tel" required aria-describedby="ask-code-fault"${wrong(!isAboutCode)}>
<button class="button">${words.textCode}</button>
</div>
</form>
<form id="confirm-code" method="post" action="${path}/code/confirm${query}"${!isAboutCode && raw(' hidden')}>
<p id="code-said" role="status">${message}</p>
<p id="confirm-code-fault" class="fault" role="alert"${(!fault || !isAboutCode) && raw(' hidden')}>${isAboutCode && fault}</p>
<input type="hidden" name="phone" value="${number}">
<label for="code">${words.codeFromText}</label>
<div class="inline-field">
<input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" required aria-describedby="confirm-code-fault"${wrong(isAboutCode)}>
<button class="button">${words.confirm}</button>
</div>
<p class="hint">${words.codeIsValid}</p>
</form>`;
}

/** Returns a button that contacts the merchant, or nothing if the merchant has no contact. */
export function contactButton(contact: ContactLink | undefined) {
  return (
    contact &&
    html`<p><a class="plain button" href="${contact.href}">${icon(contact.icon)}<span>${contact.label}</span></a></p>`
  );
}
