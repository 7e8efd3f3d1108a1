import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import type { IndexName } from './table-schema.ts';

export type Item = Record<string, unknown>;
export type Key = { pk: string; sk: string };

type Leg = NonNullable<TransactWriteCommandInput['TransactItems']>[number];
type WithoutTable<T> = Omit<NonNullable<T>, 'TableName' | 'ReturnValuesOnConditionCheckFailure'>;

/**
 * One write, made by the `*.table.ts` that owns the item; a use case combines several in one transaction. `refused`
 * gives the error for a failed condition, given the current item; `undefined` means that nothing is left to do, and the
 * whole transaction is dropped without an error.
 */
export interface TableWrite {
  readonly put?: WithoutTable<Leg['Put']>;
  readonly update?: WithoutTable<Leg['Update']>;
  readonly delete?: WithoutTable<Leg['Delete']>;
  /** Writes nothing: the other writes require this condition. */
  readonly check?: WithoutTable<Leg['ConditionCheck']>;
  readonly refused?: (current: Item | undefined) => Error | undefined | Promise<Error | undefined>;
  /**
   * The error if another transaction is writing the item right now. Without this the write is retried, which is futile
   * if the condition requires the item as it was read.
   */
  readonly contended?: () => Error;
}

export interface Page {
  readonly limit?: number;
  readonly newestFirst?: boolean;
  readonly start?: PageStart | undefined;
  /** Only sort keys from the first to the second, both included. */
  readonly between?: readonly [string, string];
}

/** Sorts before every ISO time; a key may not be empty. */
export const FIRST_TIME = '0';

export const LAST_SORT = '~';

/** An item's position in an index. A page starts after the last position of the previous one. */
export type PageStart = Key & { readonly sort: string };

export interface Table {
  /** Strongly consistent; undefined if absent. */
  get(key: Key): Promise<Item | undefined>;
  /**
   * Strongly consistent and unordered, with only some `fields` if given. Absent items are left out; no keys make no
   * request.
   */
  getMany(keys: readonly Key[], fields?: readonly string[]): Promise<Item[]>;
  /** A partition's items in order, optionally `between` two sort keys, at most `limit`. Strongly consistent. */
  list(partition: string, range?: Pick<Page, 'between' | 'limit'>): Promise<Item[]>;
  listPage(partition: string, page?: Page): Promise<{ items: Item[]; next: PageStart | undefined }>;
  listIndex(index: IndexName, partition: string, page?: Page): Promise<{ items: Item[]; next: PageStart | undefined }>;
  listIndexKeys(
    index: IndexName,
    partition: string,
    page?: Page,
  ): Promise<{ keys: PageStart[]; next: PageStart | undefined }>;
  /**
   * Makes all writes or none.
   * @throws the refused write's error; PublicError `busy` if others keep writing the same items.
   */
  write(writes: readonly TableWrite[]): Promise<void>;
  /**
   * Deletes an item that is never stored anew, because the SDK may repeat the delete. Half the price of a transaction.
   */
  remove(key: Key): Promise<void>;
  /**
   * Updates and returns the new item; undefined if the condition fails. Use only expressions that are safe to repeat.
   */
  update(write: TableWrite): Promise<Item | undefined>;
  readonly shapes: readonly RowShape[];
  /** Converts a row from the stream or a scan to this release's shape, as reads do. */
  asCurrent(row: Item): Item;
  /**
   * Stores a row in this release's shape. `row` is as stored.
   * @returns false if it already had that shape, or is gone.
   */
  carryOver(row: Item): Promise<boolean>;
}

interface ShapeStep {
  /** The only input of `change`; the upgrade requires these to be unchanged. */
  readonly reads: readonly string[];
  /** The changed attributes; `undefined` removes one. Never fails, whatever the row lacks. */
  readonly change: (fields: Item) => Item;
}

/** A kind of row whose shape has changed, identified by the start of its keys. */
export interface RowShape {
  readonly pk: string;
  readonly sk: string;
  /** The oldest shape still read; 1 until the first step is removed. */
  readonly oldest: number;
  readonly steps: readonly ShapeStep[];
}

export function createItem(Item: Item, refused?: TableWrite['refused']): TableWrite {
  return { put: { Item, ConditionExpression: 'attribute_not_exists(pk)' }, ...(refused && { refused }) };
}

export interface Condition extends Pick<TableWrite, 'refused' | 'contended'> {
  /** `#name` stands for an attribute, `:name` for one of `values` or of the set attributes. */
  readonly when?: string;
  readonly values?: Item;
}

/** Requires attributes to be as read; undefined ones must be absent. */
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

export function putItem(Item: Item, { when, values, ...meaning }: Condition = {}): TableWrite {
  return { put: { Item, ...expressions(when, values) }, ...meaning };
}

export function removeItem(Key: Key, { when, values, ...meaning }: Condition = {}): TableWrite {
  return { delete: { Key, ...expressions(when, values) }, ...meaning };
}

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

/** The attributes a condition names by `#`. Most have none, so that is checked first: a send has six conditions. */
function namesIn(when: string): string[] {
  return when.includes('#') ? Array.from(when.matchAll(/#(\w+)/g), ([, name = '']) => name) : [];
}

export interface Change extends Condition {
  readonly once?: Item | undefined;
  readonly add?: Readonly<Record<string, number>>;
  readonly upTo?: Readonly<Record<string, number>>;
  readonly by?: number;
}

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

/** An absent counter is 0, which leaves no room if `room` is negative. */
function hasRoom(name: string, room: number): string {
  return room < 0 ? `#${name} <= :${name}_room` : `(attribute_not_exists(#${name}) OR #${name} <= :${name}_room)`;
}

export async function listWholeIndex(table: Table, index: IndexName, partition: string, page?: Page): Promise<Item[]> {
  const all = await readPages(Number.POSITIVE_INFINITY, (start) =>
    table.listIndex(index, partition, { ...page, start }),
  );
  return all.items;
}

/** Reads a list page by page until it ends or `most` rows are read. The last page is not cut. */
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
