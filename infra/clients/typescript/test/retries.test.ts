import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { ApiError, ConnectionError, MomoKiosk } from 'momo-kiosk-client';

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

async function serviceThat(context: TestContext, ...answers: Answer[]) {
  const asked: {
    key: string | undefined;
    body: string;
    authorization: string | undefined;
    agent: string | undefined;
  }[] = [];
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const { 'idempotency-key': key, authorization, 'user-agent': agent } = request.headers;
    asked.push({ key: key as string | undefined, body, authorization, agent });
    const answer = answers[asked.length - 1] ?? answers.at(-1);
    answer?.(response, request);
  }).listen(0);
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const momo = new MomoKiosk({ baseUrl: `http://localhost:${port}`, secretKey: 'sk_live_x' });
  return { momo, asked };
}

const says =
  (status: number, body: object | string, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
const created = says(200, { status: true, message: 'Charge created', data: { reference: 'MK-0000000001' } });
const hangsUp: Answer = (_, request) => request.socket.destroy();

test('retries a failed request with the same key and body', async (context) => {
  const { momo, asked } = await serviceThat(
    context,
    hangsUp,
    says(503, { code: 'busy' }, { 'retry-after': '3' }),
    created,
  );
  const startedAt = Date.now();
  assert.equal((await momo.transaction.initialize({ amount: 36 })).reference, 'MK-0000000001');
  // The default wait is at most 1.5 seconds.
  assert.ok(Date.now() - startedAt >= 3000, 'it waited as long as it was asked to');
  assert.equal(asked.length, 3);
  assert.match(asked[0]?.key ?? '', /^[0-9a-f-]{36}$/);
  assert.equal(new Set(asked.map(({ key }) => key)).size, 1);
  assert.deepEqual(
    asked.map(({ body }) => body),
    Array(3).fill('{"amount":36}'),
  );
  assert.equal(asked[0]?.authorization, 'Bearer sk_live_x');
  assert.match(asked[0]?.agent ?? '', /^momo-kiosk-client\/\d/);
});

test('generates a new idempotency key for each request', async (context) => {
  const { momo, asked } = await serviceThat(context, created);
  await momo.transaction.initialize({ amount: 1 });
  await momo.transaction.initialize({ amount: 1 });
  await momo.transaction.initialize({ amount: 1 }, { idempotencyKey: 'order-7' });
  assert.equal(new Set(asked.map(({ key }) => key)).size, 3);
  assert.equal(asked[2]?.key, 'order-7');
});

test('does not retry a request that cannot succeed', async (context) => {
  for (const status of [400, 401, 402, 403, 404, 409, 422]) {
    const { momo, asked } = await serviceThat(context, says(status, { code: 'invalid_request', message: 'No.' }));
    await assert.rejects(momo.transaction.initialize({ amount: 1 }), { status, message: 'No.' });
    assert.equal(asked.length, 1);
  }
});

test('includes the idempotency key in the last error', async (context) => {
  const { momo, asked } = await serviceThat(context, hangsUp);
  await assert.rejects(momo.transaction.initialize({ amount: 1 }, { maxRetries: 1 }), (error) => {
    assert.ok(error instanceof ConnectionError && error.cause);
    assert.equal(error.idempotencyKey, asked[0]?.key);
    return true;
  });
  assert.equal(asked.length, 2);
});

test('does not retry if Retry-After is long', async (context) => {
  const { momo, asked } = await serviceThat(context, says(429, { code: 'queue_full' }, { 'retry-after': '3600' }));
  await assert.rejects(momo.transaction.initialize({ amount: 1 }), { code: 'queue_full', retryAfterSeconds: 3600 });
  assert.equal(asked.length, 1);
});

test('throws on a timeout', async (context) => {
  const { momo, asked } = await serviceThat(context, () => {});
  await assert.rejects(
    momo.transaction.verify('MK-1', { timeoutMs: 50, maxRetries: 0 }),
    /No response .* within 50 ms/,
  );
  const abort = AbortSignal.timeout(50);
  await assert.rejects(momo.transaction.verify('MK-1', { signal: abort }), { name: 'TimeoutError' });
  assert.ok(asked.length <= 2);
  const { momo: failing, asked: tries } = await serviceThat(context, says(500, {}));
  await assert.rejects(failing.transaction.verify('MK-1', { signal: AbortSignal.timeout(100) }), {
    name: 'TimeoutError',
  });
  assert.ok(tries.length <= 1, 'nor is it repeated');
});

test('throws on a redirect', async (context) => {
  const gateway = await serviceThat(context, says(403, { message: 'Forbidden' }));
  await assert.rejects(gateway.momo.transaction.verify('MK-1'), (error) => {
    assert.ok(error instanceof ApiError);
    assert.deepEqual([error.status, error.code, error.message], [403, undefined, 'Forbidden']);
    return true;
  });
  const site = await serviceThat(context, says(200, '<!doctype html>'));
  await assert.rejects(site.momo.transaction.verify('MK-1', { maxRetries: 0 }), /Is one deployed there\?/);
  const other = await serviceThat(context, created);
  const redirect = await serviceThat(context, says(302, {}, { location: 'http://localhost:9/' }));
  await assert.rejects(redirect.momo.transaction.verify('MK-1'), { status: 302 });
  assert.equal(other.asked.length, 0);
});

test('rejects invalid arguments before sending a request', async () => {
  const baseUrl = 'https://pay.example.com';
  const made = (options: object) => () => new MomoKiosk({ baseUrl, ...options });
  assert.throws(made({}), /Set `secretKey`/);
  assert.throws(made({ secretKey: 'sk_sms_x' }), /`secretKey` does not start with `sk_live_` or `sk_test_`/);
  assert.throws(made({ smsSecretKey: 'sk_test_x' }), /`smsSecretKey` does not start with `sk_sms_`/);
  assert.throws(made({ secretKey: 'sk_live_x', baseUrl: 'http://pay.example.com' }), /Use the https address/);
  assert.throws(made({ secretKey: 'sk_live_x', baseUrl: 'pay.example.com' }), /Use the https address/);
  for (const [given, said] of [
    ['localhost:4711', /did you mean http:\/\/localhost:4711\?/],
    ['pay.example.com', /did you mean https:\/\/pay\.example\.com\?/],
    [`${baseUrl}/api/v1/`, /Remove \/api\/v1 from the end/],
  ] as const)
    assert.throws(made({ secretKey: 'sk_live_x', baseUrl: given }), said);
  const momo = new MomoKiosk({ baseUrl, secretKey: 'sk_live_x', fetch: () => assert.fail('asked') });
  assert.throws(() => Reflect.get(momo, 'refund').create({}), /no `refund` here\. Did you mean `transaction.refund`\?/);
  await assert.rejects(
    async () => momo.sms.send({ to: '0241234567', message: 'Hi' }),
    /requires the `smsSecretKey` client option/,
  );
});

test('a value that would lead to another operation is rejected as an id', async () => {
  const asked: string[] = [];
  const answer = async (url: unknown) => {
    asked.push(String(url));
    return Response.json({ data: {} });
  };
  const keys = { secretKey: 'sk_live_x', smsSecretKey: 'sk_sms_x' };
  const momo = new MomoKiosk({ baseUrl: 'https://pay.example.com', ...keys, fetch: answer });
  const values = [
    '',
    '.',
    '..',
    'bulk/1',
    'MK-1/../../wallet',
    'initialize?',
    'x#y',
    'a%2Fb',
    'a\\b',
    'é',
    'inbox',
    'bulk',
  ];
  for (const value of values) {
    await assert.rejects(
      async () => momo.sms.show(value),
      /^TypeError: `id` is .*, which is not an id\. Pass the id\.$/,
    );
    await assert.rejects(async () => momo.transaction.cancel(value), /`reference` is .*, which is not an id/);
  }
  assert.deepEqual(asked, []);
  const ids = ['MK-4071932685', '6f1c2a9e-0d4b-4c61-9f27-5f1f0a3f8f55', 'evt_9f86d081', 'rent2026akua'];
  for (const id of ids) await momo.sms.show(id);
  await momo.contact.remove('+233 24 123 4567');
  assert.deepEqual(
    asked.map((url) => url.replace('https://pay.example.com/api/v1', '')),
    [...ids.map((id) => `/sms/${id}`), '/contact/%2B233%2024%20123%204567'],
  );
});
