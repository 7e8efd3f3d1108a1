import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import * as z from 'zod';
import { sendText } from '../../infra/local/story/steps.ts';
import { adminJson } from '../support/admin-commands.ts';
import { PATIENCE, request, switchPhone, textsArrive, textsOf } from '../support/http.ts';
import { failToStart, type LocalStack, newFolder, startLocalStack } from '../support/local-stack.ts';
import { startServer } from '../support/server.ts';
import { isInSlice } from '../support/slice.ts';
import { shopOf } from './story.ts';

test.runIf(isInSlice(5, 6))('two stacks with different SMSGate servers run side by side', async () => {
  const gateway = await startGateway();
  // A relative path, as in the default setting.
  const folder = relative(process.cwd(), newFolder());
  const [own, first] = await Promise.all([
    startLocalStack({ environment: gateway.environment }),
    startLocalStack({ folder, keep: true }),
  ]);
  let kept = first;
  onTestFinished(async () => {
    // Both stacks have already ended if the test succeeded.
    await Promise.allSettled([own.stop(), kept.stop()]);
  });
  for (const key of ['base_url', 'phone_url', 'dynamodb_endpoint', 'sqs_endpoint', 'secret_key'] as const) {
    expect(own.facts[key]).not.toBe(kept.facts[key]);
  }
  // Each stack rejects the other's key.
  const { status, json } = await request(kept, '/api/v1/sms/from', { key: own.facts.sms_secret_key });
  expect({ status, message: json.message }).toEqual({ status: 401, message: expect.stringContaining('demo.json') });
  expect(kept.printed.stdout).toContain(`in ${resolve(folder, 'demo.json')}: `);

  // Sign-in links can be reused but not guessed.
  expect(await (await fetch(`${kept.facts.base_url}/local/sign-in/owner/guessed`)).text()).toContain('earlier start');
  const { dashboard_url, operator_url } = kept.facts;
  for (const url of [dashboard_url, dashboard_url, operator_url]) {
    const link = await fetch(url, { redirect: 'manual' });
    const [cookie = ''] = link.headers.getSetCookie();
    expect({ status: link.status, location: link.headers.get('location') }).toEqual({
      status: 303,
      location: '/dashboard',
    });
    expect(cookie).toMatch(/^session=[\w.-]+; Path=\/; Max-Age=43200; HttpOnly; SameSite=Lax$/);
    const headers = { cookie: cookie.split(';')[0] ?? '' };
    const account = await fetch(`${kept.facts.base_url}/dashboard/sign-in/account`, { headers });
    expect(await account.text()).toContain(url === operator_url ? 'operator' : 'Ama Mensah');
  }
  const guessed = await fetch(dashboard_url.replace(/[^/]+$/, 'guessed'), { redirect: 'manual' });
  expect({ status: guessed.status, cookies: guessed.headers.getSetCookie() }).toEqual({ status: 404, cookies: [] });

  // The server fails twice before it accepts the text.
  const { id } = await send(own, 'To the other gateway');

  const merchant = await adminJson(folder, 'merchant', 'create', '--name', 'Kofi');
  const { key } = await adminJson(folder, 'key', 'create', '--merchant', merchant.merchant_id, '--kind', 'sms');
  await adminJson(folder, 'credits', 'add', '--merchant', merchant.merchant_id, '--amount', '10');
  for (let n = 0; n < 3; n++) await send(kept, 'Before', key);
  const sent = await textsArrive(kept, 'Before', 3);

  // A port in use is reported without affecting the running stack.
  const before = readFileSync(join(folder, 'demo.json'), 'utf8');
  expect(await failToStart({ PORT: String(kept.port), LOCAL_DIR: join(folder, 'other') })).toEqual({
    code: 1,
    stdout: expect.not.stringContaining('running'),
    stderr: expect.stringMatching(new RegExp(`^Port ${kept.port} is in use\\. .*PORT=${kept.port + 1} .*\\n$`)),
  });
  // A folder in use is reported as well, even if its port is in use, too.
  for (const port of ['0', String(kept.port)])
    expect(await failToStart({ PORT: port, LOCAL_DIR: folder })).toEqual({
      code: 1,
      stdout: expect.not.stringContaining('running'),
      stderr: expect.stringMatching(
        /already runs from this folder, at http.*\nPORT=\d+ LOCAL_DIR=\.local\/\d+ npm start\n$/,
      ),
    });
  // npm keeps an option that is not behind `--`.
  expect(await failToStart({ PORT: '0', npm_config_new_shop: 'true' })).toEqual({
    code: 1,
    stdout: '',
    stderr: 'Put -- before the options: npm start -- --new-shop\n',
  });
  expect(readFileSync(join(folder, 'demo.json'), 'utf8')).toBe(before);

  // All attempts used the same id and device.
  await vi.waitFor(() => expect(gateway.accepted).toHaveLength(1), PATIENCE);
  expect(gateway.tries).toEqual([
    { id, deviceId: 'demo-phone', status: 500 },
    { id, deviceId: 'demo-phone', status: 500 },
    { id, deviceId: 'demo-phone', status: 202 },
  ]);
  expect(gateway.users).toEqual(new Set([`Basic ${btoa('ama:secret')}`]));
  expect(await textsOf(own)).toEqual([]);
  await own.stop('SIGINT');
  expect(gateway.accepted).toEqual([id]);

  await switchPhone(kept, false);
  await send(kept, 'While it was off', key);
  // The stack stops without waiting for this text.
  await send(kept, 'At the last moment', key);
  await kept.stop();
  kept = await startLocalStack({ folder, keep: true });

  expect(kept.facts).toMatchObject({
    merchant_id: first.facts.merchant_id,
    secret_key: first.facts.secret_key,
    sms_secret_key: first.facts.sms_secret_key,
  });
  expect((await request(kept, '/api/v1/sms/from', { key: first.facts.sms_secret_key })).status).toBe(200);
  await send(kept, 'After', key);
  for (const text of ['After', 'While it was off', 'At the last moment']) await textsArrive(kept, text, 1);
  // The stream has redelivered everything before this text.
  await send(kept, 'At the very end', key);
  await textsArrive(kept, 'At the very end', 1);
  const texts = await textsOf(kept);
  expect(texts.map(({ text }) => text).sort()).toEqual([
    'After',
    'At the last moment',
    'At the very end',
    'Before',
    'Before',
    'Before',
    'While it was off',
  ]);
  expect(texts.slice(0, 3)).toMatchObject(sent.map(({ id, sent_at }) => ({ id, sent_at })));
  expect(await adminJson(folder, 'credits', 'show', '--merchant', merchant.merchant_id)).toMatchObject({
    balance: 3,
  });
  await kept.stop();
});

