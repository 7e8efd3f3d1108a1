import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GetQueueUrlCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { connect } from '../../infra/admin/deployment.ts';
import { sendText, showCharge, showText } from '../../infra/local/story/steps.ts';
import { admin, adminJson } from '../support/admin-commands.ts';
import { PATIENCE, request, switchPhone, textsArrive, textsOf } from '../support/http.ts';
import { run, startLocalStack } from '../support/local-stack.ts';
import { QUICK_NODE } from '../support/quick-start.ts';
import { rotatingTest } from '../support/rotating-test.ts';
import { postJson, startServer } from '../support/server.ts';
import { isInSlice } from '../support/slice.ts';
import { phoneInHand } from './joined-stack.ts';
import { phoneStories } from './phone-stories.ts';
import { openStage } from './stage.ts';
import { stageStories } from './stage-stories.ts';
import { stories } from './stories.ts';
import { type Kiosk, lackedBy, shopOf } from './story.ts';

const rotating = rotatingTest(3);

const stack = await startLocalStack();
afterAll(() => stack.stop());
const { facts } = stack;
const shop = shopOf(facts, PATIENCE.timeout);
/** A merchant's server that accepts every request. */
const receiver = await startServer((_, response) => response.end());
afterAll(receiver.stop);

describe('the curl commands printed by npm start', () => {
  const [charge = '', text = '', ...more] = stack.printed.stdout.match(/^curl .*$/gm) ?? [];

  test('are one for a charge and one for a text', () => {
    expect([charge, text]).not.toContain('');
    expect(more).toEqual([]);
  });

  test('create a charge whose payment can be verified', async () => {
    const { code, stdout, stderr } = await run('bash', ['-c', charge]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const { data, ...envelope } = JSON.parse(stdout);
    expect(envelope).toEqual({ status: true, message: expect.any(String) });
    expect(data).toEqual({
      authorization_url: `${facts.base_url}/checkout/${data.access_code}`,
      expires_at: expect.any(String),
      access_code: expect.any(String),
      reference: expect.stringMatching(/^[A-Z]{2}-\d{10}$/),
      amount: 36,
      currency: 'GHS',
      momo_number: '+233241234567',
      momo_network: 'MTN',
      livemode: true,
      warnings: [],
    });

    const page = await fetch(data.authorization_url);
    expect({ status: page.status, contentType: page.headers.get('content-type') }).toEqual({
      status: 200,
      contentType: 'text/html; charset=utf-8',
    });
    expect(await page.text()).toContain('GHS 36.00');
    const link = await request(stack, `/c/${data.access_code}`);
    expect({ status: link.status, location: link.headers.get('location') }).toEqual({
      status: 302,
      location: data.authorization_url,
    });
    expect(await showCharge(shop, data.reference)).toMatchObject({
      status: 'pending',
      amount: 36,
      customer_name: 'Kofi Mensah',
    });
  });

  test('send a text', async () => {
    const { code, stdout, stderr } = await run('bash', ['-c', text]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const { data, ...envelope } = JSON.parse(stdout);
    expect(envelope).toEqual({ status: true, message: `Queued SMS from ${data.from}` });
    expect(data).toEqual({
      id: expect.any(String),
      ids: [data.id],
      to: ['+233551234567'],
      from: '+233241234567',
      status: 'pending',
      send_at: null,
      expires_at: null,
      gateway_message_id: data.id,
      count: 1,
      livemode: true,
      segments: 1,
      encoding: 'GSM-7',
    });

    const [arrived] = await textsArrive(stack, 'Your order is ready', 1);
    expect(arrived).toMatchObject({ id: data.id, to: '+233551234567', from: '+233241234567', sim_number: 1 });
    expect((await showText(shop, data.id)).status).toMatch(/^(sending|sent|delivered)$/);
  });
});

rotating('120 of 200 simultaneous sends succeed with 120 credits, and 80 get a 402', async () => {
  const { id, key } = await merchantWith(120);
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, n) =>
      request(stack, '/api/v1/sms/send', {
        key,
        body: { to: `0551112${String(n).padStart(3, '0')}`, message: 'One of many' },
      }),
    ),
  );
  const accepted = answers.filter(({ status }) => status === 200);
  expect(accepted).toHaveLength(120);
  expect(answers.filter(({ status, json }) => status === 402 && json.code === 'insufficient_credits')).toHaveLength(80);
  expect(await adminJson(stack.folder, 'credits', 'show', '--merchant', id)).toMatchObject({ balance: 0 });

  await textsArrive(stack, 'One of many', 120);
  await laterTextArrives();
  const texts = await textsOf(stack, 'One of many');
  expect(texts.map((text) => text.id).sort()).toEqual(accepted.map(({ json }) => json.data.id).sort());
  expect(texts.map(({ to }) => to).sort()).toEqual(accepted.map(({ json }) => json.data.to[0]).sort());
});

