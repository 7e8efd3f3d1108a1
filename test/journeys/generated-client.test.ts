import { mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { generateSource } from 'oazapfts';
import { afterAll, expect, inject, test } from 'vitest';
import { serve } from '../support/browser.ts';
import { run } from '../support/local-stack.ts';
import { sendsOf } from '../support/rows.ts';
import { createMerchant, createSender, createWorld } from '../support/world.ts';

const world = await createWorld();
const merchant = await createMerchant(world, { credits: 10 });
await createSender(world, '+233241234567');
const server = await serve(world, ['docs/openapi', 'transaction/initialize', 'sms/send']);
afterAll(() => server.stop());

/** A project of a merchant's engineer, with the client that oazapfts makes from what the service serves. */
const folder = mkdtempSync(join(inject('folder'), 'client-'));
symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
writeFileSync(join(folder, 'client.ts'), await generateSource(`${world.outside.baseUrl}/openapi.json`));

const program = `
import { defaults, smsSend, transactionInitialize } from './client.ts';

const key = (name: string) => ({ headers: { authorization: 'Bearer ' + process.env[name] } });
const charge = await transactionInitialize(
  { amount: 36.5, customer_name: 'Kofi Mensah', metadata: { order_id: 'A-1007' } },
  { idempotencyKey: 'order-1007' },
  key('LIVE_KEY'),
);
if (charge.status !== 200) throw new Error(charge.data.code);
const page: string = charge.data.data.authorization_url;
const network: 'MTN' | 'TELECEL' | 'AT' = charge.data.data.momo_network;

const text = await smsSend({ to: ['0551112223'], message: 'Your order is ready' }, {}, key('SMS_KEY'));
if (text.status !== 200) throw new Error(text.data.code);
const { id, segments, encoding } = text.data.data;

const refused = await smsSend({ to: '12', message: 'Hello' }, {}, key('SMS_KEY'));
const code: 'invalid_request' | 'malformed_json' | undefined = refused.status === 400 ? refused.data.code : undefined;
console.log(JSON.stringify({ server: defaults.baseUrl, page, network, id, segments, encoding, code }));
`;

test('a program that uses it compiles, and creates a charge and sends a text', async () => {
  writeFileSync(join(folder, 'program.ts'), program);
  expect(await compile('program.ts')).toEqual({ code: 0, stdout: '', stderr: '' });
  const { code, stdout, stderr } = await run(process.execPath, [join(folder, 'program.ts')], {
    LIVE_KEY: merchant.liveKey,
    SMS_KEY: merchant.smsKey,
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

test('the compiler refuses a request without what it needs, and an answer that is read as what it is not', async () => {
  const wrong = program
    .replace("message: 'Your order is ready'", '')
    .replace('const page: string', 'const page: number');
  writeFileSync(join(folder, 'wrong.ts'), wrong);
  const { code, stdout } = await compile('wrong.ts');
  expect([code, stdout]).toEqual([1, expect.stringContaining("Property 'message' is missing")]);
  expect(stdout).toContain("Type 'string' is not assignable to type 'number'");
});

function compile(file: string) {
  const compilerOptions = {
    noEmit: true,
    strict: true,
    target: 'esnext',
    module: 'nodenext',
    allowImportingTsExtensions: true,
    types: ['node'],
  };
  const config = join(folder, 'tsconfig.json');
  writeFileSync(config, JSON.stringify({ compilerOptions, files: [file] }));
  return run(resolve('node_modules/.bin/tsc'), ['--project', config]);
}
