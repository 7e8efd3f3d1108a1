import { html } from 'hono/html';
import { COUNTRY_CODE } from '../../shared/ghana/country.ts';
import { knownNetwork } from './receipt-text.ts';

export type Html = ReturnType<typeof html>;

/** `+233 24 123 4567`; other countries' numbers and names stay as they are. */
export function formatNumber(number: string): string {
  return number.replace(new RegExp(`^(\\${COUNTRY_CODE})(\\d\\d)(\\d{3})(\\d{4})$`), '$1 $2 $3 $4');
}

export function renderNetwork(network: string): Html {
  return html`<span class="network ${knownNetwork(network)?.toLowerCase()}">${network}</span>`;
}
