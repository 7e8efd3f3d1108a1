import { isDeepStrictEqual } from 'node:util';
import { tableSchema } from '../../../shared/runtime/table/table-schema.ts';
import { MINUTE_MS } from '../../../shared/runtime/values/calendar.ts';
import { type Expressions, readExpressions } from './bindings.ts';
import { DynamoDbError, ItemError, invalid, notCovered } from './errors.ts';
import { holds, updated } from './evaluate.ts';
import { keyRange, pathsOf } from './key-range.ts';
import { comparePositions, firstWhere, type Row, type RowPosition } from './rows.ts';
import type { Index, Store } from './store.ts';
import {
  type Attributes,
  attributeOf,
  attributesBytes,
  checkAttributes,
  compareTexts,
  isRecord,
  textBytes,
  unreadable,
  type Value,
} from './values.ts';

export interface Table {
  readonly name: string;
  readonly store: Store;
  readonly tokens: Map<string, { readonly content: unknown; readonly atMs: number }>;
  readonly nowMs: number;
}

export type Input = Readonly<Record<string, unknown>>;

const { partitionKey: PK, sortKey: SK, indexes: INDEXES } = tableSchema;
const MAX_BYTES = { item: 400 * 1024, page: 1024 ** 2, batch: 16 * 1024 ** 2, transaction: 4 * 1024 ** 2 };
const MAX_KEY_BYTES = { partition: 2048, sort: 1024 };
const INDEX_KEYS = INDEXES.flatMap(({ name: index, partitionKey, sortKey }) => [
  { index, name: partitionKey, most: MAX_KEY_BYTES.partition },
  { index, name: sortKey, most: MAX_KEY_BYTES.sort },
]);
const MAX_BATCH_KEYS = 100;
const MAX_LEGS = 100;
const TOKEN_MS = 10 * MINUTE_MS;

const PLACEHOLDERS = ['ExpressionAttributeNames', 'ExpressionAttributeValues'];
const LEG = ['TableName', 'ConditionExpression', ...PLACEHOLDERS, 'ReturnValuesOnConditionCheckFailure'];
const PAGE = ['TableName', 'FilterExpression', ...PLACEHOLDERS, 'Limit', 'ExclusiveStartKey', 'ConsistentRead'];

export const operations: Readonly<Record<string, (table: Table, input: Input) => string>> = {
  GetItem: getItem,
  BatchGetItem: (table, input) => batchGetItem(table, input),
  Query: query,
  Scan: scan,
  PutItem: putItem,
  UpdateItem: updateItem,
  DeleteItem: deleteItem,
  TransactWriteItems: transactWriteItems,
};

function getItem(table: Table, input: Input): string {
  knowsOnly(input, ['TableName', 'Key', 'ConsistentRead']);
  isThisTable(table, input);
  const { pk, sk } = readKey(input.Key);
  const row = table.store.get(pk, sk);
  table.store.bill(pk, row?.bytes ?? 0);
  return row ? `{"Item":${row.json}}` : '{}';
}

/** Returns only the given `share` of the items. The other keys are returned as unprocessed. */
export function batchGetItem(table: Table, input: Input, share = 1): string {
  knowsOnly(input, ['RequestItems']);
  if (!isRecord(input.RequestItems)) throw unreadable('RequestItems');
  const requests = Object.entries(input.RequestItems);
  if (requests.length === 0) throw invalid('BatchGetItem must have some requests set');
  const [[tableName, request] = ['', undefined]] = requests;
  if (requests.length > 1 || tableName !== table.name) throw noSuchTable();
  if (!isRecord(request)) throw unreadable('a request');
  knowsOnly(request, ['Keys', 'ConsistentRead', 'ProjectionExpression', 'ExpressionAttributeNames']);
  const fields = readProjection(request);
  const keys = readList(request.Keys, 'Keys');
  if (keys.length === 0) throw invalid(`The list of keys in RequestItems for BatchGetItem is required`);
  if (keys.length > MAX_BATCH_KEYS) throw invalid('Too many items requested for the BatchGetItem call');
  const places = keys.map(readKey);
  mustBeDistinct(places, 'Provided list of item keys contains duplicates');

  const found: string[] = [];
  const unprocessed: unknown[] = [];
  let bytes = 0;
  for (const [n, { pk, sk }] of places.entries()) {
    const row = table.store.get(pk, sk);
    table.store.bill(pk, row?.bytes ?? 0);
    bytes += row?.bytes ?? 0;
    if (n >= keys.length * share || bytes > MAX_BYTES.batch) unprocessed.push(keys[n]);
    // DynamoDB does not guarantee an order. Reversing the items breaks code that relies on an order.
    else if (row) found.unshift(fields ? projected(row.json, fields) : row.json);
  }
  const left = unprocessed.length > 0 ? { [tableName]: { ...request, Keys: unprocessed } } : {};
  return `{"Responses":{${JSON.stringify(tableName)}:[${found.join()}]},"UnprocessedKeys":${JSON.stringify(left)}}`;
}

