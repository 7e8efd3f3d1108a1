import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, inject, test } from 'vitest';
import { OpenApi, routesOf } from '../../infra/reference/openapi.ts';
import { sampleRequestOf } from '../../infra/reference/operation-section.ts';
import { recipes } from '../../infra/reference/recipes/recipes.ts';
import { type Language, languages, samplesOf } from '../../infra/reference/samples.ts';
import { setLogo } from '../../shared/merchants/logo/set-logo.ts';
import { requireMerchant } from '../../shared/merchants/merchant/manage-merchant.ts';
import { EXAMPLE_BASE_URL } from '../../shared/pages/docs/text-with-address.ts';
import { serve } from '../support/browser.ts';
import { sellBundle } from '../support/bundles.ts';
import { runnable } from '../support/interpreters.ts';
import { run } from '../support/local-stack.ts';
import { pictures } from '../support/pictures.ts';
import { referenceDocument } from '../support/reference.ts';
import { scene } from '../support/scene.ts';

const document = OpenApi.parse(JSON.parse(JSON.stringify(referenceDocument)));
const world = await scene({ inMemory: true });
const merchant = await world.createMerchant({ credits: 1000 });
const keys: Readonly<Record<string, string>> = {
  MOMO_LIVE_KEY: merchant.liveKey,
  MOMO_SMS_KEY: merchant.smsKey,
  MOMO_TEST_KEY: merchant.testKey,
  MOMO_SMS_TEST_KEY: merchant.smsTestKey,
};
await world.createSender('+233241234567');
const server = await serve(world);
afterAll(() => server.stop());

/** Samples that only read run first, and samples that delete run last. */
const ORDER = ['GET', 'POST', 'PUT', 'DELETE'];
const turnOf = ({ method, path }: { method: string; path: string }) =>
  ORDER.indexOf(/\/(end|cancel)$/.test(path) ? 'DELETE' : method);
const routes = routesOf(document).toSorted((one, other) => turnOf(one) - turnOf(other));

/** Statuses that indicate a wrong request or a broken service. */
const FAULTS = [400, 401, 405, 413, 415, 500, 503];

/** Programs that run all files of a language in one process. */
const runners: Readonly<Record<Language, { extension: string; command: string; script: string }>> = {
  curl: { extension: 'sh', command: 'sh', script: 'for file; do sh "$file" 2>/dev/null; echo; done' },
  node: {
    extension: 'mjs',
    command: process.execPath,
    script:
      'for (const file of process.argv.slice(2)) await import(file).catch(({ message }) => console.log(message));',
  },
  php: {
    extension: 'php',
    command: 'php',
    script:
      '<?php foreach (array_slice($argv, 1) as $file) try { include $file; } catch (Exception $e) { echo "failed {$e->getMessage()}\\n"; }',
  },
  python: {
    extension: 'py',
    command: 'python3',
    script: `import sys
for file in sys.argv[1:]:
  try:
    exec(open(file).read(), {})
  except Exception as error:
    print("failed", error)`,
  },
};

for (const [language, name] of languages) {
  test.runIf(runnable.includes(language))(`the samples in ${name} make the same requests as the examples`, async () => {
    const real = await createWhatExamplesName();
    server.served.length = 0;
    expect(await runSamples(language, real)).toMatchObject({ stderr: '' });
    const seen = server.served.map(({ method, path, headers, body, status }) => ({
      request: `${method} ${path}`,
      authorization: headers.authorization,
      isRepeatable: headers['idempotency-key'] !== undefined,
      body: headers['content-type'] === 'application/json' ? JSON.parse(body) : undefined,
      isRight: !FAULTS.includes(status),
      isRead: method === 'GET' && status < 400,
    }));
    const sampled = routes.filter((route) => sampleOf(route, language) !== undefined);
    expect(sampled.length).toBeGreaterThan(15);
    for (const route of sampled) {
      const { method, path, key, isRepeatable, body } = sampleRequestOf(route);
      expect(seen).toContainEqual({
        request: `${method} ${real(path)}`,
        authorization: key && `Bearer ${keys[`MOMO_${key.toUpperCase()}_KEY`]}`,
        isRepeatable,
        body: body && JSON.parse(real(JSON.stringify(body))),
        isRight: true,
        isRead: method === 'GET',
      });
    }
  });
}

