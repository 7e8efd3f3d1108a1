import { beforeEach, describe, expect, test } from 'vitest';
import { listExpiries } from '../../../shared/money/charge/expiry.table.ts';
import { receiptRows, replaceReceipt } from '../../../shared/money/receipt/receipt.table.ts';
import { settleRequest } from '../../../shared/money/request/settle-request.ts';
import { endCharge } from '../../../shared/money/settling/end-charge.ts';
import { nameBalance } from '../../../shared/wallets/chain/name-balance.ts';
import { expectAnswer, expectWords } from '../../support/answers.ts';
import { mtn, type ReceiptText, reversal } from '../../support/receipts.ts';
import { type Scene, type Shop, scene } from '../../support/scene.ts';
import { type BookedText, provenBook, type WalletBook } from '../../support/wallet-book.ts';

/* Once an unpaid charge has ended, its part payments are the shop's decision. */

const CHECKED_MS = 3 * 60_000;
const PROVEN = { state: 'proven', why: null };
const SEND_BACK = /send it back|arrived, which|remains/;
const CHECKING = 'Another payment message about this bill arrived';

let world: Scene;
let shop: Shop;
let book: WalletBook;
let reference: string;
let part: BookedText;

beforeEach(async () => {
  world = await scene({ inMemory: true });
  world.goToNoon();
  shop = await world.createShop();
  book = await provenBook(world, shop, 24);
  reference = await shop.charge({ amount: 36 });
});

const settleAgain = (text: BookedText) => world.work('settle-receipt', [{ receipt_id: shop.paymentId(text) }]);

async function come(...texts: BookedText[]): Promise<void> {
  for (const text of texts) {
    await shop.arrive(text);
    world.clock.nowMs += CHECKED_MS;
    await settleAgain(text);
  }
}

async function expire(): Promise<void> {
  world.clock.nowMs = Date.parse((await world.chargeRow(reference)).expires_at) + 60_000;
  for (const due of await listExpiries(world.outside, '~', 50)) await endCharge(world.outside, due);
}

const ends: Readonly<Record<string, () => Promise<unknown>>> = {
  expired: expire,
  cancelled: () => shop.call('transaction/cancel', { parameters: { reference } }),
};

async function page(route: 'checkout/page' | 'checkout/receipt' = 'checkout/page'): Promise<string> {
  const { access_code } = await world.chargeRow(reference);
  return (await world.call(route, { parameters: { access_code } })).text;
}

async function status() {
  const { access_code } = await world.chargeRow(reference);
  return (await world.call('checkout/status', { parameters: { access_code } })).json.data;
}

const summary = async () => {
  const { text } = await (await shop.signIn('owner')).visit(`/dashboard/charges/${reference}`);
  return /<section class="summary">.*?<\/section>/s.exec(text)?.[0];
};

type Fate = (text: BookedText) => Promise<unknown>;
const asideBy = (form: Record<string, string>): Fate => {
  return async (text) =>
    (await shop.signIn('manager')).visit(`/dashboard/held/${shop.paymentId(text)}/set-aside`, { form });
};

const gone: readonly (readonly [string, Fate])[] = [
  ['the network reversed it', (text) => shop.arrive(book.reversed(text, 20))],
  ['it was sent back', asideBy({ sent_back: 'on' })],
  ['it was set aside', asideBy({ why: 'A friend’s transfer.' })],
  ['it was assigned to another bill', async (text) => shop.assign(text, await shop.charge({ amount: 20 }))],
  ['it is held for another bill that has ended', giveToOneThatEnds],
];

async function giveToOneThatEnds(text: BookedText): Promise<void> {
  const other = await shop.charge({ amount: 50 });
  const parameters = { id: shop.paymentId(text) };
  const given = await shop.call('receipt/assign', { parameters, body: { reference: other, as_part: true } });
  expect(given.status).toBe(200);
  await shop.call('transaction/cancel', { parameters: { reference: other } });
  expect(await shop.receipt(text)).toMatchObject({ state: 'held', suggested_reference: other });
}

const doubted: readonly (readonly [string, Fate])[] = [
  ['a forged text says that it was reversed', ({ id }) => shop.arrive(reversal(id, '20.00', '1.00'))],
  ['a vague text says that it was reversed', ({ id }) => shop.arrive(vagueReversal(id))],
  ['a second text contradicts it', ({ id }) => shop.arrive(book.receipt(21, { reference, balance: 888_88, id }))],
];

const vagueReversal = (id: string): ReceiptText => ({
  ...mtn({ id }),
  text: `Dear customer, your transaction ${id} was reversed.`,
});

