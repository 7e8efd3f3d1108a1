import { expect, test } from 'vitest';
import { acquireLease } from '../../../../shared/runtime/table/lease.ts';
import { DAY_MS } from '../../../../shared/runtime/values/calendar.ts';
import { createWorld } from '../../../support/world.ts';

test('another process can take over a crashed holder’s lease', async () => {
  const world = await createWorld({ inMemory: true });
  world.clock.nowMs += DAY_MS;
  await acquireLease(world.outside, 'work', 300);
  world.clock.nowMs -= DAY_MS;
  expect(await acquireLease(world.outside, 'work', 300)).toBeDefined();
});

test('a holder with a slightly fast clock keeps the lease', async () => {
  const world = await createWorld({ inMemory: true });
  world.clock.nowMs += 60_000;
  await acquireLease(world.outside, 'work', 300);
  world.clock.nowMs -= 60_000;
  expect(await acquireLease(world.outside, 'work', 300)).toBeUndefined();
});
