import { html, raw } from 'hono/html';

export function icon(drawing: string) {
  return html`<svg viewBox="0 0 24 24" aria-hidden="true">${raw(drawing)}</svg>`;
}
