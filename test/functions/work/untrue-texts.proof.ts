import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { proofJob } from '../../../shared/money/receipt/proof-job.ts';
import { viewWallet } from '../../../shared/money/wallet/wallet-view.ts';
import { watchChains } from '../../../shared/money/wallet/watch-chains.ts';
import { checkChains } from '../../../shared/operations/doctor/checks/chains.ts';
import { MINUTE_MS } from '../../../shared/runtime/values/calendar.ts';
import { chainRows } from '../../../shared/wallets/chain/chain.table.ts';
import { isClockDoubted } from '../../../shared/wallets/chain/network-clock.ts';
import { deploymentOf } from '../../support/deployment.ts';

import { type Shop, scene } from '../../support/scene.ts';
import { runsOf } from '../../support/slice.ts';
import { type BookedText, provenBook, WalletBook } from '../../support/wallet-book.ts';

// Impossible texts confirm nothing in either mode.

/** About as many ids as MTN assigns in a month. */
const JUMP = 2_000_000_000;

const world = await scene();
let shop: Shop;
let book: WalletBook;

describe('a payment text with an amount above its new balance', () => {
  beforeEach(async () => {
    shop = await world.createShop();
    book = new WalletBook(() => world.clock.nowMs);
  });

  test.each([0, 9_999])('is held and starts no balance chain (fee: %d)', async (fee) => {
    const reference = await shop.charge({ amount: 9_999 });
    const row = await shop.pay(book.receipt(9_999, { reference, balance: 1, fee }));
    const proof = { state: 'unproven', why: 'balance_impossible' };
    const held = { state: 'held', reason: 'balance_impossible', suggested_reference: reference, proof };
    expect(row).toMatchObject(held);
    expect(await shop.verified(reference)).toMatchObject({ status: 'pending' });
    const wallet = { network: shop.network, momo_number: shop.number };
    expect(await chainRows.find(world.outside, wallet)).toBeUndefined();
  });

  test('cannot be claimed', async () => {
    const reference = await shop.charge({ amount: 40 });
    const text = book.receipt(40, { reference: 'goods', balance: 1 });
    expect(await shop.pay(text)).toMatchObject({ state: 'held', reason: 'no_charge' });
    expect(await world.claim(reference, text.id)).toEqual({ outcome: 'unknown' });
  });

  test('is held for any combination of amounts', async () => {
    const pesewas = fc.integer({ min: 1, max: 2_000_000 });
    const kept = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 50 }), pesewas);
    await fc.assert(
      fc.asyncProperty(pesewas, pesewas, kept, async (amount, balance, fee) => {
        const reference = await shop.charge({ amount: amount / 100 });
        const row = await shop.pay(book.receipt(amount / 100, { reference, balance, fee: fee / 100 }));
        const most = Math.max(100, amount * 0.05);
        const isTrue = balance >= amount - Math.min(fee, most);
        expect(row).toMatchObject(isTrue ? { state: 'matched' } : { state: 'held', reason: 'balance_impossible' });
      }),
      runsOf(100, 5),
    );
  });
});

