import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { requireCharge } from '../../../shared/money/charge/charge.table.ts';
import { expiryOf } from '../../../shared/money/charge/expiry.table.ts';
import { paymentUseRows, receiptRows } from '../../../shared/money/receipt/receipt.table.ts';
import { namesOfPayments } from '../../../shared/money/receipt/shown-proof.ts';
import { prepareAssignment } from '../../../shared/money/settling/assign-receipt.ts';
import { endCharge } from '../../../shared/money/settling/end-charge.ts';
import { tillRows } from '../../../shared/money/till/till.table.ts';
import { MINUTE_MS } from '../../../shared/runtime/values/calendar.ts';
import { expectAnswer } from '../../support/answers.ts';
import { expectFailure } from '../../support/envelope.ts';
import { addNumber, mtn, post, type ReceiptText, reversal, settleAtOnce } from '../../support/receipts.ts';
import { type Person, type Scene, type Shop, scene } from '../../support/scene.ts';
import { type BookedText, provenBook, type WalletBook } from '../../support/wallet-book.ts';

// Two wallets receive texts with the same payment id.

let world: Scene;
let shop: Shop;
let rival: Shop;
let reference: string;
let theirs: string;

beforeEach(async () => {
  world = await scene({ inMemory: true });
  world.goToNoon();
  shop = await world.createShop();
  rival = await world.createShop();
  reference = await shop.charge({ amount: 300 });
  theirs = await rival.charge({ amount: 5 });
});

const forgedOf = ({ id }: Pick<ReceiptText, 'id'>, more: Parameters<typeof mtn>[0] = {}) =>
  mtn({ reference: theirs, amount: '5.00', id, ...more });
const useOf = ({ id }: Pick<ReceiptText, 'id'>) =>
  paymentUseRows.find(world.outside, { network: 'MTN', transaction_id: id });
const proofOf = (of: Shop, text: ReceiptText, state: 'proven' | 'checking') =>
  world.outside.table.write([receiptRows.change({ receipt_id: of.paymentId(text) }, { proof: { state } })]);
const PAID = { status: 'success', disputed: null };
const IN_DOUBT = { status: 'success', disputed: { why: 'conflict' } };

