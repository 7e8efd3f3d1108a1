import { beforeEach, describe, expect, test } from 'vitest';
import { expiryOf } from '../../../shared/money/charge/expiry.table.ts';
import { listNewestReceipts } from '../../../shared/money/receipt/newest-receipts.ts';
import { receiptRows } from '../../../shared/money/receipt/receipt.table.ts';
import type { HeldReason } from '../../../shared/money/receipt/receipt.ts';
import { endCharge } from '../../../shared/money/settling/end-charge.ts';
import { MINUTE_MS } from '../../../shared/runtime/values/calendar.ts';
import { expectFailure } from '../../support/envelope.ts';
import { type Arrival, mtn, newNumber, type ReceiptText, reversal, telecel } from '../../support/receipts.ts';
import { type Person, type Scene, type Shop, scene } from '../../support/scene.ts';

// `device-2` has an MTN and a Telecel number, both of them the shop's. `device-1` has an MTN number of no merchant. The
// other shop's number is in `device-3`.

const TELECEL = '+233201234567';
const OTHER_PHONE = { gateway: 'spare', device: 'device-3' } as const;
const SPARE_PHONE = { gateway: 'spare', device: 'device-1' } as const;
const NO_SIM = { device: 'device-2', recipient: null } as const;

let world: Scene;
let shop: Shop;
let other: Shop;
/** References of an open charge for GHS 36 of each shop. */
let charged: string;
let othersCharge: string;

beforeEach(async () => {
  world = await scene({ inMemory: true });
  world.goToNoon();
  shop = await shopOn({ device_id: 'device-2' });
  other = await shopOn({ gateway: 'spare', device_id: 'device-3' });
  await world.addSender({ number: TELECEL, network: 'TELECEL', device_id: 'device-2', sim_number: 2 });
  await shop.change({
    momo_accounts: [
      { number: shop.number, network: 'MTN', account_name: 'AMA STORES' },
      { number: TELECEL, network: 'TELECEL', account_name: 'AMA STORES' },
    ],
  });
  [charged, othersCharge] = [await shop.charge({ amount: 36 }), await other.charge({ amount: 36 })];
});

async function shopOn(place: Omit<Parameters<Scene['addSender']>[0], 'number'>): Promise<Shop> {
  const number = newNumber();
  await world.addSender({ number, ...place });
  return world.createShop({ number });
}

const IN_PHONE = { device_id: 'device-2', sim_number: 3 } as const;
/** Adds a number that belongs to no merchant to the shop's phone. */
const addUnused = () => world.addSender({ number: '+233249999997', ...IN_PHONE });
const addShop = () => shopOn(IN_PHONE);
const nothing = async () => undefined;

const heldOf = async (by: Shop) => (await by.listed('held')).map(({ id, reason }) => [id, reason]);
const heldByNobody = async () => (await listNewestReceipts(world.outside, 'held')).map(({ id }) => id);
const unknownId = ({ network, id }: ReceiptText) => `${network}-unknown-${id}`;

type Row = [string, () => Promise<unknown>, () => ReceiptText, () => Partial<Arrival>];
const noSim = () => NO_SIM;

