import { expect, test } from 'vitest';
import { cached } from '../../../../shared/runtime/outside/cached.ts';

test('a value is cached for the given number of seconds', async () => {
  const { context, stored, cache } = given({ a: 1 });
  expect(await cache.get(context, 'a')).toBe(1);
  stored.set('a', 2);
  context.nowMs = 29_999;
  expect(await cache.get(context, 'a')).toBe(1);
  context.nowMs = 30_000;
  expect(await cache.get(context, 'a')).toBe(2);
});

test('a deleted value is removed from the cache on reload', async () => {
  const { context, stored, cache } = given({ a: 1 });
  await cache.get(context, 'a');
  stored.delete('a');
  context.nowMs = 30_000;
  expect(await cache.get(context, 'a')).toBeUndefined();
  context.nowMs = 0;
  expect(await cache.get(context, 'a')).toBeUndefined();
});

test('a missing value is not cached', async () => {
  const { context, stored, cache } = given({});
  expect(await cache.get(context, 'a')).toBeUndefined();
  stored.set('a', 1);
  expect(await cache.get(context, 'a')).toBe(1);
});

test('false and empty values are cached', async () => {
  const { context, stored, cache } = given({ a: 0 });
  expect(await cache.get(context, 'a')).toBe(0);
  stored.set('a', 1);
  expect(await cache.get(context, 'a')).toBe(0);
});

test('fresh() reloads the value', async () => {
  const { context, stored, cache } = given({ a: 1 });
  await cache.get(context, 'a');
  stored.set('a', 2);
  expect(await cache.fresh(context, 'a')).toBe(2);
  expect(await cache.get(context, 'a')).toBe(2);
});

test('each key has its own cached value', async () => {
  const { context, stored, cache } = given({ a: 1, b: 2 });
  expect({ a: await cache.get(context, 'a'), b: await cache.get(context, 'b') }).toEqual({ a: 1, b: 2 });
  stored.set('a', 3);
  expect(await cache.get({ ...context }, 'a')).toBe(3);
  expect(await cache.get(context, 'a')).toBe(1);
});

test('a reload error is thrown without clearing the cached value', async () => {
  const { context, stored, cache } = given({ a: 1 });
  await cache.get(context, 'a');
  stored.set('a', new Error('The table is away'));
  await expect(cache.fresh(context, 'a')).rejects.toThrow('The table is away');
  expect(await cache.get(context, 'a')).toBe(1);
});

test('slow loading does not extend the cache lifetime', async () => {
  const context = { nowMs: 0, now: () => context.nowMs };
  const values = [1, 2];
  const cache = cached(30, async (world: typeof context, _key: string) => {
    world.nowMs += 10_000;
    return values.shift();
  });
  await cache.get(context, 'a');
  context.nowMs = 30_000;
  expect(await cache.get(context, 'a')).toBe(2);
});

test('the oldest of more than a thousand keys is evicted', async () => {
  const { context, stored, cache } = given({});
  for (let n = 0; n <= 1_000; n++) {
    stored.set(`key ${n}`, n);
    await cache.get(context, `key ${n}`);
  }
  stored.set('key 0', 'new').set('key 1', 'new');
  expect(await cache.get(context, 'key 1')).toBe(1);
  expect(await cache.get(context, 'key 0')).toBe('new');
});

/** Creates a store, a clock at 0, and a 30-second cache. The store throws values that are errors. */
function given(values: Record<string, unknown>) {
  const stored = new Map(Object.entries(values));
  const context = { nowMs: 0, now: () => context.nowMs };
  const cache = cached(30, async (_context: typeof context, key: string) => {
    const value = stored.get(key);
    if (value instanceof Error) throw value;
    return value;
  });
  return { context, stored, cache };
}