describe('a verified payment whose id another wallet has already used', () => {
  let book: WalletBook;
  let real: BookedText;
  beforeEach(async () => {
    book = await provenBook(world, shop, 6);
    reference = await shop.charge({ amount: 300 });
    theirs = await rival.charge({ amount: 5 });
    real = book.paid(300, { reference });
  });

  test('pays its charge and puts the other wallet’s charge in dispute', async () => {
    await rival.pay(forgedOf(real));
    expect(await shop.pay(real)).toMatchObject({ state: 'matched', proof: { state: 'proven' } });
    expect(await shop.verified(reference)).toMatchObject(PAID);
    expect(await rival.verified(theirs)).toMatchObject(IN_DOUBT);
    expect(await useOf(real)).toEqual({ receipt_id: shop.paymentId(real), reference });
    const lost = { state: 'matched', contradicted_by: [shop.paymentId(real)], use_lost: true };
    expect(await rival.receipt(forgedOf(real))).toMatchObject(lost);
  });

  test('does not pay its charge if it may have been reversed', async () => {
    await shop.pay(real);
    const early = book.paid(10);
    reference = await shop.charge({ amount: 20 });
    const late = book.paid(20, { reference });
    await rival.pay(forgedOf(late));
    await shop.pay(late);
    await shop.arrive({
      sender: 'MobileMoney',
      text: `We have reversed the transaction ${late.id} of GHS 20.00.`,
    });
    await shop.arrive(early);
    world.clock.nowMs += 3 * MINUTE_MS;
    await world.followPayments();
    expect(await shop.receipt(late)).toMatchObject({ state: 'held', reason: 'conflict', proof: { state: 'proven' } });
    expect(await shop.verified(reference)).toMatchObject({ status: 'pending' });
  });

  describe('without a matching charge', () => {
    let unnamed: BookedText;
    beforeEach(async () => {
      await shop.arrive(real);
      unnamed = book.paid(40);
      await rival.pay(forgedOf(unnamed));
      expect(await shop.pay(unnamed)).toMatchObject({ state: 'held', reason: 'no_charge' });
    });

    test('can be assigned', async () => {
      expect((await shop.assign(unnamed, await shop.charge({ amount: 40 }))).status).toBe(200);
      expect(await rival.verified(theirs)).toMatchObject(IN_DOUBT);
    });

    test('can be claimed', async () => {
      const own = await shop.createCharge({ amount: 40 });
      const body = { transaction_id: unnamed.id, name: 'Kofi Mensah' };
      const parameters = { access_code: own.access_code };
      const headers = { accept: 'application/json' };
      expect((await world.call('checkout/claim', { parameters, headers, body })).status).toBe(200);
      expect(await useOf(unnamed)).toEqual({ receipt_id: shop.paymentId(unnamed), reference: own.reference });
      expect(await rival.verified(theirs)).toMatchObject(IN_DOUBT);
    });

    const claimed = async (transaction_id: string, name: string) => {
      const { access_code } = await shop.createCharge({ amount: 40 });
      const request = { body: { transaction_id, name }, headers: { accept: 'application/json' } };
      world.slept.length = 0;
      const { status, json } = await world.call('checkout/claim', { parameters: { access_code }, ...request });
      return { status, code: json.code, message: json.message, slept: [...world.slept] };
    };

    test('does not tell a claimant whether another merchant used its id', async () => {
      const theirOwn = mtn({ reference: await rival.charge({ amount: 40 }), amount: '40.00' });
      await rival.pay(theirOwn);
      await proofOf(rival, forgedOf(unnamed), 'proven');
      const nobodys = await claimed(mtn().id, 'Kofi Mensah');
      expect(nobodys).toMatchObject({ status: 422 });
      for (const id of [theirOwn.id, unnamed.id])
        for (const name of ['Kofi Mensah', 'Eve Thief']) expect(await claimed(id, name)).toEqual(nobodys);
    });

    test('can be claimed after the other wallet’s charge was deleted', async () => {
      await world.outside.table.write([{ delete: { Key: { pk: `TRANSACTION#${theirs}`, sk: 'TRANSACTION' } } }]);
      expect(await claimed(unnamed.id, 'Kofi Mensah')).toMatchObject({ status: 200 });
      expect(await rival.receipt(forgedOf(unnamed))).toMatchObject({ state: 'matched', use_lost: true });
    });

    test('can be taken at a till', async () => {
      const [manager, ama] = [await shop.signIn('manager'), await shop.signIn('cashier')];
      await manager.visit('/dashboard/till/new', { form: { name: 'Counter 1' } });
      const [till] = await tillRows.list(world.outside, { merchant_id: shop.id });
      const path = `/dashboard/till/${till?.till_id}`;
      await ama.visit(`${path}/begin`, { form: {} });
      world.clock.nowMs += 1000;
      const tapped = book.paid(36);
      await rival.pay(forgedOf(tapped, { reference: await rival.charge({ amount: 5 }) }));
      await shop.pay(tapped);
      world.clock.nowMs += 1000;
      const { text } = await ama.visit(path, { query: { amount: '36' } });
      const [receipt, shift] = ['receipt', 'shift'].map(
        (name) => text.split(`name="${name}" value="`)[1]?.split('"')[0],
      );
      const form = { receipt: String(receipt), shift: String(shift), amount: '36' };
      expect((await ama.visit(`${path}/take`, { form })).status).toBe(303);
      expect(await shop.receipt(tapped)).toMatchObject({ state: 'matched', matched_by: 'till' });
      expect(await useOf(tapped)).toMatchObject({ receipt_id: shop.paymentId(tapped) });
    });
  });

  test('pays its charge after the other payment is reversed', async () => {
    await rival.pay(forgedOf(real));
    await rival.arrive(reversal(real.id, '5.00'));
    expect(await rival.verified(theirs)).toMatchObject({ status: 'reversed' });
    expect(await shop.pay(real)).toMatchObject({ state: 'matched' });
    expect(await rival.verified(theirs)).toMatchObject({ status: 'reversed', disputed: null });
  });

  test('pays its charge after a reversal text to the other wallet contains its id', async () => {
    await rival.pay(forgedOf(real, { reference: '1' }));
    await rival.arrive(reversal(real.id, '5.00'));
    expect(await shop.pay(real)).toMatchObject({ state: 'matched' });
  });

  test('pays its charge once its verification completes', async () => {
    await rival.pay(forgedOf(real));
    const early = book.paid(10);
    const late = book.paid(20, { reference: await shop.charge({ amount: 20 }) });
    await rival.pay(forgedOf(late, { reference: await rival.charge({ amount: 5 }) }));
    await shop.arrive(real);
    expect(await shop.pay(late)).toMatchObject({ state: 'held', reason: 'checking', proof: { state: 'checking' } });
    await shop.arrive(early);
    world.clock.nowMs += 3 * MINUTE_MS;
    await world.followPayments();
    expect(await shop.receipt(late)).toMatchObject({ state: 'matched', proof: { state: 'proven' } });
  });

  test('pays its charge if its id was entered for a second bill', async () => {
    const manager = await shop.signIn('manager');
    const marked = await shop.charge({ amount: 300 });
    const form = { how: 'transfer', amount: '300', payer: 'Ama Sample', transaction_id: real.id };
    expect((await manager.visit(`/dashboard/charges/${marked}/mark`, { form })).status).toBe(303);
    await rival.pay(forgedOf(real));
    await shop.arrive(real);
    expect(await shop.verified(reference)).toMatchObject(PAID);
    for (const one of [await shop.verified(marked), await rival.verified(theirs)]) expect(one).toMatchObject(IN_DOUBT);
  });

  test('is held if the other wallet’s payment is also verified', async () => {
    const forged = forgedOf(real);
    await rival.pay(forged);
    await proofOf(rival, forged, 'proven');
    expect(await shop.pay(real)).toMatchObject({ state: 'held', reason: 'conflict' });
    expectFailure(await shop.assign(real, reference), 409, 'receipt_not_held');
    expect(await rival.verified(theirs)).toMatchObject(PAID);
    expect(await useOf(real)).toEqual({ receipt_id: rival.paymentId(forged), reference: theirs });
  });

  test('can be assigned once the operator suspends the other wallet’s shop', async () => {
    const forged = forgedOf(real);
    await rival.pay(forged);
    await proofOf(rival, forged, 'proven');
    await shop.pay(real);
    await rival.suspend();
    const manager = await shop.signIn('manager');
    const give = { reference, shown: 'contradicted' };
    expect((await manager.visit(`/dashboard/held/${shop.paymentId(real)}/give`, { form: give })).status).toBe(303);
    expect(await shop.verified(reference)).toMatchObject(PAID);
    expect(await useOf(real)).toEqual({ receipt_id: shop.paymentId(real), reference });
    expect(await rival.receipt(forged)).toMatchObject({ use_lost: true });
  });

  test('is held, not matched by itself, if the other wallet’s shop is suspended', async () => {
    const forged = forgedOf(real);
    await rival.pay(forged);
    await proofOf(rival, forged, 'proven');
    await rival.suspend();
    expect(await shop.pay(real)).toMatchObject({ state: 'held', reason: 'conflict' });
    expect(await rival.verified(theirs)).toMatchObject(PAID);
  });

  test('replaces a reversed payment', async () => {
    await shop.pay(real);
    const second = book.paid(300, { reference });
    expect(await shop.pay(second)).toMatchObject({ state: 'held', reason: 'already_paid' });
    await rival.pay(forgedOf(second));
    await shop.arrive(book.reversed(real, 300));
    expect(await shop.verified(reference)).toMatchObject({ ...PAID, proof: { state: 'proven' } });
    expect(await useOf(second)).toEqual({ receipt_id: shop.paymentId(second), reference });
    expect(await rival.verified(theirs)).toMatchObject(IN_DOUBT);
  });

  test('is held as already_paid if its charge is paid and the other wallet belongs to another shop', async () => {
    await shop.pay(real);
    const second = book.paid(300, { reference });
    await rival.pay(forgedOf(second));
    expect(await shop.pay(second)).toMatchObject({ state: 'held', reason: 'already_paid' });
  });

  test('counts towards its expired charge', async () => {
    const part = book.paid(100, { reference: await shop.charge({ amount: 120 }) });
    await shop.pay(real);
    expect(await shop.pay(part)).toMatchObject({ state: 'matched' });
    const row = await world.chargeRow(String((await shop.receipt(part))?.reference));
    world.clock.nowMs = Date.parse(row.expires_at) + 10 * MINUTE_MS;
    await endCharge(world.outside, expiryOf(row));
    await rival.pay(forgedOf(part, { reference: await rival.charge({ amount: 5 }) }));
    const rest = book.paid(20, { reference: row.reference });
    await shop.pay(rest);
    expect((await shop.assign(rest, row.reference)).status).toBe(200);
    expect(await shop.verified(row.reference)).toMatchObject({ ...PAID, amount_paid: 120 });
    expect(await useOf(part)).toEqual({ receipt_id: shop.paymentId(part), reference: row.reference });
  });

  test.each(['a part', 'the last payment'])(
    'is held if its expired charge has already taken over the id of %s',
    async (what) => {
      await shop.pay(real);
      const named = await shop.charge({ amount: 50 });
      const parts = [10, 11].map((amount) => book.paid(amount, { reference: named }));
      for (const part of parts) await shop.pay(part);
      const row = await world.chargeRow(named);
      world.clock.nowMs = Date.parse(row.expires_at) + 10 * MINUTE_MS;
      await endCharge(world.outside, expiryOf(row));
      theirs = await rival.charge({ amount: 500 });
      for (const part of parts) await rival.pay(forgedOf(part));
      const rest = book.paid(29, { reference: '1' });
      if (what === 'the last payment') await rival.pay(forgedOf(rest));
      await shop.pay(rest);
      expect((await shop.assign(rest, named)).status).toBe(200);
      const amount_paid = what === 'a part' ? 39 : 29;
      expect(await shop.verified(named)).toMatchObject({ ...PAID, amount_paid });
      expect(await rival.verified(theirs)).toMatchObject({ disputed: { why: 'conflict' } });
      // Each part that is left held can be assigned on its own.
      for (const part of what === 'a part' ? parts.slice(1) : parts) {
        expect(await shop.receipt(part)).toMatchObject({ state: 'held' });
        expect((await shop.assign(part, named)).status).toBe(200);
      }
      expect(await shop.verified(named)).toMatchObject({ ...PAID, amount_paid: 50 });
    },
  );

  describe('after a change to the other wallet’s charge', () => {
    test('keeps its id if the other charge expires', async () => {
      const part = forgedOf(real, { amount: '2.00' });
      await rival.pay(part);
      await shop.pay(real);
      expect(await rival.verified(theirs)).toMatchObject({ status: 'pending', disputed: { why: 'conflict' } });
      const charge = await world.chargeRow(theirs);
      world.clock.nowMs = Date.parse(charge.expires_at) + 10 * MINUTE_MS;
      await endCharge(world.outside, expiryOf(charge));
      const held = await rival.receipt(part);
      expect(held).toMatchObject({ state: 'held', reason: 'conflict', suggested_reference: theirs });
      expect(held).not.toHaveProperty('use_lost');
      const owner = await rival.signIn('owner');
      const given = await give(owner, rival.paymentId(part), await rival.charge({ amount: 2 }), 'contradicted');
      expect(given.status).toBe(409);
      expect(await useOf(real)).toEqual({ receipt_id: shop.paymentId(real), reference });
    });

    test('keeps its id if the other charge is refunded and reversed', async () => {
      await rival.pay(forgedOf(real));
      await shop.pay(real);
      const refund = { parameters: { reference: theirs }, body: { amount: 5 } };
      expect((await rival.call('transaction/refund', refund)).status).toBe(200);
      await rival.arrive(reversal(real.id, '5.00'));
      expect(await shop.verified(reference)).toMatchObject(PAID);
      expect(await useOf(real)).toMatchObject({ reference });
    });

    const races: Readonly<Record<string, (forged: ReceiptText) => Promise<unknown>>> = {
      'its own text': (forged) => rival.arrive(forged),
      'a refund': () => rival.call('transaction/refund', { parameters: { reference: theirs }, body: { amount: 1 } }),
      'its reversal': ({ id }) => rival.arrive(reversal(id, '5.00')),
      'a contradiction of its text': ({ id }) => rival.arrive(forgedOf({ id }, { amount: '6.00' })),
      'the assignment of its payment': async (forged) => rival.assign(forged, await rival.charge({ amount: 5 })),
    };
    test.each(Object.entries(races))('pays its charge despite a concurrent change: %s', async (what, change) => {
      const forged = forgedOf(real, what === 'the assignment of its payment' ? { reference: '1' } : {});
      if (what !== 'its own text') await rival.pay(forged);
      world.rightBefore('TransactWriteItems', () => change(forged));
      expect(await shop.pay(real)).toMatchObject({ state: 'matched' });
      await expectOneUse(real);
      expect(await shop.verified(reference)).toMatchObject(PAID);
    });

    test('pays its own charge in any order of texts', async () => {
      await shop.arrive(real);
      for (let round = 0; round < 4; round++) {
        const own = await shop.charge({ amount: 30 });
        const their = await rival.charge({ amount: 5 });
        const text = book.paid(30, { reference: own });
        const forged = { ...forgedOf(text, { reference: their }), recipient: rival.number };
        const jobs = await Promise.all([{ ...text, recipient: shop.number }, forged].map((one) => post(world, one)));
        await settleAtOnce(world, round % 2 ? jobs.toReversed() : jobs);
        expect(await shop.verified(own)).toMatchObject(PAID);
        const [charge, receipt] = [await rival.verified(their), await rival.receipt(forged)];
        if (receipt?.state === 'matched') expect(charge).toMatchObject(IN_DOUBT);
        else expect([receipt?.state, receipt?.reason, charge.status]).toEqual(['held', 'conflict', 'pending']);
      }
    });
  });
});

