import * as z from 'zod/mini';
import type { TableOutside } from '../outside/outside.ts';
import { Changed } from './contention.ts';
import {
  type Change,
  changeItem,
  createItem,
  type Item,
  type Key,
  listWholeIndex,
  type Page,
  type PageStart,
  type TableWrite,
} from './table.ts';

/** Where a kind of row is stored and listed: as the attributes are called, and what of a row makes each. */
interface Layout<Pk, Sk> {
  readonly pk: string | ((of: Pk) => string);
  readonly sk: string | ((of: Sk) => string);
  /** What a write is refused with, as `busy`, where the row is not as it was read. */
  readonly changed?: string;
}

/** The index that lists a kind of row; one that has none is listed by its partition. */
interface Index<Row, In> {
  readonly gsi1: { readonly pk: string | ((of: In) => string); readonly sk: (row: Row) => string };
}

/** When a row is removed; a kind whose rows are read without it need not know it. */
interface Ending {
  readonly expires_at_epoch_seconds?: number | undefined;
}

/** What is the same of every kind of row. `Of` names one, `In` a list of them. */
export interface Rows<Row, Of, In> {
  key(of: Of): Key;
  parse(item: Item): Row;
  /** Strongly consistent; undefined where there is none. */
  find(outside: TableOutside, of: Of): Promise<Row | undefined>;
  /** Strongly consistent, in no order; those that are gone are left out. */
  findMany(outside: TableOutside, ofs: readonly Of[]): Promise<Row[]>;
  /** A whole list in its order, or what of it stands `between`; from an index, a moment behind. */
  list(outside: TableOutside, of: In, range?: Pick<Page, 'between'>): Promise<Row[]>;
  page(outside: TableOutside, of: In, page: Page): Promise<{ entries: Row[]; next: PageStart | undefined }>;
  /** A row as it is stored. */
  item(row: Row & Of & In & Ending): Item;
  /** Refused where its key is taken. */
  create(row: Row & Of & In & Ending, refused?: TableWrite['refused']): TableWrite;
  /** The first row of a key stays: where there is one, nothing is left to do. */
  createOnce(row: Row & Of & In & Ending): TableWrite;
  /** `changeItem` of the row. */
  change(of: Of, set: Item, change?: Change): TableWrite;
  remove(of: Of): TableWrite;
  /** The row is not as it was read: it is read and decided about again. */
  readonly Changed: new () => Changed;
  changed(): Changed;
}

export function rows<Row, Pk, Sk, In>(
  schema: z.core.$ZodType<Row>,
  layout: Layout<Pk, Sk> & Index<Row, In>,
): Rows<Row, Pk & Sk, In>;
export function rows<Row, Pk, Sk>(schema: z.core.$ZodType<Row>, layout: Layout<Pk, Sk>): Rows<Row, Pk & Sk, Pk>;
export function rows(
  schema: z.core.$ZodType<Item>,
  {
    pk,
    sk,
    gsi1,
    changed = 'The same data is changing. Try again in a second.',
  }: Layout<Item, Item> & Partial<Index<Item, Item>>,
): Rows<Item, Item, Item> {
  const [pkOf, skOf, listOf] = [made(pk), made(sk), gsi1 && made(gsi1.pk)];
  const key = (of: Item) => ({ pk: pkOf(of), sk: skOf(of) });
  const parse = (item: Item) => z.parse(schema, item);
  const item = (row: Item) =>
    gsi1 ? { ...key(row), gsi1pk: listOf?.(row), gsi1sk: gsi1.sk(row), ...row } : { ...key(row), ...row };
  class RowChanged extends Changed {
    constructor() {
      super('busy', changed);
    }
  }
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
        ? table.listIndex('gsi1', listOf(of), page)
        : table.listPage(pkOf(of), page));
      return { entries: items.map(parse), next };
    },
    item,
    create: (row, refused) => createItem(item(row), refused),
    createOnce: (row) => createItem(item(row), () => undefined),
    change: (of, set, change) => changeItem(key(of), set, change),
    remove: (of) => ({ delete: { Key: key(of) } }),
    Changed: RowChanged,
    changed: () => new RowChanged(),
  };
}

function made(attribute: string | ((of: Item) => string)): (of: Item) => string {
  return typeof attribute === 'string' ? () => attribute : attribute;
}
