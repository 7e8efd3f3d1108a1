import { html, raw } from 'hono/html';
import type { Html } from './content.ts';

/** Renders the end of a printable page, which is hidden on paper. */
export function printable(): Html {
  return html`<p class="actions unprinted"><button type="button" class="plain button" data-print${raw(' hidden')}>Print</button></p>`;
}
