import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import * as z from 'zod';
import { request, switchPhone, textsArrive, textsOf } from '../support/http.ts';
import { adminJson, failToStart, type LocalStack, newFolder, startLocalStack } from '../support/local-stack.ts';

describe.concurrent('two stacks side by side', () => {
  test('one hands its texts to another SMSGate server, which fails twice: each is delivered once, with one id', async () => {
    const gateway = await startGateway();
    const [own, other] = await Promise.all([
      startLocalStack({ environment: { ...gateway.environment } }),
      startLocalStack(),
    ]);
    try {
      expect(own.facts.base_url).toBe(`http://localhost:${own.port}`);
      for (const key of ['base_url', 'phone_url', 'dynamodb_endpoint', 'sqs_endpoint', 'secret_key'] as const) {
        expect(own.facts[key]).not.toBe(other.facts[key]);
      }
      const [first, second] = await Promise.all([send(own, 'To the other gateway'), send(other, 'To its own phone')]);
      await textsArrive(other, 'To its own phone', 1, 10_000);
      await vi.waitFor(() => expect(gateway.accepted).toHaveLength(1), { timeout: 15_000, interval: 50 });
      await sleep(300);

      expect(gateway.tries.map(({ id, status }) => [id, status])).toEqual([
        [first.id, 500],
        [first.id, 500],
        [first.id, 202],
      ]);
      expect(new Set(gateway.tries.map(({ deviceId }) => deviceId))).toEqual(new Set(['demo-phone']));
      expect(gateway.users).toEqual(new Set([`Basic ${btoa('ama:secret')}`]));
      expect(gateway.accepted).toEqual([first.id]);
      expect(await textsOf(own)).toEqual([]);
      expect((await textsOf(other)).map(({ id }) => id)).toEqual([second.id]);

      // The key of one is a stranger to the other.
      expect((await request(other, '/api/v1/sms/from', { key: own.facts.sms_secret_key })).status).toBe(401);

      const before = readFileSync(join(other.folder, 'demo.json'), 'utf8');
      const taken = await failToStart({ PORT: String(other.port), LOCAL_DIR: other.folder });
      expect(taken).toEqual({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(new RegExp(`^Port ${other.port} is taken\\. .*PORT=.*\\n$`)),
      });
      expect(readFileSync(join(other.folder, 'demo.json'), 'utf8')).toBe(before);
      await send(other, 'Still there');
      await textsArrive(other, 'Still there', 1);
    } finally {
      await Promise.all([own.stop('SIGTERM'), other.stop('SIGINT')]);
    }
  }, 60_000);

  test('--keep keeps merchants, credits, keys and what the phone sent, and sends no text twice', async () => {
    const folder = newFolder();
    let stack = await startLocalStack({ folder, keep: true });
    const before = stack.facts;
    const { merchant_id } = await adminJson(folder, 'merchant', 'create', '--name', 'Kofi');
    const { key } = await adminJson(folder, 'key', 'create', '--merchant', merchant_id, '--kind', 'sms');
    await adminJson(folder, 'credits', 'add', '--merchant', merchant_id, '--amount', '10');
    for (let n = 0; n < 3; n++) await send(stack, 'Before', key);
    const sent = await textsArrive(stack, 'Before', 3, 10_000);
    await switchPhone(stack, false);
    await send(stack, 'While it was off', key);
    // Not awaited by anybody: it may be anywhere between table and phone when the stack ends.
    await send(stack, 'At the last moment', key);
    await stack.stop();

    stack = await startLocalStack({ folder, keep: true });
    try {
      expect(stack.facts).toMatchObject({
        merchant_id: before.merchant_id,
        secret_key: before.secret_key,
        sms_secret_key: before.sms_secret_key,
      });
      expect((await request(stack, '/api/v1/sms/from', { key: before.sms_secret_key })).status).toBe(200);
      expect(await adminJson(folder, 'credits', 'show', '--merchant', merchant_id)).toEqual({ balance: 5 });
      await send(stack, 'After', key);
      await textsArrive(stack, 'After', 1, 10_000);
      await textsArrive(stack, 'While it was off', 1, 10_000);
      await textsArrive(stack, 'At the last moment', 1, 10_000);
      // All that the stream tells again from its beginning has come by then.
      await sleep(700);
      const texts = await textsOf(stack);
      expect(texts.map(({ text }) => text).sort()).toEqual([
        'After',
        'At the last moment',
        'Before',
        'Before',
        'Before',
        'While it was off',
      ]);
      expect(texts.slice(0, 3)).toMatchObject(sent.map(({ id, sent_at }) => ({ id, sent_at })));
      expect(await adminJson(folder, 'credits', 'show', '--merchant', merchant_id)).toEqual({ balance: 4 });
    } finally {
      await stack.stop();
    }
  }, 60_000);
});

test.each(['no number', '0', '65536', '3000.5', '-1'])('PORT=%s is one sentence and exit code 1', async (port) => {
  expect(await failToStart({ PORT: port, LOCAL_DIR: newFolder() })).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^PORT is ".*": set it to a number from 1 to 65535\.\n$/),
  });
});

/** A text of the demo's merchant, or of another's key: the answer's data. */
async function send(stack: LocalStack, message: string, key = stack.facts.sms_secret_key) {
  const { status, json } = await request(stack, '/api/v1/sms/send', { key, body: { to: '0551112223', message } });
  expect(status).toBe(200);
  return json.data;
}

/** A SMSGate server that answers 500 twice before it takes a text. */
async function startGateway() {
  const tries: { id: string; deviceId: string; status: number }[] = [];
  const accepted: string[] = [];
  const users = new Set<string | undefined>();
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const { id, deviceId } = Outgoing.parse(JSON.parse(Buffer.concat(chunks).toString()));
    const status = tries.length < 2 ? 500 : 202;
    users.add(incoming.headers.authorization);
    tries.push({ id, deviceId, status });
    if (status === 202) accepted.push(id);
    // The second pause is named, so that the test need not wait four seconds for it.
    response.writeHead(status, tries.length === 2 ? { 'retry-after': '1' } : {}).end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const environment = {
    SMSGATE_URL: `http://127.0.0.1:${port}/3rdparty/v1/`,
    SMSGATE_USERNAME: 'ama',
    SMSGATE_PASSWORD: 'secret',
  };
  return { tries, accepted, users, environment };
}

const Outgoing = z.object({ id: z.string(), deviceId: z.string() });
