import { once } from 'node:events';
import { Server as HttpServer, type IncomingMessage } from 'node:http';
import { createServer, type Server } from 'node:net';

/**
 * Why a request to a server of this machine is refused; undefined where it is not. Any page that a developer has open can send
 * requests to this machine: one under a name of its own that leads here (by DNS rebinding) shows in `Host`, and one from
 * another site shows in `Origin`. `ALLOW_HOST` names a tunnel's host, through which the pages are reached from elsewhere.
 */
export function foreignRequest({ method, headers }: IncomingMessage): string | undefined {
  const { host = '', origin } = headers;
  if (!isOwn(host))
    return `This server answers localhost only, not ${JSON.stringify(host)}. Set ALLOW_HOST to let it in.`;
  // A page without an origin of its own, such as one in a sandbox, says `null`. So does the form of a page that sends no referrer, as
  // the checkout's: there the browser says in a header of its own, which no page can set, where the request comes from.
  const isHidden = origin === 'null' && headers['sec-fetch-site'] === 'same-origin';
  const isForeign = origin !== undefined && !isHidden && !isOwn(URL.parse(origin)?.host ?? '');
  if (method !== 'GET' && method !== 'HEAD' && isForeign)
    return `A page of ${JSON.stringify(origin)} may send nothing here.`;
  return undefined;
}

function isOwn(host: string): boolean {
  const name = host.replace(/:\d+$/, '');
  return name === 'localhost' || name === '127.0.0.1' || name === '[::1]' || name === process.env.ALLOW_HOST;
}

/** Has a server listen on this machine alone, at one of its addresses; 0 is any port that is free. @throws EADDRINUSE */
export async function listenHere(server: Server, wanted = 0, host: '127.0.0.1' | '::1' = '127.0.0.1') {
  server.listen(wanted, host);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The system gave no port');
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
 * Keeps a port of this machine from everybody else until it is stopped. Connections, such as those of an open page that tries again
 * and again, are closed: one that nobody reads would keep the port from being released.
 * @throws EADDRINUSE
 */
export function holdPort(wanted: number) {
  return listenHere(
    createServer((socket) => socket.destroy()),
    wanted,
  );
}

/** A port that nothing listens on at this moment. */
export async function freePort(): Promise<number> {
  const { port, stop } = await holdPort(0);
  await stop();
  return port;
}