describe.each(Object.keys(ends))('a part payment of a charge that is %s', (how) => {
  beforeEach(async () => {
    part = book.paid(20, { reference });
    await come(part);
    await ends[how]?.();
  });

  test('is shown as verified and held for the customer', async () => {
    expect(await shop.verified(reference)).toMatchObject({
      status: how,
      amount_paid: 20,
      proof: PROVEN,
      held: { amount: 20, proof: PROVEN },
      parts: [{ proof: PROVEN }],
    });
    expect(await page()).toContain('<b>GHS 20.00</b> arrived, which was too little.');
    expect(await status()).toMatchObject({ amount_paid: 20 });
    expect(await summary()).not.toMatch(/Not verified|Check your MoMo/);
  });

  test.each(gone)('is not listed as money to return if %s', async (_, fate) => {
    await fate(part);
    await world.tell(5);
    expect(await shop.verified(reference)).toMatchObject({
      amount_paid: 20,
      proof: { state: 'unproven' },
      held: { amount: 0, proof: null },
    });
    const shown = await page();
    expect(shown).not.toMatch(SEND_BACK);
    expect(shown).not.toContain(CHECKING);
    expect(await status()).toMatchObject({ amount_paid: 0 });
    expect(await summary()).not.toMatch(/Not verified|Check your MoMo/);
  });

  test.each(doubted)('is shown as still being checked if %s', async (_, fate) => {
    await fate(part);
    await world.tell(5);
    expect(await shop.verified(reference)).toMatchObject({
      amount_paid: 20,
      proof: { state: 'unproven' },
      held: { amount: 20, proof: { state: 'unproven' } },
      parts: [{ proof: { state: 'unproven' } }],
    });
    const shown = await page();
    expect(shown).not.toMatch(SEND_BACK);
    expect(shown).toContain(CHECKING);
    expect(await summary()).toContain('Check your MoMo balance first.');
  });

  test('is the only one shown after the other part payment is reversed', async () => {
    reference = await shop.charge({ amount: 36 });
    const other = book.paid(5, { reference });
    await come(other, book.paid(10, { reference }));
    await ends[how]?.();
    await shop.arrive(book.reversed(other, 5));
    expect(await shop.verified(reference)).toMatchObject({
      amount_paid: 15,
      proof: { state: 'unproven' },
      held: { amount: 10, proof: PROVEN },
      parts: [
        { amount: 5, proof: { state: 'unproven' } },
        { amount: 10, proof: PROVEN },
      ],
    });
    expect(await page()).toContain('<b>GHS 10.00</b> arrived');
  });

  test('is still shown on the page together with a forged part payment', async () => {
    reference = await shop.charge({ amount: 36 });
    await come(book.receipt(5, { reference, balance: 777_77 }), book.paid(10, { reference }));
    await ends[how]?.();
    expect(await shop.verified(reference)).toMatchObject({ held: { amount: 15, proof: { state: 'unproven' } } });
    const shown = await page();
    expect(shown).toContain('<b>GHS 10.00</b> arrived');
    expect(shown).toContain(CHECKING);
  });
});

test.each(Object.keys(ends))('a forged part payment of a charge that is %s becomes unverified', async (how) => {
  reference = await shop.charge({ amount: 100 });
  const forged = book.receipt(60, { reference, balance: book.pesewas + 60_00 });
  await come(forged);
  await ends[how]?.();
  expect(await page()).toContain('<b>GHS 60.00</b> arrived');
  await come(book.paid(10), book.paid(12));
  await nameBalance(world.outside, { network: 'MTN', momo_number: shop.number }, book.pesewas);
  await settleAgain(forged);
  expect(await shop.verified(reference)).toMatchObject({
    proof: { state: 'unproven' },
    held: { amount: 60, proof: { state: 'unproven' } },
  });
  const shown = await page();
  expect(shown).not.toMatch(SEND_BACK);
  expect(shown).toContain(CHECKING);
});

describe.each(doubted)('a disputed part payment of a cancelled charge (%s)', (_, fate) => {
  let other: string;

  beforeEach(async () => {
    part = book.paid(20, { reference });
    await come(part);
    await fate(part);
    await ends.cancelled?.();
    await giveToOneThatEnds(part);
    await settleAgain(part);
    other = String((await shop.receipt(part))?.suggested_reference);
  });

  const holdAsBefore = async () => {
    const stored = await receiptRows.find(world.outside, { receipt_id: await shop.paymentId(part) });
    if (stored) await world.outside.table.write([replaceReceipt(stored, { ...stored, reason: 'charge_cancelled' })]);
  };

  test('stays disputed after a second charge that counted it is cancelled', async () => {
    expect(await shop.receipt(part)).toMatchObject({ reason: 'conflict', proof: { state: 'proven' } });
    expect(await shop.verified(other)).toMatchObject({ held: { amount: 20, proof: { state: 'unproven' } } });
  });

  test('becomes an unverified payment if an API key assigns it', async () => {
    await holdAsBefore();
    expect((await shop.assign(part, other)).status).toBe(200);
    await settleAgain(part);
    expect(await shop.verified(other)).toMatchObject({ status: 'success', proof: { state: 'unproven' } });
  });

  test('is not counted when the rest of the second charge is assigned', async () => {
    await holdAsBefore();
    const rest = book.paid(30);
    await come(rest);
    expect((await shop.assign(rest, other)).status).toBe(200);
    expect(await shop.verified(other)).toMatchObject({ status: 'success', amount_paid: 30, proof: PROVEN });
  });
});

