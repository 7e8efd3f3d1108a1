import { beforeEach, describe, expect, test } from 'vitest';
import { handler as followUp } from '../../../functions/work/follow-up.ts';
import { CHARGE_LIFETIME_MS } from '../../../shared/money/charge/charge.table.ts';
import { EXPIRY_GRACE_SECONDS, listExpiries, noteExpiry } from '../../../shared/money/charge/expiry.table.ts';
import { MAX_PART_PAYMENTS } from '../../../shared/money/payment/payment.ts';
import { paymentUseRows } from '../../../shared/money/receipt/receipt.table.ts';
import { setAside } from '../../../shared/money/settling/assign-receipt.ts';
import type { Item } from '../../../shared/runtime/table/table.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/runtime/values/calendar.ts';
import { assignUnassignedReceipt } from '../../support/actions.ts';
import { expectFailure } from '../../support/envelope.ts';
import {
  mtn,
  newNumber,
  pay,
  placeNumber,
  post,
  type ReceiptText,
  reversal,
  settleAtOnce,
  telecel,
} from '../../support/receipts.ts';
import { type Scene, type Shop, scene } from '../../support/scene.ts';
import { type BookedText, provenBook } from '../../support/wallet-book.ts';
import { callWorker, streamEvent } from '../../support/world.ts';

const KOFI = { customer_name: 'Kofi Mensah' };
const GRACE_MS = EXPIRY_GRACE_SECONDS * 1000;

let world: Scene;
let shop: Shop;
let reference: string;
/** A time before the charge's expiry. */
let inTime: string;
beforeEach(async () => {
  world = await scene();
  shop = await world.createShop();
  reference = await shop.charge({ amount: 60 });
  inTime = world.iso();
});

describe('a part payment', () => {
  test('is completed by a payment of the outstanding amount', async () => {
    const first = await paidPartly('59.00');
    const part = { transaction_id: first.id, amount: 59, matched_by: 'reference' };
    const partly = { status: 'pending', amount_paid: 59, overpaid: 0, parts: [part], payment: null };
    expect(await shop.verified(reference)).toMatchObject(partly);
    const second = await paidPartly('1.00', { from: 'AMA OWUSU' });
    const payment = { transaction_id: second.id, amount: 1, payer_name: 'AMA OWUSU' };
    await expectPaid({ amount_paid: 60, overpaid: 0, parts: [part], payment });
    expect((await shop.listed('matched')).map((one) => one.reference)).toEqual([reference, reference]);
  });

  test('is ignored if its amount is GHS 0.00', async () => {
    await pay(world, shop, mtn({ reference, amount: '0.00' }));
    expect(await shop.verified(reference)).toMatchObject({ status: 'pending', parts: [] });
    expect(await world.rows('RECEIPT')).toEqual([]);
  });

  test('leads to an overpayment if the next payment is too large', async () => {
    for (const amount of ['50.00', '5.00', '7.50']) await paidPartly(amount);
    await expectPaid({ amount_paid: 62.5, overpaid: 2.5 });
  });

  test('is counted once despite repeated texts', async () => {
    const part = await paidPartly('59.00');
    for (let copies = 0; copies < 2; copies++) await shop.arrive(part);
    expect(await shop.verified(reference)).toMatchObject({ status: 'pending', amount_paid: 59 });
  });

  test('is held if it is not among the charge’s twenty largest payments', async () => {
    for (let n = 0; n < MAX_PART_PAYMENTS; n++) await paidPartly('0.01');
    const more = await paidPartly('1.00');
    const held = { reason: 'amount_differs', suggested_reference: reference };
    expect(await shop.receipt(more)).toMatchObject(held);
    expect((await give(more, reference, { as_part: true })).status).toBe(200);
    expect((await shop.listed('held')).map(({ amount }) => amount)).toEqual([0.01]);
    await paidPartly('60.00');
    await expectPaid({ amount_paid: 61.19, overpaid: 1.19 });
  });

  test('is counted once if several part payments are settled at the same time', async () => {
    const parts = ['10.00', '20.00', '30.00'].map((amount) => mtn({ amount, reference }));
    await settleAtOnce(world, await Promise.all(parts.map((part) => posted(part))));
    await expectPaid({ amount_paid: 60, overpaid: 0 });
  });

  test('of one pesewa does not block a payment matched by name', async () => {
    reference = await shop.charge({ amount: 60, ...KOFI });
    await paidPartly('0.01');
    await held('60.00');
    await expectPaid({ overpaid: 0.01 });
  });

  test('lets the payer claim the payment of the outstanding amount', async () => {
    await paidPartly('59.00');
    expect(await claim(await held('1.00'), reference)).toEqual({ outcome: 'paid' });
    await expectPaid({ amount_paid: 60 });
  });

  test('blocks the payment of the outstanding amount while the part is disputed', async () => {
    await contradict(await paidPartly('59.00'));
    const rest = await paidPartly('1.00');
    const row = { reason: 'charge_disputed', suggested_reference: reference };
    expect(await shop.receipt(rest)).toMatchObject(row);
    await expectDisputed();
    const { access_code } = await world.chargeRow(reference);
    const { text } = await world.call('checkout/page', { parameters: { access_code } });
    expect(text).toContain('If you have not paid yet, pay now.');
  });
});

