import { once } from 'node:events';
import { Server as HttpServer, type IncomingMessage } from 'node:http';
import { createServer, type Server } from 'node:net';

/**
 * Returns the reason for rejecting a request to a local server, or undefined. Any page in the browser can send requests
 * here. `Host` reveals DNS rebinding, and `Origin` reveals requests from other sites. `ALLOW_HOST`: host name of a
 * tunnel to the pages.
 */
export function foreignRequest({ method, headers }: IncomingMessage): string | undefined {
  const { host = '', origin } = headers;
  if (!isOwn(host))
    return `This server only accepts requests to localhost, not ${JSON.stringify(host)}. Set ALLOW_HOST to allow this host.`;
  // Sandboxed pages and pages without a referrer send the origin `null`. Pages cannot set this header.
  const isHidden = origin === 'null' && headers['sec-fetch-site'] === 'same-origin';
  const isForeign = origin !== undefined && !isHidden && !isOwn(URL.parse(origin)?.host ?? '');
  if (method !== 'GET' && method !== 'HEAD' && isForeign)
    return `Pages from ${JSON.stringify(origin)} are not allowed to send requests to this server.`;
  return undefined;
}

function isOwn(host: string): boolean {
  const name = host.replace(/:\d+$/, '');
  return name === 'localhost' || name === '127.0.0.1' || name === '[::1]' || name === process.env.ALLOW_HOST;
}

/** Listens on a loopback address. Port 0 picks a free port. @throws EADDRINUSE */
export async function listenHere(server: Server, wanted = 0, host: '127.0.0.1' | '::1' = '127.0.0.1') {
  server.listen(wanted, host);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The system assigned no port');
  const stop = async () => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    if (server instanceof HttpServer) server.closeAllConnections();
    await closed;
  };
  return { port: address.port, stop };
}

/**
 * Occupies a port until stopped. Closes incoming connections, which would keep the port from being released.
 * @throws EADDRINUSE
 */
export function holdPort(wanted: number) {
  return listenHere(
    createServer((socket) => socket.destroy()),
    wanted,
  );
}

export async function freePort(): Promise<number> {
  const { port, stop } = await holdPort(0);
  await stop();
  return port;
}
