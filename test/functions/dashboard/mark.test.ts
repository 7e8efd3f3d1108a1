import { beforeEach, describe, expect, test } from 'vitest';
import { wholeNumber } from '../../../shared/ghana/shown-number.ts';
import { expiryOf } from '../../../shared/money/charge/expiry.table.ts';
import { receiptRows } from '../../../shared/money/receipt/receipt.table.ts';
import { endCharge } from '../../../shared/money/settling/end-charge.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/runtime/values/calendar.ts';
import { expectAnswer, expectWords } from '../../support/answers.ts';
import { valuesOf } from '../../support/page-words.ts';
import { mtn, newNumber, placeNumber, reversal } from '../../support/receipts.ts';
import { type Person, type Scene, type Shop, scene } from '../../support/scene.ts';
import { verifyMoney } from '../../support/verified.ts';
import { type BookedText, provenBook, type WalletBook } from '../../support/wallet-book.ts';
import { formsOf } from '../checkout/charges.ts';

// Owners and managers can mark a bill as paid without a receipt.

const LOOK_FIRST = 'Check your MoMo balance first.';
const ID = '51000770077';

let world: Scene;
let shop: Shop;
let manager: Person;
let reference: string;

beforeEach(async () => {
  world = await scene({ inMemory: true });
  world.goToNoon();
  shop = await world.createShop();
  manager = await shop.signIn('manager');
  reference = await shop.charge({ amount: 77 });
});

const TRANSFER = { how: 'transfer', amount: '77', payer: 'Ama Sample', transaction_id: ID };
const ONE_LINE = { title: 'School fees', lines: [{ description: 'Tuition', amount: 77 }] };
const CASH = { how: 'cash', amount: '77' };
const wait = async (ms: number) => {
  world.clock.nowMs += ms;
};
const page = (of = reference) => `/dashboard/charges/${of}/mark`;
const mark = (said: Record<string, string>, of = reference, by = manager) => by.visit(page(of), { form: said });
const undo = (of = reference) => manager.visit(`/dashboard/charges/${of}/unmark`, { form: {} });
const verified = (of = reference) => shop.verified(of);
const rowOf = (id = ID) => receiptRows.find(world.outside, { receipt_id: shop.paymentId(mtn({ id })) });
const textOf = (more: Parameters<typeof mtn>[0] = {}) => mtn({ amount: '77.00', from: 'AMA SAMPLE', id: ID, ...more });

async function eventsOf(type: string) {
  await world.followChanges();
  const { json } = await world.call('webhook/list-events', { key: shop.liveKey });
  return json.data.events.filter((event: { type: string }) => event.type === type);
}

async function addNumber(): Promise<Shop> {
  const number = newNumber();
  await placeNumber(world.outside, number);
  const momo_accounts = [shop.number, number].map((one) => ({
    number: one,
    network: 'MTN' as const,
    account_name: 'A',
  }));
  await shop.change({ momo_accounts });
  // The dashboard caches the shop for a minute.
  world.clock.nowMs += 2 * 60_000;
  return { ...shop, number };
}

describe('the form to mark a bill as paid', () => {
  test.each([
    ['transfer', 'how=transfer', [LOOK_FIRST, 'Transaction ID', 'will stay unverified']],
    ['cash', 'how=cash', ['Count the cash first', 'will stay unverified']],
  ])('warns that a payment by %s stays unverified', async (_, query, words) => {
    const { text } = await manager.visit(page(), { query: Object.fromEntries(new URLSearchParams(query)) });
    expectWords(text, words);
  });

  test('is not found for a text with an id that is too long', async () => {
    expect((await mark({ ...TRANSFER, how: 'text', text: 'x'.repeat(3_000) })).status).toBe(404);
  });

  test('requires a recent passkey sign-in', async () => {
    world.clock.nowMs += 6 * 60_000;
    const { status, headers } = await mark(CASH);
    expect({ status, location: headers.location }).toEqual({
      status: 303,
      location: expect.stringContaining('sign-in/confirm'),
    });
    expect(await verified()).toMatchObject({ status: 'pending' });
  });

  test.each(['cashier', 'viewer', 'developer'] as const)('is not available to a %s', async (role) => {
    const by = await shop.signIn(role);
    expect((await by.visit(page())).status).toBe(403);
    expect((await mark(CASH, reference, by)).status).toBe(403);
    expect((await by.visit(`/dashboard/charges/${reference}`)).text).not.toContain('Paid in cash');
  });

  test.each([
    ['an invalid transaction id', { transaction_id: '12' }, 'transaction ID shown in your wallet'],
    ['an id with a leading zero', { transaction_id: `0${ID}` }, 'transaction ID shown in your wallet'],
    ['a phone number instead of an id', { transaction_id: '233241234567' }, 'transaction ID shown in your wallet'],
    ['an empty name', { payer: '' }, 'name shown in your wallet'],
    ['a name without letters', { payer: '.' }, 'name shown in your wallet'],
    ['a title without a name', { payer: 'Mr' }, 'name shown in your wallet'],
    ['an unknown MoMo number', { number: '+233209999999' }, 'one of your MoMo numbers'],
  ])('rejects %s', async (_, wrong, words) => {
    expectAnswer(await mark({ ...TRANSFER, ...wrong }), 400, words);
    expect(await verified()).toMatchObject({ status: 'pending' });
  });
});