test.each(['no number', '65536'])('startup with PORT=%s fails with a one-sentence error', async (port) => {
  expect(await failToStart({ PORT: port, LOCAL_DIR: newFolder() })).toEqual({
    code: 1,
    stdout: expect.not.stringContaining('running'),
    stderr: expect.stringMatching(/^PORT is ".*"\. Set it to a number from 1 to 65535, or to 0 for any free port\.\n$/),
  });
});

/** Sends a text as the demo's merchant, or with another key. */
function send({ facts }: LocalStack, message: string, key?: string) {
  return sendText(shopOf(facts), { to: '0551112223', message }, { key });
}

/** Starts an SMSGate server that answers 500 twice before it accepts a text. */
async function startGateway() {
  const tries: { id: string; deviceId: string; status: number }[] = [];
  const accepted: string[] = [];
  const users = new Set<string | undefined>();
  const { url, stop } = await startServer(async (incoming, response) => {
    const body = Buffer.concat(await incoming.toArray()).toString();
    // Housekeeping may request the list of phones.
    if (incoming.method === 'GET') {
      response.end('[]');
      return;
    }
    const { id, deviceId } = Outgoing.parse(JSON.parse(body));
    const status = tries.length < 2 ? 500 : 202;
    users.add(incoming.headers.authorization);
    tries.push({ id, deviceId, status });
    if (status === 202) accepted.push(id);
    // Shortens the second wait from four seconds to one.
    response.writeHead(status, tries.length === 2 ? { 'retry-after': '1' } : {}).end('{}');
  });
  onTestFinished(stop);
  const environment = { SMSGATE_URL: `${url}/3rdparty/v1/`, SMSGATE_USERNAME: 'ama', SMSGATE_PASSWORD: 'secret' };
  return { tries, accepted, users, environment };
}

const Outgoing = z.object({ id: z.string(), deviceId: z.string() });

test.runIf(isInSlice(4, 6))('a SIGTERM to npm stops the stack', async () => {
  const folder = newFolder();
  const environment = { ...process.env, PORT: '0', LOCAL_DIR: folder };
  const npm = spawn('npm', ['start'], { env: environment, stdio: 'ignore' });
  const facts = join(folder, 'demo.json');
  await vi.waitFor(() => expect(existsSync(facts)).toBe(true), PATIENCE);
  const { base_url } = JSON.parse(readFileSync(facts, 'utf8'));
  npm.kill('SIGTERM');
  await vi.waitFor(() => expect(existsSync(facts)).toBe(false), PATIENCE);
  await expect(fetch(base_url)).rejects.toThrow('fetch failed');
});
