import { itemBytes } from './item-bytes.ts';
import type { Item, Key, Page, PageStart, Table } from './table.ts';
import type { IndexName } from './table-schema.ts';

/** Read units that the rows of one page of a list may take. Ten more are for its keys. */
export const UNITS_OF_A_PAGE = 240;
/** The largest row of any list with what is read beside it: an ended charge with its parts. A page goes on while so much is left. */
export const UNITS_OF_LARGEST_ROW = 72;
const READ_UNIT_BYTES = 4096;

/** A page that may read so many units, and ends early where the next row may not fit. */
export interface BudgetedPage extends Page {
  readonly budget?: number | undefined;
}

/** The read units of one row of a kind. */
export interface RowUnits {
  /** The most that a row takes by itself. */
  readonly largest: number;
  /** The units that are read beside a row once the page is known, and the most of them. */
  readonly beside?: { readonly most: number; readonly of: (item: Item) => number };
}

const OF_ANY: RowUnits = { largest: 48 };
const NOTHING_BESIDE: NonNullable<RowUnits['beside']> = { most: 0, of: () => 0 };

/**
 * One page of the items whose keys stand in a partition of an index, as `table.listIndex` gives it, within its budget if it has one. `left`
 * is what the same request may still read.
 */
export async function listWithin(
  table: Table,
  [index, partition]: readonly [IndexName, string],
  { budget, ...page }: BudgetedPage,
  units?: RowUnits,
): Promise<{ items: Item[]; next: PageStart | undefined; left: number }> {
  if (budget === undefined)
    return { ...(await table.listIndex(index, partition, page)), left: Number.POSITIVE_INFINITY };
  const { keys, next } = await table.listIndexKeys(index, partition, page);
  const { items, last, left } = await getWithin(table, keys, budget, units);
  return { items, next: last ?? next, left };
}

/**
 * The items of some keys in their order, as far as a budget allows: again and again as many as fit if each were the largest, and at least one.
 * A row's units are known only once it is read: the page ends before the one whose units beside it do not fit. `last` is the key of the page's last
 * row, where some were left.
 */
export async function getWithin<Named extends Key>(
  table: Pick<Table, 'getMany'>,
  keys: readonly Named[],
  budget: number = Number.POSITIVE_INFINITY,
  { largest, beside = NOTHING_BESIDE }: RowUnits = OF_ANY,
): Promise<{ items: Item[]; last: Named | undefined; left: number }> {
  const items: Item[] = [];
  let [taken, left] = [0, budget];
  let isFull = false;
  while (!isFull && taken < keys.length && (taken === 0 || left >= largest + beside.most)) {
    const part = keys.slice(taken, taken + Math.max(1, Math.floor((left - beside.most) / largest)));
    const found = new Map((await table.getMany(part)).map((item) => [nameOf(item), item]));
    for (const item of found.values()) left -= Math.ceil(itemBytes(item) / READ_UNIT_BYTES);
    for (const key of part) {
      // An index is a moment behind the table: an item may be gone already.
      const item = found.get(nameOf(key));
      const more = item ? beside.of(item) : 0;
      isFull = taken > 0 && more > left;
      if (isFull) break;
      left -= more;
      taken++;
      if (item) items.push(item);
    }
  }
  return { items, last: taken < keys.length ? keys[taken - 1] : undefined, left };
}

function nameOf({ pk, sk }: Item): string {
  return `${pk}/${sk}`;
}
