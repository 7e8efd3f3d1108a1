import { expect, test } from 'vitest';
import {
  createExpiry,
  expiryOf,
  expiryRows,
  listExpiries,
  noteExpiry,
} from '../../../shared/money/transaction/expiry.table.ts';
import {
  listOpenReferences,
  type Transaction,
  transactionRows,
} from '../../../shared/money/transaction/transaction.table.ts';
import { charge, createShop } from '../../support/receipts.ts';
import { createWorld } from '../../support/world.ts';

const world = await createWorld();
const shop = await createShop(world);
const charges: Transaction[] = [];
for (let n = 0; n < 3; n++) {
  world.clock.nowMs += 60_000;
  const made = await transactionRows.find(world.outside, {
    reference: await charge(world, shop, { amount: 36, customer_name: 'Ama Owusu' }),
  });
  if (made) charges.push(made);
}
const [first, second, last] = charges;
if (!first || !second || !last) throw new Error('Three were made');
test('charges end in the order of their times, up to a moment, as many as are asked for', async () => {
  // The stream may tell of a charge twice.
  for (const expiry of [last, second, first, first]) await world.outside.table.write([createExpiry(expiry)]);
  expect(await listExpiries(world.outside, second.expires_at, 10)).toEqual([first, second].map(expiryOf));
  expect(await listExpiries(world.outside, last.expires_at, 1)).toEqual([expiryOf(first)]);
  await world.outside.table.write([expiryRows.remove(expiryOf(first))]);
  expect(await listExpiries(world.outside, last.expires_at, 10)).toEqual([second, last].map(expiryOf));
});

test('a partly paid charge is found by the missing amount', async () => {
  const part = { receipt_id: 'r', network: 'MTN', transaction_id: '1', amount_pesewas: 3_500 } as const;
  const parts = [{ ...part, received_at: second.created_at, matched_by: 'reference' } as const];
  await world.outside.table.write([noteExpiry({ ...second, parts })]);
  // The stream tells once more that the charge was made.
  await world.outside.table.write([createExpiry(second)]);
  const made = [first.created_at, last.created_at] as const;
  expect(await listOpenReferences(world.outside, shop.id, 100, { made, limit: 10 })).toEqual([second.reference]);
});
