import { beforeEach, describe, expect, test } from 'vitest';
import { expiryOf } from '../../../shared/money/charge/expiry.table.ts';
import { paymentUseRows, receiptRows } from '../../../shared/money/receipt/receipt.table.ts';
import { endCharge } from '../../../shared/money/settling/end-charge.ts';
import { MINUTE_MS } from '../../../shared/runtime/values/calendar.ts';
import { expectWords } from '../../support/answers.ts';
import { expectFailure } from '../../support/envelope.ts';
import { addNumber, mtn, post, settleAtOnce } from '../../support/receipts.ts';
import { type Person, type Scene, type Shop, scene } from '../../support/scene.ts';
import { type BookedText, provenBook, type WalletBook } from '../../support/wallet-book.ts';

// Two numbers of one shop receive texts with the same payment id. The text to `second` is not verified.

let world: Scene;
let shop: Shop;
let second: Shop;
let book: WalletBook;
let owner: Person;
let reference: string;
let real: BookedText;
let early: ReturnType<typeof mtn>;

beforeEach(async () => {
  world = await scene({ inMemory: true });
  world.goToNoon();
  shop = await world.createShop();
  book = await provenBook(world, shop, 6);
  const number = await addNumber(world, shop);
  second = { ...shop, number };
  owner = await shop.signIn('owner');
});

const formOf = (of: Shop, text: Parameters<Shop['paymentId']>[0]) => `/dashboard/held/${of.paymentId(text)}/give`;

/** Confirms the form for a held payment as it is shown. */
async function give(of: Shop, text: Parameters<Shop['paymentId']>[0], more: Readonly<Record<string, string>> = {}) {
  const { text: page } = await owner.visit(formOf(of, text), { query: { reference } });
  const shown = /name="shown" value="(\w+)"/.exec(page)?.[1] ?? '';
  const still_due = /name="still_due" value="(\d+)"/.exec(page)?.[1] ?? '';
  const { status } = await owner.visit(formOf(of, text), { form: { reference, shown, still_due, ...more } });
  return { status, page };
}

async function pages() {
  const { access_code } = await world.chargeRow(reference);
  const { text } = await world.call('checkout/page', { parameters: { access_code } });
  return text + (await owner.visit(`/dashboard/held/${shop.paymentId(real)}`)).text;
}

async function expectNothingToSendBack() {
  expectWords(await pages(), [], ['end it back', 'A second payment']);
  expect((await shop.verified(reference)).second_payments).toEqual([]);
}

async function expectPaidOnce() {
  const paid = { status: 'success', amount_paid: 450, overpaid: 0, disputed: null, proof: { state: 'proven' } };
  expect(await shop.verified(reference)).toMatchObject(paid);
  expect(await shop.receipt(real)).toMatchObject({ state: 'matched', reference });
  expect(await second.receipt(early)).toMatchObject({ state: 'held', reason: 'conflict' });
  const use = await paymentUseRows.find(world.outside, { network: 'MTN', transaction_id: real.id });
  expect(use).toEqual({ receipt_id: shop.paymentId(real), reference });
  await expectNothingToSendBack();
}

async function expectHeldOnly() {
  expect(await shop.receipt(real)).toMatchObject({ state: 'held', reason: 'conflict' });
  expect(await second.receipt(early)).toMatchObject({ state: 'matched' });
  await expectNothingToSendBack();
}

