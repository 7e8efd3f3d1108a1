import { createServer } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { foreignRequest, listenHere } from '../../infra/local/loopback.ts';

const server = createServer((request, response) => {
  const foreign = foreignRequest(request);
  response.writeHead(foreign ? 403 : 200, { connection: 'close' }).end();
});
let port: number;
beforeAll(async () => {
  ({ port } = await listenHere(server));
});
afterAll(() => void server.close());

test.each([
  ['another host name', 'POST', ['Host: evil.example.com']],
  ['a host name with the same start', 'POST', ['Host: localhost.evil.example.com']],
  ['a host name with the same end', 'POST', ['Host: evil-localhost:80']],
  ['a host name that contains our address', 'GET', ['Host: 127.0.0.1.nip.io']],
  ['two ports', 'GET', ['Host: evil:80:localhost']],
  ['no host', 'GET', []],
  ['an empty host', 'GET', ['Host: ']],
  ['the wildcard address', 'GET', ['Host: 0.0.0.0']],
  ['another origin', 'POST', ['Host: localhost', 'Origin: https://evil.example.com']],
  ['a missing origin', 'POST', ['Host: localhost', 'Origin: null']],
  ['a missing origin from another site', 'POST', ['Host: localhost', 'Origin: null', 'Sec-Fetch-Site: cross-site']],
  ['a missing origin from another port', 'POST', ['Host: localhost', 'Origin: null', 'Sec-Fetch-Site: same-site']],
  [
    'another host pretending to be ours',
    'POST',
    ['Host: localhost', 'Origin: https://evil.example.com', 'Sec-Fetch-Site: same-origin'],
  ],
  ['an origin with a user name', 'POST', ['Host: localhost', 'Origin: http://localhost@evil.example.com']],
  ['an empty origin', 'POST', ['Host: localhost', 'Origin: ']],
  ['a file', 'POST', ['Host: localhost', 'Origin: file://']],
])('the local server rejects a request with %s', async (_, method, headers) => {
  expect(await statusOf(method, headers)).toMatch(/^(403|400)$/);
});

test('the local server accepts a form without a Referer header', async () => {
  expect(await statusOf('POST', ['Host: localhost', 'Origin: null', 'Sec-Fetch-Site: same-origin'])).toBe('200');
});

async function statusOf(method: string, headers: string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  const version = headers.length === 0 ? '1.0' : '1.1';
  socket.end([`${method} / HTTP/${version}`, ...headers, 'Content-Length: 0', '', ''].join('\r\n'));
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  return text.split(' ')[1] ?? '';
}
