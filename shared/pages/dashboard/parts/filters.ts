import { html } from 'hono/html';
import type { Html } from '../html.ts';
import type { Visit } from '../visit.ts';
import type { Filled } from './form.ts';

/** A form that asks for other entries of a list, by the query of its own address. */
export function filters(
  visit: Pick<Visit, 'query' | 'here'>,
  fields: (filled: Filled) => Html | readonly Html[],
): Html {
  const [path] = visit.here.split('?');
  const given = Object.entries(visit.query).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  return html`<form class="filters" role="search" method="get" action="${path}">
${fields({ typed: Object.fromEntries(given), errors: [], wasSent: given.length > 0, shown: new Set() })}
<button class="plain button">Show</button>
</form>`;
}
