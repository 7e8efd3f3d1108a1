import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { MomoKiosk, webhookEventTypes, webhooks } from 'momo-kiosk-client';
import { readSecret, secretFile } from '../cli/secret.ts';
import { freePort } from './support/free-port.ts';
import { facts, project } from './support/stack.ts';

describe('the local webhook secret', () => {
  const folder = mkdtempSync(join(tmpdir(), 'momo-kiosk-secret-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  test('is the same on every start', async () => {
    const file = secretFile({ XDG_CONFIG_HOME: folder }, 'linux');
    const secret = await readSecret(file);
    assert.match(secret, /^whsec_[\w+/]{32}$/);
    chmodSync(file, 0o644);
    assert.equal(await readSecret(file), secret);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.equal(statSync(join(folder, 'momo-kiosk')).mode & 0o777, 0o700);
  });

  test('is not replaced if its file is damaged', async () => {
    const file = join(folder, 'damaged');
    writeFileSync(file, 'whsec_');
    await assert.rejects(readSecret(file), new RegExp(`${file} is not a file with a secret\\. Delete it`));
    assert.equal(readFileSync(file, 'utf8'), 'whsec_');
  });

  test('is not read through a symbolic link', async () => {
    const [target, link] = [join(folder, 'target'), join(folder, 'link')];
    writeFileSync(target, `whsec_${'a'.repeat(32)}\n`);
    chmodSync(target, 0o644);
    symlinkSync(target, link);
    await assert.rejects(readSecret(link), new RegExp(`${link} is not a file with a secret\\. Delete it`));
    assert.equal(statSync(target).mode & 0o777, 0o644);
  });

  test('is stored in the system’s settings folder', () => {
    assert.equal(secretFile({}, 'linux', '/home/ama'), '/home/ama/.config/momo-kiosk/listen-secret');
    assert.equal(secretFile({ XDG_CONFIG_HOME: 'x' }, 'darwin', '/u'), '/u/.config/momo-kiosk/listen-secret');
    assert.equal(secretFile({ APPDATA: '/data' }, 'win32', '/u'), '/data/momo-kiosk/listen-secret');
  });
});

const bin = join(project, 'node_modules/.bin/momo-kiosk');
const folder = mkdtempSync(join(tmpdir(), 'momo-kiosk-config-'));
const env = {
  ...process.env,
  XDG_CONFIG_HOME: folder,
  MOMO_KIOSK_URL: facts.base_url,
  MOMO_KIOSK_KEY: facts.test_secret_key,
};
const momo = new MomoKiosk({ baseUrl: facts.base_url, secretKey: facts.test_secret_key });
let port: number;
let server: Server;
let received: { headers: IncomingHttpHeaders; body: Buffer }[];
let status: number;
let running: ChildProcess | undefined;
let printed: string;

