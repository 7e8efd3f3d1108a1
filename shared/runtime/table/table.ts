import {
  type AttributeValue,
  ConditionalCheckFailedException,
  DynamoDBClient,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { invalidRequest, PublicError } from '../values/errors.ts';
import type { IndexName } from './table-schema.ts';

/** The stored form of an item: what the codecs in `*.table.ts` turn into entities. */
export type Item = Record<string, unknown>;
export type Key = { pk: string; sk: string };

type Leg = NonNullable<TransactWriteCommandInput['TransactItems']>[number];
type WithoutTable<T> = Omit<NonNullable<T>, 'TableName' | 'ReturnValuesOnConditionCheckFailure'>;

/**
 * One write, made by the `*.table.ts` that owns the item; a use case composes several into one transaction. `refused` says what
 * it means when the condition does not hold, given the item's current state; `undefined` means that there is nothing left to
 * do, and the whole write is dropped without an error.
 */
export interface TableWrite {
  readonly put?: WithoutTable<Leg['Put']>;
  readonly update?: WithoutTable<Leg['Update']>;
  readonly delete?: WithoutTable<Leg['Delete']>;
  readonly refused?: (current: Item | undefined) => Error | undefined;
}

export interface Page {
  /** At most this many items, by default 100. */
  readonly limit?: number;
  readonly newestFirst?: boolean;
  readonly start?: PageStart | undefined;
  /** Only sort keys from the one to the other, both included. */
  readonly between?: readonly [string, string];
}

/** Sorts before every time (ISO) that is written here; a key may not be empty. */
export const FIRST_TIME = '0';

/** The last item of the previous page: its key and its sort key in the index. */
export type PageStart = Key & { readonly sort: string };

export interface Table {
  /** A strongly consistent read; undefined if there is no such item. */
  get(key: Key): Promise<Item | undefined>;
  /** Strongly consistent reads, of some `fields` alone or whole; items that do not exist are left out, the order is not kept. */
  getMany(keys: readonly Key[], fields?: readonly string[]): Promise<Item[]>;
  /** All items of a partition, in the order of their sort keys; strongly consistent. */
  list(partition: string): Promise<Item[]>;
  /** One page of the items whose keys are in a partition of an index, in its order. `next` starts the page after it. */
  listIndex(index: IndexName, partition: string, page?: Page): Promise<{ items: Item[]; next: PageStart | undefined }>;
  /** The keys that such a page names, without their items. */
  listIndexKeys(
    index: IndexName,
    partition: string,
    page?: Page,
  ): Promise<{ keys: Key[]; next: PageStart | undefined }>;
  /**
   * Performs all writes or none. @throws what the refused one says; PublicError `busy` when others keep writing the same items.
   */
  write(writes: readonly TableWrite[]): Promise<void>;
  /**
   * An update whose new state is needed; safe to repeat only where the expression is. Undefined if its condition does not hold.
   */
  update(write: TableWrite): Promise<Item | undefined>;
}

/** What a table needs of the world; `Outside` has it. */
export interface TableNeeds {
  randomBytes(length: number): Buffer;
  sleep(ms: number): Promise<void>;
}

/** For one request of DynamoDB on AWS, which normally takes a few milliseconds. Below the timeout of every function. */
export const TABLE_TIMEOUT_MS = 3_000;

/** `endpoint` is DynamoDB Local's; on AWS it is left out. */
export function newDynamoDbClient(endpoint?: string): DynamoDBClient {
  return new DynamoDBClient({
    ...(endpoint && { endpoint }),
    // Without these a dead connection blocks a request until the function's own timeout. They count the wait for a socket too,
    // of which a laptop's one process has 50 for all its requests, where a function on AWS has one request.
    requestHandler: endpoint
      ? { connectionTimeout: 10_000, requestTimeout: 15_000, throwOnRequestTimeout: true }
      : { connectionTimeout: 1_000, requestTimeout: TABLE_TIMEOUT_MS, throwOnRequestTimeout: true },
  });
}

/** Every item of an index partition, all pages, in its order. */
export async function listWholeIndex(table: Table, index: IndexName, partition: string, page?: Page): Promise<Item[]> {
  const items: Item[] = [];
  let start: PageStart | undefined;
  do {
    const found = await table.listIndex(index, partition, { ...page, start });
    items.push(...found.items);
    start = found.next;
  } while (start);
  return items;
}

export function openTable(dynamoDb: DynamoDBClient, tableName: string, needs: TableNeeds): Table {
  const client = DynamoDBDocumentClient.from(dynamoDb, { marshallOptions: { removeUndefinedValues: true } });
  return { get, getMany, list, listIndex, listIndexKeys, write, update };

  async function get(key: Key) {
    const { Item } = await client.send(new GetCommand({ TableName: tableName, Key: key, ConsistentRead: true }));
    return Item;
  }

  async function getMany(keys: readonly Key[], fields?: readonly string[]) {
    const items: Item[] = [];
    // An index may name an item twice while it moves; a batch may not.
    const unique = [...new Map(keys.map((key) => [`${key.pk}/${key.sk}`, key])).values()];
    for (let n = 0; n < unique.length; n += MAX_BATCH_KEYS) {
      items.push(...(await getBatch(unique.slice(n, n + MAX_BATCH_KEYS), fields)));
    }
    return items;
  }

  async function getBatch(keys: readonly Key[], fields?: readonly string[]) {
    const items: Item[] = [];
    const only = fields && {
      ProjectionExpression: fields.map((_, n) => `#${n}`).join(', '),
      ExpressionAttributeNames: Object.fromEntries(fields.map((field, n) => [`#${n}`, field])),
    };
    let wanted = [...keys];
    for (let attempt = 0; wanted.length > 0; attempt++) {
      if (attempt === TRIES) throw busy('Too much is being read at the same time. Try again in a second.');
      if (attempt > 0) await backOff(attempt);
      const { Responses, UnprocessedKeys } = await client.send(
        new BatchGetCommand({ RequestItems: { [tableName]: { Keys: wanted, ConsistentRead: true, ...only } } }),
      );
      items.push(...(Responses?.[tableName] ?? []));
      wanted = (UnprocessedKeys?.[tableName]?.Keys ?? []).map(({ pk, sk }) => ({ pk, sk }));
    }
    return items;
  }

  async function list(partition: string) {
    const items: Item[] = [];
    let start: Item | undefined;
    do {
      const { Items = [], LastEvaluatedKey } = await client.send(
        new QueryCommand({
          TableName: tableName,
          KeyConditionExpression: 'pk = :pk',
          ExpressionAttributeValues: { ':pk': partition },
          ConsistentRead: true,
          ...(start && { ExclusiveStartKey: start }),
        }),
      );
      items.push(...Items);
      start = LastEvaluatedKey;
    } while (start);
    return items;
  }

  async function listIndexKeys(index: IndexName, partition: string, page: Page = {}) {
    const { limit = 100, newestFirst = false, start, between } = page;
    const [pkName, skName] = [`${index}pk`, `${index}sk`];
    const command = new QueryCommand({
      TableName: tableName,
      IndexName: index,
      KeyConditionExpression: `${pkName} = :pk${between ? ` AND ${skName} BETWEEN :first AND :last` : ''}`,
      ExpressionAttributeValues: { ':pk': partition, ...(between && { ':first': between[0], ':last': between[1] }) },
      ScanIndexForward: !newestFirst,
      Limit: limit,
      ...(start && { ExclusiveStartKey: { pk: start.pk, sk: start.sk, [pkName]: partition, [skName]: start.sort } }),
    });
    const { Items = [], LastEvaluatedKey } = await client.send(command).catch((error) => {
      // A start outside the partition or the range is not one that an earlier page gave.
      throw start && error.name === 'ValidationException' ? notACursor() : error;
    });
    return {
      keys: Items.map(({ pk, sk }) => ({ pk: String(pk), sk: String(sk) })),
      next: LastEvaluatedKey && {
        pk: String(LastEvaluatedKey.pk),
        sk: String(LastEvaluatedKey.sk),
        sort: String(LastEvaluatedKey[skName]),
      },
    };
  }

  async function listIndex(index: IndexName, partition: string, page?: Page) {
    const { keys, next } = await listIndexKeys(index, partition, page);
    const byKey = new Map((await getMany(keys)).map((item): [string, Item] => [`${item.pk}/${item.sk}`, item]));
    // An index is a moment behind the table: an item may be gone already.
    return { items: keys.map(({ pk, sk }) => byKey.get(`${pk}/${sk}`)).filter((item) => item !== undefined), next };
  }

  async function write(writes: readonly TableWrite[]) {
    const [only] = writes;
    // A conditional Put is safe to repeat: when it fails because of our own first try, `refused` sees that. A bare Update
    // is not: the SDK repeats a request whose answer got lost, and debits twice. So updates always go as transactions,
    // which carry a token.
    if (writes.length === 1 && only?.put?.ConditionExpression) await put(only);
    else await transact(writes);
  }

  async function put({ put, refused }: TableWrite) {
    const command = new PutCommand({ ...put, Item: put?.Item, TableName: tableName, ...ON_REFUSAL });
    try {
      await retryWhileContended(() => client.send(command));
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      throwRefusal(refused, error.Item, error);
    }
  }

  async function transact(writes: readonly TableWrite[]) {
    const command = new TransactWriteCommand({
      TransactItems: writes.map(({ put, update, delete: remove }) => ({
        ...(put && { Put: { ...put, TableName: tableName, ...ON_REFUSAL } }),
        ...(update && { Update: { ...update, TableName: tableName, ...ON_REFUSAL } }),
        ...(remove && { Delete: { ...remove, TableName: tableName, ...ON_REFUSAL } }),
      })),
      ClientRequestToken: needs.randomBytes(18).toString('base64url'),
    });
    try {
      await retryWhileContended(() => client.send(command));
    } catch (error) {
      if (!(error instanceof TransactionCanceledException)) throw error;
      const refusals = writes.flatMap(({ refused }, leg) => {
        const reason = error.CancellationReasons?.[leg];
        return reason?.Code === 'ConditionalCheckFailed' ? [{ refused, current: reason.Item }] : [];
      });
      if (refusals.length === 0) throw error;
      for (const { refused, current } of refusals) throwRefusal(refused, current, error);
    }
  }

  async function update({ update }: TableWrite) {
    if (!update) throw new Error('update() takes a write with an update');
    const command = new UpdateCommand({ ...update, TableName: tableName, ReturnValues: 'ALL_NEW' });
    try {
      const { Attributes } = await retryWhileContended(() => client.send(command));
      return Attributes;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return undefined;
      throw error;
    }
  }

  /**
   * The SDK retries after network errors and throttling, but never a write that conflicted with a transaction on the same item.
   */
  async function retryWhileContended<T>(send: () => Promise<T>): Promise<T> {
    for (let attempt = 1; attempt < TRIES; attempt++) {
      try {
        return await send();
      } catch (error) {
        if (!isContended(error)) throw error;
        await backOff(attempt);
      }
    }
    try {
      return await send();
    } catch (error) {
      throw isContended(error)
        ? busy('Too many requests are changing the same data; nothing was done. Try again in a second.')
        : error;
    }
  }

  /** Full jitter: each pause is random, up to its maximum. */
  function backOff(attempt: number): Promise<void> {
    const share = needs.randomBytes(4).readUInt32BE() / 2 ** 32;
    return needs.sleep(share * longestPauseMs(attempt));
  }
}

export const TRIES = 5;

/** Doubling from 100 ms: the four pauses between five tries are together under 1.5 seconds. */
export function longestPauseMs(attempt: number): number {
  return 100 * 2 ** (attempt - 1);
}

/** The limit of one BatchGetItem. */
export const MAX_BATCH_KEYS = 100;
const ON_REFUSAL = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;
const CONTENDED_CODES = new Set(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded']);
const CONTENDED_ERRORS = new Set(['TransactionConflictException', 'TransactionInProgressException']);

/** A failed condition is final, even if another write of the transaction met a conflict. */
function isContended(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (!(error instanceof TransactionCanceledException)) return CONTENDED_ERRORS.has(error.name);
  const codes = (error.CancellationReasons ?? []).map(({ Code }) => Code ?? 'None');
  return !codes.includes('ConditionalCheckFailed') && codes.some((code) => CONTENDED_CODES.has(code));
}

function throwRefusal(
  refused: TableWrite['refused'],
  current: Record<string, AttributeValue> | undefined,
  error: Error,
) {
  if (!refused) throw error;
  const refusal = refused(current && unmarshall(current));
  if (refusal) throw refusal;
}

function notACursor(): PublicError {
  return invalidRequest([{ field: 'cursor', message: 'must be the meta.next of an earlier page of the same list' }]);
}

function busy(message: string): PublicError {
  return new PublicError('busy', message, { headers: { 'retry-after': '1' } });
}
