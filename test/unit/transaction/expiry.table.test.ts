import { expect, test } from 'vitest';
import { listExpiries, noteExpiry, removeExpiry } from '../../../shared/transaction/expiry.table.ts';
import { createWorld } from '../../support/world.ts';

const world = await createWorld();
const first = { reference: 'MK-3000000000', expires_at: '2026-01-05T08:00:00.000Z' };
const second = { reference: 'MK-2000000000', expires_at: '2026-01-05T09:00:00.000Z' };
const last = { reference: 'MK-1000000000', expires_at: '2026-01-05T10:00:00.000Z' };

test('charges end in the order of their times, up to a moment, as many as are asked for', async () => {
  // The stream may tell of a charge twice.
  for (const expiry of [last, second, first, first]) await world.outside.table.write([noteExpiry(expiry)]);
  expect(await listExpiries(world.outside, second.expires_at, 10)).toEqual([first, second]);
  expect(await listExpiries(world.outside, last.expires_at, 1)).toEqual([first]);
  await world.outside.table.write([removeExpiry(first)]);
  expect(await listExpiries(world.outside, last.expires_at, 10)).toEqual([second, last]);
});