/** Returns the projected attributes, if any. Supports only placeholders for whole attributes. */
function readProjection({ ProjectionExpression: expression, ExpressionAttributeNames: names }: Input) {
  if (expression === undefined && names === undefined) return undefined;
  if (typeof expression !== 'string' || !isRecord(names)) throw notCovered('a projection without placeholders');
  const placeholders = expression.split(', ');
  const fields = placeholders.map((placeholder) => names[placeholder]);
  if (Object.keys(names).length !== new Set(placeholders).size || fields.includes(undefined)) {
    throw invalid('ExpressionAttributeNames and the projection name different attributes');
  }
  return new Set(fields);
}

function projected(json: string, fields: ReadonlySet<unknown>): string {
  return JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(json)).filter(([name]) => fields.has(name))));
}

function query(table: Table, input: Input): string {
  knowsOnly(input, [...PAGE, 'IndexName', 'KeyConditionExpression', 'ScanIndexForward']);
  isThisTable(table, input);
  const index = readIndex(input.IndexName);
  if (index && input.ConsistentRead === true) {
    throw invalid('Consistent reads are not supported on global secondary indexes');
  }
  const { keyCondition, filter, bindings } = readExpressions(input, ['KeyConditionExpression', 'FilterExpression']);
  if (!keyCondition) {
    throw invalid('Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.');
  }
  if (filter && index) throw notCovered('a FilterExpression on an index, which contains only keys');
  for (const path of filter ? pathsOf(filter) : []) {
    const name = bindings.attribute(path);
    if (name === PK || name === SK) {
      throw invalid(`Filter Expression can only contain non-primary key attributes: Primary key attribute: ${name}`);
    }
  }
  const names = index ? { pk: index.partitionKey, sk: index.sortKey } : { pk: PK, sk: SK };
  const range = keyRange(keyCondition, names, bindings);
  const rows = table.store.partition(range.partition, index);
  let [from, to] = [firstWhere(rows, range.isReached), firstWhere(rows, range.isPast)];
  const isForward = input.ScanIndexForward !== false;
  // In a table, only one item has the range's last key, so the page that contains this item is the last one. In an
  // index, several items can share a key.
  const end = index ? undefined : isForward ? range.highest : range.lowest;
  if (input.ExclusiveStartKey !== undefined) {
    const start = readStart(input.ExclusiveStartKey, index);
    if (start.partition !== range.partition || !range.isReached(start) || range.isPast(start) || start.sort === end) {
      throw invalid('The provided starting key does not match the range key predicate');
    }
    if (isForward)
      from = Math.max(
        from,
        firstWhere(rows, (row) => comparePositions(row, start) > 0),
      );
    else
      to = Math.min(
        to,
        firstWhere(rows, (row) => comparePositions(row, start) >= 0),
      );
  }
  const limit = readLimit(input);
  const wanted = isForward
    ? rows.slice(from, Math.min(to, from + limit))
    : rows.slice(Math.max(from, to - limit), to).reverse();
  const isWanted = (row: Row) => !filter || holds(filter, row.item, bindings);
  const answer = page(wanted, { limit, isWanted, index, end });
  table.store.bill(range.partition, answer.bytes, index);
  return answer.json;
}

/** Returns items in key order, unlike DynamoDB, to make tests reproducible. */
function scan(table: Table, input: Input): string {
  knowsOnly(input, PAGE);
  isThisTable(table, input);
  const { filter, bindings } = readExpressions(input, ['FilterExpression']);
  const start = input.ExclusiveStartKey === undefined ? undefined : readKey(input.ExclusiveStartKey);
  const rows = [...table.store.partitionNames()].sort(compareTexts).flatMap((name) => table.store.partition(name));
  const isPastStart = ({ pk, sk }: Row) => !start || (compareTexts(pk, start.pk) || compareTexts(sk, start.sk)) > 0;
  const isWanted = (row: Row) => !filter || holds(filter, row.item, bindings);
  return page(rows.filter(isPastStart), { limit: readLimit(input), isWanted }).json;
}

interface PageOptions {
  readonly limit: number;
  readonly isWanted: (row: Row) => boolean;
  readonly index?: Index | undefined;
  readonly end?: string | undefined;
}

