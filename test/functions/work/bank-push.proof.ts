import { beforeEach, describe, expect, test } from 'vitest';
import { confirmByOwner, denyByOwner } from '../../../shared/money/wallet/confirm-by-owner.ts';
import { DAY_MS, MINUTE_MS } from '../../../shared/runtime/values/calendar.ts';
import { sizeOf } from '../../../shared/texts/sms/segments.ts';
import { differenceOf } from '../../../shared/wallets/chain/branches.ts';
import { listGaps } from '../../../shared/wallets/chain/chain.table.ts';
import { headOf } from '../../../shared/wallets/chain/chain.ts';
import { pushQuestion } from '../../../shared/wallets/wallet/ask-owner.ts';
import { presentWalletNotice, WalletNotice } from '../../../shared/wallets/wallet/wallet-notice.table.ts';
import { newPayerNumber, type pay } from '../../support/receipts.ts';
import { type Shop, scene } from '../../support/scene.ts';
import { establishedBook, type WalletBook } from '../../support/wallet-book.ts';
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
  book = await establishedBook(world, shop);
  // The shop gets 36 texts a day, day and night.
  const busy = { since_ms: world.clock.nowMs - 4 * DAY_MS, texts: Array.from({ length: 8 }, () => 18) };
  await shop.changeChain({ busy });
  await shop.prove('enforce');
});

describe('a text about a bank transfer', () => {
  test('triggers one question to the owner, without the amount or balance', async () => {
    await shop.arrive(book.sentToBank(1_200));
    await world.housekeeping();
    const question = pushQuestion(shop.number, true);
    expect(await questions()).toEqual([question]);
    // Generated numbers may contain these digits.
    expect(question).not.toMatch(/GHS|\b1,?200\b/);
    const [notice] = await noticesOf(world, shop);
    expect(notice).toMatchObject({ balance_pesewas: book.pesewas, sent_to_bank: true });
    const stored = WalletNotice.parse(notice);
    if (stored.kind !== 'balance_unclear') throw new Error('The owner is asked');
    const told = presentWalletNotice(stored);
    expect(told).toMatchObject({ sent_to_bank: true });
    expect(JSON.stringify(told)).not.toMatch(/\b(1200|120000|3800)\b/);
    world.clock.nowMs += 20 * MINUTE_MS;
    await world.housekeeping();
    expect(await questions()).toHaveLength(1);
  });

  test.each([true, false])('triggers a question that fits into one SMS (“yes” is enough: %s)', (isYesEnough) => {
    expect(sizeOf(pushQuestion('+233241234567', isYesEnough)).segments).toBe(1);
  });

  test('blocks later payments until the owner replies', async () => {
    await shop.arrive(book.sentToBank(1_200));
    expect(await paidFor(300)).toMatchObject({ state: 'held' });
    await say(false);
    expect(await shop.chain()).toMatchObject({ gaps: 1, tapped_ms: expect.any(Number) });
    expect((await listGaps(world.outside, wallet())).map(differenceOf)).toEqual([-1_200_00]);
    expect(headOf(await shop.chain()).balance).toBe(book.pesewas - 300_00);
  });

  test('counts as a failed guess if the owner denies the transfer', async () => {
    await shop.arrive(book.bankText(777.77));
    expect(await denyByOwner(world.outside, wallet(), 777_77, { by: 'owner' })).toBe(1);
    expect(await shop.chain()).toMatchObject({ pushes: [], failed_ms: [world.clock.nowMs] });
    expect(await paidFor(300)).toMatchObject({ state: 'matched', proof: { state: 'proven' } });
  });
});

describe('an owner’s “yes” to a bank transfer', () => {
  test('verifies only small payments until later texts confirm the balance', async () => {
    await shop.arrive(book.sentToBank(1_200));
    await say(false);
    expect(await paidFor(30)).toMatchObject({ state: 'matched', proof: { state: 'unproven', why: 'balance_unsure' } });
    const large = await paidFor(300);
    expect(large).toMatchObject({ state: 'held', reason: 'balance_unsure' });
    for (let n = 0; n < 4; n++) {
      world.clock.nowMs += 40 * MINUTE_MS;
      await shop.arrive(n === 1 ? book.spent(20) : book.paid(7));
      await world.housekeeping();
    }
    expect(await shop.chain()).toMatchObject({ waiting: 6 });
    world.clock.nowMs += 50 * MINUTE_MS;
    await shop.arrive(book.paid(7));
    expect((await shop.chain()).tapped_ms).toBeUndefined();
    expect(await shop.chain()).toMatchObject({ waiting: 0 });
    await world.settle({ receipt_id: String(large?.receipt_id) });
    expect(await world.receiptRow(String(large?.receipt_id))).toMatchObject({ state: 'matched' });
  });

  test('does not verify a large forged payment at night', async () => {
    await shop.arrive(book.bankText(777.77));
    await confirmByOwner(world.outside, wallet(), 777_77, { by: 'owner', isNamed: false });
    // No genuine text arrives for three hours.
    let balance = 777.77;
    let last: Awaited<ReturnType<typeof pay>>;
    for (const amount of [5, 6, 7, 8, 9, 4_900]) {
      balance += amount;
      world.clock.nowMs += MINUTE_MS;
      const reference = await shop.charge({ amount });
      const text = book.receipt(amount, { balance: Math.round(balance * 100), reference });
      last = await shop.pay(text);
    }
    expect(last).toMatchObject({ state: 'held', reason: 'balance_unsure' });
    // The next genuine text contradicts this balance.
    await shop.arrive(book.paid(120));
    world.clock.nowMs += 5 * 60 * MINUTE_MS;
    await world.housekeeping();
    expect(await world.receiptRow(String(last?.receipt_id))).toMatchObject({ state: 'held' });
  });

  test('is rejected after two transfers', async () => {
    await shop.arrive(book.bankText(777.77));
    await shop.arrive(book.sentToBank(1_200));
    await world.housekeeping();
    expect(await questions()).toEqual([pushQuestion(shop.number, false)]);
    const real = book.pesewas;
    await expect(confirmByOwner(world.outside, wallet(), real, { by: 'owner', isNamed: false })).rejects.toThrow(
      'enter the balance',
    );
    await confirmByOwner(world.outside, wallet(), real, { by: 'owner', isNamed: true });
    expect(headOf(await shop.chain()).balance).toBe(real);
    expect(await paidFor(300)).toMatchObject({ state: 'matched', proof: { state: 'proven' } });
  });

  test('verifies large payments if the owner also enters the balance', async () => {
    await shop.arrive(book.sentToBank(1_200));
    await say(false);
    await confirmByOwner(world.outside, wallet(), book.pesewas, { by: 'owner', isNamed: true });
    expect((await shop.chain()).tapped_ms).toBeUndefined();
    expect(await paidFor(300)).toMatchObject({ state: 'matched', proof: { state: 'proven' } });
  });
});

function wallet() {
  return { network: shop.network, momo_number: shop.number } as const;
}

/** Confirms the balance in the latest bank-transfer text, by answering yes or by entering it. */
async function say(isNamed: boolean): Promise<void> {
  const { balance } = (await shop.chain()).pushes?.at(-1) ?? { balance: -1 };
  await confirmByOwner(world.outside, wallet(), balance, { by: 'owner', isNamed });
}

async function paidFor(amount: number) {
  const reference = await shop.charge({ amount });
  return shop.pay(book.paid(amount, { reference }));
}

async function questions(): Promise<unknown[]> {
  return (await world.rows('SEND')).filter(({ to }) => String(to) === contact).map(({ message }) => message);
}