describe('a reversed part payment', () => {
  test('is subtracted from the amount paid', async () => {
    const part = await paidPartly('20.00');
    await paidPartly('30.00');
    await shop.arrive(reversal(part.id));
    expect(await shop.verified(reference)).toMatchObject({ status: 'pending', amount_paid: 30 });
    expect(await shop.receipt(part)).toMatchObject({ state: 'held', reason: 'reversed' });
    expectFailure(await give(part, reference), 409, 'receipt_not_held');
    await paidPartly('10.00');
    expect(await shop.verified(reference)).toMatchObject({ status: 'pending', amount_paid: 40 });
  });

  test.each(['the part', 'the completing payment'])(
    'puts the charge’s other payment on hold (reversed: %s)',
    async (which) => {
      const [part, rest] = [await paidPartly('20.00'), await paidPartly('40.00')];
      const [gone, left, amount] = which === 'the part' ? [part, rest, 40] : [rest, part, 20];
      await shop.arrive(reversal(gone.id));
      const counted = { payment: { transaction_id: gone.id }, parts: [{ transaction_id: left.id }] };
      expect(await shop.verified(reference)).toMatchObject({ status: 'reversed', amount_paid: amount, ...counted });
      const row = { state: 'held', reason: 'charge_reversed', suggested_reference: reference };
      expect(await shop.receipt(left)).toMatchObject(row);
      const next = await shop.charge({ amount });
      expect(await give(left, next)).toMatchObject({ status: 200 });
      await expectPaid({ amount_paid: amount }, next);
    },
  );

  test.each([
    ['a stranger’s pesewa', { amount: '0.01', from: 'YAW ADJEI' }],
    ['an overpayment', { amount: '59.00' }],
  ])('leaves the charge paid if it was %s', async (_, { amount, ...said }) => {
    const part = await paidPartly(amount, said);
    await paidPartly('60.00');
    await shop.arrive(reversal(part.id));
    await expectPaid({ amount_paid: 60, overpaid: 0 });
  });

  test('leaves the charge’s other payment unclaimable', async () => {
    reference = await shop.charge({ amount: 56, ...KOFI });
    const [part, other] = [await paidPartly('36.00'), await held('20.00')];
    await expectPaid({ payment: { matched_by: 'name' } });
    await shop.arrive(reversal(part.id));
    expect(await shop.receipt(other)).toMatchObject({ reason: 'charge_reversed' });
    expect(await claim(other, await shop.charge({ amount: 20 }))).toEqual({ outcome: 'unknown' });
  });
});

describe('a disputed reversal of a part payment', () => {
  const unclear = ({ id }: ReceiptText) => ({
    sender: 'MobileMoney',
    text: `We have reversed the transaction ${id} of GHS 20.00.`,
  });
  let part: ReceiptText;
  let other: ReceiptText;

  beforeEach(async () => {
    [part, other] = [await paidPartly('20.00'), await paidPartly('30.00')];
  });

  test('is resolved when the payment is reversed', async () => {
    await shop.arrive(unclear(part));
    expect(await shop.verified(reference)).toMatchObject({ disputed: { why: 'reversal' } });
    await shop.arrive(reversal(part.id));
    expect(await shop.verified(reference)).toMatchObject({ status: 'pending', amount_paid: 30, disputed: null });
    await paidPartly('30.00');
    await expectPaid({ amount_paid: 60, disputed: null });
  });

  test('is resolved if the other payments cover the charge', async () => {
    await paidPartly('60.00');
    await shop.arrive(unclear(part));
    await shop.arrive(reversal(part.id));
    await expectPaid({ amount_paid: 90, disputed: null });
  });

  test('is resolved when the charge is reversed too', async () => {
    await paidPartly('10.00');
    await shop.arrive(unclear(part));
    await shop.arrive(reversal(part.id));
    expect(await shop.verified(reference)).toMatchObject({ status: 'reversed', disputed: null });
    expect(await shop.receipt(other)).toMatchObject({ state: 'held', reason: 'charge_reversed' });
  });

  test('stays open if a different part payment is also disputed', async () => {
    for (const one of [part, other]) await shop.arrive(unclear(one));
    await shop.arrive(reversal(part.id));
    expect(await shop.verified(reference)).toMatchObject({ amount_paid: 30, disputed: { why: 'reversal' } });
  });

  test('is resolved by a manual assignment until a new text arrives', async () => {
    const third = await held('5.00');
    await shop.arrive(unclear(third));
    const form = { reference, counts_as: 'part', shown: 'contradicted' };
    const manager = await shop.signIn('manager');
    await manager.visit(`/dashboard/held/${shop.paymentId(third)}/give`, { form });
    await shop.arrive(unclear(part));
    await shop.arrive(reversal(part.id));
    expect(await shop.verified(reference)).toMatchObject({ amount_paid: 35, disputed: null });
    for (const one of [third, other]) await shop.arrive(unclear(one));
    await shop.arrive(reversal(other.id));
    expect(await shop.verified(reference)).toMatchObject({ amount_paid: 5, disputed: { why: 'reversal' } });
  });

  test('stays open if an API key assigned a contradicted payment', async () => {
    await contradict(await held('6.00'), '5.00');
    await giveSecond(5, { as_part: true });
    await shop.arrive(unclear(part));
    await shop.arrive(reversal(part.id));
    expect(await shop.verified(reference)).toMatchObject({ amount_paid: 35, disputed: { why: 'reversal' } });
  });

  describe('after a manual assignment of the full amount', () => {
    const assign = async (payment: ReceiptText, fields = {}) => {
      const form = { reference, shown: 'unverified', ...fields };
      const manager = await shop.signIn('manager');
      return manager.visit(`/dashboard/held/${shop.paymentId(payment)}/give`, { form });
    };

    test.each([
      ['the charge had expired', () => end()],
      ['the part payment was unverified', async () => {}],
    ])('is resolved if %s', async (_, before) => {
      await shop.arrive(unclear(part));
      await before();
      await assign(await held('60.00'));
      await expectPaid({ amount_paid: 60, disputed: null });
      expect(await shop.receipt(part)).toMatchObject({ state: 'held', reason: 'conflict' });
    });

    test('stays open if the part payment still counts', async () => {
      await shop.arrive(unclear(part));
      await assign(await held('30.00'));
      await expectPaid({ amount_paid: 80, disputed: { why: 'reversal' } });
    });

    describe('with a second part payment', () => {
      let third: ReceiptText;
      beforeEach(async () => {
        third = await held('5.00');
        await assign(third, { counts_as: 'part' });
        await shop.arrive(unclear(part));
      });

      test('is resolved if only the second payment remains', async () => {
        await assign(await held('60.00'));
        await expectPaid({ amount_paid: 65, disputed: null });
      });

      test('stays open if the second payment is disputed at the same moment', async () => {
        const full = await held('60.00');
        world.rightBefore('TransactWriteItems', () => shop.arrive(unclear(third)), '"success"');
        await assign(full);
        expect(await shop.receipt(third)).toHaveProperty('reversal_doubt_at');
        expect(await shop.verified(reference)).toMatchObject({ disputed: { why: 'reversal' } });
      });
    });
  });

  test('stays open if an API key assigns the payment after the expiry', async () => {
    await shop.arrive(unclear(part));
    await end();
    expect((await give(part, reference)).status).toBe(200);
    await expectPaid({ amount_paid: 20, disputed: { why: 'reversal' } });
  });

  test('stays open if a different part payment is disputed at the same moment', async () => {
    await shop.arrive(unclear(part));
    world.rightBefore('TransactWriteItems', () => shop.arrive(unclear(other)), '"reversed"');
    await shop.arrive(reversal(part.id));
    expect(await shop.receipt(part)).toMatchObject({ reason: 'reversed' });
    expect(await shop.receipt(other)).toHaveProperty('reversal_doubt_at');
    expect(await shop.verified(reference)).toMatchObject({ amount_paid: 30, disputed: { why: 'reversal' } });
  });
});

