import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { afterAll, expect, inject, test } from 'vitest';
import * as z from 'zod';
import { manifest } from '../../../functions/manifest.ts';
import { startSqs } from '../../../infra/local/sqs.ts';
import { createDevice } from '../../../shared/merchants/user/device.table.ts';
import type { PushJob } from '../../../shared/push/notice.ts';
import { publicPushKey } from '../../../shared/push/push-key.table.ts';
import { METRIC_NAMESPACE } from '../../../shared/runtime/outside/metric-names.ts';
import { keyKindsOf, type Row } from '../../../shared/runtime/triggers/row.ts';
import { bundleBytes, makeBundles } from '../../bench/bundles.ts';
import { isMissed } from '../../bench/figure.ts';
import { setWebhook } from '../../support/actions.ts';
import { forwarded, forwarderCall } from '../../support/forwarder.ts';
import { liveHolder } from '../../support/holders.ts';
import { runInLambda } from '../../support/lambda-runtime.ts';
import { TestBrowser } from '../../support/push-service.ts';
import { mtn, post, receivedEvent, signedCallback } from '../../support/receipts.ts';
import { type Merchant, type Person, scene } from '../../support/scene.ts';
import { startServer } from '../../support/server.ts';
import { isInSlice } from '../../support/slice.ts';
import {
  type Call,
  databaseOf,
  FORWARDER_KEYS,
  httpEvent,
  queueEvent,
  SIGNING_KEYS,
  streamEvent,
} from '../../support/world.ts';

type FunctionName = keyof typeof manifest;
type Ask = (merchant: Merchant) => Promise<{ event: object; answer: unknown }>;

// All cases share one set of bundles, one table and one queue server.
const CLAIM = { transaction_id: '50000000001', name: 'Kofi Mensah' };
const JSON_ALONE = { accept: 'application/json' };
const REQUEST = { title: 'Fees', lines: [{ description: 'Tuition', amount: 36 }] };
// Reads /proc, because small machines have no ps.
const children = `grep -ls '^PPid:[[:space:]]*${process.pid}$' /proc/[0-9]*/status`;
const nameAndKilobytes = `sed -n 's/^Name:[[:space:]]*//p; s/^VmRSS:[[:space:]]*//p' $status`;
const watching = `while sleep 0.1; do for status in $(${children}); do echo $(${nameAndKilobytes}); done; done`;
const memory = spawn('sh', ['-c', watching]);
const bundles = makeBundles();
memory.kill();
const memoryLines = (await text(memory.stdout)).split('\n');
const world = await scene({ inMemory: false });
const sqs = await startSqs();
/** Requests received by the simulated gateway and merchant server. */
const received: string[] = [];
const { url: hostUrl, stop: stopHost } = await startServer((request, response) => {
  received.push(`${request.method} ${request.url}`);
  const isText = request.url?.startsWith('/messages');
  response.writeHead(202, { 'content-type': 'application/json' }).end(isText ? '{"state":"Pending"}' : '[]');
});
await world.createSender('+233241234567');
afterAll(async () => {
  bundles.remove();
  await stopHost();
  await sqs.stop();
});

