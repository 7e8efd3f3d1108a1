import { beforeEach, describe, expect, test } from 'vitest';
import { type ClaimOutcome, claimPayment } from '../../../shared/money/receipt/claim-payment.ts';
import { MAX_CANDIDATES } from '../../../shared/money/receipt/match.ts';
import { transactionRows } from '../../../shared/money/transaction/transaction.table.ts';
import { charge, claimedPayments, mtn } from '../../support/receipts.ts';
import { type Shop, scene } from '../../support/scene.ts';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const PAID = { outcome: 'paid' };
const UNKNOWN = { outcome: 'unknown' };
const NOBODYS_ID = '99999999999';

const world = await scene();
let shop: Shop;
beforeEach(async () => {
  shop = await world.createShop();
});

describe('what does not indicate another charge does not block a claim', () => {
  test('a number of several merchants, whose payments are unassigned', async () => {
    const neighbour = await world.createShop({ number: shop.number });
    const receipt = mtn();
    expect(await shop.pay(receipt)).not.toHaveProperty('merchant_id');
    expect(await claim(await neighbour.charge({ amount: 36 }), receipt.id)).toEqual(PAID);
  });

  test('this charge’s reference beside one that does not exist', async () => {
    const reference = await shop.charge({ amount: 36 });
    const receipt = mtn({ reference: `${reference} or MK-0000000000` });
    expect(await shop.pay(receipt)).toMatchObject({ reason: 'reference_unclear' });
    expect(await claim(reference, receipt.id)).toEqual(PAID);
  });

  test('the charge’s own name', async () => {
    const receipt = await held();
    const reference = await shop.charge({ amount: 36, customer_name: 'Kofi Mensah' });
    expect(await claim(reference, receipt.id)).toEqual(PAID);
  });

  test('ten digits that a charge on another number has', async () => {
    const elsewhere = await charge(world, await world.createShop(), { amount: 36 });
    const receipt = await held({ reference: elsewhere.slice('MK-'.length) });
    expect(await claim(await shop.charge({ amount: 36 }), receipt.id)).toEqual(PAID);
  });

  test.each([
    ['a day before the payment', 2 * DAY_MS, UNKNOWN],
    ['longer ago', 2 * DAY_MS + 1, PAID],
  ])('but a charge in the payer’s name that expired %s', async (_, laterMs, outcome) => {
    await shop.charge({ amount: 36, customer_name: 'Kofi Mensah' });
    world.clock.nowMs += laterMs;
    const receipt = await held();
    expect(await claim(await shop.charge({ amount: 36 }), receipt.id)).toEqual(outcome);
  });
});

test('a charge in the payer’s name that was cancelled may be the one that was paid: nobody else claims it', async () => {
  const cancelled = await shop.charge({ amount: 36, customer_name: 'Kofi Mensah' });
  const parameters = { reference: cancelled };
  const { status } = await world.call('transaction/cancel', { key: shop.liveKey, parameters });
  expect(status).toBe(200);
  const receipt = await held();
  expect(await claim(await shop.charge({ amount: 36 }), receipt.id)).toEqual(UNKNOWN);
});

test('ten digits alone that another charge on the number has indicate that charge', async () => {
  const meant = await shop.charge({ amount: 40 });
  const receipt = mtn({ reference: meant.slice('MK-'.length) });
  expect(await shop.pay(receipt)).toMatchObject({ reference: meant });
  expect(await claim(await shop.charge({ amount: 36 }), receipt.id)).toEqual(UNKNOWN);
});

test('if too many charges of the amount are open to check each, the merchant has to assign the payment', async () => {
  const receipt = await held();
  const said = { amount: 36, customer_name: 'Ama Owusu' };
  const made = Array.from({ length: MAX_CANDIDATES }, () => shop.charge(said));
  const [reference = ''] = await Promise.all(made);
  const more = await shop.charge(said);
  expect(await claim(more, receipt.id)).toEqual(UNKNOWN);
  await shop.pay(mtn({ reference: more, from: 'YAW ADJEI' }));
  expect(await claim(reference, receipt.id)).toEqual(PAID);
});