test('a charge accepted for a smaller amount stays paid if a later payment is reversed', async () => {
  const [accepted, added] = [await held('40.00'), await held('5.00')];
  expect((await give(accepted, reference)).status).toBe(200);
  world.clock.nowMs += 60_000;
  expect((await give(added, reference)).status).toBe(200);
  await shop.arrive(reversal(added.id));
  await expectPaid({ amount_paid: 40 });
  await shop.arrive(reversal(accepted.id));
  expect(await shop.verified(reference)).toMatchObject({ status: 'reversed' });
});

test('a charge accepted for a smaller amount is reversed when its completing payment is reversed', async () => {
  const [accepted, added] = [await held('40.00'), await held('20.00')];
  expect((await give(accepted, reference)).status).toBe(200);
  world.clock.nowMs += 60_000;
  expect((await give(added, reference)).status).toBe(200);
  await shop.arrive(reversal(added.id));
  expect(await shop.verified(reference)).toMatchObject({ status: 'reversed', amount_paid: 40 });
});

test('a charge is reversed when the payment that replaced a reversed part is reversed', async () => {
  const book = await provenBook(world, shop, 6);
  reference = await shop.charge({ amount: 100 });
  const paid = async (amount: number) => {
    world.clock.nowMs += MINUTE_MS;
    const text = book.paid(amount, { reference });
    await shop.pay(text);
    await world.followPayments();
    return text;
  };
  const reversed = async (text: BookedText, amount: number) => {
    world.clock.nowMs += MINUTE_MS;
    await shop.arrive(book.reversed(text, amount));
    await world.followPayments();
  };
  const [part, rest, second] = [await paid(99), await paid(1), await paid(99)];
  await reversed(part, 99);
  await paid(1);
  await reversed(rest, 1);
  expect(await shop.verified(reference)).toMatchObject({ status: 'success', amount_paid: 100 });
  await reversed(second, 99);
  expect(await shop.verified(reference)).toMatchObject({ status: 'reversed', amount_paid: 1 });
});