/** Cuts a page. The page ends at its limit or, if rows are left, after the row that reaches one megabyte. */
function page(
  rows: readonly Row[],
  { limit, isWanted, index, end }: PageOptions,
): { readonly json: string; readonly bytes: number } {
  const found: string[] = [];
  let [scanned, bytes] = [0, 0];
  let last: Row | undefined;
  for (const row of rows) {
    scanned++;
    bytes += row.bytes;
    if (isWanted(row)) found.push(row.json);
    if ((scanned === limit && row.sort !== end) || (bytes >= MAX_BYTES.page && scanned < rows.length)) {
      last = row;
      break;
    }
  }
  const next = last ? `,"LastEvaluatedKey":${JSON.stringify(pick(last.item, keyNames(index)))}` : '';
  return { json: `{"Items":[${found.join()}],"Count":${found.length},"ScannedCount":${scanned}${next}}`, bytes };
}

function putItem(table: Table, input: Input): string {
  knowsOnly(input, [...LEG, 'Item', 'ReturnValues']);
  return writeOne(table, input, readPut(table, input), ['NONE', 'ALL_OLD']);
}

function updateItem(table: Table, input: Input): string {
  knowsOnly(input, [...LEG, 'Key', 'UpdateExpression', 'ReturnValues']);
  return writeOne(table, input, readUpdate(table, input), ['NONE', 'ALL_OLD', 'ALL_NEW']);
}

function deleteItem(table: Table, input: Input): string {
  knowsOnly(input, [...LEG, 'Key', 'ReturnValues']);
  return writeOne(table, input, readDelete(table, input), ['NONE', 'ALL_OLD']);
}

function writeOne({ store, nowMs }: Table, input: Input, leg: Leg, returnable: readonly string[]): string {
  const returns = readChoice(input, 'ReturnValues', returnable);
  const before = store.get(leg.pk, leg.sk);
  if (!leg.isMet(before?.item)) {
    const fields = leg.showsItem && before ? { Item: before.item } : {};
    store.billUnwritten([leg]);
    throw new DynamoDbError('ConditionalCheckFailedException', NOT_MET, fields);
  }
  store.commit([{ pk: leg.pk, sk: leg.sk, item: leg.after(before?.item) }], nowMs);
  const shown = returns === 'ALL_OLD' ? before : returns === 'ALL_NEW' ? store.get(leg.pk, leg.sk) : undefined;
  return shown ? `{"Attributes":${shown.json}}` : '{}';
}

function transactWriteItems(table: Table, input: Input): string {
  knowsOnly(input, ['TransactItems', 'ClientRequestToken']);
  const legs = readList(input.TransactItems, 'TransactItems').map((leg) => readLeg(table, leg));
  if (legs.length < 1 || legs.length > MAX_LEGS) {
    throw invalid(`A transaction has 1 to ${MAX_LEGS} items; this one has ${legs.length}`);
  }
  mustBeDistinct(legs, 'Transaction request cannot include multiple operations on one item');
  const token = readToken(input);
  const content = input.TransactItems;
  if (token !== undefined && isRepeated(table, token, content)) return '{}';

  const { store, nowMs, tokens } = table;
  const afters: (Attributes | undefined)[] = [];
  const reasons = legs.map((leg) => {
    const before = store.get(leg.pk, leg.sk);
    if (!leg.isMet(before?.item)) {
      const Item = leg.showsItem && before ? { Item: before.item } : {};
      return { Code: 'ConditionalCheckFailed', Message: NOT_MET, ...Item };
    }
    try {
      afters.push(leg.after(before?.item));
      return NO_REASON;
    } catch (error) {
      if (!(error instanceof ItemError)) throw error;
      return { Code: 'ValidationError', Message: error.message };
    }
  });
  if (reasons.some(({ Code }) => Code !== 'None')) {
    store.billUnwritten(legs, true);
    throw cancelled(reasons);
  }
  const bytes = afters.reduce((sum, item) => sum + (item ? attributesBytes(item) : 0), 0);
  if (bytes > MAX_BYTES.transaction) throw invalid(`Transaction payload size cannot exceed 4MB: it is ${bytes}`);
  const writes = legs.flatMap(({ pk, sk, writes }, n) => (writes ? [{ pk, sk, item: afters[n] }] : []));
  store.billUnwritten(
    legs.filter((leg) => !leg.writes),
    true,
  );
  store.commit(writes, nowMs, true);
  if (token !== undefined) tokens.set(token, { content, atMs: nowMs });
  return '{}';
}

const NOT_MET = 'The conditional request failed';
export const NO_REASON = { Code: 'None' };

