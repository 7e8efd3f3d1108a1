import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import type { IndexName } from './table-schema.ts';

/** The stored form of an item: what the codecs in `*.table.ts` turn into entities. */
export type Item = Record<string, unknown>;
export type Key = { pk: string; sk: string };

type Leg = NonNullable<TransactWriteCommandInput['TransactItems']>[number];
type WithoutTable<T> = Omit<NonNullable<T>, 'TableName' | 'ReturnValuesOnConditionCheckFailure'>;

/**
 * One write, made by the `*.table.ts` that owns the item; a use case composes several into one transaction.
 * `refused` says what it means when the condition does not hold, given the item as it is; `undefined` means that there
 * is nothing left to do, and the whole write is dropped without an error.
 */
export interface TableWrite {
  readonly put?: WithoutTable<Leg['Put']>;
  readonly update?: WithoutTable<Leg['Update']>;
  readonly delete?: WithoutTable<Leg['Delete']>;
  /** Changes nothing: the others are made only while this holds. */
  readonly check?: WithoutTable<Leg['ConditionCheck']>;
  readonly refused?: (current: Item | undefined) => Error | undefined | Promise<Error | undefined>;
  /**
   * What it means that another transaction is writing the item at this moment. Without it the same is tried again; that is in vain where
   * the condition asks for the item as it was read.
   */
  readonly contended?: () => Error;
}

export interface Page {
  /** At most this many items, by default 100. */
  readonly limit?: number;
  readonly newestFirst?: boolean;
  readonly start?: PageStart | undefined;
  /** Only what sorts from the one to the other, both included. */
  readonly between?: readonly [string, string];
}

/** Sorts before every time (ISO) that is written here; a key may not be empty. */
export const FIRST_TIME = '0';

/** Sorts after everything that is written here. */
export const LAST_SORT = '~';

/** An item's place in an index: its key and its sort key there. A page starts after the last place of the page before. */
export type PageStart = Key & { readonly sort: string };

export interface Table {
  /** A strongly consistent read; undefined where there is no such item. */
  get(key: Key): Promise<Item | undefined>;
  /**
   * Strongly consistent reads, of some `fields` alone or whole, each key once and without a request where there is none; items that do not
   * exist are left out, the order is not kept.
   */
  getMany(keys: readonly Key[], fields?: readonly string[]): Promise<Item[]>;
  /**
   * The items of a partition whose sort keys stand `between` two values, in their order and at most `limit`; without these,
   * all of them. Strongly consistent.
   */
  list(partition: string, range?: Pick<Page, 'between' | 'limit'>): Promise<Item[]>;
  /** One page of the items of a partition. Strongly consistent. */
  listPage(partition: string, page?: Page): Promise<{ items: Item[]; next: PageStart | undefined }>;
  /** One page of the items whose keys stand in a partition of an index, in its order. `next` starts the page after it. */
  listIndex(index: IndexName, partition: string, page?: Page): Promise<{ items: Item[]; next: PageStart | undefined }>;
  /** The keys that such a page names, without their items. */
  listIndexKeys(
    index: IndexName,
    partition: string,
    page?: Page,
  ): Promise<{ keys: PageStart[]; next: PageStart | undefined }>;
  /** Makes all writes or none. @throws what the refused one says; PublicError `busy` when others keep writing the same items. */
  write(writes: readonly TableWrite[]): Promise<void>;
  /** Deletes an item that nobody stores anew: the SDK repeats it where its answer was lost. Half the price of a write. */
  remove(key: Key): Promise<void>;
  /** An update whose new state is needed; safe to repeat only where the expression is. Undefined where its condition does not hold. */
  update(write: TableWrite): Promise<Item | undefined>;
  /** The kinds of row that have changed, and how. */
  readonly shapes: readonly RowShape[];
  /** A row that came by another way, from the stream or a scan, in the shape that this release knows, as all reads here give it. */
  asCurrent(row: Item): Item;
  /** Stores a row in that shape: true where this did it, false where it is so already, or is gone. `row` is as it is stored. */
  carryOver(row: Item): Promise<boolean>;
}

/** How a row becomes one of the next shape. The same row always becomes the same. */
interface ShapeStep {
  /** All that `change` is given: a row is carried over only while these are as they were read. */
  readonly reads: readonly string[];
  /** The attributes that change, each with its new value; `undefined` removes it. Never fails, whatever the row lacks. */
  readonly change: (fields: Item) => Item;
}

/** A kind of row whose shape has changed, by how its keys begin. */
export interface RowShape {
  readonly pk: string;
  readonly sk: string;
  /** The oldest shape that is still read; 1 until the first step is removed. */
  readonly oldest: number;
  /** From the oldest shape to that of today, one after another. */
  readonly steps: readonly ShapeStep[];
}

/** Stores a new item; refused where its key is taken. */
export function createItem(Item: Item, refused?: TableWrite['refused']): TableWrite {
  return { put: { Item, ConditionExpression: 'attribute_not_exists(pk)' }, ...(refused && { refused }) };
}

/** When a write is made, and what it means where that does not hold. */
export interface Condition extends Pick<TableWrite, 'refused' | 'contended'> {
  /** In it `#name` is an attribute, and `:name` one of `values`, or of what is set. */
  readonly when?: string;
  readonly values?: Item;
}