describe('a bill paid by an unverified payment to the shop’s other number', () => {
  beforeEach(async () => {
    const { json } = await shop.call('link/create', { body: { title: 'Router', amount: 450, codes: ['C-1', 'C-2'] } });
    reference = (await world.openLink(json.data.slug)).reference;
    real = book.paid(450, { reference });
    early = mtn({ reference, amount: '450.00', id: real.id });
  });

  test('is paid by the verified payment with the same id instead', async () => {
    expect(await second.pay(early)).toMatchObject({ state: 'matched' });
    await shop.pay(real);
    await expectPaidOnce();
  });

  test('is paid by the verified payment instead, even after a person released its code', async () => {
    await second.pay(early);
    await world.tell(8);
    await owner.visit(`/dashboard/charges/${reference}/release`, { form: { shown: 'unverified' } });
    await world.tell(8);
    await shop.pay(real);
    await expectPaidOnce();
    expect((await world.chargeRow(reference)).goods).toMatchObject({ state: 'given' });
  });

  test('is paid by the verified payment instead, even after a person assigned the unverified one', async () => {
    early = mtn({ reference: 'MK-1111111111', amount: '450.00', id: real.id });
    await second.pay(early);
    expect(await give(second, early)).toMatchObject({ status: 303 });
    await shop.pay(real);
    await expectPaidOnce();
  });

  test('still counts the unpaid part of its code’s price towards the daily limit', async () => {
    await shop.pay(real);
    const { json } = await shop.call('link/create', { body: { title: 'Router', amount: 45, codes: ['C-1', 'C-2'] } });
    reference = (await world.openLink(json.data.slug)).reference;
    real = book.paid(5, { reference });
    early = mtn({ amount: '5.00', id: real.id });
    await second.pay(early);
    expect((await second.assign(early, reference)).status).toBe(200);
    await world.tell(8);
    expect((await world.chargeRow(reference)).payment).toMatchObject({ counted_pesewas: 4500 });
    await shop.pay(real);
    const { payment, goods } = await world.chargeRow(reference);
    expect([goods?.state, payment?.proof?.state, payment?.counted_pesewas]).toEqual(['given', 'proven', 4000]);
    const [sum = {}] = await world.rows('UNPROVEN#new');
    expect(Object.entries(sum).find(([name]) => name.startsWith('alone'))?.[1]).toBe(4000);
  });

  test('is paid by the verified payment instead, even if both texts are identical', async () => {
    early = real;
    expect(await second.pay(early)).toMatchObject({ state: 'matched' });
    await shop.pay(real);
    await expectPaidOnce();
  });

  test('leaves the verified payment held if a refund was recorded', async () => {
    await second.pay(early);
    await shop.call('transaction/refund', { parameters: { reference }, body: { amount: 1 } });
    await shop.pay(real);
    await expectHeldOnly();
  });

  test('leaves a smaller verified payment held', async () => {
    await shop.pay(real);
    reference = await shop.charge({ amount: 450 });
    real = book.paid(440, { reference });
    early = mtn({ reference, amount: '450.00', id: real.id });
    await second.pay(early);
    await shop.pay(real);
    await expectHeldOnly();
  });
});

test.each([
  ['without a SIM', { recipient: null, simNumber: null }],
  ['to another of the shop’s numbers', undefined],
])('a text %s cannot be matched while a verified text with its id is a second payment', async (_, noSim) => {
  reference = await shop.charge({ amount: 36 });
  await shop.pay(book.paid(36, { reference }));
  real = book.paid(36, { reference });
  early = mtn({ amount: '36.00', from: 'EVE ANKRAH', reference: 'shoes', id: real.id });
  if (noSim) await shop.arrive({ ...early, ...noSim });
  else await second.pay(early);
  await shop.pay(real);
  expect(await shop.receipt(real)).toMatchObject({ reason: 'already_paid', proof: { state: 'proven' } });
  const other = await shop.charge({ amount: 36 });
  const id = noSim ? `MTN-unknown-${real.id}` : second.paymentId(early);
  await world.outside.table.write([receiptRows.change({ receipt_id: id }, { merchant_id: shop.id })]);
  const { status, json } = await shop.call('receipt/assign', { parameters: { id }, body: { reference: other } });
  expect([status, json.message]).toEqual([
    409,
    expect.stringContaining('A verified payment with the same transaction ID'),
  ]);
});