test('an outdated form undoes no later mark', async () => {
  await mark(TRANSFER);
  const { text } = await manager.visit(`/dashboard/charges/${reference}`);
  const [, receipt = ''] = /unmark".*?name="receipt" value="([^"]*)"/s.exec(text) ?? [];
  await undo();
  await mark(CASH);
  const outdated = await manager.visit(`/dashboard/charges/${reference}/unmark`, { form: { receipt } });
  expectAnswer(outdated, 409, 'marked as paid in another way since');
  expect(await verified()).toMatchObject({ status: 'success', payment: { marked: { how: 'cash' } } });
});

test('a bill can be marked as paid after too many wrong claims of its payment and for it', async () => {
  const { send } = formsOf(world, 'checkout/claim');
  const body = { transaction_id: '51000770099', name: TRANSFER.payer };
  const claim = async (of: string, sourceIp: string) => {
    const { access_code } = await world.chargeRow(of);
    return (await send({ access_code }, { headers: { accept: 'application/json' }, body, sourceIp })).status;
  };
  for (let n = 0; n < 3; n++) {
    const others = [await shop.charge({ amount: 77 }), await shop.charge({ amount: 77 })];
    for (const other of others) for (let tries = 0; tries < 5; tries++) await claim(other, `192.0.2.${n}`);
  }
  for (let tries = 0; tries < 5; tries++) await claim(reference, '192.0.2.9');
  expect(await claim(reference, '192.0.2.9')).toBe(429);
  expect((await mark(TRANSFER)).status).toBe(303);
  const { text } = await manager.visit(`/dashboard/records/case/${reference}`);
  expect(text).toContain('The customer tried 5 times');
});

describe('a bill marked as paid', () => {
  test('is unverified in the API and in its event', async () => {
    await shop.setWebhook();
    expect((await mark(TRANSFER)).status).toBe(303);
    const payment = {
      matched_by: 'hand',
      transaction_id: ID,
      payer_name: 'Ama Sample',
      proof: { state: 'unproven', why: null },
      marked: { how: 'transfer', at: world.iso() },
    };
    const paid = { status: 'success', amount_paid: 77, proof: { state: 'unproven' }, payment };
    expect(await verified()).toMatchObject(paid);
    expect(await eventsOf('charge.success')).toMatchObject([{ body: { data: paid } }]);
    const [entry] = await shop.audit(/charge mark/);
    const after = { how: 'transfer', amount_pesewas: 77_00, receipt: shop.paymentId(textOf()) };
    expect(entry).toMatchObject({ by: manager.user.user_id, about: reference, after });
  });

  test('has a generated transaction id if paid in cash', async () => {
    await mark(CASH);
    const { payment } = await verified();
    expect(payment).toMatchObject({ transaction_id: expect.stringMatching(/^CASH\d{12}$/), marked: { how: 'cash' } });
    expect(payment.reversible_until).toBe(payment.received_at);
    expect((await manager.visit(`/dashboard/charges/${reference}`)).text).toContain('Marked as paid in cash');
  });

  test('stays unverified after its goods are released', async () => {
    await mark(CASH);
    expect(
      (await manager.visit(`/dashboard/charges/${reference}/release`, { form: { shown: 'unverified' } })).status,
    ).toBe(303);
    expect(await verified()).toMatchObject({ proof: { state: 'unproven' } });
    expectWords((await manager.visit(`/dashboard/charges/${reference}`)).text, ['Not verified'], ['Release the goods']);
  });

  test('stays unverified if a text arrives after the release', async () => {
    await mark(TRANSFER);
    await manager.visit(`/dashboard/charges/${reference}/release`, { form: { shown: 'unverified' } });
    await shop.pay(textOf());
    expect(await verified()).toMatchObject({ proof: { state: 'unproven' }, payment: { marked: null } });
  });

  test.each([
    ['transfer', TRANSFER, 'Ama \u202eelpmaS', 'Ama elpmaS'],
    ['cash', CASH, '\u2067Ama\u2069  Sample', 'Ama Sample'],
    ['cash with no printable name', CASH, '\u202e', null],
  ])('has no control characters in the payer’s name: %s', async (_, said, payer, shown) => {
    expect((await mark({ ...said, payer })).status).toBe(303);
    expect(await verified()).toMatchObject({ payment: { payer_name: shown } });
  });

  test('stores full-width digits of the transaction id as ASCII', async () => {
    await mark({ ...TRANSFER, transaction_id: '５１０００７７００７７' });
    expect(await verified()).toMatchObject({ payment: { transaction_id: ID } });
  });

  test('stays pending until the rest is paid if only part of the amount is marked', async () => {
    await mark({ ...CASH, amount: '50' });
    expect(await verified()).toMatchObject({
      status: 'pending',
      amount_paid: 50,
      parts: [{ marked: { how: 'cash' } }],
    });
    await mark({ ...CASH, amount: '20', enough: 'on' });
    expect(await verified()).toMatchObject({ status: 'success', amount_paid: 70 });
  });

  test('holds a later payment as already_paid', async () => {
    await mark(CASH);
    await shop.pay(textOf({ reference }));
    expect(await verified()).toMatchObject({ status: 'success', second_payments: [{ amount: 77 }] });
    expect(await rowOf()).toMatchObject({ state: 'held', reason: 'already_paid' });
  });

  test('shows advice to count the cash', async () => {
    const slug = await shop.request(ONE_LINE);
    const of = await world.openPart(slug, '77');
    await mark({ ...CASH, amount: '30' }, of);
    const asksToCount = async (path: string) =>
      expectWords((await manager.visit(path)).text, ['Count the cash first.'], ['Check your MoMo balance']);
    await asksToCount(`/dashboard/charges/${of}`);
    const rest = mtn({ reference: of, amount: '47.00' });
    await shop.pay(rest);
    await shop.arrive(reversal(rest.id, '47.00'));
    const cash = (await shop.listed('held')).find(({ reason }) => reason === 'charge_reversed');
    await asksToCount(`/dashboard/requests/${slug}`);
    await asksToCount(`/dashboard/held/${cash?.id}`);
    expect((await manager.visit('/dashboard/held')).text).toContain('<b>Count the cash first.</b>');
  });

  test('accepts no part payment after it expires', async () => {
    const of = await shop.charge({ amount: 77, expires_in: 3600 });
    world.clock.nowMs += 2 * HOUR_MS;
    manager = await shop.signIn('manager');
    expect((await manager.visit(page(of), { query: { how: 'cash' } })).text).toContain(
      'Accept less than the amount due',
    );
    const short = await mark({ ...CASH, amount: '50' }, of);
    expectAnswer(short, 400, 'Tick that you accept less');
    expect(short.text).not.toContain('as_part');
    expect((await mark({ ...CASH, amount: '50', enough: 'on' }, of)).status).toBe(303);
    expect(await verified(of)).toMatchObject({ status: 'success', amount_paid: 50 });
  });

  test('has a transaction id with the prefix TEST in test mode', async () => {
    const testKey = await shop.addKey('live', { mode: 'test' });
    const { json } = await world.call('transaction/initialize', { key: testKey, body: { amount: 77 } });
    await manager.visit('/dashboard/sign-in/test-mode', { form: { mode: 'test' } });
    const account = json.data.momo_number;
    await mark({ ...TRANSFER, number: account }, json.data.reference);
    const found = await world.call('transaction/verify', {
      key: testKey,
      parameters: { reference: json.data.reference },
    });
    expect(found.json.data).toMatchObject({ status: 'success', payment: { transaction_id: `TEST${ID}` } });
  });

  test('releases its code only up to the limit for unverified payments', async () => {
    for (const [amount, state] of [
      [30, 'given'],
      [900, 'to_release'],
    ] as const) {
      const { json } = await shop.call('link/create', { body: { title: 'Router', amount, codes: ['CODE-1'] } });
      const { reference: of } = await world.openLink(json.data.slug);
      await mark({ how: 'cash', amount: String(amount) }, of);
      await world.tell(8);
      expect((await world.chargeRow(of)).goods?.state).toBe(state);
    }
  });
});

describe('a bill marked with a transaction id', () => {
  test.each([
    [
      'another bill’s payment',
      async () => shop.pay(textOf({ reference: await shop.charge({ amount: 77 }) })),
      'already known',
    ],
    ['a held payment', async () => shop.pay(textOf()), 'Payments to check'],
    ['a reversed payment', async () => shop.arrive(reversal(ID, '77.00')), 'already known'],
    ['a bill that was marked earlier', async () => mark(TRANSFER, await shop.charge({ amount: 77 })), 'already known'],
  ])('stays pending if the id belongs to %s', async (_, before, words) => {
    await before();
    expectAnswer(await mark(TRANSFER), 400, words);
    expect(await verified()).toMatchObject({ status: 'pending' });
  });

  describe('with an id about which only a doubtful reversal has arrived', () => {
    beforeEach(async () => {
      await shop.arrive({ sender: 'MobileMoney', text: `Transaction ${ID} of GHS 77.00 will be reversed.` });
      const [held] = await shop.listed('held');
      expect(held).toMatchObject({ reason: 'conflict', amount: null, transaction_id: ID });
      const paths = ['', `/${String(held?.id)}`].map((path) => `/dashboard/held${path}`);
      for (const path of paths) expect((await manager.visit(path)).status).toBe(200);
    });

    test('is paid, and the reversal stays in doubt', async () => {
      expect((await mark(TRANSFER)).status).toBe(303);
      expect(await verified()).toMatchObject({ status: 'success', proof: { state: 'unproven' } });
      expect(await rowOf()).toMatchObject({ state: 'matched', reversal_doubt_at: expect.any(String) });
      expect(await shop.listed('held')).toEqual([]);
    });

    test('is shown in doubt and holds its code until a person finds the money', async () => {
      await shop.change({ confirm_unproven_up_to_pesewas: 77_00 });
      const { json } = await shop.call('link/create', { body: { title: 'Router', amount: 77, codes: ['CODE-1'] } });
      const { reference: sold } = await world.openLink(json.data.slug);
      const codeOf = async () => Object(await world.chargeRow(sold)).goods.state;
      await mark(TRANSFER, sold);
      await world.tell(3);
      expect(await verified(sold)).toMatchObject({ status: 'success', disputed: { why: 'reversal' } });
      const { text } = await manager.visit(`/dashboard/charges/${sold}`);
      expectWords(text, ['In doubt', 'suggests that the network reversed this payment', 'The money is there']);
      expect(await codeOf()).toBe('to_release');
      const [, payments = ''] = /name="payments" value="([^"]*)"/.exec(text) ?? [];
      const form = { shown: 'contradicted', payments };
      expect((await manager.visit(`/dashboard/charges/${sold}/there`, { form })).status).toBe(303);
      await world.tell(3);
      expect(await codeOf()).toBe('given');
    });

    test('puts the bill in doubt that is marked with it after another mark was undone', async () => {
      await mark(TRANSFER);
      await undo();
      const other = await shop.charge({ amount: 77 });
      expect((await mark(TRANSFER, other)).status).toBe(303);
      expect((await manager.visit(`/dashboard/charges/${other}`)).text).toContain('In doubt');
    });

    test('is in doubt again after the mark is undone', async () => {
      await mark(TRANSFER);
      expect((await undo()).status).toBe(303);
      expect(await verified()).toMatchObject({ status: 'pending' });
      expect(await rowOf()).toMatchObject({ state: 'held', reversal_doubt_at: expect.any(String) });
    });

    test('stays in doubt if a smaller amount was typed', async () => {
      await mark({ ...TRANSFER, amount: '50' });
      expect(await verified()).toMatchObject({ status: 'pending', disputed: { why: 'reversal' } });
    });

    test('is not verified by the payment’s text', async () => {
      await mark(TRANSFER);
      await shop.pay(textOf({ reference }));
      await verifyMoney(world);
      expect(await verified()).toMatchObject({ disputed: { why: 'reversal' } });
      expect(await verified()).toMatchObject({ status: 'success', proof: { state: 'unproven' } });
    });
  });

  test('is paid only once if the payment’s text arrives later', async () => {
    await mark(TRANSFER);
    await shop.pay(textOf({ reference }));
    expect(await rowOf()).toMatchObject({ state: 'matched', reference, sender: 'MobileMoney' });
    expect(await verified()).toMatchObject({ status: 'success', payment: { marked: null, payer_name: 'AMA SAMPLE' } });
    expect(await shop.listed('held')).toEqual([]);
  });

  test('is disputed by a text with a different amount or payer', async () => {
    for (const differs of [{ amount: '76.00' }, { from: 'KOJO ANTWI' }]) {
      const of = await shop.charge({ amount: 77 });
      const id = mtn().id;
      await mark({ ...TRANSFER, transaction_id: id }, of);
      await shop.pay(textOf({ id, ...differs }));
      expect(await verified(of)).toMatchObject({ status: 'success', disputed: { why: 'conflict' } });
    }
    expect((await shop.listed('held')).map(({ reason }) => reason)).toEqual(['conflict', 'conflict']);
  });

  test('is paid although a forged text used the id, once a person has removed that text', async () => {
    await shop.pay(textOf({ amount: '5.00', from: 'EVE FORGER', reference: 'x' }));
    expectAnswer(await mark(TRANSFER), 400, 'belongs to a payment that has arrived');
    await manager.visit(`/dashboard/held/${shop.paymentId(mtn({ id: ID }))}/set-aside`, {
      form: { why: 'The money is not in the wallet.' },
    });
    expect((await mark(TRANSFER)).status).toBe(303);
    expect(await verified()).toMatchObject({
      status: 'success',
      disputed: null,
      payment: { payer_name: 'Ama Sample' },
    });
    await shop.pay(textOf({ reference }));
    expect(await verified()).toMatchObject({ status: 'success', disputed: null, payment: { marked: null } });
  });

  test('can be undone after a day while it is in doubt, so that its own text pays it', async () => {
    const book = await provenBook(world, shop, 6);
    const paid = book.paid(77, { from: 'AMA SAMPLE', reference });
    manager = await shop.signIn('manager');
    expect((await mark({ ...TRANSFER, payer: 'Ama Simple', transaction_id: paid.id })).status).toBe(303);
    await wait(DAY_MS + HOUR_MS);
    manager = await shop.signIn('manager');
    expectAnswer(await undo(), 409, 'a day has passed');
    await shop.arrive(paid);
    expect(await verified()).toMatchObject({ status: 'success', disputed: { why: 'conflict' } });
    expect((await undo()).status).toBe(303);
    await wait(3 * MINUTE_MS);
    await world.followPayments();
    expect(await verified()).toMatchObject({ status: 'success', disputed: null, proof: { state: 'proven' } });
  });

  test.each([
    ['by MoMo', TRANSFER],
    ['in cash', CASH],
  ])('%s gives way to a second payment, also days after its goods were released', async (_, said) => {
    await mark(said);
    await manager.visit(`/dashboard/charges/${reference}/release`, { form: { shown: 'unverified' } });
    const second = textOf({ id: '51000770099', reference });
    await shop.pay(second);
    await wait(3 * DAY_MS);
    manager = await shop.signIn('manager');
    const page = await manager.visit(`/dashboard/held/${shop.paymentId(second)}`);
    expectWords(page.text, [
      'and no cash for the bill, the other one is forged or was marked by mistake. Remove it on the bill’s page.',
    ]);
    expect((await undo()).status).toBe(303);
    await world.followPayments();
    expect(await verified()).toMatchObject({ status: 'success', payment: { marked: null } });
  });

  describe('with a misspelt name, after its goods were released', () => {
    let book: WalletBook;
    let paid: BookedText;
    beforeEach(async () => {
      book = await provenBook(world, shop, 6);
      paid = book.paid(77, { from: 'AMA SAMPLE', reference });
      manager = await shop.signIn('manager');
      await mark({ ...TRANSFER, payer: 'Ama Simple', transaction_id: paid.id });
      await manager.visit(`/dashboard/charges/${reference}/release`, { form: { shown: 'unverified' } });
      await shop.arrive(paid);
      expect(await verified()).toMatchObject({ status: 'success', disputed: { why: 'conflict' } });
    });

    const undoAndFollow = async (of = reference) => {
      expect((await undo(of)).status).toBe(303);
      await wait(3 * MINUTE_MS);
      await world.followPayments();
    };

    test('is verified by its text once a person undoes the mark', async () => {
      await undoAndFollow();
      const payment = { marked: null, payer_name: 'AMA SAMPLE', transaction_id: paid.id };
      expect(await verified()).toMatchObject({ disputed: null, proof: { state: 'proven' }, amount_paid: 77, payment });
      const held = (await shop.listed('held')).filter(({ payer_name }) => payer_name === 'AMA SAMPLE');
      expect(held).toEqual([]);
    });

    test('waits for the rest if its text reports less than the bill’s amount', async () => {
      const of = await shop.charge({ amount: 90 });
      const small = book.paid(5, { from: 'AMA SAMPLE', reference: of });
      manager = await shop.signIn('manager');
      await mark({ ...TRANSFER, amount: '90', transaction_id: small.id }, of);
      await manager.visit(`/dashboard/charges/${of}/release`, { form: { shown: 'unverified' } });
      await shop.arrive(small);
      await undoAndFollow(of);
      expect(await verified(of)).toMatchObject({ status: 'pending', amount_paid: 5, disputed: null });
    });

    test('is paid in full by the text of a bill that was marked with less', async () => {
      const of = await shop.charge({ amount: 90 });
      const whole = book.paid(90, { from: 'AMA SAMPLE', reference: of });
      manager = await shop.signIn('manager');
      await mark({ ...TRANSFER, amount: '70', enough: 'on', transaction_id: whole.id }, of);
      await manager.visit(`/dashboard/charges/${of}/release`, { form: { shown: 'unverified' } });
      await shop.arrive(whole);
      expect(await verified(of)).toMatchObject({ disputed: { why: 'conflict' } });
      await undoAndFollow(of);
      expect(await verified(of)).toMatchObject({ status: 'success', amount_paid: 90, disputed: null });
    });

    test('cannot be undone after a refund was recorded', async () => {
      await manager.visit(`/dashboard/charges/${reference}/refund`, { form: { amount: '30' } });
      expect((await undo()).status).toBe(409);
    });

    test('is reversed by the network’s text after that', async () => {
      await undoAndFollow();
      const text = `Transaction ${paid.id} of GHS 77.00 has been reversed. Current Balance: GHS 5183.50`;
      await shop.arrive({ sender: 'MobileMoney', text });
      expect(await verified()).toMatchObject({ status: 'reversed' });
    });

    test('keeps the ID from other bills after that', async () => {
      await undoAndFollow();
      const of = await shop.charge({ amount: 77 });
      expectAnswer(await mark({ ...TRANSFER, transaction_id: paid.id }, of), 400, 'already known');
    });
  });

  test('stays disputed after the mark is undone if a part payment is disputed', async () => {
    const part = mtn({ amount: '20.00', reference });
    await shop.pay(part);
    await mark({ ...TRANSFER, amount: '57' });
    for (const text of [mtn({ id: part.id, amount: '21.00' }), textOf({ amount: '33.00' })]) await shop.arrive(text);
    expect(await verified()).toMatchObject({ status: 'success', disputed: { why: 'conflict' } });
    expect((await undo()).status).toBe(303);
    expect(await verified()).toMatchObject({ status: 'pending', disputed: { why: 'conflict' } });
  });

  test.each([
    ['after a conflicting text', true],
    ['before a conflicting text', false],
  ])('stays disputed after the mark is undone if a part payment was reversed %s', async (_, isContradicted) => {
    const part = mtn({ amount: '20.00', reference });
    await shop.pay(part);
    await mark({ ...TRANSFER, amount: '57' });
    if (isContradicted) await shop.arrive(textOf({ amount: '33.00' }));
    const text = `We have reversed the transaction ${part.id} of GHS 20.00.`;
    await shop.arrive({ sender: 'MobileMoney', text });
    const why = isContradicted ? 'conflict' : 'reversal';
    expect(await verified()).toMatchObject({ disputed: { why } });
    await undo();
    expect(await verified()).toMatchObject({ status: 'pending', disputed: { why } });
  });

  test('stores at most twenty conflicting texts', async () => {
    await mark(TRANSFER);
    for (let n = 0; n < 23; n++) await shop.arrive(textOf({ amount: `${10 + n}.00` }));
    expect((await rowOf())?.contradicted_by).toHaveLength(20);
    expect((await undo()).status).toBe(303);
    expect(await verified()).toMatchObject({ status: 'pending', disputed: null });
  });

  test('is reversed when the network reverses the payment', async () => {
    await mark(TRANSFER);
    await shop.arrive(reversal(ID, '77.00'));
    expect(await verified()).toMatchObject({ status: 'reversed' });
  });

  test('is no longer disputed after the mark is undone', async () => {
    await mark(TRANSFER);
    await shop.arrive({ sender: 'MobileMoney', text: `We have reversed the transaction ${ID} of GHS 77.00.` });
    expect(await verified()).toMatchObject({ status: 'success', disputed: { why: 'reversal' } });
    expect((await undo()).status).toBe(303);
    expect(await verified()).toMatchObject({ status: 'pending', disputed: null });
  });

  test('stays disputed until the network reverses the payment', async () => {
    await shop.pay(mtn({ reference, amount: '20.00' }));
    await mark({ ...TRANSFER, amount: '57' });
    await shop.arrive({ sender: 'MobileMoney', text: `We have reversed the transaction ${ID} of GHS 57.00.` });
    await shop.pay(textOf({ amount: '57.00' }));
    expect(await rowOf()).toMatchObject({ state: 'matched', sender: 'MobileMoney' });
    expect(await verified()).toMatchObject({ status: 'success', disputed: { why: 'reversal' } });
    await shop.arrive(reversal(ID, '57.00'));
    expect(await verified()).toMatchObject({ status: 'reversed', disputed: null });
  });

  test('stays disputed after its own text arrives until the payment is reversed', async () => {
    await shop.pay(mtn({ reference, amount: '20.00' }));
    await mark({ ...TRANSFER, amount: '57' });
    for (const amount of ['33.00', '57.00']) await shop.arrive(textOf({ amount }));
    expect(await rowOf()).toMatchObject({ state: 'matched', sender: 'MobileMoney' });
    expect(await verified()).toMatchObject({ status: 'success', disputed: { why: 'conflict' } });
    await shop.arrive(reversal(ID, '57.00'));
    expect(await verified()).toMatchObject({ status: 'reversed', disputed: null });
  });

  test('stays disputed after the mark is undone if a part payment may have been reversed', async () => {
    const part = mtn({ reference, amount: '30.00' });
    await shop.pay(part);
    await mark({ ...TRANSFER, amount: '47' });
    for (const id of [ID, part.id])
      await shop.arrive({ sender: 'MobileMoney', text: `We have reversed the transaction ${id}.` });
    expect((await undo()).status).toBe(303);
    expect(await verified()).toMatchObject({ status: 'pending', disputed: { why: 'reversal' } });
  });

  test('stays disputed if a reversal text arrives while the mark is being undone', async () => {
    const part = mtn({ reference, amount: '30.00' });
    await shop.pay(part);
    await mark({ ...TRANSFER, amount: '47' });
    const doubt = (id: string) =>
      shop.arrive({ sender: 'MobileMoney', text: `We have reversed the transaction ${id}.` });
    await doubt(ID);
    world.rightBefore('TransactWriteItems', () => doubt(part.id), 'unmarked_at');
    await undo();
    expect(await shop.receipt(part)).toHaveProperty('reversal_doubt_at');
    expect(await verified()).toMatchObject({ disputed: { why: 'reversal' } });
  });

  test('blocks claims with the same id for other bills', async () => {
    await mark({ ...TRANSFER, payer: 'Kofi Mensah Boateng' });
    const other = await shop.charge({ amount: 77 });
    expect(await world.claim(other, ID)).toMatchObject({ outcome: 'unknown' });
  });

  test('blocks claims for the restored payment after the mark is undone', async () => {
    await mark({ ...TRANSFER, payer: 'Kofi Mensah Boateng' });
    await undo();
    await manager.visit(`/dashboard/held/${shop.paymentId(textOf())}/take-back`, { form: {} });
    expect(await world.claim(reference, ID)).not.toMatchObject({ outcome: 'paid' });
    expect(await verified()).toMatchObject({ status: 'pending' });
  });

  test('keeps the id reserved after the shop has changed its number', async () => {
    await mark(TRANSFER);
    shop = await addNumber();
    await shop.change({ momo_accounts: [{ number: shop.number, network: 'MTN', account_name: 'A' }] });
    world.clock.nowMs += 2 * 60_000;
    manager = await shop.signIn('manager');
    const other = await shop.charge({ amount: 77 });
    expectAnswer(await mark(TRANSFER, other), 400, 'already known');
    expect(await verified(other)).toMatchObject({ status: 'pending' });
  });

  test('is paid even if an unverified text to another shop has used the id', async () => {
    const other = await world.createShop();
    const of = await other.charge({ amount: 77 });
    await other.pay(textOf({ reference: of }));
    expect((await mark(TRANSFER)).status).toBe(303);
    for (const paid of [await verified(), await other.verified(of)])
      expect(paid).toMatchObject({ status: 'success', payment: { transaction_id: ID } });
  });

  test('frees the id for other shops after the mark is undone', async () => {
    const other = await world.createShop({ number: shop.number });
    const of = await other.charge({ amount: 77 });
    const by = await other.signIn('manager');
    await mark(TRANSFER);
    expectAnswer(await mark(TRANSFER, of, by), 400, 'already known');
    await undo();
    expect((await mark(TRANSFER, of, by)).status).toBe(303);
    expect(await other.verified(of)).toMatchObject({ status: 'success' });
  });

  test('keeps the id reserved after a reversal', async () => {
    const other = await world.createShop({ number: shop.number });
    await mark(TRANSFER);
    await shop.arrive(reversal(ID, '77.00'));
    const by = await other.signIn('manager');
    expectAnswer(await mark(TRANSFER, await other.charge({ amount: 77 }), by), 400, 'already known');
    expect(await rowOf()).toMatchObject({ reason: 'reversed', reference });
  });

  describe('on a number that two shops share', () => {
    let of: string;
    let by: Person;
    beforeEach(async () => {
      const other = await world.createShop({ number: shop.number });
      of = await other.charge({ amount: 77, expires_in: 3600 });
      await shop.pay(textOf());
      world.clock.nowMs += 2 * HOUR_MS;
      by = await other.signIn('manager');
    });

    test('has its amount checked before the id is looked up', async () => {
      for (const transaction_id of [ID, '51000770078'])
        expectAnswer(
          await mark({ ...TRANSFER, amount: '1', transaction_id }, of, by),
          400,
          'Tick that you accept less',
        );
    });

    test('is limited to five id lookups in ten minutes', async () => {
      for (let n = 0; n < 5; n++) expectAnswer(await mark(TRANSFER, of, by), 400, 'already known');
      expectAnswer(await mark(TRANSFER, of, by), 429, 'Try again in 10 minutes.');
      expect((await mark(CASH, of, by)).status).toBe(303);
      await by.visit(`/dashboard/charges/${of}/unmark`, { form: {} });
      world.clock.nowMs += 10 * 60_000;
      by = await world.signIn('manager', by.user.merchant_id ?? '');
      expect((await mark({ ...TRANSFER, transaction_id: '51000770078' }, of, by)).status).toBe(303);
    });
  });

  describe('that belongs to another bill’s payment', () => {
    let other: string;
    const undoAndFollow = async () => {
      expect((await undo()).status).toBe(303);
      await world.followPayments();
    };
    beforeEach(async () => {
      other = await shop.charge({ amount: 50 });
    });
    const textOfOther = () => mtn({ amount: '50.00', from: 'YAW OSEI', id: ID, reference: other });
    const conflicting = async () => String((await shop.listed('held'))[0]?.id);

    test('lets the payment settle its intended bill after the mark is undone', async () => {
      await mark(TRANSFER);
      await shop.pay(textOfOther());
      expect({ marked: await verified(), other: await verified(other) }).toMatchObject({
        marked: { disputed: { why: 'conflict' } },
        other: { status: 'pending' },
      });
      await undoAndFollow();
      const after = [
        { status: 'pending', disputed: null },
        { status: 'success', payment: { amount: 50 } },
      ];
      expect([await verified(), await verified(other)]).toMatchObject(after);
      await shop.pay(textOfOther());
      expect([await verified(), await verified(other)]).toMatchObject(after);
      expect(await verified(other)).toMatchObject({ disputed: null });
      expect(await shop.listed('held')).toEqual([]);
    });

    test('lets the text with its SIM number replace the copy that a person matched to its own bill', async () => {
      const book = await provenBook(world, shop, 6);
      [reference, other] = [await shop.charge({ amount: 77 }), await shop.charge({ amount: 77 })];
      const paid = book.paid(77, { from: 'AMA SAMPLE', reference: other });
      manager = await shop.signIn('manager');
      await mark({ ...TRANSFER, transaction_id: paid.id });
      await shop.arrive({ ...paid, recipient: null });
      const held = (await shop.listed('held')).find(({ transaction_id }) => transaction_id === paid.id);
      const path = `/dashboard/held/${held?.id}/give`;
      const { text } = await manager.visit(`${path}?reference=${other}`);
      expectWords(text, ['was marked as paid with this ID.', 'that bill will be in doubt']);
      const form = { reference: other, shown: 'contradicted' };
      expect((await manager.visit(path, { form })).status).toBe(303);
      await shop.arrive(paid);
      expect(await verified(other)).toMatchObject({ status: 'success', disputed: null, proof: { state: 'proven' } });
      expect(await verified()).toMatchObject({ status: 'success', disputed: { why: 'conflict' } });
      expect((await undo()).status).toBe(303);
      expect(await verified(other)).toMatchObject({ status: 'success', disputed: null, proof: { state: 'proven' } });
      await shop.arrive(book.reversed(paid, 77));
      expect(await verified(other)).toMatchObject({ status: 'reversed' });
    });

    test('leaves the payment visible on its intended bill after an undo if its reversal is in doubt', async () => {
      await mark(TRANSFER);
      await shop.arrive({ sender: 'MobileMoney', text: `We have reversed the transaction ${ID}.` });
      await undo();
      await shop.pay(textOfOther());
      expect(await shop.listed('held')).toMatchObject([{ reason: 'conflict', amount: 50 }]);
      const { access_code } = await world.chargeRow(other);
      const { text } = await world.call('checkout/page', { parameters: { access_code } });
      expectWords(text, ['A payment message about this bill arrived']);
    });

    test.each([
      ['is reversed', `Transaction ${ID} of GHS 50.00 has been reversed.`, 'reversed'],
      ['may have been reversed', `We have reversed the transaction ${ID}.`, 'conflict'],
    ])('says after an undo that the payment %s', async (_, text, reason) => {
      await mark(TRANSFER);
      await shop.pay(mtn({ amount: '50.00', from: 'YAW OSEI', id: ID }));
      await undoAndFollow();
      expect(await shop.listed('held')).toMatchObject([{ reason: 'no_charge', amount: 50 }]);
      await shop.arrive({ sender: 'MobileMoney', text });
      expect(await shop.listed('held')).toMatchObject([{ reason, amount: 50 }]);
    });

    test.each([
      ['payer', { payer: 'Esi Nobody' }],
      ['bill', {}],
    ])('leaves the payment verified after an undo if the mark stated another %s', async (_, said) => {
      const book = await provenBook(world, shop, 6);
      manager = await shop.signIn('manager');
      const text = book.paid(77, { from: 'AMA SAMPLE', reference: 'payer' in said ? 'rent' : other });
      expect((await mark({ ...TRANSFER, transaction_id: text.id, ...said })).status).toBe(303);
      await shop.pay(text);
      await undoAndFollow();
      const form = { reference, shown: 'verified', still_due: '100000' };
      expect((await manager.visit(`/dashboard/held/${await conflicting()}/give`, { form })).status).toBe(303);
      await world.followPayments();
      expect(await verified()).toMatchObject({ status: 'success', disputed: null, proof: { state: 'proven' } });
    });

    test('is disputed if the payment is assigned to its intended bill', async () => {
      await mark(TRANSFER);
      await shop.pay(textOfOther());
      const give = { form: { reference: other, shown: 'contradicted' } };
      expect((await manager.visit(`/dashboard/held/${await conflicting()}/give`, give)).status).toBe(303);
      await shop.pay(textOfOther());
      const given = { status: 'success', disputed: null };
      expect({ marked: await verified(), other: await verified(other) }).toMatchObject({
        marked: { disputed: { why: 'conflict' } },
        other: given,
      });
      await undoAndFollow();
      await shop.pay(textOfOther());
      expect({ marked: await verified(), other: await verified(other) }).toMatchObject({
        marked: { status: 'pending', disputed: null },
        other: given,
      });
      expect(await shop.listed('held')).toEqual([]);
    });

    test('leaves the payment held if its texts conflict', async () => {
      await mark(TRANSFER);
      await shop.pay(textOfOther());
      await shop.pay(mtn({ amount: '60.00', from: 'KOJO ANTWI', id: ID, reference: other }));
      expect((await undo()).status).toBe(303);
      const reasons = async () => (await shop.listed('held')).map(({ reason }) => reason);
      expect(await reasons()).toEqual(['conflict', 'conflict']);
      await world.followPayments();
      expect(await verified(other)).toMatchObject({ status: 'pending' });
      expect(await reasons()).toEqual(['conflict', 'conflict']);
    });

    test('leaves the payment set aside if a person set it aside', async () => {
      await mark(TRANSFER);
      await shop.pay(textOfOther());
      const id = await conflicting();
      const setAside = await manager.visit(`/dashboard/held/${id}/set-aside`, { form: {} });
      expect(setAside.status).toBe(303);
      await undoAndFollow();
      expect(await receiptRows.find(world.outside, { receipt_id: id })).toMatchObject({ reason: 'conflict' });
      expect(await verified(other)).toMatchObject({ status: 'pending' });
    });

    test('lets the payment be checked again after the mark is undone if its intended bill was cancelled', async () => {
      other = await shop.charge({ amount: 80 });
      await mark(TRANSFER);
      await shop.pay(textOfOther());
      const parameters = { id: await conflicting() };
      const assigned = await shop.call('receipt/assign', { parameters, body: { reference: other, as_part: true } });
      expect(assigned.status).toBe(200);
      await shop.call('transaction/cancel', { parameters: { reference: other } });
      expect((await undo()).status).toBe(303);
      expect(await shop.listed('held')).toMatchObject([{ id: parameters.id, reason: 'checking' }]);
    });
  });

  test.each([
    ['another shop', async () => world.createShop(), null],
    ['the same shop', async () => shop, { why: 'conflict' }],
  ])('does not block a verified payment if marked by %s', async (_, shopThatTypes, disputed) => {
    const book = await provenBook(world, shop, 6);
    const typing = await shopThatTypes();
    manager = await typing.signIn('manager');
    const [typed, paid] = [await typing.charge({ amount: 1 }), await shop.charge({ amount: 500 })];
    const text = book.paid(500, { reference: paid });
    await mark({ ...TRANSFER, amount: '1', payer: 'Esi Nobody', transaction_id: text.id }, typed);
    await shop.pay(text);
    await shop.pay(text);
    expect(await verified(paid)).toMatchObject({ status: 'success', proof: { state: 'proven' }, disputed: null });
    expect(await typing.verified(typed)).toMatchObject({ status: 'success', disputed });
    expect((await undo(typed)).status).toBe(303);
    await world.followPayments();
    expect(await typing.verified(typed)).toMatchObject({ status: 'pending', disputed: null });
    expect((await shop.listed('held')).map(({ transaction_id }) => transaction_id)).not.toContain(text.id);
    await shop.arrive(reversal(text.id, '500.00'));
    expect(await verified(paid)).toMatchObject({ disputed: { why: 'reversal' } });
  });

  describe('whose payment has the same payer and amount, but names another bill', () => {
    let named: string;
    const both = async () => [await verified(), await verified(named)];
    beforeEach(async () => {
      named = await shop.charge({ amount: 77 });
    });

    test('is disputed, and the payment is held, while the payment is not verified', async () => {
      await mark(TRANSFER);
      await shop.pay(textOf({ reference: named }));
      expect(await both()).toMatchObject([
        { status: 'success', disputed: { why: 'conflict' } },
        { status: 'pending', disputed: null },
      ]);
      expect(await shop.listed('held')).toMatchObject([{ reason: 'conflict', payer_reference: named }]);
    });

    test('is disputed, and the payment pays the bill that it names, once the payment is verified', async () => {
      const book = await provenBook(world, shop, 6);
      manager = await shop.signIn('manager');
      const text = book.paid(77, { from: 'AMA SAMPLE', reference: named });
      await mark({ ...TRANSFER, transaction_id: text.id });
      await shop.pay(text);
      expect(await both()).toMatchObject([
        { status: 'success', disputed: { why: 'conflict' }, proof: { state: 'unproven' } },
        { status: 'success', disputed: null, proof: { state: 'proven' } },
      ]);
    });

    test.each([
      ['has expired', () => wait(DAY_MS + HOUR_MS)],
      ['is cancelled', () => shop.call('transaction/cancel', { parameters: { reference: named } })],
      ['is already paid', () => mark(CASH, named)],
    ])('is disputed, and the verified payment is held, if that bill %s', async (_, end) => {
      const book = await provenBook(world, shop, 6);
      manager = await shop.signIn('manager');
      await end();
      manager = await shop.signIn('manager');
      reference = await shop.charge({ amount: 77 });
      const text = book.paid(77, { from: 'AMA SAMPLE', reference: named });
      await mark({ ...TRANSFER, transaction_id: text.id });
      await shop.pay(text);
      expect(await verified()).toMatchObject({ disputed: { why: 'conflict' }, proof: { state: 'unproven' } });
      const held = { reason: 'conflict', payer_reference: named, suggested_reference: named };
      expect((await shop.listed('held')).filter(({ amount }) => amount === 77)).toMatchObject([held]);
    });
  });

  describe('whose payment is verified later', () => {
    let text: BookedText;
    let before: BookedText;
    let typed: string;
    let paid: string;
    const conflicts = async () => (await shop.listed('held')).filter(({ reason }) => reason === 'conflict').length;
    const settleAgain = () => world.work('settle-receipt', [{ receipt_id: shop.paymentId(text) }]);
    beforeEach(async () => {
      const book = await provenBook(world, shop, 6);
      manager = await shop.signIn('manager');
      [typed, paid] = [await shop.charge({ amount: 1 }), await shop.charge({ amount: 500 })];
      before = book.spent(20);
      text = book.paid(500, { reference: paid });
      await mark({ ...TRANSFER, amount: '1', payer: 'Esi Nobody', transaction_id: text.id }, typed);
      await shop.pay(text);
    });

    test('does not prevent the payment from settling its intended bill', async () => {
      await settleAgain();
      expect(await conflicts()).toBe(1);
      expect({ typed: await verified(typed), paid: await verified(paid) }).toMatchObject({
        typed: { status: 'success', disputed: { why: 'conflict' } },
        paid: { status: 'pending' },
      });
      await shop.arrive(before);
      await settleAgain();
      const after = [
        { status: 'success', disputed: { why: 'conflict' }, proof: { state: 'unproven' } },
        { status: 'success', disputed: null, proof: { state: 'proven' } },
      ];
      expect([await verified(typed), await verified(paid)]).toMatchObject(after);
      expect(await conflicts()).toBe(0);
      await shop.pay(text);
      await settleAgain();
      expect([await verified(typed), await verified(paid)]).toMatchObject(after);
    });

    describe('after the mark is undone', () => {
      beforeEach(async () => {
        expect((await undo(typed)).status).toBe(303);
        world.clock.nowMs += 3 * 60_000;
        await world.followPayments();
        expect(await verified(paid)).toMatchObject({ status: 'pending' });
      });

      test('lets the payment settle its intended bill', async () => {
        await shop.arrive(before);
        await settleAgain();
        const after = [
          { status: 'pending', disputed: null },
          { status: 'success', disputed: null, proof: { state: 'proven' } },
        ];
        expect([await verified(typed), await verified(paid)]).toMatchObject(after);
        await shop.pay(text);
        await settleAgain();
        expect([await verified(typed), await verified(paid)]).toMatchObject(after);
        expect((await shop.listed('held')).map(({ transaction_id }) => transaction_id)).not.toContain(text.id);
      });

      test('cannot be marked with the same id again', async () => {
        const again = { ...TRANSFER, amount: '1', payer: 'Esi Nobody', transaction_id: text.id };
        expectAnswer(await mark(again, typed), 400, 'Payments to check');
      });

      test('leaves the payment held if a second text conflicts', async () => {
        await shop.pay({ ...text, text: text.text.replace('500.00 from', '700.00 from') });
        await shop.arrive(before);
        await settleAgain();
        expect(await verified(paid)).toMatchObject({ status: 'pending' });
        expect(await conflicts()).toBe(2);
      });
    });

    test('leaves the payment held if a second text conflicts', async () => {
      await shop.pay({ ...text, text: text.text.replace('500.00 from', '700.00 from') });
      await shop.arrive(before);
      await settleAgain();
      expect(await verified(paid)).toMatchObject({ status: 'pending' });
      expect(await conflicts()).toBe(2);
    });
  });

  describe('in a different shop', () => {
    let stranger: Shop;
    let of: string;
    let by: Person;
    beforeEach(async () => {
      stranger = await world.createShop();
      of = await stranger.charge({ amount: 77 });
      by = await stranger.signIn('manager');
      await mark(TRANSFER, of, by);
    });

    test('does not block this shop’s payment if the other shop gets a reversal after undoing the mark', async () => {
      await by.visit(`/dashboard/charges/${of}/unmark`, { form: {} });
      await stranger.arrive(reversal(ID, '77.00'));
      await shop.pay(textOf({ reference }));
      expect(await verified()).toMatchObject({ status: 'success', disputed: null });
    });

    test('does not block this shop’s payment with the same id', async () => {
      await shop.pay(textOf({ reference }));
      expect(await verified()).toMatchObject({ status: 'success', disputed: null });
    });

    test('does not block a claim of this shop’s held payment', async () => {
      await shop.pay(textOf({ reference: 'x', from: 'KOFI MENSAH BOATENG' }));
      expect(await shop.listed('held')).toMatchObject([{ reason: 'no_charge' }]);
      expect(await world.claim(reference, ID)).toMatchObject({ outcome: 'paid' });
    });

    test('does not stop this shop from assigning its payment', async () => {
      await shop.pay(textOf({ reference: 'x' }));
      expect((await shop.assign(textOf(), reference)).status).toBe(200);
      expect((await world.rows('TRANSACTION')).map(({ state, disputed }) => ({ state, disputed }))).toEqual([
        { state: 'success', disputed: undefined },
        { state: 'success', disputed: undefined },
      ]);
    });

    test('lets this shop use the id once', async () => {
      expect((await mark(TRANSFER)).status).toBe(303);
      expectAnswer(await mark(TRANSFER, await shop.charge({ amount: 77 })), 400, 'already known');
    });
  });

  test.each([
    ['is refused if a text that no shop sees may report its payment', { amount: '77.00' }, { recipient: null }, 400],
    ['is refused if a text to a shared number that no shop sees has the id', { amount: '1.00' }, {}, 400],
    [
      'counts beside a different text without a SIM number that no shop sees',
      { amount: '1.00' },
      { recipient: null },
      303,
    ],
  ])('%s', async (_, said, phone, status) => {
    await world.createShop({ number: shop.number });
    const text = { ...textOf({ reference: '1', ...said }), ...phone };
    await shop.arrive(text);
    expect(await shop.listed('held')).toEqual([]);
    await wait(3 * HOUR_MS);
    reference = await shop.charge({ amount: 77 });
    manager = await shop.signIn('manager');
    expect((await mark(TRANSFER)).status).toBe(status);
    const receipt_id = 'recipient' in phone ? `MTN-unknown-${ID}` : shop.paymentId(text);
    expect(await receiptRows.find(world.outside, { receipt_id })).toMatchObject({ state: 'held' });
  });

  describe('that belongs to another shop’s payment on a shared number', () => {
    let other: Shop;
    let theirs: string;
    const states = async () => [await verified(), await other.verified(theirs)];
    const doubted = { status: 'success', disputed: { why: 'conflict' } };
    beforeEach(async () => {
      other = await world.createShop({ number: shop.number });
      theirs = await other.charge({ amount: 77 });
    });

    test('is disputed when the payment pays the other shop’s bill', async () => {
      await mark(TRANSFER);
      const text = textOf({ reference: theirs });
      for (let n = 0; n < 2; n++) {
        await shop.pay(text);
        expect(await states()).toMatchObject([doubted, { status: 'success', disputed: null }]);
        expect({ own: await shop.listed('held'), other: await other.listed('held') }).toEqual({ own: [], other: [] });
      }
    });

    test.each([
      ['is in doubt if the payment has another amount', '77.50', { status: 'success', amount_paid: 77.5 }],
      ['is in doubt if the payment covers part of the other bill', '70.00', { status: 'pending', amount_paid: 70 }],
    ])('%s', async (_, amount, their) => {
      await mark(TRANSFER);
      await shop.pay(textOf({ amount, reference: theirs }));
      expect(await states()).toMatchObject([doubted, their]);
      expect(await shop.listed('held')).toEqual([]);
    });

    test('does not block the payment if the bill was marked for a different number', async () => {
      const { number } = await addNumber();
      await mark({ ...TRANSFER, number });
      await shop.pay(textOf({ reference: theirs }));
      expect(await states()).toMatchObject([doubted, { status: 'success', disputed: null }]);
    });

    test('is matched by the payment if both shops marked a bill with its id', async () => {
      const { number } = await addNumber();
      await mark({ ...TRANSFER, number });
      expect((await mark(TRANSFER, theirs, await other.signIn('manager'))).status).toBe(303);
      await shop.pay(textOf({ reference }));
      expect(await verified()).toMatchObject({ status: 'success', disputed: null, payment: { marked: null } });
    });

    test('is disputed if the payment’s text contains the other shop’s marked bill', async () => {
      const { number } = await addNumber();
      await mark({ ...TRANSFER, number });
      expect((await mark(TRANSFER, theirs, await other.signIn('manager'))).status).toBe(303);
      for (let n = 0; n < 2; n++) {
        await shop.pay(textOf({ reference: theirs }));
        const their = { status: 'success', disputed: null, payment: { marked: null } };
        expect(await states()).toMatchObject([doubted, their]);
      }
    });

    test('leaves the payment held if the other shop’s bill is cancelled', async () => {
      await other.call('transaction/cancel', { parameters: { reference: theirs } });
      await mark(TRANSFER);
      await shop.pay(textOf({ reference: theirs }));
      expect(await verified()).toMatchObject(doubted);
      expect(await shop.listed('held')).toEqual([]);
      expect(await other.listed('held')).toMatchObject([{ reason: 'charge_cancelled' }]);
    });

    test('is disputed together with the other shop’s bill after a conflicting text', async () => {
      await mark(TRANSFER);
      await shop.pay(textOf({ reference: theirs }));
      await shop.pay(textOf({ reference: theirs, amount: '78.00' }));
      expect(await states()).toMatchObject([doubted, doubted]);
      expect(await shop.listed('held')).toEqual([]);
      expect(await other.listed('held')).toMatchObject([{ reason: 'conflict' }]);
    });

    test('does not block a verified payment', async () => {
      const book = await provenBook(world, shop, 6);
      world.clock.nowMs += 3 * 60_000;
      manager = await shop.signIn('manager');
      theirs = await other.charge({ amount: 77 });
      const paid = book.paid(77, { reference: theirs });
      await mark({ ...TRANSFER, payer: 'Kofi Mensah Boateng', transaction_id: paid.id });
      await shop.arrive(paid);
      expect(await states()).toMatchObject([doubted, { status: 'success', proof: { state: 'proven' } }]);
    });

    test('keeps a conflicting text without a reference hidden from both shops', async () => {
      await mark(TRANSFER);
      await shop.pay(textOf({ amount: '78.00' }));
      expect(await verified()).toMatchObject(doubted);
      expect({ own: await shop.listed('held'), other: await other.listed('held') }).toEqual({ own: [], other: [] });
    });
  });

  describe('in a shop with two MoMo numbers', () => {
    let second: Shop;
    beforeEach(async () => {
      second = await addNumber();
    });
    const markFirst = (of?: string) => mark({ ...TRANSFER, number: shop.number }, of);

    test.each([
      ['is held', async () => second.pay(textOf()), 'Payments to check'],
      ['was reversed', async () => second.arrive(reversal(ID, '77.00')), 'already known'],
      [
        'was marked as paid',
        async () => mark({ ...TRANSFER, number: second.number }, await shop.charge({ amount: 77 })),
        'already known',
      ],
    ])('is rejected if the payment to the other number %s', async (_, before, words) => {
      await before();
      expectAnswer(await markFirst(), 400, words);
    });

    test('is rejected if the payment is held on a former number', async () => {
      await shop.pay(textOf());
      await shop.change({ momo_accounts: [{ number: second.number, network: 'MTN', account_name: 'A' }] });
      world.clock.nowMs += 2 * 60_000;
      expectAnswer(await mark({ ...TRANSFER, number: second.number }), 400, 'Payments to check');
    });

    test('does not change an undone mark on the other number', async () => {
      await markFirst();
      await undo();
      const undone = await rowOf();
      expect((await mark({ ...TRANSFER, number: second.number })).status).toBe(303);
      expect(await rowOf()).toEqual(undone);
      expect(await second.receipt(textOf())).toMatchObject({ state: 'matched', reference });
    });

    test('is rejected if the payment to a former number paid an earlier bill', async () => {
      await shop.pay(textOf({ reference }));
      await shop.change({ momo_accounts: [{ number: second.number, network: 'MTN', account_name: 'A' }] });
      world.clock.nowMs += 2 * 60_000;
      const later = await shop.charge({ amount: 77 });
      expectAnswer(await mark({ ...TRANSFER, number: second.number }, later), 400, 'already known');
    });

    test('is matched by a text to the other number', async () => {
      await markFirst();
      for (let copy = 0; copy < 2; copy++) await second.pay(textOf({ reference }));
      expect(await verified()).toMatchObject({ status: 'success', disputed: null, payment: { marked: null } });
      expect(await shop.listed('held')).toEqual([]);
      await second.arrive(reversal(ID, '77.00'));
      expect(await verified()).toMatchObject({ status: 'reversed' });
    });

    test('is matched by a text to the number used for an undone mark', async () => {
      const other = await shop.charge({ amount: 77 });
      await markFirst(other);
      await undo(other);
      expect((await mark({ ...TRANSFER, number: second.number })).status).toBe(303);
      await shop.pay(textOf({ reference }));
      expect(await verified()).toMatchObject({ status: 'success', disputed: null, payment: { marked: null } });
    });

    test('is disputed if a text to the other number has a different amount', async () => {
      await markFirst();
      await second.pay(textOf({ amount: '76.00' }));
      expect(await verified()).toMatchObject({ status: 'success', disputed: { why: 'conflict' } });
      expect(await shop.listed('held')).toMatchObject([{ reason: 'conflict' }]);
    });

    test('is reversed by a text to the other number', async () => {
      await markFirst();
      await second.arrive(reversal(ID, '77.00'));
      expect(await verified()).toMatchObject({ status: 'reversed' });
      const other = await shop.charge({ amount: 77 });
      await second.pay(textOf({ reference: other }));
      expect(await verified(other)).toMatchObject({ status: 'pending' });
      expect((await shop.listed('held')).map(({ reason }) => reason)).toEqual(['reversed', 'reversed']);
    });

    test('is only disputed by a reversal on the other number if the marked number has an established chain', async () => {
      const book = await provenBook(world, shop, 6);
      manager = await shop.signIn('manager');
      const text = book.paid(77, { from: 'AMA SAMPLE', reference });
      expect((await mark({ ...TRANSFER, transaction_id: text.id, number: shop.number })).status).toBe(303);
      await second.arrive(reversal(text.id, '77.00'));
      expect(await verified()).toMatchObject({ status: 'success', disputed: { why: 'reversal' } });
    });

    test('leaves a reversal on the other number in doubt when the mark is undone', async () => {
      for (let times = 0; times < 2; times++) {
        await markFirst();
        await second.arrive({ sender: 'MobileMoney', text: `Transaction ${ID} of GHS 77.00 will be reversed.` });
        expect(await verified()).toMatchObject({ status: 'success', disputed: { why: 'reversal' } });
        expect((await undo()).status).toBe(303);
      }
      const other = await shop.charge({ amount: 77 });
      await second.pay(textOf({ reference: other }));
      expect(await verified(other)).toMatchObject({ status: 'pending', disputed: null });
      const held = { state: 'held', reason: 'conflict', reversal_doubt_at: expect.any(String), sender: 'MobileMoney' };
      expect(await second.receipt(textOf())).toMatchObject(held);
      await second.arrive(reversal(ID, '77.00'));
      expect(await second.receipt(textOf())).toMatchObject({ state: 'held', reason: 'reversed' });
    });

    describe('and a reversal on the other number', () => {
      const DOUBTFUL = { sender: 'MobileMoney', text: `Transaction ${ID} of GHS 77.00 will be reversed.` };
      const CERTAIN = reversal(ID, '77.00');
      const kept = { status: 'success', disputed: { why: 'reversal' } };
      const lost = { status: 'reversed' };

      test.each([
        ['is disputed after a doubtful reversal', DOUBTFUL, kept],
        ['is reversed after a certain reversal', CERTAIN, lost],
      ])('%s that is settled while the bill is marked', async (_, text, expected) => {
        world.rightBefore(
          'TransactWriteItems',
          async () => expect((await markFirst()).status).toBe(303),
          'RECEIPT#MTN',
        );
        await second.arrive(text);
        expect(await verified()).toMatchObject(expected);
      });

      test.each([
        ['a doubtful', DOUBTFUL],
        ['a certain', CERTAIN],
      ])('is rejected if %s reversal arrives simultaneously', async (_, text) => {
        world.rightBefore('TransactWriteItems', () => second.arrive(text), 'marked');
        expect((await markFirst()).status).toBe(409);
        expect(await verified()).toMatchObject({ status: 'pending' });
      });

      test('is rejected after a doubtful one, with the number to choose', async () => {
        await second.arrive(DOUBTFUL);
        expectAnswer(
          await markFirst(),
          400,
          `belongs to a payment on ${wholeNumber(second.number)}. Choose that number`,
        );
        expect((await mark({ ...TRANSFER, number: second.number })).status).toBe(303);
        await second.arrive(CERTAIN);
        expect(await verified()).toMatchObject(lost);
      });

      test('is rejected if its undone mark there is reversed simultaneously', async () => {
        await mark({ ...TRANSFER, number: second.number });
        await undo();
        world.rightBefore('TransactWriteItems', () => second.arrive(CERTAIN), 'marked');
        expect((await markFirst()).status).toBe(409);
      });

      test('is reversed if it is marked while its undone mark there is reversed', async () => {
        await mark({ ...TRANSFER, number: second.number });
        await undo();
        world.rightBefore(
          'TransactWriteItems',
          async () => expect((await markFirst()).status).toBe(303),
          'RECEIPT#MTN',
        );
        await second.arrive(CERTAIN);
        expect(await verified()).toMatchObject(lost);
      });
    });

    test('is matched by a text after a different shop undoes its mark', async () => {
      await markFirst();
      const stranger = await world.createShop();
      const of = await stranger.charge({ amount: 77 });
      const by = await stranger.signIn('manager');
      expect((await mark(TRANSFER, of, by)).status).toBe(303);
      expect((await by.visit(`/dashboard/charges/${of}/unmark`, { form: {} })).status).toBe(303);
      const other = await shop.charge({ amount: 77 });
      await second.pay(textOf({ reference: other }));
      expect(await verified(other)).toMatchObject({ status: 'pending' });
    });

    test('is rejected if the payment arrives simultaneously', async () => {
      const other = await shop.charge({ amount: 77 });
      world.rightBefore('TransactWriteItems', async () => {
        await second.pay(textOf({ reference: other }));
      });
      expect((await markFirst()).status).toBe(409);
      expect({ marked: (await verified()).status, other: (await verified(other)).status }).toEqual({
        marked: 'pending',
        other: 'success',
      });
    });
  });

  test('does not block the reversal of a different shop’s payment', async () => {
    const other = await world.createShop();
    const of = await other.charge({ amount: 1 });
    await mark({ ...TRANSFER, amount: '1' }, of, await other.signIn('manager'));
    await shop.pay(textOf());
    await shop.arrive(reversal(ID, '77.00'));
    expect(await rowOf()).toMatchObject({ state: 'held', reason: 'reversed' });
    expect(await other.verified(of)).toMatchObject({ status: 'success' });
  });
});