export function cancelled(reasons: readonly { Code: string }[]): DynamoDbError {
  const codes = reasons.map(({ Code }) => Code).join(', ');
  const message = `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`;
  return new DynamoDbError('TransactionCanceledException', message, { CancellationReasons: reasons });
}

interface Leg {
  readonly pk: string;
  readonly sk: string;
  readonly writes: boolean;
  readonly showsItem: boolean;
  readonly isMet: (before: Attributes | undefined) => boolean;
  /** Returns the item after the write. @throws ItemError if the item does not allow the write. */
  readonly after: (before: Attributes | undefined) => Attributes | undefined;
}

function readLeg(table: Table, leg: unknown): Leg {
  if (!isRecord(leg)) throw unreadable('an item of a transaction');
  knowsOnly(leg, ['ConditionCheck', 'Put', 'Update', 'Delete']);
  const [[kind, input] = ['', undefined], ...others] = Object.entries(leg);
  if (others.length > 0) throw invalid('TransactItems can only contain one of Check, Put, Update or Delete');
  if (!isRecord(input))
    throw invalid('Invalid Request: TransactWriteRequest should contain Delete or Put or Update request');
  switch (kind) {
    case 'Put':
      knowsOnly(input, [...LEG, 'Item']);
      return readPut(table, input);
    case 'Update':
      knowsOnly(input, [...LEG, 'Key', 'UpdateExpression']);
      return readUpdate(table, input);
    case 'Delete':
      knowsOnly(input, [...LEG, 'Key']);
      return readDelete(table, input);
    default:
      knowsOnly(input, [...LEG, 'Key']);
      if (input.ConditionExpression === undefined) throw invalid('A ConditionCheck needs a ConditionExpression');
      return { ...readDelete(table, input), writes: false };
  }
}

function readPut(table: Table, input: Input): Leg {
  isThisTable(table, input);
  const item = input.Item;
  checkAttributes(item);
  const expressions = readExpressions(input, ['ConditionExpression']);
  const place = { pk: readKeyText(item[PK], PK), sk: readKeyText(item[SK], SK) };
  if (attributesBytes(item) > MAX_BYTES.item) throw invalid('Item size has exceeded the maximum allowed size');
  return {
    ...place,
    ...conditional(input, expressions),
    after: () => {
      checkIndexKeys(item);
      return item;
    },
  };
}

function readUpdate(table: Table, input: Input): Leg {
  isThisTable(table, input);
  const { pk, sk, key } = readKey(input.Key);
  const expressions = readExpressions(input, ['UpdateExpression', 'ConditionExpression']);
  const { update, bindings } = expressions;
  for (const path of update ? [...update.set, ...update.add].map(({ path }) => path).concat(update.remove) : []) {
    const name = bindings.attribute(path);
    if (name === PK || name === SK) {
      throw invalid(
        `One or more parameter values were invalid: Cannot update attribute ${name}. This attribute is part of the key`,
      );
    }
  }
  return {
    pk,
    sk,
    ...conditional(input, expressions),
    after: (before) => {
      const item = update ? updated(update, before, key, bindings) : (before ?? key);
      checkIndexKeys(item);
      if (attributesBytes(item) > MAX_BYTES.item) {
        throw new ItemError('Item size to update has exceeded the maximum allowed size');
      }
      return item;
    },
  };
}

function readDelete(table: Table, input: Input): Leg {
  isThisTable(table, input);
  const { pk, sk } = readKey(input.Key);
  return { pk, sk, ...conditional(input, readExpressions(input, ['ConditionExpression'])), after: () => undefined };
}

function conditional(input: Input, { condition, bindings }: Expressions): Pick<Leg, 'writes' | 'showsItem' | 'isMet'> {
  return {
    writes: true,
    showsItem: readChoice(input, 'ReturnValuesOnConditionCheckFailure', ['NONE', 'ALL_OLD']) === 'ALL_OLD',
    isMet: (before) => !condition || holds(condition, before, bindings),
  };
}

/** Returns true if a transaction with this token took effect in the last ten minutes. */
function isRepeated({ tokens, nowMs }: Table, token: string, content: unknown): boolean {
  for (const [old, { atMs }] of tokens) {
    if (nowMs - atMs < TOKEN_MS) break;
    tokens.delete(old);
  }
  const earlier = tokens.get(token);
  if (!earlier || nowMs - earlier.atMs >= TOKEN_MS) return false;
  if (isDeepStrictEqual(earlier.content, content)) return true;
  throw new DynamoDbError(
    'IdempotentParameterMismatchException',
    'The token was used for another transaction in the last ten minutes',
  );
}

