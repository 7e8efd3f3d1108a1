import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTcpServer, type LookupFunction, type Server, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { listenHere } from '../../../../infra/local/loopback.ts';
import { AddressNotAllowed, postPublic } from '../../../../shared/runtime/outside/post-public.ts';

// Tests requests on the local stack. Rejected hosts are tested in refused-hosts.test.ts.

test('the method, path, headers and body are sent unchanged', async () => {
  const body = '{"type":"sms.delivered","text":"Akwaaba \u{1F1EC}\u{1F1ED} \u0000 \\u00e9 é\\r\\n\r\n"}';
  let received: unknown;
  const url = await httpServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const { method, url: path, headers } = request;
      received = { method, path, headers, body: Buffer.concat(chunks).toString('hex') };
      response.end('thanks');
    });
  });
  const answer = await post(`${url}/hooks/momo?shop=1&b=%20#part`, {
    headers: { 'content-type': 'application/json', 'webhook-signature': 'v1,abc= v1,def=', 'User-Agent': 'other' },
    body,
  });
  expect(answer).toMatchObject({ statusCode: 200, text: 'thanks' });
  expect(received).toEqual({
    method: 'POST',
    path: '/hooks/momo?shop=1&b=%20',
    headers: {
      host: new URL(url).host,
      'content-type': 'application/json',
      'webhook-signature': 'v1,abc= v1,def=',
      'user-agent': 'Momo-Kiosk-Webhooks/1',
      'content-length': String(Buffer.byteLength(body)),
      connection: 'close',
    },
    body: Buffer.from(body).toString('hex'),
  });
});

test('response header names are lowercased', async () => {
  const url = await httpServer((_request, response) => {
    response.writeHead(429, 'Slow down', { 'Retry-After': '30', 'Set-Cookie': ['a=1', 'b=2'] }).end();
  });
  const answer = await post(url);
  expect(answer).toMatchObject({ statusCode: 429, text: '' });
  expect(answer.headers).toMatchObject({ 'retry-after': '30', 'set-cookie': 'a=1,b=2' });
});

test('redirects are not followed', async () => {
  const paths: (string | undefined)[] = [];
  const url = await httpServer((request, response) => {
    paths.push(request.url);
    response.writeHead(307, { location: '/other' }).end('moved');
  });
  expect(await post(`${url}/first`)).toMatchObject({ statusCode: 307, headers: { location: '/other' }, text: 'moved' });
  expect(paths).toEqual(['/first']);
});

test('a response is truncated after 1,024 bytes', async () => {
  let dropped: Promise<unknown> | undefined;
  const url = await httpServer((request, response) => {
    dropped = new Promise((resolve) => request.socket.on('error', () => {}).on('close', resolve));
    const more = (): void => {
      while (response.write('x'.repeat(700)));
      response.once('drain', more);
    };
    more();
  });
  const answer = await post(url);
  expect(answer).toMatchObject({ statusCode: 200, text: 'x'.repeat(1024) });
  await dropped;
});

test.each([
  ['of exactly 1,024 bytes is returned whole', 'y'.repeat(1024), 'y'.repeat(1024)],
  ['is never truncated within a character', `x${'é'.repeat(1000)}`, `x${'é'.repeat(511)}`],
  ['may contain invalid UTF-8', Buffer.from([0x41, 0xff, 0xfe, 0x42]), 'A\ufffd\ufffdB'],
])('a response %s', async (_, answer, read) => {
  const url = await httpServer((_request, response) => response.end(answer));
  expect((await post(url)).text).toBe(read);
});

test('each request opens a new connection', async () => {
  const sockets = new Set<Socket>();
  const url = await httpServer((request, response) => {
    sockets.add(request.socket);
    response.writeHead(200, { connection: 'keep-alive' }).end();
  });
  await post(url);
  await post(url);
  expect(sockets.size).toBe(2);
});

test.each([
  ['accepts and never responds', (): void => {}],
  ['sends its headers too slowly', (socket: Socket): void => trickle(socket, 'HTTP/1.1 200 OK\r\nx: ', 'a')],
  ['sends its response too slowly', (socket: Socket): void => trickle(socket, 'HTTP/1.1 200 OK\r\n\r\n', 'a')],
  ['sends endless interim responses', (socket: Socket): void => trickle(socket, '', 'HTTP/1.1 102 Processing\r\n\r\n')],
])('a request times out if the server %s', async (_what, serve) => {
  const port = await tcpServer(serve);
  await expect(post(`http://127.0.0.1:${port}`, { timeoutMs: 100 })).rejects.toThrow('Timed out after 0.1 s');
});