test('a marked bill is verified by a text that continues the balance chain', async () => {
  const book = await provenBook(world, shop, 6);
  manager = await shop.signIn('manager');
  reference = await shop.charge({ amount: 77 });
  const text = book.paid(77, { reference: 'lunch' });
  const payer = /from ([A-Z ]+) Current/.exec(text.text)?.[1] ?? '';
  expect((await mark({ ...TRANSFER, payer, transaction_id: text.id })).status).toBe(303);
  expect(await verified()).toMatchObject({ proof: { state: 'unproven' } });
  await shop.pay(text);
  expect(await verified()).toMatchObject({ status: 'success', proof: { state: 'proven' }, payment: { marked: null } });
});

describe('a text that could not be parsed', () => {
  let path: string;
  beforeEach(async () => {
    await shop.arrive({ sender: 'MobileMoney', text: `Ama Sample don send you GHS 77.00. ID ${ID}` });
    const { text } = await manager.visit('/dashboard/held', { query: { list: 'unread' } });
    path = /href="(\/dashboard\/held\/TEXT-[^"/]+)"/.exec(text)?.[1] ?? '';
  });
  const textId = () => path.split('/').at(-1) ?? '';

  test('can be used to mark a bill as paid', async () => {
    expect((await manager.visit('/dashboard/held', { query: { list: 'unread' } })).text).toContain(`${path}/mark`);
    const { text: found } = await manager.visit(`${path}/mark`, { query: { q: reference } });
    expect(found).toContain(`/dashboard/charges/${reference}/mark?text=${textId()}`);
    const { text: shown } = await manager.visit(page(), { query: { text: textId() } });
    expectWords(shown, [LOOK_FIRST, 'don send you GHS …']);
    expect((await mark({ ...TRANSFER, how: 'text', text: textId() })).status).toBe(303);
    expect(await verified()).toMatchObject({ status: 'success', payment: { marked: { how: 'text' } } });
    expect((await manager.visit(path)).text).toContain(reference);
    expect((await manager.visit('/dashboard/today')).text).not.toContain('not understood');
    expect(await shop.listed('unread')).toEqual([]);
    expect(await shop.listed('decided')).toMatchObject([{ status: 'unread', reference }]);
  });

  test('marks the bill that was open when the text arrived, long after it expired', async () => {
    world.clock.nowMs += 3 * DAY_MS;
    manager = await shop.signIn('manager');
    const { text: shown } = await manager.visit(page(), { query: { text: textId() } });
    expectWords(shown, [LOOK_FIRST, 'don send you GHS …']);
    expect((await mark({ ...TRANSFER, how: 'text', text: textId() })).status).toBe(303);
    expect(await verified()).toMatchObject({ status: 'success', payment: { marked: { how: 'text' } } });
    const expired = await shop.charge({ amount: 77 });
    world.clock.nowMs += 3 * DAY_MS;
    manager = await shop.signIn('manager');
    expect((await mark({ ...TRANSFER, transaction_id: mtn().id }, expired)).status).toBe(409);
  });

  test('shows that a code will be sent for it, long after its bill expired', async () => {
    const { json } = await shop.call('link/create', { body: { title: 'Router', amount: 36, codes: ['CODE-1'] } });
    const { reference: sold } = await world.openLink(json.data.slug);
    const id = mtn().id;
    await shop.arrive({ sender: 'MobileMoney', text: `Ama Sample don send you GHS 36.00. ID ${id}` });
    const { text: list } = await manager.visit('/dashboard/held', { query: { list: 'unread' } });
    const found = [...list.matchAll(/href="\/dashboard\/held\/(TEXT-[^"/]+)"/g)].map(([, one]) => one ?? '');
    const text = found.find((one) => one !== textId()) ?? '';
    world.clock.nowMs += 2 * DAY_MS;
    manager = await shop.signIn('manager');
    const { text: shown } = await manager.visit(page(sold), { query: { text } });
    expect(shown).toContain('A code of “Router” will be sent at once.');
    expect((await mark({ ...TRANSFER, amount: '36', transaction_id: id, how: 'text', text }, sold)).status).toBe(303);
    await world.tell(8);
    expect(await world.chargeRow(sold)).toMatchObject({ goods: { state: 'given' } });
  });

  test('marks its bill even if its number is a former number', async () => {
    const { number } = await addNumber();
    await shop.change({ momo_accounts: [{ number, network: 'MTN', account_name: 'A' }] });
    world.clock.nowMs += 2 * 60_000;
    expect((await mark({ ...TRANSFER, how: 'text', text: textId() })).status).toBe(303);
    expect(await verified()).toMatchObject({ status: 'success', payment: { marked: { how: 'text' } } });
  });

  test('can be used to mark only one bill', async () => {
    await mark({ ...TRANSFER, how: 'text', text: textId() });
    const other = await shop.charge({ amount: 77 });
    const again = { ...TRANSFER, how: 'text', text: textId(), transaction_id: mtn().id };
    expectAnswer(await mark(again, other), 400, 'already been dealt with');
    await undo();
    expect((await manager.visit('/dashboard/today')).text).toContain('not understood');
    expect((await mark(again, other)).status).toBe(303);
  });

  test('is listed again after the mark is undone', async () => {
    await mark({ ...TRANSFER, how: 'text', text: textId(), amount: '50' });
    world.clock.nowMs = Date.parse((await world.chargeRow(reference)).expires_at) - HOUR_MS;
    manager = await shop.signIn('manager');
    await endCharge(world.outside, expiryOf(await world.chargeRow(reference)));
    expect(await shop.listed('held')).toMatchObject([{ reason: 'charge_expired' }]);
    const other = await shop.charge({ amount: 50 });
    expect((await shop.assign(textOf(), other)).status).toBe(200);
    expect((await undo(other)).status).toBe(303);
    expect(await shop.listed('unread')).toMatchObject([{ id: textId(), reference: null }]);
  });

  test('is listed again after the mark is undone, even if its id was typed for a different bill', async () => {
    await mark({ ...TRANSFER, how: 'text', text: textId(), amount: '50' });
    world.clock.nowMs = Date.parse((await world.chargeRow(reference)).expires_at) - HOUR_MS;
    manager = await shop.signIn('manager');
    await endCharge(world.outside, expiryOf(await world.chargeRow(reference)));
    const other = await shop.charge({ amount: 77 });
    const typeAndUndo = async () => [(await mark(TRANSFER, other)).status, (await undo(other)).status];
    expect(await typeAndUndo()).toEqual([303, 303]);
    expect(await shop.listed('unread')).toMatchObject([{ id: textId(), reference: null }]);
    await mark({ ...TRANSFER, how: 'text', text: textId(), transaction_id: mtn().id });
    expect(await typeAndUndo()).toEqual([303, 303]);
    expect(await shop.listed('unread')).toEqual([]);
  });

  test('is listed again, together with a second text, after the cancelled bill’s mark is undone', async () => {
    await mark({ ...TRANSFER, how: 'text', text: textId(), amount: '50' });
    expect((await shop.call('transaction/cancel', { parameters: { reference } })).status).toBe(200);
    await shop.arrive({ sender: 'MobileMoney', text: `Ama Sample GHS 77.00 don reach. ID ${ID}` });
    const [second] = await shop.listed('unread');
    expect((await mark({ ...TRANSFER, how: 'text', text: String(second?.id) })).status).toBe(303);
    expect(await shop.listed('unread')).toEqual([]);
    expect((await undo()).status).toBe(303);
    const listed = (await shop.listed('unread')).map(({ id }) => id);
    expect(new Set(listed)).toEqual(new Set([textId(), second?.id]));
  });

  test('cannot be set aside once it is used to mark a bill', async () => {
    await mark({ ...TRANSFER, how: 'text', text: textId() });
    expectAnswer(await manager.visit(`${path}/set-aside`, { form: {} }), 409, 'Undo that first');
  });

  test('cannot be used by a second shop', async () => {
    const stranger = await world.createShop();
    const by = await stranger.signIn('manager');
    const of = await stranger.charge({ amount: 77 });
    expect((await mark({ ...TRANSFER, how: 'text', text: textId() }, of, by)).status).toBe(404);
  });
});

