import { beforeEach, expect, test } from 'vitest';
import { listInTurns } from '../../../../shared/runtime/table/in-turns.ts';
import { createWorld, type World } from '../../../support/world.ts';

const AT = '2026-11-20T12:00:00.000Z';
const LATER = '2026-11-20T12:00:00.001Z';

let world: World;
let queries: number;
beforeEach(async () => {
  world = await createWorld({ inMemory: true });
  queries = 0;
  world.dynamoDb = async ({ command }, send) => {
    if (command === 'Query') queries++;
    await send();
  };
});

test('owners take turns, most overdue first', async () => {
  for (let n = 0; n < 30; n++) await due('greedy', time(n), String(n));
  await due('modest', time(99), 'a');
  await due('other', time(50), 'b');
  await due('other', time(40), 'c');
  expect(await listed(6)).toEqual(['greedy 0', 'modest a', 'other c', 'greedy 1', 'other b']);
});

test('every owner gets at least one entry', async () => {
  for (let n = 0; n < 1000; n++) await due(`m${String(n).padStart(4, '0')}`, time(1), 'only');
  expect(await listed(10)).toHaveLength(1000);
  expect(queries).toBeLessThan(15);
});

test('entries that are not due are skipped', async () => {
  for (let n = 0; n < 2000; n++) await due('greedy', time(n), String(n));
  for (let n = 0; n < 2000; n++) await due('quiet', LATER, String(n));
  await due('modest', time(1), 'a');
  expect(await listed(100)).toHaveLength(51);
  expect(queries).toBeLessThan(8);
});

test('all entries due at the same moment are included', async () => {
  for (let n = 0; n < 350; n++) await due('one', time(0), String(n).padStart(3, '0'));
  expect(new Set(await listed(400)).size).toBe(350);
});

test('an entry due exactly now is excluded', async () => {
  await due('one', AT, 'a');
  expect(await listed(10)).toEqual([]);
});

const time = (ms: number) => new Date(Date.parse(AT) - 100_000 + ms).toISOString();

async function due(owner: string, at: string, name: string): Promise<void> {
  const Item = { pk: `ROW#${owner}`, sk: name, gsi2pk: 'OPEN#TEST', gsi2sk: `${owner}#${at}#${name}` };
  await world.outside.table.write([{ put: { Item } }]);
}

async function listed(limit: number): Promise<string[]> {
  const items = await listInTurns(world.outside.table, ['OPEN#TEST'], AT, limit);
  return items.map(({ pk, sk }) => `${String(pk).slice('ROW#'.length)} ${sk}`);
}
