import { beforeEach, describe, expect, test } from 'vitest';
import { handler as relay } from '../../../functions/work/relay.ts';
import { arrivedPesewas } from '../../../shared/ghana/arrived.ts';
import { requestCode } from '../../../shared/money/claims/claim-by-phone.ts';
import { mayBeClaimed } from '../../../shared/money/claims/claimable.ts';
import { CHECKED_AFTER_SECONDS } from '../../../shared/money/receipt/proof-job.ts';
import { receiptRows } from '../../../shared/money/receipt/receipt.table.ts';
import { setAside } from '../../../shared/money/settling/assign-receipt.ts';
import type { Job } from '../../../shared/runtime/outside/queues.ts';
import { changeItem, type Item } from '../../../shared/runtime/table/table.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/runtime/values/calendar.ts';
import { headOf } from '../../../shared/wallets/chain/chain.ts';
import { nameBalance } from '../../../shared/wallets/chain/name-balance.ts';
import { expectWords } from '../../support/answers.ts';
import { newPayerNumber, post } from '../../support/receipts.ts';
import { rotatingTest } from '../../support/rotating-test.ts';
import { type Shop, scene } from '../../support/scene.ts';
import { type BookedText, provenBook, WalletBook } from '../../support/wallet-book.ts';
import { streamEvent } from '../../support/world.ts';

const rotating = rotatingTest(3);

const world = await scene();
let shop: Shop;
let book: WalletBook;

beforeEach(async () => {
  shop = await world.createShop();
  book = await provenBook(world, shop, 24);
});

describe('a payment that continues from the balance chain', () => {
  test('is verified and confirms its charge at once', async () => {
    const reference = await shop.charge({ amount: 4000 });
    const row = await shop.pay(book.paid(4000, { reference }));
    expect(row).toMatchObject({ state: 'matched', proof: { state: 'proven' } });
    await expectPaid(reference, { state: 'proven', why: null });
  });

  test('lets a later payment be verified if the later text arrived first', async () => {
    const references = [await shop.charge({ amount: 300 }), await shop.charge({ amount: 200 })];
    const [overtaken, second] = references.map((reference, n) => book.paid(300 - 100 * n, { reference }));
    if (!overtaken || !second) throw new Error('Both are booked');
    expect(await shop.pay(second)).toMatchObject({ state: 'held', reason: 'checking' });
    expect(await shop.verified(references[1] ?? '')).toMatchObject({ status: 'pending' });
    world.clock.nowMs += MINUTE_MS;
    await shop.pay(overtaken);
    await decideAgain(second);
    for (const reference of references) expect(await shop.verified(reference)).toMatchObject({ status: 'success' });
  });

  test('is shown as being checked if an earlier text is missing', async () => {
    const reference = await shop.charge({ amount: 200 });
    book.paid(300);
    await shop.pay(book.paid(200, { reference }));
    expect(await shownFor(reference)).toEqual({ checking: true, status: 'Checking a payment message…' });
    world.clock.nowMs += 3 * MINUTE_MS;
    expect(await shownFor(reference)).toEqual({ checking: false, status: 'Checking a payment message…' });
  });
});