describe('an AT Money transaction id', () => {
  const AT_ID = 'GM251127.0930.C09997';
  let at: Shop;
  let by: Person;
  beforeEach(async () => {
    at = await world.createShop({ network: 'AT', number: '+233271110021' });
    by = await at.signIn('manager');
  });

  test('is accepted as printed in the text', async () => {
    const of = await at.charge({ amount: 29.99 });
    await at.arrive({
      sender: 'AT Money',
      text: `Dear Customer, you have received GHS 29.99 from 0271110021. Trans ID: ${AT_ID}. Your new balance is GHS 80.10.`,
    });
    const [unread] = await at.listed('unread');
    const said = {
      how: 'text',
      text: String(unread?.id),
      amount: '29.99',
      payer: 'Kofi Sample',
      transaction_id: AT_ID,
    };
    expect((await mark(said, of, by)).status).toBe(303);
    expect((await at.verified(of)).payment).toMatchObject({ transaction_id: AT_ID });
    await world.followChanges();
    const found = await by.visit('/dashboard/charges', { query: { q: 'gm251127.0930.c09997' } });
    expect(found.text).toContain(of);
  });

  test('is compared ignoring dots and case', async () => {
    const said = { how: 'transfer', amount: '29.99', payer: 'Kofi Sample' };
    const statuses = [];
    for (const transaction_id of [AT_ID, 'GM251127.0930.C09998', 'gm2511270930c09997'])
      statuses.push((await mark({ ...said, transaction_id }, await at.charge({ amount: 29.99 }), by)).status);
    expect(statuses).toEqual([303, 303, 400]);
  });
});

