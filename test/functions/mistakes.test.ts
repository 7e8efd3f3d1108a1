import { expect, test } from 'vitest';
import { matchRoute } from '../../shared/runtime/http/match-route.ts';
import { httpRoutes, loadRoute } from '../support/routes.ts';
import { asScene, scene } from '../support/scene.ts';
import { type Call, call } from '../support/world.ts';

/* Typical mistakes of developers who know Paystack, Stripe or Twilio. Each response must explain the fix. */

const world = await scene();
const { liveKey, testKey, smsTestKey } = await world.createMerchant({ credits: 10 });

async function ask(method: string, address: string, request: Call) {
  const { pathname: path, searchParams } = new URL(address, world.outside.baseUrl);
  const asked = { method, path, query: Object.fromEntries(searchParams), ...request };
  for (const { name, row } of httpRoutes()) {
    const parameters = row.method === method ? matchRoute(row.path, path) : undefined;
    if (parameters) return call(world, await loadRoute(name), { ...asked, parameters });
  }
  return world.call('not-found', asked);
}

const INITIALIZE = '/api/v1/transaction/initialize';
const initialize = async () =>
  (await ask('POST', INITIALIZE, { key: testKey, body: { amount: 5 } })).json.data.reference;
const open = await initialize();
const paid = await initialize();
const cancelled = await initialize();
await ask('POST', `/api/v1/transaction/${cancelled}/cancel`, { key: testKey });
await ask('POST', `/api/v1/test/transaction/${paid}/simulate`, { key: testKey, body: { outcome: 'paid' } });

const AMOUNT = 'must be from 0.01 to 100000 (GHS, not pesewas)';

test.each([
  ['[', 100_000, ']'],
  ['{"a":', 40_000, '}'],
])('an error states the maximum depth for a body of %s nested %i levels deep', async (open, levels, close) => {
  const body = `${open.repeat(levels)}1${close.repeat(levels)}`;
  const headers = { 'content-type': 'application/json' };
  const { status, text } = await ask('POST', INITIALIZE, { key: testKey, headers, body });
  expect(status).toBe(400);
  expect(text).toContain('200 levels');
  expect(text).not.toContain('call stack');
});

test.each<[body: object, said: string]>([
  [{ amount: 'GHS 36.50' }, `amount: ${AMOUNT}`],
  [{ amount: '36,50' }, 'as a number or a decimal string, without a comma'],
  [{ amount: 0 }, `amount: ${AMOUNT}`],
  [{ amount: -5 }, `amount: ${AMOUNT}`],
  [{ amount: null }, `amount: ${AMOUNT}`],
  [{ email: 'ama@example.com' }, `amount: is missing and ${AMOUNT}`],
  [{ amount: 5, channels: ['mobile_money'] }, 'channels: is not a field of this request. Use one of amount, currency'],
  [
    { amount: 5, webhook_url: 'https://shop.example.com' },
    'webhook_url: is not a field of this request. Use one of amount',
  ],
  [{ amount: 5, currency: 'NGN' }, 'currency: must be "GHS"'],
  [{ amount: 5, customerName: 'Kofi Mensah' }, 'Did you mean "customer_name"?'],
  [{ amount: 5, phone: '0241234567' }, 'Did you mean "customer_phone"?'],
  [{ amount: 5, reference: 'order-1' }, 'Did you mean "merchant_reference"?'],
  [{ amount: 5, expires_at: '2026-12-01' }, 'Did you mean "expires_in"?'],
  [{ amount: 5, expires_in: '1h' }, 'expires_in: must be a whole number of seconds from 300 (5 minutes)'],
  [{ amount: 5, callback_url: 'http://shop.example.com' }, 'callback_url: must be an https:// address'],
  [{ amount: 5, metadata: '{"a":1}' }, 'metadata: must be a JSON object'],
  [{ amount: 5, customer_phone: 241234567 }, 'customer_phone: must be a phone number as a string'],
  [
    { amount: 5, idempotency_key: 'order-7-1' },
    'idempotency_key: is not a field of this request. Send it as the header Idempotency-Key.',
  ],
  [{ amount: 5, unique_reference: true }, 'merchant_reference: is missing and is required by unique_reference'],
  [[{ amount: 5 }], 'body: must be a JSON object'],
])('an error explains what is wrong with the charge %j', async (body, said) => {
  const { status, json } = await ask('POST', INITIALIZE, { key: testKey, body });
  expect({ status, message: json.message }).toEqual({ status: 400, message: expect.stringContaining(said) });
});

