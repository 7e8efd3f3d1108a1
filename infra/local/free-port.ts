import { once } from 'node:events';
import { createServer } from 'node:net';

export interface HeldPort {
  readonly port: number;
  /** From now on somebody else may listen on it. */
  release(): Promise<void>;
}

/**
 * Keeps a port of this machine from everybody else; 0 is any that is free. Who connects meanwhile, as an open page does again
 * and again, is hung up on: a connection that nobody reads would keep the port from being released.
 * @throws EADDRINUSE
 */
export async function holdPort(wanted: number): Promise<HeldPort> {
  const server = createServer((socket) => socket.destroy()).listen(wanted, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The system gave no port');
  return {
    port: address.port,
    release: async () => {
      if (!server.listening) return;
      server.close();
      await once(server, 'close');
    },
  };
}

/** A port that nothing listens on at this moment. */
export async function freePort(): Promise<number> {
  const { port, release } = await holdPort(0);
  await release();
  return port;
}
