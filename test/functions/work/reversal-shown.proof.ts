import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { gapJobs } from '../../../shared/money/receipt/proof-job.ts';
import { createReceipt, receiptRows, replaceReceipt } from '../../../shared/money/receipt/receipt.table.ts';
import { doubtReversal } from '../../../shared/money/settling/settle-reversal.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/runtime/values/calendar.ts';
import { chainRows } from '../../../shared/wallets/chain/chain.table.ts';
import { nameBalance } from '../../../shared/wallets/chain/name-balance.ts';
import { addNumber, mtn } from '../../support/receipts.ts';
import { type Shop, scene } from '../../support/scene.ts';
import { type BookedText, provenBook, WalletBook } from '../../support/wallet-book.ts';

const INSERTED = { event: 'INSERT', before: undefined } as const;
const DISPUTED = { status: 'success', disputed: { why: 'reversal' } };

const world = await scene();
let shop: Shop;
let book: WalletBook;
let reference: string;
let payment: BookedText;

beforeEach(async () => {
  shop = await world.createShop();
  book = await provenBook(world, shop, 6);
  reference = await shop.charge({ amount: 300 });
  payment = book.paid(300, { reference });
  await shop.pay(payment);
  expect(await shop.verified(reference)).toMatchObject({ status: 'success' });
});