test('a request times out during the TLS handshake', async () => {
  const port = await tcpServer(() => {});
  await expect(post(`https://127.0.0.1:${port}`, { timeoutMs: 50 })).rejects.toThrow('Timed out after 0.05 s');
});

test('a request times out during the DNS lookup', async () => {
  const given = { timeoutMs: 50, lookup: () => {} };
  await expect(post('http://localhost', given)).rejects.toThrow('Timed out after 0.05 s');
});

test('a refused connection is reported', async () => {
  const port = await tcpServer(() => {});
  await closeServers();
  await expect(post(`http://127.0.0.1:${port}`)).rejects.toThrow(/^The connection was refused$/);
  await expect(post(`http://localhost:${port}`)).rejects.toThrow(/^The connection was refused$/);
});

test.each([
  ['ENOTFOUND', 'The host name was not found'],
  ['EAI_AGAIN', 'The host name could not be looked up'],
  ['ESERVFAIL', 'The request failed (ESERVFAIL)'],
])('the DNS error %s is reported as: %s', async (code, message) => {
  const lookup: LookupFunction = (_name, _options, done) =>
    process.nextTick(done, Object.assign(new Error('down'), { code }), []);
  await expect(post('http://localhost', { lookup })).rejects.toThrow(message);
});

test.each([
  ['closes the connection immediately', (socket: Socket) => socket.end(), 'closed before the response was complete'],
  [
    'closes the connection during its response',
    (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf'),
    'closed before the response was complete',
  ],
  [
    'switches the protocol',
    (socket: Socket) => socket.write('HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
    'closed before the response was complete',
  ],
  [
    'speaks another protocol',
    (socket: Socket) => socket.write('220 mail.shop.com ESMTP\r\n'),
    'The response is not HTTP',
  ],
  [
    'sends endless headers',
    (socket: Socket) => socket.write(`HTTP/1.1 200 OK\r\nx: ${'a'.repeat(20_000)}`),
    'The response is not HTTP (HPE_HEADER_OVERFLOW)',
  ],
])('a request fails if the server %s', async (_what, serve, message) => {
  const port = await tcpServer((socket) => {
    socket.once('data', () => serve(socket));
  });
  await expect(post(`http://127.0.0.1:${port}`)).rejects.toThrow(message);
});

test('a server without TLS is reported', async () => {
  const port = await tcpServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
  await expect(post(`https://127.0.0.1:${port}`)).rejects.toThrow('No TLS connection could be made');
});

test('invalid URLs are rejected on the local stack as well', async () => {
  await expect(post('http://ama:secret@localhost')).rejects.toThrow(AddressNotAllowed);
});

const servers = new Set<{ server: Server; sockets: Set<Socket> }>();
afterEach(closeServers);

/** Sends a request as the local stack does. */
function post(
  url: string,
  given: { headers?: Record<string, string>; body?: string; timeoutMs?: number; lookup?: LookupFunction } = {},
) {
  const { headers = {}, body = '{}', timeoutMs = 5_000, ...options } = given;
  return postPublic({ url, headers, body, timeoutMs }, { allowThisMachine: true, ...options });
}

async function httpServer(answer: RequestListener): Promise<string> {
  return `http://127.0.0.1:${await begin(createServer(answer))}`;
}

function tcpServer(serve: (socket: Socket) => unknown): Promise<number> {
  return begin(createTcpServer((socket) => void serve(socket.on('error', () => {}))));
}

async function begin(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket));
  servers.add({ server, sockets });
  return (await listenHere(server)).port;
}

async function closeServers(): Promise<void> {
  for (const { server, sockets } of servers) {
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  }
  servers.clear();
}

/** Writes the start at once, and then the rest again and again. */
function trickle(socket: Socket, start: string, rest: string): void {
  socket.write(start);
  const timer = setInterval(() => socket.write(rest), 10);
  socket.on('close', () => clearInterval(timer));
}
