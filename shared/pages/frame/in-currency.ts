import { html } from 'hono/html';
import { CURRENCY } from '../../ghana/country.ts';
import type { Html } from './frame.ts';

/** Shows the currency inside an amount field, which `NAME-currency` describes to screen readers. */
export function inCurrency(name: string, input: Html): Html {
  return html`<span class="priced"><span id="${name}-currency">${CURRENCY}</span>${input}</span>`;
}