/** The condition that these attributes are as they were read: that an item has none of what is undefined. */
export function asRead(read: Item): Required<Pick<Condition, 'when' | 'values'>> {
  const fields = Object.entries(read);
  const known = fields.filter(([, value]) => value !== undefined);
  return {
    when: fields
      .map(([name, value]) => (value === undefined ? `attribute_not_exists(#${name})` : `#${name} = :${name}_read`))
      .join(' AND '),
    values: Object.fromEntries(known.map(([name, value]) => [`:${name}_read`, value])),
  };
}

/** Stores an item in the place of whatever was there. */
export function putItem(Item: Item, { when, values, ...meaning }: Condition = {}): TableWrite {
  return { put: { Item, ...expressions(when, values) }, ...meaning };
}

/** Removes an item. */
export function removeItem(Key: Key, { when, values, ...meaning }: Condition = {}): TableWrite {
  return { delete: { Key, ...expressions(when, values) }, ...meaning };
}

/** Changes nothing: the writes beside it are made only while this holds. */
export function checkItem(Key: Key, { when = 'attribute_exists(pk)', values, ...meaning }: Condition): TableWrite {
  return { check: { Key, ConditionExpression: when, ...expressions(when, values) }, ...meaning };
}

function expressions(when: string | undefined, values: Item = {}) {
  if (when === undefined) return {};
  const names = namesIn(when);
  return {
    ConditionExpression: when,
    ...(names.length > 0 && { ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])) }),
    ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
  };
}

/** The attributes that a condition names. Most name none by `#`, and a send has six: it is asked first whether there is any. */
function namesIn(when: string): string[] {
  return when.includes('#') ? Array.from(when.matchAll(/#(\w+)/g), ([, name = '']) => name) : [];
}

export interface Change extends Condition {
  /** Set only where the item has none. */
  readonly once?: Item | undefined;
  /** Added to what the item has, or to 0. */
  readonly add?: Readonly<Record<string, number>>;
  /** To each of these `by` is added, 1 by default, and it is a condition that none becomes more than is said here: `{ tries: 5 }`. */
  readonly upTo?: Readonly<Record<string, number>>;
  readonly by?: number;
}

/** Sets attributes of an item, and removes those that are undefined. */
export function changeItem(
  Key: Key,
  set: Item,
  { when: also = '', values = {}, once = {}, add: more = {}, upTo = {}, by = 1, refused, contended }: Change = {},
): TableWrite {
  const counters = Object.entries(upTo);
  const when = [...(also ? [also] : []), ...counters.map(([name, most]) => hasRoom(name, most - by))].join(' AND ');
  const add = { ...more, ...Object.fromEntries(counters.map(([name]) => [name, by])) };
  const all = Object.entries({ ...set, ...once });
  const given = all.filter(([, value]) => value !== undefined);
  const removed = all.filter(([, value]) => value === undefined).map(([name]) => `#${name}`);
  const assigned = given.map(([name]) =>
    name in once ? `#${name} = if_not_exists(#${name}, :${name})` : `#${name} = :${name}`,
  );
  const added = Object.keys(add).map((name) => `#${name} :${name}`);
  const names = [...all.map(([name]) => name), ...Object.keys(add), ...namesIn(when)];
  const bound = {
    ...values,
    ...Object.fromEntries(counters.map(([name, most]) => [`:${name}_room`, most - by])),
    ...Object.fromEntries([...given, ...Object.entries(add)].map(([name, value]) => [`:${name}`, value])),
  };
  return {
    update: {
      Key,
      UpdateExpression: [
        ...(assigned.length > 0 ? [`SET ${assigned.join(', ')}`] : []),
        ...(removed.length > 0 ? [`REMOVE ${removed.join(', ')}`] : []),
        ...(added.length > 0 ? [`ADD ${added.join(', ')}`] : []),
      ].join(' '),
      ...(when && { ConditionExpression: when }),
      ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
      ...(Object.keys(bound).length > 0 && { ExpressionAttributeValues: bound }),
    },
    ...(refused && { refused }),
    ...(contended && { contended }),
  };
}

/** What was never counted is 0, of which there is room for nothing where `room` is below it. */
function hasRoom(name: string, room: number): string {
  return room < 0 ? `#${name} <= :${name}_room` : `(attribute_not_exists(#${name}) OR #${name} <= :${name}_room)`;
}

/** Every item of an index partition, all pages, in its order. */
export async function listWholeIndex(table: Table, index: IndexName, partition: string, page?: Page): Promise<Item[]> {
  const all = await readPages(Number.POSITIVE_INFINITY, (start) =>
    table.listIndex(index, partition, { ...page, start }),
  );
  return all.items;
}

/** A list's pages one after the other, until it ends or `most` rows are read; the last page is not cut. */
export async function readPages<Row>(
  most: number,
  readPage: (start: PageStart | undefined) => Promise<{ items: readonly Row[]; next: PageStart | undefined }>,
): Promise<{ items: Row[]; isMore: boolean }> {
  const items: Row[] = [];
  let start: PageStart | undefined;
  do {
    const page = await readPage(start);
    items.push(...page.items);
    start = page.next;
  } while (start && items.length < most);
  return { items, isMore: start !== undefined };
}
