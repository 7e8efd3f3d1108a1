import { beforeEach, describe, expect, test } from 'vitest';
import { handler as cancel } from '../../../functions/transaction/cancel.ts';
import { type ClaimOutcome, claimPayment } from '../../../shared/receipt/claim-payment.ts';
import { MAX_CANDIDATES } from '../../../shared/receipt/match.ts';
import { findTransaction } from '../../../shared/transaction/transaction.table.ts';
import { charge, claimedPayments, createShop, mtn, pay, rows, type Shop } from '../../support/receipts.ts';
import { call, createWorld } from '../../support/world.ts';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const PAID = { outcome: 'paid' };
const UNKNOWN = { outcome: 'unknown' };
const NOBODYS_ID = '99999999999';

const world = await createWorld();
let shop: Shop;
beforeEach(async () => {
  shop = await createShop(world);
});

describe('what does not indicate another charge does not block a claim', () => {
  test('a number of several merchants, whose payments are unassigned', async () => {
    const neighbour = await createShop(world, { number: shop.number });
    const receipt = mtn();
    expect(await pay(world, shop, receipt)).not.toHaveProperty('merchant_id');
    expect(await claim(await charge(world, neighbour, { amount: 36 }), receipt.id)).toEqual(PAID);
  });

  test('this charge’s reference beside one that does not exist', async () => {
    const reference = await charge(world, shop, { amount: 36 });
    const receipt = mtn({ reference: `${reference} or MK-0000000000` });
    expect(await pay(world, shop, receipt)).toMatchObject({ reason: 'reference_unclear' });
    expect(await claim(reference, receipt.id)).toEqual(PAID);
  });

  test('the charge’s own name', async () => {
    const receipt = mtn();
    await pay(world, shop, receipt);
    const reference = await charge(world, shop, { amount: 36, customer_name: 'Kofi Mensah' });
    expect(await claim(reference, receipt.id)).toEqual(PAID);
  });

  test('ten digits that a charge on another number has', async () => {
    const elsewhere = await charge(world, await createShop(world), { amount: 36 });
    const receipt = mtn({ reference: elsewhere.slice('MK-'.length) });
    await pay(world, shop, receipt);
    expect(await claim(await charge(world, shop, { amount: 36 }), receipt.id)).toEqual(PAID);
  });

  test.each([
    ['a day before the payment', 2 * DAY_MS, UNKNOWN],
    ['longer ago', 2 * DAY_MS + 1, PAID],
  ])('but a charge in the payer’s name that expired %s', async (_, laterMs, outcome) => {
    await charge(world, shop, { amount: 36, customer_name: 'Kofi Mensah' });
    world.clock.nowMs += laterMs;
    const receipt = mtn();
    await pay(world, shop, receipt);
    expect(await claim(await charge(world, shop, { amount: 36 }), receipt.id)).toEqual(outcome);
  });
});

test('a charge in the payer’s name that was cancelled may be the one that was paid: nobody else claims it', async () => {
  const cancelled = await charge(world, shop, { amount: 36, customer_name: 'Kofi Mensah' });
  const { status } = await call(world, cancel, { key: shop.liveKey, parameters: { reference: cancelled } });
  expect(status).toBe(200);
  const receipt = mtn();
  await pay(world, shop, receipt);
  expect(await claim(await charge(world, shop, { amount: 36 }), receipt.id)).toEqual(UNKNOWN);
});

test('ten digits alone that another charge on the number has indicate that charge', async () => {
  const meant = await charge(world, shop, { amount: 40 });
  const receipt = mtn({ reference: meant.slice('MK-'.length) });
  expect(await pay(world, shop, receipt)).toMatchObject({ reference: meant });
  expect(await claim(await charge(world, shop, { amount: 36 }), receipt.id)).toEqual(UNKNOWN);
});

test('if too many charges of the amount are open to check each, the merchant has to assign the payment', async () => {
  const receipt = mtn();
  await pay(world, shop, receipt);
  const said = { amount: 36, customer_name: 'Ama Owusu' };
  const made = Array.from({ length: MAX_CANDIDATES }, () => charge(world, shop, said));
  const [reference = ''] = await Promise.all(made);
  const more = await charge(world, shop, said);
  expect(await claim(more, receipt.id)).toEqual(UNKNOWN);
  await pay(world, shop, mtn({ reference: more, from: 'YAW ADJEI' }));
  expect(await claim(reference, receipt.id)).toEqual(PAID);
});

test('a table that fails is a fault, not a wrong claim', async () => {
  const receipt = mtn();
  await pay(world, shop, receipt);
  const reference = await charge(world, shop, { amount: 36 });
  const usual = world.dynamoDb;
  world.dynamoDb = async ({ command }, send) => {
    if (command === 'TransactWriteItems') throw new Error('The table fails');
    await send();
  };
  await expect(claim(reference, receipt.id)).rejects.toThrow('The table fails');
  world.dynamoDb = usual;
  expect(await claim(reference, receipt.id)).toEqual(PAID);
});

describe('wrong claims on a wallet', () => {
  test('add up through the hour; the sixtieth closes it, until the next one begins', async () => {
    world.clock.nowMs = Math.ceil(world.clock.nowMs / HOUR_MS) * HOUR_MS;
    for (let wrong = 0; wrong < 57; wrong += 3) {
      const reference = await charge(world, shop, { amount: 36 });
      for (let n = 0; n < 3; n++) expect(await claim(reference, NOBODYS_ID)).toEqual(UNKNOWN);
      world.clock.nowMs += 60_000;
    }
    const last = await charge(world, shop, { amount: 36 });
    for (let n = 0; n < 3; n++) expect(await claim(last, NOBODYS_ID)).toEqual(UNKNOWN);
    // 19 minutes are gone.
    expect(await claim(last, NOBODYS_ID)).toEqual({ outcome: 'too_many', waitSeconds: 41 * 60 });
    world.clock.nowMs += 41 * 60_000;
    expect(await claim(last, NOBODYS_ID)).toEqual(UNKNOWN);
  });
});

test('what is counted of claims is kept for as long as it counts, and not for ever', async () => {
  await claim(await charge(world, shop, { amount: 36 }), NOBODYS_ID);
  const nowSeconds = world.clock.nowMs / 1_000;
  for (const [kind, leastSeconds] of [
    ['CLAIM', 7 * 24 * 60 * 60],
    ['CLAIM_HOUR', 60 * 60],
  ] as const) {
    const ends = (await rows(world, kind)).map((row) => Number(row.expires_at_epoch_seconds) - nowSeconds);
    expect(Math.max(...ends)).toBeGreaterThan(leastSeconds);
    expect(Math.max(...ends)).toBeLessThan(leastSeconds * 3);
  }
});

/** As the charge's page does. */
async function claim(reference: string, transactionId: string): Promise<ClaimOutcome> {
  const transaction = await findTransaction(world.outside, reference);
  if (!transaction) throw new Error(`There is no charge ${reference}`);
  return claimPayment(world.outside, transaction, {
    payments: claimedPayments(transaction, transactionId),
    nameWords: ['KOFI', 'MENSAH'],
  });
}
