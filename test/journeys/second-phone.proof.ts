import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { request } from '../support/http.ts';
import { type LocalStack, run, startLocalStack } from '../support/local-stack.ts';
import { postJson } from '../support/server.ts';
import { isInSlice } from '../support/slice.ts';

// Connects a second phone to the local stack as documented in CONTRIBUTING.

const isToday = isInSlice(4, 6);
let stack: LocalStack;
beforeAll(async () => {
  if (isToday) stack = await startLocalStack();
});
afterAll(async () => {
  await stack?.stop();
});

test.runIf(isToday)('texts from a second phone are accepted after setup', async () => {
  const { page_url } = stack.facts.second_phone;
  const [, lines = ''] =
    /### Connect a second phone[\s\S]+?```sh\n([\s\S]+?)```/.exec(readFileSync('CONTRIBUTING.md', 'utf8')) ?? [];
  const text = await run('bash', ['-c', lines.replaceAll('./.local/', `${stack.folder}/`)], {
    LOCAL_DIR: stack.folder,
  });
  expect(text.code, text.stderr).toBe(0);
  const [, first = '', second = ''] = text.stdout.split('callback_url');
  expect(first).toContain('gateway set-signing-key --gateway shop-2 --device second-phone');
  expect(second).not.toContain('set-signing-key');

  // An unknown phone causes an immediate lookup of accounts.
  const heard = await postJson(`${page_url}/receive`, { sender: '+233551112223', message: 'Hello', simNumber: 1 });
  expect(await heard.json()).toMatchObject({ deliveries: [{ status: 200 }] });
  const { json } = await request(stack, '/api/v1/sms/from', { key: stack.facts.sms_secret_key });
  expect(json.data.senders).toContainEqual(expect.objectContaining({ number: '+233261234567', available: true }));
});
