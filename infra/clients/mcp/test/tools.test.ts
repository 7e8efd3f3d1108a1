import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { agent, facts, liveKeys, testKeys } from './support/agent.ts';

test('an agent completes a paid test charge in at most ten calls', async (context) => {
  const { call, calls } = await agent(context, testKeys);
  const contents = await call('read_documentation');
  assert.match(contents.text, /### Create a charge/);
  const section = await call('read_documentation', { section: 'Create a charge' });
  assert.match(section.text, /A payment confirms a charge if it names the charge’s reference/);
  const created = JSON.parse((await call('create_charge', { amount: 36.5, customer_name: 'Kofi Mensah' })).text);
  assert.match(created.authorization_url, /\/checkout\/\w+$/);
  await call('rehearse', { reference: created.reference, outcome: 'paid' });
  const charge = JSON.parse((await call('look_up', { id: created.reference })).text);
  assert.deepEqual(
    [charge.status, charge.amount, charge.payment.payer_name],
    ['success', 36.5, { words: 'KOFI MENSAH' }],
  );
  assert.ok(calls() <= 10);
});

test('offers at most eight tools', async (context) => {
  const looking = ['read_documentation', 'look_up', 'find'];
  const making = ['create_charge', 'create_link', 'create_request'];
  const namesOf = async (environment: Record<string, string>) =>
    (await agent(context, environment)).tools.map(({ name }) => name);
  const all = await namesOf(testKeys);
  assert.deepEqual(all, [...looking, ...making, 'rehearse', 'send_text']);
  assert.ok(all.length <= 8);
  assert.deepEqual(await namesOf(liveKeys), [...looking, ...making, 'send_text']);
  assert.deepEqual(await namesOf({ MOMO_SMS_SECRET_KEY: facts.sms_secret_key }), [...looking, 'send_text']);
});

test('creates a payment link', async (context) => {
  const { call } = await agent(context, testKeys);
  const link = JSON.parse((await call('create_link', { title: 'Hostel Wi-Fi, one week', amount: 25 })).text);
  assert.deepEqual([link.title, link.amount], [{ words: 'Hostel Wi-Fi, one week' }, 25]);
  assert.equal((await fetch(link.url)).status, 200);
});

test('creates a payment request', async (context) => {
  const { call } = await agent(context, testKeys);
  const made = await call('create_request', {
    title: 'School fees, term 2',
    lines: [
      { description: 'Tuition', amount: 850 },
      { description: 'Exercise books', quantity: 4, amount: '12.50' },
    ],
    customer_name: 'Kofi Mensah',
    instalments: [
      { due: '2026-12-24', amount: 500 },
      { due: '2027-01-24', amount: 400 },
    ],
    merchant_reference: 'INV-104',
  });
  const request = JSON.parse(made.text);
  assert.deepEqual(
    [request.status, request.total, request.amount_due, request.customer_name, request.instalments],
    [
      'open',
      900,
      900,
      { words: 'Kofi Mensah' },
      [
        { due: '2026-12-24', amount: 500, paid: 0 },
        { due: '2027-01-24', amount: 400, paid: 0 },
      ],
    ],
  );
  assert.equal((await fetch(request.url)).status, 200);
  const reference = await openedBy(request.url, '900');
  await call('rehearse', { reference, outcome: 'paid' });
  const shown = JSON.parse((await call('look_up', { id: request.slug })).text);
  assert.deepEqual([shown.status, shown.amount_paid, shown.payments[0].reference], ['paid', 900, reference]);
  const { requests } = JSON.parse((await call('find', { what: 'requests' })).text);
  assert.ok(requests.some(({ slug }: { slug: string }) => slug === request.slug));
});

test('rejects reminders for a payment request', async (context) => {
  const { call, tools } = await agent(context, testKeys);
  assert.doesNotMatch(JSON.stringify(tools.find(({ name }) => name === 'create_request')?.inputSchema), /remind/);
  const given = { title: 'Tea', lines: [{ description: 'Tea', amount: 5 }], due: '2099-12-24' };
  assert.deepEqual(JSON.parse((await call('create_request', given)).text).reminders, []);
  const refused = await call('create_request', { ...given, customer_phone: '0240000001', reminders: [-3, 0, 7] });
  assert.ok(refused.isError);
  assert.match(refused.text, /reminders/);
});

test('annotations mark read-only tools', async (context) => {
  const { tools } = await agent(context, testKeys);
  const readers = tools.filter(({ annotations }) => annotations?.readOnlyHint).map(({ name }) => name);
  assert.deepEqual(readers, ['read_documentation', 'look_up', 'find']);
  assert.equal(tools.find(({ name }) => name === 'send_text')?.annotations?.destructiveHint, true);
});

test('finds charges and texts', async (context) => {
  const { call } = await agent(context, testKeys);
  const merchant_reference = `agent-${crypto.randomUUID()}`;
  const { reference } = JSON.parse((await call('create_charge', { amount: '12.00', merchant_reference })).text);
  let found: { reference: string }[] = [];
  for (let tries = 0; tries < 50 && found.length === 0; tries += 1) {
    await new Promise((done) => setTimeout(done, 200));
    found = JSON.parse((await call('find', { what: 'charges', merchant_reference })).text).charges;
  }
  assert.deepEqual(
    found.map((charge) => charge.reference),
    [reference],
  );
  const sent = JSON.parse((await call('send_text', { to: ['0240000001'], message: 'Your order is ready' })).text);
  assert.equal(JSON.parse((await call('look_up', { id: sent.id })).text).to, '+233240000001');
  const { texts } = JSON.parse((await call('find', { what: 'texts' })).text);
  assert.deepEqual(texts[0].message, { words: 'Your order is ready' });
});

test('shows a held payment without its id', async (context) => {
  const { call } = await agent(context, testKeys);
  const { reference } = JSON.parse((await call('create_charge', { amount: 77 })).text);
  await call('rehearse', { reference, outcome: 'held' });
  const { held_payments } = JSON.parse((await call('find', { what: 'held_payments' })).text);
  const held = held_payments.find(({ amount }: { amount: number }) => amount === 77);
  assert.equal(held.status, 'held');
  for (const field of ['id', 'text', 'transaction_id']) assert.ok(!(field in held), field);
  assert.doesNotMatch(JSON.stringify(held), /TEST\d/);
});

test('returns the service’s error and its advice', async (context) => {
  const { call } = await agent(context, testKeys);
  const charge = await call('create_charge', { amount: '0.00' });
  assert.ok(charge.isError);
  assert.match(charge.text, /"code": "invalid_request"/);
  assert.match(charge.text, /section "invalid_request"/);
  assert.match((await call('read_documentation', { section: 'invalid_request' })).text, /Fix the fields/);
  for (const [name, given, said] of [
    ['look_up', { id: 'MK-1/../../wallet' }, /must be a reference/],
    ['look_up', { id: 'MK-0000000000' }, /not_found/],
    ['look_up', { id: 'k7m2q9x4p3wa' }, /not_found/],
    ['read_documentation', { section: 'no such thing' }, /No heading/],
    ['find', { what: 'texts', name: 'Mensah' }, /name/],
    ['create_charge', { amount: 5, currency: 'USD' }, /Unrecognized key.*currency/],
    ['create_charge', { amount: 5, customer_nmae: 'Kofi Mensah' }, /Unrecognized key.*customer_nmae/],
    [
      'create_request',
      { title: 'Tea', lines: [{ description: 'Tea', amount: 5, unit: 'kg' }] },
      /Unrecognized key.*unit/,
    ],
    ['send_text', { to: ['12'], message: 'Hello' }, /to\[0\]/],
    [
      'create_request',
      { title: 'Rent', lines: [{ description: 'Rent', amount: 5 }], instalments: [{ due: '2026-12-24', amount: 4 }] },
      /instalments: must add up to the total of the lines: the instalments total GHS 4.00, but the lines total GHS 5.00/,
    ],
  ] as const) {
    const { text, isError } = await call(name, given);
    assert.ok(isError, text);
    assert.match(text, said);
  }
});

test('calls only allowed operations', async (context) => {
  const { asked, url } = overheard(context);
  const { tools, call } = await agent(context, { ...testKeys, MOMO_URL: url });
  const paid = JSON.parse((await call('create_charge', { amount: 5 })).text).reference;
  await call('rehearse', { reference: paid, outcome: 'paid' });
  const ids = [
    paid,
    'k7m2q9x4p3wa',
    'k7m2q9x4p3wa/cancel',
    `${paid}/refund`,
    `../${paid}/cancel`,
    '..',
    'MK-0000000000%2Frefund',
    crypto.randomUUID(),
    '',
  ];
  const tries: Record<string, object[]> = {
    read_documentation: [{}, { section: '../api/v1/webhook' }],
    look_up: ids.map((id) => ({ id })),
    find: ['charges', 'texts', 'held_payments', 'requests', 'webhook', '../webhook'].flatMap((what) => [
      { what },
      { what, cursor: '../x' },
      { what, status: '/../assign' },
    ]),
    create_charge: [
      { amount: 1 },
      { amount: 1, path: '/api/v1/webhook', method: 'DELETE' },
      { amount: 1, repeat_key: 'a/../b' },
    ],
    rehearse: ids.map((reference) => ({ reference, outcome: 'held' })),
    create_link: [{ title: 'Tea' }, { title: 'Tea', slug: '../webhook', path: '/api/v1/webhook' }],
    create_request: [
      { title: 'Tea', lines: [{ description: 'Tea', amount: 5 }] },
      {
        title: 'Tea',
        lines: [{ description: 'Tea', amount: 5 }],
        slug: 'k7m2q9x4p3wa/cancel',
        path: '/api/v1/webhook',
      },
    ],
    send_text: [
      { to: ['0240000001'], message: 'Hello' },
      { to: ['../refund'], message: 'Hello' },
    ],
  };
  // Every tool must have an entry here.
  assert.deepEqual(tools.map(({ name }) => name).toSorted(), Object.keys(tries).toSorted());
  for (const [name, all] of Object.entries(tries))
    for (const given of all) await call(name, { ...given }).catch(() => undefined);
  const allowed = [
    /^GET \/docs\.md$/,
    /^POST \/api\/v1\/transaction\/initialize$/,
    /^GET \/api\/v1\/transaction\/verify\/MK-\d{10}$/,
    /^GET \/api\/v1\/(transaction|sms|receipt|request)$/,
    /^GET \/api\/v1\/request\/[a-z\d]{12}$/,
    /^GET \/api\/v1\/sms\/[\da-f-]{36}$/,
    /^POST \/api\/v1\/sms\/send$/,
    /^POST \/api\/v1\/(link|request)$/,
    /^POST \/api\/v1\/test\/transaction\/MK-\d{10}\/simulate$/,
  ];
  for (const expected of allowed)
    assert.ok(
      asked.some((one) => expected.test(one)),
      String(expected),
    );
  assert.deepEqual(
    asked.filter((one) => !allowed.some((expected) => expected.test(one))),
    [],
  );
});

test('reports a missing or wrong setting at startup', () => {
  const startWith = (environment: Record<string, string>) =>
    spawnSync(process.execPath, ['dist/main.js'], { env: environment, encoding: 'utf8', timeout: 60_000, input: '' });
  for (const [environment, said] of [
    [{}, /`baseUrl`/],
    [{ MOMO_URL: facts.base_url }, /Set `secretKey`/],
    [{ MOMO_URL: facts.base_url, MOMO_SECRET_KEY: facts.sms_secret_key }, /does not start with `sk_live_`/],
  ] as const) {
    const { status, stderr, stdout } = startWith(environment);
    assert.equal(status, 1);
    assert.match(stderr, said);
    assert.match(stderr, /Set MOMO_URL/);
    assert.equal(stdout, '', 'the protocol alone speaks there');
  }
});

async function openedBy(url: string, amount: string): Promise<string> {
  const { status, headers } = await fetch(url, {
    method: 'POST',
    body: new URLSearchParams({ amount }),
    redirect: 'manual',
  });
  assert.equal(status, 303);
  const checkout = await fetch(new URL(headers.get('location') ?? '', url));
  return /MK-\d{10}/.exec(await checkout.text())?.[0] ?? '';
}

function overheard(context: TestContext): { asked: readonly string[]; url: string } {
  const asked: string[] = [];
  const proxy = createServer(async (request, response) => {
    asked.push(`${request.method} ${request.url?.replace(/\?.*/, '')}`);
    const body = Buffer.concat(await request.toArray());
    const { authorization = '', 'content-type': type, 'idempotency-key': key } = request.headers;
    const headers = {
      authorization,
      ...(type && { 'content-type': type }),
      ...(key && { 'idempotency-key': String(key) }),
    };
    const answer = await fetch(facts.base_url + request.url, {
      method: request.method,
      headers,
      ...(body.length > 0 && { body }),
    });
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
  }).listen(0);
  context.after(() => proxy.close());
  const { port } = proxy.address() as AddressInfo;
  return { asked, url: `http://localhost:${port}` };
}
