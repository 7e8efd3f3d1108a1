import { BatchGetCommand, GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { invalidRequest, type PublicError, TRY_AGAIN } from '../values/errors.ts';
import type { Connection } from './connection.ts';
import { backOff, busy, TRIES } from './contention.ts';
import { asCurrent } from './row-shape.ts';
import type { Item, Key, Page } from './table.ts';
import type { IndexName } from './table-schema.ts';

export const MAX_BATCH_KEYS = 100;

export async function get({ client, tableName }: Connection, key: Key) {
  const { Item } = await client.send(new GetCommand({ TableName: tableName, Key: key, ConsistentRead: true }));
  return Item && asCurrent(Item);
}

export async function getMany(connection: Connection, keys: readonly Key[], fields?: readonly string[]) {
  const items: Item[] = [];
  // Remove duplicates, which a batch request must not contain. An index can list an item twice while the item's index
  // key changes.
  const unique = [...new Map(keys.map(({ pk, sk }) => [`${pk}/${sk}`, { pk, sk }])).values()];
  for (let n = 0; n < unique.length; n += MAX_BATCH_KEYS) {
    items.push(...(await getBatch(connection, unique.slice(n, n + MAX_BATCH_KEYS), fields)));
  }
  return items;
}

async function getBatch(connection: Connection, keys: readonly Key[], fields?: readonly string[]) {
  const { client, needs, tableName } = connection;
  const items: Item[] = [];
  const asked = fields && [...fields, 'shape'];
  const only = asked && {
    ProjectionExpression: asked.map((_, n) => `#${n}`).join(', '),
    ExpressionAttributeNames: Object.fromEntries(asked.map((field, n) => [`#${n}`, field])),
  };
  let wanted = [...keys];
  for (let attempt = 0; wanted.length > 0; attempt++) {
    if (attempt === TRIES) throw busy(`Too much data is being read at the same time. ${TRY_AGAIN}`);
    if (attempt > 0) await backOff(needs, attempt);
    const { Responses, UnprocessedKeys } = await client.send(
      new BatchGetCommand({
        RequestItems: { [tableName]: { Keys: wanted, ConsistentRead: true, ...only } },
      }),
    );
    items.push(...(Responses?.[tableName] ?? []));
    wanted = (UnprocessedKeys?.[tableName]?.Keys ?? []).map(({ pk, sk }) => ({ pk, sk }));
  }
  const current = items.map(asCurrent);
  return fields ? current.map((item) => pick(item, fields)) : current;
}

function pick(row: Item, names: readonly string[]): Item {
  return Object.fromEntries(names.flatMap((name) => (row[name] === undefined ? [] : [[name, row[name]]])));
}

export async function list(
  { client, tableName }: Connection,
  partition: string,
  { between, limit = Number.POSITIVE_INFINITY }: Pick<Page, 'between' | 'limit'> = {},
) {
  const items: Item[] = [];
  let start: Item | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await client.send(
      new QueryCommand({
        TableName: tableName,
        KeyConditionExpression: `pk = :pk${between ? ' AND sk BETWEEN :first AND :last' : ''}`,
        ExpressionAttributeValues: { ':pk': partition, ...(between && { ':first': between[0], ':last': between[1] }) },
        ConsistentRead: true,
        ...(Number.isFinite(limit) && { Limit: limit - items.length }),
        ...(start && { ExclusiveStartKey: start }),
      }),
    );
    items.push(...Items.map(asCurrent));
    start = LastEvaluatedKey;
  } while (start && items.length < limit);
  return items;
}

export async function listPage(connection: Connection, partition: string, page?: Page) {
  if (page?.start && page.start.pk !== partition) throw notACursor();
  const { items, next } = await queryPage(connection, undefined, partition, page);
  return { items: items.map(asCurrent), next };
}

export async function listIndexKeys(connection: Connection, index: IndexName, partition: string, page?: Page) {
  const { items, next } = await queryPage(connection, index, partition, page);
  const keys = items.map((item) => ({ pk: String(item.pk), sk: String(item.sk), sort: String(item[`${index}sk`]) }));
  return { keys, next };
}

async function queryPage(
  { client, tableName }: Connection,
  index: IndexName | undefined,
  partition: string,
  { limit = 100, newestFirst = false, start, between }: Page = {},
) {
  const [pkName, skName] = [`${index ?? ''}pk`, `${index ?? ''}sk`];
  const command = new QueryCommand({
    TableName: tableName,
    ...(index ? { IndexName: index } : { ConsistentRead: true }),
    KeyConditionExpression: `${pkName} = :pk${between ? ` AND ${skName} BETWEEN :first AND :last` : ''}`,
    ExpressionAttributeValues: { ':pk': partition, ...(between && { ':first': between[0], ':last': between[1] }) },
    ScanIndexForward: !newestFirst,
    Limit: limit,
    ...(start && { ExclusiveStartKey: { pk: start.pk, sk: start.sk, [pkName]: partition, [skName]: start.sort } }),
  });
  const { Items = [], LastEvaluatedKey } = await client.send(command).catch((error) => {
    // The start key belongs to a different list, so the cursor is not valid.
    throw start && error.name === 'ValidationException' ? notACursor() : error;
  });
  return {
    items: Items,
    next: LastEvaluatedKey && {
      pk: String(LastEvaluatedKey.pk),
      sk: String(LastEvaluatedKey.sk),
      sort: String(LastEvaluatedKey[skName]),
    },
  };
}

export async function listIndex(connection: Connection, index: IndexName, partition: string, page?: Page) {
  const { keys, next } = await listIndexKeys(connection, index, partition, page);
  const byKey = new Map(
    (await getMany(connection, keys)).map((item): [string, Item] => [`${item.pk}/${item.sk}`, item]),
  );
  // Indexes lag behind the table and may list deleted items.
  return { items: keys.map(({ pk, sk }) => byKey.get(`${pk}/${sk}`)).filter((item) => item !== undefined), next };
}

function notACursor(): PublicError {
  return invalidRequest([
    { field: 'cursor', message: 'must be the meta.next value from an earlier page of the same list' },
  ]);
}