function readToken({ ClientRequestToken: token }: Input): string | undefined {
  if (token === undefined) return undefined;
  if (typeof token === 'string' && token.length >= 1 && token.length <= 36) return token;
  throw invalid('A ClientRequestToken must have 1 to 36 characters');
}

interface TableKey {
  readonly pk: string;
  readonly sk: string;
  readonly key: Attributes;
}

function readKey(key: unknown): TableKey {
  checkAttributes(key);
  if (Object.keys(key).length !== 2) throw noKeyOfTheTable();
  return { pk: readKeyText(key[PK], PK), sk: readKeyText(key[SK], SK), key };
}

function readKeyText(value: Value | undefined, name: string): string {
  if (!value || !('S' in value)) throw noKeyOfTheTable();
  if (value.S === '') throw invalid(`${EMPTY_KEY} Key: ${name}`);
  const most = name === PK ? MAX_KEY_BYTES.partition : MAX_KEY_BYTES.sort;
  if (textBytes(value.S) > most) {
    throw invalid(`One or more parameter values were invalid: Size of ${name} has exceeded the limit of ${most} bytes`);
  }
  return value.S;
}

const EMPTY_KEY =
  'One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value.';

function noKeyOfTheTable(): DynamoDbError {
  return invalid('The provided key element does not match the schema');
}

/** Checks that index keys are strings. */
function checkIndexKeys(item: Attributes): void {
  for (const { index, name, most } of INDEX_KEYS) {
    const value = attributeOf(item, name);
    if (!value) continue;
    const where = `IndexName: ${index}, IndexKey: ${name}`;
    if (!('S' in value)) throw new ItemError(`One or more parameter values were invalid: Type mismatch. ${where}`);
    if (value.S === '') throw new ItemError(`${EMPTY_KEY} ${where}`);
    if (textBytes(value.S) > most) {
      throw new ItemError(`One or more parameter values were invalid: Size limit exceeded. ${where}`);
    }
  }
}

function readStart(start: unknown, index: Index | undefined): RowPosition & { partition: string } {
  checkAttributes(start);
  const names = keyNames(index);
  if (Object.keys(start).length !== names.length) throw invalid('The provided starting key is invalid');
  const text = (name: string) => {
    const value = attributeOf(start, name);
    if (value && 'S' in value && value.S !== '') return value.S;
    throw invalid('The provided starting key is invalid');
  };
  const place = { pk: text(PK), sk: text(SK) };
  return index
    ? { ...place, partition: text(index.partitionKey), sort: text(index.sortKey) }
    : { ...place, partition: place.pk, sort: place.sk };
}

function keyNames(index: Index | undefined): string[] {
  return index ? [PK, SK, index.partitionKey, index.sortKey] : [PK, SK];
}

function pick(item: Attributes, names: readonly string[]): Attributes {
  const picked: Attributes = {};
  for (const name of names) {
    const value = attributeOf(item, name);
    if (value) picked[name] = value;
  }
  return picked;
}

function readIndex(name: unknown): Index | undefined {
  if (name === undefined) return undefined;
  const index = INDEXES.find((each) => each.name === name);
  if (!index) throw invalid(`The table does not have the specified index: ${name}`);
  return index;
}

function readLimit({ Limit: limit }: Input): number {
  if (limit === undefined) return Number.POSITIVE_INFINITY;
  if (typeof limit === 'number' && limit >= 1) return limit;
  throw invalid('Limit must be greater than or equal to 1');
}

function readChoice(input: Input, name: string, choices: readonly string[]): string | undefined {
  const choice = input[name];
  if (choice === undefined) return undefined;
  if (typeof choice === 'string' && choices.includes(choice)) return choice;
  throw invalid(`${name} is ${choice}; the in-memory DynamoDB supports ${choices.join(', ')}`);
}

function readList(list: unknown, name: string): unknown[] {
  if (Array.isArray(list)) return list;
  throw invalid(`${name} is missing`);
}

function mustBeDistinct(places: readonly { pk: string; sk: string }[], message: string): void {
  const seen = new Set(places.map(({ pk, sk }) => `${pk.length} ${pk}${sk}`));
  if (seen.size < places.length) throw invalid(message);
}

function isThisTable({ name }: Table, { TableName }: Input): void {
  if (TableName !== name) throw noSuchTable();
}

function noSuchTable(): DynamoDbError {
  return new DynamoDbError('ResourceNotFoundException', 'Cannot do operations on a non-existent table');
}

/** Rejects unknown parameters instead of silently ignoring them. */
function knowsOnly(input: Input, names: readonly string[]): void {
  for (const name in input) if (!names.includes(name)) throw notCovered(`the parameter ${name}`);
}
