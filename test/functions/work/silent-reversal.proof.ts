import { beforeEach, expect, test } from 'vitest';
import { nameByOwner } from '../../../shared/money/wallet/name-by-owner.ts';
import { MINUTE_MS } from '../../../shared/runtime/values/calendar.ts';
import { type Scene, type Shop, scene } from '../../support/scene.ts';
import { type BookedText, provenBook, type WalletBook } from '../../support/wallet-book.ts';

let world: Scene;
let shop: Shop;
let book: WalletBook;

beforeEach(async () => {
  world = await scene({ inMemory: true });
  world.goToNoon();
  shop = await world.createShop();
  book = await provenBook(world, shop, 6);
});

async function arrive(...texts: readonly BookedText[]): Promise<void> {
  for (const text of texts) {
    await shop.arrive(text);
    world.clock.nowMs += MINUTE_MS;
  }
  await world.followPayments();
  world.queued.length = 0;
  await world.housekeeping();
  await world.followPayments();
  world.queued.length = 0;
}

test('a payment is in doubt once the owner enters the balance although a text was lost and strangers sent two', async () => {
  const reference = await shop.charge({ amount: 36 });
  await arrive(book.paid(36, { reference }));
  world.clock.nowMs += 3 * MINUTE_MS;
  await arrive(book.paid(9));
  expect(await shop.verified(reference)).toMatchObject({ proof: { state: 'proven' } });
  // An outgoing text is lost.
  book.pesewas -= 4_50;
  await arrive(book.paid(7), book.spent(2));
  await arrive(book.receipt(7, { balance: 9_123_45 }), book.receipt(8, { balance: 9_131_45 }));
  book.pesewas -= 36_00;
  await arrive(book.paid(6), book.spent(3));
  await nameByOwner(world.outside, { network: shop.network, momo_number: shop.number }, book.pesewas, {
    by: 'owner',
  });
  await arrive();
  expect(await shop.verified(reference)).toMatchObject({ proof: { state: 'unproven' } });
});

test('a payment that a person found is in doubt again once its amount leaves the wallet again', async () => {
  const reference = await shop.charge({ amount: 36 });
  const isInDoubt = async () => Object(await shop.verified(reference)).proof.state !== 'proven';
  const paid = book.paid(36, { reference });
  await arrive(paid);
  world.clock.nowMs += 3 * MINUTE_MS;
  await arrive(book.paid(5));
  expect(await isInDoubt()).toBe(false);
  // Two forged texts that follow the balance without the payment.
  const before = book.pesewas - 36_00;
  await arrive(book.receipt(3.33, { balance: before + 3_33 }), book.receipt(4.44, { balance: before + 7_77 }));
  expect(await isInDoubt()).toBe(true);
  const manager = await shop.signIn('manager');
  const { text } = await manager.visit(`/dashboard/charges/${reference}`);
  const [, payments = ''] = /name="payments" value="([^"]*)"/.exec(text) ?? [];
  await manager.visit(`/dashboard/charges/${reference}/there`, { form: { shown: 'contradicted', payments } });
  expect(await isInDoubt()).toBe(false);
  book.pesewas -= 36_00;
  await arrive(book.paid(7), book.spent(2));
  expect(await isInDoubt()).toBe(true);
});
