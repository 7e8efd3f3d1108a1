import { itemBytes } from './item-bytes.ts';
import type { Item, Key, Page, PageStart, Table } from './table.ts';
import type { IndexName } from './table-schema.ts';

/** Read units for the rows of a page. Ten more are reserved for its keys. */
export const UNITS_OF_A_PAGE = 240;
/**
 * Read units of the largest possible row with its related rows: an ended charge with parts. A page ends when fewer
 * units than this are left in its budget.
 */
export const UNITS_OF_LARGEST_ROW = 72;
const READ_UNIT_BYTES = 4096;

export interface BudgetedPage extends Page {
  readonly budget?: number | undefined;
}

export interface RowUnits {
  readonly largest: number;
  /** `of` returns the read units of a row's related rows. `most` is the maximum of these read units. */
  readonly beside?: { readonly most: number; readonly of: (item: Item) => number };
}

const OF_ANY: RowUnits = { largest: 48 };
const NOTHING_BESIDE: NonNullable<RowUnits['beside']> = { most: 0, of: () => 0 };

/** Lists a page within a budget of read units. `left` is the remaining budget. */
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
 * Reads items by key, in order, until the budget is used up. Always reads at least one. `last` is the key of the last
 * item read, or undefined if no more items are left.
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