rotating('one call to 50 recipients sends 50 texts for 50 credits', async () => {
  const { id, key } = await merchantWith(60);
  const to = Array.from({ length: 50 }, (_, n) => `05522233${String(n).padStart(2, '0')}`);
  const { status, json } = await request(stack, '/api/v1/sms/send', { key, body: { to, message: 'To all of you' } });
  expect({ status, count: json.data.count }).toEqual({ status: 200, count: 50 });
  expect(await adminJson(stack.folder, 'credits', 'show', '--merchant', id)).toMatchObject({ balance: 10 });
  const texts = await textsArrive(stack, 'To all of you', 50);
  expect(texts.map((text) => text.id).sort()).toEqual([...json.data.ids].sort());
  expect(texts.map((text) => text.to).sort()).toEqual(json.data.to);
});

test('texts are sent when the phone is on again', async () => {
  await switchPhone(stack, false);
  const to = (n: number) => `055333444${n}`;
  const sends = [0, 1, 2, 3, 4].map((n) => sendText(shop, { to: to(n), message: 'After the break' }));
  const ids = (await Promise.all(sends)).map(({ id }) => id);
  // The gateway has accepted all texts.
  const atGateway = (id: string) => fetch(`${facts.phone_url}/api/3rdparty/v1/messages/${id}`, { headers: BASIC });
  await vi.waitFor(async () => {
    for (const id of ids) expect((await atGateway(id)).status).toBe(200);
  }, PATIENCE);
  expect(await textsOf(stack, 'After the break')).toEqual([]);

  await switchPhone(stack, true);

  await textsArrive(stack, 'After the break', 5);
  await laterTextArrives();
  expect((await textsOf(stack, 'After the break')).map(({ id }) => id).sort()).toEqual(ids.sort());
});

test('a send repeated with its Idempotency-Key is sent once', async () => {
  const call = () =>
    request(stack, '/api/v1/sms/send', {
      key: facts.sms_secret_key,
      headers: { 'Idempotency-Key': 'order-7' },
      body: { to: '0554445556', message: 'Only once' },
    });
  const [first, second] = [await call(), await call()];
  expect({ status: second.status, text: second.text, replayed: second.headers.get('idempotent-replayed') }).toEqual({
    status: 200,
    text: first.text,
    replayed: 'true',
  });
  await textsArrive(stack, 'Only once', 1);
  await laterTextArrives();
  expect(await textsOf(stack, 'Only once')).toHaveLength(1);
});

describe('user journeys over HTTP', () => {
  const kiosk: Kiosk = {
    ...shop,
    sends: true,
    to: '+233557778889',
    receiver: `${receiver.url}/hooks`,
    pay: async ({ reference, amount }) => {
      const { status } = await postJson(`${facts.phone_url}/pay`, { reference, amount, name: 'Kofi Mensah' });
      expect(status).toBe(202);
    },
  };

  test.each(stories.map((story) => [story.name, story] as const))(
    'succeed on the local stack: %s',
    async (_, story) => {
      expect(lackedBy(story, kiosk)).toEqual([]);
      await story.tell(kiosk);
    },
  );

  rotating('are listed and run by npm run prove -- journeys', async () => {
    const keys = { MOMO_LIVE_KEY: facts.secret_key, MOMO_SMS_KEY: facts.sms_secret_key };
    const journeys = (environment: Record<string, string>, ...more: string[]) =>
      run(process.execPath, ['test/journeys/run.ts', '--base-url', facts.base_url, ...more], environment);
    const { code, stdout, stderr } = await journeys(keys, '--to', '0557778889');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^On http:\/\/localhost:\d+ this will\n/);
    expect(stdout).toContain('really send 1 text to +233557778889, for 1 credit');
    expect(stdout.match(/^✓ /gm)).toHaveLength(stories.length - 2);
    expect(stdout).toContain('(skipped: needs --receiver URL)');
    expect(stdout).toContain('(skipped: needs --pay)');

    const wrongKey = await journeys({ ...keys, MOMO_SMS_KEY: 'sk_sms_of_nobody' });
    expect(wrongKey.code).toBe(1);
    expect(wrongKey.stdout).toMatch(/^✗ a number to send from is available\n {2}.*answered 401/m);
    expect(wrongKey.stdout).toMatch(/\n\d of \d+ stories failed\.\n$/);
  });
});

