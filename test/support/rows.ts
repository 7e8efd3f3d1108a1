import { DeleteCommand, GetCommand, QueryCommand, ScanCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { compareTexts } from '../../infra/local/memory-dynamodb/values.ts';
import type { Item } from '../../shared/runtime/table/table.ts';
import { databaseOf, type TestMerchant, type World } from './world.ts';

export async function balanceOf(world: World, { id }: Pick<TestMerchant, 'id'>): Promise<number> {
  return (await rowAt(world, { pk: `CREDITS#${id}`, sk: 'BALANCE' }))?.balance ?? 0;
}

export function sendsOf(world: World, { id }: Pick<TestMerchant, 'id'>): Promise<Item[]> {
  return thingsOf(world, `MERCHANT#${id}#SEND`);
}

export function chargesOf(world: World, { id }: Pick<TestMerchant, 'id'>): Promise<Item[]> {
  return thingsOf(world, `MERCHANT#${id}#TRANSACTION`);
}

export async function refundsOf(world: World, { id }: Pick<TestMerchant, 'id'>): Promise<Item[]> {
  const { client, tableName } = databaseOf(world);
  const { Items = [] } = await client.send(
    new QueryCommand({
      TableName: tableName,
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :entry)',
      ExpressionAttributeValues: { ':pk': `CREDIT_ENTRY#${id}`, ':entry': 'ENTRY#' },
      ConsistentRead: true,
    }),
  );
  return Items.filter(({ reason }) => reason === 'refund');
}

export function sendRow(world: World, sendId: string): Promise<Item | undefined> {
  return rowAt(world, { pk: `SEND#${sendId}`, sk: 'SEND' });
}

export function messageRow(world: World, sendId: string, index = 0): Promise<Item | undefined> {
  return rowAt(world, messageKey(sendId, index));
}

export async function writeMessageState(world: World, sendId: string, state: string, index = 0): Promise<void> {
  const { client, tableName } = databaseOf(world);
  const send = await sendRow(world, sendId);
  await client.send(
    new UpdateCommand({
      TableName: tableName,
      Key: messageKey(sendId, index),
      UpdateExpression: `SET #state = :state, send_id = :send_id, #index = :index, merchant_id = :merchant_id${state === 'failed' ? ', gsi1pk = :pk, gsi1sk = :sk' : ''}`,
      ExpressionAttributeNames: { '#state': 'state', '#index': 'index' },
      ExpressionAttributeValues: {
        ':state': state,
        ':send_id': sendId,
        ':index': index,
        ':merchant_id': send?.merchant_id,
        ...(state === 'failed' && {
          ':pk': `MERCHANT#${send?.merchant_id}#SEND#failed`,
          ':sk': `${sendId}#${String(index).padStart(2, '0')}`,
        }),
      },
    }),
  );
}

export async function removeSender(world: World, number: string): Promise<void> {
  const { client, tableName } = databaseOf(world);
  await client.send(new DeleteCommand({ TableName: tableName, Key: { pk: 'SENDER', sk: number } }));
}

/** Returns all items, ordered by partition key in memory. Must not be modified. */
export async function scan(world: World): Promise<Item[]> {
  const { client, tableName, memory } = databaseOf(world);
  if (memory) return memory.items().toSorted((one, other) => compareTexts(String(one.pk), String(other.pk)));
  const items: Item[] = [];
  let start: Item | undefined;
  do {
    const page = { TableName: tableName, ConsistentRead: true, ...(start && { ExclusiveStartKey: start }) };
    const { Items = [], LastEvaluatedKey } = await client.send(new ScanCommand(page));
    items.push(...Items);
    start = LastEvaluatedKey;
  } while (start);
  return items;
}

export async function rowAt(world: World, key: { pk: string; sk: string }) {
  const { client, tableName } = databaseOf(world);
  return (await client.send(new GetCommand({ TableName: tableName, Key: key, ConsistentRead: true }))).Item;
}

export async function thingsOf(world: World, partition: string): Promise<Item[]> {
  const { client, tableName } = databaseOf(world);
  const { Items = [] } = await client.send(
    new QueryCommand({
      TableName: tableName,
      IndexName: 'gsi1',
      KeyConditionExpression: 'gsi1pk = :pk',
      ExpressionAttributeValues: { ':pk': partition },
    }),
  );
  const items = await Promise.all(Items.map(({ pk, sk }) => rowAt(world, { pk, sk })));
  return items.flatMap((item) => (item ? [item] : []));
}

function messageKey(sendId: string, index: number) {
  return { pk: `SEND#${sendId}`, sk: `MESSAGE#${String(index).padStart(2, '0')}` };
}