before(async () => {
  port = await freePort();
  server = createServer(async (request, response) => {
    received.push({ headers: request.headers, body: Buffer.concat(await request.toArray()) });
    response.writeHead(status).end();
  }).listen(port);
});
beforeEach(() => {
  [received, status, printed] = [[], 204, ''];
});
afterEach(async () => {
  if (running?.exitCode === null) {
    running.kill('SIGINT');
    await once(running, 'exit');
  }
});
after(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

async function start(more: NodeJS.ProcessEnv = {}, ...options: string[]): Promise<string> {
  const to = `http://localhost:${port}/webhooks`;
  const given = { ...env, ...more };
  running = spawn(bin, ['listen', '--forward-to', to, ...options], {
    env: given,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.stdout?.on('data', (text) => {
    printed += text;
  });
  await until(() => printed.includes('Press Ctrl-C'));
  return /whsec_\S+/.exec(printed)?.[0] ?? '';
}

async function until(isSo: () => boolean): Promise<void> {
  const endMs = Date.now() + 30_000;
  while (!isSo()) {
    assert.ok(Date.now() < endMs, `not within 30 seconds: ${printed}`);
    await new Promise((done) => setTimeout(done, 50));
  }
}

async function pay(): Promise<string> {
  const { reference } = await momo.transaction.initialize({ amount: 1 });
  await momo.test.simulate(reference, { outcome: 'paid' });
  return reference;
}

const referencesOf = async (secret: string) => {
  const events = await Promise.all(received.map(({ headers, body }) => webhooks.verify(body, headers, secret)));
  return events.map((event) => (event.type === 'charge.success' ? event.data.reference : event.type));
};

test('the command signs a paid test charge’s event', async () => {
  await momo.webhook.remove();
  const first = await pay();
  const secret = await start({}, '--events', 'charge.success');
  const second = await pay();
  await until(() => received.length > 0);
  running?.kill('SIGINT');
  await once(running ?? server, 'exit');
  assert.match(printed, /charge\.success evt_\w+ → 204\nStopped\./);
  printed = '';
  assert.equal(await start({}, '--events', 'charge.success'), secret);
  const third = await pay();
  await until(() => received.length > 1);
  assert.deepEqual(await referencesOf(secret), [second, third]);
  assert.ok(!printed.includes(first));
});

test('the command posts an event again if the server rejects it', async () => {
  status = 500;
  const secret = await start();
  const reference = await pay();
  await until(() => received.length === 1);
  status = 200;
  await until(() => received.length === 2);
  assert.deepEqual(await referencesOf(secret), [reference, reference]);
  assert.equal(received[0]?.headers['webhook-id'], received[1]?.headers['webhook-id']);
});

test('the command exits without a stack trace if its output is closed', async () => {
  await start();
  running?.stdout?.destroy();
  const [code] = await Promise.all([once(running ?? server, 'exit').then(([given]) => given), pay(), pay()]);
  assert.equal(code, 0);
});

test('ignores an invalid date from the stage', async (context) => {
  const stage = createServer((request, response) => {
    const data = request.url?.includes('/event') ? { events: [] } : { enabled: true };
    response.setHeader('date', '-271821-04-20').end(JSON.stringify({ status: true, data, meta: { next: null } }));
  }).listen(await freePort());
  context.after(() => stage.close());
  const address = stage.address();
  assert.ok(typeof address === 'object' && address);
  await start({ MOMO_KIOSK_URL: `http://localhost:${address.port}` });
});

test('the command explains an invalid call in one sentence', async () => {
  const gone = await freePort();
  const to = ['listen', '--forward-to', 'http://localhost:4000/webhooks'];
  const calls: [string[], NodeJS.ProcessEnv, RegExp][] = [
    [[], {}, /^momo-kiosk listen --forward-to/],
    [['listen'], {}, /^Set --forward-to/],
    [['listen', '--forward-to', ''], {}, /^Set --forward-to/],
    [['listen', '--forward-to', 'http://ama:secret@localhost:4000'], {}, /has a user name or a password(?!.*secret)/s],
    [['listen', '--forward-to', 'http://:secret@localhost:4000'], {}, /has a user name or a password(?!.*secret)/s],
    [
      ['listen', '--forward-to', '\u0001http://ama:secret@localhost:4000'],
      {},
      /has a user name or a password(?!.*secret)/s,
    ],
    [['listen', '--forward-to', 'ama:secret@localhost:4000'], {}, /has a user name or a password(?!.*secret)/s],
    [['listen', '--forward-to', 'localhost:4000'], {}, /Write http:\/\/localhost:4000\.$/m],
    [[...to, '--event', 'charge.success'], {}, /Unknown option '--event'/],
    [[...to, '--events', 'charge.sucess'], {}, new RegExp(`not an event type. The types are ${webhookEventTypes[0]}`)],
    [to, { MOMO_KIOSK_KEY: '' }, /^MOMO_KIOSK_KEY is not set/],
    [to, { MOMO_KIOSK_URL: '' }, /^MOMO_KIOSK_URL is not set/],
    [to, { MOMO_KIOSK_URL: 'pay.example.com' }, /^MOMO_KIOSK_URL is "pay.example.com".*did you mean https:/],
    [to, { MOMO_KIOSK_URL: 'https://ama:secret@pay.example.com' }, /^MOMO_KIOSK_URL has a user name(?!.*secret)/s],
    [to, { MOMO_KIOSK_URL: ' https:\\\\:secret@' }, /^MOMO_KIOSK_URL has a user name(?!.*secret)/s],
    [to, { MOMO_KIOSK_KEY: 'pk_test_1' }, /^MOMO_KIOSK_KEY is not a key/],
    [to, { MOMO_KIOSK_KEY: 'sk_test_1\nx' }, /^MOMO_KIOSK_KEY is not a key(?!.*sk_test_1)/s],
    [to, { MOMO_KIOSK_KEY: 'sk_test_1' }, /does not accept this key/],
    [to, { MOMO_KIOSK_URL: `http://localhost:${gone}` }, /^No response from http:\/\/localhost:\d+ \(ECONNREFUSED\)/],
  ];
  for (const [given, more, expected] of calls) {
    const failed = await promisify(execFile)(bin, given, { env: { ...env, ...more } }).catch((error) => error);
    assert.equal(failed.code, 1, given.join(' '));
    assert.match(failed.stderr, expected);
    assert.doesNotMatch(failed.stderr, /\n {4}at /);
  }
});
