import { html } from 'hono/html';
import type { Html } from '../html.ts';

/** A part that the script replaces by itself where it has changed. A page has the same ones in every state, some of them empty. */
export function refreshed(content: Html | string): Html {
  return html`<div data-part>${content}</div>`;
}
