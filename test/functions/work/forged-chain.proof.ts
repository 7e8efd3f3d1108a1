import { beforeEach, describe, expect, test } from 'vitest';
import { MINUTE_MS } from '../../../shared/runtime/values/calendar.ts';
import { nameBalance } from '../../../shared/wallets/chain/name-balance.ts';
import { type Shop, scene } from '../../support/scene.ts';
import { type BookedText, provenBook, WalletBook } from '../../support/wallet-book.ts';

/**
 * Attacks by somebody who can send texts under the network's name. Their payment of GHS 4,900 must never be verified.
 */

const STOLEN = 4900;

const world = await scene();
let shop: Shop;
let book: WalletBook;

beforeEach(async () => {
  shop = await world.createShop();
  book = await provenBook(world, shop);
});

describe('a forger who pays into an emptied wallet', () => {
  beforeEach(async () => {
    await shop.arrive(book.spent(book.pesewas / 100));
    world.clock.nowMs += 30 * MINUTE_MS;
  });

  test('cannot get a text verified after a small payment if the owner names the balance', async () => {
    const wanted = await shop.charge({ amount: STOLEN });
    const own = book.paid(0.5);
    const forged = book.receipt(STOLEN, { reference: wanted, balance: STOLEN * 100 + 50 });
    for (const text of [own, forged, spentTo(STOLEN, 50), book.paid(60)]) {
      await shop.arrive(text);
      world.clock.nowMs += 5000;
    }
    await pass(12, forged);
    await say(book.pesewas);
    await pass(3, forged);
    await expectUnproven(forged, wanted);
  });

  test('cannot reuse payments from before the wallet was emptied', async () => {
    const wanted = await shop.charge({ amount: STOLEN });
    const own = book.paid(0.5);
    const forged = book.receipt(STOLEN, { reference: wanted, balance: STOLEN * 100 });
    const small = Array.from({ length: 8 }, (_, n) => book.receipt(1, { balance: (STOLEN + n + 1) * 100 }));
    for (const text of [own, forged, ...small, spentTo(STOLEN + 7.5, 50)]) await shop.arrive(text);
    world.clock.nowMs += 5000;
    await shop.arrive(book.paid(60));
    await pass(12, forged);
    await say(book.pesewas);
    await pass(3, forged);
    await expectUnproven(forged, wanted);
  });

  test('cannot get a text verified after the owner replies', async () => {
    await shop.arrive(book.paid(60));
    await pass(12);
    await say(60_00);
    const wanted = await shop.charge({ amount: STOLEN });
    const forged = book.receipt(STOLEN, { reference: wanted, balance: (STOLEN + 60) * 100 });
    for (const text of [forged, spentTo(STOLEN, 60_00), book.paid(70)]) await shop.arrive(text);
    await pass(10, forged);
    await expectUnproven(forged, wanted);
  });
});

describe('a payment with a correctly guessed balance', () => {
  test('is disputed if a forged text reports that the money went out again', async () => {
    const { forged, wanted, before } = await guess();
    await shop.arrive({ ...spentTo(STOLEN, before), sender: 'MoMo' });
    world.clock.nowMs += MINUTE_MS / 2;
    await shop.arrive(book.paid(60));
    await pass(4, forged);
    expect(await shop.verified(wanted)).toMatchObject({ disputed: { why: 'forged' } });
  });

  test('is disputed if its id is lower than the previous text’s', async () => {
    const before = book.paid(30);
    await shop.arrive(before);
    const { forged, wanted } = await guess(String(Number(before.id) - 1_000));
    await shop.arrive(book.paid(60));
    await pass(4, forged);
    expect(await shop.verified(wanted)).toMatchObject({ disputed: { why: 'forged' } });
  });

  test('is disputed if an earlier text had the same balance', async () => {
    const before = book.paid(30);
    for (const text of [before, book.spent(STOLEN)]) await shop.arrive(text);
    const { forged, wanted } = await guess(String(Number(before.id) - 1_000));
    await shop.arrive(book.paid(60));
    await pass(4, forged);
    expect(await shop.verified(wanted)).toMatchObject({ disputed: { why: 'forged' } });
  });

  test('is disputed if its id is lower than a reversed payment’s id', async () => {
    const other = book.paid(30);
    await shop.arrive(other);
    await shop.arrive(book.reversed(other, 30));
    const { forged, wanted } = await guess(String(Number(other.id) - 1_000));
    await shop.arrive(book.paid(60));
    await pass(4, forged);
    expect(await shop.verified(wanted)).toMatchObject({ disputed: { why: 'forged' } });
  });

  test('is disputed if stray texts led to the guessed balance', async () => {
    for (const n of [1, 2]) await shop.arrive(book.receipt(60, { balance: 90_000_00 + n * 777_00 }));
    world.clock.nowMs += 2.5 * MINUTE_MS;
    const { forged, wanted, before } = await guess();
    world.clock.nowMs += MINUTE_MS;
    await shop.arrive(book.paid(60));
    world.clock.nowMs += 1.5 * MINUTE_MS;
    await shop.arrive(book.receipt(1, { balance: before + (STOLEN + 1) * 100 }));
    await pass(4, forged);
    expect(await shop.verified(wanted)).toMatchObject({ disputed: { why: 'forged' } });
  });

  test('is not verified while the maximum number of texts is waiting', async () => {
    await shop.changeChain({ waiting: 4000 });
    for (let n = 0; n < 3; n++) await shop.arrive(book.receipt(60, { balance: 100_00 + n * 10_00 }));
    const { forged, wanted } = await guess();
    await pass(3, forged);
    await expectUnproven(forged, wanted);
  });
});

