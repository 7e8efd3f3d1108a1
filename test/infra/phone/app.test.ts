import { createServer, type ServerResponse } from 'node:http';
import { expect, onTestFinished, test, vi } from 'vitest';
import * as z from 'zod';
import { listenHere } from '../../../infra/local/loopback.ts';
import { registerPhone } from '../../../infra/phone/app.ts';
import { PATIENCE } from '../../support/http.ts';
import { kiosk, start, startService } from '../../support/phone.ts';
import { postJson } from '../../support/server.ts';

/** The expected states in a message's last report. */
const WHOLE = ['Pending', 'Processed', 'Sent', 'Delivered'];

/** Returns a message as the server sends it to the app. */
function message(id: string, more: object = {}) {
  const text = { message: `Text ${id}`, textMessage: { text: `Text ${id}` }, phoneNumbers: ['+233551112223'] };
  const validUntil = new Date(Date.now() + 60_000).toISOString();
  return { id, ...text, simNumber: 2, withDeliveryReport: true, ttl: 60, validUntil, priority: 0, ...more };
}

test('the simulated phone registers with the private token', async () => {
  const server = await startServer();
  const account = { id: 'device-of-server', token: 'device-token', login: 'ABCDEF', password: 'a-password' };
  expect(await registerPhone(server.url, 'the-private-token', kiosk)).toEqual(account);
  expect(server.asked).toEqual(['POST /api/mobile/v1/device Bearer the-private-token']);
  await expect(registerPhone(server.url, 'another', kiosk)).rejects.toThrow(/failed with status 401/);
});

test('the simulated phone sends the newest message first', async () => {
  const service = await startService();
  const server = await startServer();
  server.webhooks = [{ id: 'hook', url: 'https://kiosk.invalid/callback', event: 'sms:received' }];
  const reach = (url: string) => url.replace('https://kiosk.invalid/callback', service.url);
  const phone = await start({ server: { url: server.url, token: 'device-token', reach } });
  await vi.waitFor(() => expect(server.streams).toBe(1), PATIENCE);

  server.enqueue(message('one'), message('two', { priority: 100 }));
  await vi.waitFor(() => expect(server.states('two')).toEqual(WHOLE), PATIENCE);
  await vi.waitFor(() => expect(server.states('one')).toEqual(WHOLE), PATIENCE);
  const sent = await (await fetch(`${phone.url}/sent`)).json();
  const two = { id: 'two', to: '+233551112223', text: 'Text two', sim_number: 2 };
  expect(sent).toMatchObject([two, { id: 'one', text: 'Text one' }]);

  await receive(phone.url, 'You have received GHS 1.00');
  expect(service.posts).toMatchObject([
    { event: { event: 'sms:received', deviceId: 'kiosk', payload: { message: 'You have received GHS 1.00' } } },
  ]);
});

test('the simulated phone loads webhooks and messages after reconnecting', async () => {
  const service = await startService();
  const server = await startServer();
  const phone = await start({ server: { url: server.url, token: 'device-token' } });
  await vi.waitFor(() => expect(server.streams).toBe(1), PATIENCE);
  expect(await receive(phone.url, 'Nobody wants this')).toEqual({ deliveries: [] });
  server.webhooks = [{ id: 'hook', url: service.url, event: 'sms:received', deviceId: null }];
  server.tell('WebhooksUpdated');
  await vi.waitFor(
    async () => expect((await receive(phone.url, 'This is wanted')).deliveries).toHaveLength(1),
    PATIENCE,
  );

  server.hangUp();
  server.pending.push(message('missed'));
  await vi.waitFor(() => expect(server.states('missed')).toContain('Sent'), PATIENCE);
});

test('the simulated phone makes no requests while offline', async () => {
  const server = await startServer();
  const phone = await start({ server: { url: server.url, token: 'device-token' } });
  await vi.waitFor(() => expect(server.streams).toBe(1), PATIENCE);
  await turn(phone.url, false);
  await vi.waitFor(() => expect(server.streams).toBe(0), PATIENCE);
  const asked = server.asked.length;
  server.enqueue(message('later'));
  // A phone that loses its connection later, and connects again.
  const other = await startServer();
  await start({ server: { url: other.url, token: 'device-token' } });
  for (let times = 0; times < 2; times++) {
    await vi.waitFor(() => expect(other.streams).toBe(1), PATIENCE);
    other.hangUp();
    await vi.waitFor(() => expect(other.streams).toBe(0), PATIENCE);
  }
  expect({ asked: server.asked.length, later: server.states('later') }).toEqual({ asked, later: [] });
  await turn(phone.url, true);
  await vi.waitFor(() => expect(server.states('later')).toEqual(WHOLE), PATIENCE);
});

