import { beforeEach, expect, test } from 'vitest';
import { countThreeADay, countUpTo, type Limit } from '../../../../shared/runtime/table/limits.ts';
import { createWorld, type World } from '../../../support/world.ts';

let world: World;
beforeEach(async () => {
  world = await createWorld({ inMemory: true });
  world.clock.nowMs = Date.parse('2026-11-20T08:15:30.000Z');
});

const sold = { key: (hour: string) => ({ pk: 'SOLD#shop', sk: hour }), per: 'hour', most: { counted: 3 } } as const;
const HOURLY: Limit = { ...sold, refused: 'Three an hour.' };

test('simultaneous counts stop exactly at the limit', async () => {
  expect(await counted(10, HOURLY)).toBe(3);
  expect(await rowOf(HOURLY)).toMatchObject({ counted: 3 });
});

test('the count resets in the next hour', async () => {
  await counted(3, HOURLY);
  const refusal = await world.outside.table.write([countUpTo(world.outside, HOURLY)]).catch((error) => error);
  expect(refusal).toMatchObject({ code: 'too_many_requests', message: 'Three an hour.' });
  expect(refusal.headers).toEqual({ 'retry-after': String(44 * 60 + 30) });
  world.clock.nowMs += 44 * 60_000 + 30_000;
  expect(await counted(4, HOURLY)).toBe(3);
});

test('a rejection states the time left in the counted hour', async () => {
  world.clock.nowMs = Date.parse('2026-11-20T08:59:59.000Z');
  await counted(3, HOURLY);
  const write = countUpTo(world.outside, HOURLY);
  world.clock.nowMs += 1_500;
  const refusal = await world.outside.table.write([write]).catch((error) => error);
  expect(refusal.headers).toEqual({ 'retry-after': '1' });
});

test.each([
  ['minute', '2026-11-20T08:15', 2 * 60],
  ['hour', '2026-11-20T08', 2 * 60 * 60],
  ['day', '2026-11-20', 2 * 24 * 60 * 60],
] as const)('the counter per %s is stored for two periods', async (per, sk, keptSeconds) => {
  await counted(1, { ...HOURLY, per });
  const row = await world.outside.table.get({ pk: 'SOLD#shop', sk });
  expect(Number(row?.expires_at_epoch_seconds) - Math.floor(world.clock.nowMs / 1000)).toBe(keptSeconds);
});

test('counting several at once is rejected as a whole if it would exceed the limit', async () => {
  const [some, tooMany] = [countUpTo(world.outside, HOURLY, 2), countUpTo(world.outside, HOURLY, 4)];
  await expect(world.outside.table.write([tooMany])).rejects.toThrow('Three an hour.');
  await world.outside.table.write([some]);
  await expect(world.outside.table.write([some])).rejects.toThrow('Three an hour.');
  expect(await rowOf(HOURLY)).toMatchObject({ counted: 2 });
});

test('a limit of zero rejects every count', async () => {
  expect(await counted(2, { ...HOURLY, most: { counted: 0 } })).toBe(0);
});

test('a caller that has used up its share does not affect others', async () => {
  const of = (address: string): Limit => ({ ...HOURLY, most: { counted: 3, [address]: 2 } });
  expect(await counted(5, of('from_a'))).toBe(2);
  expect(await counted(5, of('from_b'))).toBe(1);
  expect(await rowOf(HOURLY)).toMatchObject({ counted: 3, from_a: 2, from_b: 1 });
});

test('a limit of three a day applies to any 24 hours', async () => {
  const one = () =>
    world.outside.table.update(countThreeADay(world.outside, { pk: 'TEXTED#1', sk: 'NUMBER' }, undefined));
  world.clock.nowMs = Date.parse('2026-11-20T23:00:00.000Z');
  const before = await Promise.all([one(), one(), one(), one(), one()]);
  expect(before.filter(Boolean)).toHaveLength(3);
  world.clock.nowMs = Date.parse('2026-11-21T22:59:59.000Z');
  expect(await one()).toBeUndefined();
  world.clock.nowMs = Date.parse('2026-11-21T23:00:00.000Z');
  expect(await one()).toBeDefined();
});

/** Makes concurrent attempts. Returns how many were counted. */
async function counted(times: number, limit: Limit): Promise<number> {
  const one = () =>
    world.outside.table.write([countUpTo(world.outside, limit)]).then(
      () => true,
      () => false,
    );
  return (await Promise.all(Array.from({ length: times }, one))).filter(Boolean).length;
}

function rowOf({ key }: Limit) {
  return world.outside.table.get(key('2026-11-20T08'));
}
