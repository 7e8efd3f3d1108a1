import { html, raw } from 'hono/html';
import type { Html } from '../html.ts';

export interface Column {
  readonly name: string;
  /** Numbers stand below each other by their last digit. */
  readonly isNumber?: boolean;
}

export interface TableRow {
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
<thead role="rowgroup"><tr role="row">${columns.map(({ name, isNumber }) => html`<th scope="col" role="columnheader"${isNumber && raw(' class="figure"')}>${name}</th>`)}</tr></thead>
<tbody role="rowgroup">${rows.map((row) => tableRow(columns, row))}</tbody>
</table>`;
}

function tableRow(columns: readonly Column[], { href, cells }: TableRow): Html {
  return html`<tr role="row">${cells.map((cell, n) => {
    const { name = '', isNumber } = columns[n] ?? {};
    const shown = n === 0 && href ? html`<a href="${href}">${cell}</a>` : cell;
    return html`<td role="cell" data-name="${name}"${isNumber && raw(' class="figure"')}>${shown}</td>`;
  })}</tr>
`;
}