describe('a bill whose unverified payment to the shop’s other number was removed', () => {
  let missing: BookedText;
  beforeEach(async () => {
    const forgedFor = await shop.charge({ amount: 450 });
    reference = await shop.charge({ amount: 450 });
    early = mtn({ reference: forgedFor, amount: '450.00', id: book.nextId() });
    await second.pay(early);
    missing = book.spent(5);
    book.pesewas += 450_00;
    real = book.receipt(450, { reference, id: early.id, balance: book.pesewas });
    await shop.arrive(real);
    world.clock.nowMs += 3 * MINUTE_MS;
    await world.work('settle-receipt', [{ receipt_id: shop.paymentId(real) }]);
    owner = await shop.signIn('owner');
    expect(await shop.receipt(real)).toMatchObject({ state: 'held', reason: 'conflict' });
    const form = { receipt: second.paymentId(early) };
    expect((await owner.visit(`/dashboard/charges/${forgedFor}/not-there`, { form })).status).toBe(303);
    await world.followPayments();
  });

  test('leaves an unverified payment with the same id to a person', async () => {
    expect(await shop.receipt(real)).toMatchObject({ state: 'held', reason: 'conflict' });
  });

  test('leaves the payment with the same id to the bill that it names, once it is verified', async () => {
    await shop.arrive(missing);
    world.clock.nowMs += 3 * MINUTE_MS;
    await world.followPayments();
    await world.work('settle-receipt', [{ receipt_id: shop.paymentId(real) }]);
    expect(await shop.verified(reference)).toMatchObject({ status: 'success', proof: { state: 'proven' } });
  });
});

test('a bill’s payment is replaced when a different payment with the same id is verified', async () => {
  reference = await shop.charge({ amount: 450 });
  const before = book.paid(7);
  real = book.paid(450, { reference });
  early = mtn({ reference, amount: '450.00', id: real.id });
  expect(await shop.pay(real)).toMatchObject({ reason: 'checking' });
  await second.pay(early);
  await shop.arrive(before);
  world.clock.nowMs += 3 * MINUTE_MS;
  await world.settle({ receipt_id: shop.paymentId(real) });
  await expectPaidOnce();
});

test('a part payment of a paid bill is replaced by the verified payment with the same id', async () => {
  reference = await shop.charge({ amount: 450 });
  real = book.paid(100, { reference });
  early = mtn({ reference, amount: '100.00', id: real.id });
  await second.pay(early);
  await second.pay(mtn({ reference, amount: '350.00' }));
  await shop.pay(real);
  const paid = { status: 'success', amount_paid: 450, parts: [{ amount: 100, proof: { state: 'proven' } }] };
  expect(await shop.verified(reference)).toMatchObject(paid);
  expect(await second.receipt(early)).toMatchObject({ state: 'held', reason: 'conflict' });
  await expectNothingToSendBack();
});

test('a payment for a payment request is not listed for return if it replaces one with the same id', async () => {
  const slug = await shop.request({ title: 'Fees', lines: [{ description: 'Tuition', amount: 450 }] });
  reference = await world.openPart(slug, '450');
  real = book.paid(450, { reference });
  early = mtn({ reference: 'MK-1111111111', amount: '450.00', id: real.id });
  await second.pay(early);
  await give(second, early);
  await shop.pay(real);
  await expectPaidOnce();
  expectWords((await world.call('r/page', { parameters: { slug } })).text, [], ['end it back']);
});

describe('a bill with an unverified part payment to the shop’s other number', () => {
  beforeEach(async () => {
    reference = await shop.charge({ amount: 300 });
    real = book.paid(200, { reference: 'MK-1111111111' });
    early = mtn({ reference, amount: '100.00', id: real.id });
    await second.pay(early);
    expect(await shop.pay(real)).toMatchObject({ state: 'held', reason: 'reference_unclear' });
  });

  test('stays partly paid after a payment with the same id is assigned, as the form states', async () => {
    const { status, page } = await give(shop, real, { counts_as: 'part' });
    expectWords(page, ['Part payment: GHS\u00a0100.00 is still due']);
    expect(status).toBe(303);
    expect(await shop.verified(reference)).toMatchObject({ status: 'pending', amount_paid: 200 });
    expect(await second.receipt(early)).toMatchObject({ state: 'held', reason: 'conflict' });
    await shop.pay(book.paid(100, { reference }));
    expect(await shop.verified(reference)).toMatchObject({ status: 'success', proof: { state: 'proven' } });
  });

  test('is paid by an assigned payment with the same id if the person accepts it as enough', async () => {
    expect(await give(shop, real, { counts_as: 'full' })).toMatchObject({ status: 303 });
    const paid = { status: 'success', amount_paid: 200, parts: [], second_payments: [] };
    expect(await shop.verified(reference)).toMatchObject(paid);
    expect(await second.receipt(early)).toMatchObject({ state: 'held', reason: 'conflict' });
  });

  test.each([true, false])(
    'counts a payment with the same id that an API key assigns (as_part %s)',
    async (as_part) => {
      expect((await shop.assign(real, reference, { body: { reference, as_part } })).status).toBe(200);
      const status = as_part ? 'pending' : 'success';
      expect(await shop.verified(reference)).toMatchObject({ status, amount_paid: 200 });
    },
  );
});

