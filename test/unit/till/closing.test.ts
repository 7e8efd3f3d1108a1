import { beforeEach, describe, expect, test } from 'vitest';
import { chargeRows } from '../../../shared/money/charge/charge.table.ts';
import { replaceReceipt } from '../../../shared/money/receipt/receipt.table.ts';
import { Receipt } from '../../../shared/money/receipt/receipt.ts';
import { closingOf } from '../../../shared/money/till/closing.ts';
import { changeItem } from '../../../shared/runtime/table/table.ts';
import { dayOf } from '../../../shared/runtime/values/calendar.ts';
import { mtn } from '../../support/receipts.ts';
import { type Scene, type Shop, scene } from '../../support/scene.ts';
import { verifyMoney } from '../../support/verified.ts';

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

test.each([
  ['excludes a second payment that the request still needs', 1_000, { count: 0, pesewas: 0 }],
  ['includes a second payment for a request that is paid', 100, { count: 1, pesewas: 100_00 }],
])('money to return for a request’s bill %s', async (_, total, owed) => {
  const slug = await shop.request({ title: 'Offering', lines: [{ description: 'Offering', amount: total }] });
  // Two people share the bill.
  const [reference, shared] = [await world.openPart(slug, '100'), await world.openPart(slug, '100')];
  expect(shared).toBe(reference);
  for (const from of ['AMA SERWAA', 'YAW OWUSU']) await shop.pay(mtn({ reference, from, amount: '100.00' }));
  await verifyMoney(world);
  await world.tell(4);
  expect((await closing()).owed).toEqual(owed);
});

test('money to look into for a request includes a second payment if unverified money paid the request', async () => {
  const slug = await shop.request({ title: 'Offering', lines: [{ description: 'Offering', amount: 200 }] });
  const reference = await world.openPart(slug, '100');
  for (const from of ['AMA SERWAA', 'YAW OWUSU']) await shop.pay(mtn({ reference, from, amount: '100.00' }));
  await verifyMoney(world);
  await world.tell(4);
  world.clock.nowMs += 1_000;
  const forged = await world.openPart(slug, '100');
  expect(forged).not.toBe(reference);
  await shop.pay(mtn({ reference: forged, amount: '100.00' }));
  await world.tell(4);
  expect(await closing()).toMatchObject({ owed: NOTHING, toLookInto: { pesewas: 100_00 } });
});

describe('contradicted second payments when a shift is closed', () => {
  test('are to be looked into if their bill is paid', async () => {
    const { second } = await payTwice();
    await changeReceipt(second, { reason: 'conflict' });
    expect(await closing()).toMatchObject({ toLookInto: { count: 2, pesewas: 790_00 } });
  });

  test('are not to be looked into if their bill is unpaid', async () => {
    const { second } = await payTwice();
    const unpaid = await shop.charge({ amount: 36 });
    await changeReceipt(second, { reason: 'conflict', suggested_reference: unpaid });
    expect(await closing()).toMatchObject({ toLookInto: { count: 1, pesewas: 13_00 } });
  });
});

test('money that arrived is unverified unless its bill or its text is verified', async () => {
  const { reference, second, row } = await payTwice();
  const proof = { state: 'proven' };
  const sums = async () => (await closing()).arrived;
  expect(await sums()).toEqual({ count: 2, pesewas: 826_00, unproven: { count: 2, pesewas: 826_00 } });
  await world.outside.table.write([changeItem(chargeRows.key({ reference }), { payment: { ...row.payment, proof } })]);
  expect(await sums()).toEqual({ count: 2, pesewas: 826_00, unproven: { count: 1, pesewas: 777_00 } });
  await changeReceipt(second, { proof });
  expect(await sums()).toEqual({ count: 2, pesewas: 826_00, unproven: NOTHING });
});

test('bills marked as paid are totalled by how they were paid, without undone marks', async () => {
  const marks = [
    { how: 'cash', amount: '3.00', state: 'matched' },
    { how: 'transfer', amount: '5.00', state: 'matched' },
    { how: 'cash', amount: '7.00', state: 'held' },
  ] as const;
  for (const { how, amount, state } of marks) {
    const text = mtn({ amount });
    await shop.pay(text);
    const [row] = (await world.rows('RECEIPT')).filter(({ receipt_id }) => receipt_id === shop.paymentId(text));
    const receipt = Receipt.parse(row);
    const marked = { how, at: world.iso(), by: 'ama' };
    await world.outside.table.write([replaceReceipt(receipt, { ...receipt, state, marked })]);
  }
  expect((await closing()).marked).toEqual({
    cash: { count: 1, pesewas: 3_00 },
    transfers: { count: 1, pesewas: 5_00 },
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

function changeReceipt(id: string, fields: Record<string, unknown>) {
  return world.outside.table.write([changeItem({ pk: `RECEIPT#${id}`, sk: 'RECEIPT' }, fields)]);
}

function closing() {
  return closingOf(world.outside, shop.id, [], dayOf(world.clock.nowMs));
}
