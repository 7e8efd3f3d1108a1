import { describe, expect, test } from 'vitest';
import { handler as initialize } from '../../../functions/transaction/initialize.ts';
import { MAX_TEST_OBJECTS_PER_DAY } from '../../../shared/merchants/merchant/test-limit.table.ts';
import { isTestTransactionId } from '../../../shared/money/receipt/receipt.ts';
import type { Item } from '../../../shared/runtime/table/table.ts';
import { DAY_MS } from '../../../shared/runtime/values/calendar.ts';
import { expectBadFields, expectFailure } from '../../support/envelope.ts';
import { arrive, mtn } from '../../support/receipts.ts';
import { scene } from '../../support/scene.ts';
import { call } from '../../support/world.ts';

const world = await scene();
const merchant = await world.createMerchant();
const tester = { ...merchant, liveKey: merchant.testKey };

describe('a test charge', () => {
  test.each<[outcomes: string[], object]>([
    [
      ['paid'],
      {
        status: 'success',
        livemode: false,
        amount_paid: 36,
        overpaid: 0,
        payment: { matched_by: 'reference', amount: 36, payer_name: 'KOFI MENSAH' },
      },
    ],
    [['underpaid'], { status: 'pending', amount_paid: 18 }],
    [['underpaid', 'paid'], { status: 'success', amount_paid: 36, overpaid: 0 }],
    [['overpaid'], { status: 'success', amount_paid: 37, overpaid: 1 }],
    [['disputed'], { status: 'success', disputed: { why: 'conflict' } }],
    [['paid', 'disputed'], { disputed: { why: 'conflict' } }],
    [['reversed'], { status: 'reversed', amount_paid: 0 }],
  ])('reaches its expected state after %j', async (outcomes, shown) => {
    const { reference } = await charge();
    const answers = [];
    for (const outcome of outcomes) answers.push(await outcomeOf(reference, outcome));
    expect(answers.at(-1)).toMatchObject(shown);
  });

  test('can be paid twice', async () => {
    const { reference } = await charge();
    expect(await outcomeOf(reference, 'paid_twice')).toMatchObject({ status: 'success', amount_paid: 36 });
    expect(await held(reference)).toMatchObject([{ reason: 'already_paid', livemode: false }]);
  });

  test('can have a held payment that is then claimed', async () => {
    // Uses an amount that no other held payment has.
    const { reference, access_code } = await charge({ amount: 36.17, customer_name: 'Test Stranger' });
    expect(await outcomeOf(reference, 'held')).toMatchObject({ status: 'pending', amount_paid: 0 });
    const [receipt] = (await tester.listed('held')).filter(({ amount }) => amount === 36.17);
    expect(receipt).toMatchObject({ reason: 'no_charge', payer_name: 'TEST STRANGER' });
    const body = { transaction_id: receipt?.transaction_id, name: 'Test Stranger' };
    const { status } = await world.call('checkout/claim', { parameters: { access_code }, body });
    expect(status).toBe(200);
    expect(await outcomeOf(reference, 'paid_twice')).toMatchObject({ payment: { matched_by: 'claim' } });
  });

  test('can be reversed once paid', async () => {
    const { reference } = await charge();
    await outcomeOf(reference, 'paid');
    expect((await tester.call('transaction/refund', { parameters: { reference }, body: {} })).status).toBe(200);
    const refunds = [{ status: 'withdrawn', closed_by: 'network' }];
    expect(await outcomeOf(reference, 'reversed')).toMatchObject({ status: 'reversed', refunds });
  });

  test('can be expired immediately', async () => {
    const { reference } = await charge();
    await outcomeOf(reference, 'underpaid');
    const now = world.iso();
    const shown = { status: 'expired', expires_at: now, expired_at: now };
    expect(await outcomeOf(reference, 'expired')).toMatchObject(shown);
    world.clock.nowMs += 1;
    expect(await outcomeOf(reference, 'paid')).toMatchObject({ status: 'expired' });
    expect(await held(reference)).toMatchObject([{ reason: 'charge_expired' }, { reason: 'charge_expired' }]);
    expect(await outcomeOf(reference, 'expired')).toMatchObject({ status: 'expired', expires_at: now });
  });

  test('keeps part payments of a payment request after expiry', async () => {
    const slug = await tester.request({ title: 'Fees', lines: [{ description: 'Fees', amount: 100 }] });
    const reference = await world.openPart(slug, '100');
    await outcomeOf(reference, 'underpaid');
    expect(await outcomeOf(reference, 'expired')).toMatchObject({ status: 'success', amount_paid: 50 });
    expect(await tester.shownRequest(slug)).toMatchObject({ amount_paid: 50 });
  });

  test.each(['disputed', 'reversed'])('can be %s after it was marked as paid', async (outcome) => {
    const { reference } = await charge();
    const owner = await merchant.signIn('owner');
    await owner.visit('/dashboard/sign-in/test-mode', { form: { mode: 'test' } });
    const form = { how: 'cash', amount: '36' };
    expect((await owner.visit(`/dashboard/charges/${reference}/mark`, { form })).status).toBe(303);
    expect(await outcomeOf(reference, outcome)).toMatchObject({ status: 'success' });
  });

  test('can be reversed in part after a refund is noted', async () => {
    const slug = await tester.request({ title: 'Fees', lines: [{ description: 'Fees', amount: 40 }] });
    const reference = await world.openPart(slug, '40');
    for (const outcome of ['underpaid', 'underpaid', 'expired']) await outcomeOf(reference, outcome);
    const refund = { parameters: { reference }, body: { amount: 25 } };
    expect((await tester.call('transaction/refund', refund)).status).toBe(200);
    const refunds = [
      { amount: 25, status: 'withdrawn' },
      { amount: 15, status: 'noted' },
    ];
    expect(await outcomeOf(reference, 'reversed')).toMatchObject({ status: 'success', refunds });
  });

  test('cannot be expired once paid', async () => {
    const { reference } = await charge();
    await outcomeOf(reference, 'paid');
    expectFailure(await simulate(reference, { outcome: 'expired' }), 409, 'charge_not_pending');
    const other = await charge();
    await outcomeOf(other.reference, 'expired');
    world.clock.nowMs += 1;
    expectFailure(await simulate(other.reference, { outcome: 'reversed' }), 409, 'charge_not_pending');
  });

  test('cannot be underpaid if its amount is one pesewa', async () => {
    const { reference } = await charge({ amount: 0.01 });
    expectBadFields(await simulate(reference, { outcome: 'underpaid' }), 'outcome');
    expectBadFields(await simulate(reference, { outcome: 'lost' }), 'outcome');
  });

  test('shows a fictitious number for each of the merchant’s networks', async () => {
    const shop = await world.createMerchant();
    const mtnOf = (number: string, account_name: string) => ({ number, network: 'MTN' as const, account_name });
    const telecel = { ...mtnOf('+233201111111', 'ESI'), network: 'TELECEL' as const };
    await shop.change({ momo_accounts: [mtnOf('+233241111111', 'ESI'), mtnOf('+233241111112', 'ESI TWO'), telecel] });
    const { json } = await world.call('transaction/initialize', { key: shop.testKey, body: { amount: 36 } });
    expect(json.data.momo_number).toMatch(/^\+23300\d{7}$/);
    const row = (await world.rows('TRANSACTION')).find((one) => one.reference === json.data.reference);
    expect(row?.momo_accounts).toEqual([
      { network: 'MTN', number: json.data.momo_number, account_name: 'TEST ESI' },
      { network: 'TELECEL', number: expect.stringMatching(/^\+23300\d{7}$/), account_name: 'TEST ESI' },
    ]);
  });

  test.each(['http://localhost', 'http://localhost:3000/thanks?a', 'HTTP://127.0.0.1:8080/'])(
    'can have a callback URL on localhost: %s',
    async (callback_url) => {
      const body = { amount: 1, callback_url };
      expect((await tester.call('transaction/initialize', { body })).status).toBe(200);
      expectBadFields(await merchant.call('transaction/initialize', { body }), 'callback_url');
      // The local stack runs on a single machine.
      const local = { outside: { ...world.outside, allowsThisMachine: true } };
      expect((await call(local, initialize, { key: merchant.liveKey, body })).status).toBe(200);
    },
  );

  test.each(['http://shop.example.com/', 'http://localhost.example.com/', 'http://u@localhost/', 'http://10.0.0.1/'])(
    'cannot have a callback URL without TLS elsewhere: %s',
    async (callback_url) => {
      const body = { amount: 1, callback_url };
      expectBadFields(await tester.call('transaction/initialize', { body }), 'callback_url');
    },
  );
});

