import { beforeEach, describe, expect, test } from 'vitest';
import { receiptRows } from '../../../shared/money/receipt/receipt.table.ts';
import { DAY_MS, HOUR_MS } from '../../../shared/runtime/values/calendar.ts';
import { expectAnswer, expectWords } from '../../support/answers.ts';
import { valuesOf } from '../../support/page-words.ts';
import { mtn, newNumber, placeNumber, reversal } from '../../support/receipts.ts';
import { type Person, type Scene, type Shop, scene } from '../../support/scene.ts';
import { type BookedText, establishedBook } from '../../support/wallet-book.ts';

// A manager or owner marks a bill as paid by money without a receipt.

const LOOK_FIRST = 'Look in your MoMo balance first.';
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
const CASH = { how: 'cash', amount: '77' };
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
  // Pages remember a shop for a minute.
  world.clock.nowMs += 2 * 60_000;
  return { ...shop, number };
}

describe('the form to mark a bill as paid', () => {
  test.each([
    ['transfer', 'how=transfer', [LOOK_FIRST, 'Transaction ID', 'stays not verified']],
    ['cash', 'how=cash', ['Count the cash first', 'stays not verified']],
  ])('for %s says to look first, and that nothing verifies it', async (_, query, words) => {
    const { text } = await manager.visit(page(), { query: Object.fromEntries(new URLSearchParams(query)) });
    expectWords(text, words);
  });

  test('asks for a passkey that is not fresh', async () => {
    world.clock.nowMs += 6 * 60_000;
    const { status, headers } = await mark(CASH);
    expect({ status, location: headers.location }).toEqual({
      status: 303,
      location: expect.stringContaining('sign-in/confirm'),
    });
    expect(await verified()).toMatchObject({ status: 'pending' });
  });

  test.each(['cashier', 'viewer', 'developer'] as const)('is refused to a %s', async (role) => {
    const by = await shop.signIn(role);
    expect((await by.visit(page())).status).toBe(403);
    expect((await mark(CASH, reference, by)).status).toBe(403);
    expect((await by.visit(`/dashboard/charges/${reference}`)).text).not.toContain('Paid in cash');
  });

  test.each([
    ['an id that is none', { transaction_id: '12' }, 'transaction ID that your wallet shows'],
    ['an id with a zero before it', { transaction_id: `0${ID}` }, 'transaction ID that your wallet shows'],
    ['a phone number as an id', { transaction_id: '233241234567' }, 'transaction ID that your wallet shows'],
    ['no name', { payer: '' }, 'name that your wallet shows'],
    ['a name without letters', { payer: '.' }, 'name that your wallet shows'],
    ['a title alone', { payer: 'Mr' }, 'name that your wallet shows'],
    ['a number that is not the shop’s', { number: '+233209999999' }, 'MoMo number of yours'],
  ])('refuses %s', async (_, wrong, words) => {
    expectAnswer(await mark({ ...TRANSFER, ...wrong }), 400, words);
    expect(await verified()).toMatchObject({ status: 'pending' });
  });
});

