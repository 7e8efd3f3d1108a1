import { expect, test } from 'vitest';
import { acquireLease } from '../../../../shared/runtime/table/lease.ts';
import { DAY_MS } from '../../../../shared/runtime/values/calendar.ts';
import { createWorld } from '../../../support/world.ts';

test('a crashed holder’s lease can be taken over', async () => {
  const world = await createWorld({ inMemory: true });
  world.clock.nowMs += DAY_MS;
  await acquireLease(world.outside, 'work', 300);
  world.clock.nowMs -= DAY_MS;
  expect(await acquireLease(world.outside, 'work', 300)).toBeDefined();
});

test('a holder keeps its lease if its clock is slightly fast', async () => {
  const world = await createWorld({ inMemory: true });
  world.clock.nowMs += 60_000;
  await acquireLease(world.outside, 'work', 300);
  world.clock.nowMs -= 60_000;
  expect(await acquireLease(world.outside, 'work', 300)).toBeUndefined();
});
