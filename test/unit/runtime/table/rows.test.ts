import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { rows } from '../../../../shared/runtime/table/rows.ts';
import { createWorld } from '../../../support/world.ts';

const Stall = z.object({ shop: z.string(), stall: z.string(), opened_at: z.string(), tables: z.number() });
const ofShop = rows(Stall, { pk: 'STALLS#<shop>', sk: '<stall>' });
const byTime = rows(Stall, {
  pk: ({ stall }: { readonly stall: string }) => `STALL#${stall}`,
  sk: 'STALL',
  gsi1: { pk: 'SHOP#<shop>#STALL', sk: '<opened_at>#<stall>' },
  changed: 'The stall is being moved.',
});
const stall = (name: string, opened_at: string) => ({ shop: 'kente', stall: name, opened_at, tables: 3 });
const [first, second] = [stall('b', '2026-01-01'), stall('a', '2026-01-02')];

const world = await createWorld();

test('a row’s key is computed from its fields', () => {
  expect(ofShop.item(first)).toEqual({ pk: 'STALLS#kente', sk: 'b', ...first });
  const listed = { gsi1pk: 'SHOP#kente#STALL', gsi1sk: '2026-01-01#b' };
  expect(byTime.item(first)).toEqual({ pk: 'STALL#b', sk: 'STALL', ...listed, ...first });
  expect(byTime.key({ stall: 'b' })).toEqual({ pk: 'STALL#b', sk: 'STALL' });
});

test.each([
  ['in its partition', ofShop, [second, first]],
  ['in the index', byTime, [first, second]],
])('a row is found by its key, listed %s and created only once', async (_, kind, inOrder) => {
  const { outside } = world;
  await outside.table.write([kind.create(first), kind.createOnce(second)]);
  await outside.table.write([kind.createOnce({ ...second, tables: 7 })]);
  await expect(outside.table.write([kind.create(first, kind.changed)])).rejects.toThrow(kind.changed().message);
  expect(await kind.find(outside, second)).toEqual(second);
  expect(await kind.findMany(outside, [first, stall('c', '')])).toEqual([first]);
  expect(await kind.list(outside, { shop: 'kente' })).toEqual(inOrder);
  const { entries, next } = await kind.page(outside, first, { newestFirst: true, limit: 1 });
  expect(entries).toEqual(inOrder.slice(-1));
  expect((await kind.page(outside, first, { newestFirst: true, start: next })).entries).toEqual(inOrder.slice(0, 1));
  const asRead = { when: '#tables = :read', values: { ':read': 3 } };
  await outside.table.write([kind.remove(first), kind.change(second, { tables: 4 }, asRead)]);
  expect(await kind.list(outside, first)).toEqual([{ ...second, tables: 4 }]);
  const late = kind.change(second, { tables: 5 }, { ...asRead, refused: kind.changed });
  await expect(outside.table.write([late])).rejects.toMatchObject({ code: 'busy' });
});

test('an incomplete key is a compile error', () => {
  // @ts-expect-error A stall of a shop is named by its shop, too.
  expect(ofShop.key({ stall: 'b' }).pk).toBe('STALLS#undefined');
  // @ts-expect-error There is no field of this name.
  expect(ofShop.key({ shop: 'kente', stal: 'b' }).sk).toBe('undefined');
  // @ts-expect-error Stalls are listed by their shop.
  expect(() => byTime.list(world.outside, { stall: 'b' })).toBeDefined();
  // @ts-expect-error No row of this schema has this field.
  expect(rows(Stall, { pk: '<town>', sk: 'STALL' }).item(first).pk).toBe('undefined');
});
