import { expect, test } from 'vitest';
import { listInNameOf } from '../../../shared/money/charge/lookup.table.ts';
import { mtn } from '../../support/receipts.ts';
import { scene } from '../../support/scene.ts';

test('charges in a payer’s name are listed newest first, whichever words of it they have', async () => {
  const world = await scene({ inMemory: true });
  const shop = await world.createShop();
  const made: string[] = [];
  for (const customer_name of ['Kofi Darko', 'Yaw Kofi', 'Yaw Darko']) {
    made.push(await shop.charge({ amount: 36, customer_name }));
    world.clock.nowMs += 1_000;
  }
  await world.followChanges();
  const payer = { merchants: [shop.id], payerName: 'YAW KOFI DARKO', pesewas: 36_00 };
  const { named } = await listInNameOf(world.outside, { ...payer, between: ['0', '~'] });
  expect(named).toEqual(made.toReversed());
});

test('charges in a payer’s name include half-paid ones, but none in other names', async () => {
  const world = await scene({ inMemory: true });
  const shop = await world.createShop();
  const halfPaid = async (customer_name: string) => {
    const reference = await shop.charge({ amount: 72, customer_name });
    await shop.pay(mtn({ reference, amount: '36.00', from: 'ESI ARTHUR' }));
    return reference;
  };
  const [own] = [await halfPaid('Yaw Darko'), await halfPaid('Ama Owusu'), await halfPaid('Yaw Mensah')];
  world.clock.nowMs += 1_000;
  const whole = await shop.charge({ amount: 36, customer_name: 'Yaw Darko' });
  await world.followChanges();
  const payer = { merchants: [shop.id], payerName: 'YAW KOFI DARKO', pesewas: 36_00 };
  const { named } = await listInNameOf(world.outside, { ...payer, between: ['0', '~'] });
  expect(named).toEqual([whole, own]);
});

test.each(['YAW KOFI DARKO', 'YAW K DARKO'])(
  'charges that %s paid are listed, also without a customer’s name',
  async (payerName) => {
    const world = await scene({ inMemory: true });
    const shop = await world.createShop();
    const reference = await shop.charge({ amount: 36 });
    await shop.pay(mtn({ reference, from: payerName }));
    await shop.pay(mtn({ reference: await shop.charge({ amount: 36 }), from: 'AMA DARKO' }));
    await world.followChanges();
    const payer = { merchants: [shop.id], payerName, pesewas: 36_00 };
    const found = await listInNameOf(world.outside, { ...payer, between: ['0', '~'] });
    expect(found).toEqual({ named: [], namedOfAny: [], withAllWords: [reference] });
  },
);