describe('a partly paid charge after its expiry', () => {
  test('is closed a few minutes later and releases its payments', async () => {
    const part = await paidPartly('59.00');
    await end(GRACE_MS - 1);
    expect(await world.chargeRow(reference)).toMatchObject({ state: 'pending' });
    await end();
    const parts = [{ transaction_id: part.id }];
    const expired = { status: 'expired', expired_at: world.iso(), amount_paid: 59, parts };
    expect(await shop.verified(reference)).toMatchObject(expired);
    const row = await shop.receipt(part);
    expect(row).toMatchObject({ state: 'held', reason: 'charge_expired', suggested_reference: reference });
    expect(row).not.toHaveProperty('reference');
    expect(await paymentUseRows.find(world.outside, { network: 'MTN', transaction_id: part.id })).toBeUndefined();
    expect(await shop.listed('held')).toMatchObject([{ suggested_reference: reference }]);
  });

  test('releases its payments even if the stream misses the expiry', async () => {
    const part = await paidPartly('59.00');
    world.clock.nowMs += CHARGE_LIFETIME_MS + GRACE_MS;
    await world.housekeeping();
    expect(await shop.receipt(part)).toMatchObject({ state: 'held' });
  });

  test('reclaims all of its payments when one of them is assigned to it', async () => {
    const [first, second] = [await paidPartly('20.00'), await paidPartly('30.00')];
    await end();
    expect(await give(first, reference)).toMatchObject({ status: 200, json: { data: { amount_paid: 50 } } });
    const payment = { transaction_id: first.id, matched_by: 'hand' };
    await expectPaid({ amount_paid: 50, payment, parts: [{ transaction_id: second.id }] });
    expect(await shop.listed('held')).toEqual([]);
    expectFailure(await give(second, await shop.charge({ amount: 30 })), 409, 'receipt_not_held');
  });

  test('is paid when a late payment of the outstanding amount is assigned to it', async () => {
    await paidPartly('59.00');
    await end();
    const late = await paidPartly('1.00');
    const row = { reason: 'charge_expired', suggested_reference: reference };
    expect(await shop.receipt(late)).toMatchObject(row);
    await give(late, reference);
    await expectPaid({ amount_paid: 60 });
  });

  const putAside = async (part: ReceiptText, sent_back?: true) =>
    world.outside.table.write(await setAside(world.outside, shop.id, shop.paymentId(part), { by: 'ama', sent_back }));

  test.each<[string, happens: (part: ReceiptText) => Promise<unknown>, row: object]>([
    [
      'assigned to another charge',
      async (part) => {
        const other = await shop.charge({ amount: 20 });
        await give(part, other);
        await expectPaid({ amount_paid: 20 }, other);
      },
      { state: 'matched' },
    ],
    ['set aside', (part) => putAside(part), { state: 'held', set_aside: { by: 'ama' } }],
    ['set aside and sent back', (part) => putAside(part, true), { state: 'held', set_aside: { by: 'ama' } }],
    [
      'reversed',
      async (part) => {
        await shop.arrive(reversal(part.id));
        expectFailure(await give(part, reference), 409, 'receipt_not_held');
      },
      { state: 'held', reason: 'reversed' },
    ],
    ['disputed', contradict, { state: 'held', reason: 'conflict' }],
  ])('does not recover a payment that has been %s', async (_, happens, row) => {
    const [first, second] = [await paidPartly('20.00'), await paidPartly('30.00')];
    await end();
    await happens(first);
    await give(second, reference);
    await expectPaid({ amount_paid: 30, parts: [] });
    expect(await shop.receipt(first)).toMatchObject(row);
  });

  test('is paid only by a late payment of the full amount', async () => {
    const part = await paidPartly('59.00');
    await end();
    const rest = await arrivesLate('1.00');
    expect(await shop.receipt(rest)).toMatchObject({ reason: 'charge_expired', suggested_reference: reference });
    await arrivesLate('60.00');
    await expectPaid({ amount_paid: 60, parts: [] });
    await expectHeld(part, rest);
  });

  test('can be paid by assigning two payments made in time whose texts arrived late', async () => {
    await end();
    const parts = [await arrivesLate('20.00'), await arrivesLate('40.00')];
    for (const part of parts) expect(await give(part, reference)).toMatchObject({ status: 200 });
    await expectPaid({ amount_paid: 60 });
  });

  test('either counts or holds a payment that arrives as it expires', async () => {
    const part = await paidPartly('20.00');
    world.clock.nowMs += CHARGE_LIFETIME_MS + GRACE_MS;
    const late = mtn({ amount: '30.00', reference });
    const job = await posted({ ...late, receivedAt: inTime });
    await Promise.all([world.settle(job), end()]);
    await end();
    const { amount_paid, status } = await shop.verified(reference);
    expect(status).toBe('expired');
    await expectHeld(part, late);
    expect([20, 50]).toContain(amount_paid);
  });

  test('does not reclaim a payment that now counts towards a different charge', async () => {
    const first = await paidPartly('20.00');
    await end();
    const other = await shop.charge({ amount: 50, expires_in: 3600 });
    await give(first, other, { as_part: true });
    await end(GRACE_MS, other);
    const row = { state: 'held', suggested_reference: other };
    expect(await shop.receipt(first)).toMatchObject(row);
    await expectPaidWithRest();
    expect(await shop.receipt(first)).toMatchObject(row);
  });
});