test.each<[string, (text: ReceiptText) => ReceiptText, string]>([
  ['paid a charge', forgedOf, '5.00'],
  ['paid nothing', (text) => forgedOf(text, { reference: '1' }), '5.00'],
  ['is a copy', (text) => text, '300.00'],
])('an unverified payment can be assigned after another wallet’s reversal (%s)', async (_, forge, amount) => {
  const text = mtn({ reference, amount: '300.00' });
  await rival.pay(forge(text));
  await rival.arrive(reversal(text.id, amount));
  expect(await shop.pay(text)).toMatchObject({ state: 'held', reason: 'conflict' });
  expect((await give(await shop.signIn('owner'), shop.paymentId(text), reference, 'contradicted')).status).toBe(303);
  expect(await shop.verified(reference)).toMatchObject(PAID);
});

test('a payment stays reversed if its text arrives again under the shop’s other number', async () => {
  const number = await addNumber(world, shop);
  const text = mtn({ reference: '1' });
  await shop.arrive({ ...text, recipient: number });
  await shop.arrive({ ...reversal(text.id), recipient: number });
  expect(await shop.pay(text)).toMatchObject({ state: 'held', reason: 'reversed' });
});

test('a contradictory text to the same wallet never takes over the payment’s id', async () => {
  const first = mtn({ reference, amount: '300.00' });
  await shop.pay(first);
  await shop.arrive(mtn({ id: first.id, amount: '301.00', reference: '1' }));
  const other = await shop.charge({ amount: 301 });
  expect((await give(await shop.signIn('owner'), await conflictingId(shop), other, 'contradicted')).status).toBe(409);
  expect(await useOf(first)).toEqual({ receipt_id: shop.paymentId(first), reference });
});

