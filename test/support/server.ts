import { createServer, type RequestListener } from 'node:http';
import { listenHere } from '../../infra/local/loopback.ts';

export async function startServer(answer: RequestListener): Promise<{ url: string; stop: () => Promise<void> }> {
  const { port, stop } = await listenHere(createServer(answer));
  return { url: `http://127.0.0.1:${port}`, stop };
}

export function postJson(url: string, body: object): Promise<Response> {
  return fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
}