test('a table that fails is a fault, not a wrong claim', async () => {
  const receipt = await held();
  const reference = await shop.charge({ amount: 36 });
  const usual = world.dynamoDb;
  world.dynamoDb = async ({ command }, send) => {
    if (command === 'TransactWriteItems') throw new Error('The table fails');
    await send();
  };
  await expect(claim(reference, receipt.id)).rejects.toThrow('The table fails');
  world.dynamoDb = usual;
  expect(await claim(reference, receipt.id)).toEqual(PAID);
});

describe('65 wrong claims in ten seconds hurt nobody else', () => {
  const STRANGER = '198.51.100.7';
  const NAMES = ['AMA OWUSU', 'YAW ADJEI', 'KWAME BOATENG', 'ESI ADDO', 'KOFI BOATENG'].map((name) => name.split(' '));

  /** A stranger's claims, each for a charge of its own, as fast as they go; in the payer's name where no other is given. */
  async function guess(claims: number, from: (n: number) => string, nameOf?: (n: number) => readonly string[]) {
    const guesses = Array.from({ length: claims }, async (_, n) => {
      const reference = await shop.charge({ amount: 36 });
      world.clock.nowMs += 150;
      return claim(reference, String(90_000_000_000 + n), nameOf?.(n), from(n));
    });
    return Promise.all(guesses);
  }

  test.each([
    ['from one address', () => STRANGER],
    ['from 65 addresses', (n: number) => `198.51.100.${n}`],
  ])('%s, in other people’s names: an honest claim without a customer’s name is confirmed', async (_, from) => {
    const receipt = await held();
    await guess(65, from, (n) => NAMES[n % NAMES.length] ?? []);
    expect(await claim(await shop.charge({ amount: 36 }), receipt.id)).toEqual(PAID);
  });

  test('from one address, in the payer’s own name and for the same amount: confirmed, too', async () => {
    const receipt = await held();
    const outcomes = await guess(65, () => STRANGER);
    expect(outcomes.filter(({ outcome }) => outcome === 'unknown')).toHaveLength(20);
    expect(await claim(await shop.charge({ amount: 36 }), receipt.id)).toEqual(PAID);
  });

  test('from 65 addresses, in the payer’s own name and for the same amount: told that it was not checked, until the hour ends', async () => {
    world.clock.nowMs = Math.ceil(world.clock.nowMs / HOUR_MS) * HOUR_MS;
    const receipt = await held({ from: 'KOFI MENSAH' });
    const outcomes = await guess(65, (n) => `198.51.100.${n}`);
    expect(outcomes.filter(({ outcome }) => outcome === 'unknown')).toHaveLength(30);
    const waitSeconds = 3600 - Math.floor((world.clock.nowMs % HOUR_MS) / 1000);
    const paused = { outcome: 'paused', waitSeconds };
    // Right or wrong: nobody learns which.
    const honest = await shop.charge({ amount: 36 });
    expect(await claim(honest, receipt.id)).toEqual(paused);
    expect(await claim(honest, NOBODYS_ID)).toEqual(paused);
    expect(await claim(honest, receipt.id)).toEqual(paused);
    // What they guess at is one amount of one payer's.
    const [other, dear] = [mtn({ from: 'AMA OWUSU' }), mtn({ from: 'KOFI MENSAH', amount: '40.00' })];
    for (const one of [other, dear]) await shop.pay(one);
    expect(await claim(await shop.charge({ amount: 36 }), other.id, ['AMA', 'OWUSU'])).toEqual(PAID);
    expect(await claim(await shop.charge({ amount: 40 }), dear.id)).toEqual(PAID);
    world.clock.nowMs += waitSeconds * 1000;
    expect(await claim(honest, receipt.id)).toEqual(PAID);
  });

  test('meanwhile a charge in the payer’s own name is confirmed, and one who types all their names', async () => {
    const [mine, whole] = [mtn({ from: 'KOFI MENSAH', amount: '40.00' }), mtn()];
    await guess(65, (n) => `198.51.100.${n}`);
    await shop.pay(whole);
    const anybody = await shop.charge({ amount: 36 });
    expect(await claim(anybody, whole.id)).toMatchObject({ outcome: 'paused' });
    expect(await claim(anybody, whole.id, ['KOFI', 'MENSAH', 'BOATENG'])).toEqual(PAID);
    await shop.pay(mine);
    const named = await shop.charge({ amount: 40, customer_name: 'Kofi Mensah' });
    expect(await claim(named, mine.id)).toEqual(PAID);
  });

  test.each([
    ['KOFI MENSAH', 30],
    ['KOFI MENSAH BOATENG', 45],
    ['KOFI MENSAH BOATENG OWUSU', 60],
  ])(
    'a payment of %s is guessed at %i times in an hour, from however many addresses and charges',
    async (name, most) => {
      const words = name.split(' ');
      let guesses = 0;
      for (let n = 0; n < 120; n++) {
        const pair = [words[n % words.length] ?? '', words[(n + 1 + (n % (words.length - 1))) % words.length] ?? ''];
        for (const said of [pair, words]) {
          const reference = await shop.charge({ amount: 36 });
          const { outcome } = await claim(reference, NOBODYS_ID, said, `203.0.113.${n}`);
          if (outcome === 'unknown') guesses++;
        }
      }
      expect(guesses).toBe(most);
    },
  );

  test('a part that was paid does not open a count of its own for the whole amount', async () => {
    await guess(30, (n) => `203.0.113.${n}`);
    const parted = await shop.charge({ amount: 36 });
    await shop.pay(mtn({ amount: '1.00', reference: parted }));
    expect(await claim(parted, NOBODYS_ID)).toMatchObject({ outcome: 'paused' });
  });

  test('all addresses of an IPv6 network are one', async () => {
    const outcomes = await guess(40, (n) => `2001:db8:1:${n}::${n}`);
    expect(outcomes.filter(({ outcome }) => outcome === 'unknown')).toHaveLength(20);
  });
});

