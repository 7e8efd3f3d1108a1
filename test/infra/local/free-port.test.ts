import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { holdPort } from '../../../infra/local/loopback.ts';

test('a released port can be reused while a connection is still open', async () => {
  const { port, stop } = await holdPort(0);
  await expect(holdPort(port)).rejects.toThrow('EADDRINUSE');
  const page = connect(port, '127.0.0.1');
  page.on('error', () => undefined);
  await once(page, 'connect');
  page.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await stop();
  const next = createServer().listen(port, '127.0.0.1');
  await once(next, 'listening');
  next.close();
  if (!page.closed) await once(page, 'close');
});
