import { html } from 'hono/html';
import { timesOfDays } from '../../../money/booking/day.ts';
import { listReceiptKeys } from '../../../money/receipt/receipt.table.ts';
import { listTransactionKeys } from '../../../money/transaction/transaction.table.ts';
import { metaOf, pageOf } from '../../../runtime/http/pagination.ts';
import type { Outside } from '../../../runtime/outside/outside.ts';
import type { Page, PageStart } from '../../../runtime/table/table.ts';
import { PublicError } from '../../../runtime/values/errors.ts';
import type { Html } from '../html.ts';
import { emptyState } from '../parts/status.ts';
import { table } from '../parts/table.ts';
import { shownDay, shownTime } from '../shown-time.ts';
import type { MerchantVisit, Shown } from '../visit.ts';
import { REPORTS } from './addresses.ts';
import { type Period, periodOf, queryOf } from './period.ts';

/** How many charges or payments a file has: what a function reads in a few seconds, and far below the 6 MB that it may answer. */
export const ENTRIES_A_FILE = 1_000;
const FILES_A_PAGE = 10;

type Keys = (
  outside: Pick<Outside, 'table'>,
  merchantId: string,
  page: Page,
  times: { fromMs: number; toMs: number },
) => Promise<{ keys: PageStart[]; next: PageStart | undefined }>;

const kinds: Readonly<Record<string, { readonly noun: string; readonly keys: Keys }>> = {
  charges: { noun: 'charges', keys: listTransactionKeys },
  payments: { noun: 'payments', keys: listReceiptKeys },
};

/** The files that the charges or payments of a period are in, the oldest entries first. Keys alone are read for it. */
export async function showFiles(visit: MerchantVisit<'what'>, outside: Outside): Promise<Shown> {
  const { merchant, query, path } = visit;
  const kind = Object.hasOwn(kinds, path.what) ? kinds[path.what] : undefined;
  if (!kind) throw new PublicError('not_found', 'There are files of charges and of payments.');
  const period = periodOf(outside, query);
  const times = timesOfDays(period.first, period.last);
  const shown: FileShown[] = [];
  let start = pageOf({ cursor: query.cursor }).start;
  const firstPart = partOf(query.part);
  do {
    const { keys, next } = await kind.keys(outside, merchant.merchant_id, { start, limit: ENTRIES_A_FILE }, times);
    if (keys.length > 0) shown.push({ start, keys, part: firstPart + shown.length });
    start = next;
  } while (start && shown.length < FILES_A_PAGE);
  const title = `Files of ${kind.noun}`;
  const about = html`<p>${shownDay(period.first)} to ${shownDay(period.last)}. <a href="${REPORTS}?${queryOf(period)}">Back to the report</a></p>`;
  if (shown.length === 0)
    return {
      title,
      main: html`${about}${emptyState(`No ${kind.noun} in this time`, 'Choose other days in the report.')}`,
    };
  return {
    title,
    main: html`${about}
${table(
  title,
  [
    { name: 'File' },
    { name: 'From' },
    { name: 'To' },
    { name: kind.noun === 'charges' ? 'Charges' : 'Payments', isNumber: true },
  ],
  shown.map((file) => fileRow(path.what, period, file)),
)}
${start && further(path.what, period, start, firstPart + shown.length)}`,
  };
}

interface FileShown {
  readonly start: PageStart | undefined;
  readonly keys: readonly PageStart[];
  readonly part: number;
}

function fileRow(what: string, period: Period, { start, keys, part }: FileShown) {
  const at = (key: PageStart | undefined) => shownTime(key?.sort.split('#')[0] ?? '');
  return {
    href: `${REPORTS}/${what}.csv?${placeOf(period, start, part)}`,
    cells: [`Part ${part} (CSV)`, at(keys[0]), at(keys.at(-1)), String(keys.length)],
  };
}

function further(what: string, period: Period, start: PageStart, part: number): Html {
  return html`<nav class="pages" aria-label="Further files"><a class="plain button" href="${REPORTS}/files/${what}?${placeOf(period, start, part)}">Further files</a></nav>`;
}

function placeOf(period: Period, start: PageStart | undefined, part: number): string {
  const { next } = metaOf({ limit: 1, newestFirst: true, start: undefined }, start);
  return `${queryOf(period)}&part=${part}${next ? `&cursor=${next}` : ''}`;
}

/** Which file of its period it is; the names of two files must not be the same. */
export function partOf(part: string | undefined): number {
  return part && /^[1-9]\d{0,5}$/.test(part) ? Number(part) : 1;
}