describe('a repeated simulation', () => {
  test.each(['underpaid', 'paid_twice', 'disputed', 'reversed', 'expired', 'held'])(
    'has no effect, even if the first response was not stored: %s',
    async (outcome) => {
      const { reference } = await charge();
      const headers = { 'idempotency-key': `again-${outcome}` };
      // Everything is written except the record of the response.
      world.dynamoDb = async ({ input }, send) => {
        if (JSON.stringify(input).includes('"Item":{"pk":{"S":"IDEMPOTENCY#'))
          throw new Error('The function was killed');
        await send();
      };
      expect((await simulate(reference, { outcome }, headers)).status).toBe(500);
      world.dynamoDb = (_request, send) => send();
      const before = await countOf(reference);
      const first = await simulate(reference, { outcome }, headers);
      expect(first.status).toBe(200);
      expect(await countOf(reference)).toEqual(before);
      const again = await simulate(reference, { outcome }, headers);
      expect(again.json).toEqual(first.json);
      expect(again.headers['idempotent-replayed']).toBe('true');
    },
  );

  test('is rejected if it requests a different outcome', async () => {
    const [charged, other] = [await charge(), await charge()];
    const headers = { 'idempotency-key': 'one-key' };
    expect((await simulate(charged.reference, { outcome: 'paid' }, headers)).status).toBe(200);
    for (const [{ reference }, outcome] of [
      [charged, 'reversed'],
      [other, 'paid'],
    ] as const) {
      const before = await countOf(reference);
      expectFailure(await simulate(reference, { outcome }, headers), 422, 'idempotency_key_reused');
      expect(await countOf(reference)).toEqual(before);
    }
  });
});