test('the simulated phone repeats a rejected report', async () => {
  const server = await startServer();
  const phone = await start({ server: { url: server.url, token: 'device-token' }, retryBaseMs: 20 });
  await vi.waitFor(() => expect(server.streams).toBe(1), PATIENCE);
  server.refusesReports = true;
  server.enqueue(message('once'));
  await vi.waitFor(async () => expect(await (await fetch(`${phone.url}/sent`)).json()).toHaveLength(1), PATIENCE);
  server.enqueue(message('another'));
  await vi.waitFor(async () => expect(await (await fetch(`${phone.url}/sent`)).json()).toHaveLength(2), PATIENCE);
  const reports = () => server.asked.filter((one) => one.startsWith('PATCH ')).length;
  await vi.waitFor(() => expect(reports()).toBeGreaterThan(6), PATIENCE);
  expect(server.states('once')).toEqual([]);
  server.refusesReports = false;
  await vi.waitFor(() => expect(server.states('once')).toContain('Delivered'), PATIENCE);
  expect(await (await fetch(`${phone.url}/sent`)).json()).toHaveLength(2);
});

const Heard = z.object({ deliveries: z.array(z.object({ url: z.string() })) });

async function receive(url: string, words: string) {
  const response = await postJson(`${url}/receive`, { sender: 'MobileMoney', message: words });
  return Heard.parse(await response.json());
}

async function turn(url: string, on: boolean) {
  await postJson(`${url}/switch`, { on });
}

/** Starts the part of an SMSGate server that the app uses. */
async function startServer() {
  const streams = new Set<ServerResponse>();
  const reported = new Map<string, string[]>();
  const fake = {
    url: '',
    asked: [] as string[],
    pending: [] as { id: string }[],
    webhooks: [] as object[],
    refusesReports: false,
    get streams() {
      return streams.size;
    },
    /** Returns the states in a message's last report. */
    states: (id: string) => reported.get(id) ?? [],
    tell: (event: string) => {
      for (const stream of streams) stream.write(`:keepalive\n\nevent: ${event}\ndata: {}\n\n`);
    },
    enqueue: (...messages: { id: string }[]) => {
      fake.pending.unshift(...messages.toReversed());
      fake.tell('MessageEnqueued');
    },
    hangUp: () => {
      for (const stream of streams) stream.destroy();
    },
  };
  const server = createServer(async (request, response) => {
    const { method, url, headers } = request;
    const body = Buffer.concat(await request.toArray()).toString();
    fake.asked.push(`${method} ${url} ${headers.authorization}`);
    const answer = (status: number, json?: unknown) => response.writeHead(status).end(json && JSON.stringify(json));
    if (method === 'POST' && headers.authorization === 'Bearer the-private-token')
      return answer(201, { id: 'device-of-server', token: 'device-token', login: 'ABCDEF', password: 'a-password' });
    if (headers.authorization !== 'Bearer device-token') return answer(401, { message: 'Invalid or expired API Key' });
    if (url?.endsWith('/webhooks')) return answer(200, fake.webhooks);
    if (url?.endsWith('/events')) {
      streams.add(response.writeHead(200, { 'content-type': 'text/event-stream' }));
      response.flushHeaders();
      return response.on('close', () => streams.delete(response));
    }
    if (method === 'GET') return answer(200, fake.pending);
    if (fake.refusesReports) return answer(500, { message: 'Internal server error' });
    for (const { id, state, states } of JSON.parse(body)) {
      expect(state).toBe(Object.keys(states).at(-1));
      reported.set(id, Object.keys(states));
      fake.pending = fake.pending.filter((one) => one.id !== id);
    }
    return answer(204);
  });
  const { port, stop } = await listenHere(server);
  onTestFinished(stop);
  fake.url = `http://localhost:${port}/api/3rdparty/v1`;
  return fake;
}