describe('a payment on an unknown number', () => {
  test.each<Row>([
    ['the shop has all numbers of the phone', nothing, () => mtn(), noSim],
    ['the shop has all numbers of the phone on this network', addUnused, () => telecel(), noSim],
    ['it names another shop’s charge', nothing, () => mtn({ reference: othersCharge }), noSim],
    [
      'the phone reports the shop’s number in another phone',
      async () => {
        const number = newNumber();
        await world.addSender({ number, gateway: 'spare' });
        await shop.change({
          momo_accounts: [shop.number, number].map((one) => ({ number: one, network: 'MTN', account_name: 'AMA' })),
        });
      },
      () => mtn(),
      () => ({ ...SPARE_PHONE, recipient: shop.number }),
    ],
    [
      'only the shop has a number in the phone, and it names its charge',
      addUnused,
      () => mtn({ reference: charged }),
      noSim,
    ],
    ['its SIM is the shop’s on another network', nothing, () => mtn(), () => ({ ...NO_SIM, simNumber: 2 })],
    [
      'its SIM is nobody’s on another network',
      async () => {
        await shop.change({ momo_accounts: [{ number: shop.number, network: 'MTN', account_name: 'AMA STORES' }] });
      },
      () => mtn({ reference: charged }),
      () => ({ ...NO_SIM, simNumber: 2 }),
    ],
    [
      'the shop’s SIM has moved to a phone of no merchant, and it names the shop’s charge',
      nothing,
      () => mtn({ reference: charged }),
      () => ({ device: 'device-1', recipient: shop.number }),
    ],
  ])('is held for the shop if %s', async (_, prepare, textOf, by) => {
    await shop.setWebhook();
    await prepare();
    const text = textOf();
    await shop.arrive({ ...text, ...by() });
    expect(await heldOf(shop)).toEqual([[unknownId(text), 'number_unknown']]);
    expect(await heldOf(other)).toEqual([]);
    expect(await heldByNobody()).toEqual([]);
    expect(await shop.verified(charged)).toMatchObject({ status: 'pending', amount_paid: 0 });
    await world.followChanges();
    const { json } = await shop.call('webhook/list-events');
    expect(json.data.events).toMatchObject([{ type: 'receipt.held', body: { data: { id: unknownId(text) } } }]);
  });

  test.each<Row>([
    ['a number of the phone belongs to no merchant', addUnused, () => mtn(), noSim],
    ['it names a charge of a shop elsewhere', addUnused, () => mtn({ reference: othersCharge }), noSim],
    ['it names two charges', addUnused, () => mtn({ reference: `${charged} ${othersCharge}` }), noSim],
    ['another shop has a number in the phone', addShop, () => mtn({ reference: charged }), noSim],
    ['its SIM is not registered', nothing, () => mtn(), () => ({ ...NO_SIM, simNumber: 5 })],
    [
      'the phone reports another shop’s number',
      nothing,
      () => mtn({ reference: charged }),
      () => ({ device: 'device-2', recipient: other.number }),
    ],
    [
      'the phone reports a number of no merchant',
      nothing,
      () => mtn(),
      () => ({ device: 'device-2', recipient: '+233249999999' }),
    ],
    [
      'another shop’s phone reports the shop’s number',
      nothing,
      () => mtn({ reference: charged }),
      () => ({ ...OTHER_PHONE, recipient: shop.number }),
    ],
    [
      'the phone has no number on this network',
      nothing,
      () => mtn({ reference: charged }),
      () => ({ ...SPARE_PHONE, recipient: shop.number }),
    ],
  ])('is left to the operator if %s', async (_, prepare, textOf, by) => {
    await world.addSender({ number: '+233201234568', network: 'TELECEL', gateway: 'spare' });
    await prepare();
    const text = textOf();
    await shop.arrive({ ...text, ...by() });
    expect([await heldOf(shop), await heldOf(other)]).toEqual([[], []]);
    expect(await heldByNobody()).toEqual([unknownId(text)]);
  });

  test('can be matched by its shop, but not claimed by its customer', async () => {
    const text = mtn({ reference: charged });
    await shop.arrive({ ...text, ...NO_SIM });
    expect(await world.claim(charged, text.id)).toMatchObject({ outcome: 'unknown' });
    const assign = (by: Shop, reference: string) =>
      by.call('receipt/assign', { parameters: { id: unknownId(text) }, body: { reference } });
    expectFailure(await assign(other, othersCharge), 404, 'not_found');
    expect((await assign(shop, charged)).status).toBe(200);
    expect(await shop.verified(charged)).toMatchObject({ status: 'success', payment: { matched_by: 'hand' } });
  });

  test('is no longer held once a copy of its text reports the SIM', async () => {
    const text = mtn({ reference: charged });
    await shop.arrive({ ...text, ...NO_SIM });
    await shop.arrive({ ...text, ...NO_SIM, simNumber: 1 });
    expect(await shop.verified(charged)).toMatchObject({ status: 'success', second_payments: [] });
    expect([await heldOf(shop), await heldByNobody()]).toEqual([[], []]);
  });

  test.each<[string, HeldReason, (of: string) => Promise<unknown>]>([
    [
      'has expired',
      'charge_expired',
      async (of) => {
        const charge = await world.chargeRow(of);
        world.clock.nowMs = Date.parse(charge.expires_at) + MINUTE_MS;
        await endCharge(world.outside, expiryOf(charge));
      },
    ],
    [
      'was cancelled',
      'charge_cancelled',
      async (of) => shop.call('transaction/cancel', { parameters: { reference: of } }),
    ],
  ])('is held once if its bill %s and a copy of its text reports the SIM', async (_, reason, end) => {
    const text = mtn({ amount: '20' });
    await shop.arrive({ ...text, ...NO_SIM });
    const assigned = await shop.call('receipt/assign', {
      parameters: { id: unknownId(text) },
      body: { reference: charged, as_part: true },
    });
    expect(assigned.status).toBe(200);
    await end(charged);
    const held = [[unknownId(text), reason]];
    expect(await heldOf(shop)).toEqual(held);
    await shop.arrive({ ...text, ...NO_SIM, simNumber: 1 });
    await world.followPayments();
    expect(await heldOf(shop)).toEqual(held);
    expect(await heldByNobody()).toEqual([]);
  });

  test('does not pay its bill again if it was removed and a copy of its text reports the SIM', async () => {
    const text = mtn({ reference: charged });
    await shop.arrive({ ...text, ...NO_SIM });
    const assigned = await shop.call('receipt/assign', {
      parameters: { id: unknownId(text) },
      body: { reference: charged },
    });
    expect(assigned.status).toBe(200);
    const manager = await shop.signIn('manager');
    const form = { receipt: unknownId(text) };
    expect((await manager.visit(`/dashboard/charges/${charged}/not-there`, { form })).status).toBe(303);
    await shop.arrive({ ...text, ...NO_SIM, simNumber: 1 });
    expect(await shop.verified(charged)).toMatchObject({ status: 'pending' });
    expect(await heldOf(shop)).toEqual([]);
    // The bill's page still leads to the payment, which is checked like a new one if it is put back.
    const id = shop.paymentId(text);
    expect((await manager.visit(`/dashboard/charges/${charged}`)).text).toContain(`/dashboard/held/${id}`);
    expect((await manager.visit(`/dashboard/held/${id}/take-back`, { form: {} })).status).toBe(303);
    await world.followPayments();
    expect(await shop.verified(charged)).toMatchObject({ status: 'success' });
  });

  test('stays set aside when a copy of its text reports the SIM', async () => {
    const text = mtn({ reference: charged });
    await shop.arrive({ ...text, ...NO_SIM });
    const owner = await shop.signIn('owner');
    const address = (id: string, action: string) => `/dashboard/held/${id}/${action}`;
    await owner.visit(address(unknownId(text), 'set-aside'), { form: { sent_back: 'on' } });
    for (let copy = 0; copy < 2; copy++) await shop.arrive({ ...text, ...NO_SIM, simNumber: 1 });
    const id = shop.paymentId(text);
    expect(await shop.listed('set_aside')).toMatchObject([{ id, set_aside: { sent_back: true } }]);
    expect([await heldOf(shop), await heldByNobody()]).toEqual([[], []]);
    expect(await shop.verified(charged)).toMatchObject({ status: 'pending', second_payments: [] });
    expect(await world.claim(charged, text.id)).toMatchObject({ outcome: 'unknown' });
    await owner.visit(address(id, 'take-back'), { form: {} });
    expect((await shop.assign(text, charged)).status).toBe(200);
  });

  test.each<[string, (text: ReceiptText) => Promise<unknown>]>([
    ['a copy of its text has reported the SIM', (text) => shop.arrive({ ...text, ...NO_SIM, simNumber: 1 })],
    [
      'the shop has marked a bill with its id',
      async ({ id }) => {
        const owner = await shop.signIn('owner');
        const form = { how: 'transfer', amount: '36', payer: 'Kofi Mensah', transaction_id: id };
        expect((await owner.visit(`/dashboard/charges/${charged}/mark`, { form })).status).toBe(303);
      },
    ],
  ])('is not shown to the shop again if %s', async (_, know) => {
    const text = mtn({ reference: charged });
    await know(text);
    await shop.arrive({ ...text, ...NO_SIM });
    expect(await shop.verified(charged)).toMatchObject({ status: 'success' });
    expect(await heldOf(shop)).toEqual([]);
    expect(await heldByNobody()).toEqual([unknownId(text)]);
  });

  test('is not shown again if the phone reports the shop’s number in another phone', async () => {
    const number = newNumber();
    await world.addSender({ number, gateway: 'spare' });
    await shop.change({
      momo_accounts: [shop.number, number].map((one) => ({ number: one, network: 'MTN', account_name: 'AMA' })),
    });
    const text = mtn();
    await shop.arrive({ ...text, ...NO_SIM, simNumber: 1 });
    await shop.arrive({ ...text, ...SPARE_PHONE, recipient: shop.number });
    expect(await heldOf(shop)).toEqual([[shop.paymentId(text), expect.any(String)]]);
    expect(await heldByNobody()).toEqual([unknownId(text)]);
  });

  test('is shown to its shop if another shop was paid with its id', async () => {
    const text = mtn({ reference: charged });
    const elsewhere = await world.createShop();
    const reference = await elsewhere.charge({ amount: 36 });
    await elsewhere.arrive(mtn({ id: text.id, from: 'ESI SAMPLE', reference }));
    expect(await elsewhere.verified(reference)).toMatchObject({ status: 'success' });
    await shop.arrive({ ...text, ...NO_SIM });
    expect(await heldOf(shop)).toEqual([[unknownId(text), expect.any(String)]]);
    expect(await heldByNobody()).toEqual([]);
  });

  test('does not show its shop a text with its id from another shop’s phone', async () => {
    const text = mtn();
    await shop.arrive({ ...text, ...NO_SIM });
    await shop.arrive({
      ...mtn({ id: text.id, from: 'ESI SAMPLE' }),
      ...OTHER_PHONE,
      recipient: null,
      simNumber: 5,
    });
    expect(await heldOf(shop)).toEqual([[unknownId(text), 'conflict']]);
    expect(await heldByNobody()).toEqual([expect.stringContaining(unknownId(text))]);
  });
});

