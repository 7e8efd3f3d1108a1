import { beforeEach, describe, expect, test } from 'vitest';
import { claimPayment } from '../../../shared/receipt/claim-payment.ts';
import { findTransaction } from '../../../shared/transaction/transaction.table.ts';
import {
  arrive,
  charge,
  createShop,
  listed,
  mtn,
  pay,
  paymentId,
  receiptRow,
  reversal,
  rightBefore,
  type Shop,
  telecel,
  verified,
} from '../../support/receipts.ts';
import { createWorld } from '../../support/world.ts';

const MINUTE_MS = 60_000;
const WINDOW_MS = 10 * MINUTE_MS;
const PAID = { outcome: 'paid' };
const UNKNOWN = { outcome: 'unknown' };

const world = await createWorld();
let shop: Shop;
beforeEach(async () => {
  shop = await createShop(world);
});

describe('the id of a held payment', () => {
  test('pays the charge, and says so', async () => {
    const receipt = mtn();
    await pay(world, shop, receipt);
    world.clock.nowMs += MINUTE_MS;
    const reference = await charge(world, shop, { amount: 36 });
    expect(await claim(reference, receipt.id)).toEqual(PAID);
    expect(await verified(world, shop, reference)).toMatchObject({
      status: 'success',
      paid_at: new Date(world.clock.nowMs).toISOString(),
      payment: { transaction_id: receipt.id, amount: 36, matched_by: 'claim', payer_name: 'KOFI MENSAH BOATENG' },
    });
    const row = await receiptRow(world, paymentId(shop, receipt));
    expect(row).toMatchObject({ state: 'matched', matched_by: 'claim', reference, text: receipt.text });
    expect(row).not.toHaveProperty('reason');
    expect(await listed(world, shop, 'held')).toEqual([]);
  });

  test.each<[string, (id: string) => string]>([
    ['spaces', (id) => ` ${id.slice(0, 4)} ${id.slice(4, 8)}  ${id.slice(8)} `],
    ['dashes and a dot', (id) => `${id.slice(0, 5)}-${id.slice(5)}.`],
    ['a line behind it', (id) => `${id}\r\n`],
    ['a hash before it', (id) => `#${id}`],
  ])('may have %s in it', async (_, typed) => {
    const receipt = mtn();
    await pay(world, shop, receipt);
    expect(await claim(await charge(world, shop, { amount: 36 }), typed(receipt.id))).toEqual(PAID);
  });

  test('of Telecel has 16 digits, zeros before it included', async () => {
    const kojo = await createShop(world, { network: 'TELECEL' });
    const receipt = telecel();
    await pay(world, kojo, receipt);
    const reference = await charge(world, kojo, { amount: 36 });
    expect(await claim(reference, receipt.id.replace(/^0+/, ''))).toEqual(UNKNOWN);
    expect(await claim(reference, receipt.id)).toEqual(PAID);
  });

  test.each<[string, { customer_name?: string }, { reference?: string; amount?: string }]>([
    ['name_differs', { customer_name: 'Ama Owusu' }, {}],
    ['several_fit', { customer_name: 'Kofi Mensah' }, {}],
    ['no_charge', {}, {}],
  ])('that was held for %s pays the charge', async (reason, said, typed) => {
    if (reason !== 'no_charge') await charge(world, shop, { amount: 36, ...said });
    if (reason === 'several_fit') await charge(world, shop, { amount: 36, ...said });
    const receipt = mtn(typed);
    expect(await pay(world, shop, receipt)).toMatchObject({ reason });
    const reference = await charge(world, shop, { amount: 36 });
    expect(await claim(reference, receipt.id)).toEqual(PAID);
  });

  test('that was meant for another charge, which was paid or cost something else, pays one of its amount', async () => {
    const dear = await charge(world, shop, { amount: 40 });
    const [under, exact, second] = [
      mtn({ reference: dear }),
      mtn({ amount: '40', reference: dear }),
      mtn({ reference: dear }),
    ];
    expect(await pay(world, shop, under)).toMatchObject({ reason: 'amount_differs' });
    await pay(world, shop, exact);
    expect(await pay(world, shop, second)).toMatchObject({ reason: 'already_paid' });
    for (const { id } of [under, second]) {
      expect(await claim(await charge(world, shop, { amount: 36 }), id)).toEqual(PAID);
    }
  });
});