describe('an unverified payment', () => {
  test('is held above the merchant’s limit until the missing text arrives', async () => {
    const lost = book.paid(300);
    const { reference, text } = await arrivedLater(200);
    const proof = { state: 'unproven', why: 'balance_gap' };
    const held = { state: 'held', reason: 'balance_gap', suggested_reference: reference, proof };
    expect(await shop.receipt(text)).toMatchObject(held);
    world.clock.nowMs += 60 * MINUTE_MS;
    await shop.pay(lost);
    await decideAgain(text);
    await expectPaid(reference, { state: 'proven' });
  });

  test('stays held after verification if it was set aside', async () => {
    const lost = book.paid(300);
    const { reference, text } = await arrivedLater(200);
    const aside = await setAside(world.outside, shop.id, shop.paymentId(text), { by: 'somebody', why: 'a gift' });
    await world.outside.table.write(aside);
    await shop.pay(lost);
    await decideAgain(text);
    expect(await shop.receipt(text)).toMatchObject({
      state: 'held',
      proof: { state: 'proven' },
      set_aside: { why: 'a gift' },
    });
    expect(await shop.verified(reference)).toMatchObject({ status: 'pending' });
  });

  test('confirms a charge for a small amount', async () => {
    const reference = await shop.charge({ amount: 50 });
    const text = await unproven(50, reference);
    await expectPaid(reference, { state: 'unproven', why: 'balance_gap' });
    expect(await shop.receipt(text)).toMatchObject({ state: 'matched' });
  });

  test('does not confirm a charge above the limit, even in two parts', async () => {
    const reference = await shop.charge({ amount: 90 });
    await unproven(45, reference);
    await unproven(45, reference);
    expect(await shop.verified(reference)).toMatchObject({ status: 'pending', amount_paid: 45 });
  });

  test('confirms charges up to the wallet’s daily limit', async () => {
    const confirmed = async () => {
      const reference = await shop.charge({ amount: 50 });
      await unproven(50, reference);
      return (await shop.verified(reference))?.status;
    };
    world.clock.nowMs += DAY_MS - (world.clock.nowMs % DAY_MS);
    for (const status of ['success', 'success', 'pending', 'pending']) expect(await confirmed()).toBe(status);
    world.clock.nowMs += DAY_MS + HOUR_MS;
    expect(await confirmed()).toBe('success');
  });

  test('confirms nothing if the merchant’s limit is 0', async () => {
    await shop.change({ confirm_unproven_up_to_pesewas: 0 });
    const reference = await shop.charge({ amount: 1 });
    await unproven(1, reference);
    expect(await shop.verified(reference)).toMatchObject({ status: 'pending' });
  });

  test('is held as clock_odd if its id does not match its time', async () => {
    const reference = await shop.charge({ amount: 200 });
    const ahead = String(Number(book.nextId()) + 200_000_000);
    const text = book.receipt(200, { reference, id: ahead, balance: book.pesewas + 200_00 });
    expect(await shop.pay(text)).toMatchObject({ state: 'held', reason: 'clock_odd' });
    const next = await shop.charge({ amount: 60 });
    expect(await shop.pay(book.paid(60, { reference: next }))).toMatchObject({ state: 'matched' });
  });

  test('cannot be claimed, whatever its amount', async () => {
    const reference = await shop.charge({ amount: 40 });
    const text = await unproven(40, '');
    expect(await world.claim(reference, text.id)).toEqual({ outcome: 'unknown' });
    expect(await shop.verified(reference)).toMatchObject({ status: 'pending' });
  });

  test('triggers no claim code, whatever its amount', async () => {
    // Counts code rows, because there is no phone to send codes.
    const codesAfter = async (amount: number, arrives: (typed: string) => Promise<unknown>) => {
      const payer = newPayerNumber();
      await arrives(`KOFI MENSAH BOATENG ,${payer},1 from VODAFONE`);
      const reference = await shop.charge({ amount });
      await requestCode(world.outside, await world.chargeRow(reference), {
        phone: `+${payer}`,
        sourceIp: '192.0.2.1',
      });
      return (await world.rows('CODE')).filter(({ pk }) => String(pk).includes(shop.number.slice(1))).length;
    };
    expect(await codesAfter(41, (reference) => shop.pay(book.paid(41, { reference })))).toBe(1);
    expect(await codesAfter(40, (reference) => unproven(40, reference))).toBe(1);
  });
});

test('a payment cannot be claimed after its text is erased', async () => {
  const reference = await shop.charge({ amount: 200 });
  const text = await unproven(200, '');
  const { text: _, payer_name, ...erased } = receiptRows.parse((await shop.receipt(text)) ?? {});
  const paid = { network: 'MTN', transaction_id: text.id, amount_pesewas: arrivedPesewas(200_00) } as const;
  expect(await mayBeClaimed(world.outside, await world.chargeRow(reference), { ...erased, ...paid })).toBe(false);
});

