import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { adminJson } from '../support/admin-commands.ts';
import { failToStart, newFolder, startLocalStack } from '../support/local-stack.ts';
import { kiosk, start } from '../support/phone.ts';
import { isInSlice } from '../support/slice.ts';

const TUNNEL = 'https://tunnel.example.com';

test.runIf(isInSlice(3, 6))('a real SMSGate server sends signed callbacks through a tunnel', async () => {
  const server = await start();
  const stack = await startLocalStack({
    environment: {
      CALLBACK_URL: `${TUNNEL}/`,
      SMSGATE_URL: server.apiUrl,
      SMSGATE_USERNAME: 'ama',
      SMSGATE_PASSWORD: 'secret',
      SMSGATE_DEVICE_ID: kiosk.id,
      SMSGATE_SIGNING_KEY: kiosk.signingKey,
    },
  });
  onTestFinished(() => stack.stop().catch(() => undefined));
  const webhooks = async () =>
    (await fetch(`${server.apiUrl}/webhooks`, { headers: { authorization: 'Basic x' } })).json();
  const url = `${TUNNEL}/callback/smsgate/phone`;
  expect(await webhooks()).toMatchObject([
    { event: 'sms:received', url },
    { event: 'system:ping', url },
  ]);
  expect(stack.facts.base_url).toBe(`http://localhost:${stack.port}`);
  expect(stack.printed.stdout).toContain(`The phone kiosk of ${server.apiUrl}, which posts to ${TUNNEL}`);

  // Signed requests are accepted through the tunnel. Pages are served only to this machine.
  const through = (path: string, body?: string) => send(stack.port, path, body);
  expect(await through('/callback/smsgate/phone', ping())).toBe(200);
  for (const path of ['/docs', '/api/v1/sms/from']) expect(await through(path)).toBe(403);
  const { callback_url, findings } = await adminJson(stack.folder, 'gateway', 'connect', '--gateway', 'phone');
  expect({ callback_url, wrong: findings.filter(({ state }: { state: string }) => state === 'wrong') }).toEqual({
    callback_url: url,
    wrong: [],
  });

  await stack.stop();
  expect(await webhooks()).toEqual([]);
});

test('startup fails if phones cannot reach the URL over https', async () => {
  expect(await failToStart({ PORT: '0', LOCAL_DIR: newFolder(), CALLBACK_URL: 'http://tunnel.example.com' })).toEqual({
    code: 1,
    stdout: expect.not.stringContaining('running'),
    stderr: 'CALLBACK_URL is "http://tunnel.example.com", but phones post only to https addresses.\n',
  });
});

/** Sends a ping signed with the app's key. */
function ping() {
  return JSON.stringify({ id: 'ping-1', event: 'system:ping', deviceId: kiosk.id, payload: {} });
}

async function send(port: number, path: string, body?: string): Promise<number | undefined> {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = createHmac('sha256', kiosk.signingKey).update(`${body}${timestamp}`).digest('hex');
  const headers = {
    host: new URL(TUNNEL).host,
    'content-type': 'application/json',
    'x-timestamp': timestamp,
    'x-signature': signature,
  };
  const outgoing = httpRequest({ port, path, method: body ? 'POST' : 'GET', headers });
  outgoing.end(body);
  const [response] = await once(outgoing, 'response');
  response.resume();
  return response.statusCode;
}