describe('a forged reversal', () => {
  test('counts as one guess of the balance, regardless of copies', async () => {
    const { wanted, text } = await paid();
    const left = book.pesewas - 300_00;
    for (let n = 0; n < 40; n++) {
      const told = ((left + (n - 30) * 10_00) / 100).toFixed(2);
      const line = `Transaction ${text.id} of GHS 300.00 has been reversed. Current Balance: GHS ${told}`;
      await shop.arrive({ sender: 'MobileMoney', text: line, receivedAt: text.receivedAt });
      world.clock.nowMs += 1000;
    }
    expect(await shop.verified(wanted)).toMatchObject({ status: 'success', disputed: { why: 'reversal' } });
  });

  test('is not confirmed by a bank transfer of the same amount', async () => {
    const { wanted, text } = await paid();
    world.clock.nowMs += 5 * MINUTE_MS;
    await shop.arrive(book.sentToBank(300));
    await say(book.pesewas);
    const line = `Transaction ${text.id} of GHS 300.00 has been reversed. Current Balance: GHS 12.34`;
    await shop.arrive({ sender: 'MobileMoney', text: line });
    expect(await shop.verified(wanted)).toMatchObject({ status: 'success', disputed: { why: 'reversal' } });
  });
});

test('a text forged for a new wallet cannot be claimed later', async () => {
  shop = await world.createShop();
  const wanted = await shop.charge({ amount: STOLEN });
  const { pesewas } = new WalletBook(() => world.clock.nowMs);
  const forged = book.receipt(STOLEN, { balance: pesewas });
  await shop.arrive(forged);
  world.clock.nowMs += MINUTE_MS;
  book = await provenBook(world, shop);
  const later = book.paid(60);
  await shop.arrive(later);
  const own = await shop.charge({ amount: 60 });
  expect(await world.claim(wanted, forged.id)).toEqual({ outcome: 'unknown' });
  expect(await world.claim(own, later.id)).toMatchObject({ outcome: 'paid' });
});

/** Forges a payment with the correct balance. */
async function guess(id = book.nextId()) {
  const before = book.pesewas;
  const wanted = await shop.charge({ amount: STOLEN });
  const forged = book.receipt(STOLEN, { reference: wanted, id, balance: before + STOLEN * 100 });
  await shop.arrive(forged);
  return { forged, wanted, before };
}

async function paid() {
  const wanted = await shop.charge({ amount: 300 });
  const text = book.paid(300, { reference: wanted });
  await shop.pay(text);
  expect(await shop.verified(wanted)).toMatchObject({ status: 'success', disputed: null });
  return { wanted, text };
}

/** Forges an outgoing payment that leaves this balance. */
function spentTo(amount: number, balance: number): BookedText {
  const id = book.nextId();
  const words = `Payment for GHS${amount.toFixed(2)} to PRISCILLA OWUSU .Current Balance: GHS ${(balance / 100).toFixed(2)}. Transaction Id: ${id}. Fee charged: GHS0.00,Tax Charged 0.`;
  return { ...book.receipt(1, { id, balance }), text: words };
}

/** Runs housekeeping for this many minutes, then settles the payment again. */
async function pass(minutes: number, text?: BookedText): Promise<void> {
  for (let n = 0; n < minutes; n++) {
    world.clock.nowMs += MINUTE_MS;
    await world.housekeeping();
  }
  if (text) await world.settle({ receipt_id: shop.paymentId(text) });
}

/** Confirms a balance as the owner. Returns the error message, if any. */
function say(balance: number): Promise<string | undefined> {
  return nameBalance(world.outside, { network: shop.network, momo_number: shop.number }, balance).then(
    () => undefined,
    (error: Error) => error.message,
  );
}

async function expectUnproven(text: BookedText, reference: string): Promise<void> {
  expect(await shop.receipt(text)).toMatchObject({ proof: { state: 'unproven' } });
  expect(await shop.verified(reference)).toMatchObject({ status: 'pending' });
}
