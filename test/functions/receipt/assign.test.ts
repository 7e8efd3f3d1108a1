import { beforeEach, describe, expect, test } from 'vitest';
import { DAY_MS } from '../../../shared/runtime/values/calendar.ts';
import { loseAnswers } from '../../support/disturb.ts';
import { expectBadFields, expectFailure, expectOk } from '../../support/envelope.ts';
import { mtn, reversal, telecel } from '../../support/receipts.ts';
import { type Scene, type Shop, scene } from '../../support/scene.ts';

let world: Scene;
let shop: Shop;
beforeEach(async () => {
  world = await scene();
  shop = await world.createShop();
});

describe('a held receipt', () => {
  test('can be assigned despite a different amount', async () => {
    const receipt = mtn({ amount: '30.00', from: 'AMA OWUSU' });
    await shop.pay(receipt);
    const paidAt = world.iso();
    world.clock.nowMs += 60_000;
    const reference = await shop.charge({ amount: 36, customer_name: 'Kofi Mensah', metadata: { order: 7 } });
    const pending = await shop.verified(reference);

    const { json } = expectOk(await shop.assign(receipt, reference), {
      ...pending,
      status: 'success',
      paid_at: world.iso(),
      amount_paid: 30,
      proof: { state: 'unproven', why: 'not_anchored' },
      payment: {
        network: 'MTN',
        transaction_id: receipt.id,
        amount: 30,
        payer_name: 'AMA OWUSU',
        payer_phone: null,
        received_at: paidAt,
        matched_by: 'hand',
        proof: { state: 'unproven', why: 'not_anchored' },
        marked: null,
        reversible_until: new Date(Date.parse(paidAt) + 15 * 24 * 3_600_000).toISOString(),
        receipt_id: shop.paymentId(receipt),
      },
    });
    expect(await shop.verified(reference)).toEqual(json.data);
    const row = await shop.receipt(receipt);
    expect(row).toMatchObject({ state: 'matched', matched_by: 'hand', reference, merchant_id: shop.id });
    expect(row).not.toHaveProperty('reason');
    expect(await shop.listed('held')).toEqual([]);
    expect(await shop.listed('matched')).toMatchObject([{ matched_by: 'hand', reference, amount: 30 }]);
  });

  test.each([
    ['name_differs', async () => mtn(await shop.charge({ amount: 36, customer_name: 'Ama Owusu' }).then(() => ({})))],
    ['no_charge', async () => mtn()],
    ['network_differs', async () => telecel()],
    ['charge_expired', async () => mtn({ reference: await expired() })],
    ['already_paid', async () => mtn({ reference: await paid() })],
    ['several_fit', async () => mtn(await two().then(() => ({})))],
  ])('can be assigned to a charge if it is held as %s', async (reason, receiptOf) => {
    const receipt = await receiptOf();
    expect(await shop.pay(receipt)).toMatchObject({ state: 'held', reason });
    const reference = await shop.charge({ amount: 99 });
    expect((await shop.assign(receipt, reference)).status).toBe(200);
    expect(await shop.verified(reference)).toMatchObject({ status: 'success', payment: { matched_by: 'hand' } });
  });

  test('is no longer listed as a second payment in the response to its assignment', async () => {
    const reference = await shop.charge({ amount: 100 });
    const [first, rest, other] = [
      mtn({ amount: '60.00' }),
      mtn({ amount: '40.00', reference }),
      mtn({ amount: '7.00', reference }),
    ];
    await shop.pay(first);
    await shop.assign(first, reference);
    for (const receipt of [rest, other]) await shop.pay(receipt);
    const amounts = ({ second_payments }: { second_payments: { amount: number }[] }) =>
      second_payments.map(({ amount }) => amount).toSorted();
    expect(amounts(await shop.verified(reference))).toEqual([40, 7]);

    const { json } = expectOk(await shop.assign(rest, reference), await shop.verified(reference));
    expect(json.data).toMatchObject({ amount_paid: 100, parts: [{ amount: 40 }] });
    expect(amounts(json.data)).toEqual([7]);
  });

  test('can be assigned once', async () => {
    const receipt = await held();
    const [reference, other] = [await shop.charge({ amount: 1 }), await shop.charge({ amount: 2 })];
    await shop.assign(receipt, reference);
    const first = await shop.verified(reference);
    world.clock.nowMs += 1_000;
    for (const to of [reference, other]) {
      expectFailure(await shop.assign(receipt, to), 409, 'receipt_not_held');
    }
    expect(await shop.verified(reference)).toEqual(first);
    expect(await shop.verified(other)).toMatchObject({ status: 'pending' });
  });

  test('is assigned to only one of several charges chosen simultaneously', async () => {
    const receipt = await held();
    const references = await Promise.all([1, 2, 3, 4, 5].map((amount) => shop.charge({ amount })));
    const answers = await Promise.all(references.map((to) => shop.assign(receipt, to)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    // The other requests return 409 if they are late, or 503 on a conflict.
    for (const { status } of answers) expect([200, 409, 503]).toContain(status);
    const states = await Promise.all(references.map((one) => shop.verified(one)));
    expect(states.map(({ status }) => status)).toEqual(
      answers.map(({ status }) => (status === 200 ? 'success' : 'pending')),
    );
  });

  test('returns 409 if it changes while it is being assigned', async () => {
    for (const isTakenBack of [false, true]) {
      const receipt = await held();
      const [mine, other] = [await shop.charge({ amount: 1 }), await shop.charge({ amount: 2 })];
      world.rightBefore('TransactWriteItems', () =>
        isTakenBack ? shop.arrive(reversal(receipt.id)) : shop.assign(receipt, other),
      );
      expectFailure(await shop.assign(receipt, mine), 409, 'receipt_not_held');
      expect(await shop.verified(mine)).toMatchObject({ status: 'pending' });
      expect(await shop.verified(other)).toMatchObject({ status: isTakenBack ? 'pending' : 'success' });
    }
  });

  test('stays held if the charge is paid at the same moment', async () => {
    const receipt = await held();
    const reference = await shop.charge({ amount: 36 });
    const own = mtn({ reference });
    world.rightBefore('TransactWriteItems', () => shop.pay(own));
    expectFailure(await shop.assign(receipt, reference), 409, 'charge_not_pending');
    expect(await shop.receipt(receipt)).toMatchObject({ state: 'held' });
    expect(await shop.verified(reference)).toMatchObject({ payment: { transaction_id: own.id } });
  });

  test('counts once towards a charge despite simultaneous assignments', async () => {
    const receipts = [mtn(), mtn(), mtn()];
    for (const receipt of receipts) await shop.pay(receipt);
    const reference = await shop.charge({ amount: 1 });
    const answers = await Promise.all(receipts.map((receipt) => shop.assign(receipt, reference)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const rows = await Promise.all(receipts.map((receipt) => shop.receipt(receipt)));
    expect(rows.map((row) => row?.state)).toEqual(answers.map(({ status }) => (status === 200 ? 'matched' : 'held')));
  });

  test('takes eight DynamoDB requests to assign', async () => {
    const receipt = await held();
    const reference = await shop.charge({ amount: 1 });
    world.requests.length = 0;
    await shop.assign(receipt, reference);
    const reads = ['GetItem', 'GetItem', 'GetItem', 'BatchGetItem', 'GetItem', 'GetItem', 'BatchGetItem'];
    expect(world.requests).toEqual([...reads, 'TransactWriteItems']);
  });
});

describe('the second of two payments that wait for a person', () => {
  const payTwice = async (reference: string) => {
    const both = [mtn({ reference, amount: '36.00' }), mtn({ reference, amount: '36.00' })] as const;
    for (const one of both) await shop.pay(one);
    return both;
  };
  const seconds = async (reference: string) => {
    const { second_payments } = await shop.verified(reference);
    return second_payments.map(({ transaction_id }: { transaction_id: string }) => transaction_id);
  };

  test.each<[reason: string, end: (reference: string) => Promise<unknown>]>([
    ['charge_cancelled', (reference) => shop.call('transaction/cancel', { parameters: { reference } })],
    [
      'charge_expired',
      async () => {
        world.clock.nowMs += DAY_MS + 1;
        await world.housekeeping();
      },
    ],
    ['large_amount', () => shop.change({ confirm_always_above_pesewas: 10_00 })],
  ])('is a second payment once the first is assigned (%s)', async (reason, end) => {
    const reference = await shop.charge({ amount: 36 });
    await end(reference);
    const [first, second] = await payTwice(reference);
    expect(await shop.receipt(second)).toMatchObject({ reason });
    expect((await shop.assign(first, reference)).status).toBe(200);
    expect(await shop.receipt(second)).toMatchObject({ state: 'held', reason: 'already_paid' });
    expect(await seconds(reference)).toEqual([`…${second.id.slice(-4)}`]);
  });

  test('is a second payment once a delayed text of a timely payment pays the expired charge', async () => {
    const reference = await shop.charge({ amount: 36 });
    const at = world.clock.nowMs;
    world.clock.nowMs += DAY_MS + 1;
    await world.housekeeping();
    const late = mtn({ reference, amount: '36.00' });
    await shop.pay(late);
    expect(await shop.receipt(late)).toMatchObject({ reason: 'charge_expired' });
    await shop.arrive({ ...mtn({ reference, amount: '36.00' }), receivedAt: new Date(at).toISOString() });
    expect(await shop.verified(reference)).toMatchObject({ status: 'success', payment: { matched_by: 'reference' } });
    expect(await shop.receipt(late)).toMatchObject({ state: 'held', reason: 'already_paid' });
    expect(await seconds(reference)).toEqual([`…${late.id.slice(-4)}`]);
  });

  test('still waits if the first paid only a part of the charge', async () => {
    const reference = await shop.charge({ amount: 72 });
    await shop.call('transaction/cancel', { parameters: { reference } });
    const [first, second] = await payTwice(reference);
    expect((await shop.assign(first, reference)).status).toBe(200);
    expect(await shop.receipt(second)).toMatchObject({ state: 'held', reason: 'charge_cancelled' });
    expect((await shop.assign(second, reference)).status).toBe(200);
    expect(await shop.verified(reference)).toMatchObject({ amount_paid: 72, second_payments: [] });
  });

  test('is a second payment once a part completes a charge for which less had been accepted', async () => {
    const reference = await shop.charge({ amount: 36 });
    await shop.call('transaction/cancel', { parameters: { reference } });
    const [less, rest, other] = ['20.00', '16.00', '36.00'].map((amount) => mtn({ reference, amount }));
    if (!less || !rest || !other) throw new Error('Too few payments');
    for (const one of [less, rest, other]) await shop.pay(one);
    expect((await shop.assign(less, reference)).status).toBe(200);
    expect(await shop.receipt(other)).toMatchObject({ reason: 'charge_cancelled' });
    expect((await shop.assign(rest, reference)).status).toBe(200);
    expect(await shop.receipt(other)).toMatchObject({ state: 'held', reason: 'already_paid' });
    expect(await seconds(reference)).toEqual([`…${other.id.slice(-4)}`]);
  });

  test('stays held after both of the customer’s bills are paid by other payments, and its page says so', async () => {
    const customer = { customer_phone: '0241112222', customer_name: 'Kofi Mensah' };
    const reference = await shop.charge({ amount: 72, ...customer });
    const other = await shop.charge({ amount: 36, ...customer });
    const swapped = mtn({ reference, amount: '36.00' });
    await shop.pay(swapped);
    expect(await shop.receipt(swapped)).toMatchObject({ reason: 'amount_of_another' });
    for (const [to, amount] of [
      [reference, '72.00'],
      [other, '36.00'],
    ] as const)
      await shop.pay(mtn({ reference: to, amount }));
    expect(await shop.receipt(swapped)).toMatchObject({ state: 'held', reason: 'amount_of_another' });
    expect(await seconds(reference)).toEqual([]);
    const owner = await shop.signIn('owner');
    const { text } = await owner.visit(`/dashboard/held/${(await shop.receipt(swapped))?.receipt_id}`);
    expect(text).toContain('The bill that they named is paid.');
  });

  test('of two swapped references waits for its own bill once a person has matched the other one', async () => {
    const customer = { customer_phone: '0241112222', customer_name: 'Kofi Mensah' };
    const bills = [
      await shop.charge({ amount: 72, ...customer }),
      await shop.charge({ amount: 36, ...customer }),
    ] as const;
    const [larger, smaller] = [
      mtn({ reference: bills[1], amount: '72.00' }),
      mtn({ reference: bills[0], amount: '36.00' }),
    ];
    for (const one of [larger, smaller]) await shop.pay(one);
    expect((await shop.assign(larger, bills[0])).status).toBe(200);
    expect(await shop.receipt(smaller)).toMatchObject({ state: 'held', reason: 'amount_of_another' });
    expect(await seconds(bills[0])).toEqual([]);
    expect((await shop.assign(smaller, bills[1])).status).toBe(200);
  });

  test('is a second payment of a payment request’s bill', async () => {
    await shop.change({ confirm_always_above_pesewas: 10_00 });
    const body = { title: 'Fees', lines: [{ description: 'Fees', amount: 36 }] };
    const { json } = await shop.call('request/create', { body });
    const reference = await world.openPart(json.data.slug, '36');
    const [first, second] = await payTwice(reference);
    expect((await shop.assign(first, reference)).status).toBe(200);
    expect(await shop.receipt(second)).toMatchObject({ state: 'held', reason: 'already_paid' });
  });

  test('stays as it is if somebody set it aside', async () => {
    const reference = await shop.charge({ amount: 36 });
    await shop.call('transaction/cancel', { parameters: { reference } });
    const [first, second] = await payTwice(reference);
    const owner = await shop.signIn('owner');
    await owner.visit(`/dashboard/held/${shop.paymentId(second)}/set-aside`, { form: {} });
    expect((await shop.assign(first, reference)).status).toBe(200);
    expect(await shop.receipt(second)).toMatchObject({ reason: 'charge_cancelled', set_aside: {} });
  });

  test('is a second payment even if it arrives while the first is assigned', async () => {
    const reference = await shop.charge({ amount: 36 });
    await shop.call('transaction/cancel', { parameters: { reference } });
    const first = mtn({ reference, amount: '36.00' });
    const second = mtn({ reference, amount: '36.00' });
    await shop.pay(first);
    world.rightBefore('TransactWriteItems', () => shop.pay(second));
    expect((await shop.assign(first, reference)).status).toBe(409);
    expect((await shop.assign(first, reference)).status).toBe(200);
    expect(await shop.receipt(second)).toMatchObject({ state: 'held', reason: 'already_paid' });
    expect(await seconds(reference)).toEqual([`…${second.id.slice(-4)}`]);
  });

  test('is a second payment even if the first is assigned while it arrives', async () => {
    const reference = await shop.charge({ amount: 36 });
    await shop.call('transaction/cancel', { parameters: { reference } });
    const first = mtn({ reference, amount: '36.00' });
    const second = mtn({ reference, amount: '36.00' });
    await shop.pay(first);
    world.rightBefore('TransactWriteItems', () => shop.assign(first, reference));
    await shop.pay(second);
    expect(await shop.receipt(second)).toMatchObject({ state: 'held', reason: 'already_paid' });
    expect(await seconds(reference)).toEqual([`…${second.id.slice(-4)}`]);
  });
});

describe('the assignment of an unknown receipt or charge', () => {
  test.each(['MTN-233240000000-99999999999', 'x', '', '#', 'MTN-unknown-1', 'TEXT-0', '__proto__', 'é'.repeat(500)])(
    'returns 404 for the receipt %j',
    async (id) => {
      expectFailure(await assignId(id, await shop.charge({ amount: 36 })), 404, 'not_found');
    },
  );

  test.each(['MK-0000000000', 'mk-0000000000', '', 'x', '0000000000', 'MK-0000000000 '])(
    'returns 404 for the charge %j',
    async (reference) => {
      const receipt = await held();
      expectFailure(await shop.assign(receipt, reference), 404, 'not_found');
      expect(await shop.receipt(receipt)).toMatchObject({ state: 'held' });
    },
  );

  test('returns 404 for another merchant’s receipt', async () => {
    const other = await world.createShop();
    const receipt = mtn({ from: 'AMA OWUSU' });
    await other.pay(receipt);
    const reference = await shop.charge({ amount: 36 });
    const answer = await assignId(other.paymentId(receipt), reference);
    expectFailure(answer, 404, 'not_found');
    const unknown = await assignId(other.paymentId({ ...receipt, id: '99999999999' }), reference);
    expect(answer.json.message).toBe(unknown.json.message);
    expect(await other.receipt(receipt)).toMatchObject({ state: 'held', merchant_id: other.id });
    expect(await shop.verified(reference)).toMatchObject({ status: 'pending' });
  });

  test('returns 404 for another merchant’s charge', async () => {
    const other = await world.createShop();
    const receipt = await held();
    const reference = await other.charge({ amount: 36 });
    expectFailure(await shop.assign(receipt, reference), 404, 'not_found');
    expect(await other.verified(reference)).toMatchObject({ status: 'pending' });
    expect(await shop.receipt(receipt)).toMatchObject({ state: 'held' });
  });
});

describe('a payment that arrived while its charge could be paid', () => {
  test('can be assigned to the charge long after it expired', async () => {
    const reference = await shop.charge({ amount: 36 });
    const receipt = await held();
    world.clock.nowMs += 3 * DAY_MS;
    expect((await shop.assign(receipt, reference)).status).toBe(200);
    expect(await shop.verified(reference)).toMatchObject({ status: 'success', amount_paid: 36 });
  });

  test('cannot be assigned to the charge after it was cancelled', async () => {
    const reference = await shop.charge({ amount: 36 });
    const receipt = await held();
    await shop.call('transaction/cancel', { parameters: { reference } });
    world.clock.nowMs += 3 * DAY_MS;
    expectFailure(await shop.assign(receipt, reference), 409, 'charge_not_pending');
  });
});

describe('a rejected assignment', () => {
  test.each([
    ['an unpaid charge advises a new charge', expired, 'assign the payment to a new charge. Create it with POST'],
    ['a paid charge warns of a second delivery', paid, 'Do not create a new charge for it, or you will deliver twice.'],
  ])('to %s', async (_, chargeOf, advice) => {
    const reference = await chargeOf();
    expect((await shop.assign(await held(), reference)).json.message).toContain(advice);
  });

  test.each<[string, () => Promise<string>]>([
    ['expired over a day ago', expired],
    ['is already paid', paid],
  ])('returns 409 if the charge %s', async (_, chargeOf) => {
    const reference = await chargeOf();
    const before = await shop.verified(reference);
    const receipt = await held();
    expectFailure(await shop.assign(receipt, reference), 409, 'charge_not_pending');
    expect(await shop.verified(reference)).toEqual(before);
    expect(await shop.receipt(receipt)).toMatchObject({ state: 'held' });
  });

  test('returns 409 for an automatically matched receipt', async () => {
    const matched = mtn({ reference: await shop.charge({ amount: 36 }) });
    await shop.pay(matched);
    const reference = await shop.charge({ amount: 36 });
    expectFailure(await shop.assign(matched, reference), 409, 'receipt_not_held');
    expect(await shop.verified(reference)).toMatchObject({ status: 'pending' });
  });

  test('returns 409 for an unread text', async () => {
    await shop.arrive({ sender: 'MobileMoney', text: 'You have got GHS 36.00!' });
    const reference = await shop.charge({ amount: 36 });
    const [receipt] = await shop.listed('unread');
    expectFailure(await assignId(String(receipt?.id), reference), 409, 'receipt_not_held');
    expect(await shop.verified(reference)).toMatchObject({ status: 'pending' });
  });
});

test.each([undefined, null, 123_456_789, ['MK-0123456789']])(
  'an assignment to the reference %j returns 400',
  async (reference) => {
    expectBadFields(await shop.assign(await held(), reference), 'reference');
  },
);

describe('the Idempotency-Key of an assignment', () => {
  const headers = { 'idempotency-key': 'by-hand-1' };

  test('replays the first response', async () => {
    const receipt = await held();
    const reference = await shop.charge({ amount: 30 });
    const first = await shop.assign(receipt, reference, { headers });
    world.clock.nowMs += 60_000;
    const second = await shop.assign(receipt, reference, { headers });
    expect([first, second].map(({ headers }) => headers['idempotent-replayed'])).toEqual([undefined, 'true']);
    expect({ first: first.status, second: second.status, text: second.text }).toEqual({
      first: 200,
      second: 200,
      text: first.text,
    });
    expect(await shop.verified(reference)).toEqual(first.json.data);
  });

  test('assigns once for 20 simultaneous requests', async () => {
    const receipt = await held();
    const reference = await shop.charge({ amount: 30 });
    const ask = () => shop.assign(receipt, reference, { headers });
    const answers = await Promise.all(Array.from({ length: 20 }, ask));
    const taken = answers.filter(({ status }) => status !== 503);
    expect(new Set(taken.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(taken[0]?.status).toBe(200);
    expect(taken.filter(({ headers }) => headers['idempotent-replayed'] === undefined)).toHaveLength(1);
  });

  test('returns 422 if reused with a different body', async () => {
    const receipt = await held();
    const [reference, other] = [await shop.charge({ amount: 1 }), await shop.charge({ amount: 2 })];
    await shop.assign(receipt, reference, { headers });
    expectFailure(await shop.assign(receipt, other, { headers }), 422, 'idempotency_key_reused');
    expect(await shop.verified(other)).toMatchObject({ status: 'pending' });
  });

  test('cannot be reused for a second receipt', async () => {
    const [first, second] = [mtn(), mtn()];
    for (const receipt of [first, second]) await shop.pay(receipt);
    const reference = await shop.charge({ amount: 36 });
    expect((await shop.assign(first, reference, { headers })).status).toBe(200);
    expect((await shop.assign(second, reference, { headers })).status).toBeGreaterThanOrEqual(400);
    expect(await shop.receipt(second)).toMatchObject({ state: 'held' });
  });

  test('can be reused after a rejected assignment', async () => {
    const receipt = await held();
    expectFailure(await shop.assign(receipt, 'MK-0000000000', { headers }), 404, 'not_found');
    const reference = await shop.charge({ amount: 36 });
    expect((await shop.assign(receipt, reference, { headers })).status).toBe(200);
  });

  test('returns the assignment if its first response was lost', async () => {
    const receipt = await held();
    const reference = await shop.charge({ amount: 36 });
    loseAnswers(world, 'TransactWriteItems', 99);
    expectFailure(await shop.assign(receipt, reference, { headers }), 500, 'internal');
    world.dynamoDb = (_, send) => send();
    const answer = await shop.assign(receipt, reference, { headers });
    expect({ status: answer.status, idempotentReplayed: answer.headers['idempotent-replayed'] }).toEqual({
      status: 200,
      idempotentReplayed: 'true',
    });
    expect(await shop.verified(reference)).toEqual(answer.json.data);
  });
});

/** Receives a payment that matches no charge. */
async function held() {
  const receipt = mtn();
  await shop.pay(receipt);
  return receipt;
}

function assignId(id: string, reference: string) {
  return shop.call('receipt/assign', { parameters: { id }, body: { reference } });
}

async function expired(): Promise<string> {
  const reference = await shop.charge({ amount: 36 });
  world.clock.nowMs += 2 * DAY_MS + 1;
  return reference;
}

async function paid(): Promise<string> {
  const reference = await shop.charge({ amount: 36 });
  await shop.pay(mtn({ reference }));
  return reference;
}

/** Creates two charges with the same customer and amount. */
async function two(): Promise<void> {
  for (const _ of [1, 2]) await shop.charge({ amount: 36, customer_name: 'Kofi Mensah' });
}
