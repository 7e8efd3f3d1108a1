import { html, raw } from 'hono/html';
import type { PageMeta } from '../../../runtime/http/responses.ts';
import type { Html } from './content.ts';
import type { Filled } from './form.ts';
import type { Visit } from './visit.ts';

/** Its name. Numbers stand below each other by their last digit. */
type Column = string | { readonly name: string; readonly isNumber?: boolean };

function headOf(column: Column) {
  return typeof column === 'string' ? { name: column } : column;
}

interface TableRow {
  /** Where the row leads: its first cell is the link. */
  readonly href?: string;
  readonly cells: readonly (Html | string)[];
}

/**
 * A table, which becomes a card for each row on a phone. `caption` says to those who do not see it what it lists. The roles are said
 * again because a style that makes cards of rows takes them away. A compact one has five columns, and on a phone two lines a row without
 * their names: the first and the last column, then the fourth and the third.
 */
export function table(
  caption: string,
  columns: readonly Column[],
  rows: readonly TableRow[],
  { isCompact = false } = {},
): Html {
  return html`<table class="cards${isCompact ? ' compact' : ''}" role="table">
<caption class="unseen">${caption}</caption>
<thead role="rowgroup"><tr role="row">${columns.map(headOf).map(({ name, isNumber }) => html`<th scope="col" role="columnheader"${isNumber && raw(' class="figure"')}>${name}</th>`)}</tr></thead>
<tbody role="rowgroup">${rows.map((row) => tableRow(columns, row))}</tbody>
</table>`;
}

function tableRow(columns: readonly Column[], { href, cells }: TableRow): Html {
  return html`<tr role="row">${cells.map((cell, n) => {
    const { name, isNumber } = headOf(columns[n] ?? '');
    const shown = n === 0 && href ? html`<a href="${href}">${cell}</a>` : cell;
    return html`<td role="cell" data-name="${name}"${isNumber && raw(' class="figure"')}>${shown}</td>`;
  })}</tr>
`;
}

/** The ways to the next page of a list and back to its first one, where there are such. Most lists are newest first. */
export function pagination(
  { here, query }: Pick<Visit, 'here' | 'query'>,
  { next }: Pick<PageMeta, 'next'>,
  { first, more } = { first: 'To the newest', more: 'Older' },
): Html {
  const at = (cursor: string | undefined) => {
    const [path] = here.split('?');
    const parameters = new URLSearchParams();
    for (const [name, value] of Object.entries({ ...query, cursor })) if (value) parameters.set(name, value);
    const search = parameters.toString();
    return search === '' ? path : `${path}?${search}`;
  };
  if (next === null && !query.cursor) return html``;
  return html`<nav class="pages" aria-label="Pages of this list">
${query.cursor && html`<a class="plain button" href="${at(undefined)}">${first}</a>`}
${next !== null && html`<a class="plain button" rel="next" href="${at(next)}">${more}</a>`}
</nav>`;
}

/** Of a list by number. */
export const BY_NUMBER = { first: 'To the first', more: 'More' };

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
