import { expect, test } from 'vitest';
import { noteLookups } from '../../../shared/money/transaction/lookup.table.ts';
import { transactionRows } from '../../../shared/money/transaction/transaction.table.ts';
import { charge, createShop } from '../../support/receipts.ts';
import { createWorld } from '../../support/world.ts';

test('what a charge is found by goes when the charge does', async () => {
  const world = await createWorld({ inMemory: true });
  const reference = await charge(world, await createShop(world), { amount: 36, customer_name: 'Ama Owusu' });
  const found = await transactionRows.find(world.outside, { reference });
  if (!found) throw new Error('The charge is there');
  const ends: unknown[] = [];
  const write: typeof world.outside.table.write = async (writes) => {
    ends.push(...writes.map(({ put }) => put?.Item?.expires_at_epoch_seconds));
    await world.outside.table.write(writes);
  };
  await noteLookups({ table: { ...world.outside.table, write } }, found);
  expect(ends.length).toBeGreaterThan(0);
  expect(new Set(ends)).toEqual(new Set([found.expires_at_epoch_seconds]));
  expect(found.expires_at_epoch_seconds).toBeGreaterThan(world.clock.nowMs / 1000);
});