describe('no payment of this charge', () => {
  test.each([
    ['an id that nobody has', () => '99999999999'],
    ['nothing', () => ''],
    ['no letter or digit', () => ' -–. '],
    ['an id with a digit more', (id: string) => `${id}0`],
    ['an id with a digit less', (id: string) => id.slice(1)],
    ['an id with a letter', (id: string) => `${id}A`],
    ['the whole id of the receipt', (id: string) => `MTN-${shop.number.slice(1)}-${id}`],
    ['a part of a key', (id: string) => `${id}#RECEIPT`],
    ['a very long one', () => '9'.repeat(40)],
  ])('%s', async (_, typed) => {
    const receipt = mtn();
    await pay(world, shop, receipt);
    const reference = await charge(world, shop, { amount: 36 });
    expect(await claim(reference, typed(receipt.id))).toEqual(UNKNOWN);
    expect(await verified(world, shop, reference)).toMatchObject({ status: 'pending' });
    expect(await receiptRow(world, paymentId(shop, receipt))).toMatchObject({ state: 'held' });
  });

  test.each([35.99, 36.01, 0.36, 3_600])('one over 36, where the charge is over %d', async (amount) => {
    const receipt = mtn();
    await pay(world, shop, receipt);
    const reference = await charge(world, shop, { amount });
    expect(await claim(reference, receipt.id)).toEqual(UNKNOWN);
    expect(await verified(world, shop, reference)).toMatchObject({ status: 'pending' });
  });

  test('one on another number', async () => {
    const elsewhere = await createShop(world);
    const receipt = mtn();
    await pay(world, elsewhere, receipt);
    expect(await claim(await charge(world, shop, { amount: 36 }), receipt.id)).toEqual(UNKNOWN);
    expect(await receiptRow(world, paymentId(elsewhere, receipt))).toMatchObject({ state: 'held' });
  });

  test('one of another network on its number', async () => {
    const receipt = telecel();
    expect(await pay(world, shop, receipt)).toMatchObject({ reason: 'network_differs' });
    expect(await claim(await charge(world, shop, { amount: 36 }), receipt.id)).toEqual(UNKNOWN);
  });

  test('one that came to a number that was not told', async () => {
    const receipt = mtn();
    await arrive(world, shop, { ...receipt, recipient: null });
    expect(await claim(await charge(world, shop, { amount: 36 }), receipt.id)).toEqual(UNKNOWN);
  });

  test('one that another charge was paid with', async () => {
    const other = await charge(world, shop, { amount: 36 });
    const receipt = mtn({ reference: other });
    await pay(world, shop, receipt);
    const reference = await charge(world, shop, { amount: 36 });
    expect(await claim(reference, receipt.id)).toEqual(UNKNOWN);
    expect(await verified(world, shop, reference)).toMatchObject({ status: 'pending' });
    expect(await verified(world, shop, other)).toMatchObject({ payment: { transaction_id: receipt.id } });
  });

  test('one that was taken back, before or after its text', async () => {
    const [before, after] = [mtn(), mtn()];
    for (const text of [reversal(before.id), before, after, reversal(after.id)]) await arrive(world, shop, text);
    const reference = await charge(world, shop, { amount: 36 });
    for (const { id } of [before, after]) expect(await claim(reference, id)).toEqual(UNKNOWN);
  });

  test('one from a sender that is no network', async () => {
    const receipt = { ...mtn(), sender: '+233555000111' };
    await arrive(world, shop, receipt);
    expect(await claim(await charge(world, shop, { amount: 36 }), receipt.id)).toEqual(UNKNOWN);
  });

  test('one of which only the reversal is known', async () => {
    const { id } = mtn();
    await arrive(world, shop, reversal(id));
    expect(await claim(await charge(world, shop, { amount: 36 }), id)).toEqual(UNKNOWN);
  });
});