test('assigning a forged text does not extend its verification period', async () => {
  const real = book.paid(36);
  await shop.pay(real);
  await shop.pay(book.receipt(300, { id: real.id, balance: 777_77 }));
  const isFalse = ({ amount_pesewas }: Item) => amount_pesewas === 300_00;
  const falseRow = async () => (await shop.receipts()).find(isFalse);
  expect(await falseRow()).toMatchObject({ reason: 'conflict', proof: { state: 'checking' } });
  const reference = await shop.charge({ amount: 300 });
  const id = String((await falseRow())?.receipt_id);
  await shop.call('receipt/assign', { parameters: { id }, body: { reference } });
  world.clock.nowMs += 3 * MINUTE_MS;
  const jobs = world.queued.splice(0).filter(({ queue }) => queue === 'settle-receipt');
  await world.settle(...jobs.map(({ job }) => job.body));
  expect(await falseRow()).toMatchObject({ state: 'matched', proof: { state: 'unproven', why: 'balance_gap' } });
  await expectPaid(reference, { state: 'unproven', why: 'balance_gap' });
});

test('a newly verified payment conflicts with a contradictory text', async () => {
  const reference = await shop.charge({ amount: 200 });
  const lost = book.paid(300);
  const text = await arrived(200, reference);
  await shop.arrive({ ...text, text: text.text.replace('KOFI', 'AMA'), recipient: null });
  await shop.pay(lost);
  await decideAgain(text);
  expect(await shop.receipt(text)).toMatchObject({ state: 'held', reason: 'conflict' });
  expect(await world.receiptRow(`MTN-unknown-${text.id}`)).toMatchObject({ state: 'held', reason: 'conflict' });
  expect(await shop.verified(reference)).toMatchObject({ status: 'pending' });
});

