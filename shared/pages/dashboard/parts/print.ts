import { html, raw } from 'hono/html';
import type { Html } from './content.ts';

/** Ends a printable page, and is left out on paper. Without a script the browser's own menu prints. */
export function printable(more?: Html): Html {
  return html`<p class="actions unprinted"><button type="button" class="plain button" data-print${raw(' hidden')}>Print</button>${more}</p>`;
}