/** Each function's request and expected response. The default is a GET request with a key. */
const events: { readonly [Name in FunctionName]?: Ask } = {
  'transaction/initialize': live(200, { body: { amount: 36 } }),
  'transaction/verify': ofCharge(200),
  'transaction/cancel': ofCharge(200),
  'sms/send': sms(200, { body: { to: '0551112223', message: 'Hello' } }),
  'sms/buy-credits': sms(400, { method: 'POST', body: { credits: 500, price: 30 } }),
  'sms/cancel': async (merchant) =>
    sms(200, { method: 'DELETE', parameters: { id: await newSend(merchant) } })(merchant),
  'sms/bulk': sms(200, { body: { message: 'Hello {name}', recipients: [{ to: '0551112223', name: 'Ama' }] } }),
  'sms/show-bulk': ofBulk(200),
  'sms/cancel-bulk': ofBulk(200, { method: 'DELETE' }),
  'sms/bulk-results': ofBulk(200),
  'sms/retry-bulk': ofBulk(409, { method: 'POST' }),
  'contact/store': sms(200, { body: { contacts: [{ number: '0551112223', name: 'Ama' }] } }),
  'contact/remove': sms(404, { method: 'DELETE', parameters: { number: '0551119999' } }),
  'sms/show': async (merchant) => sms(200, { parameters: { id: await newSend(merchant) } })(merchant),
  'verify/start': sms(200, { body: { to: '0551112223' } }),
  'verify/check': sms(200, { body: { id: 'unknown', code: '123456' } }),
  'checkout/page': async (merchant) => open(200, { parameters: await newCharge(merchant) }),
  'checkout/receipt': async (merchant) => open(303, { parameters: await newCharge(merchant) }),
  'checkout/status': async (merchant) => open(200, { parameters: await newCharge(merchant) }),
  'checkout/claim': async (merchant) => open(422, { parameters: await newCharge(merchant), body: CLAIM }),
  'checkout/ask-for-code': async (merchant) =>
    open(200, { headers: JSON_ALONE, parameters: await newCharge(merchant), body: { phone: '0209876543' } }),
  'checkout/confirm-code': async (merchant) =>
    open(422, { parameters: await newCharge(merchant), body: { phone: '0209876543', code: '123456' } }),
  'checkout/simulate': async (merchant) =>
    open(200, { parameters: await newTestCharge(merchant), body: { outcome: 'paid' } }),
  'test/simulate': async (merchant) => {
    const { reference } = await newTestCharge(merchant);
    return open(200, { key: merchant.testKey, parameters: { reference }, body: { outcome: 'reversed' } });
  },
  'test/receive': async ({ smsTestKey: key }) =>
    open(200, { method: 'POST', key, body: { from: '0551112223', message: 'Is it ready?' } }),
  'checkout/text': async (merchant) =>
    open(404, { parameters: await newCharge(merchant), body: { phone: '0209876543' } }),
  'checkout/logo': async () => open(404, { parameters: { id: 'unknown' } }),
  'checkout/short-link': async () => open(302, { parameters: { access_code: 'anything' } }),
  'transaction/refund': ofCharge(409, { body: { amount: 1 } }),
  'transaction/close-refund': ofCharge(404, { parameters: { refund_id: 'unknown' }, body: { outcome: 'sent' } }),
  'receipt/assign': live(404, { parameters: { id: 'unknown' }, body: { reference: 'MK-0000000000' } }),
  'link/create': live(200, { method: 'POST', body: { title: 'Offering' } }),
  'link/show': ofLink(200),
  'link/change': ofLink(200, { method: 'PUT', body: { amount: 5 } }),
  'link/end': ofLink(200, { method: 'POST' }),
  'pay/page': async (merchant) => open(200, { parameters: { slug: await newLink(merchant) } }),
  'pay/open': async (merchant) =>
    open(303, { method: 'POST', parameters: { slug: await newLink(merchant) }, body: { amount: '20' } }),
  'pay/qr-svg': async (merchant) => open(200, { parameters: { slug: await newLink(merchant) } }),
  'pay/qr-png': async (merchant) => open(200, { parameters: { slug: await newLink(merchant) } }),
  'pay/poster': async (merchant) => open(200, { parameters: { slug: await newLink(merchant) } }),
  'request/create': live(200, { method: 'POST', body: REQUEST }),
  'request/create-many': live(200, { method: 'POST', body: { requests: [REQUEST] } }),
  'request/list': live(200),
  'request/show': async (merchant) => live(200, { parameters: { slug: await newRequest(merchant) } })(merchant),
  'request/cancel': async (merchant) =>
    live(200, { method: 'POST', parameters: { slug: await newRequest(merchant) } })(merchant),
  'r/page': async (merchant) => open(200, { parameters: { slug: await newRequest(merchant) } }),
  'r/open': async (merchant) =>
    open(303, { method: 'POST', parameters: { slug: await newRequest(merchant) }, body: { amount: '20' } }),
  'webhook/set': live(200, { method: 'PUT', body: { url: 'https://shop.example.com/hooks' } }),
  'webhook/remove': live(200, { method: 'DELETE' }),
  'webhook/roll-secret': live(200, { method: 'POST' }),
  'webhook/test': live(200, { method: 'POST' }),
  'webhook/show-event': async (merchant) => live(200, { parameters: { id: await merchant.newEvent() } })(merchant),
  'webhook/replay': async (merchant) =>
    live(200, { method: 'POST', parameters: { id: await merchant.newEvent() } })(merchant),
  'callback/smsgate': async () => open(200, signedCallback(world, receivedEvent(world, mtn()))),
  'callback/forwarder': async () => open(200, forwarderCall(forwarded(world, { to: 1, text: mtn().text }))),
  'docs/page': async () => open(200, {}),
  'docs/openapi': async () => open(200, {}),
  'docs/markdown': async () => open(200, {}),
  'docs/llms': async () => open(200, {}),
  'dashboard/sign-in': async () => open(200, { path: '/dashboard/sign-in' }),
  'dashboard/settings': asOwner('/dashboard/settings/team'),
  'dashboard/texts': asOwner('/dashboard/texts'),
  'dashboard/records': asOwner('/dashboard/records'),
  'dashboard/shared-phones': asOwner('/dashboard/shared-phones'),
  'dashboard/developers': asOwner('/dashboard/developers'),
  'dashboard/today': asOwner('/dashboard/today'),
  'dashboard/app': asOwner('/dashboard/app/on'),
  'dashboard/till': asOwner('/dashboard/till'),
  'dashboard/links': asOwner('/dashboard/links'),
  'dashboard/many': asOwner('/dashboard/many'),
  'dashboard/customers': asOwner('/dashboard/customers'),
  'dashboard/requests': asOwner('/dashboard/requests'),
  'link/add-codes': ofLink(200, { method: 'POST', body: { codes: ['A-1'] } }),
  'dashboard/charges': asOwner('/dashboard/charges'),
  'dashboard/held': asOwner('/dashboard/held'),
  'dashboard/operator-phones': asOperator('/dashboard/operator-phones'),
  'dashboard/operator-money': asOperator('/dashboard/operator-money'),
  'dashboard/operator-repair': asOperator('/dashboard/operator-repair/audit'),
  'not-found': async () => open(404, { path: '/nowhere' }),
  'work/relay': async (merchant) => done(streamEvent([{ after: await world.sendRow(await newSend(merchant)) }])),
  'work/follow-up': async (merchant) => done(streamEvent([{ after: await world.sendRow(await newSend(merchant)) }])),
  'work/deliver-sms': async (merchant) => done(queueEvent([{ send_id: await newSend(merchant), index: 0 }])),
  'work/settle-receipt': async () => done(queueEvent([await post(world, mtn())])),
  'work/deliver-webhook': async (merchant) => done(queueEvent([{ event_id: await merchant.newEvent(), tries: 0 }])),
  'work/deliver-push': async (merchant) => done(queueEvent([await greeting(merchant)])),
  'work/run-follow-up': async (merchant) =>
    done(queueEvent([{ kind: 'request', merchant_id: merchant.id, about: 'MK-0000000000' }])),
  'work/housekeeping': async () => ({ event: {}, answer: null }),
  'work/repair': async () => ({ event: { ask: 'dead letters' }, answer: { letters: [] } }),
};