describe('a charge that is paid', () => {
  test('is paid, whatever is typed, and takes no try', async () => {
    const reference = await charge(world, shop, { amount: 36 });
    await pay(world, shop, mtn({ reference }));
    for (let n = 0; n < 8; n++) expect(await claim(reference, 'anything')).toEqual(PAID);
  });

  test('since its page was read is paid, and keeps its own payment', async () => {
    const [reference, held] = [await charge(world, shop, { amount: 36 }), mtn()];
    await pay(world, shop, held);
    const stale = await found(reference);
    const receipt = mtn({ reference });
    await pay(world, shop, receipt);
    expect(await claimPayment(world.outside, stale, held.id)).toEqual(PAID);
    expect(await claimPayment(world.outside, stale, receipt.id)).toEqual(PAID);
    expect(await verified(world, shop, reference)).toMatchObject({ payment: { transaction_id: receipt.id } });
    expect(await receiptRow(world, paymentId(shop, held))).toMatchObject({ state: 'held' });
  });

  test('and was taken back since its page was read is not paid', async () => {
    const [reference, held] = [await charge(world, shop, { amount: 36 }), mtn()];
    await pay(world, shop, held);
    const stale = await found(reference);
    const receipt = mtn({ reference });
    await pay(world, shop, receipt);
    await arrive(world, shop, reversal(receipt.id));
    expect(await claimPayment(world.outside, stale, held.id)).not.toEqual(PAID);
    expect(await verified(world, shop, reference)).toMatchObject({ status: 'reversed' });
    expect(await receiptRow(world, paymentId(shop, held))).toMatchObject({ state: 'held' });
  });
});

describe('tries', () => {
  test('five wrong ones in ten minutes, then none: too_many, with the seconds to wait, even for the right id', async () => {
    const receipt = mtn();
    await pay(world, shop, receipt);
    const reference = await charge(world, shop, { amount: 36 });
    for (let n = 0; n < 5; n++) {
      expect(await claim(reference, `9999999999${n}`)).toEqual(UNKNOWN);
      world.clock.nowMs += MINUTE_MS;
    }
    expect(await claim(reference, receipt.id)).toEqual({ outcome: 'too_many', waitSeconds: 300 });
    world.clock.nowMs += 299_000;
    expect(await claim(reference, receipt.id)).toEqual({ outcome: 'too_many', waitSeconds: 1 });
    expect(await verified(world, shop, reference)).toMatchObject({ status: 'pending' });
    world.clock.nowMs += 1_000;
    expect(await claim(reference, receipt.id)).toEqual(PAID);
  });

  test('the next ten minutes have five of their own, and refused ones do not count', async () => {
    const reference = await charge(world, shop, { amount: 36 });
    const outcomes: string[] = [];
    for (let window = 0; window < 3; window++) {
      for (let n = 0; n < 8; n++) outcomes.push((await claim(reference, '99999999999')).outcome);
      world.clock.nowMs += WINDOW_MS;
    }
    const each = [...Array<string>(5).fill('unknown'), ...Array<string>(3).fill('too_many')];
    expect(outcomes).toEqual([...each, ...each, ...each]);
  });

  test('are counted for each charge', async () => {
    const [mine, yours] = [await charge(world, shop, { amount: 36 }), await charge(world, shop, { amount: 36 })];
    for (let n = 0; n < 6; n++) await claim(mine, '99999999999');
    expect(await claim(mine, '99999999999')).toMatchObject({ outcome: 'too_many' });
    expect(await claim(yours, '99999999999')).toEqual(UNKNOWN);
  });

  test('20 wrong ones at once take at most five looks', async () => {
    const reference = await charge(world, shop, { amount: 36 });
    const ids = Array.from({ length: 20 }, (_, n) => `999999999${String(n).padStart(2, '0')}`);
    const looks = await looksOf(() => Promise.all(ids.map((id) => claim(reference, id))));
    expect(looks).toBeGreaterThan(0);
    expect(looks).toBeLessThanOrEqual(5);
    // And after them no more than what is left of the five.
    const more = await looksOf(async () => {
      for (const id of ids) await claim(reference, id);
    });
    expect(looks + more).toBe(5);
  });

  test('a button that was pressed twice is two tries, not too many', async () => {
    const receipt = mtn();
    await pay(world, shop, receipt);
    const reference = await charge(world, shop, { amount: 36 });
    expect(await Promise.all([claim(reference, receipt.id), claim(reference, receipt.id)])).toEqual([PAID, PAID]);
  });
});