describe('a payment on an unknown number that names a bill of its shop', () => {
  const checkout = async (reference: string) => {
    const { access_code } = await world.chargeRow(reference);
    return (await world.call('checkout/page', { parameters: { access_code } })).text;
  };
  const CAME = 'A payment message about this bill arrived; Ama Stores is checking it.';

  test('is recorded on the bill, but does not pay it', async () => {
    const text = mtn({ reference: charged });
    await shop.arrive({ ...text, ...NO_SIM });
    await shop.arrive({ ...text, ...NO_SIM });
    await world.followPayments();
    expect(await shop.listed('held')).toMatchObject([{ id: unknownId(text), suggested_reference: charged }]);
    expect(await shop.verified(charged)).toMatchObject({ status: 'pending', amount_paid: 0, payment: null });
    expect(await world.chargeRow(charged)).toMatchObject({ waiting_receipts: [unknownId(text)] });
    const page = await checkout(charged);
    expect(page).toContain(CAME);
    expect(page).toContain('If you have not paid yet, pay now.');
    expect(await world.claim(charged, text.id)).toMatchObject({ outcome: 'unknown' });
    const owner = await shop.signIn('owner');
    expect((await owner.visit(`/dashboard/charges/${charged}`)).text).toContain(`/dashboard/held/${unknownId(text)}`);
    // A different payment still pays the bill.
    const other = mtn({ reference: charged });
    await shop.arrive({ ...other, ...NO_SIM, simNumber: 1 });
    await world.followPayments();
    expect(await shop.verified(charged)).toMatchObject({ status: 'success', second_payments: [] });
    expect(await checkout(charged)).not.toContain(CAME);
    expect(await heldOf(shop)).toEqual([[unknownId(text), 'number_unknown']]);
  });

  test.each([
    ['another shop’s bill', () => othersCharge],
    ['two bills', () => `${charged} ${othersCharge}`],
    ['no bill', () => 'MK-1000000000'],
  ])('is recorded on no bill if it names %s', async (_, reference) => {
    await shop.arrive({ ...mtn({ reference: reference() }), ...NO_SIM });
    expect(await shop.listed('held')).toMatchObject([{ suggested_reference: null }]);
    for (const one of [charged, othersCharge]) {
      expect(await world.chargeRow(one)).not.toHaveProperty('waiting_receipts');
      expect(await checkout(one)).not.toContain('a payment message');
    }
  });

  test('is recorded on no bill if its merchant is uncertain', async () => {
    await addShop();
    const text = mtn({ reference: charged });
    await shop.arrive({ ...text, ...NO_SIM });
    expect(await heldByNobody()).toEqual([unknownId(text)]);
    expect(await checkout(charged)).not.toContain(CAME);
  });

  test('is shown on the page of its payment request', async () => {
    const slug = await shop.request({ title: 'Fees', lines: [{ description: 'Fees', amount: 50 }] });
    const reference = await world.openPart(slug, '50');
    await shop.arrive({ ...mtn({ reference, amount: '50' }), ...NO_SIM });
    const { text } = await world.call('r/page', { parameters: { slug } });
    expect(text).toContain('A payment message for this request arrived; Ama Stores is checking it.');
    expect(await shop.shownRequest(slug)).toMatchObject({ status: 'open', amount_paid: 0 });
  });

  test.each([
    ['paid', () => shop.arrive({ ...mtn({ reference: charged }), ...NO_SIM, simNumber: 1 })],
    ['cancelled', () => shop.call('transaction/cancel', { parameters: { reference: charged } })],
  ])('changes nothing about a bill that is %s', async (_, end) => {
    await end();
    const before = await shop.verified(charged);
    const text = mtn({ reference: charged });
    await shop.arrive({ ...text, ...NO_SIM });
    await world.followPayments();
    expect(await shop.verified(charged)).toEqual(before);
    expect(await shop.listed('held')).toMatchObject([{ id: unknownId(text), suggested_reference: charged }]);
    expect(await checkout(charged)).not.toContain(CAME);
  });
});