test.each<[body: object, warning: string[]]>([
  [
    { amount: '3650', email: 'ama@example.com' },
    ['amount is in cedis: the customer will be asked to pay GHS 3650. If you meant 3650 pesewas, send 36.5.'],
  ],
  [{ amount: '36.50', email: 'ama@example.com' }, []],
  [{ amount: '3650' }, []],
  [{ amount: 3650, email: 'ama@example.com' }, []],
  [{ amount: 5, customer_name: 'Kofi' }, [expect.stringContaining('send two to four full names')]],
])('a warning points out likely mistakes in the charge %j', async (body, warnings) => {
  const { status, json } = await ask('POST', INITIALIZE, { key: testKey, body });
  expect({ status, warnings: json.data.warnings }).toEqual({ status: 200, warnings });
});

const BEARER = 'Send the header Authorization: Bearer sk_live_… (for tests: sk_test_…).';

test.each<[request: Call, said: string]>([
  [{}, `The API key is missing. ${BEARER}`],
  [{ headers: { authorization: liveKey } }, `The word Bearer is missing before the API key. ${BEARER}`],
  [{ headers: { authorization: 'Basic c2s6' } }, `Basic authentication is not supported. ${BEARER}`],
  [{ headers: { authorization: 'Token abc' } }, `The Authorization header has no API key. ${BEARER}`],
  [{ key: 'pk_live_abc' }, 'Public keys are not supported. Send the secret key, which starts with sk_'],
  [{ key: liveKey.slice(0, -1) }, 'Check that it was copied completely.'],
  [{ key: 'undefined' }, 'The key is the word undefined. Set the variable that should contain the key.'],
  [{ key: smsTestKey }, 'This route requires a key that starts with sk_live_ (for tests: sk_test_).'],
])('an error explains what is wrong with the authentication %j', async (request, said) => {
  const { status, json } = await ask('POST', INITIALIZE, { ...request, body: { amount: 5 } });
  expect({ status, message: json.message }).toEqual({ status: 401, message: expect.stringContaining(said) });
});

test.each([
  ['application/x-www-form-urlencoded', 'amount=5&email=ama%40example.com'],
  ['', '{"amount":5}'],
])('an error states the required Content-Type if it is %j', async (type, body) => {
  const { status, json } = await ask('POST', INITIALIZE, { key: testKey, body, headers: { 'content-type': type } });
  expect({ status, message: json.message }).toEqual({
    status: 415,
    message: 'Send the body as JSON, with the header Content-Type: application/json.',
  });
});

