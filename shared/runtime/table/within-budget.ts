import { itemBytes } from './item-bytes.ts';
import type { Item, Key, Page, PageStart, Table } from './table.ts';
import type { IndexName } from './table-schema.ts';

/** Read units that the rows of one page of a list may take. Ten more are for its keys. */
export const UNITS_OF_A_PAGE = 240;
/** The largest row of any list with what is read beside it: a part of a bulk with its messages. A page goes on while so much is left. */
export const UNITS_OF_LARGEST_ROW = 48;
const READ_UNIT_BYTES = 4096;

/** A page that may read so many units, and ends early where the next row may not fit. */
export interface BudgetedPage extends Page {
  readonly budget?: number | undefined;
}

/** The read units of one row of a kind. */
export interface RowUnits {
  /** The most that a row takes, with what is read beside it. */
  readonly largest: number;
  /** The share of them that is read beside it. */
  readonly beside?: (item: Item) => number;
}

const OF_ANY: RowUnits = { largest: UNITS_OF_LARGEST_ROW };

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
 * What a row costs is known only once it is read. `last` is the key that was read last, where some were left.
 */
export async function getWithin<Named extends Key>(
  table: Pick<Table, 'getMany'>,
  keys: readonly Named[],
  budget: number = Number.POSITIVE_INFINITY,
  { largest, beside = () => 0 }: RowUnits = OF_ANY,
): Promise<{ items: Item[]; last: Named | undefined; left: number }> {
  const found = new Map<string, Item>();
  let [read, left] = [0, budget];
  while (read < keys.length && (read === 0 || left >= largest)) {
    const part = keys.slice(read, read + Math.max(1, Math.floor(left / largest)));
    for (const item of await table.getMany(part)) {
      left -= Math.ceil(itemBytes(item) / READ_UNIT_BYTES) + beside(item);
      found.set(nameOf(item), item);
    }
    read += part.length;
  }
  // An index is a moment behind the table: an item may be gone already.
  const items = keys.map((key) => found.get(nameOf(key))).filter((item) => item !== undefined);
  return { items, last: read < keys.length ? keys[read - 1] : undefined, left };
}

function nameOf({ pk, sk }: Item): string {
  return `${pk}/${sk}`;
}