describe('a payment on an unknown number whose id a bill was marked with', () => {
  let owner: Person;
  let wrong: string;

  beforeEach(async () => {
    await shop.setWebhook();
    owner = await shop.signIn('owner');
    wrong = await shop.charge({ amount: 36 });
  });

  const form = (id: string, more: object = {}) => ({
    how: 'transfer',
    amount: '36',
    payer: 'Kofi Mensah',
    transaction_id: id,
    number: shop.number,
    ...more,
  });
  const mark = (reference: string, id: string, more: object = {}) =>
    owner.visit(`/dashboard/charges/${reference}/mark`, { form: form(id, more) });
  const undo = () => owner.visit(`/dashboard/charges/${wrong}/unmark`, { form: {} });
  const assign = (text: ReceiptText, reference: string) =>
    shop.call('receipt/assign', { parameters: { id: unknownId(text) }, body: { reference } });
  const typesOf = async () => {
    await world.followChanges();
    const { json } = await shop.call('webhook/list-events');
    const events: { type: string; body: { data: { id?: string } } }[] = json.data.events;
    return events.flatMap(({ type, body }) => (type === 'receipt.held' ? [body.data.id] : []));
  };

  test.each<[string, () => string, boolean]>([
    ['without a reference before the mark is undone', () => '1', true],
    ['without a reference after the mark is undone', () => '1', false],
    ['with the right reference after the mark is undone', () => charged, false],
    ['with the wrong bill’s reference before the mark is undone', () => wrong, true],
  ])('is held for the shop if its text arrives %s', async (_, reference, isBefore) => {
    const text = mtn({ reference: reference() });
    await mark(wrong, text.id);
    if (isBefore) {
      await shop.arrive({ ...text, ...NO_SIM });
      await world.followPayments();
      expect(await heldOf(shop)).toEqual([]);
    }
    expect((await undo()).status).toBe(303);
    if (!isBefore) await shop.arrive({ ...text, ...NO_SIM });
    await world.followPayments();
    expect(await heldOf(shop)).toEqual([[unknownId(text), 'number_unknown']]);
    expect(await heldByNobody()).toEqual([]);
    expect(await typesOf()).toEqual([unknownId(text)]);
    expect(await shop.verified(wrong)).toMatchObject({ status: 'pending' });
    // The payment can only be matched now.
    const { status, text: page } = await mark(charged, text.id);
    expect([status, page]).toEqual([400, expect.stringContaining('Match it to the bill under Payments to check')]);
    expect((await assign(text, charged)).status).toBe(200);
    await world.followPayments();
    expect(await shop.verified(charged)).toMatchObject({ status: 'success', disputed: null });
  });

  describe('a text with the id of a payment that the shop sees', () => {
    const sees = async (reference: string, from: string) => {
      const seen = mtn({ reference, from: 'AMA SERWAA' });
      await shop.arrive({ ...seen, ...NO_SIM, simNumber: 1 });
      const text = mtn({ reference: charged, from, id: seen.id });
      await shop.arrive({ ...text, ...NO_SIM });
      await world.followPayments();
      return { seen, text };
    };
    const isShown = async (text: ReceiptText) => (await heldOf(shop)).some(([id]) => id === unknownId(text));

    test.each([
      ['counts for a bill', () => charged],
      ['is held', () => 'shoes'],
    ])('is shown if it states another payer and the payment %s', async (_, reference) => {
      const { text } = await sees(reference(), 'YAW SAMPLE');
      expect(await isShown(text)).toBe(true);
    });

    test('puts the payment in doubt although a copy of the payment’s text is stored without its SIM', async () => {
      await addUnused();
      const seen = mtn({ reference: 'shoes', from: 'AMA SERWAA' });
      await shop.arrive({ ...seen, ...NO_SIM, simNumber: 1 });
      await shop.arrive({ ...seen, ...NO_SIM });
      await shop.arrive({ ...mtn({ reference: charged, from: 'YAW SAMPLE', id: seen.id }), ...NO_SIM, simNumber: 1 });
      await world.followPayments();
      expect(await world.receiptRow(shop.paymentId(seen))).toMatchObject({ reason: 'conflict' });
    });

    test('stays hidden if it states the same details, even after a person removes the payment', async () => {
      const { seen, text } = await sees(charged, 'AMA SERWAA');
      expect(await isShown(text)).toBe(false);
      const manager = await shop.signIn('manager');
      const form = { receipt: shop.paymentId(seen) };
      expect((await manager.visit(`/dashboard/charges/${charged}/not-there`, { form })).status).toBe(303);
      await world.followPayments();
      expect(await isShown(text)).toBe(false);
    });
  });

  test('is shown if its text is stored just after the mark was undone', async () => {
    const text = mtn();
    await mark(wrong, text.id);
    world.rightBefore('TransactWriteItems', undo, unknownId(text));
    await shop.arrive({ ...text, ...NO_SIM });
    await world.followPayments();
    await world.followPayments();
    expect(await heldOf(shop)).toEqual([[unknownId(text), 'number_unknown']]);
    expect(await typesOf()).toEqual([unknownId(text)]);
  });

  test('is hidden if the bill was marked just before its text was stored', async () => {
    const text = mtn();
    world.rightBefore('TransactWriteItems', () => mark(wrong, text.id), unknownId(text));
    await shop.arrive({ ...text, ...NO_SIM });
    await world.followPayments();
    expect(await heldOf(shop)).toEqual([]);
    expect(await shop.verified(wrong)).toMatchObject({ status: 'success', disputed: null });
    await undo();
    await world.followPayments();
    expect(await heldOf(shop)).toEqual([[unknownId(text), 'number_unknown']]);
  });

  test('stays hidden after the mark is undone if a copy of its text reports the SIM', async () => {
    const text = mtn();
    await mark(wrong, text.id, { amount: '40' });
    await shop.arrive({ ...text, ...NO_SIM, simNumber: 1 });
    await shop.arrive({ ...text, ...NO_SIM });
    await undo();
    await world.followPayments();
    expect(await heldOf(shop)).toHaveLength(1);
    expect(await heldByNobody()).toEqual([unknownId(text)]);
  });

  test('can be used again for the same mark if its text is hidden', async () => {
    const text = mtn();
    await mark(wrong, text.id);
    await shop.arrive({ ...text, ...NO_SIM });
    const receipt_id = unknownId(text);
    // Texts that were stored by an earlier version.
    await world.outside.table.write([receiptRows.change({ receipt_id }, { known_to: undefined })]);
    await undo();
    await world.followPayments();
    expect(await heldOf(shop)).toEqual([]);
    expect((await mark(charged, text.id)).status).toBe(303);
  });

  test.each<[string, () => Partial<Parameters<typeof mtn>[0]>]>([
    ['states another amount', () => ({ amount: '50' })],
    ['states another payer', () => ({ from: 'YAW SAMPLE' })],
    ['names another bill', () => ({ reference: charged })],
  ])('is held and disputes the bill if its text %s', async (_, details) => {
    const text = mtn(details());
    await mark(wrong, text.id);
    await shop.arrive({ ...text, ...NO_SIM });
    await world.followPayments();
    expect(await heldOf(shop)).toEqual([[unknownId(text), 'conflict']]);
    expect(await shop.verified(wrong)).toMatchObject({ status: 'success', disputed: { why: 'conflict' } });
    expect(await typesOf()).toEqual([unknownId(text)]);
    await shop.arrive({ ...text, ...NO_SIM });
    expect(await heldOf(shop)).toHaveLength(1);
    expect((await undo()).status).toBe(303);
    await world.followPayments();
    expect(await heldOf(shop)).toEqual([[unknownId(text), 'number_unknown']]);
    await shop.arrive({ ...text, ...NO_SIM, simNumber: 1 });
    await world.followPayments();
    expect(await heldByNobody()).toEqual([]);
    const held = await heldOf(shop);
    expect(held.filter(([id]) => id === unknownId(text))).toEqual([]);
  });

  test('is held once if it contradicts the mark and a copy of its text reports the SIM', async () => {
    const text = mtn({ amount: '50' });
    await mark(wrong, text.id);
    await shop.arrive({ ...text, ...NO_SIM });
    await shop.arrive({ ...text, ...NO_SIM, simNumber: 1 });
    expect(await heldOf(shop)).toEqual([[expect.stringContaining(shop.paymentId(text)), 'conflict']]);
    expect(await heldByNobody()).toEqual([]);
    await undo();
    await world.followPayments();
    expect(await heldOf(shop)).toHaveLength(1);
  });

  test('keeps the doubt about a reversal when the mark is undone', async () => {
    const text = mtn();
    await mark(wrong, text.id);
    await shop.arrive({ ...text, ...NO_SIM });
    await shop.arrive({ ...announced(text), ...NO_SIM });
    await undo();
    await world.followPayments();
    expect(await heldOf(shop)).toContainEqual([unknownId(text), 'conflict']);
    expect(await world.receiptRow(unknownId(text))).toHaveProperty('reversal_doubt_at');
  });

  test('gets the doubt about a reversal that is announced with its SIM after the mark was undone', async () => {
    const text = mtn();
    await mark(wrong, text.id);
    await shop.arrive({ ...text, ...NO_SIM });
    await undo();
    await world.followPayments();
    await shop.arrive({ ...announced(text), ...NO_SIM, simNumber: 1 });
    expect(await heldOf(shop)).toContainEqual([unknownId(text), 'conflict']);
    expect(await world.receiptRow(unknownId(text))).toHaveProperty('reversal_doubt_at');
  });
});

