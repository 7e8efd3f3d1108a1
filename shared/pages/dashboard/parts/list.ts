import { html } from 'hono/html';
import { metaOf, type PageRequest, pageOf } from '../../../runtime/http/pagination.ts';
import type { PageMeta } from '../../../runtime/http/responses.ts';
import type { PageStart } from '../../../runtime/table/table.ts';
import { type Html, tabs } from './content.ts';
import { type Part, shownIn } from './form.ts';
import type { Shown, Visit } from './visit.ts';

type Cell<Entry> = (entry: Entry) => Html | string;

/** Cell renderers by column name. A `figure` is right-aligned. */
export type Columns<Entry> = Readonly<Record<string, Cell<Entry> | { readonly figure: Cell<Entry> }>>;

export interface List<Entry> {
  /** Caption for screen readers. */
  readonly caption: string;
  readonly columns: Columns<Entry>;
  readonly href?: false | ((entry: Entry) => string | undefined);
  readonly nothing?: Html | undefined;
  /**
   * True to show each row as two lines on a phone. The first line has the first and last columns. The second line has
   * the others, with a badge or the third column on the right, unless it has a time. If there are five or more columns, the
   * second one is hidden, unless it has a badge or an age. Badges and times are never cut: further cells move to lines of
   * their own. A linked badge takes the place of the time.
   */
  readonly isCompact?: boolean;
}

/**
 * Renders a table whose rows become cards on a phone. Omits empty columns. Sets roles explicitly, because the cards'
 * CSS removes the built-in ones.
 */
export function table<Entry>(
  entries: readonly Entry[],
  { caption, columns, href, nothing, isCompact }: List<Entry>,
): Html {
  if (nothing && entries.length === 0) return nothing;
  const all = Object.entries(columns).map(([name, column]) =>
    'figure' in column ? { name, cell: column.figure, isFigure: true } : { name, cell: column, isFigure: false },
  );
  const rows = entries.map((entry) => ({ entry, cells: all.map(({ cell }) => cell(entry)) }));
  const filled = all.flatMap((column, n) =>
    rows.length === 0 || rows.some(({ cells }) => String(cells[n]) !== '') ? [{ ...column, n }] : [],
  );
  const row = ({ entry, cells }: (typeof rows)[number]) => {
    const address = href ? href(entry) : undefined;
    return html`<tr role="row">${filled.map(({ name, isFigure, n }) => {
      const shown = n === 0 && address ? html`<a href="${address}">${cells[n]}</a>` : cells[n];
      return html`<td role="cell" data-name="${name}"${classOf(isFigure, cells[n])}>${shown}</td>`;
    })}</tr>
`;
  };
  return html`<table class="cards${isCompact ? ' compact' : ''}" role="table">
<caption class="unseen">${caption}</caption>
<thead role="rowgroup"><tr role="row">${filled.map(({ name, isFigure }) => html`<th scope="col" role="columnheader"${classOf(isFigure)}>${name}</th>`)}</tr></thead>
<tbody role="rowgroup">${rows.map(row)}</tbody>
</table>`;
}

function classOf(isFigure: boolean, cell: Html | string = ''): Html | false {
  const classes = [...(isFigure ? ['figure'] : []), ...(HAS_BADGE.test(String(cell)) ? ['badge'] : [])];
  return classes.length > 0 && html` class="${classes.join(' ')}"`;
}

const HAS_BADGE = /<span class="pills?\b/;

export interface ListPage<Entry> extends Omit<List<Entry>, 'caption'> {
  readonly title: string;
  readonly caption?: string;
  readonly actions?: Shown['actions'];
  readonly perPage?: number;
  readonly read: (
    page: PageRequest,
  ) => Promise<{ readonly entries: readonly Entry[]; readonly next: PageStart | undefined }>;
  readonly above?: (count: number, entries: readonly Entry[]) => Html | false;
  readonly below?: (count: number) => Html | false;
  readonly order?: typeof NEWEST_FIRST;
}

/**
 * Renders a page with a list and its pagination, newest entries first unless `order` is set.
 * @throws PublicError `invalid_request` if the cursor is invalid.
 */
export async function listPage<Entry>(
  visit: Pick<Visit, 'here' | 'query'>,
  { title, actions, perPage, read, above, below, order, ...list }: ListPage<Entry>,
): Promise<Shown> {
  const { cursor } = visit.query;
  const page = pageOf({ cursor, ...(perPage && { per_page: String(perPage) }) });
  const { entries, next } = await read(page);
  const main = html`${above?.(entries.length, entries)}
${table(entries, { caption: title, ...list })}
${below?.(entries.length)}
${pagination(visit, metaOf(page, next), order)}`;
  return { title, actions, main };
}

export function pagination(
  { here, query }: Pick<Visit, 'here' | 'query'>,
  { next }: Pick<PageMeta, 'next'>,
  { first, more } = NEWEST_FIRST,
): Html {
  const at = (cursor: string | undefined) => addressWith({ here, query }, { cursor });
  if (next === null && !query.cursor) return html``;
  return html`<nav class="pages" aria-label="Pages of this list">
${query.cursor && html`<a class="plain button" href="${at(undefined)}">${first}</a>`}
${next !== null && html`<a class="plain button" rel="next" href="${at(next)}">${more}</a>`}
</nav>`;
}

function addressWith({ here, query }: Pick<Visit, 'here' | 'query'>, changed: Visit['query']): string {
  const [path = ''] = here.split('?');
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...query, ...changed })) if (value) parameters.set(name, value);
  const search = parameters.toString();
  return search === '' ? path : `${path}?${search}`;
}

interface Chips {
  readonly label: string;
  readonly parameter: string;
  /** An empty value removes the parameter from the URL. */
  readonly options: readonly (readonly [value: string, name: string])[];
  readonly current?: string;
  /** True for the page's own lists, as opposed to filters of one list. */
  readonly areOfMenu?: boolean;
}

/** Renders links that set one filter and keep the others. */
export function chips(
  visit: Pick<Visit, 'here' | 'query'>,
  { label, parameter, options, current, areOfMenu }: Chips,
): Html {
  const chosen = current ?? visit.query[parameter] ?? '';
  return tabs(
    label,
    options.map(([value, name]) => ({
      address: addressWith(visit, { [parameter]: value, cursor: undefined }),
      name,
      isCurrent: value === chosen,
    })),
    { ...(areOfMenu && { areOfMenu }) },
  );
}

const NEWEST_FIRST = { first: 'Back to the newest', more: 'Older' };
export const BY_NUMBER = { first: 'Back to the first', more: 'More' };

/** Renders a collapsed filter form above a list. */
export function foldedFilters(visit: Pick<Visit, 'query' | 'here'>, summary: string, content: Part): Html {
  return html`<details><summary>${summary}</summary>${filters(visit, content)}</details>`;
}

function filters(visit: Pick<Visit, 'query' | 'here'>, content: Part): Html {
  const [path] = visit.here.split('?');
  const given = Object.entries(visit.query).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  return html`<form class="card filters" role="search" method="get" action="${path}">
${shownIn({ typed: Object.fromEntries(given), errors: [], wasSent: given.length > 0, shown: new Set() }, content)}
<button class="plain button">Show</button>
</form>`;
}
