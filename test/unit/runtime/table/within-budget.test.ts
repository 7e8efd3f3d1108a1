import { expect, test } from 'vitest';
import type { Item, Key } from '../../../../shared/runtime/table/table.ts';
import { getWithin } from '../../../../shared/runtime/table/within-budget.ts';

const LARGEST = 4;

test.each([
  ['all rows have the maximum size', [4, 4, 4, 4, 4, 4, 4, 4]],
  ['all rows are small', [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]],
  ['small rows come before the largest', [1, 1, 1, 1, 1, 4, 4, 4, 4, 4, 4]],
])('rows stay within their read budget: %s', async (_, units) => {
  const { read, keys } = table(units);
  const { items, last, left } = await getWithin({ getMany: read }, keys, 12, { largest: LARGEST });
  const used = units.slice(0, items.length).reduce((sum, one) => sum + one, 0);
  expect(items.map(({ pk }) => pk)).toEqual(keys.slice(0, items.length).map(({ pk }) => pk));
  expect(left).toBe(12 - used);
  expect({ staysWithin: left >= 0, readsAll: left < LARGEST || items.length === keys.length }).toEqual({
    staysWithin: true,
    readsAll: true,
  });
  expect(last).toEqual(items.length < keys.length ? keys[items.length - 1] : undefined);
});

test('one row is always read, regardless of the budget', async () => {
  const { read, keys } = table([4, 1]);
  expect(await getWithin({ getMany: read }, keys, 1, { largest: LARGEST })).toMatchObject({ last: keys[0], left: -3 });
});

test('all rows are read at once without a budget', async () => {
  const { read, keys, asked } = table([4, 4, 4]);
  expect((await getWithin({ getMany: read }, keys)).items).toHaveLength(3);
  expect(asked).toEqual([3]);
});

test('missing rows are omitted', async () => {
  const { read, keys } = table([1, 0, 1, 1, 1]);
  const beside = { most: 3, of: () => 3 };
  const { items, last } = await getWithin({ getMany: read }, keys, 11, { largest: LARGEST, beside });
  expect(items.map(({ pk }) => pk)).toEqual(['0', '2']);
  expect(last).toBe(keys[2]);
});

test.each([
  ['all reads are within the budget', [0, 0, 12, 0], { count: 4, left: 0 }],
  ['the third row exceeds the budget', [0, 2, 12, 0], { count: 2, left: 10 }],
  ['the first row uses up the budget', [12, 12, 12, 12], { count: 1, left: 0 }],
])('the related reads of four rows run in parallel: %s', async (_, units, { count, left }) => {
  const { read, keys, asked } = table([1, 1, 1, 1, 1]);
  const beside = { most: 12, of: ({ pk }: Item) => units[Number(pk)] ?? 0 };
  const page = await getWithin({ getMany: read }, keys, 16, { largest: 1, beside });
  expect(page).toMatchObject({ left, last: keys[count - 1] });
  expect({ items: page.items.length, asked }).toEqual({ items: count, asked: [4] });
});

/** Creates a table whose rows cost these read units. 0 stands for a missing row. */
function table(units: readonly number[]) {
  const keys = units.map((_, n) => ({ pk: String(n), sk: 'ROW' }));
  const asked: number[] = [];
  const rowOf = ({ pk, sk }: Key): Item[] => {
    const size = units[Number(pk)] ?? 0;
    return size === 0 ? [] : [{ pk, sk, text: 'x'.repeat(size * 4096 - 100) }];
  };
  const read = async (wanted: readonly Key[]) => {
    asked.push(wanted.length);
    return wanted.flatMap(rowOf).toReversed();
  };
  return { keys, read, asked };
}