describe('a bill marked as paid', () => {
  test('by a transfer is unverified on the API and in its event', async () => {
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

  test('in cash gets an id of ours and no wallet', async () => {
    await mark(CASH);
    const { payment } = await verified();
    expect(payment).toMatchObject({ transaction_id: expect.stringMatching(/^CASH\d{12}$/), marked: { how: 'cash' } });
    expect(payment.reversible_until).toBe(payment.received_at);
    expect((await manager.visit(`/dashboard/charges/${reference}`)).text).toContain('Marked as paid in cash');
  });

  test('stays unverified after a person releases its goods', async () => {
    await mark(CASH);
    expect(
      (await manager.visit(`/dashboard/charges/${reference}/release`, { form: { shown: 'unverified' } })).status,
    ).toBe(303);
    expect(await verified()).toMatchObject({ proof: { state: 'unproven' } });
    expectWords((await manager.visit(`/dashboard/charges/${reference}`)).text, ['Not verified'], ['Release the goods']);
  });

  test('stays unverified if a text arrives after its goods were released', async () => {
    await mark(TRANSFER);
    await manager.visit(`/dashboard/charges/${reference}/release`, { form: { shown: 'unverified' } });
    await shop.pay(textOf());
    expect(await verified()).toMatchObject({ proof: { state: 'unproven' }, payment: { marked: null } });
  });

  test.each([
    ['of a transfer', TRANSFER, 'Ama \u202eelpmaS', 'Ama elpmaS'],
    ['of cash', CASH, '\u2067Ama\u2069  Sample', 'Ama Sample'],
    ['of cash, which is nothing else', CASH, '\u202e', null],
  ])('shows no sign that turns the name of its payer round: %s', async (_, said, payer, shown) => {
    expect((await mark({ ...said, payer })).status).toBe(303);
    expect(await verified()).toMatchObject({ payment: { payer_name: shown } });
  });

  test('turns wide digits of an id into plain ones', async () => {
    await mark({ ...TRANSFER, transaction_id: '５１０００７７００７７' });
    expect(await verified()).toMatchObject({ payment: { transaction_id: ID } });
  });

  test('by less than the amount waits for the rest, unless accepted as enough', async () => {
    await mark({ ...CASH, amount: '50' });
    expect(await verified()).toMatchObject({
      status: 'pending',
      amount_paid: 50,
      parts: [{ marked: { how: 'cash' } }],
    });
    await mark({ ...CASH, amount: '20', enough: 'on' });
    expect(await verified()).toMatchObject({ status: 'success', amount_paid: 70 });
  });

  test('treats a later payment as a second one', async () => {
    await mark(CASH);
    await shop.pay(textOf({ reference }));
    expect(await verified()).toMatchObject({ status: 'success', second_payments: [{ amount: 77 }] });
    expect(await rowOf()).toMatchObject({ state: 'held', reason: 'already_paid' });
  });

  test('after its end by less than the amount is refused, unless accepted as enough', async () => {
    const of = await shop.charge({ amount: 77, expires_in: 3600 });
    world.clock.nowMs += 2 * HOUR_MS;
    manager = await shop.signIn('manager');
    expect((await manager.visit(page(of), { query: { how: 'cash' } })).text).toContain(
      'Less than what is due is enough',
    );
    const short = await mark({ ...CASH, amount: '50' }, of);
    expectAnswer(short, 400, 'tick that it is enough');
    expect(short.text).not.toContain('as_part');
    expect((await mark({ ...CASH, amount: '50', enough: 'on' }, of)).status).toBe(303);
    expect(await verified(of)).toMatchObject({ status: 'success', amount_paid: 50 });
  });

  test('in test mode takes no id of a real payment', async () => {
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

  test('releases a code within the limit for unverified payments, and waits above it', async () => {
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

describe('a typed transaction id', () => {
  test.each([
    [
      'that paid another bill',
      async () => shop.pay(textOf({ reference: await shop.charge({ amount: 77 }) })),
      'known already',
    ],
    ['of a payment that waits', async () => shop.pay(textOf()), 'Payments to check'],
    ['that the network took back before it came', async () => shop.arrive(reversal(ID, '77.00')), 'known already'],
    ['that was marked before', async () => mark(TRANSFER, await shop.charge({ amount: 77 })), 'known already'],
  ])('%s is refused', async (_, before, words) => {
    await before();
    expectAnswer(await mark(TRANSFER), 400, words);
    expect(await verified()).toMatchObject({ status: 'pending' });
  });

  test('pays nothing again when its text arrives later, whatever bill it names', async () => {
    await mark(TRANSFER);
    const other = await shop.charge({ amount: 77 });
    await shop.pay(textOf({ reference: other }));
    expect(await verified(other)).toMatchObject({ status: 'pending' });
    expect(await rowOf()).toMatchObject({ state: 'matched', reference, sender: 'MobileMoney' });
    expect(await verified()).toMatchObject({ status: 'success', payment: { marked: null, payer_name: 'AMA SAMPLE' } });
    expect(await shop.listed('held')).toEqual([]);
  });

  test('with a different amount or payer in its text puts the bill in doubt', async () => {
    for (const differs of [{ amount: '76.00' }, { from: 'KOJO ANTWI' }]) {
      const of = await shop.charge({ amount: 77 });
      const id = mtn().id;
      await mark({ ...TRANSFER, transaction_id: id }, of);
      await shop.pay(textOf({ id, ...differs }));
      expect(await verified(of)).toMatchObject({ status: 'success', disputed: { why: 'conflict' } });
    }
    expect((await shop.listed('held')).map(({ reason }) => reason)).toEqual(['conflict', 'conflict']);
  });

  test('leaves the doubt about another part of the bill when the mark is undone', async () => {
    const part = mtn({ amount: '20.00', reference });
    await shop.pay(part);
    await mark({ ...TRANSFER, amount: '57' });
    for (const text of [mtn({ id: part.id, amount: '21.00' }), textOf({ amount: '33.00' })]) await shop.arrive(text);
    expect(await verified()).toMatchObject({ status: 'success', disputed: { why: 'conflict' } });
    expect((await undo()).status).toBe(303);
    expect(await verified()).toMatchObject({ status: 'pending', disputed: { why: 'conflict' } });
  });

  test('notes twenty of the texts that contradict it', async () => {
    await mark(TRANSFER);
    for (let n = 0; n < 23; n++) await shop.arrive(textOf({ amount: `${10 + n}.00` }));
    expect((await rowOf())?.contradicted_by).toHaveLength(20);
    expect((await undo()).status).toBe(303);
    expect(await verified()).toMatchObject({ status: 'pending', disputed: null });
  });

  test('that the network reverses also reverses the bill', async () => {
    await mark(TRANSFER);
    await shop.arrive(reversal(ID, '77.00'));
    expect(await verified()).toMatchObject({ status: 'reversed' });
  });

  test('cannot be claimed by a customer for another bill', async () => {
    await mark({ ...TRANSFER, payer: 'Kofi Mensah Boateng' });
    const other = await shop.charge({ amount: 77 });
    expect(await world.claim(other, ID)).toMatchObject({ outcome: 'unknown' });
  });

  test('cannot be claimed by a customer after the mark is undone and the payment put back', async () => {
    await mark({ ...TRANSFER, payer: 'Kofi Mensah Boateng' });
    await undo();
    await manager.visit(`/dashboard/charges/held/${shop.paymentId(textOf())}/take-back`, { form: {} });
    expect(await world.claim(reference, ID)).not.toMatchObject({ outcome: 'paid' });
    expect(await verified()).toMatchObject({ status: 'pending' });
  });

  test('can be marked after another shop on the number marked and undid it', async () => {
    const other = await world.createShop({ number: shop.number });
    const of = await other.charge({ amount: 77 });
    const by = await other.signIn('manager');
    await mark(TRANSFER);
    expectAnswer(await mark(TRANSFER, of, by), 400, 'known already');
    await undo();
    expect((await mark(TRANSFER, of, by)).status).toBe(303);
    expect(await other.verified(of)).toMatchObject({ status: 'success' });
  });

  describe('on a number that shops share', () => {
    let of: string;
    let by: Person;
    beforeEach(async () => {
      const other = await world.createShop({ number: shop.number });
      of = await other.charge({ amount: 77, expires_in: 3600 });
      await shop.pay(textOf());
      world.clock.nowMs += 2 * HOUR_MS;
      by = await other.signIn('manager');
    });

    test('is not looked for before the amount is checked', async () => {
      for (const transaction_id of [ID, '51000770078'])
        expectAnswer(await mark({ ...TRANSFER, amount: '1', transaction_id }, of, by), 400, 'tick that it is enough');
    });

    test('is looked for five times in ten minutes', async () => {
      for (let n = 0; n < 5; n++) expectAnswer(await mark(TRANSFER, of, by), 400, 'known already');
      expectAnswer(await mark(TRANSFER, of, by), 429, 'Try again in');
      world.clock.nowMs += 10 * 60_000;
      by = await world.signIn('manager', by.user.merchant_id ?? '');
      expect((await mark({ ...TRANSFER, transaction_id: '51000770078' }, of, by)).status).toBe(303);
    });
  });

  describe('of another payment', () => {
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

    test('pays its own bill once the mark is undone and clears its doubt; a copy changes nothing', async () => {
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

    test('pays its own bill by hand, and the marked bill stays in doubt', async () => {
      await mark(TRANSFER);
      await shop.pay(textOfOther());
      const give = { form: { reference: other, shown: 'contradicted' } };
      expect((await manager.visit(`/dashboard/charges/held/${await conflicting()}/give`, give)).status).toBe(303);
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

    test('with two different texts waits for a person', async () => {
      await mark(TRANSFER);
      await shop.pay(textOfOther());
      await shop.pay(mtn({ amount: '60.00', from: 'KOJO ANTWI', id: ID, reference: other }));
      await undoAndFollow();
      expect(await verified(other)).toMatchObject({ status: 'pending' });
      expect((await shop.listed('held')).map(({ reason }) => reason)).toEqual(['conflict', 'conflict']);
    });
  });

  test.each([
    ['another shop', async () => world.createShop(), null],
    ['the same shop', async () => shop, { why: 'conflict' }],
  ])('typed by %s yields to a verified text', async (_, shopThatTypes, disputed) => {
    const book = await establishedBook(world, shop, 6);
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

  describe('of a payment verified later', () => {
    let text: BookedText;
    let before: BookedText;
    let typed: string;
    let paid: string;
    const conflicts = async () => (await shop.listed('held')).filter(({ reason }) => reason === 'conflict').length;
    const settleAgain = () => world.work('settle-receipt', [{ receipt_id: shop.paymentId(text) }]);
    beforeEach(async () => {
      const book = await establishedBook(world, shop, 6);
      manager = await shop.signIn('manager');
      [typed, paid] = [await shop.charge({ amount: 1 }), await shop.charge({ amount: 500 })];
      before = book.spent(20);
      text = book.paid(500, { reference: paid });
      await mark({ ...TRANSFER, amount: '1', payer: 'Esi Nobody', transaction_id: text.id }, typed);
      await shop.pay(text);
    });

    test('waits in conflict, then pays its own bill; a copy changes nothing', async () => {
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

    describe('after the mark was undone', () => {
      beforeEach(async () => {
        await shop.prove('enforce');
        expect((await undo(typed)).status).toBe(303);
        world.clock.nowMs += 3 * 60_000;
        await world.followPayments();
        expect(await verified(paid)).toMatchObject({ status: 'pending' });
      });

      test('pays its own bill; a copy changes nothing', async () => {
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

      test('is not typed again', async () => {
        const again = { ...TRANSFER, amount: '1', payer: 'Esi Nobody', transaction_id: text.id };
        expectAnswer(await mark(again, typed), 400, 'Payments to check');
      });

      test('waits for a person if a second text differs', async () => {
        await shop.pay({ ...text, text: text.text.replace('500.00 from', '700.00 from') });
        await shop.arrive(before);
        await settleAgain();
        expect(await verified(paid)).toMatchObject({ status: 'pending' });
        expect(await conflicts()).toBe(2);
      });
    });

    test('waits for a person if a second text differs', async () => {
      await shop.pay({ ...text, text: text.text.replace('500.00 from', '700.00 from') });
      await shop.arrive(before);
      await settleAgain();
      expect(await verified(paid)).toMatchObject({ status: 'pending' });
      expect(await conflicts()).toBe(2);
    });
  });

  describe('that another shop typed', () => {
    beforeEach(async () => {
      const stranger = await world.createShop();
      await mark(TRANSFER, await stranger.charge({ amount: 77 }), await stranger.signIn('manager'));
    });

    test('keeps no payment from the bill that its reference names', async () => {
      await shop.pay(textOf({ reference }));
      expect(await verified()).toMatchObject({ status: 'success', disputed: null });
    });

    test('keeps no customer from their payment that waits', async () => {
      await shop.pay(textOf({ reference: 'x', from: 'KOFI MENSAH BOATENG' }));
      expect(await shop.listed('held')).toMatchObject([{ reason: 'no_charge' }]);
      expect(await world.claim(reference, ID)).toMatchObject({ outcome: 'paid' });
    });

    test('keeps no person from giving the payment to its bill, and stays as it was', async () => {
      await shop.pay(textOf({ reference: 'x' }));
      expect((await shop.assign(textOf(), reference)).status).toBe(200);
      expect((await world.rows('TRANSACTION')).map(({ state, disputed }) => ({ state, disputed }))).toEqual([
        { state: 'success', disputed: undefined },
        { state: 'success', disputed: undefined },
      ]);
    });

    test('may be typed here too, once', async () => {
      expect((await mark(TRANSFER)).status).toBe(303);
      expectAnswer(await mark(TRANSFER, await shop.charge({ amount: 77 })), 400, 'known already');
    });
  });

  describe('on a number that two shops share, of a text that names a bill of the other', () => {
    let other: Shop;
    let theirs: string;
    const states = async () => [await verified(), await other.verified(theirs)];
    const doubted = { status: 'success', disputed: { why: 'conflict' } };
    beforeEach(async () => {
      other = await world.createShop({ number: shop.number });
      theirs = await other.charge({ amount: 77 });
    });

    test('pays that bill and puts the marked one in doubt; a copy changes nothing', async () => {
      await mark(TRANSFER);
      const text = textOf({ reference: theirs });
      for (let n = 0; n < 2; n++) {
        await shop.pay(text);
        expect(await states()).toMatchObject([doubted, { status: 'success', disputed: null }]);
        expect({ own: await shop.listed('held'), other: await other.listed('held') }).toEqual({ own: [], other: [] });
      }
    });

    test.each([
      ['pays that bill where its amount differs too', '77.50', { status: 'success', amount_paid: 77.5 }],
      ['counts towards that bill where it is less', '70.00', { status: 'pending', amount_paid: 70 }],
    ])('%s', async (_, amount, their) => {
      await mark(TRANSFER);
      await shop.pay(textOf({ amount, reference: theirs }));
      expect(await states()).toMatchObject([doubted, their]);
      expect(await shop.listed('held')).toEqual([]);
    });

    test('pays that bill where it was typed for another number of the shop', async () => {
      const { number } = await addNumber();
      await mark({ ...TRANSFER, number });
      await shop.pay(textOf({ reference: theirs }));
      expect(await states()).toMatchObject([doubted, { status: 'success', disputed: null }]);
    });

    test('waits for the other shop where that bill has ended, and the mark is in doubt', async () => {
      await other.call('transaction/cancel', { parameters: { reference: theirs } });
      await mark(TRANSFER);
      await shop.pay(textOf({ reference: theirs }));
      expect(await verified()).toMatchObject(doubted);
      expect(await shop.listed('held')).toEqual([]);
      expect(await other.listed('held')).toMatchObject([{ reason: 'charge_cancelled' }]);
    });

    test('leaves that bill in doubt where a second text differs', async () => {
      await mark(TRANSFER);
      await shop.pay(textOf({ reference: theirs }));
      await shop.pay(textOf({ reference: theirs, amount: '78.00' }));
      expect(await states()).toMatchObject([doubted, doubted]);
      expect(await shop.listed('held')).toEqual([]);
      expect(await other.listed('held')).toMatchObject([{ reason: 'conflict' }]);
    });

    test('pays that bill once it is verified, where the chain decides', async () => {
      const book = await establishedBook(world, shop, 6);
      await shop.prove('enforce');
      world.clock.nowMs += 3 * 60_000;
      manager = await shop.signIn('manager');
      theirs = await other.charge({ amount: 77 });
      const paid = book.paid(77, { reference: theirs });
      await mark({ ...TRANSFER, payer: 'Kofi Mensah Boateng', transaction_id: paid.id });
      await shop.arrive(paid);
      expect(await states()).toMatchObject([doubted, { status: 'success', proof: { state: 'proven' } }]);
    });

    test('shows neither shop a text that names no bill and says something else', async () => {
      await mark(TRANSFER);
      await shop.pay(textOf({ amount: '78.00' }));
      expect(await verified()).toMatchObject(doubted);
      expect({ own: await shop.listed('held'), other: await other.listed('held') }).toEqual({ own: [], other: [] });
    });
  });

  describe('of a shop with two numbers', () => {
    let second: Shop;
    beforeEach(async () => {
      second = await addNumber();
    });
    const markFirst = (of?: string) => mark({ ...TRANSFER, number: shop.number }, of);

    test.each([
      ['waits', async () => second.pay(textOf()), 'Payments to check'],
      ['was taken back', async () => second.arrive(reversal(ID, '77.00')), 'known already'],
      [
        'was marked',
        async () => mark({ ...TRANSFER, number: second.number }, await shop.charge({ amount: 77 })),
        'known already',
      ],
    ])('is refused where its payment %s on the other number', async (_, before, words) => {
      await before();
      expectAnswer(await markFirst(), 400, words);
    });

    test('is refused where its payment waits on the number that the bill names, and the shop had before', async () => {
      await shop.pay(textOf());
      await shop.change({ momo_accounts: [{ number: second.number, network: 'MTN', account_name: 'A' }] });
      world.clock.nowMs += 2 * 60_000;
      expectAnswer(await mark({ ...TRANSFER, number: second.number }), 400, 'Payments to check');
    });

    test('is found by a text to the other number, which pays nothing again; a copy changes nothing', async () => {
      await markFirst();
      const other = await shop.charge({ amount: 77 });
      for (let copy = 0; copy < 2; copy++) await second.pay(textOf({ reference: other }));
      expect(await verified()).toMatchObject({ status: 'success', disputed: null, payment: { marked: null } });
      expect(await verified(other)).toMatchObject({ status: 'pending' });
      expect(await shop.listed('held')).toEqual([]);
      await second.arrive(reversal(ID, '77.00'));
      expect(await verified()).toMatchObject({ status: 'reversed' });
    });

    test('is in doubt after a text to the other number that says something else', async () => {
      await markFirst();
      await second.pay(textOf({ amount: '76.00' }));
      expect(await verified()).toMatchObject({ status: 'success', disputed: { why: 'conflict' } });
      expect(await shop.listed('held')).toMatchObject([{ reason: 'conflict' }]);
    });

    test('is reversed by a text to the other number, and a text that comes late pays nothing', async () => {
      await markFirst();
      await second.arrive(reversal(ID, '77.00'));
      expect(await verified()).toMatchObject({ status: 'reversed' });
      const other = await shop.charge({ amount: 77 });
      await second.pay(textOf({ reference: other }));
      expect(await verified(other)).toMatchObject({ status: 'pending' });
      expect((await shop.listed('held')).map(({ reason }) => reason)).toEqual(['reversed', 'reversed']);
    });

    test('that another shop typed and undid is still found by a text to the other number', async () => {
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

    test('marks one bill where its text comes to the other number at the same moment', async () => {
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

    /** The shop by another number of it. */
  });

  test('does not keep a reversal from the payment if another shop typed it', async () => {
    const other = await world.createShop();
    const of = await other.charge({ amount: 1 });
    await mark({ ...TRANSFER, amount: '1' }, of, await other.signIn('manager'));
    await shop.pay(textOf());
    await shop.arrive(reversal(ID, '77.00'));
    expect(await rowOf()).toMatchObject({ state: 'held', reason: 'reversed' });
    expect(await other.verified(of)).toMatchObject({ status: 'success' });
  });
});

test("verifies the marked bill once a text continues the wallet's balance", async () => {
  const book = await establishedBook(world, shop, 6);
  manager = await shop.signIn('manager');
  reference = await shop.charge({ amount: 77 });
  const text = book.paid(77, { reference: 'lunch' });
  const payer = /from ([A-Z ]+) Current/.exec(text.text)?.[1] ?? '';
  expect((await mark({ ...TRANSFER, payer, transaction_id: text.id })).status).toBe(303);
  expect(await verified()).toMatchObject({ proof: { state: 'unproven' } });
  await shop.pay(text);
  expect(await verified()).toMatchObject({ status: 'success', proof: { state: 'proven' }, payment: { marked: null } });
});

describe('an unreadable text', () => {
  let path: string;
  beforeEach(async () => {
    await shop.arrive({ sender: 'MobileMoney', text: `Ama Sample don send you GHS 77.00. ID ${ID}` });
    const { text } = await manager.visit('/dashboard/charges/held', { query: { list: 'unread' } });
    path = /href="(\/dashboard\/charges\/held\/TEXT-[^"/]+)"/.exec(text)?.[1] ?? '';
  });
  const textId = () => path.split('/').at(-1) ?? '';

  test('leads to a bill, which it marks as paid, and then stops waiting', async () => {
    expect((await manager.visit('/dashboard/charges/held', { query: { list: 'unread' } })).text).toContain(
      `${path}/mark`,
    );
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

  test('marks one bill until that is undone', async () => {
    await mark({ ...TRANSFER, how: 'text', text: textId() });
    const other = await shop.charge({ amount: 77 });
    const again = { ...TRANSFER, how: 'text', text: textId(), transaction_id: mtn().id };
    expectAnswer(await mark(again, other), 400, 'decided by now');
    await undo();
    expect((await manager.visit('/dashboard/today')).text).toContain('not understood');
    expect((await mark(again, other)).status).toBe(303);
  });

  test('cannot be set aside as no payment after it marked a bill', async () => {
    await mark({ ...TRANSFER, how: 'text', text: textId() });
    expectAnswer(await manager.visit(`${path}/set-aside`, { form: {} }), 409, 'Undo that mark first');
  });

  test('of another shop marks nothing', async () => {
    const stranger = await world.createShop();
    const by = await stranger.signIn('manager');
    const of = await stranger.charge({ amount: 77 });
    expect((await mark({ ...TRANSFER, how: 'text', text: textId() }, of, by)).status).toBe(404);
  });
});

describe('an id of AT Money', () => {
  const AT_ID = 'GM251127.0930.C09997';
  let at: Shop;
  let by: Person;
  beforeEach(async () => {
    at = await world.createShop({ network: 'AT', number: '+233271110021' });
    by = await at.signIn('manager');
  });

  test('marks a bill from its message as the wallet shows it, and finds that bill', async () => {
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

  test('of the same minute is another one, and the same one in another spelling is refused', async () => {
    const said = { how: 'transfer', amount: '29.99', payer: 'Kofi Sample' };
    const statuses = [];
    for (const transaction_id of [AT_ID, 'GM251127.0930.C09998', 'gm2511270930c09997'])
      statuses.push((await mark({ ...said, transaction_id }, await at.charge({ amount: 29.99 }), by)).status);
    expect(statuses).toEqual([303, 303, 400]);
  });
});

describe('an id from a spreadsheet', () => {
  test.each([`${ID}.0`, `${ID}.00`])('%s is the id without its decimals', async (transaction_id) => {
    await mark({ ...TRANSFER, transaction_id });
    expect((await verified()).payment).toMatchObject({ transaction_id: ID });
  });

  test('that has lost its digits is refused with what to type', async () => {
    expectAnswer(await mark({ ...TRANSFER, transaction_id: '5.1E+10' }), 400, 'type all of the digits');
  });
});

describe('a mark that is undone', () => {
  test('has the bill wait again, and says so by an event; its payment may then pay it', async () => {
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
    expect(await shop.audit(/charge unmark/)).toMatchObject([{ about: reference, by: manager.user.user_id }]);
    await shop.pay(textOf({ reference }));
    expect(await verified()).toMatchObject({ status: 'success', payment: { matched_by: 'reference', marked: null } });
    expect(await eventsOf('charge.success')).toHaveLength(2);
  });

  test.each([
    ['cash', CASH],
    ['a transfer', TRANSFER],
  ])('of %s is given to no other bill, by a key or by a person', async (_, said) => {
    await mark(said);
    const [row] = await world.rows('RECEIPT');
    const id = String(row?.receipt_id);
    await undo();
    const other = await shop.charge({ amount: 77 });
    const assign = () => shop.call('receipt/assign', { parameters: { id }, body: { reference: other } });
    expect(await assign()).toMatchObject({ status: 409, json: { code: 'receipt_not_held' } });
    await manager.visit(`/dashboard/charges/held/${id}/take-back`, { form: {} });
    expect((await assign()).status).toBe(409);
    const give = { form: { reference: other, shown: 'unverified' } };
    await manager.visit(`/dashboard/charges/held/${id}/give`, give);
    expect(await verified(other)).toMatchObject({ status: 'pending' });
  });

  test('can be repeated with the same id', async () => {
    await mark({ ...TRANSFER, amount: '7.70' });
    await undo();
    expect(await verified()).toMatchObject({ status: 'pending', parts: [] });
    expect((await mark(TRANSFER)).status).toBe(303);
    expect(await verified()).toMatchObject({ status: 'success', amount_paid: 77 });
  });

  test('lets a second payment pay the bill', async () => {
    await mark(CASH);
    await shop.pay(textOf({ reference }));
    await undo();
    await world.followPayments();
    expect(await verified()).toMatchObject({ status: 'success', payment: { transaction_id: ID } });
  });

  test('expires with its bill if the time is over', async () => {
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

  test('leaves a cancelled bill cancelled, which a payment for it does not pay', async () => {
    await shop.setWebhook();
    await shop.call('transaction/cancel', { parameters: { reference } });
    await mark(CASH);
    expect((await manager.visit(`/dashboard/charges/${reference}`)).text).toContain('The bill is cancelled again.');
    expect((await undo()).status).toBe(303);
    expect(await verified()).toMatchObject({ status: 'cancelled', payment: null, paid_at: null, amount_paid: 0 });
    expect(await eventsOf('charge.unmarked')).toMatchObject([{ body: { data: { status: 'cancelled' } } }]);
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
    ['once a text of the payment was read', async () => void (await shop.pay(textOf()))],
    [
      'once money is noted to go back',
      async () => void (await shop.call('transaction/refund', { parameters: { reference }, body: { amount: 5 } })),
    ],
  ])('is refused %s', async (_, before) => {
    await mark(TRANSFER);
    await before();
    manager = await shop.signIn('manager');
    expect((await undo()).status).toBe(409);
    expect(await verified()).toMatchObject({ status: 'success' });
  });

  test('asks for a passkey that is not fresh', async () => {
    await mark(CASH);
    world.clock.nowMs += 6 * 60_000;
    const { status, headers } = await undo();
    expect({ status, location: headers.location }).toEqual({
      status: 303,
      location: expect.stringContaining('sign-in/confirm'),
    });
    expect(await verified()).toMatchObject({ status: 'success' });
  });

  test('is refused after a person released the goods', async () => {
    await mark(CASH);
    await manager.visit(`/dashboard/charges/${reference}/release`, { form: { shown: 'unverified' } });
    expect((await undo()).status).toBe(409);
    expect(await verified()).toMatchObject({ status: 'success' });
  });

  test('is refused after the goods have left', async () => {
    const { json } = await shop.call('link/create', { body: { title: 'Router', amount: 30, codes: ['CODE-1'] } });
    const { reference: of } = await world.openLink(json.data.slug);
    await mark({ how: 'cash', amount: '30' }, of);
    await world.tell(8);
    expect((await undo(of)).status).toBe(409);
    expect(await verified(of)).toMatchObject({ status: 'success', code: { status: 'given' } });
  });
});

test('a closing lists marked bills beside arrived payments, not among them', async () => {
  await shop.pay(mtn({ amount: '5.00', reference: await shop.charge({ amount: 5 }) }));
  await mark(CASH);
  await mark(TRANSFER, await shop.charge({ amount: 77 }));
  const { text } = await manager.visit('/dashboard/till/closing');
  expect(valuesOf(text, 'Arrived on your numbers')).toEqual([expect.stringMatching(/^GHS 5\.00 \(1\)/)]);
  expect(valuesOf(text, 'Cash, marked by hand')).toEqual(['GHS 77.00 (1) Not verified']);
  expect(valuesOf(text, 'MoMo, marked by hand')).toEqual([expect.stringMatching(/^GHS 77\.00 \(1\)/)]);
});

test('a payment request is paid by a mark, and open again once undone', async () => {
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