test('a payment pays its own charge once a person removes a forged text with its id whose code has left', async () => {
  const genuine = mtn({ reference, amount: '300.00' });
  const { json } = await shop.call('link/create', { body: { title: 'Airtime', amount: 5, codes: ['CODE-1'] } });
  const { reference: forgers } = await world.openLink(json.data.slug);
  await shop.pay(mtn({ id: genuine.id, amount: '5.00', from: 'EVE FORGER', reference: forgers }));
  await world.tell(8);
  expect(await shop.verified(forgers)).toMatchObject({ ...PAID, code: { status: 'given' } });
  await shop.pay(genuine);
  expect(await shop.verified(reference)).toMatchObject({ status: 'pending' });
  const form = { receipt: shop.paymentId(genuine) };
  const manager = await shop.signIn('manager');
  expect((await manager.visit(`/dashboard/charges/${forgers}/not-there`, { form })).status).toBe(303);
  await world.tell(8);
  expect(await shop.verified(forgers)).toMatchObject({ status: 'pending', disputed: null });
  const [held] = await shop.listed('held');
  expect((await give(manager, String(held?.id), reference, 'contradicted')).status).toBe(303);
  expect(await shop.verified(reference)).toMatchObject(PAID);
  await shop.arrive(reversal(genuine.id, '300.00'));
  expect(await shop.verified(reference)).toMatchObject({ status: 'reversed' });
});

describe('an unverified payment on a shared number whose id a forged text for the other shop’s charge has used', () => {
  let genuine: ReceiptText;
  beforeEach(async () => {
    rival = await world.createShop({ number: shop.number });
    theirs = await rival.charge({ amount: 5 });
    genuine = mtn({ amount: '300.00', reference: '1' });
    await shop.arrive(forgedOf(genuine));
    expect(await rival.verified(theirs)).toMatchObject({ status: 'success' });
  });

  test('is listed for neither shop if it names no charge', async () => {
    await shop.arrive(genuine);
    const listed = [await shop.listed('held'), await rival.listed('held')].flat();
    expect(listed.filter(({ amount }) => amount === 300)).toEqual([]);
  });

  test('can be assigned once the operator suspends the other shop', async () => {
    await shop.arrive({ ...genuine, text: genuine.text.replace('Reference: 1', `Reference: ${reference}`) });
    const owner = await shop.signIn('owner');
    const [held] = await shop.listed('held');
    const path = `/dashboard/held/${held?.id}/give`;
    const form = { reference, shown: 'contradicted' };
    expectAnswer(await owner.visit(path, { form }), 409, 'Another shop’s bill was paid with this transaction ID');
    await rival.suspend();
    expect((await owner.visit(path, { form: { ...form, once: 'again' } })).status).toBe(303);
    expect(await shop.verified(reference)).toMatchObject(PAID);
  });
});

describe('an unverified payment whose id another shop’s verified text has taken over', () => {
  const vouch = async () => {
    const manager = await shop.signIn('manager');
    const payments = namesOfPayments(await requireCharge(world.outside, reference, shop.id));
    const form = { shown: 'contradicted', payments };
    return (await manager.visit(`/dashboard/charges/${reference}/there`, { form })).status;
  };
  let genuine: ReceiptText;
  let forged: BookedText;
  beforeEach(async () => {
    const book = await provenBook(world, rival, 6);
    reference = await shop.charge({ amount: 300 });
    theirs = await rival.charge({ amount: 5 });
    forged = book.paid(5, { reference: theirs });
    genuine = mtn({ reference, amount: '300.00', id: forged.id });
    await shop.pay(genuine);
    await rival.pay(forged);
    expect(await shop.verified(reference)).toMatchObject(IN_DOUBT);
  });

  test('is certain again once the operator suspends that shop and a person finds the money', async () => {
    expect(await vouch()).toBe(409);
    await rival.suspend();
    expect(await vouch()).toBe(303);
    expect(await shop.verified(reference)).toMatchObject(PAID);
    expect(await useOf(genuine)).toEqual({ receipt_id: shop.paymentId(genuine), reference });
    expect(await shop.receipt(genuine)).not.toHaveProperty('use_lost');
    await shop.pay(genuine);
    expect(await shop.verified(reference)).toMatchObject(PAID);
    await shop.arrive(reversal(genuine.id, '300.00'));
    expect(await shop.verified(reference)).toMatchObject({ status: 'reversed' });
  });
});

test('a charge that has lost its payment’s id is disputed by a contradictory text', async () => {
  const forged = mtn({ reference, amount: '300.00' });
  await shop.pay(forged);
  await rival.pay(forgedOf(forged));
  const given = await give(await rival.signIn('owner'), await conflictingId(rival), theirs, 'contradicted');
  expect(given.status).toBe(303);
  expect(await shop.verified(reference)).toMatchObject(PAID);
  await shop.arrive(mtn({ id: forged.id, amount: '1.00', reference: '1' }));
  expect(await shop.verified(reference)).toMatchObject(IN_DOUBT);
});