describe('a forger who guesses balances', () => {
  /** Sends wrong guesses for one charge, then a correct one. */
  async function tryOut(tries: number): Promise<{ reference: string; right: BookedText }> {
    const reference = await shop.charge({ amount: 900 });
    for (let n = 1; n <= tries; n++) {
      await shop.pay(book.receipt(900, { reference, balance: book.pesewas + n * 1000_00 }));
      world.clock.nowMs += 1000;
    }
    const right = await arrived(900, reference);
    world.clock.nowMs += 2 * MINUTE_MS;
    return { reference, right };
  }

  test('causes no dispute with one correct guess', async () => {
    const { reference, right } = await tryOut(10);
    expect(await shop.receipt(right)).toMatchObject({ state: 'held', reason: 'checking' });
    await decideAgain(right);
    expect(await shop.receipt(right)).toMatchObject({ state: 'held', proof: { state: 'unproven' } });
    expect(await shop.verified(reference)).toMatchObject({ status: 'pending', disputed: null });
  });

  test('blocks the next payments until the owner names the balance', async () => {
    const { reference: tried, right } = await tryOut(12);
    const { reference, text } = await arrivedLater(90.37);
    const proof = { state: 'unproven', why: 'balance_unsure' };
    expect(await shop.receipt(text)).toMatchObject({ state: 'held', reason: 'balance_unsure', proof });
    await nameBalance(world.outside, { network: 'MTN', momo_number: shop.number }, book.pesewas);
    for (const one of [right, text]) await decideAgain(one);
    expect(await shop.receipt(text)).toMatchObject({ state: 'matched', proof: { state: 'proven' } });
    for (const one of [tried, reference]) expect(await shop.verified(one)).toMatchObject({ status: 'success' });
  });

  test('makes later payments unclaimable while they are being checked', async () => {
    await tryOut(12);
    const { reference, text } = await arrivedLater(300);
    expect(await shownFor(reference)).toEqual({ checking: false, status: 'Checking a payment message…' });
    expect(await world.claim(reference, text.id)).toEqual({ outcome: 'unknown' });
    const small = await shop.charge({ amount: 40 });
    expect(await world.claim(small, (await arrived(40, '')).id)).toEqual({ outcome: 'unknown' });
    expect(await shop.verified(small)).toMatchObject({ status: 'pending' });
  });

  test('does not stop small payments from confirming their charges', async () => {
    await tryOut(12);
    const { reference } = await arrivedLater(50);
    await expectPaid(reference, { state: 'unproven', why: 'balance_unsure' });
  });

  rotating('cannot reach a chosen balance with three hundred texts', async () => {
    const guess = async (before: number, amount: number, reference = '') => {
      const text = book.receipt(amount, { reference, balance: before + amount * 100 });
      await shop.pay(text);
      world.clock.nowMs += 1000;
      return text;
    };
    for (let n = 0; n < 300; n++) await guess(n === 200 ? book.pesewas : 100_00 + n * 10_00, 777.77);
    const mine = book.pesewas + 777_77;
    world.clock.nowMs += 3 * MINUTE_MS;
    const wanted = await shop.charge({ amount: 4900 });
    const stolen = await guess(mine, 4900, wanted);
    await decideLater(stolen);
    expect(await shop.receipt(stolen)).toMatchObject({ state: 'held', reason: 'balance_unsure' });
    expect(await shop.verified(wanted)).toMatchObject({ status: 'pending' });
    // The owner's answer releases genuine payments only.
    const reference = await shop.charge({ amount: 900 });
    const genuine = await arrived(900, reference);
    await nameBalance(world.outside, { network: 'MTN', momo_number: shop.number }, book.pesewas);
    for (const one of [genuine, stolen]) await decideAgain(one);
    expect(await shop.receipt(stolen)).toMatchObject({ state: 'held', reason: 'balance_unsure' });
    expect(await shop.verified(wanted)).toMatchObject({ status: 'pending' });
    // The genuine payment started at the same balance as a correct guess, so a person must decide.
    expect(await shop.receipt(genuine)).toMatchObject({
      state: 'held',
      proof: { state: 'unproven', why: 'balance_unsure' },
    });
    expect(headOf(await shop.chain()).balance).toBe(book.pesewas);
  });

  test('causes a dispute if a genuine text starts at the same balance', async () => {
    const wanted = await shop.charge({ amount: 4900 });
    const lucky = book.receipt(4900, { reference: wanted, balance: book.pesewas + 4900_00 });
    await shop.pay(lucky);
    expect(await shop.verified(wanted)).toMatchObject({ status: 'success' });
    const genuine = book.paid(60);
    await shop.pay(genuine);
    await decideLater(genuine, lucky);
    expect(await shop.verified(wanted)).toMatchObject({ disputed: { why: 'forged' } });
  });
});

test('two forged texts delay a payment by at most two minutes', async () => {
  world.clock.nowMs += 60 * MINUTE_MS;
  const reference = await shop.charge({ amount: 900 });
  const forge = () => shop.arrive(book.receipt(60, { balance: 123_45 }));
  await forge();
  world.clock.nowMs += 1000;
  const text = book.paid(900, { reference });
  expect(await shop.pay(text)).toMatchObject({ state: 'held', reason: 'checking' });
  world.clock.nowMs += 100_000;
  await forge();
  world.clock.nowMs += 25_000;
  await decideAgain(text);
  expect(await shop.verified(reference)).toMatchObject({ status: 'success' });
});

test('a charge paid in nine parts is confirmed when a missing text arrives', async () => {
  const reference = await shop.charge({ amount: 900 });
  const lost = book.paid(36);
  const texts = Array.from({ length: 9 }, () => book.paid(100, { reference }));
  for (const text of texts) await shop.pay(text);
  await decideLater(...texts);
  expect(await shop.verified(reference)).toMatchObject({ status: 'pending', disputed: null });
  await shop.pay(lost);
  for (const text of texts) await decideAgain(text);
  expect(await shop.verified(reference)).toMatchObject({ status: 'success' });
});