const triggers = bundles.functions.map(({ name }) => manifest[name].on);
/** `npm run prove -- quick` runs one function per trigger and a slice of the others. */
const asked = bundles.functions.filter((_, n) => triggers.indexOf(triggers[n] ?? 'http') === n || isInSlice(n, 30));

test.each(asked)('the bundle of $name works with Lambda’s Runtime API', async ({ name, file }) => {
  // Use the real time, as the separate process does.
  world.clock.nowMs = Date.now();
  const merchant = await world.createMerchant({ credits: 10 });
  await setWebhook({ ...world.outside, allowsThisMachine: true }, liveHolder(merchant.id), `${hostUrl}/hook`);
  const { event, answer } = await (events[name] ?? justAsk(name))(merchant);

  // The second invocation has no event and must fail, except for scheduled functions.
  const { outcomes, log } = await runInLambda(file, [event, null], environment());

  expect(outcomes).toEqual([answer, manifest[name].on === 'schedule' ? null : expect.objectContaining(UNUSABLE)]);
  const lines = log.map((line) => LogLine.parse(JSON.parse(line)));
  const levels = lines.map((line) => ('_aws' in line ? 'counts' : line.level));
  expect(levels.filter((level) => level === 'ERROR' || level === 'WARN')).toEqual([]);
});

