import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { MomoKiosk, webhooks } from 'momo-kiosk-client';
import { signatureHeaders } from '../../../../shared/webhook/endpoint.ts';
import { facts } from './support/stack.ts';

/** Runs the programs in docs/integrate/automation.md with fakes of n8n and Zapier. */
const document = readFileSync('../../../docs/integrate/automation.md', 'utf8');
const [n8n = '', zapier = ''] = [...document.matchAll(/```js\n([\s\S]+?)```/g)].map(([, block = '']) => block);
const require = createRequire(import.meta.url);
const AsyncFunction: FunctionConstructor = Object.getPrototypeOf(async () => {}).constructor;

interface Posted {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

const tools: Readonly<Record<string, (secret: string, posted: Posted) => Promise<unknown>>> = {
  async n8n(secret, { body, headers }) {
    const program = AsyncFunction('require', '$input', n8n.replace("'whsec_…'", JSON.stringify(secret)));
    const $input = { first: () => ({ json: { headers } }) };
    const [item] = await program.call({ helpers: { getBinaryDataBuffer: async () => body } }, require, $input);
    return item.json;
  },
  async zapier(secret, { body, headers }) {
    const inputData = {
      body: body.toString(),
      id: headers['webhook-id'],
      timestamp: headers['webhook-timestamp'],
      signature: headers['webhook-signature'],
      secret,
    };
    return AsyncFunction('require', 'inputData', `let output; ${zapier}; return output;`)(require, inputData);
  },
};

/** A signed event from the local stack, and the secret that signed it. */
const momo = new MomoKiosk({ baseUrl: facts.base_url, secretKey: facts.test_secret_key });
const { secret, posted } = await received();

for (const [name, run] of Object.entries(tools)) {
  test(`${name} continues if the event is genuine`, async () => {
    const event = await run(secret, posted);
    assert.deepEqual(event, { id: posted.headers['webhook-id'], ...JSON.parse(posted.body.toString()) });
    const rolled = `v1,AAAA ${posted.headers['webhook-signature']}`;
    await run(secret, { ...posted, headers: { ...posted.headers, 'webhook-signature': rolled } });
  });

  test(`${name} stops if the event is forged, old or unsigned`, async () => {
    const { body, headers } = posted;
    const old = await webhooks.sign(body, secret, { timestamp: Math.floor(Date.now() / 1000) - 310 });
    const forged = await webhooks.sign(body, `whsec_${btoa('another secret of a forger')}`);
    const changed = Buffer.from(body.toString().replace('36', '37'));
    assert.notDeepEqual(changed, body);
    for (const other of [
      { body, headers: old },
      { body, headers: forged },
      { body: changed, headers },
      { body, headers: { ...headers, 'webhook-id': 'evt_2' } },
      { body, headers: { ...headers, 'webhook-timestamp': 'soon' } },
      { body, headers: { ...headers, 'webhook-signature': '' } },
      { body, headers: { ...headers, 'webhook-signature': 'v1,' } },
    ])
      await assert.rejects(run(secret, other), /Not a webhook of your Momo Kiosk/);
  });
}

for (const [name, run] of Object.entries(tools)) {
  test(`${name} stops if its secret is empty, even for an event signed with the empty secret`, async () => {
    const { body } = posted;
    const headers = signatureHeaders('evt_1', body.toString(), [''], Date.now());
    for (const empty of ['', 'whsec_', 'whsec_…'])
      await assert.rejects(run(empty, { body, headers }), /Set it to your/);
  });
}

test('the service accepts every request in the table', async () => {
  const rows = [...document.matchAll(/^\| (?:URL|Body) \| `(.+)` \| `(.+)` \|$/gm)];
  assert.equal(rows.length, 2);
  const [urls, bodies] = rows;
  for (const [column, key] of [
    [1, facts.test_secret_key],
    [2, facts.test_sms_secret_key],
  ] as const) {
    const url = urls?.[column]?.replace('https://pay.example.com', facts.base_url) ?? '';
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'idempotency-key': crypto.randomUUID(),
    };
    const answer = await fetch(url, { method: 'POST', headers, body: bodies?.[column] ?? null });
    assert.equal(answer.status, 200, await answer.text());
  }
});

async function received(): Promise<{ secret: string; posted: Posted }> {
  const { promise, resolve } = Promise.withResolvers<Posted>();
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    response.writeHead(204).end();
    resolve({ body, headers: request.headers as Record<string, string> });
  }).listen(0);
  after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const webhook = await momo.webhook.set({ url: `http://localhost:${port}/`, events: ['charge.success'] });
  const { reference } = await momo.transaction.initialize({ amount: 36, customer_name: 'Kofi Mensah' });
  await momo.test.simulate(reference, { outcome: 'paid' });
  return { secret: webhook.secret, posted: await promise };
}
