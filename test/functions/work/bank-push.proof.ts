import { beforeEach, describe, expect, test } from 'vitest';
import { nameByOwner } from '../../../shared/money/wallet/name-by-owner.ts';
import { MINUTE_MS } from '../../../shared/runtime/values/calendar.ts';
import { sizeOf } from '../../../shared/texts/sms/segments.ts';
import { differenceOf } from '../../../shared/wallets/chain/branches.ts';
import { listGaps } from '../../../shared/wallets/chain/chain.table.ts';
import { headOf } from '../../../shared/wallets/chain/chain.ts';
import { balanceQuestion } from '../../../shared/wallets/wallet/ask-owner.ts';
import { presentWalletNotice, WalletNotice } from '../../../shared/wallets/wallet/wallet-notice.table.ts';
import { newPayerNumber } from '../../support/receipts.ts';
import { type Shop, scene } from '../../support/scene.ts';
import { provenBook, type WalletBook } from '../../support/wallet-book.ts';
import { noticesOf } from '../../support/wallets.ts';

const world = await scene();
let shop: Shop;
let book: WalletBook;
let contact: string;

beforeEach(async () => {
  shop = await world.createShop();
  await world.createSender(`+${newPayerNumber()}`);
  contact = `+${newPayerNumber()}`;
  await shop.change({ contact });
  book = await provenBook(world, shop);
});

describe('a text about a bank transfer', () => {
  test('triggers one question to the owner, without the amount or balance', async () => {
    await shop.arrive(book.sentToBank(1_200));
    await world.housekeeping();
    const { pushes } = await shop.chain();
    const [push] = pushes ?? [];
    if (!push) throw new Error('The transfer is noted');
    const question = balanceQuestion(shop.number, { push });
    expect(sizeOf(question).segments).toBe(1);
    expect(await questions()).toEqual([question]);
    // Generated numbers may contain these digits.
    expect(question).not.toMatch(/GHS|\b1,?200\b/);
    const [notice] = await noticesOf(world, shop);
    expect(notice).toMatchObject({ sent_to_bank: true });
    const stored = WalletNotice.parse(notice);
    if (stored.kind !== 'balance_unclear') throw new Error('The owner is asked');
    const told = presentWalletNotice(stored);
    expect(told).toMatchObject({ sent_to_bank: true });
    expect(JSON.stringify(told)).not.toMatch(/\b(1200|120000|3800)\b/);
    world.clock.nowMs += 20 * MINUTE_MS;
    await world.housekeeping();
    expect(await questions()).toHaveLength(1);
  });

  test('triggers no other question about the payments after it for half an hour', async () => {
    await shop.arrive(book.sentToBank(1_200));
    await world.housekeeping();
    await paidFor(300);
    for (const later of [12, 17]) {
      world.clock.nowMs += later * MINUTE_MS;
      await world.housekeeping();
      expect(await questions()).toHaveLength(1);
    }
    world.clock.nowMs += 2 * MINUTE_MS;
    await world.housekeeping();
    expect(await questions()).toHaveLength(2);
  });

  test('is taken into account if it moved just what the last payment brought', async () => {
    await paidFor(300);
    await shop.arrive(book.sentToBank(300));
    await nameByOwner(world.outside, wallet(), book.pesewas, { by: 'owner' });
    expect(await paidFor(200)).toMatchObject({ state: 'matched', proof: { state: 'proven' } });
  });

  test('blocks later payments until the owner names the balance, which verifies them', async () => {
    await shop.arrive(book.sentToBank(1_200));
    const blocked = await paidFor(300);
    expect(blocked).toMatchObject({ state: 'held' });
    await nameByOwner(world.outside, wallet(), book.pesewas, { by: 'owner' });
    await world.settle({ receipt_id: String(blocked?.receipt_id) });
    expect(await world.receiptRow(String(blocked?.receipt_id))).toMatchObject({ proof: { state: 'proven' } });
    expect((await listGaps(world.outside, wallet())).map(differenceOf)).toEqual([-1_200_00]);
    expect(headOf(await shop.chain()).balance).toBe(book.pesewas);
  });

  test('is taken into account if the owner names its balance before the next payment', async () => {
    await shop.arrive(book.sentToBank(1_200));
    await nameByOwner(world.outside, wallet(), book.pesewas, { by: 'owner' });
    expect(await listGaps(world.outside, wallet())).toMatchObject([{ is_push: true }]);
    expect(await paidFor(300)).toMatchObject({ state: 'matched', proof: { state: 'proven' } });
  });
});

function wallet() {
  return { network: shop.network, momo_number: shop.number } as const;
}

async function paidFor(amount: number) {
  const reference = await shop.charge({ amount });
  return shop.pay(book.paid(amount, { reference }));
}

async function questions(): Promise<unknown[]> {
  return (await world.rows('SEND')).filter(({ to }) => String(to) === contact).map(({ message }) => message);
}