const UNUSABLE = {
  errorType: expect.stringMatching(/^(TypeError|\$ZodError)$/),
  errorMessage: expect.stringMatching(/null|expected object/),
};

/** Lines that Lambda accepts as metrics, or as logs with a level and time. */
const LogLine = z.union([
  z.looseObject({ level: z.enum(['INFO', 'WARN', 'ERROR']), timestamp: z.iso.datetime() }),
  z.looseObject({ _aws: z.object({ Timestamp: z.number(), CloudWatchMetrics: z.array(z.unknown()) }) }),
]);

const effects: { readonly [Name in FunctionName]?: string } = {
  'work/deliver-sms': 'POST /messages?skipPhoneValidation=true',
  'work/deliver-webhook': 'POST /hook',
  'work/deliver-push': 'POST /push',
  'work/housekeeping': 'GET /devices',
};

// CloudShell has 2 GB of memory, of which CDK uses nearly one.
test.runIf(process.platform === 'linux')('bundling all functions uses at most 512 MB', () => {
  const megabytes = memoryLines
    .filter((line) => line.startsWith('esbuild '))
    .map((line) => Number.parseInt(line.split(' ')[1] ?? '', 10) / 1024);
  expect(Math.max(...megabytes)).toBeGreaterThan(50);
  expect(Math.max(...megabytes)).toBeLessThan(512);
});

test('bundled workers have the same effects as unbundled ones', () => {
  const expected = asked.flatMap(({ name }) => effects[name] ?? []);
  expect(expected).not.toEqual([]);
  expect(received).toEqual(expect.arrayContaining(expected));
});

test('no bundle contains local sign-in links', () => {
  for (const { file } of bundles.functions) expect(readFileSync(file, 'utf8')).not.toContain('local/sign-in');
  expect(readFileSync('infra/local/demo.ts', 'utf8')).toContain('local/sign-in');
});

test('only one bundle contains push encryption', () => {
  const knowing = bundles.functions.filter(({ file }) => readFileSync(file, 'utf8').includes('aes128gcm'));
  expect(knowing.map(({ name }) => name)).toEqual(['work/deliver-push']);
});

test('no bundle is much larger than the SDK', () => {
  const figure = bundleBytes(bundles);
  expect(isMissed(figure), `${figure.value} × (${figure.detail})`).toBe(false);
});

function justAsk(name: FunctionName): Ask {
  const row: Row = manifest[name];
  if (row.on !== 'http' || row.method !== 'GET' || row.path.includes('{'))
    throw new Error(`${name} has no request to test. Add one to events.`);
  return keyKindsOf(row).includes('live') ? live(200) : sms(200);
}

function live(status: number, request: Call = {}) {
  return async ({ liveKey }: Merchant) => open(status, { ...request, key: liveKey });
}

/** Returns a request for a pending charge. */
function ofCharge(status: number, { parameters, ...request }: Call = {}): Ask {
  return async (merchant) => {
    const { reference } = await newCharge(merchant);
    return live(status, { ...request, parameters: { reference, ...parameters } })(merchant);
  };
}

/** Returns a request for a payment link. */
function ofLink(status: number, request: Call = {}): Ask {
  return async (merchant) => live(status, { ...request, parameters: { slug: await newLink(merchant) } })(merchant);
}