describe('a verified payment with the same id as the forged part payment of a bill', () => {
  const open = { status: 'pending', amount_paid: 299, proof: { state: 'unproven' } };

  beforeEach(async () => {
    reference = await shop.charge({ amount: 300, customer_name: 'Kofi Mensah' });
    real = book.paid(1, { reference: '1' });
    early = mtn({ reference, amount: '299.00', id: real.id });
    await second.pay(early);
    expect(await shop.verified(reference)).toMatchObject(open);
  });

  test('does not pay the bill by the customer’s name with what the part left to pay', async () => {
    expect(await shop.pay(real)).toMatchObject({ state: 'held', proof: { state: 'proven' } });
    expect(await shop.verified(reference)).toMatchObject(open);
  });

  test('does not pay the bill by a claim with what the part left to pay', async () => {
    await shop.pay(real);
    expect(await world.claim(reference, real.id)).toEqual({ outcome: 'unknown' });
    expect(await shop.verified(reference)).toMatchObject(open);
  });
});

test('a part payment that a person assigned is replaced by a verified one with the same id', async () => {
  reference = await shop.charge({ amount: 300 });
  real = book.paid(200, { reference });
  early = mtn({ reference: 'MK-1111111111', amount: '100.00', id: real.id });
  await second.pay(early);
  await give(second, early, { counts_as: 'part' });
  expect(await shop.pay(real)).toMatchObject({ state: 'matched' });
  expect(await shop.verified(reference)).toMatchObject({ status: 'pending', amount_paid: 200 });
});

describe('a payment request’s bill that closes as paid with an unverified part payment', () => {
  beforeEach(async () => {
    const slug = await shop.request({ title: 'Fees', lines: [{ description: 'Tuition', amount: 850 }] });
    reference = await world.openPart(slug, '850');
  });

  async function close(expected: object) {
    const charge = await world.chargeRow(reference);
    world.clock.nowMs = Date.parse(charge.expires_at) + 10 * MINUTE_MS;
    await endCharge(world.outside, expiryOf(charge));
    expect(await shop.verified(reference)).toMatchObject({ status: 'success', ...expected });
    owner = await world.signInAgain(owner.user);
  }

  test.each([
    ['the last payment', () => [book.paid(50, { reference })], []],
    ['an earlier payment', () => [], [40]],
  ])('counts a verified payment that has the same id as %s', async (_, first, later) => {
    for (const text of first()) await shop.pay(text);
    real = book.paid(120, { reference });
    early = mtn({ reference, amount: '100.00', id: real.id });
    await second.pay(early);
    for (const amount of later) await second.pay(mtn({ reference, amount: `${amount}.00` }));
    const others = first().length * 50 + later.reduce((sum, one) => sum + one, 0);
    await close({ amount: others + 100 });
    await shop.pay(real);
    expect(await shop.verified(reference)).toMatchObject({ amount: others + 120, amount_paid: others + 120 });
    expect(await shop.receipt(real)).toMatchObject({ state: 'matched' });
    expect(await second.receipt(early)).toMatchObject({ state: 'held', reason: 'conflict' });
  });

  test('leaves a smaller verified payment held if a refund was recorded', async () => {
    real = book.paid(40, { reference });
    early = mtn({ reference, amount: '100.00', id: real.id });
    await second.pay(early);
    await close({ amount: 100 });
    await shop.call('transaction/refund', { parameters: { reference }, body: {} });
    await shop.pay(real);
    await expectHeldOnly();
    expect((await shop.verified(reference)).refunds).toMatchObject([{ amount: 100, proof: { state: 'unproven' } }]);
  });

  test('refuses a smaller assigned payment if more than its amount was refunded', async () => {
    real = book.paid(40, { reference: 'MK-1111111111' });
    early = mtn({ reference, amount: '100.00', id: real.id });
    await second.pay(early);
    await close({ amount: 100 });
    const refund = (amount: number) => shop.call('transaction/refund', { parameters: { reference }, body: { amount } });
    await refund(41);
    await shop.pay(real);
    expectFailure(
      await shop.assign(real, reference, { body: { reference, as_part: true } }),
      409,
      'charge_not_pending',
    );
    expect(await shop.verified(reference)).toMatchObject({ amount: 100, refunds: [{ amount: 41 }] });
  });

  test('counts a smaller assigned payment that covers what was refunded', async () => {
    real = book.paid(40, { reference: 'MK-1111111111' });
    early = mtn({ reference, amount: '100.00', id: real.id });
    await second.pay(early);
    await close({ amount: 100 });
    await shop.call('transaction/refund', { parameters: { reference }, body: { amount: 40 } });
    await shop.pay(real);
    expect(await shop.assign(real, reference, { body: { reference, as_part: true } })).toMatchObject({ status: 200 });
    expect(await shop.verified(reference)).toMatchObject({ amount: 40, refunds: [{ amount: 40 }] });
  });

  test('counts an assigned payment that has the same id as the part payment', async () => {
    real = book.paid(120, { reference: 'MK-1111111111' });
    early = mtn({ reference, amount: '100.00', id: real.id });
    await second.pay(early);
    await close({ amount: 100 });
    await shop.pay(real);
    expect(await give(shop, real)).toMatchObject({ status: 303 });
    expect(await shop.verified(reference)).toMatchObject({ amount: 120, amount_paid: 120 });
  });
});