// Takes two minutes: housekeeping requests delivery reports once a minute.
test.runIf(isInSlice(1, 6))('journeys succeed with a real SMSGate server', async () => {
  vi.stubEnv('LOCAL_DIR', stack.folder);
  const { stagePhone, inHand } = await phoneInHand({ url: facts.phone_url });
  const { stage, remove } = await openStage(await connect(undefined), PATIENCE.timeout, stagePhone);
  onTestFinished(async () => void (await remove()));
  for (const story of phoneStories) {
    await story.tell({ ...stage, to: '+233557778889', phone: inHand, patienceMs: PATIENCE.timeout });
  }
});

describe('npm run prove -- journeys for the operator of a stage', () => {
  const tell = (...more: string[]) =>
    [process.execPath, [...QUICK_NODE, 'test/journeys/run.ts', '--patience', '30', ...more]] as const;
  const environment = { LOCAL_DIR: stack.folder };

  rotating('runs every journey and leaves no rows behind', async () => {
    const before = await quietRowKeys();
    const { code, stdout, stderr } = await run(
      ...tell('--to', '0557778889', '--receiver', `${receiver.url}/hooks`),
      environment,
    );
    expect({ failures: stdout.match(/^✗ .*\n.*/gm), code, stderr }).toEqual({ failures: null, code: 0, stderr: '' });
    expect(stdout.match(/^✓ /gm)).toHaveLength(stories.length + stageStories.length);
    expect(await rowKeys()).toEqual(before);
  });

  rotating('leaves no rows behind after a failure or an interruption', async () => {
    const before = await quietRowKeys();
    const noServer = run(...tell('--receiver', 'http://127.0.0.1:9/hooks', '--patience', '1'), environment);
    const child = spawn(...tell(), { env: { ...process.env, ...environment }, stdio: ['ignore', 'pipe', 'ignore'] });
    child.stdout.once('data', () => child.kill('SIGTERM'));
    const unread = spawn(...tell(), { env: { ...process.env, ...environment }, stdio: ['ignore', 'pipe', 'ignore'] });
    unread.stdout.once('data', () => unread.stdout.destroy());
    const codes = (await Promise.all([once(child, 'close'), once(unread, 'close')])).map(([code]) => code);
    const failed = await noServer;
    expect([...codes, failed.code]).toEqual([130, 130, 1]);
    expect(failed.stdout).toMatch(/^✗ a shop’s server is notified/m);
    expect(await rowKeys()).toEqual(before);
  });

  /** Returns the keys of all rows once the workers have written everything that earlier tests caused. */
  async function quietRowKeys(): Promise<string[]> {
    return vi.waitFor(async () => {
      const keys = await rowKeys();
      await sleep(2_000);
      expect(await rowKeys()).toEqual(keys);
      return keys;
    }, PATIENCE);
  }

  /** Returns the keys of all rows, except shared and expiring ones. */
  async function rowKeys(): Promise<string[]> {
    const credentials = { accessKeyId: facts.aws_access_key_id, secretAccessKey: 'local' };
    const database = new DynamoDBClient({ endpoint: facts.dynamodb_endpoint, region: 'us-east-1', credentials });
    const client = DynamoDBDocumentClient.from(database);
    const keys: string[] = [];
    for await (const { Items = [] } of paginateScan({ client }, { TableName: facts.table_name })) {
      keys.push(...Items.map(({ pk, sk }) => `${pk} ${sk}`));
    }
    database.destroy();
    return keys
      .filter((key) => !/^(PACE#.* SENDER$|CONVERSATION#|SENT_CODE#|LEASE |PHONE |REFUSED_CALLBACK )/.test(key))
      .sort();
  }
});

test('an operator’s change takes effect before the command ends', async () => {
  const number = '+233201234567';
  const sendFrom = () =>
    request(stack, '/api/v1/sms/send', {
      key: facts.sms_secret_key,
      body: { to: '0556667778', message: 'From SIM 2', from: number },
    });
  const { key } = await adminJson(
    stack.folder,
    ...['key', 'create', '--merchant', facts.merchant_id, '--kind', 'live'],
  );
  expect((await sendFrom()).status).toBe(200);

  await Promise.all([
    adminJson(stack.folder, 'sender', 'disable', '--number', number),
    adminJson(stack.folder, 'key', 'revoke', '--merchant', facts.merchant_id, '--hint', key.slice(-4)),
  ]);
  const refused = await sendFrom();
  expect({ status: refused.status, code: refused.json.code }).toEqual({ status: 503, code: 'no_sender_available' });
  // A new key is in no cache.
  const charge = await request(stack, '/api/v1/transaction/initialize', { key, body: { amount: 1 } });
  expect({ status: charge.status, code: charge.json.code }).toEqual({ status: 401, code: 'unauthorized' });

  await adminJson(stack.folder, 'sender', 'enable', '--number', number);
  expect((await sendFrom()).status).toBe(200);
  await textsArrive(stack, 'From SIM 2', 2);
});

describe('operator commands for a local stack', () => {
  test('include a working `doctor`', async () => {
    const { ok, findings } = await adminJson(stack.folder, 'doctor');
    expect(findings.filter(({ state }: { state: string }) => state === 'wrong')).toEqual([]);
    expect(ok).toBe(true);
    const about = new Set(findings.map(({ check }: { check: string }) => check));
    expect([...about]).toEqual([
      'clock',
      'stack',
      'table',
      'triggers',
      'queues',
      'housekeeping',
      'api',
      'gateways',
      'senders',
      'merchants',
      'wallets',
      'dashboard',
      'alarms',
    ]);
    const { code, stdout, stderr } = await admin(stack.folder, 'doctor');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^✓ The API responds at http:\/\/localhost:\d+\.$/m);
    expect(stdout).toMatch(/^- The local stack has no alarms\.$/m);
  });

  test('include a repeatable `gateway connect`', async () => {
    const webhooks = async () =>
      (await fetch(`${facts.phone_url}/api/3rdparty/v1/webhooks`, { headers: BASIC })).text();
    const before = JSON.parse(await webhooks());
    const { callback_url, phones } = await adminJson(stack.folder, 'gateway', 'connect', '--gateway', 'phone');
    expect(callback_url).toBe(facts.smsgate.callback_url);
    expect(phones).toMatchObject([
      { id: 'demo-phone', senders: ['+233201234567', '+233241234567'], signing_key: 'set' },
    ]);
    expect(JSON.parse(await webhooks())).toEqual(before);
    expect(before).toHaveLength(2);
  });

  test('include `dead-letters`', async () => {
    const client = new SQSClient({ endpoint: facts.sqs_endpoint });
    const { QueueUrl } = await client.send(new GetQueueUrlCommand({ QueueName: 'deliver-webhook-dead-letters' }));
    await client.send(
      new SendMessageCommand({ QueueUrl, MessageBody: JSON.stringify({ event_id: 'of-no-event', tries: 1 }) }),
    );
    const doctor = await admin(stack.folder, 'doctor');
    expect(doctor).toMatchObject({ code: 1, stderr: '' });
    expect(doctor.stdout).toMatch(/^✗ There is 1 dead letter of deliver-webhook.*\n {2}→ .*dead-letters list/m);
    const { dead_letters } = await adminJson(stack.folder, 'dead-letters', 'list');
    expect(dead_letters).toMatchObject([{ queue: 'deliver-webhook', id: 'of-no-event', state: 'unknown' }]);
    const { queues } = await adminJson(stack.folder, 'dead-letters', 'retry', '--queue', 'deliver-webhook');
    expect(queues).toEqual([{ queue: 'deliver-webhook', retried: 1, left: 0 }]);
    expect(await adminJson(stack.folder, 'dead-letters', 'list')).toEqual({ dead_letters: [] });
  });
});

test('a healthy local stack logs no errors', () => {
  expect(stack.printed.stderr).toBe('');
});

/** Sends another text and waits for it. Everything that was queued before has been sent by then. */
async function laterTextArrives(): Promise<void> {
  const message = `A later text, ${++laterTexts}`;
  await sendText(shop, { to: '0559998887', message });
  await textsArrive(stack, message, 1);
}
let laterTexts = 0;

const BASIC = { authorization: `Basic ${btoa('demo:demo')}` };

/** Creates a merchant with the command line. */
async function merchantWith(credits: number): Promise<{ id: string; key: string }> {
  const { merchant_id: id } = await adminJson(stack.folder, 'merchant', 'create', '--name', 'Kofi’s');
  const [{ key }] = await Promise.all([
    adminJson(stack.folder, 'key', 'create', '--merchant', id, '--kind', 'sms', '--rate', '1000'),
    adminJson(stack.folder, 'credits', 'add', '--merchant', id, '--amount', String(credits)),
  ]);
  return { id, key };
}
