import { html, raw } from 'hono/html';
import { metaOf, type PageRequest, pageOf } from '../../../runtime/http/pagination.ts';
import type { PageMeta } from '../../../runtime/http/responses.ts';
import type { PageStart } from '../../../runtime/table/table.ts';
import type { Html } from './content.ts';
import { type Part, shownIn } from './form.ts';
import type { Shown, Visit } from './visit.ts';

type Cell<Entry> = (entry: Entry) => Html | string;

/** What a list says of an entry, by the name of the column. Figures stand below each other by their last digit. */
export type Columns<Entry> = Readonly<Record<string, Cell<Entry> | { readonly figure: Cell<Entry> }>>;

/** How entries are listed. */
export interface List<Entry> {
  /** Says to those who do not see the table what it lists. */
  readonly caption: string;
  readonly columns: Columns<Entry>;
  /** Where an entry leads: its first cell is the link. */
  readonly href?: false | ((entry: Entry) => string | undefined);
  /** In place of a table without rows. */
  readonly nothing?: Html | undefined;
  /** It has five columns, and on a phone two lines a row without their names: the first and the last column, then the fourth and the third. */
  readonly isCompact?: boolean;
}

/**
 * A table, which becomes a card for each row on a phone. The roles are said again because a style that makes cards of rows takes them
 * away.
 */
export function table<Entry>(
  entries: readonly Entry[],
  { caption, columns, href, nothing, isCompact }: List<Entry>,
): Html {
  if (nothing && entries.length === 0) return nothing;
  const all = Object.entries(columns).map(([name, column]) =>
    'figure' in column
      ? { name, cell: column.figure, ofFigure: raw(' class="figure"') }
      : { name, cell: column, ofFigure: false },
  );
  const row = (entry: Entry) => {
    const address = href ? href(entry) : undefined;
    return html`<tr role="row">${all.map(({ name, cell, ofFigure }, n) => {
      const shown = n === 0 && address ? html`<a href="${address}">${cell(entry)}</a>` : cell(entry);
      return html`<td role="cell" data-name="${name}"${ofFigure}>${shown}</td>`;
    })}</tr>
`;
  };
  return html`<table class="cards${isCompact ? ' compact' : ''}" role="table">
<caption class="unseen">${caption}</caption>
<thead role="rowgroup"><tr role="row">${all.map(({ name, ofFigure }) => html`<th scope="col" role="columnheader"${ofFigure}>${name}</th>`)}</tr></thead>
<tbody role="rowgroup">${entries.map(row)}</tbody>
</table>`;
}

interface ListPage<Entry> extends Omit<List<Entry>, 'caption'> {
  readonly title: string;
  /** What it lists; by default its title. */
  readonly caption?: string;
  readonly action?: Shown['action'] | false;
  readonly perPage?: number;
  readonly read: (
    page: PageRequest,
  ) => Promise<{ readonly entries: readonly Entry[]; readonly next: PageStart | undefined }>;
  /** Before the table, which shows so many entries: such as by what it is narrowed. */
  readonly above?: (count: number) => Html | false;
  /** Behind the table, before the ways to other pages. */
  readonly below?: (count: number) => Html | false;
  readonly order?: typeof NEWEST_FIRST;
}

/**
 * A page that is a list: its entries, or what says that there are none, with the ways to its other pages. It is newest first where
 * `order` says no other. @throws PublicError `invalid_request` for a cursor that is none.
 */
export async function listPage<Entry>(
  visit: Pick<Visit, 'here' | 'query'>,
  { title, action, perPage, read, above, below, order, ...list }: ListPage<Entry>,
): Promise<Shown> {
  const { cursor } = visit.query;
  const page = pageOf({ cursor, ...(perPage && { per_page: String(perPage) }) });
  const { entries, next } = await read(page);
  const main = html`${above?.(entries.length)}
${table(entries, { caption: title, ...list })}
${below?.(entries.length)}
${pagination(visit, metaOf(page, next), order)}`;
  return { title, action: action || undefined, main };
}

/** The ways to the next page of a list and back to its first one, where there are such. */
export function pagination(
  { here, query }: Pick<Visit, 'here' | 'query'>,
  { next }: Pick<PageMeta, 'next'>,
  { first, more } = NEWEST_FIRST,
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

const NEWEST_FIRST = { first: 'To the newest', more: 'Older' };
/** Of a list by number. */
export const BY_NUMBER = { first: 'To the first', more: 'More' };

/** A form that asks for other entries of a list, by the query of its own address. */
export function filters(visit: Pick<Visit, 'query' | 'here'>, content: Part): Html {
  const [path] = visit.here.split('?');
  const given = Object.entries(visit.query).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  return html`<form class="filters" role="search" method="get" action="${path}">
${shownIn({ typed: Object.fromEntries(given), errors: [], wasSent: given.length > 0, shown: new Set() }, content)}
<button class="plain button">Show</button>
</form>`;
}