describe('a transaction id copied from a spreadsheet', () => {
  test.each([`${ID}.0`, `${ID}.00`])('is stored without decimals: %s', async (transaction_id) => {
    await mark({ ...TRANSFER, transaction_id });
    expect((await verified()).payment).toMatchObject({ transaction_id: ID });
  });

  test('is rejected if its digits were rounded', async () => {
    expectAnswer(await mark({ ...TRANSFER, transaction_id: '5.1E+10' }), 400, 'Enter all the digits');
  });
});

describe('undoing a mark', () => {
  test('reopens the bill for payment', async () => {
    await shop.setWebhook();
    await mark(TRANSFER);
    await eventsOf('charge.success');
    world.clock.nowMs += 60_000;
    expect((await undo()).status).toBe(303);
    expect(await verified()).toMatchObject({
      status: 'pending',
      paid_at: null,
      payment: null,
      amount_paid: 0,
      proof: null,
    });
    const unmarked = { status: 'pending', unmarked_at: world.iso() };
    expect(await eventsOf('charge.unmarked')).toMatchObject([{ body: { data: unmarked } }]);
    expect(await eventsOf('receipt.held')).toEqual([]);
    const after = { receipt: shop.paymentId(textOf()) };
    expect(await shop.audit(/charge unmark/)).toMatchObject([{ about: reference, by: manager.user.user_id, after }]);
    await shop.pay(textOf({ reference }));
    expect(await verified()).toMatchObject({ status: 'success', payment: { matched_by: 'reference', marked: null } });
    expect(await eventsOf('charge.success')).toHaveLength(2);
  });

  test.each([
    ['cash', CASH],
    ['transfer', TRANSFER],
  ])('prevents the %s payment from being assigned to a different bill', async (_, said) => {
    await mark(said);
    const [row] = await world.rows('RECEIPT');
    const id = String(row?.receipt_id);
    await undo();
    await shop.arrive({ sender: 'MobileMoney', text: `We have reversed the transaction ${ID} of GHS 77.00.` });
    const other = await shop.charge({ amount: 77 });
    const assign = () => shop.call('receipt/assign', { parameters: { id }, body: { reference: other } });
    expect(await assign()).toMatchObject({ status: 409, json: { code: 'receipt_not_held' } });
    await manager.visit(`/dashboard/held/${id}/take-back`, { form: {} });
    expect((await assign()).status).toBe(409);
    const give = { form: { reference: other, shown: 'unverified' } };
    await manager.visit(`/dashboard/held/${id}/give`, give);
    expect(await verified(other)).toMatchObject({ status: 'pending' });
  });

  test('allows a second mark with the same id', async () => {
    await mark({ ...TRANSFER, amount: '7.70' });
    await undo();
    expect(await verified()).toMatchObject({ status: 'pending', parts: [] });
    expect((await mark(TRANSFER)).status).toBe(303);
    expect(await verified()).toMatchObject({ status: 'success', amount_paid: 77 });
  });

  test('leaves the reversal in doubt if the bill is marked again', async () => {
    const book = await provenBook(world, shop, 6);
    manager = await shop.signIn('manager');
    const text = book.paid(77, { from: 'AMA SAMPLE' });
    const again = { ...TRANSFER, transaction_id: text.id };
    await mark(again);
    await shop.arrive({ sender: 'MobileMoney', text: `We have reversed the transaction ${text.id} of GHS 77.00.` });
    await undo();
    expect((await mark(again)).status).toBe(303);
    expect(await shop.receipt(text)).toMatchObject({ state: 'matched', reversal_doubt_at: expect.any(String) });
    await shop.pay(text);
    await world.followPayments();
    expect(await shop.receipt(text)).toMatchObject({ state: 'matched', sender: 'MobileMoney' });
    expect(await verified()).toMatchObject({ status: 'success', proof: { state: 'unproven' } });
  });

  test('leaves the reversal in doubt if the bill is marked again and then cancelled', async () => {
    const book = await provenBook(world, shop, 6);
    reference = await shop.charge({ amount: 77 });
    manager = await shop.signIn('manager');
    const text = book.paid(50, { from: 'AMA SAMPLE' });
    const again = { ...TRANSFER, amount: '50', transaction_id: text.id };
    await mark(again);
    await shop.arrive({ sender: 'MobileMoney', text: `We have reversed the transaction ${text.id} of GHS 50.00.` });
    await undo();
    expect((await mark(again)).status).toBe(303);
    await shop.pay(text);
    expect((await shop.call('transaction/cancel', { parameters: { reference } })).status).toBe(200);
    await world.settle({ receipt_id: shop.paymentId(text) });
    expect(await shop.receipt(text)).toMatchObject({ state: 'held', reason: 'conflict', proof: { state: 'proven' } });
    const other = await shop.charge({ amount: 50 });
    expect((await shop.assign(text, other)).status).toBe(200);
    await world.settle({ receipt_id: shop.paymentId(text) });
    expect(await verified(other)).toMatchObject({ status: 'success', proof: { state: 'unproven' } });
  });

  describe('with the id of another bill’s payment whose reversal is in doubt', () => {
    let other: string;
    let text: BookedText;
    beforeEach(async () => {
      const book = await provenBook(world, shop, 6);
      manager = await shop.signIn('manager');
      [reference, other] = [await shop.charge({ amount: 77 }), await shop.charge({ amount: 50 })];
      // The text before this one is missing.
      book.pesewas += 7_00;
      text = book.paid(50, { from: 'YAW OSEI', reference: other });
      await mark({ ...TRANSFER, transaction_id: text.id });
    });
    const doubt = () =>
      shop.arrive({ sender: 'MobileMoney', text: `Transaction ${text.id} of GHS 50.00 will be reversed.` });
    const later = async () => {
      world.clock.nowMs += 3 * 60_000;
      await world.followPayments();
    };

    test('leaves the payment held', async () => {
      await shop.pay(text);
      await doubt();
      expect((await undo()).status).toBe(303);
      await later();
      expect(await verified(other)).toMatchObject({ status: 'pending' });
      expect(await shop.listed('held')).toContainEqual(expect.objectContaining({ amount: 50, reason: 'conflict' }));
    });

    test('puts the payment on hold if its text arrives afterwards', async () => {
      await doubt();
      expect((await undo()).status).toBe(303);
      await shop.pay(text);
      expect(await verified(other)).toMatchObject({ status: 'pending' });
      await later();
      const held = { state: 'held', reason: 'conflict', reversal_doubt_at: expect.any(String), sender: 'MobileMoney' };
      expect(await shop.receipt(text)).toMatchObject(held);
      expect(await verified(other)).toMatchObject({ status: 'pending' });
    });
  });

  test('lets a second payment pay the bill', async () => {
    await mark(CASH);
    await shop.pay(textOf({ reference }));
    await undo();
    await world.followPayments();
    expect(await verified()).toMatchObject({ status: 'success', payment: { transaction_id: ID } });
  });

  test('lets an overdue bill expire', async () => {
    reference = await shop.charge({ amount: 77, expires_in: 3600 });
    await mark(CASH);
    world.clock.nowMs += 2 * HOUR_MS;
    manager = await shop.signIn('manager');
    await undo();
    expect(await verified()).toMatchObject({ status: 'expired' });
    await shop.pay(textOf({ reference }));
    expect(await verified()).toMatchObject({ status: 'expired' });
    await world.housekeeping();
    expect(await verified()).toMatchObject({ status: 'expired', expired_at: world.iso() });
  });

  test('lets an overdue bill expire even while housekeeping is removing its expiry', async () => {
    reference = await shop.charge({ amount: 77, expires_in: 3600 });
    await world.followChanges();
    const part = textOf({ reference, amount: '30.00' });
    await shop.pay(part);
    await mark({ ...CASH, amount: '47' });
    world.clock.nowMs += 2 * HOUR_MS;
    manager = await shop.signIn('manager');
    world.rightBefore('TransactWriteItems', () => undo(), 'EXPIRY');
    await world.housekeeping();
    await world.housekeeping();
    expect(await world.chargeRow(reference)).toMatchObject({ state: 'expired' });
    expect(await shop.receipt(part)).toMatchObject({ state: 'held', reason: 'charge_expired' });
  });

  test.each([
    ['was the only payment', [], { state: 'pending', amount_pesewas: 850_00 }],
    ['was one of several part payments', ['300.00'], { state: 'success', amount_pesewas: 300_00 }],
  ])('restores the amount of a request’s expired bill if the mark %s', async (_, parts, restored) => {
    const lines = [{ description: 'Tuition', amount: 850 }];
    reference = await world.openPart(await shop.request({ title: 'School fees', lines }), '850');
    for (const amount of parts) await shop.pay(mtn({ reference, amount }));
    world.clock.nowMs += 20 * HOUR_MS;
    manager = await shop.signIn('manager');
    await mark({ ...CASH, amount: '100' });
    const charge = await world.chargeRow(reference);
    world.clock.nowMs = Date.parse(charge.expires_at) + HOUR_MS;
    await endCharge(world.outside, expiryOf(charge));
    manager = await shop.signIn('manager');
    expect((await undo()).status).toBe(303);
    expect(await world.chargeRow(reference)).toMatchObject(restored);
    if (restored.state === 'pending') await endCharge(world.outside, expiryOf(charge));
    const rest = mtn({ reference, amount: '550.00' });
    await shop.pay(rest);
    expect((await shop.assign(rest, reference)).json.data).toMatchObject({ amount: 850, overpaid: 0 });
  });

  test.each([
    [
      'assigned',
      async () => {
        const held = mtn({ amount: '50.00' });
        await shop.pay(held);
        await shop.assign(held, reference);
      },
    ],
    ['marked', async () => void (await mark({ ...CASH, amount: '50', enough: 'on' }))],
  ])('leaves the bill paid if a smaller amount was accepted (%s)', async (_, accept) => {
    await accept();
    world.clock.nowMs += 60_000;
    await mark({ ...CASH, amount: '20' });
    expect(await verified()).toMatchObject({ status: 'success', amount_paid: 70 });
    await undo();
    expect(await verified()).toMatchObject({ status: 'success', amount_paid: 50, payment: { amount: 50 } });
  });

  test('reopens the bill if the smaller amount was accepted after the mark', async () => {
    await mark({ ...CASH, amount: '20' });
    world.clock.nowMs += 60_000;
    const held = mtn({ amount: '50.00' });
    await shop.pay(held);
    await shop.assign(held, reference);
    await undo();
    expect(await verified()).toMatchObject({ status: 'pending', amount_paid: 50 });
  });

  test.each([
    ['a bill', () => shop.charge({ amount: 77 })],
    ['a request’s bill', async () => world.openPart(await shop.request(ONE_LINE), '77')],
  ])('puts a cancelled bill’s part payment on hold: %s', async (_, open) => {
    reference = await open();
    const part = mtn({ reference, amount: '20.00' });
    await shop.pay(part);
    await shop.call('transaction/cancel', { parameters: { reference } });
    for (let n = 0; n < 2; n++) {
      await mark(CASH);
      expect(await verified()).toMatchObject({ status: 'success', amount_paid: 97 });
      await undo();
      expect(await verified()).toMatchObject({ status: 'cancelled', held: { amount: 20 } });
      expect(await shop.receipt(part)).toMatchObject({ state: 'held', reason: 'charge_cancelled' });
    }
    expect((await shop.assign(part, await shop.charge({ amount: 20 }))).status).toBe(200);
  });

  test('leaves a cancelled bill cancelled', async () => {
    await shop.setWebhook();
    await shop.call('transaction/cancel', { parameters: { reference } });
    await mark(CASH);
    expect((await manager.visit(`/dashboard/charges/${reference}`)).text).toContain('The bill is cancelled again.');
    expect((await undo()).status).toBe(303);
    expect(await verified()).toMatchObject({ status: 'cancelled', payment: null, paid_at: null, amount_paid: 0 });
    expect(await eventsOf('charge.unmarked')).toMatchObject([{ body: { data: { status: 'cancelled' } } }]);
    expect(await eventsOf('charge.cancelled')).toHaveLength(1);
    await shop.pay(textOf({ reference }));
    expect(await verified()).toMatchObject({ status: 'cancelled' });
    expect(await rowOf()).toMatchObject({ state: 'held' });
  });

  test.each([
    [
      'after a day',
      async () => {
        world.clock.nowMs += DAY_MS;
      },
    ],
    ['after the payment’s text has arrived', async () => void (await shop.pay(textOf()))],
    [
      'after a refund is recorded',
      async () => void (await shop.call('transaction/refund', { parameters: { reference }, body: { amount: 5 } })),
    ],
  ])('is rejected %s', async (_, before) => {
    await mark(TRANSFER);
    await before();
    manager = await shop.signIn('manager');
    expect((await undo()).status).toBe(409);
    expect(await verified()).toMatchObject({ status: 'success' });
  });

  test('requires a recent passkey sign-in', async () => {
    await mark(CASH);
    world.clock.nowMs += 6 * 60_000;
    const { status, headers } = await undo();
    expect({ status, location: headers.location }).toEqual({
      status: 303,
      location: expect.stringContaining('sign-in/confirm'),
    });
    expect(await verified()).toMatchObject({ status: 'success' });
  });

  test('makes the stock code wait for a manager again', async () => {
    await shop.setWebhook();
    const { json } = await shop.call('link/create', { body: { title: 'Router', amount: 900, codes: ['CODE-1'] } });
    reference = (await world.openLink(json.data.slug)).reference;
    await mark({ ...CASH, amount: '900' });
    await world.tell(8);
    expect(await verified()).toMatchObject({ status: 'success', code: { status: 'to_release' } });
    await undo();
    expect(await verified()).toMatchObject({ status: 'pending', code: { status: 'unpaid' } });
    await shop.pay(mtn({ reference, amount: '900.00' }));
    await world.tell(8);
    expect(await verified()).toMatchObject({ status: 'success', code: { status: 'to_release' } });
    expect(await eventsOf('charge.code_waiting')).toHaveLength(2);
  });

  test('is rejected after the goods are released', async () => {
    await mark(CASH);
    await manager.visit(`/dashboard/charges/${reference}/release`, { form: { shown: 'unverified' } });
    expect((await undo()).status).toBe(409);
    expect(await verified()).toMatchObject({ status: 'success' });
  });

  test('is rejected after a stock code is issued', async () => {
    const { json } = await shop.call('link/create', { body: { title: 'Router', amount: 30, codes: ['CODE-1'] } });
    const { reference: of } = await world.openLink(json.data.slug);
    await mark({ how: 'cash', amount: '30' }, of);
    await world.tell(8);
    expect((await undo(of)).status).toBe(409);
    expect(await verified(of)).toMatchObject({ status: 'success', code: { status: 'given' } });
  });
});