describe('an unverified reversal', () => {
  test('does not reverse the payment if its text denies the reversal', async () => {
    await shop.arrive(book.paid(10));
    await fall(300_00);
    await shop.arrive({ sender: 'MobileMoney', text: `Reversal of transaction ${payment.id} was declined.` });
    expect(await shop.verified(reference)).toMatchObject(DISPUTED);
    await shop.arrive(reversed(payment, undefined));
    expect(await shop.verified(reference)).toMatchObject({ status: 'reversed' });
  });

  test.each([
    ['puts the charge in dispute if its text has no balance', () => undefined],
    ['puts the charge in dispute if its balance is wrong', () => book.pesewas - 300_00 + 1],
    ['puts the charge in dispute if its text repeats the current balance', () => book.pesewas],
  ])('%s', async (_, balance) => {
    await shop.arrive(reversed(payment, balance()));
    expect(await shop.verified(reference)).toMatchObject(DISPUTED);
    expect(await shop.receipt(payment)).toMatchObject({ state: 'matched' });
    expect(await shop.listed('unread')).toHaveLength(1);
    await lookAgain();
    expect(await shop.verified(reference)).toMatchObject(DISPUTED);
  });

  test('puts the charge in dispute if only the available balance is lower', async () => {
    const available = ((book.pesewas - 300_00) / 100).toFixed(2);
    const text = `Transaction ${payment.id} of GHS 300.00 is on hold until the reversal is approved. Available Balance: GHS ${available}.`;
    await shop.arrive({ sender: 'MobileMoney', text });
    expect(await shop.verified(reference)).toMatchObject(DISPUTED);
  });

  test('does not reverse the payment if the stated balance is 0', async () => {
    await shop.arrive(book.spent(book.pesewas / 100));
    // This amount needs no verification. No text after an empty wallet is verified.
    const next = await shop.charge({ amount: 30 });
    const only = book.paid(30, { reference: next });
    await shop.pay(only);
    await shop.arrive(reversed(only, 0));
    expect(await shop.verified(next)).toMatchObject(DISPUTED);
  });

  test('counts as one guess despite repeated texts', async () => {
    const forged = reversed(payment, book.pesewas - 300_00 + 1);
    await shop.arrive(forged);
    await shop.arrive(forged);
    await lookAgain();
    expect((await chain()).failed_ms).toHaveLength(1);
  });

  describe('with guessed balances', () => {
    const right = () => book.pesewas - 300_00;
    const guesses = () => Array.from({ length: 9 }, (_, n) => right() + 4 - n);
    const fields = (ids: string, balance: number) => ({
      sender: 'MobileMoney',
      text: `Transaction ${ids} of GHS 300.00 has been reversed. Current Balance: GHS ${(balance / 100).toFixed(2)}`,
    });

    test('is rejected if it also lists an already reversed payment', async () => {
      const other = book.paid(1);
      await shop.arrive(other);
      await shop.arrive(book.reversed(other, 1));
      for (const guess of guesses()) await shop.arrive(fields(`${other.id} and transaction ${payment.id}`, guess));
    });

    test('is rejected if all guesses arrive at the same moment', async () => {
      await Promise.all(guesses().map((guess) => shop.arrive(fields(payment.id, guess))));
    });

    test('is rejected if all guesses arrive before the payment', async () => {
      const next = { id: book.nextId() };
      const guessed = guesses().map((guess) => ({ ...fields(next.id, guess) }));
      for (const text of guessed) await shop.arrive(text);
      await shop.arrive(book.receipt(300, { id: next.id, balance: 777_77 }));
      await lookAgain();
    });

    test('counts as one guess if the same text keeps arriving', async () => {
      const guess = fields(payment.id, right() + 3_00);
      for (let n = 0; n < 6; n++) {
        await shop.arrive(guess);
        world.clock.nowMs += 6 * MINUTE_MS;
        await shop.arrive(book.paid(1));
      }
      expect((await chain()).failed_ms).toHaveLength(1);
    });

    test('is rejected after the owner confirms the balance', async () => {
      const counted = [1, 2, 3].map((n) => fields(payment.id, right() + n * 1_00));
      for (const text of counted) await shop.arrive(text);
      await shop.arrive(book.paid(1));
      await nameBalance(world.outside, wallet(), book.pesewas);
      for (const text of counted) await shop.arrive(text);
    });

    afterEach(async () => {
      expect(await shop.verified(reference)).toMatchObject({ status: 'success' });
      expect((await chain()).recent.at(-1)?.balance).toBe(book.pesewas);
    });
  });

  test('counts as a new guess each time the balance changes', async () => {
    const guess = reversed(payment, book.pesewas - 300_00 + 4_00);
    for (let n = 0; n < 5; n++) {
      await shop.arrive(guess);
      await shop.arrive(book.paid(1));
    }
    expect((await chain()).failed_ms).toHaveLength(3);
    expect(await shop.verified(reference)).toMatchObject(DISPUTED);
  });

  test('counts as one guess for each payment that its text lists', async () => {
    const other = book.paid(9);
    await shop.arrive(other);
    const text = `Transaction ${payment.id} and transaction ${other.id} has been reversed. Current Balance: GHS 123.45`;
    await shop.arrive({ sender: 'MobileMoney', text });
    expect((await chain()).failed_ms).toHaveLength(2);
  });

  test('does not reverse a payment that was forged for a new wallet', async () => {
    shop = await world.createShop();
    book = new WalletBook(() => world.clock.nowMs);
    book.pesewas -= 10_00;
    await shop.arrive(book.paid(10));
    reference = await shop.charge({ amount: 30 });
    const forged = book.receipt(30, { reference, balance: 999_99 });
    await shop.arrive(forged);
    book = await provenBook(world, shop, 6);
    const { pesewas } = book;
    await shop.arrive(book.reversed(forged, 30));
    expect((await chain()).recent.at(-1)?.balance).toBe(pesewas);
    expect(await shop.verified(reference)).toMatchObject(DISPUTED);
  });

  test('does not reverse the payment if the stated balance matches only later', async () => {
    await shop.arrive(reversed(payment, book.pesewas - 200_00));
    world.clock.nowMs += 10 * MINUTE_MS;
    await shop.arrive(book.paid(100));
    await lookAgain();
    expect(await shop.verified(reference)).toMatchObject(DISPUTED);
  });

  test('reverses nothing if the balance drop fits several payments', async () => {
    const second = await shop.charge({ amount: 300 });
    const other = book.paid(300, { reference: second });
    await shop.arrive(other);
    await shop.arrive(book.paid(10));
    await fall(300_00);
    for (const one of [other, payment]) await shop.arrive(reversed(one, undefined));
    expect(await shop.verified(second)).toMatchObject(DISPUTED);
    expect(await shop.verified(reference)).toMatchObject(DISPUTED);
    expect(await chain()).toMatchObject({ gaps: 1 });
  });

  test('does not reverse the payment after three wrong balances', async () => {
    await shop.arrive(book.paid(10));
    for (const wrong of [1, 2, 3]) {
      await shop.arrive(reversed(payment, book.pesewas - 300_00 + wrong));
      world.clock.nowMs += 1000;
    }
    await shop.arrive(book.reversed(payment, 300));
    await lookAgain();
    expect(await shop.verified(reference)).toMatchObject(DISPUTED);
    await shop.arrive(book.paid(20));
    world.clock.nowMs += 12 * HOUR_MS;
    await nameBalance(world.outside, wallet(), book.pesewas);
    await lookAgain();
    expect(await shop.verified(reference)).toMatchObject({ status: 'reversed' });
  });

  test('puts the charge in dispute if “reversed” follows the payer’s name', async () => {
    const text = payment.text.replace('BOATENG Current', 'BOATENG has been reversed Current');
    await shop.arrive({ ...payment, text });
    expect(await shop.verified(reference)).toMatchObject(DISPUTED);
  });

  test.each([200, 10])('holds a later payment and suggests its bill if the text states GHS %d', async (stated) => {
    const { reference: next, access_code } = await shop.createCharge({ amount: 200 });
    const late = book.paid(200, { reference: next });
    await shop.arrive(reversed(late, undefined, stated));
    const held = { state: 'held', reason: 'conflict', suggested_reference: next };
    for (const _ of ['its text', 'a copy of it']) expect(await shop.pay(late)).toMatchObject(held);
    expect(await shop.verified(next)).toMatchObject({ status: 'pending' });
    const page = await world.call('checkout/page', { parameters: { access_code } });
    expect(page.text).toContain('A payment message about this bill arrived');
  });
});

