import { describe, expect, test } from 'vitest';
import { listOpenReferences, transactionRows } from '../../../shared/money/transaction/transaction.table.ts';
import { charge, mtn, reversal } from '../../support/receipts.ts';
import { type Shop, scene } from '../../support/scene.ts';

const HOUR_MS = 60 * 60 * 1000;

const world = await scene();

describe('the charges of an amount that a name may find at a merchant', () => {
  test('are those that are not paid, newest first', async () => {
    const shop = await world.createShop();
    const first = await shop.charge({ amount: 36, customer_name: 'Ama Owusu' });
    world.clock.nowMs += 1_000;
    const last = await shop.charge({ amount: 36, customer_name: 'Ama Owusu' });
    await shop.charge({ amount: 36.01, customer_name: 'Ama Owusu' });
    // Whom no name can find is not among them.
    await shop.charge({ amount: 36 });
    await charge(world, await world.createShop(), { amount: 36, customer_name: 'Ama Owusu' });
    expect(await waiting(shop)).toEqual([last, first]);
  });

  test('no longer include those that were paid, even if the payment is reversed', async () => {
    const shop = await world.createShop();
    const [paid, other] = [
      await shop.charge({ amount: 36, customer_name: 'Ama Owusu' }),
      await shop.charge({ amount: 36, customer_name: 'Ama Owusu' }),
    ];
    const receipt = mtn({ reference: paid });
    await shop.pay(receipt);
    expect((await transactionRows.find(world.outside, { reference: paid }))?.state).toBe('success');
    expect(await waiting(shop)).toEqual([other]);
    await shop.arrive(reversal(receipt.id));
    expect(await waiting(shop)).toEqual([other]);
  });
});

/** Those of 36 cedis within an hour of now. */
function waiting({ id }: Shop): Promise<string[]> {
  const [from = '', to = ''] = [-HOUR_MS, HOUR_MS].map((ms) => world.iso(ms));
  return listOpenReferences(world.outside, id, 3_600, { made: [from, to], limit: 10 });
}
