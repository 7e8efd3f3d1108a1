import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from 'vitest';
import { manifest } from '../../../../functions/manifest.ts';
import { RowOfLaterRelease } from '../../../../shared/runtime/table/row-shape.ts';
import { changeItem, putItem, type Table } from '../../../../shared/runtime/table/table.ts';
import { stream } from '../../../../shared/runtime/triggers/stream.ts';
import { createWorld, databaseOf, streamEvent, type World } from '../../../support/world.ts';

const KEY = { pk: 'PURSE#1', sk: 'PURSE' };
const ROW = { ...KEY, coins: 5, shape: 2 };

describe('a row of a later release', () => {
  let world: World;
  beforeEach(async () => {
    world = await createWorld({ inMemory: true });
    await world.outside.table.write([putItem(ROW)]);
  });

  const add = changeItem(KEY, {}, { add: { coins: 1 } });
  const addIfAny = changeItem(
    KEY,
    {},
    { add: { coins: 1 }, when: 'attribute_exists(pk) OR coins = :none', values: { ':none': 0 } },
  );

  test.each<[string, (table: Table) => Promise<unknown>]>([
    ['read', (table) => table.get(KEY)],
    ['read with others', (table) => table.getMany([KEY])],
    ['read in part', (table) => table.getMany([KEY], ['coins'])],
    ['listed', (table) => table.list(KEY.pk)],
    ['listed by page', (table) => table.listPage(KEY.pk)],
    ['updated', (table) => table.update(add)],
    ['updated under a condition', (table) => table.update(addIfAny)],
    ['updated in a transaction', (table) => table.write([add])],
    ['created again', (table) => table.write([putItem(KEY, { when: 'attribute_not_exists(pk)' })])],
  ])('is not %s', async (_, use) => {
    await expect(use(world.outside.table)).rejects.toThrow(RowOfLaterRelease);
    const { client, tableName: TableName } = databaseOf(world);
    expect(await client.send(new GetCommand({ TableName, Key: KEY }))).toMatchObject({ Item: ROW });
  });

  test('is not passed on by the stream', async () => {
    const handled: unknown[] = [];
    const relay = stream(manifest['work/relay'], async ({ after }) => void handled.push(after));
    await relay.with(world.outside)(streamEvent([{ after: ROW }]));
    expect(handled).toEqual([]);
  });
});
