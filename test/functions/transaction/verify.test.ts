import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { newReference } from '../../../shared/money/charge/charge.table.ts';
import { DAY_MS } from '../../../shared/runtime/values/calendar.ts';
import { expectFailure, expectOk } from '../../support/envelope.ts';
import { type Merchant, scene } from '../../support/scene.ts';

const world = await scene();
const merchant = await world.createMerchant();

test('a charge is returned with every given field', async () => {
  const createdAtMs = world.clock.nowMs;
  const said = {
    amount: 36.5,
    email: 'kofi@example.com',
    customer_name: 'Kofi Mensah',
    customer_phone: '+233241112223',
    description: 'Two yards of kente',
    metadata: { order: 7 },
    callback_url: 'https://shop.example.com/thanks',
  };
  const reference = await merchant.charge(said);
  expectOk(await verify(reference), {
    ...said,
    reference,
    livemode: true,
    status: 'pending',
    currency: 'GHS',
    momo_number: '+233241234567',
    momo_network: 'MTN',
    created_at: new Date(createdAtMs).toISOString(),
    expires_at: new Date(createdAtMs + DAY_MS).toISOString(),
    paid_at: null,
    expired_at: null,
    cancelled_at: null,
    merchant_reference: null,
    link: null,
    customer_note: null,
    request: null,
    code: null,
    reversed_at: null,
    unmarked_at: null,
    amount_paid: 0,
    held: null,
    overpaid: 0,
    proof: null,
    parts: [],
    payment: null,
    disputed: null,
    refunds: [],
    second_payments: [],
  });
});

test('omitted fields are returned as null', async () => {
  const { json } = await verify(await merchant.charge({ amount: 1 }));
  expect(json.data).toMatchObject({
    email: null,
    customer_name: null,
    customer_phone: null,
    description: null,
    metadata: null,
    callback_url: null,
  });
});

test('an unpaid charge is reported as expired after 24 hours', async () => {
  const reference = await merchant.charge({ amount: 1 });
  world.clock.nowMs += DAY_MS - 1;
  expect((await verify(reference)).json.data.status).toBe('pending');
  world.clock.nowMs += 1;
  expect((await verify(reference)).json.data.status).toBe('expired');
});

test('a charge is returned immediately after its creation', async () => {
  for (let n = 0; n < 20; n++) expect((await verify(await merchant.charge({ amount: 1 }))).status).toBe(200);
});

test('verifying makes one DynamoDB request if the key is cached', async () => {
  const reference = await merchant.charge({ amount: 1 });
  await verify(reference);
  world.requests.length = 0;
  await verify(reference);
  expect(world.requests).toEqual(['GetItem']);
});

describe('the 404 response', () => {
  test('is returned for an unknown reference', async () => {
    expectFailure(await verify(newReference(randomBytes)), 404, 'not_found');
  });

  test('is returned for another merchant’s charge', async () => {
    const reference = await merchant.charge({ amount: 1 });
    const stranger = await world.createMerchant();
    const answer = await verify(reference, stranger);
    expectFailure(answer, 404, 'not_found');
    expect(answer.json.message).toBe((await verify('MK-0000000000', stranger)).json.message);
  });

  test('says that the charge belongs to the other mode', async () => {
    const reference = await merchant.charge({ amount: 1 });
    const test = await world.call('transaction/verify', { key: merchant.testKey, parameters: { reference } });
    expectFailure(test, 404, 'not_found');
    expect(test.json.message).toContain('It is a live charge, but this is a test key. Use the live key.');
    const { json } = await world.call('transaction/initialize', { key: merchant.testKey, body: { amount: 1 } });
    expect((await verify(json.data.reference)).json.message).toContain('It is a test charge, but this is a live key');
  });

  test('suggests the search endpoint for an order number', async () => {
    const { json } = await verify('A 1007');
    expect(json.message).toContain('GET /api/v1/transaction?merchant_reference=A%201007.');
  });

  test.each(['', 'MK-1', 'mk-0000000000', 'MK-00000000000', 'MK-000000000a', '../TRANSACTION', '%'])(
    'is returned for %j without reading the table',
    async (reference) => {
      await verify('MK-0000000000');
      world.requests.length = 0;
      expectFailure(await verify(reference), 404, 'not_found');
      // Only a few failed requests are recorded.
      expect(world.requests.filter((one) => one !== 'PutItem')).toEqual([]);
    },
  );
});

function verify(reference: string, by: Merchant = merchant) {
  return by.call('transaction/verify', { parameters: { reference } });
}
