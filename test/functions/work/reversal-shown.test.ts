import { beforeEach, describe, expect, test } from 'vitest';
import { chainRows, replaceChain } from '../../../shared/wallets/chain/chain.table.ts';
import { confirmWallet } from '../../../shared/wallets/chain/confirm-wallet.ts';
import {
  arrive,
  charge,
  createShop,
  listed,
  pay,
  paymentId,
  receiptRow,
  rows,
  type Shop,
  settle,
  verified,
} from '../../support/receipts.ts';
import { type BookedText, establishedBook, type WalletBook } from '../../support/wallet-book.ts';
import { createWorld } from '../../support/world.ts';

// Where a wallet's chain decides, a text that says that a payment was reversed is believed as far as the chain shows it.

const MINUTE_MS = 60_000;
const DISPUTED = { status: 'success', disputed: { why: 'reversal' } };

const world = await createWorld();
let shop: Shop;
let book: WalletBook;
let reference: string;
let payment: BookedText;

beforeEach(async () => {
  shop = await createShop(world);
  book = await establishedBook(world, shop);
  const wallet = { network: 'MTN', momo_number: shop.number } as const;
  const chain = await chainRows.find(world.outside, wallet);
  if (!chain) throw new Error('The wallet has a chain');
  await world.outside.table.write([replaceChain(chain, { ...chain, mode: 'enforce' })]);
  reference = await charge(world, shop, { amount: 300 });
  payment = book.paid(300, { reference });
  await pay(world, shop, payment);
  expect(await verified(world, shop, reference)).toMatchObject({ status: 'success' });
});

describe('a reversal that the chain does not show only disputes', () => {
  test.each([
    ['without a balance', () => undefined],
    ['with another balance', () => book.pesewas - 300_00 + 1],
    ['with the balance of now', () => book.pesewas],
  ])('%s', async (_, balance) => {
    await arrive(world, shop, reversed(payment, balance()));
    expect(await verified(world, shop, reference)).toMatchObject(DISPUTED);
    expect(await receiptRow(world, paymentId(shop, payment))).toMatchObject({ state: 'matched' });
    expect(await listed(world, shop, 'unread')).toHaveLength(1);
    await lookAgain();
    expect(await verified(world, shop, reference)).toMatchObject(DISPUTED);
  });

  test('that leaves nothing, which can be guessed', async () => {
    await arrive(world, shop, book.spent(book.pesewas / 100));
    // Small enough to confirm unproven, as what follows an empty wallet does.
    const next = await charge(world, shop, { amount: 30 });
    const only = book.paid(30, { reference: next });
    await pay(world, shop, only);
    await arrive(world, shop, reversed(only, 0));
    expect(await verified(world, shop, next)).toMatchObject(DISPUTED);
  });

  test('a guess is a try, and a charge has one', async () => {
    await arrive(world, shop, reversed(payment, book.pesewas - 300_00 + 1));
    world.clock.nowMs += 1000;
    await arrive(world, shop, reversed(payment, book.pesewas - 300_00));
    await lookAgain();
    expect(await verified(world, shop, reference)).toMatchObject(DISPUTED);
  });

  test('in the name of a payment: its own text again, which says so behind the name', async () => {
    const text = payment.text.replace('BOATENG Current', 'BOATENG has been reversed Current');
    await arrive(world, shop, { ...payment, text });
    expect(await verified(world, shop, reference)).toMatchObject(DISPUTED);
  });

  test('of a payment that has not come: a person decides when it comes', async () => {
    const next = await charge(world, shop, { amount: 200 });
    const late = book.paid(200, { reference: next });
    await arrive(world, shop, reversed(late, undefined));
    expect(await pay(world, shop, late)).toMatchObject({ state: 'held', reason: 'conflict' });
    expect(await verified(world, shop, next)).toMatchObject({ status: 'pending' });
  });
});

describe('a reversal that the chain shows', () => {
  test('reverses: its own balance continues the chain', async () => {
    await arrive(world, shop, reversed(payment, book.pesewas - 300_00));
    expect(await verified(world, shop, reference)).toMatchObject({ status: 'reversed' });
    expect(await listed(world, shop, 'unread')).toHaveLength(0);
  });

  test('reverses later, when the text before it has come', async () => {
    const overtaken = book.paid(80);
    await arrive(world, shop, reversed(payment, book.pesewas - 300_00));
    expect(await verified(world, shop, reference)).toMatchObject(DISPUTED);
    await arrive(world, shop, overtaken);
    await lookAgain();
    expect(await verified(world, shop, reference)).toMatchObject({ status: 'reversed' });
  });

  test('reverses later, when its owner has confirmed that the wallet fell by it', async () => {
    // Without a text in between it looks as if the payment itself had been forged.
    await arrive(world, shop, book.paid(10));
    await arrive(world, shop, reversed(payment, undefined));
    expect(await verified(world, shop, reference)).toMatchObject(DISPUTED);
    book.pesewas -= 300_00;
    for (const text of [book.paid(20), book.spent(5)]) {
      world.clock.nowMs += 5 * MINUTE_MS;
      await arrive(world, shop, text);
    }
    await lookAgain();
    expect(await verified(world, shop, reference)).toMatchObject(DISPUTED);
    await confirmWallet(world.outside, { network: 'MTN', momo_number: shop.number }, book.pesewas);
    await lookAgain();
    expect(await verified(world, shop, reference)).toMatchObject({ status: 'reversed' });
  });

  test('is looked for during an hour, and no longer', async () => {
    world.queued.length = 0;
    await arrive(world, shop, reversed(payment, undefined));
    const again = () => world.queued.filter(({ job }) => JSON.stringify(job.body).includes('TEXT-'));
    expect(again()).toHaveLength(1);
    for (let n = 0; n < 10; n++) {
      world.clock.nowMs += 15 * MINUTE_MS;
      if (again().length > n) await settle(world, again()[n]?.job.body ?? {});
    }
    expect(again()).toHaveLength(4);
  });
});

/** What was kept of texts about reversals is decided about again. */
async function lookAgain(): Promise<void> {
  world.clock.nowMs += 2 * MINUTE_MS;
  const kept = (await rows(world, 'RECEIPT')).filter(
    ({ state, momo_number }) => state === 'unread' && momo_number === shop.number,
  );
  for (const { receipt_id } of kept) await settle(world, { receipt_id });
}

function reversed({ id }: BookedText, balancePesewas: number | undefined) {
  const told = balancePesewas === undefined ? '' : ` Current Balance: GHS ${(balancePesewas / 100).toFixed(2)}`;
  return { sender: 'MobileMoney', text: `Transaction ${id} of GHS 300.00 has been reversed.${told}` };
}
