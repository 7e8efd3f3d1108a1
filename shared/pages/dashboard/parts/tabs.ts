import { html, raw } from 'hono/html';
import type { Html } from '../html.ts';
import type { Visit } from '../visit.ts';

interface Tab {
  readonly address: string;
  readonly name: string;
  readonly isCurrent: boolean;
}

/** A choice between a few pages or lists, the current one marked. */
export function tabs(name: string, choices: readonly Tab[]): Html {
  return html`<nav class="tabs" aria-label="${name}">${choices.map(
    (one) => html`<a href="${one.address}"${one.isCurrent && raw(' aria-current="page"')}>${one.name}</a>`,
  )}</nav>`;
}

/** The pages of one area. */
export function areaTabs(
  { here }: Pick<Visit, 'here'>,
  name: string,
  pages: readonly (readonly [path: string, name: string])[],
): Html {
  const [path] = here.split('?');
  return tabs(
    name,
    pages.map(([address, shown]) => ({ address, name: shown, isCurrent: address === path })),
  );
}