describe('an unpaid charge', () => {
  test('expires after a grace period', async () => {
    const after = await row(reference);
    for (const _ of ['once', 'twice']) await callWorker(world, followUp, streamEvent([{ after }]));
    world.clock.nowMs += CHARGE_LIFETIME_MS + GRACE_MS - 1;
    await world.housekeeping();
    expect(await world.chargeRow(reference)).toMatchObject({ state: 'pending' });
    world.clock.nowMs += 1;
    await world.housekeeping();
    expect(await world.chargeRow(reference)).toMatchObject({ state: 'expired' });
    expect(await listExpiries(world.outside, world.iso(), 10)).toEqual([]);
  });

  test('does not expire after it is paid', async () => {
    await world.outside.table.write([noteExpiry(await world.chargeRow(reference))]);
    await paidPartly('60.00');
    world.clock.nowMs += CHARGE_LIFETIME_MS + GRACE_MS;
    await world.housekeeping();
    await expectPaid({ expired_at: null });
    expect(await listExpiries(world.outside, world.iso(), 10)).toEqual([]);
  });

  test('stays in the expiry list until it can be closed', async () => {
    const other = await shop.charge({ amount: 36 });
    for (const one of [reference, other]) {
      await world.outside.table.write([noteExpiry(await world.chargeRow(one))]);
    }
    world.clock.nowMs += CHARGE_LIFETIME_MS + GRACE_MS;
    const states = async () => [(await world.chargeRow(reference)).state, (await world.chargeRow(other)).state];
    const usual = world.dynamoDb;
    world.dynamoDb = async ({ input }, sendOn) => {
      if (JSON.stringify(input).includes(`"TRANSACTION#${reference}"`)) throw new Error('Not now');
      await sendOn();
    };
    await world.housekeeping();
    world.dynamoDb = usual;
    expect(await states()).toEqual(['pending', 'expired']);
    await world.housekeeping();
    expect(await states()).toEqual(['expired', 'expired']);
  });
});

describe('assigning payments manually', () => {
  test('counts each payment until the charge is paid', async () => {
    const [first, second] = [await held('20.00'), await held('40.00')];
    const one = (await give(first, reference, { as_part: true })).json.data;
    expect(one).toMatchObject({ status: 'pending', amount_paid: 20, parts: [{ matched_by: 'hand' }] });
    const both = (await give(second, reference, { as_part: true })).json.data;
    expect(both).toMatchObject({ status: 'success', amount_paid: 60 });
  });

  test('cannot add a part payment to an expired charge', async () => {
    const part = await held('20.00');
    world.clock.nowMs += CHARGE_LIFETIME_MS;
    expectFailure(await give(part, reference, { as_part: true }), 409, 'charge_not_pending');
    expect(await shop.receipt(part)).toMatchObject({ state: 'held' });
  });
});

describe('a charge that expires between a read and a write', () => {
  test('is not paid with its released payments', async () => {
    const part = await paidPartly('20.00');
    await restAsChargeEnds();
    await give(part, await shop.charge({ amount: 20 }));
    await expectNotPaidWith(40);
  });

  test('is not paid with its released payments through a manual assignment', async () => {
    await paidPartly('20.00');
    const rest = await held('40.00');
    await end(-1);
    world.rightBefore('TransactWriteItems', () => end());
    await give(rest, reference);
    await expectNothingCountsTwice();
  });

  test('can still have its payment reversed', async () => {
    await paidPartly('20.00');
    const rest = await restAsChargeEnds();
    await shop.arrive(reversal(rest.id));
    expect(await shop.receipt(rest)).toMatchObject({ state: 'held', reason: 'reversed' });
    expect(await shop.verified(reference)).toMatchObject({ status: 'expired', payment: null });
  });
});

describe('a disputed part payment of an expired charge', () => {
  const unclear = ({ id }: ReceiptText) =>
    shop.arrive({ sender: 'MobileMoney', text: `Hello, transaction ${id} will be reversed soon.` });

  test.each([
    ['a contradictory text', (part: ReceiptText) => contradict(part)],
    ['an unclear reversal', unclear],
  ])('stops a late payment from paying the charge after %s', async (_, doubt) => {
    const part = await paidPartly('59.00');
    await end();
    await doubt(part);
    expect(await shop.receipt(part)).toMatchObject({ reason: 'conflict' });
    await arrivesLate('1.00');
    await expectNotPaidWith(1);
  });

  test('stops an `as_part` assignment from completing the charge', async () => {
    const part = await paidPartly('59.00');
    await end();
    await contradict(part);
    await give(await held('1.00'), reference, { as_part: true });
    await expectNotPaidWith(1);
  });
});

describe('a part payment that is disputed when its charge expires', () => {
  test('is held as a conflict after the expiry', async () => {
    const [part, other] = [await paidPartly('20.00'), await paidPartly('30.00')];
    await contradict(part);
    await end();
    expect(await shop.receipt(part)).toMatchObject({ state: 'held', reason: 'conflict' });
    await give(other, reference);
    expect(await shop.verified(reference)).toMatchObject({ amount_paid: 30 });
  });

  test('cannot confirm a claim', async () => {
    const { part, other } = await partOfOneForAnother();
    await contradict(part);
    await expectDisputed();
    await end();
    expect(await claim(part, other)).toEqual({ outcome: 'unknown' });
  });

  test('can be replaced by assigning the conflicting text', async () => {
    await contradict(await paidPartly('20.00'), '25.00');
    await end();
    expect((await giveSecond(25)).status).toBe(200);
  });

  test('stops a payment matched by name from paying the charge', async () => {
    reference = await shop.charge({ amount: 80, ...KOFI });
    await contradict(await paidPartly('20.00'));
    await held('80.00');
    await expectDisputed();
  });
});

