import { connect } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { serveCallees } from '../../../infra/local/callees.ts';

const QUESTION = JSON.stringify({ ask: 'doctor' });
const SIGNED = 'Authorization: AWS4-HMAC-SHA256 Credential=THEKEY/20261121/us-east-1/lambda/aws4_request, Signature=0';
const asked: unknown[] = [];
const REPAIR = '/2015-03-31/functions/work%2Frepair/invocations';
let callees: Awaited<ReturnType<typeof serveCallees>>;
let port: number;
beforeEach(async () => {
  asked.length = 0;
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'THEKEY');
  const repair = async (question: unknown) => {
    asked.push(question);
    return {};
  };
  callees = await serveCallees(new Map([['work/repair', repair]]));
  port = Number(new URL(callees.environment.LAMBDA_ENDPOINT ?? '').port);
});
afterEach(async () => {
  await callees.stop();
  vi.unstubAllEnvs();
});

test.each([
  ['a request for another host name, as in DNS rebinding', ['Host: evil.example.com', SIGNED]],
  ['a page from another site', ['Host: 127.0.0.1', 'Origin: https://evil.example.com', SIGNED]],
  ['a program without the current key', ['Host: 127.0.0.1']],
  ['a key that starts with the correct key', ['Host: 127.0.0.1', SIGNED.replace('THEKEY', 'THEKEY2')]],
])('the local function server rejects %s', async (_, headers) => {
  expect({ status: await statusOf(REPAIR, headers), asked }).toEqual({ status: '403', asked: [] });
});

test('a function of this stack is invoked', async () => {
  expect(await statusOf(REPAIR, ['Host: 127.0.0.1', SIGNED])).toBe('200');
  expect(asked).toEqual([{ ask: 'doctor' }]);
});

test('an invalid path returns 404', async () => {
  for (const path of ['/2015-03-31/functions/%E0%A4%A/invocations', '/else'])
    expect(await statusOf(path, ['Host: 127.0.0.1', SIGNED])).toBe('404');
});

async function statusOf(path: string, headers: string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  const ended = [`Content-Length: ${QUESTION.length}`, 'Connection: close', '', QUESTION];
  socket.write([`POST ${path} HTTP/1.1`, ...headers, ...ended].join('\r\n'));
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  return text.split(' ')[1] ?? '';
}