describe('a text whose id does not match its time', () => {
  beforeEach(async () => {
    shop = await world.createShop();
    book = await provenBook(world, shop, 24);
  });

  test.each([JUMP, -JUMP])('is held even for a small amount if its id is off by %d', async (off) => {
    const { row, reference } = await payWith(2, { off });
    expect(row).toMatchObject({ state: 'held', reason: 'clock_odd', suggested_reference: reference });
    expect(await shop.verified(reference)).toMatchObject({ status: 'pending' });
  });

  test('is held even if it comes from the network’s other sender name', async () => {
    const reference = await shop.charge({ amount: 2 });
    const text = { ...forged(2, reference, JUMP), sender: 'MoMo' };
    expect(await shop.pay(text)).toMatchObject({ state: 'held', reason: 'clock_odd' });
  });

  test('is held even if one payer sends several such texts', async () => {
    for (let n = 0; n < 6; n++) {
      await payWith(2, { off: JUMP, from: 'ONE PAYER' });
      world.clock.nowMs += 5 * MINUTE_MS;
    }
    expect((await payWith(2, { off: JUMP, from: 'ONE PAYER' })).row).toMatchObject({ reason: 'clock_odd' });
    expect(isClockDoubted(await shop.chain())).toBe(false);
  });

  test('is held if similar texts arrive at once or their ids are off by different amounts', async () => {
    for (let n = 0; n < 5; n++)
      expect((await payWith(2, { off: JUMP, from: payer(n) })).row).toMatchObject({ reason: 'clock_odd' });
    for (let n = 5; n < 10; n++) {
      world.clock.nowMs += 11 * MINUTE_MS;
      const { row } = await payWith(2, { off: n * JUMP, from: payer(n) });
      expect(row).toMatchObject({ reason: 'clock_odd' });
    }
  });

  test.each([JUMP, -JUMP])('is verified if the network’s id counter jumped by %d', async (off) => {
    book.jump(off);
    const paid: { reference: string; text: BookedText }[] = [];
    for (let n = 0; n < 5; n++) {
      const reference = await shop.charge({ amount: 300 });
      const text = book.paid(300, { reference, from: payer(n) });
      await shop.pay(text);
      paid.push({ reference, text });
      world.clock.nowMs += 6 * MINUTE_MS;
    }
    for (const { text } of paid) await world.settle({ receipt_id: shop.paymentId(text) });
    const proven = { status: 'success', payment: { proof: { state: 'proven' } } };
    for (const { reference } of paid) expect(await shop.verified(reference)).toMatchObject(proven);
    const chain = await shop.chain();
    expect(isClockDoubted(chain)).toBe(false);
    // After a jump backwards, later ids are expected to be low.
    if (off < 0) expect(chain.recent.at(-1)?.id).toBe(Number(paid.at(-1)?.text.id));
  });

  test('has its id accepted after texts from several payers agree', async () => {
    const before = [];
    for (let n = 0; n < 3; n++) {
      before.push(await payWith(300, { off: JUMP, from: payer(n) }));
      world.clock.nowMs += 6 * MINUTE_MS;
    }
    expect(isClockDoubted(await shop.chain())).toBe(true);
    const jobs = world.queued.map(({ job }) => job);
    for (const { text } of before.slice(0, 2)) expect(jobs).toContainEqual(proofJob(shop.paymentId(text)));
    const doubted = { momo_number: shop.number, network: 'MTN' };
    expect(await watchChains(world.outside, [])).toContainEqual(expect.objectContaining(doubted));
    expect(await viewWallet(world.outside, await shop.chain())).toMatchObject({ clock_doubted: true });
    const findings = await checkChains(deploymentOf(world));
    expect(
      findings.filter(({ message }) => message.includes(`${shop.number} (MTN) have transaction ids`)),
    ).toHaveLength(1);
    for (const { text } of before) await world.settle({ receipt_id: shop.paymentId(text) });
    const [held] = await Promise.all(before.map(({ text }) => shop.receipt(text)));
    expect(held).toMatchObject({ state: 'held', reason: 'balance_gap' });
    // A different unexpected id is still held, and a genuine text ends the doubt.
    expect((await payWith(2, { off: 3 * JUMP, from: payer(9) })).row).toMatchObject({ reason: 'clock_odd' });
    const reference = await shop.charge({ amount: 60 });
    expect(await shop.pay(book.paid(60, { reference }))).toMatchObject({ state: 'matched' });
    expect(isClockDoubted(await shop.chain())).toBe(false);
  });
});

/** Creates a charge and a forged text that continues no chain. */
async function payWith(amount: number, { off, from }: { off: number; from?: string }) {
  const reference = await shop.charge({ amount });
  const text = forged(amount, reference, off, from);
  return { reference, text, row: await shop.pay(text) };
}

function forged(amount: number, reference: string, off: number, from = 'KOFI MENSAH'): BookedText {
  const id = String(Number(book.nextId()) + off);
  return book.receipt(amount, { from, reference, id, balance: book.pesewas + 77_700 + amount * 100 });
}

function payer(n: number): string {
  return `KOFI ${'ABCDEFGHIJ'[n]}MENSAH`;
}
