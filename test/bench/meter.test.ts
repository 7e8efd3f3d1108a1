import { expect, test } from 'vitest';
import { itemBytes } from '../../shared/runtime/table/item-bytes.ts';
import type { Item, TableWrite } from '../../shared/runtime/table/table.ts';
import { createWorld } from '../support/world.ts';
import { meter } from './meter.ts';

const world = await createWorld({ inMemory: true });
const { table } = world.outside;

test.each([
  ['names and texts are measured in UTF-8', { pk: 'a', name: 'Akosua', cedi: '₵' }, 2 + 1 + 4 + 6 + 4 + 3],
  ['a number takes one byte per two digits, plus one', { n: 1, m: 12345, x: 0 }, 3 + 2 + 4 + 2],
  ['leading and trailing zeros in a number are ignored', { n: 1_000_000, m: 0.0012 }, 2 + 2 + 2],
  ['a negative number takes one more byte', { n: -12 }, 1 + 3],
  ['true, false and null take one byte each', { a: true, b: false, c: null }, 6],
  ['a list takes three bytes, plus one per member', { l: ['ab', 'cd'] }, 1 + 3 + 2 * (1 + 2)],
  ['a map takes three bytes, plus one per member and the names', { m: { a: 'bc' } }, 1 + 3 + 1 + 1 + 2],
  ['undefined fields are ignored', { a: undefined, b: 'c' }, 2],
])('the size of an item follows AWS’s rules: %s', (_, item: Item, bytes) => {
  expect(itemBytes(item)).toBe(bytes);
});

test('a write costs one unit per KB', async () => {
  expect(await writeUnits(put({ ...key(1), text: 'x'.repeat(900) }))).toBe(1);
  expect(await writeUnits(put({ ...key(2), text: 'x'.repeat(1024) }))).toBe(2);
  expect(await writeUnits(update(key(2), 'REMOVE #text', { '#text': 'text' }))).toBe(4);
  expect(await writeUnits(update(key(2), 'SET n = :n', undefined, { ':n': 1 }))).toBe(2);
  expect(await writeUnits(put(key(3)), put(key(4)))).toBe(4);
});

test('moving an index entry costs two units', async () => {
  const indexed = { ...key(5), gsi1pk: 'a', gsi1sk: 'a', gsi2pk: 'b', gsi2sk: 'b' };
  expect(await writeUnits(put(indexed))).toBe(1 + 2);
  expect(await writeUnits(update(key(5), 'SET n = :n', undefined, { ':n': 1 }))).toBe(2);
  expect(await writeUnits(update(key(5), 'SET gsi2sk = :n', undefined, { ':n': 'c' }))).toBe(2 + 2);
  expect(await writeUnits(update(key(5), 'REMOVE gsi1pk, gsi1sk'))).toBe(2 + 1);
  // An item with half of an index's key has no index entry.
  expect(await writeUnits(put({ ...key(6), gsi1pk: 'a' }))).toBe(1);
});

test('a consistent read costs one unit per 4 KB', async () => {
  await table.write([put({ ...key(7), gsi1pk: 'list', gsi1sk: '7', text: 'x'.repeat(4096) })]);
  expect(await readUnits(() => table.get(key(7)))).toBe(2);
  expect(await readUnits(() => table.get(key(8)))).toBe(1);
  expect(await readUnits(() => table.getMany([key(7), key(8)]))).toBe(3);
  // A projection returns fewer bytes, but costs as much.
  expect(await readUnits(() => table.getMany([key(7), key(8)], ['n']))).toBe(3);
  expect(await readUnits(() => table.list('ITEM#7'))).toBe(2);
  // The cost includes the index entries and the items to which they refer.
  expect(await readUnits(() => table.listIndex('gsi1', 'list'))).toBe(0.5 + 2);
});

test('the meter reports the same changes as the stream', async () => {
  const usage = await meter(world, () => table.write([update(key(7), 'SET n = :n', undefined, { ':n': 1 })]));
  expect(usage).toMatchObject({
    requests: ['TransactWriteItems'],
    changes: [{ before: expect.not.objectContaining({ n: 1 }), after: { n: 1 } }],
  });
});

test('a rejected write is billed for the old or the new item, whichever is larger', async () => {
  await table.write([put({ ...key(9), text: 'x'.repeat(1_500) })]);
  expect(await refused(put(key(9)))).toEqual({ requests: ['PutItem'], readUnits: 0, writeUnits: 2, changes: [] });
  expect(await refused(put({ ...key(9), text: 'x'.repeat(2_500) }))).toMatchObject({ writeUnits: 3, changes: [] });
  const { update: missing } = update(key(10), 'REMOVE n');
  const usage = await refused({ update: { ...missing, ConditionExpression: 'attribute_exists(pk)' } });
  expect(usage).toMatchObject({ requests: ['TransactWriteItems'], writeUnits: 2 });
});

test('a cancelled transaction costs two writes per item', async () => {
  const usage = await refused(put({ ...key(11), text: 'x'.repeat(1_500), gsi1pk: 'a', gsi1sk: 'a' }), put(key(9)));
  expect(usage).toEqual({ requests: ['TransactWriteItems'], readUnits: 0, writeUnits: 4 + 4, changes: [] });
});

async function refused(...writes: TableWrite[]) {
  return meter(world, () => expect(table.write(writes)).rejects.toThrow(/conditional|cancelled/i));
}

async function writeUnits(...writes: TableWrite[]): Promise<number> {
  return (await meter(world, () => table.write(writes))).writeUnits;
}

async function readUnits(read: () => Promise<unknown>): Promise<number> {
  const usage = await meter(world, read);
  expect(usage.writeUnits).toBe(0);
  return usage.readUnits;
}

function key(n: number) {
  return { pk: `ITEM#${n}`, sk: 'ITEM' };
}

/** Returns a single put, which is not a transaction. */
function put(Item: Item): TableWrite {
  return { put: { Item, ConditionExpression: 'attribute_not_exists(pk)' } };
}

function update(
  Key: { pk: string; sk: string },
  UpdateExpression: string,
  ExpressionAttributeNames?: Record<string, string>,
  ExpressionAttributeValues?: Record<string, unknown>,
) {
  return {
    update: {
      Key,
      UpdateExpression,
      ...(ExpressionAttributeNames && { ExpressionAttributeNames }),
      ...(ExpressionAttributeValues && { ExpressionAttributeValues }),
    },
  };
}
