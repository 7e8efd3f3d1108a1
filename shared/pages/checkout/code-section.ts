import { html } from 'hono/html';
import * as icons from '../frame/drawings.ts';
import { icon } from '../frame/icon.ts';
import { checkoutWords as words } from '../words/words.ts';
import type { CheckoutView } from './checkout-view.ts';
import { contactButton } from './claim-section.ts';

/** Returns how many seconds the page waits before checking for the customer's code. */
export function codeComesIn({ status, code }: CheckoutView): number | undefined {
  if (status !== 'success' || !code || code.shown !== undefined || code.state === 'taken_back') return undefined;
  return code.state === 'unpaid' || code.state === 'given' ? 4 : 30;
}

export function codeSection(view: CheckoutView) {
  const { code, contact, merchant } = view;
  if (!code) return undefined;
  if (code.shown !== undefined)
    return html`<div class="handed"><p>${words.yourCode}</p><b dir="auto" translate="no">${code.shown}</b>
<button type="button" class="copy" data-copy="${code.shown}" data-said="${words.codeCopied}">${icon(icons.copy)}<span class="word">${words.copy}</span><span class="unseen"> ${words.copyCode}</span></button>
<p class="hint">${words.keepCode}</p></div>`;
  const seconds = codeComesIn(view);
  if (!seconds) return undefined;
  const isSoon = code.state === 'unpaid' || code.state === 'given';
  return html`<div class="handed" id="awaited" data-seconds="${seconds}"><p role="status">${isSoon ? words.codeSoon : reasonOf(code.state, merchant)}</p>
${!isSoon && html`<p class="hint">${words.keepAddress}</p>${contactButton(contact)}`}</div>`;
}

function reasonOf(state: 'waiting' | 'to_release' | 'taken_back', merchant: string): string {
  if (state === 'taken_back') return '';
  return state === 'waiting' ? words.codesUsedUp(merchant) : words.codeChecked(merchant);
}