describe('a dispute that arises between a read and a write', () => {
  test('stops the last payment from completing the charge', async () => {
    const part = await paidPartly('20.00');
    const job = await posted(mtn({ amount: '40.00', reference }));
    world.rightBefore('TransactWriteItems', () => contradict(part));
    await world.settle(job);
    await expectDisputed();
  });

  test('does not affect the other payments of an expired charge', async () => {
    const part = await paidPartly('20.00');
    await end();
    const rest = mtn({ amount: '40.00', reference });
    const job = await posted({ ...rest, receivedAt: inTime });
    world.rightBefore('TransactWriteItems', () => contradict(part));
    await world.settle(job);
    const row = { state: 'held', reason: 'charge_expired', suggested_reference: reference };
    expect(await shop.receipt(rest)).toMatchObject(row);
  });

  test('is not lost if the charge expires at the same time', async () => {
    const part = await paidPartly('20.00');
    await end(-1);
    const job = await posted(mtn({ amount: '2.00', reference, id: part.id }));
    // Only the first text has been read at this point.
    world.rightBefore('GetItem', () => end(), 'PAYMENT#');
    await world.settle(job);
    await world.settle(job);
    const [row, found] = [await shop.receipt(part), await world.chargeRow(reference)];
    expect(row?.reason === 'conflict' || found.disputed !== undefined).toBe(true);
  });
});

describe('a second receipt for the same payment', () => {
  test('can be assigned to the charge after its expiry', async () => {
    const part = await paidPartly('20.00');
    await shop.arrive({ ...part, recipient: null });
    expect(await world.receiptRow(`MTN-unknown-${part.id}`)).toMatchObject({ reason: 'already_paid' });
    await end();
    await assignUnassignedReceipt(world.outside, `MTN-unknown-${part.id}`, reference);
    expect(await shop.verified(reference)).toMatchObject({ amount_paid: 20 });
  });

  test('stays with the new charge that it is assigned to', async () => {
    await expectPaid({}, await partUsedElsewhere());
    await expectPaidWithRest();
  });

  test('causes no dispute between the expired and the new charge', async () => {
    const other = await partUsedElsewhere();
    const rest = await arrivesLate('40.00');
    expect(await shop.verified(other)).toMatchObject({ disputed: null });
    expect(await shop.receipt(rest)).toMatchObject({ state: 'held', reason: 'charge_expired' });
  });

  test('does not reverse other payments if it is reversed after the expiry', async () => {
    const first = await held('25.00');
    await shop.arrive(mtn({ amount: '20.00', id: first.id }));
    await giveSecond(20, { as_part: true });
    await end();
    await shop.arrive(reversal(first.id));
    const rest = await arrivesLate('40.00');
    expect(await shop.receipt(rest)).toMatchObject({ reason: 'charge_expired' });
    await give(rest, reference);
    await expectPaid({ amount_paid: 40, parts: [] });
  });

  describe('while the first receipt is held', () => {
    let id: string;
    beforeEach(async () => {
      const first = await held('25.00');
      await shop.arrive(mtn({ amount: '20.00', id: first.id }));
      await giveSecond(20, { as_part: true });
      id = first.id;
    });
    const arrives = (amount: string) => shop.arrive(mtn({ amount, id }));

    test('is disputed by a third text until the payment is reversed', async () => {
      await arrives('30.00');
      await expectDisputed();
      await shop.arrive(reversal(id, '20.00'));
      expect(await shop.verified(reference)).toMatchObject({ amount_paid: 0, disputed: null });
      await arrives('35.00');
      expect(await shop.verified(reference)).toMatchObject({ disputed: null });
    });

    test('is not disputed by a copy', async () => {
      await arrives('20.00');
      expect(await shop.verified(reference)).toMatchObject({ amount_paid: 20, disputed: null });
    });
  });

  describe('that has different details and is assigned manually', () => {
    const giveOther = async (amount: number, fields = {}) => {
      const { id } = (await shop.listed('held')).find((one) => one.amount === amount) ?? {};
      const manager = await shop.signIn('manager');
      const form = { reference, shown: 'contradicted', ...fields };
      return manager.visit(`/dashboard/held/${id}/give`, { form });
    };

    test('replaces the first receipt and pays the charge', async () => {
      const part = await paidPartly('59.00');
      await contradict(part, '60.00');
      expect((await giveOther(60)).status).toBe(303);
      await expectPaid({ amount_paid: 60, disputed: null, second_payments: [] });
      expect(await shop.receipt(part)).toMatchObject({ state: 'held', reason: 'conflict' });
      await expectNothingCountsTwice();
      await shop.arrive(reversal(part.id));
      expect(await shop.verified(reference)).toMatchObject({ status: 'reversed' });
    });

    test('replaces the smallest of twenty part payments', async () => {
      const part = await paidPartly('0.01');
      for (let n = 1; n < MAX_PART_PAYMENTS; n++) await paidPartly('1.00');
      await contradict(part, '3.00');
      expect((await giveOther(3, { counts_as: 'part' })).status).toBe(303);
      expect(await shop.verified(reference)).toMatchObject({ status: 'pending', amount_paid: 22, disputed: null });
      await expectNothingCountsTwice();
    });
  });

  test.each(['first', 'second'])('makes both receipts unclaimable if it conflicts and arrives %s', async (place) => {
    const payment = mtn({ amount: '60.00' });
    if (place === 'second') await shop.pay(payment);
    await shop.arrive({ ...mtn({ amount: '2.00', id: payment.id }), recipient: null });
    if (place === 'first') await shop.pay(payment);
    expect(await claim(payment, reference)).toEqual({ outcome: 'unknown' });
  });

  test('cannot pay the charge after the payment is reversed', async () => {
    const payment = mtn({ amount: '60.00' });
    await shop.arrive({ ...payment, recipient: null });
    await shop.arrive(reversal(payment.id));
    await assignUnassignedReceipt(world.outside, `MTN-unknown-${payment.id}`, reference).catch(() => undefined);
    expect(await shop.verified(reference)).toMatchObject({ status: 'pending' });
  });

  test('cannot be claimed after a reversal text without a receiving number', async () => {
    await world.addSender({ number: shop.number, sim_number: 1 });
    await world.addSender({ number: newNumber(), sim_number: 2 });
    const payment = await held('60.00');
    await shop.arrive({ ...reversal(payment.id), recipient: null });
    expect(await claim(payment, reference)).toEqual({ outcome: 'unknown' });
  });
});