test('no address and no name is in what is counted', async () => {
  await claim(await shop.charge({ amount: 36 }), NOBODYS_ID, ['KWAKU', 'ANANSE'], '203.0.113.99');
  const counted = (await world.rows('CLAIM_HOUR')).filter(({ pk }) => String(pk).includes(shop.number));
  expect(counted).toHaveLength(1);
  expect(JSON.stringify(counted)).not.toMatch(/203\.0\.113|KWAKU|ANANSE/);
  expect(Object.keys(counted[0] ?? {}).filter((name) => name.startsWith('from_'))).toEqual([
    expect.stringMatching(/^from_[0-9a-f]{4}$/),
  ]);
});

test('what is counted of claims is kept for as long as it counts, and not for ever', async () => {
  await claim(await shop.charge({ amount: 36 }), NOBODYS_ID);
  const nowSeconds = world.clock.nowMs / 1_000;
  for (const [kind, leastSeconds] of [
    ['CLAIM', 7 * 24 * 60 * 60],
    ['CLAIM_HOUR', 60 * 60],
  ] as const) {
    const ends = (await world.rows(kind)).map((row) => Number(row.expires_at_epoch_seconds) - nowSeconds);
    expect(Math.max(...ends)).toBeGreaterThan(leastSeconds);
    expect(Math.max(...ends)).toBeLessThan(leastSeconds * 3);
  }
});

/** The receipt of a payment to the shop that no charge has. */
async function held(said: Parameters<typeof mtn>[0] = {}) {
  const receipt = mtn(said);
  await shop.pay(receipt);
  return receipt;
}

/** As the charge's page does. */
async function claim(
  reference: string,
  transactionId: string,
  nameWords: readonly string[] = ['KOFI', 'MENSAH'],
  sourceIp = '192.0.2.1',
): Promise<ClaimOutcome> {
  const transaction = await transactionRows.find(world.outside, { reference });
  if (!transaction) throw new Error(`There is no charge ${reference}`);
  const payments = claimedPayments(transaction, transactionId);
  return claimPayment(world.outside, transaction, { payments, nameWords, sourceIp });
}