/** Only announces a reversal, so a person must decide. */
const announced = ({ id }: ReceiptText) => ({
  sender: 'MobileMoney',
  text: `Dear customer, a reversal of transaction ${id} has been requested by the sender.`,
});

describe('a payment on an unknown number whose reversal was announced', () => {
  const SIM = { ...NO_SIM, simNumber: 1 } as const;
  const heldPayment = async (text: ReceiptText) => (await heldOf(shop)).filter(([id]) => id === unknownId(text));

  test.each([
    ['before its text, without a SIM', true, NO_SIM],
    ['before its text, with a SIM', true, SIM],
    ['after its text, without a SIM', false, NO_SIM],
    ['after its text, with a SIM', false, SIM],
  ])('is held for the shop with the doubt: %s', async (_, isFirst, place) => {
    const text = mtn({ reference: charged });
    if (isFirst) await shop.arrive({ ...announced(text), ...place });
    await shop.arrive({ ...text, ...NO_SIM });
    if (!isFirst) await shop.arrive({ ...announced(text), ...place });
    await world.followPayments();
    expect(await heldPayment(text)).toEqual([[unknownId(text), 'conflict']]);
    const row = await world.receiptRow(unknownId(text));
    expect(row).toMatchObject({ merchant_id: shop.id, suggested_reference: charged });
    expect(row).toHaveProperty('reversal_doubt_at');
    expect(await heldByNobody()).not.toContain(unknownId(text));
    // A copy with the SIM replaces the payment, but the doubt stays.
    await shop.arrive({ ...text, ...SIM });
    expect(await heldPayment(text)).toEqual([]);
    expect(await heldOf(shop)).toEqual([[shop.paymentId(text), 'conflict']]);
    expect(await world.receiptRow(shop.paymentId(text))).toHaveProperty('reversal_doubt_at');
    expect(await shop.verified(charged)).toMatchObject({ status: 'pending' });
  });

  test.each([
    ['without a SIM', NO_SIM],
    ['with a SIM', SIM],
  ])('gets the doubt at the second look if both texts were settled at once, %s', async (_, place) => {
    const text = mtn({ reference: charged });
    world.rightBefore('TransactWriteItems', () => shop.arrive({ ...announced(text), ...place }), unknownId(text));
    await shop.arrive({ ...text, ...NO_SIM });
    await world.followPayments();
    expect(await heldPayment(text)).toEqual([[unknownId(text), 'conflict']]);
    expect(await world.receiptRow(unknownId(text))).toHaveProperty('reversal_doubt_at');
  });

  test.each([
    ['without a SIM', NO_SIM, 'conflict'],
    ['with a SIM', SIM, 'reversed'],
  ])('is %s no longer plain if it was reversed at the same moment', async (_, place, reason) => {
    const text = mtn({ reference: charged });
    const reversed = reversal(text.id, '36.00');
    world.rightBefore('TransactWriteItems', () => shop.arrive({ ...reversed, ...place }), unknownId(text));
    await shop.arrive({ ...text, ...NO_SIM });
    await world.followPayments();
    expect(await heldPayment(text)).toEqual([[unknownId(text), reason]]);
  });

  test('stays set aside when a copy of its text reports the SIM', async () => {
    const text = mtn({ reference: charged });
    await shop.arrive({ ...announced(text), ...NO_SIM });
    await shop.arrive({ ...text, ...NO_SIM });
    const owner = await shop.signIn('owner');
    await owner.visit(`/dashboard/held/${unknownId(text)}/set-aside`, { form: {} });
    await shop.arrive({ ...text, ...SIM });
    expect(await shop.listed('set_aside')).toMatchObject([{ id: shop.paymentId(text) }]);
    expect(await heldOf(shop)).toEqual([]);
  });
});