test('a reversal with a word that announces it reverses a payment that arrives later, if its balance is right', async () => {
  const next = await shop.charge({ amount: 200 });
  const late = book.paid(200, { reference: next });
  const { text, ...rest } = book.reversed(late, 200);
  await shop.arrive({ ...rest, text: `${text}. Please call 100 for more information.` });
  await shop.arrive(late);
  await lookAgain();
  expect(await shop.receipt(late)).toMatchObject({ state: 'held', reason: 'reversed' });
  expect(await shop.verified(next)).toMatchObject({ status: 'pending' });
});

describe('a held payment with a disputed reversal', () => {
  const unclear = ({ id }: BookedText) => ({
    sender: 'MobileMoney',
    text: `We have reversed the transaction ${id} of GHS 50.00.`,
  });
  let held: BookedText;
  let next: string;

  beforeEach(async () => {
    held = book.paid(50, { reference: 'shoes' });
    next = await shop.charge({ amount: 50 });
  });

  const settleAgain = () => world.settle({ receipt_id: shop.paymentId(held) });

  test.each([
    ['an unclear text', () => unclear(held)],
    ['a reversal text without a balance drop', () => reversed(held, undefined)],
  ])('is disputed again after an API key assigns it: %s', async (_, doubt) => {
    await shop.arrive(held);
    await shop.arrive(doubt());
    expect(await shop.receipt(held)).toMatchObject({ reason: 'conflict', proof: { state: 'proven' } });
    expect((await shop.assign(held, next)).json.data).toMatchObject({ proof: { state: 'unproven' } });
    await settleAgain();
    expect(await shop.verified(next)).toMatchObject({ status: 'success', proof: { state: 'unproven' } });
    await shop.arrive(doubt());
    expect(await shop.verified(next)).toMatchObject(DISPUTED);
  });

  test('is not disputed again by the same text after a person who checked the wallet assigned it', async () => {
    await shop.arrive(held);
    await shop.arrive(reversed(held, undefined));
    const owner = await shop.signIn('owner');
    const page = `/dashboard/held/${shop.paymentId(held)}/give`;
    const { text } = await owner.visit(page, { query: { reference: next } });
    const [, shown = ''] = /name="shown" value="(\w+)"/.exec(text) ?? [];
    await owner.visit(page, { form: { reference: next, shown } });
    expect(await shop.receipt(held)).toMatchObject({ state: 'matched', looked_by: owner.user.user_id });
    await lookAgain();
    expect(await shop.verified(next)).toMatchObject({ status: 'success', disputed: null });
    await shop.arrive(reversed(held, book.pesewas + 1));
    expect(await shop.verified(next)).toMatchObject(DISPUTED);
  });

  test('stays unverified if an API key assigns it before the missing text arrives', async () => {
    await shop.arrive(held);
    const before = book.paid(9);
    held = book.paid(50, { reference: 'shoes' });
    await shop.arrive(held);
    await shop.arrive(unclear(held));
    expect((await shop.assign(held, next)).status).toBe(200);
    await shop.arrive(before);
    world.clock.nowMs += 2 * MINUTE_MS;
    await settleAgain();
    expect(await shop.verified(next)).toMatchObject({ status: 'success', proof: { state: 'unproven' } });
  });

  test('stays unverified when an API key assigns it, if its reversal was reported first', async () => {
    await shop.arrive(reversed(held, undefined));
    await shop.arrive(held);
    expect((await shop.assign(held, next)).status).toBe(200);
    await settleAgain();
    expect(await shop.verified(next)).toMatchObject({ status: 'success', proof: { state: 'unproven' } });
  });

  test('does not take its id from a different number’s text if its reversal was reported first', async () => {
    const second = { ...shop, number: await addNumber(world, shop) };
    await shop.arrive(held);
    held = book.paid(50, { reference: next });
    await shop.arrive(reversed(held, undefined));
    await second.pay(mtn({ id: held.id, amount: '50.00', reference: await shop.charge({ amount: 50 }) }));
    await shop.arrive(held);
    await settleAgain();
    expect(await shop.receipt(held)).toMatchObject({ state: 'held', reason: 'conflict' });
  });

  test('does not pay its bill if its reversal was reported first and a different shop used its id', async () => {
    held = book.paid(50, { reference: next });
    const rival = await world.createShop();
    await rival.pay(mtn({ id: held.id, amount: '1.00', reference: await rival.charge({ amount: 1 }) }));
    await shop.arrive(reversed(held, undefined));
    await shop.arrive(held);
    await settleAgain();
    expect(await shop.receipt(held)).toMatchObject({ state: 'held', reason: 'conflict' });
    expect((await shop.verified(next)).status).toBe('pending');
  });

  test('records the dispute even if it was already held as a conflict', async () => {
    await shop.arrive(held);
    await shop.arrive({ ...held, text: held.text.replace('50.00', '51.00') });
    await shop.arrive(unclear(held));
    expect(await shop.receipt(held)).toMatchObject({ reason: 'conflict', reversal_doubt_at: expect.any(String) });
  });
});

