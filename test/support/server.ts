import { createServer, type RequestListener } from 'node:http';
import { listenHere } from '../../infra/local/loopback.ts';

/** Has a server of a test's own answer, on any port of this machine that is free. */
export async function startServer(answer: RequestListener): Promise<{ url: string; stop: () => Promise<void> }> {
  const { port, stop } = await listenHere(createServer(answer));
  return { url: `http://127.0.0.1:${port}`, stop };
}

/** Posts something as JSON, as no client of ours does it. */
export function postJson(url: string, body: object): Promise<Response> {
  return fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
}