describe('a text that repeats the id and balance of a linked text', () => {
  test('is not accepted as a payment if the linked text was a deposit', async () => {
    const seen = book.deposited(500);
    await shop.arrive(seen);
    const reference = await shop.charge({ amount: 500 });
    const copy = book.receipt(500, { reference, id: seen.id, balance: book.pesewas });
    expect(await shop.pay(copy)).toMatchObject({ state: 'held', proof: { state: 'unproven' } });
    expect(await shop.verified(reference)).toMatchObject({ status: 'pending' });
  });

  test('is not accepted with a larger amount and fee', async () => {
    const seen = book.spent(36);
    await shop.arrive(seen);
    const reference = await shop.charge({ amount: 5000 });
    const copy = book.receipt(5000, { reference, id: seen.id, balance: book.pesewas, fee: 5036 });
    expect(await shop.pay(copy)).toMatchObject({ state: 'held', proof: { state: 'unproven' } });
  });

  test('is not accepted with a leading zero in its id', async () => {
    const seen = book.paid(500);
    await shop.arrive(seen);
    const reference = await shop.charge({ amount: 500 });
    const copy = book.receipt(500, { reference, id: `0${seen.id}`, balance: book.pesewas });
    expect(await shop.pay(copy)).toBeUndefined();
    expect(await shop.verified(reference)).toMatchObject({ status: 'pending' });
  });
});

describe('payments in each verification mode', () => {
  test('are stored with their proof but not held in observe mode', async () => {
    const other = await world.createShop();
    const reference = await other.charge({ amount: 900 });
    const text = new WalletBook(() => world.clock.nowMs).paid(900, { reference });
    const proof = { state: 'unproven', why: 'not_anchored' };
    expect(await other.pay(text)).toMatchObject({ state: 'matched', proof });
  });

  test('are held above the merchant’s review threshold in enforce mode, even if verified', async () => {
    await shop.change({ confirm_always_above_pesewas: 1000_00 });
    const [large, small] = [await shop.charge({ amount: 1000.01 }), await shop.charge({ amount: 1000 })];
    const held = { state: 'held', reason: 'large_amount', suggested_reference: large, proof: { state: 'proven' } };
    expect(await shop.pay(book.paid(1000.01, { reference: large }))).toMatchObject(held);
    expect(await shop.pay(book.paid(500, { reference: large }))).toMatchObject({ reason: 'large_amount' });
    const { access_code } = await world.chargeRow(large);
    const { text } = await world.call('checkout/page', { parameters: { access_code } });
    expectWords(text, ['A payment message about this bill arrived']);
    expect(await shop.pay(book.paid(1000, { reference: small }))).toMatchObject({ state: 'matched' });
  });
});

test('texts in one batch verify each other in any order', async () => {
  const references: string[] = [];
  for (let n = 0; n < 5; n++) references.push(await shop.charge({ amount: 100 + n }));
  const texts = references.map((reference, n) => book.paid(100 + n, { reference }));
  const jobs: object[] = [];
  for (const text of texts.toReversed()) jobs.push(await post(world, { ...text, recipient: shop.number }));
  await world.settle(...jobs);
  for (const text of texts)
    expect(await shop.receipt(text)).toMatchObject({ state: 'matched', proof: { state: 'proven' } });
});

test('settling a linked payment does not read pending texts', async () => {
  const reference = await shop.charge({ amount: 100 });
  const paid = await arrived(100, reference);
  book.paid(50);
  await shop.pay(book.paid(70));
  world.clock.nowMs += 3 * MINUTE_MS;
  world.requests.length = 0;
  await decideAgain(paid);
  expect(world.requests).not.toContain('Query');
});