describe('test mode', () => {
  test('cannot simulate a payment of a live charge', async () => {
    const request = { parameters: { reference: await merchant.charge({ amount: 36 }) }, body: { outcome: 'paid' } };
    for (const key of [merchant.liveKey, merchant.testKey])
      expectFailure(await world.call('test/simulate', { key, ...request }), 404, 'not_found');
  });

  test('ignores a live payment with a test charge’s reference', async () => {
    const { reference } = await charge({ amount: 41 });
    await arrive(world, { number: '+233241234567' }, { ...mtn({ amount: '41.00', reference }) });
    const { json } = await tester.call('transaction/list', { query: { amount: '41' } });
    expect(json.data.transactions).toEqual([]);
    expect((await world.chargeRow(reference)).state).toBe('pending');
    const receipts = (await world.rows('RECEIPT')).filter((one) => one.amount_pesewas === 4100);
    expect(receipts).toMatchObject([{ state: 'held', reason: 'reference_unclear', merchant_id: merchant.id }]);
  });

  test('ignores a live payment from a test charge’s customer', async () => {
    const { reference } = await charge({ amount: 42 });
    await arrive(world, { number: '+233241234567' }, { ...mtn({ amount: '42.00', from: 'KOFI MENSAH' }) });
    expect((await world.chargeRow(reference)).state).toBe('pending');
  });

  test('rejects a forwarded text for a test number', async () => {
    const { reference, momo_number } = await charge({ amount: 43 });
    await arrive(world, { number: momo_number }, { ...mtn({ amount: '43.00', reference }) });
    expect((await world.chargeRow(reference)).state).toBe('pending');
    const receipts = (await world.rows('RECEIPT')).filter((one) => one.amount_pesewas === 4300);
    expect(receipts).toMatchObject([{ reason: 'number_unknown' }]);
  });

  test('generates payment ids that no network uses', async () => {
    const { reference } = await charge();
    const { payment } = await outcomeOf(reference, 'paid');
    expect(payment.transaction_id).toMatch(/^TEST\d{11}$/);
    expect(isTestTransactionId(mtn().id)).toBe(false);
  });
});

test('test data expires after thirty days for any retention period', async () => {
  const { reference } = await charge();
  await outcomeOf(reference, 'paid_twice');
  const kept = (await Promise.all(['TRANSACTION', 'RECEIPT', 'PAYMENT'].map((sk) => world.rows(sk))))
    .flat()
    .filter((row) => row.reference === reference || row.payer_reference === reference);
  expect(kept.map(({ sk }) => sk)).toEqual(['TRANSACTION', 'RECEIPT', 'RECEIPT', 'PAYMENT']);
  for (const { expires_at_epoch_seconds } of kept) {
    expect(expires_at_epoch_seconds).toBe(Math.floor((world.clock.nowMs + 30 * DAY_MS) / 1000));
  }
});

test('test objects are limited per day', async () => {
  const shop = await world.createMerchant();
  world.clock.nowMs = Date.UTC(2026, 10, 20, 18);
  const day = { pk: `TEST_USE#${shop.id}_test`, sk: '2026-11-20' };
  const { reference } = await charge({}, shop.testKey);
  await world.outside.table.write([{ put: { Item: { ...day, counted: MAX_TEST_OBJECTS_PER_DAY - 1 } } }]);
  const ask = (outcome: string) =>
    world.call('test/simulate', { key: shop.testKey, parameters: { reference }, body: { outcome } });
  expect((await ask('held')).status).toBe(200);
  const refused = await ask('paid');
  expectFailure(refused, 429, 'too_many_requests');
  expect(refused.headers['retry-after']).toBe(String(6 * 60 * 60));
  const charges = await world.call('transaction/initialize', { key: shop.testKey, body: { amount: 1 } });
  expectFailure(charges, 429, 'too_many_requests');
  expect((await shop.call('transaction/initialize', { body: { amount: 1 } })).status).toBe(200);
});

async function charge(body: object = {}, key = merchant.testKey) {
  const said = { amount: 36, customer_name: 'Kofi Mensah', ...body };
  const { json } = await world.call('transaction/initialize', { key, body: said });
  expect(json.data.livemode).toBe(false);
  return json.data;
}

function simulate(reference: string, body: object, headers: Record<string, string> = {}) {
  return tester.call('test/simulate', { parameters: { reference }, body, headers });
}

async function outcomeOf(reference: string, outcome: string) {
  const { status, json } = await simulate(reference, { outcome });
  expect(status).toBe(200);
  return json.data;
}

async function held(reference: string): Promise<Item[]> {
  return (await tester.listed('held')).filter(
    (receipt) => receipt.suggested_reference === reference || receipt.payer_reference === reference,
  );
}

/** Returns the number of receipts and the row of a charge. */
async function countOf(reference: string): Promise<Item> {
  const receipts = await world.rows('RECEIPT');
  const [row] = (await world.rows('TRANSACTION')).filter((one) => one.reference === reference);
  return { receipts: receipts.length, row };
}
