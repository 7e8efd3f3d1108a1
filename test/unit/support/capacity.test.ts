import {
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
} from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { Capacity } from '../../../infra/local/memory-dynamodb/capacity.ts';
import { memoryClient } from '../../../infra/local/memory-dynamodb/client.ts';
import { createMemoryDynamoDb } from '../../../infra/local/memory-dynamodb.ts';

const item = (n: number, fields = {}) => ({ pk: 'M#1', sk: `ROW#${String(n).padStart(4, '0')}`, ...fields });

function openLimited(mostOf?: (key: string) => number | undefined) {
  const clock = { nowMs: 0 };
  const memory = createMemoryDynamoDb({ now: () => clock.nowMs });
  const capacity = new Capacity(() => clock.nowMs, mostOf);
  memory.capacity = capacity;
  const client = DynamoDBDocumentClient.from(memoryClient(memory));
  const TableName = memory.tableName;
  const put = (Item: object, more = {}) => client.send(new PutCommand({ TableName, Item, ...more }));
  return { clock, memory, capacity, client, TableName, put };
}

test('a partition accepts a thousand write units per second', async () => {
  const { clock, memory, capacity, put } = openLimited();
  for (let n = 0; n < 1000; n++) await put(item(n));
  await expect(put(item(1000))).rejects.toThrow('throughput');
  expect(memory.items()).toHaveLength(1000);
  // Each key has its own capacity.
  await put({ ...item(0), pk: 'M#2' });
  clock.nowMs += 1000;
  await put(item(1000));
  expect(capacity.busiest('write', 1)).toEqual([{ key: 'table M#1', total: 1001, peak: 1000, refused: 4 }]);
});

test('a write fails if an index is saturated', async () => {
  const { memory, capacity, put } = openLimited((key) => (key.startsWith('gsi2') ? 2 : undefined));
  const due = (n: number) => item(n, { gsi2pk: 'DUE', gsi2sk: String(n) });
  await put(due(1));
  await put(due(2));
  await expect(put(due(3))).rejects.toThrow('throughput');
  expect(memory.items()).toHaveLength(2);
  await put({ ...due(1), more: 'of it' });
  expect(capacity.carried.write.get('gsi2 DUE')).toEqual({ total: 2, peak: 2, refused: 4 });
});

test('transactions and failed conditions use write capacity', async () => {
  const { capacity, client, TableName, put } = openLimited();
  const units = () => capacity.carried.write.get('table M#1')?.total;
  await put(item(1, { text: 'x'.repeat(1500) }));
  expect(units()).toBe(2);
  const legs = [2, 3].map((n) => ({ Put: { TableName, Item: item(n) } }));
  await client.send(new TransactWriteCommand({ TransactItems: legs }));
  expect(units()).toBe(6);
  await expect(put(item(2), { ConditionExpression: 'attribute_not_exists(pk)' })).rejects.toThrow('conditional');
  expect(units()).toBe(7);
});

test('a throttled key cancels its whole transaction', async () => {
  const { memory, client, TableName } = openLimited((key) => (key === 'table M#2' ? 2 : undefined));
  const both = (n: number) =>
    new TransactWriteCommand({
      TransactItems: ['M#1', 'M#2'].map((pk) => ({ Put: { TableName, Item: { ...item(n), pk } } })),
    });
  await client.send(both(1));
  await expect(client.send(both(2))).rejects.toThrow('ThrottlingError');
  expect(memory.items()).toHaveLength(2);
});

test('an index read costs half as much as a table read', async () => {
  const { capacity, client, TableName, put } = openLimited();
  await put(item(1, { gsi1pk: 'ALL', gsi1sk: '1', text: 'x'.repeat(5000) }));
  for (const sk of ['ROW#0001', 'ROW#0002']) await client.send(new GetCommand({ TableName, Key: { pk: 'M#1', sk } }));
  const query = (pk: string, name: string, IndexName?: string) =>
    client.send(
      new QueryCommand({
        TableName,
        ...(IndexName && { IndexName }),
        KeyConditionExpression: `${name} = :pk`,
        ExpressionAttributeValues: { ':pk': pk },
      }),
    );
  await query('M#1', 'pk');
  expect(capacity.carried.read.get('table M#1')?.total).toBe(2 + 1 + 2);
  await query('ALL', 'gsi1pk', 'gsi1');
  expect(capacity.carried.read.get('gsi1 ALL')?.total).toBe(0.5);
});