describe('an unverified held payment whose id another wallet has used', () => {
  let held: ReceiptText;
  let owner: Person;
  beforeEach(async () => {
    held = mtn({ amount: '300.00', reference: '1' });
    await shop.pay(held);
    await rival.pay(forgedOf(held));
    owner = await shop.signIn('owner');
  });

  test('can be assigned by a person without a dispute', async () => {
    expect((await give(owner, shop.paymentId(held), reference)).status).toBe(303);
    expect(await shop.verified(reference)).toMatchObject(PAID);
    expect(await rival.verified(theirs)).toMatchObject(PAID);
    expect(await rival.receipt(forgedOf(held))).toMatchObject({ state: 'matched', use_lost: true });
    expect(await useOf(held)).toEqual({ receipt_id: shop.paymentId(held), reference });
  });

  test('cannot be assigned with an API key', async () => {
    expectFailure(await shop.assign(held, reference), 409, 'receipt_not_held');
    expect(await shop.receipt(held)).toMatchObject({ state: 'held' });
  });

  test('puts the other wallet’s charge in dispute if it belongs to the same shop', async () => {
    const number = await addNumber(world, shop);
    const one = mtn({ amount: '300.00', reference: '1' });
    await shop.pay(one);
    const other = await shop.charge({ amount: 5 });
    await shop.pay.call({ ...shop, number }, forgedOf(one, { reference: other }));
    expect((await give(owner, shop.paymentId(one), reference)).status).toBe(303);
    expect(await shop.verified(reference)).toMatchObject(PAID);
    expect(await shop.verified(other)).toMatchObject(IN_DOUBT);
  });

  test('does not let the other wallet’s texts pay a second charge after it is assigned', async () => {
    expect((await give(owner, shop.paymentId(held), reference)).status).toBe(303);
    const again = forgedOf(held, { reference: '1', amount: '6.00' });
    await rival.pay(again);
    const their = await rival.charge({ amount: 6 });
    const given = await give(await rival.signIn('owner'), await conflictingId(rival), their, 'contradicted');
    expect(given.status).toBe(409);
    expect(await rival.verified(their)).toMatchObject({ status: 'pending' });
    expect(await useOf(held)).toEqual({ receipt_id: shop.paymentId(held), reference });
  });

  test('stays matched to its charge after the other shop assigns a text with its id', async () => {
    const one = mtn({ amount: '300.00', reference });
    await shop.pay(one);
    const text = forgedOf(one, { reference: '1', amount: '6.00' });
    await rival.pay(text);
    const their = await rival.charge({ amount: 6 });
    const given = await give(await rival.signIn('owner'), await conflictingId(rival), their, 'contradicted');
    expect(given.status).toBe(303);
    expect(await shop.verified(reference)).toMatchObject(PAID);
    expect(await shop.receipt(one)).toMatchObject({ state: 'matched', use_lost: true });
    // A later text about the payment must not pay a second charge of the shop.
    const second = await shop.charge({ amount: 400 });
    await shop.pay(mtn({ id: one.id, amount: '400.00', reference: second, from: 'KOFI MENSAH' }));
    const texts = await shop.receipts();
    const later = texts.find(({ state, amount_pesewas }) => state === 'held' && amount_pesewas === 400_00);
    expect((await give(owner, String(later?.receipt_id), second, 'contradicted')).status).toBe(409);
    expect(await shop.verified(second)).toMatchObject({ status: 'pending' });
  });
});

describe('a payment that lost its id', () => {
  let lost: ReceiptText;
  let owner: Person;
  beforeEach(async () => {
    owner = await shop.signIn('owner');
    lost = mtn({ amount: '300.00', reference });
    await shop.pay(lost);
  });

  const cancel = async (of: Shop, cancelled: string) =>
    expect((await of.call('transaction/cancel', { parameters: { reference: cancelled } })).status).toBe(200);
  /** Lets the rival's owner assign a text with the id to a new charge, as a part. */
  const takeOver = async () => {
    await rival.pay(forgedOf(lost, { reference: '1', amount: '6.00' }));
    const taking = await rival.charge({ amount: 60 });
    const form = { reference: taking, shown: 'contradicted', counts_as: 'part', once: 'a-page' };
    const path = `/dashboard/held/${await conflictingId(rival)}/give`;
    expect((await (await rival.signIn('owner')).visit(path, { form })).status).toBe(303);
    return taking;
  };
  const takeOverAndCancel = async () => {
    await cancel(rival, await takeOver());
    expect(await useOf(lost)).toBeUndefined();
  };
  const ends = { 'another wallet uses': takeOver, 'no wallet uses any longer': takeOverAndCancel };
  const mark = async (of: Shop, by: Person) => {
    const marked = await of.charge({ amount: 300 });
    const form = { how: 'transfer', amount: '300', payer: 'Kofi Mensah Boateng', transaction_id: lost.id };
    return (await by.visit(`/dashboard/charges/${marked}/mark`, { form })).status;
  };
  const expectLost = async () => {
    expect(await shop.verified(reference)).toMatchObject({ status: 'success' });
    expect(await shop.receipt(lost)).toMatchObject({ state: 'matched', reference, use_lost: true });
  };

  describe.each(Object.entries(ends))('which %s', (_, happens) => {
    beforeEach(happens);
    afterEach(expectLost);

    test('pays no second charge through a conflicting text', async () => {
      await shop.pay(mtn({ id: lost.id, amount: '400.00', from: 'KOFI MENSAH' }));
      const second = await shop.charge({ amount: 400 });
      expect((await give(owner, await conflictingId(shop), second, 'contradicted')).status).toBe(409);
      expect(await shop.verified(second)).toMatchObject({ status: 'pending' });
    });

    test('pays no second charge through a text from a phone without a reported SIM', async () => {
      await shop.arrive({ ...mtn({ id: lost.id, amount: '400.00' }), recipient: null });
      const second = await shop.charge({ amount: 400 });
      const look = { by: 'operator', shown: 'contradicted' } as const;
      const given = prepareAssignment(world.outside, `MTN-unknown-${lost.id}`, second, look);
      await expect(given).rejects.toMatchObject({
        code: 'receipt_not_held',
        message: expect.stringContaining('Another text'),
      });
    });

    test('cannot be used by its shop to mark a second bill as paid', async () => {
      expect(await mark(shop, owner)).toBe(400);
    });

    test('cannot be used by the other wallet’s shop to mark a second bill as paid', async () => {
      expect(await mark(rival, await rival.signIn('owner'))).toBe(400);
    });

    test('does not stop a third shop from using the id to mark a bill as paid', async () => {
      const other = await world.createShop();
      expect(await mark(other, await other.signIn('owner'))).toBe(303);
    });
  });

  test('pays no second charge once its own charge is reversed', async () => {
    await shop.pay(mtn({ id: lost.id, amount: '400.00', from: 'KOFI MENSAH' }));
    const held = await conflictingId(shop);
    await takeOver();
    await shop.arrive(reversal(lost.id, '300.00'));
    expect(await shop.verified(reference)).toMatchObject({ status: 'reversed' });
    expect((await give(owner, held, await shop.charge({ amount: 400 }), 'contradicted')).status).toBe(409);
  });

  test('pays no second charge through a copy from another phone', async () => {
    const copied = mtn({ amount: '40.00', from: 'YAW OSEI' });
    lost = copied;
    await shop.arrive({ ...copied, recipient: null });
    const look = { by: 'operator', shown: 'unverified' } as const;
    const receipt_id = `MTN-unknown-${copied.id}`;
    await world.outside.table.write([receiptRows.change({ receipt_id }, { numbers_of_phone: [shop.number] })]);
    const first = await shop.charge({ amount: 40 });
    const { writes } = await prepareAssignment(world.outside, receipt_id, first, look);
    await world.outside.table.write(writes);
    await takeOverAndCancel();
    const second = await shop.charge({ amount: 40, customer_name: 'Yaw Osei' });
    await shop.pay(copied);
    expect(await shop.verified(second)).toMatchObject({ status: 'pending' });
  });
});

