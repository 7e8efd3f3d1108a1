import { beforeEach, expect, test } from 'vitest';
import { handler as housekeeping } from '../../../../functions/work/housekeeping.ts';
import { TABLE_FORMAT } from '../../../../shared/runtime/table/lease.ts';
import { createItem } from '../../../../shared/runtime/table/table.ts';
import { formatOfTable } from '../../../../shared/runtime/table/table-format.ts';
import { createWorld, databaseOf, type World } from '../../../support/world.ts';

let world: World;
beforeEach(async () => {
  world = await createWorld({ inMemory: true });
});

const format = (name = databaseOf(world).tableName) => formatOfTable(databaseOf(world).plain, name);
const store = (item: object) => world.outside.table.write([createItem({ pk: 'MERCHANT#1', sk: 'MERCHANT', ...item })]);

test('a table’s format is noted by its first housekeeping run', async () => {
  expect(await format()).toBe('empty');
  await housekeeping.with(world.outside)();
  await store({});
  expect(await format()).toBe(TABLE_FORMAT);
});

test.each([
  ['a lease without a format', { pk: 'LEASE', sk: 'housekeeping' }],
  ['no lease', {}],
])('a table with %s is of release 1.x', async (_, item) => {
  await store(item);
  expect(await format()).toBe(1);
});

test('a table that does not exist has no format', async () => {
  expect(await format('another')).toBeUndefined();
});