test.each<[method: string, address: string, meant: string]>([
  ['POST', '/transaction/initialize', 'POST /api/v1/transaction/initialize'],
  ['POST', '/v1/transaction/initialize', 'POST /api/v1/transaction/initialize'],
  ['GET', '/api/v1/transaction/initialize', 'POST /api/v1/transaction/initialize'],
  ['POST', '/api/v1/transactions', 'POST /api/v1/transaction/initialize'],
  ['POST', '/api/v1/charges', 'POST /api/v1/transaction/initialize'],
  ['POST', '/api/v1/payment', 'POST /api/v1/transaction/initialize'],
  ['GET', '/api/v1/charges', 'GET /api/v1/transaction'],
  ['GET', `/api/v1/transaction/${open}`, 'GET /api/v1/transaction/verify/{reference}'],
  ['POST', '/api/v1/refund', 'POST /api/v1/transaction/{reference}/refund'],
  ['POST', '/api/v1/refunds', 'POST /api/v1/transaction/{reference}/refund'],
  ['POST', '/api/v1/sms', 'POST /api/v1/sms/send'],
  ['POST', '/api/v1/Messages', 'POST /api/v1/sms/send'],
  ['GET', '/api/v1/balance', 'GET /api/v1/sms/credits'],
  ['POST', '/api/v1/webhooks', 'PUT /api/v1/webhook'],
  ['POST', '/api/v1/webhook', 'PUT /api/v1/webhook'],
])('an error suggests the intended route for %s %s', async (method, address, meant) => {
  const { status, json } = await ask(method, address, { key: testKey });
  expect({ isRefused: [404, 405].includes(status), message: json.message }).toEqual({
    isRefused: true,
    message: expect.stringContaining(`Did you mean ${meant}?`),
  });
});

// An unclear request must not suggest a route that cancels or charges.
test.each([
  ['POST', `/api/v1/transaction/${open}`],
  ['DELETE', `/api/v1/transaction/${open}`],
  ['POST', '/api/v1/subscription'],
  ['GET', '/api/v1/constructor'],
])('no error suggests a route for %s %s', async (method, path) => {
  const { json } = await ask(method, path, { key: testKey });
  expect(json.message).not.toContain('Did you mean');
});

test.each<[method: string, address: string, status: number, said: string, body?: object]>([
  [
    'GET',
    '/verify/MK-1234567890',
    404,
    'Use the reference exactly as initialize returned it: MK- in capitals, then ten digits.',
  ],
  ['POST', `/${cancelled}/cancel`, 200, 'Charge cancelled'],
  ['GET', '/verify/order-1007', 404, 'GET /api/v1/transaction?merchant_reference=order-1007'],
  ['GET', '?status=paid', 400, 'status: must be one of pending, success'],
  ['GET', '?per_page=500', 400, 'per_page: must be a whole number from 1 to 100'],
  ['GET', '?page=2', 400, 'Did you mean "cursor"? It is the meta.next of the previous page.'],
  ['GET', '?from=2026-11-22&to=2026-11-01', 400, 'from: must not be after "to"'],
  ['GET', '?from=22/11/2026', 400, 'from: must be a time such as 2026-11-20'],
  [
    'POST',
    `/${paid}/cancel`,
    409,
    `Only a pending charge can be cancelled; this one is success. To refund it, use POST /api/v1/transaction/${paid}/refund.`,
  ],
  ['POST', `/${open}/refund`, 409, 'Only a paid charge can be refunded; this one is pending.'],
  ['POST', `/${paid}/refund`, 400, 'amount: must be at most GHS 5.00, the amount left to refund', { amount: 50 }],
  [
    'POST',
    `/${paid}/refund`,
    400,
    'receipt_id: is not a payment held for this charge. Verify lists such payments',
    { receipt_id: 'x' },
  ],
  ['POST', `/${paid}/refund/xyz/close`, 400, 'outcome: must be "sent" or "withdrawn"', { outcome: 'done' }],
])(
  '%s /api/v1/transaction%s returns an error that explains the mistake',
  async (method, address, status, said, body) => {
    const answer = await ask(method, `/api/v1/transaction${address}`, { key: testKey, ...(body && { body }) });
    expect({ status: answer.status, message: answer.json.message }).toEqual({
      status,
      message: expect.stringContaining(said),
    });
  },
);

test('an error explains that simulations need a test key', async () => {
  const request = { key: liveKey, body: { outcome: 'paid' } };
  const { json } = await ask('POST', `/api/v1/test/transaction/${paid}/simulate`, request);
  expect(json.message).toBe(
    'This is a live key, and only test charges can be simulated. Create a test charge with a key that starts with sk_test_.',
  );
});