describe('an expired charge’s part payment that another charge claims', () => {
  test('does not return to the expired charge', async () => {
    const { part, other } = await partOfOneForAnother();
    await end();
    expect(await claim(part, other)).toEqual({ outcome: 'paid' });
    await expectPaidWithRest();
  });

  test('pays only one of the two charges', async () => {
    const { part, other } = await partOfOneForAnother('59.00');
    await end();
    expect(await claim(part, other)).toEqual({ outcome: 'paid' });
    await arrivesLate('1.00');
    expect(await shop.verified(reference)).toMatchObject({ status: 'expired' });
  });
});

test('an overpayment does not pay a second charge in the same name', async () => {
  reference = await shop.charge({ amount: 60, ...KOFI });
  await paidPartly('55.00');
  const thiefs = await shop.charge({ amount: 5, ...KOFI, email: 'thief@example.com' });
  await held('5.00');
  expect(await shop.verified(thiefs)).toMatchObject({ status: 'pending' });
});

describe('webhook events about part payments', () => {
  beforeEach(() => shop.setWebhook());

  const events = async (ofType: string) => (await world.rows('EVENT')).filter(({ type }) => type === ofType);

  test('are sent each time a payment is held again', async () => {
    const part = await held('20.00');
    for (let round = 0; round < 2; round++) {
      const next = await shop.charge({ amount: 60 });
      await give(part, next, { as_part: true });
      const before = (await shop.receipt(part)) ?? {};
      await end(GRACE_MS, next);
      const after = (await shop.receipt(part)) ?? {};
      expect(after).toMatchObject({ state: 'held', suggested_reference: next });
      await callWorker(world, followUp, streamEvent([{ before, after }]));
    }
    expect(await events('receipt.held')).toHaveLength(2);
  });

  test('expire thirty days after a manual assignment', async () => {
    const part = await held('20.00');
    world.clock.nowMs += 31 * DAY_MS;
    const next = await shop.charge({ amount: 60 });
    const before = await row(next);
    await give(part, next, { as_part: true });
    await callWorker(world, followUp, streamEvent([{ before, after: await row(next) }], world.clock.nowMs));
    const [event] = await events('charge.partly_paid');
    expect(Number(event?.expires_at_epoch_seconds)).toBeGreaterThan(world.clock.nowMs / 1000);
  });

  test('contain the payment’s arrival time', async () => {
    const before = await row(reference);
    await paidPartly('20.00');
    const arrivedMs = Math.floor(world.clock.nowMs / 1000) * 1000;
    const change = streamEvent([{ before, after: await row(reference) }], arrivedMs);
    world.clock.nowMs += 2 * HOUR_MS;
    await callWorker(world, followUp, change);
    const [event] = await events('charge.partly_paid');
    expect(JSON.parse(String(event?.body))).toMatchObject({ timestamp: new Date(arrivedMs).toISOString() });
  });
});

describe('functions whose clocks differ', () => {
  test('resolve the dispute about a contradicted part payment once that payment is reversed', async () => {
    world.clock.nowMs += MINUTE_MS;
    const part = await paidPartly('20.00');
    world.clock.nowMs -= 2_000;
    await contradict(part);
    expect(await shop.verified(reference)).toMatchObject({ status: 'pending', disputed: { why: 'conflict' } });
    await shop.arrive(reversal(part.id, '20.00', '10.00'));
    expect(await shop.verified(reference)).toMatchObject({ status: 'pending', disputed: null });
  });

  const accepted = async (msBetween: number, isFirst: boolean) => {
    const [part, less] = [await held('20.00'), await held('15.00')];
    const inOrder = isFirst ? [part, less] : [less, part];
    for (const one of inOrder) {
      expect((await give(one, reference, one === part && isFirst ? { as_part: true } : {})).status).toBe(200);
      world.clock.nowMs += msBetween;
    }
    world.clock.nowMs += MINUTE_MS;
    await shop.arrive(reversal(part.id, '20.00', '10.00'));
  };

  test.each([1, -5_000])(
    'keep a charge paid if a smaller amount was accepted before the reversed part was assigned (%i ms)',
    async (ms) => {
      await accepted(ms, false);
      expect(await shop.verified(reference)).toMatchObject({ status: 'success', amount_paid: 15 });
    },
  );

  test.each([1, -5_000])(
    'reverse a charge if a smaller amount was accepted after the reversed part was assigned (%i ms)',
    async (ms) => {
      await accepted(ms, true);
      expect(await shop.verified(reference)).toMatchObject({ status: 'reversed' });
    },
  );
});

test('a payment to a number that the merchant has removed still pays an earlier charge', async () => {
  const second = newNumber();
  await placeNumber(world.outside, second, 'TELECEL');
  const accounts = [account(shop.number, 'MTN'), account(second, 'TELECEL')];
  await shop.change({ momo_accounts: accounts });
  world.clock.nowMs += 3_000;
  const [one, two] = [await shop.charge({ amount: 60 }), await shop.charge({ amount: 60 })];
  await shop.change({ momo_accounts: [account(newNumber(), 'MTN')] });
  await shop.pay(mtn({ amount: '60.00', reference: one }));
  await pay(world, { number: second }, telecel({ amount: '60.00', reference: two }));
  for (const paid of [one, two]) await expectPaid({}, paid);
});

