import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import * as z from 'zod';
import { type Phone, type PhoneOptions, startPhone } from '../../infra/phone/server.ts';
import { startServer } from './server.ts';

export const mtn = { simNumber: 1, number: '+233241234567', network: 'MTN' };
export const telecel = { simNumber: 2, number: '+233201234567', network: 'Telecel' };
export const kiosk = { id: 'kiosk', name: 'Kiosk', signingKey: 'kiosk-key', sims: [mtn, telecel] };

export async function start(options: Partial<PhoneOptions> = {}): Promise<Phone> {
  const phone = await startPhone({ devices: [kiosk], sendMs: 1, ...options });
  onTestFinished(() => phone.close());
  return phone;
}

const Event = z.object({
  deviceId: z.string(),
  event: z.string(),
  id: z.string(),
  webhookId: z.string(),
  payload: z.record(z.string(), z.unknown()),
});

export interface Post {
  body: string;
  event: z.infer<typeof Event>;
  timestamp: string | undefined;
  signature: string | undefined;
}

/**
 * Starts a server for a phone's callbacks. It responds with the `statuses` in order, then repeats the last. A status of
 * 0 means no response.
 */
export async function startService(statuses = [200]): Promise<{ url: string; posts: Post[] }> {
  const posts: Post[] = [];
  const { url, stop } = await startServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const status = statuses[Math.min(posts.length, statuses.length - 1)] ?? 200;
    const header = (name: string) => request.headers[name]?.toString();
    const event = Event.parse(JSON.parse(body));
    posts.push({ body, event, timestamp: header('x-timestamp'), signature: header('x-signature') });
    if (status !== 0) response.writeHead(status).end();
  });
  onTestFinished(stop);
  return { url: `${url.replace('127.0.0.1', 'localhost')}/callback`, posts };
}

export function payloadOf({ event }: Post) {
  return event.payload;
}

export async function call(phone: Phone, method: string, path: string, body?: object) {
  const headers = { Authorization: 'Basic dXNlcjpwYXNzd29yZA==', 'Content-Type': 'application/json' };
  const isApi = /^\/(messages|devices|webhooks|inbox)\b/.test(path);
  const response = await fetch((isApi ? phone.apiUrl : phone.url) + path, {
    method,
    headers,
    body: body && JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, json: text === '' ? undefined : JSON.parse(text) };
}

export function turn(phone: Phone, on: boolean) {
  return call(phone, 'POST', '/switch', { on });
}

export async function registered(events: string | string[], options: Partial<PhoneOptions> = {}, statuses = [200]) {
  const service = await startService(statuses);
  const phone = await start(options);
  for (const event of [events].flat()) await register(phone, service.url, event);
  return { service, phone };
}

export function register(phone: Phone, url: string, event: string) {
  return call(phone, 'POST', '/webhooks', { id: event, url, event });
}

export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'phone-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}
