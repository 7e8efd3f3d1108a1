import { once } from 'node:events';
import type { Server } from 'node:net';

/** Has a server listen at an address of this machine, on a port that is free; which one. */
export async function listen(server: Server, host = '127.0.0.1'): Promise<number> {
  server.listen(0, host);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('A server on a port has an address');
  return address.port;
}
