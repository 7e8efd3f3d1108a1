import { mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, inject, test } from 'vitest';
import { Network } from '../../shared/ghana/network.ts';
import { serve } from '../support/browser.ts';
import { run } from '../support/local-stack.ts';
import { sendsOf } from '../support/rows.ts';
import { createMerchant, createSender, createWorld } from '../support/world.ts';

const world = await createWorld();
await createSender(world, '+233241234567');
const server = await serve(world, ['docs/openapi', 'transaction/initialize', 'sms/send']);
afterAll(() => server.stop());

/** A project of a merchant's engineer, with the clients that generators make from what the service serves. */
const folder = mkdtempSync(join(inject('folder'), 'client-'));
symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
const document = await fetch(`${world.outside.baseUrl}/openapi.json`);
writeFileSync(join(folder, 'openapi.json'), await document.text());
const generated = await run(process.execPath, [
  resolve('test/support/generate-clients.ts'),
  join(folder, 'openapi.json'),
  folder,
]);

const NETWORKS = Network.options.map((network) => `'${network}'`).join(' | ');

/** The same with each: a charge, a text, and a text that is refused. */
const programs = {
  oazapfts: `
import { defaults, smsSend, transactionInitialize } from './oazapfts.ts';

const key = (name: string) => ({ headers: { authorization: 'Bearer ' + process.env[name] } });
const charge = await transactionInitialize(
  { amount: 36.5, customer_name: 'Kofi Mensah', metadata: { order_id: 'A-1007' } },
  { idempotencyKey: 'order-1007' },
  key('LIVE_KEY'),
);
if (charge.status !== 200) throw new Error(charge.data.code);
const page: string = charge.data.data.authorization_url;
const network: ${NETWORKS} = charge.data.data.momo_network;

const text = await smsSend({ to: ['0551112223'], message: 'Your order is ready' }, {}, key('SMS_KEY'));
if (text.status !== 200) throw new Error(text.data.code);
const { id, segments, encoding } = text.data.data;

const refused = await smsSend({ to: '12', message: 'Hello' }, {}, key('SMS_KEY'));
const code: string | undefined = refused.status === 400 ? refused.data.code : undefined;
console.log(JSON.stringify({ server: defaults.baseUrl, page, network, id, segments, encoding, code }));
`,
  'openapi-typescript': `
import createClient from 'openapi-fetch';
import type { paths } from './openapi-typescript.ts';

const baseUrl = process.env.SERVER ?? '';
const client = createClient<paths>({ baseUrl });
const key = (name: string) => ({ Authorization: 'Bearer ' + process.env[name] });
const charge = await client.POST('/api/v1/transaction/initialize', {
  headers: key('LIVE_KEY'),
  params: { header: { 'Idempotency-Key': 'order-1008' } },
  body: { amount: 36.5, customer_name: 'Kofi Mensah', metadata: { order_id: 'A-1008' } },
});
if (!charge.data) throw new Error(charge.error.code);
const page: string = charge.data.data.authorization_url;
const network: ${NETWORKS} = charge.data.data.momo_network;

const text = await client.POST('/api/v1/sms/send', {
  headers: key('SMS_KEY'),
  body: { to: ['0551112223'], message: 'Your order is ready' },
});
if (!text.data) throw new Error(text.error.code);
const { id, segments, encoding } = text.data.data;

const refused = await client.POST('/api/v1/sms/send', { headers: key('SMS_KEY'), body: { to: '12', message: 'Hello' } });
const code: string | undefined = refused.error?.code;
console.log(JSON.stringify({ server: baseUrl, page, network, id, segments, encoding, code }));
`,
  'hey-api': `
import { client } from './hey-api/client.gen.ts';
import { smsSend, transactionInitialize } from './hey-api/sdk.gen.ts';

const charge = await transactionInitialize({
  auth: process.env.LIVE_KEY,
  headers: { 'Idempotency-Key': 'order-1009' },
  body: { amount: 36.5, customer_name: 'Kofi Mensah', metadata: { order_id: 'A-1009' } },
});
if (!charge.data) throw new Error(charge.error.code);
const page: string = charge.data.data.authorization_url;
const network: ${NETWORKS} = charge.data.data.momo_network;

const text = await smsSend({
  auth: process.env.SMS_KEY,
  body: { to: ['0551112223'], message: 'Your order is ready' },
});
if (!text.data) throw new Error(text.error.code);
const { id, segments, encoding } = text.data.data;

const refused = await smsSend({ auth: process.env.SMS_KEY, body: { to: '12', message: 'Hello' } });
const code: string | undefined = refused.error?.code;
console.log(JSON.stringify({ server: client.getConfig().baseUrl, page, network, id, segments, encoding, code }));
`,
};

/** The same, without what a request needs, and with an answer that is read as what it is not. */
const names = Object.keys(programs);
for (const [name, program] of Object.entries(programs)) {
  const wrong = program
    .replace(", message: 'Your order is ready'", '')
    .replace('const page: string', 'const page: number');
  writeFileSync(join(folder, `${name}.program.ts`), program);
  writeFileSync(join(folder, `${name}.wrong.ts`), wrong);
}
const faults = await compile(names.flatMap((name) => [`${name}.program.ts`, `${name}.wrong.ts`]));

test('the generators make their clients', () => {
  expect(generated).toEqual({ code: 0, stdout: expect.any(String), stderr: '' });
});

test('a program that uses each of them compiles strictly', () => {
  expect(faults.filter((fault) => !fault.includes('.wrong.ts'))).toEqual([]);
});

describe.each(names)('with %s', (name) => {
  test('the program creates a charge and sends a text', async () => {
    const merchant = await createMerchant(world, { credits: 10 });
    const { code, stdout, stderr } = await run(process.execPath, [join(folder, `${name}.program.ts`)], {
      LIVE_KEY: merchant.liveKey,
      SMS_KEY: merchant.smsKey,
      SERVER: world.outside.baseUrl,
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [send] = await sendsOf(world, merchant);
    expect(JSON.parse(stdout)).toEqual({
      server: world.outside.baseUrl,
      page: expect.stringMatching(`^${world.outside.baseUrl}/checkout/[0-9A-Za-z]{22}$`),
      network: 'MTN',
      id: send?.send_id,
      segments: 1,
      encoding: 'GSM-7',
      code: 'invalid_request',
    });
  });
});

test('the compiler refuses a request without what it needs, and an answer that is read as what it is not', () => {
  for (const name of names) {
    const own = faults.filter((fault) => fault.includes(`/${name}.wrong.ts`)).join('\n');
    expect(own).toContain("Property 'message' is missing");
    expect(own).toContain("Type 'string' is not assignable to type 'number'");
  }
});

/** What the compiler finds wrong, each fault with all its lines. */
async function compile(files: readonly string[]): Promise<string[]> {
  const compilerOptions = {
    noEmit: true,
    strict: true,
    noUncheckedIndexedAccess: true,
    target: 'esnext',
    module: 'nodenext',
    lib: ['esnext', 'dom', 'dom.iterable'],
    allowImportingTsExtensions: true,
    types: ['node'],
  };
  const config = join(folder, 'tsconfig.json');
  writeFileSync(config, JSON.stringify({ compilerOptions, files }));
  const { stdout } = await run(resolve('node_modules/.bin/tsc'), ['--project', config]);
  return stdout.split(/\n(?! )/).filter(Boolean);
}