describe('a verified reversal', () => {
  test.each([
    'Transaction ID of GHS 300.00 reversed successfully.',
    'Your transaction ID of GHS 300.00 has successfully been reversed.',
    'Transaction ID has been reversed because it could not be confirmed by the payer.',
    'Transaction ID reversed.',
    'Reversal of transaction ID for GHS 300.00 successfully processed.',
    'Reversed: transaction ID GHS 300.00.',
    'Reversal of GHS 300.00 for payment ID, as the sender requested.',
  ])('reverses the payment in any wording if the balance matches: %s', async (words) => {
    const { text, ...reversal } = book.reversed(payment, 300);
    const balance = text.slice(text.indexOf('Current Balance'));
    await shop.arrive({ ...reversal, text: `${words.replace('ID', payment.id)} ${balance}` });
    expect(await shop.verified(reference)).toMatchObject({ status: 'reversed' });
    const next = await shop.charge({ amount: 300 });
    await shop.pay(book.paid(300, { reference: next }));
    expect(await shop.verified(next)).toMatchObject({ status: 'success', proof: { state: 'proven' } });
  });

  test('reverses the payment if its stated balance continues from the balance chain', async () => {
    await shop.arrive(reversed(payment, book.pesewas - 300_00));
    expect(await shop.verified(reference)).toMatchObject({ status: 'reversed' });
    expect(await shop.listed('unread')).toHaveLength(0);
  });

  test('reverses the payment after a text with a wrong balance', async () => {
    await shop.arrive(reversed(payment, book.pesewas - 300_00 + 1));
    world.clock.nowMs += 1000;
    await shop.arrive(book.reversed(payment, 300));
    expect(await shop.verified(reference)).toMatchObject({ status: 'reversed' });
  });

  test('allows later texts to be verified', async () => {
    const [second, third] = [await shop.charge({ amount: 40 }), await shop.charge({ amount: 50 })];
    const other = book.paid(40, { reference: second });
    await shop.arrive(other);
    await shop.arrive(book.reversed(other, 40));
    await shop.arrive(book.reversed(payment, 300));
    expect(await shop.verified(reference)).toMatchObject({ status: 'reversed' });
    expect(await shop.verified(second)).toMatchObject({ status: 'reversed' });
    await shop.arrive(book.paid(50, { reference: third }));
    expect(await shop.verified(third)).toMatchObject({ status: 'success', proof: { state: 'proven' } });
    expect(await chain()).toMatchObject({ waiting: 0, gaps: 0 });
  });

  test('allows later texts to be verified even if a reversal without a text follows', async () => {
    const [first, second] = [book.paid(60), book.paid(40)];
    for (const text of [first, second, book.reversed(second, 40)]) await shop.arrive(text);
    book.pesewas -= 60_00;
    for (const amount of [10, 12]) {
      world.clock.nowMs += 3 * MINUTE_MS;
      await shop.arrive(book.paid(amount));
    }
    world.clock.nowMs += 12 * MINUTE_MS;
    await nameBalance(world.outside, wallet(), book.pesewas);
    const next = await shop.charge({ amount: 50 });
    await shop.arrive(book.paid(50, { reference: next }));
    expect(await shop.verified(next)).toMatchObject({ status: 'success', proof: { state: 'proven' } });
  });

  test('does not close the gap left by a different reversal', async () => {
    const second = await shop.charge({ amount: 300 });
    const other = book.paid(300, { reference: second });
    await shop.arrive(other);
    await shop.arrive(book.paid(10));
    await fall(300_00);
    await shop.arrive(book.reversed(other, 300));
    expect(await shop.verified(second)).toMatchObject({ status: 'reversed' });
    expect(await chain()).toMatchObject({ gaps: 1 });
    expect((await chain()).recent.at(-1)?.balance).toBe(book.pesewas);
  });

  test('allows a later payment to be linked if the later text arrived first', async () => {
    const next = await shop.charge({ amount: 50 });
    const reversal = book.reversed(payment, 300);
    await shop.arrive(book.paid(50, { reference: next }));
    expect(await shop.verified(next)).not.toMatchObject({ proof: { state: 'proven' } });
    await shop.arrive(reversal);
    expect(await chain()).toMatchObject({ waiting: 0 });
  });

  test('reverses the payment when the missing earlier text arrives', async () => {
    const overtaken = book.paid(80);
    await shop.arrive(reversed(payment, book.pesewas - 300_00));
    expect(await shop.verified(reference)).toMatchObject(DISPUTED);
    await shop.arrive(overtaken);
    await lookAgain();
    expect(await shop.verified(reference)).toMatchObject({ status: 'reversed' });
    // The text no longer counts as a guess.
    expect((await chain()).failed_ms ?? []).toEqual([]);
  });

  test('reverses the payment when the owner confirms the balance drop', async () => {
    // Separates the payment from the drop, or it would look forged.
    await shop.arrive(book.paid(10));
    await shop.arrive(reversed(payment, undefined));
    expect(await shop.verified(reference)).toMatchObject(DISPUTED);
    book.pesewas -= 300_00;
    for (const text of [book.paid(20), book.spent(5)]) {
      world.clock.nowMs += 5 * MINUTE_MS;
      await shop.arrive(text);
    }
    await lookAgain();
    expect(await shop.verified(reference)).toMatchObject(DISPUTED);
    await nameBalance(world.outside, wallet(), book.pesewas);
    await lookAgain();
    expect(await shop.verified(reference)).toMatchObject({ status: 'reversed' });
  });

  /** Reverses the payment because of a balance drop that late texts then explain. Returns the resulting job. */
  async function explainFall(next: string) {
    await shop.arrive(book.paid(10));
    const [late, spent] = [book.paid(20, { reference: next }), book.spent(320)];
    await fall(0);
    const gap = async () => (await rowsOfChain()).find(({ sk }) => String(sk).startsWith('GAP#'));
    await shop.arrive(reversed(payment, undefined));
    expect(await shop.verified(reference)).toMatchObject({ status: 'reversed', disputed: null });
    const before = await gap();
    expect(before).toMatchObject({ reversal_of: shop.paymentId(payment) });
    for (const text of [late, spent]) await shop.arrive(text);
    await world.settle({ receipt_id: shop.paymentId(late) });
    const after = await gap();
    expect(after).toBeUndefined();
    const [job] = gapJobs({ event: 'REMOVE', sk: String(before?.sk), before, after });
    return job?.body ?? {};
  }

  test('is disputed if late texts explain the balance drop', async () => {
    const next = await shop.charge({ amount: 20 });
    const job = await explainFall(next);
    expect(await shop.verified(next)).toMatchObject({ status: 'success', proof: { state: 'unproven' } });
    await world.settle(job, job);
    expect(await shop.verified(reference)).toMatchObject({ status: 'reversed', disputed: { why: 'reversal' } });
    expect(await shop.receipt(payment)).toMatchObject({ state: 'held', reason: 'conflict' });
    expect((await shop.assign(payment, await shop.charge({ amount: 300 }))).status).toBe(200);
  });

  test('stays undisputed if a job about the balance drop runs late', async () => {
    const job = await explainFall(await shop.charge({ amount: 20 }));
    await world.settle(job);
    await shop.arrive(book.reversed(payment, 300));
    await world.settle(job);
    expect(await shop.receipt(payment)).toMatchObject({ state: 'held', reason: 'reversed' });
    expect((await shop.assign(payment, await shop.charge({ amount: 300 }))).status).toBe(409);
  });

  test.each([false, true])('does not dispute a charge that no longer counts the payment (paid: %s)', async (isPaid) => {
    const next = await shop.charge({ amount: 80 });
    const part = book.paid(30, { reference: next });
    await shop.arrive(part);
    await shop.arrive(book.paid(10));
    await fall(30_00);
    await shop.arrive(reversed(part, undefined, 30));
    expect(await shop.receipt(part)).toMatchObject({ state: 'held', reason: 'reversed' });
    const rest = book.paid(80, { reference: next });
    if (isPaid) world.rightBefore('TransactWriteItems', () => shop.arrive(rest), part.id);
    await doubtReversal(world.outside, { kind: 'unexplained', receipt: shop.paymentId(part) });
    if (!isPaid) await shop.arrive(rest);
    expect(await shop.receipt(part)).toMatchObject({ state: 'held', reason: 'conflict' });
    expect(await shop.verified(next)).toMatchObject({ status: 'success', disputed: null });
  });

  test('is re-evaluated for one hour only', async () => {
    world.queued.length = 0;
    await shop.arrive(reversed(payment, undefined));
    const again = () => world.queued.filter(({ job }) => JSON.stringify(job.body).includes('TEXT-'));
    expect(again()).toHaveLength(1);
    for (let n = 0; n < 120; n++) {
      world.clock.nowMs += 15 * MINUTE_MS;
      if (again().length > n) await world.settle(again()[n]?.job.body ?? {});
    }
    expect(again()).toHaveLength(4);
  });
});

