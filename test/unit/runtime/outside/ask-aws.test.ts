import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { listenHere } from '../../../../infra/local/loopback.ts';
import { callFunction, readSecret } from '../../../../shared/runtime/outside/ask-aws.ts';

/** Handles requests to the simulated Lambda. */
let answer: (request: IncomingMessage, response: ServerResponse) => unknown;
const asked: { path: string | undefined; body: unknown; authorization: string | undefined }[] = [];
const server = createServer(async (request, response) => {
  const { url: path, headers } = request;
  asked.push({ path, body: JSON.parse(await text(request)), authorization: headers.authorization });
  answer(request, response);
});

beforeEach(async () => {
  asked.length = 0;
  vi.stubEnv('LAMBDA_ENDPOINT', `http://127.0.0.1:${(await listenHere(server)).port}`);
  vi.stubEnv('FUNCTION_WORK_REPAIR', 'momo-kiosk-test-work-repair');
  vi.stubEnv('AWS_ENDPOINT_URL', process.env.LAMBDA_ENDPOINT);
  vi.stubEnv('GATEWAY_ACCOUNTS', undefined);
  vi.stubEnv('GATEWAY_ACCOUNTS_SECRET', 'momo-kiosk-test/gateways');
  vi.stubEnv('AWS_REGION', 'eu-west-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'id');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
});
afterEach(async () => {
  vi.unstubAllEnvs();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

test('a call on AWS is signed', async () => {
  answer = (_, response) => response.writeHead(200).end('{"letters":[]}');
  expect(await callFunction('work/repair', { ask: 'dead letters' })).toEqual({ letters: [] });
  expect(asked).toEqual([
    {
      path: '/2015-03-31/functions/momo-kiosk-test-work-repair/invocations',
      body: { ask: 'dead letters' },
      authorization: expect.stringMatching(/^AWS4-HMAC-SHA256 Credential=id\/\d{8}\/eu-west-1\/lambda\/aws4_request/),
    },
  ]);
});

test('a function error is thrown despite status 200 from Lambda', async () => {
  answer = (_, response) => response.writeHead(200, { 'x-amz-function-error': 'Unhandled' }).end('{}');
  await expect(callFunction('work/repair', {})).rejects.toThrow(
    'work/repair failed (200). The function’s log shows the reason.',
  );
});

test('a failed call is not retried', async () => {
  answer = (_, response) => response.writeHead(500).end('{}');
  await expect(callFunction('work/repair', {})).rejects.toThrow('work/repair failed (500)');
  expect(asked).toHaveLength(1);
});

test('an error about an unknown function contains its name', async () => {
  await expect(callFunction('work/relay', {})).rejects.toThrow('FUNCTION_WORK_RELAY');
});

describe('a secret', () => {
  const found = (response: ServerResponse) => response.writeHead(200).end(JSON.stringify({ SecretString: 'a secret' }));

  test('is read by its name, with a signature', async () => {
    answer = (_, response) => found(response);
    expect(await readSecret('GATEWAY_ACCOUNTS')).toBe('a secret');
    const authorization = expect.stringContaining('/eu-west-1/secretsmanager/aws4_request');
    expect(asked).toEqual([{ path: '/', body: { SecretId: 'momo-kiosk-test/gateways' }, authorization }]);
  });

  test.each([429, 500, 503])('is read again after a response of %i', async (status) => {
    answer = (_, response) => (asked.length > 2 ? found(response) : response.writeHead(status).end());
    expect(await readSecret('GATEWAY_ACCOUNTS')).toBe('a secret');
    expect(asked).toHaveLength(3);
  });

  test('is not read again if access is denied', async () => {
    answer = (_, response) => response.writeHead(400).end('{}');
    await expect(readSecret('GATEWAY_ACCOUNTS')).rejects.toThrow('Secrets Manager responded with 400');
    expect(asked).toHaveLength(1);
  });
});
