import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import type { IndexName } from './table-schema.ts';

export type Item = Record<string, unknown>;
export type Key = { pk: string; sk: string };

type Leg = NonNullable<TransactWriteCommandInput['TransactItems']>[number];
type WithoutTable<T> = Omit<NonNullable<T>, 'TableName' | 'ReturnValuesOnConditionCheckFailure'>;

/**
 * A single write. If its condition fails, `refused` returns the error for the current item. If `refused` returns
 * undefined, the work is already done, and the whole transaction is dropped without an error.
 */
export interface TableWrite {
  readonly put?: WithoutTable<Leg['Put']>;
  readonly update?: WithoutTable<Leg['Update']>;
  readonly delete?: WithoutTable<Leg['Delete']>;
  readonly check?: WithoutTable<Leg['ConditionCheck']>;
  readonly refused?: (current: Item | undefined) => Error | undefined | Promise<Error | undefined>;
  /** Returns the error if another transaction is writing the item. If `contended` is unset, the write is retried. */
  readonly contended?: () => Error;
}

export interface Page {
  readonly limit?: number;
  readonly newestFirst?: boolean;
  readonly start?: PageStart | undefined;
  /** First and last sort key, both inclusive. */
  readonly between?: readonly [string, string];
}

/** Sorts before every ISO time. DynamoDB does not allow empty keys. */
export const FIRST_TIME = '0';

export const LAST_SORT = '~';

export type PageStart = Key & { readonly sort: string };

export interface Table {
  /** Reads an item with strong consistency, or returns undefined. */
  get(key: Key): Promise<Item | undefined>;
  /** Reads items with strong consistency, in any order, optionally only some `fields`. Omits missing items. */
  getMany(keys: readonly Key[], fields?: readonly string[]): Promise<Item[]>;
  /** Lists a partition's items in order, with strong consistency. */
  list(partition: string, range?: Pick<Page, 'between' | 'limit'>): Promise<Item[]>;
  listPage(partition: string, page?: Page): Promise<{ items: Item[]; next: PageStart | undefined }>;
  listIndex(index: IndexName, partition: string, page?: Page): Promise<{ items: Item[]; next: PageStart | undefined }>;
  listIndexKeys(
    index: IndexName,
    partition: string,
    page?: Page,
  ): Promise<{ keys: PageStart[]; next: PageStart | undefined }>;
  /**
   * Performs all writes or none.
   * @throws the refused write's error, or PublicError `busy` if other writers keep changing the same items.
   */
  write(writes: readonly TableWrite[]): Promise<void>;
  /**
   * Deletes an item. Use only for items that are never recreated, because the SDK may repeat the request. Costs half as
   * much as a transaction.
   */
  remove(key: Key): Promise<void>;
  /** Updates and returns an item, or returns undefined if the condition fails. The update must be idempotent. */
  update(write: TableWrite): Promise<Item | undefined>;
}

export function createItem(Item: Item, refused?: TableWrite['refused']): TableWrite {
  return { put: { Item, ConditionExpression: 'attribute_not_exists(pk)' }, ...(refused && { refused }) };
}

export interface Condition extends Pick<TableWrite, 'refused' | 'contended'> {
  /** A condition. `#name` is an attribute; `:name` is one of `values` or of the attributes being set. */
  readonly when?: string;
  readonly values?: Item;
}

/** Returns a condition that requires attributes to be unchanged. An attribute that is `undefined` must not exist. */
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

/** Returns the attributes in a condition, which are marked with `#`. Most conditions have none, so check that first. */
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

/** Returns the condition that a counter is at most `room`. A missing counter counts as 0. */
function hasRoom(name: string, room: number): string {
  return room < 0 ? `#${name} <= :${name}_room` : `(attribute_not_exists(#${name}) OR #${name} <= :${name}_room)`;
}

export async function listWholeIndex(table: Table, index: IndexName, partition: string, page?: Page): Promise<Item[]> {
  const all = await readPages(Number.POSITIVE_INFINITY, (start) =>
    table.listIndex(index, partition, { ...page, start }),
  );
  return all.items;
}

/** Reads pages of a list until it ends or `most` rows have been read. Returns the last page in full. */
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