describe('at the same time', () => {
  test('two customers who claim one payment for two charges: one gets it', async () => {
    const receipt = mtn();
    await pay(world, shop, receipt);
    const references = [await charge(world, shop, { amount: 36 }), await charge(world, shop, { amount: 36 })];
    const outcomes = await Promise.all(references.map((reference) => claim(reference, receipt.id)));
    expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(['paid', 'unknown']);
    const statuses = await Promise.all(references.map((reference) => verified(world, shop, reference)));
    expect(statuses.map(({ status }) => status)).toEqual(
      outcomes.map(({ outcome }) => (outcome === 'paid' ? 'success' : 'pending')),
    );
  });

  test('a payment that another charge gets between the look and the write is unknown', async () => {
    const receipt = mtn();
    await pay(world, shop, receipt);
    const [mine, yours] = [await charge(world, shop, { amount: 36 }), await charge(world, shop, { amount: 36 })];
    rightBefore(world, 'TransactWriteItems', () => claim(yours, receipt.id));
    expect(await claim(mine, receipt.id)).toEqual(UNKNOWN);
    expect(await verified(world, shop, mine)).toMatchObject({ status: 'pending' });
    expect(await verified(world, shop, yours)).toMatchObject({ status: 'success' });
  });

  test('a payment that is taken back between the look and the write is unknown', async () => {
    const receipt = mtn();
    await pay(world, shop, receipt);
    const reference = await charge(world, shop, { amount: 36 });
    rightBefore(world, 'TransactWriteItems', () => arrive(world, shop, reversal(receipt.id)));
    expect(await claim(reference, receipt.id)).toEqual(UNKNOWN);
    expect(await verified(world, shop, reference)).toMatchObject({ status: 'pending' });
  });

  test('a charge that is paid between the look and the write is paid, and the claimed payment stays held', async () => {
    const held = mtn();
    await pay(world, shop, held);
    const reference = await charge(world, shop, { amount: 36 });
    const own = mtn({ reference });
    rightBefore(world, 'TransactWriteItems', () => pay(world, shop, own));
    expect(await claim(reference, held.id)).toEqual(PAID);
    expect(await verified(world, shop, reference)).toMatchObject({ payment: { transaction_id: own.id } });
    expect(await receiptRow(world, paymentId(shop, held))).toMatchObject({ state: 'held' });
  });

  test('a claim and the charge’s own payment: it is paid once, and the other payment stays held', async () => {
    const held = mtn();
    await pay(world, shop, held);
    const reference = await charge(world, shop, { amount: 36 });
    const own = mtn({ reference });
    const [outcome] = await Promise.all([claim(reference, held.id), pay(world, shop, own)]);
    expect(outcome).toEqual(PAID);
    const { payment } = await verified(world, shop, reference);
    const rows = await Promise.all([held, own].map((receipt) => receiptRow(world, paymentId(shop, receipt))));
    const [matched, ...more] = rows.filter((row) => row?.state === 'matched');
    expect(more).toEqual([]);
    expect(matched?.transaction_id).toBe(payment.transaction_id);
  });

  test('a claim and the reversal of its payment never leave the charge paid', async () => {
    const held = mtn();
    await pay(world, shop, held);
    const reference = await charge(world, shop, { amount: 36 });
    await Promise.all([claim(reference, held.id), arrive(world, shop, reversal(held.id))]);
    expect(['pending', 'reversed']).toContain((await verified(world, shop, reference)).status);
    expect(await receiptRow(world, paymentId(shop, held))).toMatchObject({ state: 'held', reason: 'reversed' });
  });
});

async function found(reference: string) {
  const transaction = await findTransaction(world.outside, reference);
  if (!transaction) throw new Error(`There is no charge ${reference}`);
  return transaction;
}

/** As the charge's page does. */
async function claim(reference: string, typed: string) {
  return claimPayment(world.outside, await found(reference), typed);
}

/** How often a receipt is looked up meanwhile. */
async function looksOf(happens: () => Promise<unknown>): Promise<number> {
  let looks = 0;
  world.dynamoDb = async ({ command, input }, send) => {
    if (command === 'GetItem' && JSON.stringify(input).includes('"RECEIPT#')) looks++;
    await send();
  };
  await happens();
  world.dynamoDb = (_, send) => send();
  return looks;
}