test.each([
  ['live', liveKey, testKey],
  ['test', testKey, liveKey],
])('an error suggests the %s key for an event of its mode', async (mode, own, other) => {
  await ask('PUT', '/api/v1/webhook', { key: own, body: { url: 'https://shop.example.com/hook' } });
  const { id } = (await ask('POST', '/api/v1/webhook/test', { key: own })).json.data;
  for (const [method, address] of [
    ['GET', `/api/v1/webhook/event/${id}`],
    ['POST', `/api/v1/webhook/event/${id}/replay`],
  ] as const) {
    const { status, json } = await ask(method, address, { key: other });
    expect({ status, message: json.message }).toEqual({
      status: 404,
      message: expect.stringContaining(`It is a ${mode} event`),
    });
    expect(json.message).toContain(`Use the ${mode} key.`);
  }
});

test('a refund without a body returns the full remaining amount', async () => {
  const { status, json } = await ask('POST', `/api/v1/transaction/${paid}/refund`, { key: testKey });
  expect({ status, amount: json.data.refunds[0].amount }).toEqual({ status: 200, amount: 5 });
});

test.each<[events: string[], said: string]>([
  [['charge.sucess'], 'Did you mean "charge.success"?'],
  [['charge.failed'], 'Did you mean "charge.expired"?'],
  [['payment.completed'], 'Did you mean "charge.success"?'],
  [['refund.processed'], 'Did you mean "charge.refunded"?'],
  [['sms.sent'], 'Did you mean "sms.delivered"?'],
  [['link.sold'], 'events[0]: must be one of link.stock_low'],
  [['transfer.success'], 'events[0]: must be one of charge.partly_paid, '],
])('an error suggests the right event type for %j', async (events, said) => {
  const body = { url: 'https://shop.example.com/hook', events };
  const { status, json } = await ask('PUT', '/api/v1/webhook', { key: testKey, body });
  expect({ status, message: json.message }).toEqual({ status: 400, message: expect.stringContaining(said) });
});

const local = asScene({ ...world, outside: { ...world.outside, allowsThisMachine: true } });

test('webhooks require https, except on the local stack', async () => {
  const request = { key: testKey, body: { url: 'http://shop.example.com/hook' } };
  const said = 'url: must be an https:// address';
  expect((await world.call('webhook/set', request)).json.message).toBe(said);
  const answer = await local.call('webhook/set', request);
  expect(answer.json.message).toBe(`${said}, or http://localhost on this local stack`);
});

test('an error explains that the local stack creates new keys on each start', async () => {
  const said = 'The API key is unknown or was revoked.';
  const { testKey: key } = await (await scene({ inMemory: true })).createMerchant();
  expect((await world.call('webhook/show', { key })).json.message).toBe(said);
  expect((await local.call('webhook/show', { key })).json.message).toBe(
    `${said} Without --keep, this local stack creates new keys on each start. Its demo.json contains them.`,
  );
});

const inSixtyDays = world.iso(60 * 24 * 60 * 60 * 1000);

test.each<[body: object, said: string]>([
  [{ To: '+233241234567', Body: 'x' }, 'To: is not a field of this request. Did you mean "to"?'],
  [{ to: '+2348012345678', message: 'x' }, 'to[0]: "+2348012345678" is not a Ghanaian number'],
  [{ to: '0241234567', message: 'x', from: 'AmaStores' }, 'from:'],
  [{ to: '0241234567', message: '' }, 'message: must not be empty'],
  [{ message: 'x' }, 'to: is missing'],
  [{ to: ['0241234567', 'x'], message: 'x' }, 'to[1]: "x" is not a Ghanaian number'],
  [{ to: '0241234567', message: 'x', send_at: inSixtyDays }, 'send_at:'],
  [{ to: '0241234567', message: 'x', send_at: '2026-11-25 10:00' }, 'send_at:'],
])('an error explains what is wrong with the text %j', async (body, said) => {
  const { status, json } = await ask('POST', '/api/v1/sms/send', { key: smsTestKey, body });
  expect({ status, message: json.message }).toEqual({ status: 400, message: expect.stringContaining(said) });
});