test('the daily closing lists marked bills separately', async () => {
  await shop.pay(mtn({ amount: '5.00', reference: await shop.charge({ amount: 5 }) }));
  await mark(CASH);
  await mark(TRANSFER, await shop.charge({ amount: 77 }));
  const { text } = await manager.visit('/dashboard/till/closing');
  expect(valuesOf(text, 'Arrived on your numbers')).toEqual([expect.stringMatching(/^GHS 5\.00 \(1\)/)]);
  expect(valuesOf(text, 'Cash, manually marked as paid')).toEqual(['GHS 77.00 (1) Not verified']);
  expect(valuesOf(text, 'MoMo, manually marked as paid')).toEqual([expect.stringMatching(/^GHS 77\.00 \(1\)/)]);
});

test('undoing a mark reopens its payment request', async () => {
  const slug = await shop.request({ title: 'School fees', lines: [{ description: 'Tuition', amount: 77 }] });
  const of = await world.openPart(slug, '77');
  const state = async () => {
    await world.tell(3);
    const { status, amount_paid, proof } = await shop.shownRequest(slug);
    return { status, amount_paid, proof: proof?.state };
  };
  await mark(CASH, of);
  expect(await state()).toEqual({ status: 'paid', amount_paid: 77, proof: 'unproven' });
  await undo(of);
  expect(await state()).toMatchObject({ status: 'open', amount_paid: 0 });
});
