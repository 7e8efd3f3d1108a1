import { html } from 'hono/html';
import * as icons from '../frame/drawings.ts';
import { icon } from '../frame/icon.ts';
import type { CheckoutView } from './checkout-view.ts';
import { contactButton } from './claim-section.ts';

/** Seconds until the page looks again for a stock code: few normally, more while a person must act. */
export function codeComesIn({ status, code }: CheckoutView): number | undefined {
  if (status !== 'success' || !code || code.shown !== undefined || code.state === 'taken_back') return undefined;
  return code.state === 'unpaid' || code.state === 'given' ? 4 : 30;
}

/** The stock code, on the page whose address only its payer has, or the reason it is not there yet. */
export function codeSection(view: CheckoutView) {
  const { code, contact, merchant } = view;
  if (!code) return undefined;
  if (code.shown !== undefined)
    return html`<div class="handed"><p>Your code</p><b dir="auto" translate="no">${code.shown}</b>
<button type="button" class="copy" data-copy="${code.shown}" data-said="Code copied">${icon(icons.copy)}<span class="word">Copy</span><span class="unseen"> the code</span></button>
<p class="hint">Write it down or copy it: whoever has it can use it.</p></div>`;
  const seconds = codeComesIn(view);
  if (!seconds) return undefined;
  const isSoon = code.state === 'unpaid' || code.state === 'given';
  return html`<div class="handed" id="awaited" data-seconds="${seconds}"><p role="status">${isSoon ? 'Your code comes in a moment.' : reasons[code.state](merchant)}</p>
${!isSoon && html`<p class="hint">Keep the address of this page: the code appears here.</p>${contactButton(contact)}`}</div>`;
}

const reasons = {
  waiting: (merchant: string) => `The codes are used up. ${merchant} has been told, and the next one is yours.`,
  to_release: (merchant: string) => `${merchant} has to check your payment before you get your code.`,
  taken_back: () => '',
};
