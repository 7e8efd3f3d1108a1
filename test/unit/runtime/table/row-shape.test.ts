import { DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { manifest } from '../../../../functions/manifest.ts';
import { createMemoryDynamoDb } from '../../../../infra/local/memory-dynamodb.ts';
import { openTable } from '../../../../shared/runtime/table/open-table.ts';
import { RowOfAnotherRelease } from '../../../../shared/runtime/table/row-shape.ts';
import type { Item, RowShape, Table } from '../../../../shared/runtime/table/table.ts';
import { completeRow } from '../../../../shared/runtime/triggers/complete-row.ts';
import { stream } from '../../../../shared/runtime/triggers/stream.ts';
import { chanceFrom } from '../../../simulation/random.ts';
import { checkEach } from '../../../support/check-each.ts';
import { memoryClient } from '../../../support/memory-dynamodb/client.ts';
import { createWorld, streamEvent } from '../../../support/world.ts';

/** A purse whose coins were previously stored as `gold` and whose list key was derived from its mood. */
const shapes: readonly RowShape[] = [
  {
    pk: 'PURSE#',
    sk: 'PURSE',
    oldest: 1,
    steps: [
      { reads: ['gold'], change: ({ gold = 0 }) => ({ coins: gold, gold: undefined }) },
      { reads: ['mood'], change: ({ mood }) => ({ gsi1pk: `PURSES#${mood}`, gsi1sk: 'a' }) },
    ],
  },
];
const KEY = { pk: 'PURSE#1', sk: 'PURSE' };
const OLD = { ...KEY, gold: 5, mood: 'open', owner: 'Ama' };
const NEW = { ...KEY, coins: 5, mood: 'open', owner: 'Ama', gsi1pk: 'PURSES#open', gsi1sk: 'a', shape: 3 };

function open({ today = shapes, randomBytes = (length: number) => Buffer.alloc(length, 7) } = {}) {
  const memory = createMemoryDynamoDb();
  const client = memoryClient(memory);
  const needs = { randomBytes, sleep: async () => {} };
  const raw = DynamoDBDocumentClient.from(client);
  return {
    memory,
    /** The table as opened by this release. */
    table: openTable(client, memory.tableName, needs, today),
    /** The table as opened by the previous release. */
    before: openTable(client, memory.tableName, needs, []),
    stored: async () => (await raw.send(new GetCommand({ TableName: memory.tableName, Key: KEY }))).Item,
    store: (item: Item) => raw.send(new PutCommand({ TableName: memory.tableName, Item: item })),
  };
}

const add = (coins: number, name = 'coins') => ({
  update: {
    Key: KEY,
    UpdateExpression: `ADD ${name} :coins`,
    ConditionExpression: 'attribute_exists(pk) OR mood = :open',
    ExpressionAttributeValues: { ':coins': coins, ':open': 'open' },
  },
});

describe('a row from the previous release', () => {
  test('is read in the current shape but stored unchanged', async () => {
    const { table, store, stored } = open();
    await store(OLD);
    await store({ pk: 'OTHER', sk: 'OTHER' });
    expect(await table.get(KEY)).toEqual(NEW);
    expect(await table.getMany([KEY])).toEqual([NEW]);
    expect(await table.getMany([KEY], ['coins'])).toEqual([{ coins: 5 }]);
    expect(await table.list(KEY.pk)).toEqual([NEW]);
    expect((await table.listPage(KEY.pk)).items).toEqual([NEW]);
    expect(table.asCurrent(OLD)).toEqual(NEW);
    expect(await stored()).toEqual(OLD);
  });

  test.each<[string, (table: Table) => Promise<unknown>]>([
    ['a transaction', (table) => table.write([add(2)])],
    ['an update', (table) => table.update(add(2))],
    [
      'a replacement',
      (table) =>
        table.write([
          {
            put: {
              Item: { ...KEY, coins: 7, mood: 'open', owner: 'Ama', gsi1pk: 'PURSES#open', gsi1sk: 'a' },
              ConditionExpression: 'coins = :coins',
              ExpressionAttributeValues: { ':coins': 5 },
            },
          },
        ]),
    ],
  ])('is upgraded before %s changes it', async (_, change) => {
    const { table, store, stored } = open();
    await store(OLD);
    await change(table);
    expect(await stored()).toEqual({ ...NEW, coins: 7 });
  });

  test('can be deleted with the current key fields', async () => {
    const { table, store, stored } = open();
    await store(OLD);
    const condition = { ConditionExpression: 'coins = :coins', ExpressionAttributeValues: { ':coins': 5 } };
    await table.write([{ delete: { Key: KEY, ...condition } }]);
    expect(await stored()).toBeUndefined();
  });

  test('has the current shape when a condition fails', async () => {
    const { table, store } = open();
    await store(OLD);
    const refused = (current: Item | undefined) => new Error(`It has ${current?.coins}`);
    const put = { Item: KEY, ConditionExpression: 'attribute_not_exists(pk)' };
    await expect(table.write([{ put, refused }])).rejects.toThrow('It has 5');
  });

  test('is upgraded only once', async () => {
    const { table, store, stored } = open();
    await store(OLD);
    expect(await Promise.all([table.carryOver(OLD), table.carryOver(OLD)])).toContain(true);
    expect(await table.carryOver(NEW)).toBe(false);
    expect(await stored()).toEqual(NEW);
  });

  test('can be upgraded by several processes at once', async () => {
    const { table, before, store, stored } = open();
    await store(OLD);
    await before.write([add(3, 'gold')]);
    expect(await table.carryOver(OLD)).toBe(true);
    expect(await stored()).toEqual({ ...NEW, coins: 8 });
  });

  test('is not recreated after a deletion', async () => {
    const { table, before, store, stored } = open();
    await store(OLD);
    await before.write([{ delete: { Key: KEY } }]);
    expect(await table.carryOver(OLD)).toBe(false);
    expect(await stored()).toBeUndefined();
  });
});

describe('a row with an unknown shape', () => {
  test('is rejected if it is too new or too old', async () => {
    const { before, store } = open();
    await store(NEW);
    await expect(before.get(KEY)).rejects.toThrow(RowOfAnotherRelease);
    await expect(before.getMany([KEY], ['owner'])).rejects.toThrow(RowOfAnotherRelease);
    const later = [{ pk: 'PURSE#', sk: 'PURSE', oldest: 3, steps: [] }];
    const { table } = open({ today: later });
    expect(() => table.asCurrent(OLD)).toThrow('A row PURSE has shape 1, but this release reads shape 3');
    expect(table.asCurrent(NEW)).toEqual(NEW);
  });

  test('cannot be changed through the previous field names', async () => {
    const { before, store, stored } = open();
    await store(NEW);
    await expect(before.write([add(1, 'gold')])).rejects.toThrow(RowOfAnotherRelease);
    await expect(before.update(add(1, 'gold'))).rejects.toThrow(RowOfAnotherRelease);
    expect(await stored()).toEqual(NEW);
  });
});

test('a new row has the current shape', async () => {
  const { table, stored } = open();
  const set = { Key: KEY, UpdateExpression: 'SET coins = :coins', ExpressionAttributeValues: { ':coins': 1 } };
  await table.update({ update: set });
  expect(await stored()).toEqual({ ...KEY, coins: 1, shape: 3 });
  await table.write([{ put: { Item: { ...KEY, coins: 2 } } }]);
  expect(await stored()).toEqual({ ...KEY, coins: 2, shape: 3 });
  const { table: another, stored: made } = open();
  const count = { Key: KEY, UpdateExpression: 'ADD coins :one', ExpressionAttributeValues: { ':one': 1 } };
  await another.write([{ update: count }]);
  expect(await made()).toEqual({ ...KEY, coins: 1, shape: 3 });
});

test('a row of an unchanged kind stores no shape number', async () => {
  const { table, stored, memory } = open();
  await table.write([{ put: { Item: { pk: 'OTHER', sk: 'OTHER' } } }]);
  await table.update({
    update: { Key: { pk: 'O', sk: 'O' }, UpdateExpression: 'SET a = :a', ExpressionAttributeValues: { ':a': 1 } },
  });
  expect(memory.items()).toEqual([
    { pk: 'OTHER', sk: 'OTHER' },
    { pk: 'O', sk: 'O', a: 1 },
  ]);
  expect(await stored()).toBeUndefined();
});

test('an upgrade step that throws is reported', () => {
  const moved = [{ ...KEY, oldest: 1, steps: [{ reads: [], change: () => ({ pk: 'PURSE#2' }) }] }];
  const { table } = open({ today: moved });
  expect(() => table.asCurrent(OLD)).toThrow('changed a row’s key');
});

test('the stream delivers changes in the current shape', async () => {
  const { table } = open();
  const told: unknown[] = [];
  const { outside } = await createWorld({ inMemory: true });
  const handler = stream(manifest['work/relay'], async ({ before, after }) => void told.push([before, after]));
  const changes = [{ before: OLD, after: NEW }, { after: OLD }, { before: OLD, after: { ...NEW, coins: 6 } }];
  await handler.with({ ...outside, table })(streamEvent(changes));
  expect(told).toEqual([
    [undefined, NEW],
    [NEW, { ...NEW, coins: 6 }],
  ]);
});

test('functions have permission to upgrade the rows that they write', () => {
  const row = { on: 'schedule', everyMinutes: 1, timeoutSeconds: 10, whenItFails: 'Nobody.' } as const;
  const table = { PutItem: ['PURSE#*', 'OTHER#*'], DeleteItem: ['PURSE#a*'], UpdateItem: ['THIRD'] };
  expect(completeRow(row, { table }, shapes).table.UpdateItem).toEqual(['THIRD', 'PURSE#*', 'PURSE#a*']);
  expect(completeRow(row, { table }, []).table.UpdateItem).toEqual(['THIRD']);
});

test('no write from either release is lost during an upgrade, for any seed', () =>
  checkEach(
    Array.from({ length: 60 }, (_, seed) => seed),
    async (seed) => {
      const chance = chanceFrom(seed);
      const { memory, table, before, store, stored } = open({
        randomBytes: (length) => Buffer.from(chance.bytes(length)),
      });
      await store(OLD);
      // Reorder requests randomly.
      memory.onRequest = async () => {
        for (let n = chance.between(0, 4); n > 0; n--) await Promise.resolve();
        return chance.happens(0.1) ? 'lose-answer' : 'pass';
      };
      let coins = 5;
      /** Adds until a write is rejected, which happens to the previous release after the row's upgrade. */
      const adds = async (by: Table, name: string) => {
        try {
          await by.write([add(1, name)]);
          coins += 1;
        } catch (error) {
          if (!(error instanceof RowOfAnotherRelease)) throw error;
        }
      };
      await Promise.all(
        Array.from({ length: 12 }, (_, n) =>
          n % 3 === 0 ? table.carryOver(OLD) : n % 3 === 1 ? adds(table, 'coins') : adds(before, 'gold'),
        ),
      );
      expect(await stored()).toEqual({ ...NEW, coins });
    },
  ));