test('a payment is re-evaluated when its text is linked or moved', async () => {
  const queued: unknown[] = [];
  const queues = {
    ...world.outside.queues,
    send: async (_: string, jobs: readonly Job[]) =>
      void queued.push(...jobs.map(({ body, delaySeconds }) => ({ ...body, delaySeconds }))),
  };
  const wait = { pk: 'CHAIN#MTN#+233241234567', sk: 'WAIT#0000000000000001#1#2', receipt_id: 'one' };
  const text = { pk: 'CHAIN#MTN#+233241234567', sk: 'TEXT#0000000000000002#1#2', receipt_id: 'two' };
  await relay.with({ ...world.outside, queues })(
    streamEvent([{ before: wait }, { before: text, after: text }, { before: { pk: wait.pk, sk: wait.sk } }]),
  );
  expect(queued).toEqual([
    { receipt_id: 'one', delaySeconds: 0 },
    { receipt_id: 'two', delaySeconds: 0 },
    { receipt_id: 'two', delaySeconds: CHECKED_AFTER_SECONDS },
  ]);
});

test.each(['contested', 'false'])(
  'a payment is disputed if its text is marked as %s while the payment is being stored',
  async (state) => {
    const reference = await shop.charge({ amount: 300 });
    const paid = book.paid(300, { reference });
    world.queued.length = 0;
    const change = async () => {
      const rows = await world.outside.table.list(`CHAIN#MTN#${shop.number}`);
      const [before] = rows.filter(
        ({ sk, receipt_id }) => /^TEXT#/.test(String(sk)) && receipt_id === shop.paymentId(paid),
      );
      const key = { pk: String(before?.pk), sk: String(before?.sk) };
      await world.outside.table.write([changeItem(key, { state })]);
      await world.relayChanges({ before: { ...before }, after: { ...before, state } });
      await decideAgain(paid);
    };
    world.rightBefore('TransactWriteItems', change, 'RECEIPT#');
    await shop.arrive(paid);
    expect(await shop.verified(reference)).toMatchObject({ status: 'success', disputed: null });
    const later = world.queued.filter(({ job }) => job.delaySeconds === CHECKED_AFTER_SECONDS);
    await world.settle(...later.map(({ job: { body } }) => body));
    expect(await shop.verified(reference)).toMatchObject({ status: 'success', disputed: { why: 'forged' } });
  },
);

async function expectPaid(reference: string, proof: object): Promise<void> {
  expect(await shop.verified(reference)).toMatchObject({ status: 'success', payment: { proof } });
}

async function arrived(amount: number, reference: string): Promise<BookedText> {
  const text = book.paid(amount, { reference });
  await shop.pay(text);
  return text;
}

/** Settles the texts again when no late texts can arrive. */
async function decideLater(...texts: BookedText[]): Promise<void> {
  world.clock.nowMs += 3 * MINUTE_MS;
  for (const text of texts) await decideAgain(text);
}

/** Receives a payment and waits until no late texts can arrive. */
async function arrivedLater(amount: number) {
  const reference = await shop.charge({ amount });
  const text = await arrived(amount, reference);
  await decideLater(text);
  return { reference, text };
}

/** Receives a payment that does not continue the balance chain. */
async function unproven(amount: number, reference: string): Promise<BookedText> {
  const text = book.receipt(amount, { reference, balance: 77_77 + book.pesewas * 2 + amount });
  await shop.pay(text);
  await decideLater(text);
  return text;
}

/** Returns a charge's status with and without JavaScript. */
async function shownFor(reference: string) {
  const { access_code } = await world.chargeRow(reference);
  const parameters = { access_code };
  return {
    checking: (await world.call('checkout/status', { parameters })).json.data.checking,
    status: / id="status"[^>]*>([^<]*)</.exec((await world.call('checkout/page', { parameters })).text)?.[1],
  };
}

function decideAgain(text: BookedText): Promise<void> {
  return world.settle({ receipt_id: shop.paymentId(text) });
}