test.each(Object.keys(ends))(
  'a charge that is %s stays disputed if a key assigns its own forged part payment back to it',
  async (how) => {
    reference = await shop.charge({ amount: 65 });
    const forged = book.receipt(60, { reference, balance: book.pesewas + 60_00 });
    await come(forged, book.paid(10), book.paid(12));
    await nameBalance(world.outside, { network: 'MTN', momo_number: shop.number }, book.pesewas);
    await settleAgain(forged);
    expect((await world.chargeRow(reference)).disputed).toMatchObject({ why: 'forged' });
    await ends[how]?.();
    expect((await shop.assign(forged, reference)).status).toBe(200);
    expect(await world.chargeRow(reference)).toMatchObject({ state: 'success', disputed: { why: 'forged' } });
  },
);

describe('a reversed charge with two part payments', () => {
  let other: BookedText;

  beforeEach(async () => {
    reference = await shop.charge({ amount: 100 });
    part = book.paid(60, { reference });
    other = book.paid(40, { reference });
    await come(part, other);
    await shop.arrive(book.reversed(other, 40));
  });

  test('still has the other payment held after one is reversed', async () => {
    expect(await shop.verified(reference)).toMatchObject({
      status: 'reversed',
      amount_paid: 60,
      proof: PROVEN,
      held: { amount: 60, proof: PROVEN },
    });
    expect(await page()).toContain('Only GHS 60.00 remains.');
  });

  test('has no held money after both payments are reversed', async () => {
    world.clock.nowMs += 30_000;
    await shop.arrive(book.reversed(part, 60));
    expect(await shop.verified(reference)).toMatchObject({ amount_paid: 60, held: { amount: 0, proof: null } });
    for (const route of ['checkout/page', 'checkout/receipt'] as const) {
      expect(await page(route)).not.toMatch(/remains|GHS 60\.00/);
      expect(await page(route)).not.toContain(CHECKING);
    }
  });
});

test('a part payment is released if its payment request is paid again', async () => {
  const slug = await shop.request({ title: 'Fees', lines: [{ description: 'Term', amount: 850 }] });
  reference = await world.openPart(slug, '850');
  const [first, ...parts] = [300, 275, 275].map((amount) => book.paid(amount, { reference }));
  for (const text of [first, ...parts]) await shop.pay(text ?? part);
  await shop.arrive(book.reversed(first ?? part, 300));
  expect(await shop.verified(reference)).toMatchObject({ held: { amount: 550, proof: PROVEN }, second_payments: [] });
  await shop.pay(book.paid(850, { reference: await world.openPart(slug, '850') }));
  await settleRequest(world.outside, reference);
  await world.followPayments();
  const second_payments = [{ amount: 275 }, { amount: 275 }];
  expect(await shop.verified(reference)).toMatchObject({ status: 'reversed', held: { amount: 0 }, second_payments });
});

test('a pending or paid charge has no held money', async () => {
  await come(book.paid(20, { reference }));
  expect(await shop.verified(reference)).toMatchObject({ status: 'pending', held: null, proof: PROVEN });
  await come(book.paid(16, { reference }));
  expect(await shop.verified(reference)).toMatchObject({ status: 'success', held: null, proof: PROVEN });
});

describe('the last payment of an ended bill', () => {
  const STILL = 'GHS\u00a020.00 of the bill is still missing.';

  test('is matched as the rest only if the earlier parts count again', async () => {
    const [first, second] = [book.paid(20, { reference }), book.paid(10, { reference })];
    await come(first, second);
    await expire();
    const late = book.paid(6, { reference });
    await come(late);
    const manager = await shop.signIn('manager');
    const path = `/dashboard/held/${shop.paymentId(late)}/give`;
    const { text: complete } = await manager.visit(path, { query: { reference } });
    expectWords(complete, ['name="still_due" value="0"'], ['still missing']);
    await shop.arrive(book.reversed(first, 20));
    expect(await shop.receipt(first)).toMatchObject({ reason: 'reversed' });
    const old = { reference, shown: 'verified', counts_as: 'full', still_due: '0' };
    expectAnswer(await manager.visit(path, { form: old }), 409, 'More is due on this bill than the form showed');
    expectWords((await manager.visit(path, { query: { reference } })).text, [STILL, 'name="still_due" value="2000"']);
    expect((await manager.visit(`/dashboard/charges/${reference}`)).text).not.toContain('of GHS\u00a020.00 is waiting');
  });
});
