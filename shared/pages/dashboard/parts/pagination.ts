import { html } from 'hono/html';
import type { PageMeta } from '../../../runtime/http/responses.ts';
import type { Html } from '../html.ts';
import type { Visit } from '../visit.ts';

/** The ways to the next page of a list and back to its first one, where there are such. */
export function pagination({ here, query }: Pick<Visit, 'here' | 'query'>, { next }: Pick<PageMeta, 'next'>): Html {
  const at = (cursor: string | undefined) => {
    const [path] = here.split('?');
    const parameters = new URLSearchParams();
    for (const [name, value] of Object.entries({ ...query, cursor })) if (value) parameters.set(name, value);
    const search = parameters.toString();
    return search === '' ? path : `${path}?${search}`;
  };
  if (next === null && !query.cursor) return html``;
  return html`<nav class="pages" aria-label="Pages of this list">
${query.cursor && html`<a class="plain button" href="${at(undefined)}">To the newest</a>`}
${next !== null && html`<a class="plain button" rel="next" href="${at(next)}">Older</a>`}
</nav>`;
}