/** Returns a merchant's request for one of its bulk sends. */
function ofBulk(status: number, request: Call = {}): Ask {
  return async (merchant) => sms(status, { ...request, parameters: { id: await newBulk(merchant) } })(merchant);
}

function sms(status: number, request: Call = {}) {
  return async ({ smsKey }: Merchant) => open(status, { ...request, key: smsKey });
}

function asOwner(path: string): Ask {
  return async ({ id }) => opened(path, await world.signIn('owner', id));
}

function asOperator(path: string): Ask {
  return async () => opened(path, await world.signIn('operator'));
}

function opened(path: string, { token }: Person) {
  return open(200, { path, cookies: [`__Host-session=${token}`] });
}

function open(status: number, request: Call) {
  return { event: httpEvent(request), answer: expect.objectContaining({ statusCode: status }) };
}

/** Expects that no job in the batch fails. */
function done(event: object) {
  return { event, answer: { batchItemFailures: [] } };
}

function newTestCharge({ testKey }: Merchant) {
  return newCharge({ liveKey: testKey });
}

async function newLink({ liveKey: key }: Merchant): Promise<string> {
  return (await world.call('link/create', { key, body: { title: 'Offering', min_amount: 1 } })).json.data.slug;
}

async function newRequest({ liveKey: key }: Merchant): Promise<string> {
  return (await world.call('request/create', { key, body: REQUEST })).json.data.slug;
}

async function newCharge({ liveKey }: Pick<Merchant, 'liveKey'>) {
  const { json } = await world.call('transaction/initialize', { key: liveKey, body: { amount: 36 } });
  const { reference, access_code } = json.data;
  return { reference, access_code };
}

/** Returns the job for a browser's first notification. */
async function greeting({ id: merchant_id }: Merchant): Promise<PushJob> {
  const { user } = await world.signIn('owner', merchant_id);
  await publicPushKey(world.outside);
  const { endpoint, keys } = JSON.parse(new TestBrowser(`${hostUrl}/push`).subscription);
  const at = new Date().toISOString();
  const place = { merchant_id, user_id: user.user_id, slot: '1' };
  const device = { ...place, device_id: 'd', kinds: [], shows_details: false, created_at: at };
  await world.outside.table.write([createDevice({ ...device, subscription: { endpoint, ...keys } })]);
  return { ...place, kind: 'hello', about: '1', at };
}

async function newSend({ smsKey }: Merchant): Promise<string> {
  return (await world.call('sms/send', { key: smsKey, body: { to: '0551112223', message: 'Hello' } })).json.data.id;
}

async function newBulk({ smsKey }: Merchant): Promise<string> {
  const body = { message: 'Hello {name}', recipients: [{ to: '0551112223', name: 'Ama' }] };
  return (await world.call('sms/bulk', { key: smsKey, body })).json.data.id;
}

/** Returns the deployed functions' environment with the URLs of the simulated AWS. */
function environment(): NodeJS.ProcessEnv {
  const account = { url: hostUrl, username: 'ama', password: 'secret', signing_keys: SIGNING_KEYS.phone };
  const forwarder = { ...account, url: '', signing_keys: FORWARDER_KEYS };
  return {
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_SESSION_TOKEN: 'local',
    AWS_REGION: 'us-east-1',
    POWERTOOLS_SERVICE_NAME: 'momo-kiosk-dev',
    POWERTOOLS_METRICS_NAMESPACE: METRIC_NAMESPACE,
    BASE_URL: 'https://pay.example.com',
    RETENTION_DAYS: '400',
    TABLE_NAME: databaseOf(world).tableName,
    DYNAMODB_ENDPOINT: inject('dynamoDbEndpoint'),
    SQS_ENDPOINT: sqs.endpoint,
    ...sqs.environment,
    GATEWAY_ACCOUNTS: JSON.stringify({ phone: account, forwarder }),
    ALLOWS_THIS_MACHINE: 'true',
  };
}