describe('a balance drop that the owner confirms', () => {
  const WRONG = 12_34;

  /** Reduces the balance, which the owner confirms days later. Returns the resulting job. */
  async function nameFall(pesewas = 300_00) {
    book.pesewas -= pesewas;
    world.clock.nowMs += 3 * DAY_MS;
    await shop.arrive(book.paid(20));
    await nameBalance(world.outside, wallet(), book.pesewas);
    const [job, ...others] = (await rowsOfChain()).flatMap((after) =>
      gapJobs({ ...INSERTED, sk: String(after.sk), after }),
    );
    expect({ body: job?.body, others }).toEqual({ body: expect.objectContaining({ kind: 'fall' }), others: [] });
    return job?.body ?? {};
  }

  /** Runs a job and its follow-up jobs. */
  async function carryOn(job: object) {
    for (let left = [job]; left.length > 0; ) {
      world.queued.length = 0;
      await world.settle(...left);
      left = world.queued.map(({ job: { body } }) => body);
    }
  }

  beforeEach(() => shop.arrive(book.paid(10)));

  test('reverses the payment if the reversal text has no balance', async () => {
    await shop.arrive(reversed(payment, undefined));
    await carryOn(await nameFall());
    expect(await shop.verified(reference)).toMatchObject({ status: 'reversed' });
  });

  test('reverses the payment if the reversal text was set aside', async () => {
    await shop.arrive(reversed(payment, undefined));
    const unread = receiptRows.parse((await shop.receipts()).find(({ state }) => state === 'unread') ?? {});
    const set_aside = { at: world.iso(), by: 'ama' };
    await world.outside.table.write([replaceReceipt(unread, { ...unread, set_aside })]);
    await carryOn(await nameFall());
    expect(await shop.verified(reference)).toMatchObject({ status: 'reversed' });
  });

  test('reverses the payment on a shared wallet', async () => {
    const other = await world.createMerchant();
    await other.change({ momo_accounts: [{ number: shop.number, network: 'MTN', account_name: 'AMA' }] });
    await shop.arrive(reversed(payment, undefined));
    await carryOn(await nameFall());
    expect(await shop.verified(reference)).toMatchObject({ status: 'reversed' });
  });

  test('is matched to reversal texts page by page', async () => {
    await shop.arrive(reversed(payment, undefined));
    for (let n = 0; n < 230; n++) {
      const text = { sender: 'MobileMoney', text: `A notice ${n}`, momo_number: shop.number, merchant_id: shop.id };
      const receipt = {
        ...text,
        receipt_id: `TEXT-${n}-${shop.id}`,
        received_at: world.iso(),
        state: 'unread',
      } as const;
      await world.outside.table.write([createReceipt(receipt)]);
    }
    await shop.arrive(reversed(payment, WRONG));
    const fall = await nameFall();
    const sent: object[] = [];
    for (let left = [fall]; left.length > 0; left = world.queued.map(({ job }) => job.body)) {
      world.queued.length = 0;
      await world.settle(...left.filter((job) => 'kind' in job));
      sent.push(...world.queued.map(({ job }) => job.body).filter((body) => !('kind' in body)));
    }
    expect(new Set(sent.map((body) => JSON.stringify(body))).size).toBe(2);
  });

  test('ignores reversal texts with wrong balances', async () => {
    for (let n = 0; n < 5; n++) await shop.arrive(reversed(payment, WRONG + n));
    const named = await nameFall(200_00);
    const before = (await chain()).failed_ms;
    // Earlier guesses have now expired.
    world.clock.nowMs += 40 * DAY_MS;
    await carryOn(named);
    expect((await chain()).failed_ms).toEqual(before);
    expect(await shop.verified(reference)).toMatchObject(DISPUTED);
  });
});