test('a wallet whose charge lost a verified payment’s id cannot use the id for a second charge', async () => {
  const book = await provenBook(world, shop, 6);
  reference = await shop.charge({ amount: 300 });
  theirs = await rival.charge({ amount: 5 });
  const real = book.paid(100, { reference });
  await rival.pay(forgedOf(real));
  await shop.pay(real);
  expect(await rival.verified(theirs)).toMatchObject(IN_DOUBT);
  expect((await shop.call('transaction/cancel', { parameters: { reference } })).status).toBe(200);
  expect(await useOf(real)).toBeUndefined();
  await rival.pay(forgedOf(real, { reference: '1', amount: '6.00' }));
  const their = await rival.charge({ amount: 6 });
  expect((await give(await rival.signIn('owner'), await conflictingId(rival), their, 'contradicted')).status).toBe(409);
  expect((await shop.assign(real, await shop.charge({ amount: 100 }))).status).toBe(200);
});

describe('an unverified part payment to the shop’s other number', () => {
  let book: WalletBook;
  let second: Shop;
  let real: BookedText;
  beforeEach(async () => {
    book = await provenBook(world, shop, 6);
    const number = await addNumber(world, shop);
    second = { ...shop, number };
    reference = await shop.charge({ amount: 300 });
  });
  const state = async () => {
    const { status, amount_paid, disputed, proof, parts, payment } = await shop.verified(reference);
    return [status, amount_paid, disputed, proof?.state, parts.length + (payment ? 1 : 0)];
  };

  test.each([
    [200, 100, ['pending', 200, null, 'proven', 1]],
    [250, 40, ['pending', 250, null, 'proven', 1]],
    [300, 100, ['success', 300, null, 'proven', 1]],
  ])('is replaced by a verified payment of %i with the same id (part: %i)', async (amount, forged, expected) => {
    real = book.paid(amount, { reference });
    const part = mtn({ reference, id: real.id, amount: `${forged}.00` });
    expect(await second.pay(part)).toMatchObject({ state: 'matched' });
    expect(await shop.pay(real)).toMatchObject({ state: 'matched' });
    expect(await state()).toEqual(expected);
    expect(await second.receipt(part)).toMatchObject({
      state: 'held',
      reason: 'conflict',
      suggested_reference: reference,
    });
    await expectOneUse(real);
    if (expected[0] === 'success') return;
    await shop.pay(book.paid(300 - amount, { reference }));
    expect(await state()).toEqual(['success', 300, null, 'proven', 2]);
  });

  test('is replaced by a verified payment for the rest of the bill after another part payment', async () => {
    await second.pay(mtn({ reference, amount: '50.00' }));
    real = book.paid(250, { reference });
    const part = mtn({ reference, id: real.id, amount: '100.00' });
    await second.pay(part);
    expect(await shop.pay(real)).toMatchObject({ state: 'matched' });
    expect(await state()).toEqual(['success', 300, null, 'unproven', 2]);
    expect(await second.receipt(part)).toMatchObject({ state: 'held', reason: 'conflict' });
    await expectOneUse(real);
  });

  test('is not replaced if the payment with the same id is unverified', async () => {
    real = book.receipt(150, { reference, balance: 999_900 });
    await second.pay(mtn({ reference, id: real.id, amount: '100.00' }));
    await shop.arrive(real);
    world.clock.nowMs += 3 * MINUTE_MS;
    await world.settle({ receipt_id: shop.paymentId(real) });
    expect(await shop.receipt(real)).toMatchObject({ reason: 'conflict', proof: { state: 'unproven' } });
    expect(await state()).toEqual(['pending', 100, null, 'unproven', 1]);
  });
});

