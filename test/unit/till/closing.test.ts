import { beforeEach, describe, expect, test } from 'vitest';
import { chargeRows } from '../../../shared/money/charge/charge.table.ts';
import { closingOf } from '../../../shared/money/till/closing.ts';
import { changeItem } from '../../../shared/runtime/table/table.ts';
import { dayOf } from '../../../shared/runtime/values/calendar.ts';
import { mtn } from '../../support/receipts.ts';
import { type Scene, type Shop, scene } from '../../support/scene.ts';

let world: Scene;
let shop: Shop;
beforeEach(async () => {
  world = await scene({ inMemory: true });
  shop = await world.createShop();
});

describe('money to return when a shift is closed', () => {
  test('excludes unverified payments', async () => {
    await payTwice();
    expect(await closing()).toMatchObject({ owed: NOTHING, toLookInto: { count: 2, pesewas: 790_00 } });
  });

  test('includes a verified overpayment', async () => {
    const { reference, row } = await payTwice();
    const payment = { ...row.payment, proof: { state: 'proven' } };
    await world.outside.table.write([changeItem(chargeRows.key({ reference }), { payment })]);
    expect(await closing()).toMatchObject({ owed: { count: 1, pesewas: 13_00 }, toLookInto: { pesewas: 777_00 } });
  });

  test('excludes a verified second payment for an unverified charge', async () => {
    const { reference, second, row } = await payTwice();
    const proof = { state: 'proven' };
    await world.outside.table.write([changeItem({ pk: `RECEIPT#${second}`, sk: 'RECEIPT' }, { proof })]);
    expect(await closing()).toMatchObject({ owed: NOTHING, toLookInto: { count: 2, pesewas: 790_00 } });
    const payment = { ...row.payment, proof };
    await world.outside.table.write([changeItem(chargeRows.key({ reference }), { payment })]);
    expect(await closing()).toMatchObject({ owed: { count: 2, pesewas: 790_00 }, toLookInto: NOTHING });
  });
});

const NOTHING = { count: 0, pesewas: 0 };

/** Pays a charge of GHS 36 twice, with unverified payments of GHS 49 and GHS 777. */
async function payTwice() {
  const reference = await shop.charge({ amount: 36 });
  await shop.pay(mtn({ reference, amount: '49.00' }));
  const second = mtn({ reference, amount: '777.00' });
  await shop.pay(second);
  return { reference, second: shop.paymentId(second), row: await world.chargeRow(reference) };
}

function closing() {
  return closingOf(world.outside, shop.id, [], dayOf(world.clock.nowMs));
}