/** Reduces the balance without a text and enters the new balance as the owner. */
async function fall(pesewas: number): Promise<void> {
  book.pesewas -= pesewas;
  for (const text of [book.paid(20), book.spent(5)]) {
    world.clock.nowMs += 5 * MINUTE_MS;
    await shop.arrive(text);
  }
  await nameBalance(world.outside, wallet(), book.pesewas);
}

const wallet = () => ({ network: 'MTN', momo_number: shop.number }) as const;

const rowsOfChain = () => world.outside.table.list(`CHAIN#MTN#${shop.number}`);

async function chain() {
  const found = await chainRows.find(world.outside, wallet());
  if (!found) throw new Error('The wallet has no chain');
  return found;
}

/** Settles the unread texts again. */
async function lookAgain(): Promise<void> {
  world.clock.nowMs += 2 * MINUTE_MS;
  for (const { receipt_id, state } of await shop.receipts()) if (state === 'unread') await world.settle({ receipt_id });
}

function reversed({ id }: BookedText, balancePesewas: number | undefined, amount = 300) {
  const told = balancePesewas === undefined ? '' : ` Current Balance: GHS ${(balancePesewas / 100).toFixed(2)}`;
  return { sender: 'MobileMoney', text: `Transaction ${id} of GHS ${amount}.00 has been reversed.${told}` };
}
