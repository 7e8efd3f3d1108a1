import * as z from 'zod/mini';
import type { TableOutside } from '../outside/outside.ts';
import { TRY_AGAIN } from '../values/errors.ts';
import { Changed } from './contention.ts';
import {
  asRead,
  type Change,
  type Condition,
  changeItem,
  checkItem,
  createItem,
  type Item,
  type Key,
  listWholeIndex,
  type Page,
  type PageStart,
  putItem,
  removeItem,
  type TableWrite,
} from './table.ts';
import { type BudgetedPage, listWithin } from './within-budget.ts';

/** Part of a key: a string with fields such as `<slug>`, or a function of some fields. */
type Part = string | ((of: never) => string);

type Of<One extends Part> = One extends (of: infer Fields) => string
  ? Fields
  : { readonly [Field in FieldsIn<One>]: string };

type FieldsIn<Words> = Words extends `${string}<${infer Field}>${infer Rest}` ? Field | FieldsIn<Rest> : never;

interface Layout<Pk, Sk> {
  readonly pk: Pk;
  readonly sk: Sk;
  readonly changed?: string;
  /** Maximum size of a row, in read units. A lower maximum means fewer reads per page. */
  readonly largestUnits?: number;
}

interface Index<Pk, Sk> {
  readonly gsi1: { readonly pk: Pk; readonly sk: Sk };
}

interface Ending {
  readonly expires_at_epoch_seconds?: number | undefined;
}

/** Operations on one kind of row. `One` identifies a row and `In` identifies a list. `Whole` is a row's full input. */
interface Rows<Row, One, In, Whole> {
  key(of: One): Key;
  parse(item: Item): Row;
  find(outside: TableOutside, of: One): Promise<Row | undefined>;
  /** Reads rows with strong consistency, in any order. Omits missing rows. */
  findMany(outside: TableOutside, ofs: readonly One[]): Promise<Row[]>;
  /**
   * Reads a list in order, or only the part `between` two keys. A list from an index lags slightly behind the table.
   */
  list(outside: TableOutside, of: In, range?: Pick<Page, 'between'>): Promise<Row[]>;
  /** Reads a page of a list. A page is short if its read budget runs out. */
  page(outside: TableOutside, of: In, page: BudgetedPage): Promise<{ entries: Row[]; next: PageStart | undefined }>;
  item(row: Whole & Ending): Item;
  create(row: Whole & Ending, refused?: TableWrite['refused']): TableWrite;
  createOnce(row: Whole & Ending): TableWrite;
  change(of: One, set: Item, change?: Change): TableWrite;
  put(row: Whole & Ending, condition?: Condition): TableWrite;
  remove(of: One, condition?: Condition): TableWrite;
  check(of: One, condition: Condition): TableWrite;
  changed(): Changed;
}

export function rows<Row, const Pk extends Part, const Sk extends Part, const In extends Part, const At extends Part>(
  schema: z.core.$ZodType<Row>,
  layout: Layout<Pk, Sk> & Index<In, At>,
): Rows<Row, Of<Pk> & Of<Sk>, Of<In>, Row & Of<Pk> & Of<Sk> & Of<In> & Of<At>>;
export function rows<Row, const Pk extends Part, const Sk extends Part>(
  schema: z.core.$ZodType<Row>,
  layout: Layout<Pk, Sk>,
): Rows<Row, Of<Pk> & Of<Sk>, Of<Pk>, Row & Of<Pk> & Of<Sk>>;
export function rows(
  schema: z.core.$ZodType<Item>,
  {
    pk,
    sk,
    gsi1,
    changed = `Another request is changing the same data. ${TRY_AGAIN}`,
    largestUnits,
  }: Layout<Made, Made> & Partial<Index<Made, Made>>,
): Rows<Item, Item, Item, Item> {
  const [pkOf, skOf] = [made(pk), made(sk)];
  const [listOf, placeOf] = [gsi1 && made(gsi1.pk), gsi1 && made(gsi1.sk)];
  const key = (of: Item) => ({ pk: pkOf(of), sk: skOf(of) });
  const parse = (item: Item) => z.parse(schema, item);
  const units = largestUnits === undefined ? undefined : { largest: largestUnits };
  const item = (row: Item) =>
    listOf && placeOf ? { ...key(row), gsi1pk: listOf(row), gsi1sk: placeOf(row), ...row } : { ...key(row), ...row };
  return {
    key,
    parse,
    find: async ({ table }, of) => {
      const found = await table.get(key(of));
      return found && parse(found);
    },
    findMany: async ({ table }, ofs) => (await table.getMany(ofs.map(key))).map(parse),
    list: async ({ table }, of, range) => {
      const found = listOf ? listWholeIndex(table, 'gsi1', listOf(of), range) : table.list(pkOf(of), range);
      return (await found).map(parse);
    },
    page: async ({ table }, of, page) => {
      const { items, next } = await (listOf
        ? listWithin(table, ['gsi1', listOf(of)], page, units)
        : table.listPage(pkOf(of), page));
      return { entries: items.map(parse), next };
    },
    item,
    create: (row, refused) => createItem(item(row), refused),
    createOnce: (row) => createItem(item(row), () => undefined),
    change: (of, set, change) => changeItem(key(of), set, change),
    put: (row, condition) => putItem(item(row), condition),
    remove: (of, condition) => removeItem(key(of), condition),
    check: (of, condition) => checkItem(key(of), condition),
    changed: () => new Changed('busy', changed),
  };
}

/** Returns a condition that requires every field of the row to be unchanged. */
export function wholeAsRead(schema: z.ZodMiniObject, row: Item): Required<Pick<Condition, 'when' | 'values'>> {
  return asRead(Object.fromEntries(Object.keys(schema.shape).map((field) => [field, row[field]])));
}

type Made = string | ((of: Item) => string);

/** Precompiles a part of a key, because the result is used for every row. */
function made(part: Made): (of: Item) => string {
  if (typeof part !== 'string') return part;
  const [start = '', ...rest] = part.split(/[<>]/);
  const fields = rest.flatMap((name, n) => (n % 2 === 0 ? { name, after: rest[n + 1] } : []));
  const [only] = fields;
  if (only && fields.length === 1) return (of) => `${start}${of[only.name]}${only.after}`;
  return (of) => {
    let text = start;
    for (const { name, after } of fields) text += `${of[name]}${after}`;
    return text;
  };
}