describe('a small or forged part payment of a bill', () => {
  const KOFI = { customer_name: 'Kofi Mensah Boateng', customer_phone: '0551112223' };
  let book: WalletBook;
  beforeEach(async () => {
    book = await provenBook(world, shop, 6);
    reference = await shop.charge({ amount: 250, ...KOFI });
    await shop.charge({ amount: 250, ...KOFI });
    world.clock.nowMs += MINUTE_MS;
  });
  const forgedPart = async (amount: number, id = book.nextId()) => {
    await shop.pay(book.receipt(amount, { reference, id, balance: 77_777 }));
    await settleParts();
    expect(await shop.verified(reference)).toMatchObject({ status: 'pending', amount_paid: amount });
  };
  const settleParts = async () => {
    for (let n = 0; n < 3; n++) {
      world.clock.nowMs += 2 * MINUTE_MS;
      await world.followPayments();
    }
  };

  test.each([0.01, 20])(
    'does not block a verified payment of the whole bill if forged (amount: %d)',
    async (amount) => {
      await forgedPart(amount);
      const real = book.paid(250, { reference });
      expect(await shop.pay(real)).toMatchObject({ state: 'matched' });
      expect(await shop.verified(reference)).toMatchObject({ ...PAID, amount_paid: 250, proof: { state: 'proven' } });
    },
  );

  test.each(['a second text', 'a reversal text'])(
    'does not block a verified payment of the whole bill while %s puts the part in doubt',
    async (what) => {
      const id = book.nextId();
      await forgedPart(0.01, id);
      if (what === 'a second text') await shop.pay(book.receipt(0.02, { reference, id, balance: 77_777 }));
      else await shop.arrive({ sender: 'MobileMoney', text: `We have reversed the transaction ${id}.` });
      expect(await shop.verified(reference)).toMatchObject({ status: 'pending', disputed: {} });
      const real = book.paid(250, { reference });
      expect(await shop.pay(real)).toMatchObject({ state: 'matched' });
      const paid = { ...PAID, amount_paid: 250, disputed: null, proof: { state: 'proven' } };
      expect(await shop.verified(reference)).toMatchObject(paid);
    },
  );

  test('does not block a payment that an earlier text verifies', async () => {
    await forgedPart(0.01);
    const early = book.paid(10);
    const real = book.paid(250, { reference });
    expect(await shop.pay(real)).toMatchObject({ state: 'held', reason: 'checking' });
    await shop.pay(early);
    await settleParts();
    expect(await shop.verified(reference)).toMatchObject({ ...PAID, amount_paid: 250, proof: { state: 'proven' } });
  });

  test('does not block a payment with the same id', async () => {
    const number = await addNumber(world, shop);
    const real = book.paid(250, { reference });
    await { ...shop, number }.pay(mtn({ reference, id: real.id, amount: '100.00' }));
    expect(await shop.pay(real)).toMatchObject({ state: 'matched' });
    expect(await shop.verified(reference)).toMatchObject({ ...PAID, amount_paid: 250 });
  });

  test.each([0.01, 20])(
    'is disputed by a verified text to the same number with the same id (amount: %d)',
    async (amount) => {
      const real = book.paid(250, { reference });
      await forgedPart(amount, real.id);
      await shop.pay(real);
      const [held] = await shop.listed('held');
      expect(held).toMatchObject({ transaction_id: real.id, reason: 'conflict', amount: 250 });
      expect(await shop.verified(reference)).toMatchObject({ status: 'pending', disputed: { why: 'conflict' } });
    },
  );

  test.each(['EVE THIEF', 'STANBIC Bank', 'ALHAJI'])(
    'does not block a payment of the whole bill if %s paid only a few pesewas',
    async (from) => {
      for (const amount of [0.01, 0.98]) await shop.pay(book.paid(amount, { from, reference }));
      const real = book.paid(250, { reference });
      expect(await shop.pay(real)).toMatchObject({ state: 'matched' });
      expect(await shop.verified(reference)).toMatchObject({ ...PAID, amount_paid: 250.99 });
    },
  );

  test.each<[string, number[], { from?: string }, { from?: string }]>([
    ['the payer', [100], { from: 'MENSAH KOFI' }, { from: 'KOFI MENSAH' }],
    ['the customer', [100], { from: 'KOFI MENSAH BOATENG' }, { from: 'AMA OWUSU' }],
    ['a bank', [100], { from: 'ECOBANK GHANA' }, {}],
    ['another person', [100], { from: 'ESI OWUSU' }, {}],
    ['another person', [0.5, 0.5], { from: 'ESI OWUSU' }, {}],
  ])('causes a payment of the whole bill to be held if %s paid parts of it: %j', async (_, parts, part, whole) => {
    for (const amount of parts)
      expect(await shop.pay(book.paid(amount, { ...part, reference }))).toMatchObject({ state: 'matched' });
    const real = book.paid(250, { ...whole, reference });
    expect(await shop.pay(real)).toMatchObject({ state: 'held', reason: 'amount_of_another' });
  });

  test('blocks a payment that is never verified', async () => {
    await forgedPart(20);
    book.paid(10);
    const real = book.paid(250, { reference });
    await shop.pay(real);
    await settleParts();
    expect(await shop.receipt(real)).toMatchObject({ state: 'held', reason: 'amount_of_another' });
  });
});

describe('a bill marked as paid with an id that another wallet used', () => {
  const FORM = { how: 'transfer', amount: '300', payer: 'Kofi Mensah Boateng' } as const;
  const mark = async (transaction_id: string) => {
    const form = { ...FORM, transaction_id };
    const owner = await shop.signIn('owner');
    expect((await owner.visit(`/dashboard/charges/${reference}/mark`, { form })).status).toBe(303);
    return owner;
  };
  const ofId = async ({ id }: ReceiptText) =>
    (await shop.receipts()).flatMap((one) => (one.transaction_id === id ? [[one.state, one.receipt_id]] : []));

  test.each(['its own bill', 'no bill'])('becomes verified through a text that references %s', async (named) => {
    const book = await provenBook(world, shop, 6);
    const real = book.paid(300, { reference: named === 'no bill' ? '1' : reference });
    await mark(real.id);
    await rival.pay(forgedOf(real));
    await shop.arrive(real);
    await shop.arrive(real);
    expect(await shop.verified(reference)).toMatchObject({ ...PAID, proof: { state: 'proven' } });
    expect(await rival.verified(theirs)).toMatchObject(IN_DOUBT);
    expect(await useOf(real)).toEqual({ receipt_id: shop.paymentId(real), reference });
    expect(await ofId(real)).toEqual([['matched', shop.paymentId(real)]]);
  });

  test('becomes verified once its own text is verified', async () => {
    const book = await provenBook(world, shop, 6);
    const early = book.paid(10);
    const real = book.paid(300, { reference });
    await mark(real.id);
    await rival.pay(forgedOf(real));
    await shop.arrive(real);
    expect(await shop.verified(reference)).toMatchObject({ ...PAID, proof: { state: 'unproven' } });
    await shop.arrive(early);
    world.clock.nowMs += 3 * MINUTE_MS;
    await world.followPayments();
    expect(await shop.verified(reference)).toMatchObject({ ...PAID, proof: { state: 'proven' } });
    await shop.arrive(real);
    expect(await ofId(real)).toEqual([['matched', shop.paymentId(real)]]);
  });

  test('becomes verified even if the other wallet used the id first', async () => {
    const book = await provenBook(world, shop, 6);
    const real = book.paid(300, { reference });
    await rival.pay(forgedOf(real));
    await mark(real.id);
    expect(await rival.verified(theirs)).toMatchObject(PAID);
    expect(await useOf(real)).toEqual({ receipt_id: rival.paymentId(real), reference: theirs });
    await shop.arrive(real);
    expect(await shop.verified(reference)).toMatchObject({ ...PAID, proof: { state: 'proven' } });
  });

  test('is rejected if the other wallet’s text is verified', async () => {
    const real = mtn({ amount: '300.00', reference });
    await rival.pay(forgedOf(real));
    await proofOf(rival, real, 'proven');
    const form = { ...FORM, transaction_id: real.id };
    const owner = await shop.signIn('owner');
    expect((await owner.visit(`/dashboard/charges/${reference}/mark`, { form })).status).toBe(400);
    expect(await shop.verified(reference)).toMatchObject({ status: 'pending' });
  });

  describe('while both wallets’ texts are verified', () => {
    let book: WalletBook;
    let real: BookedText;
    beforeEach(async () => {
      book = await provenBook(world, shop, 6);
      real = book.paid(300, { reference });
      await mark(real.id);
      await rival.pay(forgedOf(real));
      await proofOf(rival, real, 'proven');
      await shop.arrive(real);
      expect(await shop.verified(reference)).toMatchObject({ ...PAID, proof: { state: 'unproven' } });
    });

    test('is reversed when its own payment is reversed', async () => {
      await shop.arrive(book.reversed(real, 300));
      expect(await shop.verified(reference)).toMatchObject({ status: 'reversed', disputed: null });
      expect(await rival.verified(theirs)).toMatchObject(PAID);
      expect((await ofId(real)).map(([state]) => state)).toEqual(['held', 'held']);
    });

    test('is disputed if its payment’s reversal is only announced', async () => {
      const text = `Transaction ${real.id} of GHS 300.00 will be reversed.`;
      await shop.arrive({ sender: 'MobileMoney', text });
      expect(await shop.verified(reference)).toMatchObject({ status: 'success', disputed: { why: 'reversal' } });
    });
  });

  describe('while its own text is unverified', () => {
    let real: ReceiptText;
    let owner: Person;
    beforeEach(async () => {
      real = mtn({ amount: '300.00', reference });
      owner = await mark(real.id);
      await rival.pay(forgedOf(real));
      await shop.arrive(real);
      await shop.arrive(real);
    });

    test('is not disputed', async () => {
      expect(await shop.verified(reference)).toMatchObject({ ...PAID, proof: { state: 'unproven' } });
      expect(await shop.listed('held')).toMatchObject([{ reason: 'conflict', amount: 300 }]);
      expect(await rival.verified(theirs)).toMatchObject(PAID);
    });

    test('can be paid with the text’s payment after the mark is undone', async () => {
      const form = { once: 'a-page' };
      expect((await owner.visit(`/dashboard/charges/${reference}/unmark`, { form })).status).toBe(303);
      await world.followPayments();
      expect(await shop.verified(reference)).toMatchObject({ status: 'pending', disputed: null });
      expect((await give(owner, await conflictingId(shop), reference, 'contradicted')).status).toBe(303);
      expect(await shop.verified(reference)).toMatchObject(PAID);
    });
  });
});