describe('a verified payment with the same id as an unverified text to the shop’s other number', () => {
  test('is not a second payment for the paid bill that it references', async () => {
    reference = await shop.charge({ amount: 90 });
    await shop.pay(book.paid(90, { reference }));
    const named = reference;
    real = book.paid(90, { reference });
    early = mtn({ reference: 'MK-1111111111', amount: '90.00', id: real.id });
    await second.pay(early);
    reference = await shop.charge({ amount: 90 });
    expect(await give(second, early)).toMatchObject({ status: 303 });
    reference = named;
    expect(await shop.pay(real)).toMatchObject({ state: 'held', reason: 'conflict', suggested_reference: named });
    await expectNothingToSendBack();
  });

  test('need not be sent back even if the bill that it references was cancelled', async () => {
    reference = await shop.charge({ amount: 90 });
    await shop.call('transaction/cancel', { parameters: { reference } });
    real = book.paid(90, { reference });
    await second.pay(mtn({ reference: await shop.charge({ amount: 90 }), amount: '90.00', id: real.id }));
    expect(await shop.pay(real)).toMatchObject({ state: 'held', reason: 'conflict', suggested_reference: reference });
    await expectNothingToSendBack();
  });

  const billOf = async (ended: string) => {
    const bill = await shop.charge({ amount: 90 });
    if (ended === 'paid') await shop.pay(book.paid(90, { reference: bill }));
    else await shop.call('transaction/cancel', { parameters: { reference: bill } });
    world.clock.nowMs += 1_000;
    return bill;
  };

  test.each(['paid', 'cancelled'])('need not be sent back if both texts settle at once (%s bill)', async (ended) => {
    const named = await billOf(ended);
    reference = await shop.charge({ amount: 90 });
    real = book.paid(90, { reference: named });
    early = mtn({ reference, amount: '90.00', id: real.id });
    const jobs = [await post(world, { ...real, recipient: shop.number })];
    jobs.push(await post(world, { ...early, recipient: second.number }));
    await settleAtOnce(world, jobs);
    await world.followPayments();
    expect(await shop.receipt(real)).toMatchObject({ state: 'held', reason: 'conflict', proof: { state: 'proven' } });
  });

  test.each(['paid', 'cancelled'])('need not be sent back if it is verified late (%s bill)', async (ended) => {
    const named = await billOf(ended);
    reference = await shop.charge({ amount: 90 });
    const missing = book.paid(12);
    real = book.paid(90, { reference: named });
    early = mtn({ reference, amount: '90.00', id: real.id });
    await shop.pay(real);
    await second.pay(early);
    await shop.pay(missing);
    await world.settle({ receipt_id: shop.paymentId(real) });
    expect(await shop.receipt(real)).toMatchObject({ state: 'held', reason: 'conflict', proof: { state: 'proven' } });
  });

  test('prevents the unverified text from being assigned or released', async () => {
    reference = await shop.charge({ amount: 90 });
    await shop.pay(book.paid(90, { reference }));
    real = book.paid(90, { reference });
    expect(await shop.pay(real)).toMatchObject({ reason: 'already_paid' });
    early = mtn({ reference: 'MK-1111111111', amount: '90.00', id: real.id });
    await second.pay(early);
    reference = await shop.charge({ amount: 90 });
    expect(await give(second, early)).toMatchObject({ status: 409 });
    const release = `/dashboard/held/${second.paymentId(early)}/release`;
    expect((await owner.visit(release, { form: { shown: 'unverified' } })).status).toBe(409);
    const { status, json } = await shop.assign(early, reference, { parameters: { id: second.paymentId(early) } });
    expect([status, json.code]).toEqual([409, 'receipt_not_held']);
    expect((await shop.verified(reference)).status).toBe('pending');
    expect((await shop.assign(real, reference)).status).toBe(200);
  });

  test('prevents the release of the code for the bill that the text paid', async () => {
    const { json } = await shop.call('link/create', { body: { title: 'Router', amount: 450, codes: ['C-1', 'C-2'] } });
    const named = (await world.openLink(json.data.slug)).reference;
    await shop.pay(book.paid(450, { reference: named }));
    real = book.paid(450, { reference: named });
    reference = (await world.openLink(json.data.slug)).reference;
    await second.pay(mtn({ reference, amount: '450.00', id: real.id }));
    await shop.pay(real);
    await world.tell(8);
    const release = `/dashboard/charges/${reference}/release`;
    expect((await owner.visit(release, { form: { shown: 'unverified' } })).status).toBe(409);
    expect((await world.chargeRow(reference)).goods).toMatchObject({ state: 'to_release' });
  });

  test('prevents the unverified text from paying a bill', async () => {
    reference = await shop.charge({ amount: 90 });
    await shop.pay(book.paid(90, { reference }));
    real = book.paid(90, { reference });
    expect(await shop.pay(real)).toMatchObject({ reason: 'already_paid' });
    const other = await shop.charge({ amount: 90 });
    early = mtn({ reference: other, amount: '90.00', id: real.id });
    expect(await second.pay(early)).toMatchObject({ state: 'held', reason: 'conflict', suggested_reference: other });
    expect((await shop.verified(other)).status).toBe('pending');
    expect((await shop.assign(real, other)).status).toBe(200);
    expect(await shop.verified(other)).toMatchObject({ status: 'success', proof: { state: 'proven' } });
  });

  test('prevents the unverified text from being claimed', async () => {
    const shown = [second.number, shop.number].map((number) => ({
      number,
      network: 'MTN' as const,
      account_name: 'AMA',
    }));
    await shop.change({ momo_accounts: shown });
    world.clock.nowMs += 2 * MINUTE_MS;
    real = book.paid(90);
    await shop.pay(real);
    early = mtn({ amount: '90.00', id: real.id });
    await second.pay(early);
    reference = await shop.charge({ amount: 90 });
    await world.claim(reference, real.id);
    expect(await second.receipt(early)).toMatchObject({ state: 'held' });
    expect((await shop.verified(reference)).status).toBe('pending');
  });

  test('prevents a part payment with the same id from counting again after its bill has ended', async () => {
    reference = await shop.charge({ amount: 100 });
    real = book.paid(50);
    await second.pay(mtn({ reference, amount: '50.00', id: real.id }));
    await shop.call('transaction/cancel', { parameters: { reference } });
    await shop.pay(real);
    const last = mtn({ reference: 'x', amount: '100.00' });
    await second.pay(last);
    expect(await give(second, last)).toMatchObject({ status: 303 });
    expect(await shop.verified(reference)).toMatchObject({ status: 'success', amount_paid: 100, parts: [] });
  });
});