describe('an unread text on an unknown number', () => {
  const UNREAD = { sender: 'MobileMoney', text: 'Ama Sample don send you GHS 77.00 for lunch' };

  test('is shown to the only shop that has numbers in the phone', async () => {
    await shop.arrive({ ...UNREAD, ...NO_SIM });
    expect(await shop.listed('unread')).toHaveLength(1);
    expect(await other.listed('unread')).toEqual([]);
  });

  test.each([
    ['a number of the phone belongs to no merchant', addUnused],
    ['another shop has a number in the phone', addShop],
  ])('is left to the operator if %s', async (_, prepare) => {
    await prepare();
    await shop.arrive({ ...UNREAD, ...NO_SIM });
    expect(await shop.listed('unread')).toEqual([]);
    expect(await listNewestReceipts(world.outside, 'unread')).toHaveLength(1);
  });

  test('is the only thing shown of a reversal whose payment has not arrived', async () => {
    const text = `Transaction ${mtn().id} reversed`;
    await shop.arrive({ ...UNREAD, text, ...NO_SIM });
    expect(await shop.listed('unread')).toHaveLength(1);
    expect(await heldOf(shop)).toEqual([]);
  });

  test('marks a bill as paid on the shop’s number of the text’s network', async () => {
    await shop.arrive({ sender: 'T-CASH', text: 'Ama Sample don send you GHS 36.00 for lunch', ...NO_SIM });
    const [unread] = await shop.listed('unread');
    const owner = await shop.signIn('owner');
    const transaction_id = telecel().id;
    const form = { how: 'text', text: String(unread?.id), amount: '36', payer: 'Ama Sample', transaction_id };
    expect((await owner.visit(`/dashboard/charges/${charged}/mark`, { form })).status).toBe(303);
    const { payment } = await shop.verified(charged);
    expect(payment).toMatchObject({ receipt_id: `TELECEL-${TELECEL.slice(1)}-${transaction_id}` });
  });

  test('asks which of the shop’s numbers on its network was paid', async () => {
    const second = newNumber();
    const account_name = 'AMA STORES';
    await shop.change({
      momo_accounts: [
        { number: TELECEL, network: 'TELECEL', account_name },
        ...[shop.number, second].map((number) => ({ number, network: 'MTN', account_name }) as const),
      ],
    });
    // The dashboard caches a shop for a minute.
    world.clock.nowMs += 2 * MINUTE_MS;
    await shop.arrive({ ...UNREAD, ...NO_SIM });
    const [unread] = await shop.listed('unread');
    const owner = await shop.signIn('owner');
    const query = { how: 'text', text: String(unread?.id) };
    const { text: page } = await owner.visit(`/dashboard/charges/${charged}/mark`, { query });
    const options = Array.from(page.matchAll(/value="(\+\d+)"/g), ([, number]) => number);
    expect(options).toEqual([shop.number, second]);
  });
});