function account<Name extends 'MTN' | 'TELECEL'>(number: string, network: Name) {
  return { number, network, account_name: 'A' };
}

async function expectPaid(shown: object, of = reference): Promise<void> {
  expect(await shop.verified(of)).toMatchObject({ status: 'success', ...shown });
}

async function expectDisputed(): Promise<void> {
  expect(await shop.verified(reference)).toMatchObject({ status: 'pending', disputed: { why: 'conflict' } });
}

async function expectNotPaidWith(amount: number): Promise<void> {
  const { status, amount_paid } = await shop.verified(reference);
  expect({ status, amount_paid }).not.toEqual({ status: 'success', amount_paid: amount });
}

/** Assigns the remaining amount and expects that it pays the charge alone. */
async function expectPaidWithRest(): Promise<void> {
  expect((await give(await held('40.00'), reference)).status).toBe(200);
  await expectPaid({ amount_paid: 40, parts: [] });
}

async function expectHeld(...payments: ReceiptText[]): Promise<void> {
  const ids = (await shop.listed('held')).map(({ id }) => id);
  expect(ids.toSorted()).toEqual(payments.map((one) => shop.paymentId(one)).toSorted());
}

/** Expects each payment of an open or paid charge to be used only for that charge. */
async function expectNothingCountsTwice(): Promise<void> {
  const receipts = await world.rows('RECEIPT');
  for (const { reference: of, state, parts, payment } of await world.rows('TRANSACTION')) {
    if (state !== 'pending' && state !== 'success') continue;
    const counted = [...(Array.isArray(parts) ? parts : []), ...(payment ? [payment] : [])];
    for (const { receipt_id } of counted) {
      const receipt = receipts.find((one) => one.receipt_id === receipt_id);
      expect({ state: receipt?.state, reference: receipt?.reference }).toEqual({ state: 'matched', reference: of });
    }
  }
}

async function paidPartly(amount: string, said: { from?: string } = {}): Promise<ReceiptText> {
  const part = mtn({ amount, reference, ...said });
  await shop.pay(part);
  return part;
}

/** Receives a payment that names no charge. */
async function held(amount: string): Promise<ReceiptText> {
  const payment = mtn({ amount });
  await shop.pay(payment);
  return payment;
}

/** Receives a late text about a timely payment. */
async function arrivesLate(amount: string): Promise<ReceiptText> {
  const payment = mtn({ amount, reference });
  await shop.arrive({ ...payment, receivedAt: inTime });
  return payment;
}

/** Receives another text about a part payment, with a different amount. */
function contradict({ id }: ReceiptText, amount = '2.00'): Promise<void> {
  return shop.arrive(mtn({ amount, reference, id }));
}

function posted(payment: ReceiptText & { receivedAt?: string }): Promise<object> {
  return post(world, { ...payment, recipient: shop.number });
}

/** Settles the remaining amount while the charge expires. */
async function restAsChargeEnds(): Promise<ReceiptText> {
  const rest = mtn({ amount: '40.00', reference });
  await end(-1);
  const job = await posted({ ...rest, receivedAt: inTime });
  world.rightBefore('TransactWriteItems', () => end());
  await world.settle(job);
  return rest;
}

/** Runs housekeeping after the charge's expiry. */
async function end(afterMs = GRACE_MS, of = reference): Promise<void> {
  const charge = await world.chargeRow(of);
  await world.outside.table.write([noteExpiry(charge)]);
  world.clock.nowMs = Math.max(world.clock.nowMs, Date.parse(charge.expires_at) + afterMs);
  await world.housekeeping();
}

/** Assigns a second receipt of an expired charge's part payment to another charge. */
async function partUsedElsewhere(): Promise<string> {
  const part = await paidPartly('20.00');
  await shop.arrive({ ...part, recipient: null });
  await end();
  const other = await shop.charge({ amount: 20 });
  await assignUnassignedReceipt(world.outside, `MTN-unknown-${part.id}`, other);
  return other;
}

/** Assigns a held payment to a charge as a part. Another charge for its amount stays open longer. */
async function partOfOneForAnother(amount = '20.00') {
  world.clock.nowMs += CHARGE_LIFETIME_MS / 2;
  const part = await held(amount);
  const other = await shop.charge({ amount: Number(amount) });
  await give(part, reference, { as_part: true });
  return { part, other };
}

function claim({ id }: ReceiptText, of: string) {
  return world.claim(of, id);
}

function give(receipt: ReceiptText, to: string, more: object = {}) {
  return giveId(shop.paymentId(receipt), to, more);
}

/** Assigns the held text with this amount, one of two contradictory ones. */
async function giveSecond(amount: number, more: object = {}) {
  const second = (await shop.listed('held')).find((one) => one.amount === amount);
  return giveId(String(second?.id), reference, more);
}

function giveId(id: string, to: string, more: object) {
  return shop.call('receipt/assign', { parameters: { id }, body: { reference: to, ...more } });
}

async function row(of: string): Promise<Item> {
  return (await world.rows('TRANSACTION')).find((one) => one.reference === of) ?? {};
}