test('the recipes form one working program', async () => {
  const file = join(inject('folder'), 'recipes.mjs');
  const program = recipes.map(({ code }) => code.replaceAll(EXAMPLE_BASE_URL, world.outside.baseUrl));
  const answer = (data: object) => `globalThis.fetch = () => Response.json(${JSON.stringify({ status: true, data })});`;
  // `charge` is what verify answers, `data` is the event's older copy.
  const received = (charge: object, data = charge) => `
${answer(charge)}
await receive(${JSON.stringify({ type: 'charge.success', data })});`;
  // An event that arrives twice, and another charge for the same order.
  const events = ['MK-1', 'MK-1', 'MK-2'].map((reference) =>
    received({ reference, status: 'success', merchant_reference: 'order-10' }),
  );
  // A live order with an unverified payment, followed by its later states.
  const live = { reference: 'MK-3', status: 'success', merchant_reference: 'order-11', livemode: true };
  for (const proof of [null, { state: 'unproven' }, { state: 'checking' }, { state: 'proven' }])
    events.push(received({ ...live, proof }));
  // A payment that was reversed before its event was read.
  const success = { ...live, merchant_reference: 'order-12', proof: { state: 'proven' } };
  events.push(received({ ...success, status: 'reversed' }, success));
  // Two paid charges of one order. The first is in doubt, although its last payment is verified.
  const twoPaid = program.find((code) => code.includes('const paid ='))?.split(/(?=const paid =)/)[1];
  const proven = { livemode: true, proof: { state: 'proven' }, payment: { proof: { state: 'proven' } } };
  for (const proof of [{ state: 'unproven' }, { state: 'proven' }])
    events.push(answer({ transactions: [proven, { ...proven, proof }] }), `{${twoPaid}}`);
  writeFileSync(file, [...program, ...events].join('\n'));
  const { stdout, stderr } = await run(process.execPath, [file], keys);
  expect(stderr).toBe('');
  const page = `${world.outside.baseUrl}/checkout/`;
  expect(
    stdout
      .replaceAll(new RegExp(`${page}\\w+`, 'g'), 'PAGE')
      .trim()
      .split('\n'),
  ).toEqual([
    'send the browser to PAGE',
    'deliver',
    'text pending',
    'webhook.test',
    'next page: none',
    'send back 36.5',
    'refund 0 other charges',
    'refund sent',
    'one charge: true',
    'pay 18 at PAGE',
    'pending with 6 of 12',
    'success with 12',
    'another secret: true',
    'live: true PAGE',
    'charge.success',
    'deliver order-10',
    'charge.success',
    'charge.success',
    ...Array(4).fill('charge.success'),
    'deliver order-11',
    'charge.success',
    'refund 1 other charges',
  ]);
});

test('the JavaScript samples run on every machine', () => {
  expect(runnable).toEqual(expect.arrayContaining(['node']));
});

function sampleOf(route: (typeof routes)[number], language: Language): string | undefined {
  return samplesOf(sampleRequestOf(route)).find((one) => one.language === language)?.text;
}

async function runSamples(language: Language, real: (text: string) => string) {
  const { extension, command, script } = runners[language];
  const folder = mkdtempSync(join(inject('folder'), `samples-${language}-`));
  const runner = join(folder, `run-all.${extension}`);
  writeFileSync(runner, script);
  const files = routes.map((route) => {
    const file = join(folder, `${route.operation.operationId}.${extension}`);
    writeFileSync(file, real(sampleOf(route, language) ?? '').replaceAll(EXAMPLE_BASE_URL, world.outside.baseUrl));
    return file;
  });
  return run(command, [runner, ...files], keys);
}

/** Creates the objects in the examples. Returns a function that replaces the example ids with real ones. */
async function createWhatExamplesName(): Promise<(text: string) => string> {
  await merchant.setWebhook();
  await sellBundle(world, { credits: 500, price: 30 });
  // Within two minutes, the same reply would count as a copy.
  world.clock.nowMs += 3 * 60_000;
  const charge = await merchant.createCharge();
  const text = await merchant.call('sms/send', { body: { to: '0551112223', message: 'Hello' } });
  const recipients = [{ to: '0551112223', name: 'Ama' }];
  const bulk = await merchant.call('sms/bulk', { body: { message: 'Hello {name}', recipients } });
  const wifi = { title: 'Hostel Wi-Fi', amount: 25, note_label: 'Your room', codes: ['WIFI-1'] };
  const link = await merchant.call('link/create', { body: wifi });
  const request = await merchant.request({ title: 'Rent', lines: [{ description: 'November', amount: 850 }] });
  const shop = await requireMerchant(world.outside, merchant.id);
  const { after, writes } = setLogo(world.outside, shop, { type: 'image/png', bytes: pictures.png });
  await world.outside.table.write(writes);
  const names = [
    [exampleOf('transactionVerify'), charge.reference],
    [exampleOf('checkoutPage'), charge.access_code],
    [exampleOf('checkoutLogo'), after.logo ?? ''],
    [exampleOf('smsShow'), text.json.data.id],
    [exampleOf('smsShowBulk'), bulk.json.data.id],
    // Must precede the link, whose id is a prefix of the request's id.
    [exampleOf('requestShow'), request],
    [exampleOf('linkShow'), link.json.data.slug],
    [exampleOf('webhookShowEvent'), await merchant.newEvent()],
  ] as const;
  return (given) => names.reduce((replaced, [example, id]) => replaced.replaceAll(example, id), given);
}

/** Returns the id in an operation's example. */
function exampleOf(operationId: string): string {
  const route = routesOf(document).find(({ operation }) => operation.operationId === operationId);
  return String(route?.operation.parameters.find((parameter) => parameter.in === 'path')?.example);
}
