import { html, raw } from 'hono/html';
import type { Html } from '../html.ts';
import type { Visit } from '../visit.ts';

/** The pages of one area, the current one marked. */
export function tabs(
  { here }: Pick<Visit, 'here'>,
  name: string,
  pages: readonly (readonly [path: string, name: string])[],
): Html {
  const [path] = here.split('?');
  return html`<nav class="tabs" aria-label="${name}">${pages.map(
    ([to, shown]) => html`<a href="${to}"${to === path && raw(' aria-current="page"')}>${shown}</a>`,
  )}</nav>`;
}
