import { beforeEach, describe, expect, test } from 'vitest';
import { createTransaction, transactionRows } from '../../../shared/money/transaction/transaction.table.ts';
import { mtn, telecel } from '../../support/receipts.ts';
import { type Shop, scene } from '../../support/scene.ts';

// What is done with a payment that arrives, where its payer wrote more than a reference, or less.

const KOFI = { amount: 36, customer_name: 'Kofi Mensah' };
const UNCLEAR = { state: 'held', reason: 'reference_unclear' };
/** Ten digits each, and no charge's. */
const PHONES = ['0240000001', '0240000002', '0240000003', '0240000004', '0240000005'];
const UNKNOWN = 'MK-1000000000';

const world = await scene();
let shop: Shop;
beforeEach(async () => {
  shop = await world.createShop();
});

const other = () => shop.charge({ amount: 50 });

describe('a reference that cannot be read for certain is held, even where the payer’s name fits a charge', () => {
  test.each<[string, (own: string) => string | Promise<string>]>([
    ['a digit short', () => 'MK-407193268'],
    ['two references, of which nobody has one', () => `${UNKNOWN} MK-1000000001`],
    ['five numbers of ten digits', () => PHONES.join(', ')],
    ['a reference and four numbers of ten digits', () => [UNKNOWN, ...PHONES.slice(1)].join(', ')],
    ['a charge’s own, beside one that does not exist', (own) => `${own} ${UNKNOWN}`],
    ['one that does not exist, beside the ten digits of a pending charge', (own) => `${UNKNOWN}, ${digitsOf(own)}`],
    [
      'one of two pending charges, and the ten digits of the other',
      async (own) => `${own}, ${digitsOf(await other())}`,
    ],
  ])('%s', async (_, typed) => {
    const reference = await typed(await shop.charge(KOFI));
    expect(await shop.pay(mtn({ reference }))).toMatchObject(UNCLEAR);
  });
});

describe('the charge that a payment is meant for is certain', () => {
  test.each([
    ['its reference and three phone numbers', (it: string) => [it, ...PHONES.slice(2)].join(', ')],
    ['its ten digits and three phone numbers', (it: string) => [digitsOf(it), ...PHONES.slice(2)].join(', ')],
  ])('by %s', async (_, write) => {
    const reference = await shop.charge({ amount: 36 });
    expect(await shop.pay(mtn({ reference: write(reference) }))).toMatchObject({ state: 'matched', reference });
  });

  test('where the other one that is named was paid before', async () => {
    const [before, reference] = [await shop.charge({ amount: 20 }), await shop.charge({ amount: 36 })];
    await shop.pay(mtn({ amount: '20', reference: before }));
    const digits = mtn({ reference: `${digitsOf(before)}, ${digitsOf(reference)}` });
    expect(await shop.pay(digits)).toMatchObject({ state: 'matched', reference });
    const next = await shop.charge({ amount: 36 });
    const named = mtn({ reference: `${next}, ${digitsOf(before)}` });
    expect(await shop.pay(named)).toMatchObject({ state: 'matched', reference: next });
  });

  test('by the ten digits of one that was paid: already_paid, and not matched by name', async () => {
    const before = await shop.charge({ amount: 36 });
    await shop.pay(mtn({ reference: before }));
    await shop.charge(KOFI);
    const second = mtn({ reference: digitsOf(before) });
    expect(await shop.pay(second)).toMatchObject({ state: 'held', reason: 'already_paid' });
  });
});

test('where two merchants share a number at two networks, both networks are its own', async () => {
  const neighbour = await world.createShop({ number: shop.number, network: 'TELECEL' });
  const [ours, theirs] = [await shop.charge({ amount: 36 }), await neighbour.charge({ amount: 36 })];
  expect(await shop.pay(mtn({ reference: ours }))).toMatchObject({ state: 'matched', reference: ours });
  expect(await shop.pay(telecel({ reference: theirs }))).toMatchObject({ state: 'matched', reference: theirs });
});

test('a bank’s name confirms nothing: it is on the payments of everybody who pays through it', async () => {
  await shop.charge({ amount: 36, customer_name: 'Absa Bank' });
  expect(await shop.pay(mtn({ from: 'ABSA BANK' }))).toMatchObject({ state: 'held', reason: 'no_charge' });
});

test('with a digit wrong a reference is compared with all charges of the day, paid ones too', async () => {
  const model = await transactionRows.find(world.outside, { reference: await shop.charge({ amount: 36 }) });
  if (!model) throw new Error('The charge is not there');
  const rows = Array.from({ length: 999 }, (_, n) => ({ ...model, reference: `MK-2${String(n).padStart(9, '0')}` }));
  for (let n = 0; n < rows.length; n += 100)
    await world.outside.table.write(rows.slice(n, n + 100).map(createTransaction));
  await shop.pay(mtn({ reference: 'MK-2000000007' }));
  expect(await shop.pay(mtn({ reference: '200000007' }))).toMatchObject(UNCLEAR);
  expect(await shop.pay(mtn({ reference: '900000000' }))).toMatchObject({ reason: 'no_charge' });
});

function digitsOf(reference: string): string {
  return reference.slice('MK-'.length);
}