test('a bill is reversed if the payment that replaced a part payment is reversed', async () => {
  const { json } = await shop.call('link/create', { body: { title: 'Router', amount: 100, codes: ['C-1', 'C-2'] } });
  reference = (await world.openLink(json.data.slug)).reference;
  real = book.paid(60, { reference });
  await second.pay(mtn({ reference, amount: '60.00', id: real.id }));
  world.clock.nowMs += 3 * MINUTE_MS;
  const last = book.paid(30, { reference: 'x' });
  await shop.pay(last);
  expect(await give(shop, last)).toMatchObject({ status: 303 });
  world.clock.nowMs += MINUTE_MS;
  await shop.pay(real);
  await world.tell(8);
  world.clock.nowMs += MINUTE_MS;
  await shop.arrive(book.reversed(real, 60));
  expect((await shop.verified(reference)).status).toBe('reversed');
});

describe('a bill marked as paid with the id of a payment whose reversal is in doubt', () => {
  const doubt = (id: string) => ({
    sender: 'MobileMoney',
    text: `We have reversed the transaction ${id} of GHS 450.00.`,
  });

  async function mark(bill: string, transaction_id: string, { number } = second) {
    const form = {
      how: 'transfer',
      amount: '77',
      payer: 'Ama Sample',
      transaction_id,
      number,
      enough: 'on',
    };
    expect((await owner.visit(`/dashboard/charges/${bill}/mark`, { form })).status).toBe(303);
  }

  test('does not prevent the payment’s text from being stored after the mark is removed', async () => {
    const bill = await shop.charge({ amount: 77 });
    reference = await shop.charge({ amount: 450 });
    real = book.paid(450, { reference });
    await mark(bill, real.id);
    await second.pay({ ...real });
    await shop.arrive(doubt(real.id));
    await owner.visit(`/dashboard/charges/${bill}/unmark`, { form: {} });
    const stored = await shop.pay(real);
    expect(stored).toMatchObject({ state: 'held', amount_pesewas: 45000 });
    expect(stored).not.toHaveProperty('marked');
  });

  test.each([
    ['this number', () => shop],
    ['the other number', () => second],
  ])('does not clear the doubt about a payment for a different bill (marked at %s)', async (_, at) => {
    reference = await shop.charge({ amount: 450 });
    real = book.paid(450, { reference });
    await mark(await shop.charge({ amount: 77 }), real.id, at());
    await shop.arrive(doubt(real.id));
    await shop.arrive(real);
    expect((await shop.verified(reference)).status).toBe('pending');
    const held = (await shop.receipts()).find((one) => one.text === real.text);
    expect(held).toMatchObject({ reason: 'conflict', reversal_doubt_at: expect.any(String) });
  });

  test('does not clear the doubt about the payment when the mark is removed', async () => {
    const bill = await shop.charge({ amount: 77 });
    real = book.paid(450, { reference: 'x' });
    await mark(bill, real.id);
    await shop.arrive(doubt(real.id));
    await shop.pay(real);
    await owner.visit(`/dashboard/charges/${bill}/unmark`, { form: {} });
    expect(await shop.receipt(real)).toMatchObject({ state: 'held', amount_pesewas: 45000 });
    expect(await shop.receipt(real)).toHaveProperty('reversal_doubt_at');
  });
});

test('a payment on a shared number belongs to the shop whose bill it names, despite a forged text', async () => {
  const other = await world.createShop({ number: shop.number });
  reference = await other.charge({ amount: 36 });
  real = book.paid(36, { reference });
  await shop.arrive(book.receipt(36, { id: real.id, reference: await shop.charge({ amount: 36 }), balance: 777_77 }));
  await other.arrive(real);
  expect(await other.listed('held')).toMatchObject([{ transaction_id: real.id }]);
  expect(await shop.listed('held')).not.toContainEqual(expect.objectContaining({ payer_reference: reference }));
});