describe('a text that contradicts a payment for a deleted charge', () => {
  const deleted = (of: string) =>
    world.outside.table.write([{ delete: { Key: { pk: `TRANSACTION#${of}`, sk: 'TRANSACTION' } } }]);

  test('is held if it comes from the same wallet', async () => {
    const text = mtn({ reference, amount: '300.00' });
    await shop.pay(text);
    await deleted(reference);
    await shop.pay(mtn({ reference, amount: '200.00', id: text.id }));
    expect(await shop.receipt(text)).toMatchObject({ state: 'matched', contradicted_by: [expect.any(String)] });
    expect(await shop.listed('held')).toMatchObject([{ reason: 'conflict', amount: 200 }]);
  });

  test('pays its own bill if it is verified and the payment’s id was typed by a person', async () => {
    const book = await provenBook(world, shop, 6);
    const own = await shop.charge({ amount: 50 });
    const text = book.paid(50, { reference: own });
    const owner = await shop.signIn('owner');
    const form = { how: 'transfer', amount: '300', payer: 'Ama Sample', transaction_id: text.id };
    expect((await owner.visit(`/dashboard/charges/${reference}/mark`, { form })).status).toBe(303);
    await deleted(reference);
    await shop.pay(text);
    expect(await shop.verified(own)).toMatchObject(PAID);
  });
});

describe('a manually marked part payment with a conflicting text on hold', () => {
  let owner: Person;
  beforeEach(async () => {
    const text = mtn({ amount: '40.00' });
    owner = await shop.signIn('owner');
    const form = { how: 'transfer', amount: '40', payer: 'Kofi Mensah Boateng', transaction_id: text.id };
    await owner.visit(`/dashboard/charges/${reference}/mark`, { form });
    await rival.pay(forgedOf(text));
    await shop.arrive(text);
    expect(await shop.listed('held')).toMatchObject([{ reason: 'conflict', amount: 40 }]);
  });

  test('does not keep its bill disputed after another part payment is reversed', async () => {
    const part = mtn({ amount: '20.00', reference });
    await shop.pay(part);
    await shop.arrive({ sender: 'MobileMoney', text: `We have reversed the transaction ${part.id} of GHS 20.00.` });
    expect(await shop.verified(reference)).toMatchObject({ disputed: { why: 'reversal' } });
    await shop.arrive(reversal(part.id, '20.00'));
    expect(await shop.verified(reference)).toMatchObject({ status: 'pending', disputed: null, amount_paid: 40 });
  });

  test('counts again if the rest is assigned after its bill was cancelled', async () => {
    await shop.call('transaction/cancel', { parameters: { reference } });
    expect((await shop.receipts()).filter(({ marked }) => marked)).toMatchObject([{ reason: 'charge_cancelled' }]);
    const rest = mtn({ amount: '260.00' });
    await shop.pay(rest);
    expect((await give(owner, shop.paymentId(rest), reference)).status).toBe(303);
    expect(await shop.verified(reference)).toMatchObject({ ...PAID, amount_paid: 300 });
  });
});

function give(by: Person, receiptId: string, to: string, shown = 'unverified') {
  const path = `/dashboard/held/${encodeURIComponent(receiptId)}/give`;
  return by.visit(path, { form: { reference: to, shown, once: 'a-page' } });
}

async function conflictingId(of: Shop): Promise<string> {
  return String((await of.receipts()).find(({ reason }) => reason === 'conflict')?.receipt_id);
}

async function expectOneUse(text: ReceiptText): Promise<void> {
  const use = await useOf(text);
  expect(use).toEqual({ receipt_id: shop.paymentId(text), reference });
  const other = await rival.receipt(text);
  if (other?.state === 'matched') expect(other).toMatchObject({ use_lost: true });
}
