import { createHmac } from 'node:crypto';
import { existsSync, symlinkSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { join } from 'node:path';
import SmsGate, { type HttpClient, ProcessState, WebHookEventType } from 'android-sms-gateway';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { AppQueue, RETRY_BASE_MS } from '../../../infra/phone/outbox.ts';
import { type Phone, startPhone } from '../../../infra/phone/server.ts';
import { HOUR_MS } from '../../../shared/runtime/values/calendar.ts';
import {
  call,
  kiosk,
  mtn,
  type Post,
  payloadOf,
  register,
  registered,
  start,
  startService,
  telecel,
  temporaryFolder,
  turn,
} from '../../support/phone.ts';
import { postJson } from '../../support/server.ts';

// According to the package's types, it is CommonJS and the class is one level down. At run time it is an ES module.
const SmsGateClient = 'default' in SmsGate ? SmsGate.default : SmsGate;

const stall = { id: 'stall', name: 'Stall', signingKey: 'stall-key', sims: [mtn] };
const ama = '+233551112223';

describe('the simulated gateway', () => {
  test('moves a text from Pending to Delivered', async () => {
    const phone = await start();
    const accepted = await send(phone, { id: 'text-1', simNumber: 2, withDeliveryReport: true });
    expect(accepted.status).toBe(202);
    expect(accepted.json).toEqual({
      id: 'text-1',
      deviceId: 'kiosk',
      state: 'Pending',
      isHashed: false,
      isEncrypted: false,
      recipients: [{ phoneNumber: ama, state: 'Pending' }],
      states: { Pending: expect.any(String) },
    });

    await reaches(phone, 'text-1', 'Delivered');
    const { json } = await call(phone, 'GET', '/messages/text-1');
    expect(Object.keys(json.states)).toEqual(['Pending', 'Processed', 'Sent', 'Delivered']);
    const phoneNumber = expect.stringMatching(/^[\da-f]{16}$/);
    expect(json).toMatchObject({ isHashed: true, recipients: [{ phoneNumber }] });
    const way = { device_id: 'kiosk', sim_number: 2, from: telecel.number, to: ama };
    const told = { text: 'Hello', sent_at: expect.any(String), state: 'Delivered' };
    expect(await sent(phone)).toEqual([{ id: 'text-1', ...way, ...told }]);
  });

  test('leaves a text as Sent if it gets no delivery report', async () => {
    const phone = await start();
    await sends(phone, { id: 'text-1', withDeliveryReport: false }, 'Sent');
    await sends(phone, { id: 'text-2' }, 'Delivered');
    expect((await message(phone, 'text-1')).state).toBe('Sent');
  });

  test('rejects an id that the same device has already used', async () => {
    const phone = await start({ devices: [kiosk, stall] });
    expect((await send(phone, { id: 'same', deviceId: 'kiosk' })).status).toBe(202);
    const again = await send(phone, { id: 'same', deviceId: 'kiosk' });
    expect(again).toMatchObject({ status: 409, json: { message: expect.any(String) } });
    expect((await send(phone, { id: 'same', deviceId: 'stall' })).status).toBe(202);
    expect((await message(phone, 'same')).deviceId).toBe('stall');
  });

  test('generates an id and chooses a device if they are missing', async () => {
    const phone = await start({ devices: [kiosk, stall] });
    const answers = await Promise.all(Array.from({ length: 40 }, () => send(phone, { deviceId: null, id: null })));
    expect(new Set(answers.map(({ json }) => json.id)).size).toBe(40);
    expect(new Set(answers.map(({ json }) => json.deviceId))).toEqual(new Set(['kiosk', 'stall']));
  });

  test('returns 503 while its queue is full', async () => {
    const phone = await start({ queueLimit: 2 });
    await turn(phone, false);
    expect((await send(phone, { id: 'text-1' })).status).toBe(202);
    expect((await send(phone, { id: 'text-2' })).status).toBe(202);
    expect((await send(phone, { id: 'text-3' })).status).toBe(503);
    await turn(phone, true);
    await reaches(phone, 'text-2', 'Sent');
    expect((await send(phone, { id: 'text-3' })).status).toBe(202);
  });

  test('marks an expired text as failed', async () => {
    const phone = await start();
    await sends(phone, { id: 'late', validUntil: '2020-01-01T00:00:00Z' }, 'Failed');
    expect((await message(phone, 'late')).recipients).toMatchObject([{ error: 'TTL expired' }]);
    expect(await sent(phone)).toEqual([]);
  });

  test('fails texts as set on its page', async () => {
    const phone = await start();
    await call(phone, 'POST', '/texts', { device_id: 'kiosk', texts: 'failed' });
    await sends(phone, { id: 'failing' }, 'Failed');
    expect((await message(phone, 'failing')).recipients).toMatchObject([
      { error: 'Send result: RESULT_ERROR_GENERIC_FAILURE' },
    ]);
    expect((await call(phone, 'POST', '/texts', { device_id: 'nobody', texts: 'sent' })).status).toBe(404);
  });

  test('lets other texts overtake a late one', async () => {
    const phone = await start({ lateMs: HOUR_MS });
    await call(phone, 'POST', '/texts', { texts: 'late' });
    await sends(phone, { id: 'slow' }, 'Processed');
    await call(phone, 'POST', '/texts', { texts: 'sent' });
    await sends(phone, { id: 'quick' }, 'Delivered');
    expect((await message(phone, 'slow')).state).toBe('Processed');
  });

  test('delivers a late text in the end', async () => {
    const phone = await start({ lateMs: 1, sendMs: HOUR_MS });
    await call(phone, 'POST', '/texts', { texts: 'late' });
    await sends(phone, { id: 'slow', withDeliveryReport: false }, 'Sent');
  });

  test('cancels only pending texts', async () => {
    const phone = await start();
    await sends(phone, { id: 'gone' }, 'Delivered');
    await turn(phone, false);
    await send(phone, { id: 'waiting' });

    expect((await call(phone, 'DELETE', '/messages/gone')).status).toBe(409);
    expect((await call(phone, 'DELETE', '/messages/unknown')).status).toBe(404);
    const cancelled = await call(phone, 'DELETE', '/messages/waiting');
    expect(cancelled).toMatchObject({ status: 200, json: { state: 'Cancelling' } });
    await turn(phone, true);
    await reaches(phone, 'waiting', 'Cancelled');
    expect((await sent(phone)).map(({ id }) => id)).toEqual(['gone']);
  });

  test('gives the phone at most a hundred texts at a time, newest first', async () => {
    const phone = await start({ sendMs: 1 });
    const ids = Array.from({ length: 130 }, (_, index) => `text-${index}`);
    await turn(phone, false);
    for (const id of ids) await send(phone, { id });
    await turn(phone, true);
    await reaches(phone, 'text-30', 'Sent');
    expect((await sent(phone)).map(({ id }) => id)).toEqual(ids.slice(30).toReversed());
    const pending = (await call(phone, 'GET', '/messages?state=Pending&limit=100')).json;
    expect(pending.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 30).toReversed());
    // The server notifies the phone of the new message, and the phone pulls again.
    await send(phone, { id: 'new' });
    await reaches(phone, 'text-0', 'Sent');
    expect((await sent(phone)).slice(100).map(({ id }) => id)).toEqual(['new', ...ids.slice(0, 30).toReversed()]);
  });

  test('marks a text for a missing SIM as failed', async () => {
    const phone = await start();
    expect((await send(phone, { id: 'nowhere', simNumber: 3 })).status).toBe(202);
    await reaches(phone, 'nowhere', 'Failed');
    expect((await message(phone, 'nowhere')).recipients).toMatchObject([
      { error: "Can't send message: SIM 3 not found" },
    ]);
  });

  test('deletes the messages of a removed device', async () => {
    const phone = await start({ devices: [kiosk, stall] });
    await sends(phone, { id: 'text-1', deviceId: 'stall' }, 'Delivered');
    expect((await call(phone, 'DELETE', '/devices/stall')).status).toBe(204);
    expect((await call(phone, 'GET', '/messages/text-1')).status).toBe(404);
    expect((await call(phone, 'GET', '/devices')).json).toMatchObject([{ id: 'kiosk' }]);
    expect((await call(phone, 'DELETE', '/devices/stall')).status).toBe(404);
  });

  test('lists states in pages, newest first', async () => {
    const phone = await start();
    for (let n = 0; n < 5; n++) await send(phone, { id: `text-${n}` });
    await reaches(phone, 'text-4', 'Delivered');
    const list = async (query: string) =>
      (await call(phone, 'GET', `/messages?${query}`)).json.map(({ id }: { id: string }) => id);
    expect(await list('limit=2&offset=1')).toEqual(['text-3', 'text-2']);
    expect(await list('state=Failed')).toEqual([]);
    expect(await list('from=2100-01-01T00:00:00Z')).toEqual([]);
    expect((await call(phone, 'GET', '/messages?limit=101')).status).toBe(400);
  });

  test.each(['0250123456', '0255123456', '0258123456', '0259123456', '0590123456'])(
    'accepts %s only if phone number validation is skipped',
    async (written) => {
      const phone = await start();
      const body = { phoneNumbers: [`+233${written.slice(1)}`], textMessage: { text: 'Hello' } };
      expect(await call(phone, 'POST', '/messages', body)).toMatchObject({
        status: 400,
        json: { message: expect.stringMatching(/^failed to enqueue message: .*: invalid phone number$/) },
      });
      expect((await call(phone, 'POST', '/messages?skipPhoneValidation=true', body)).status).toBe(202);
    },
  );
});

describe('an invalid gateway request', () => {
  const refused: [string, object][] = [
    ['an id over 36 characters', { id: 'x'.repeat(37) }],
    ['no recipient', { phoneNumbers: [] }],
    ['a local number', { phoneNumbers: ['0241234567'] }],
    ['no text', { textMessage: undefined }],
    ['an empty text', { textMessage: { text: '' } }],
    ['a ttl under 5 seconds', { ttl: 4 }],
    ['both ttl and validUntil', { ttl: 60, validUntil: '2030-01-01T00:00:00Z' }],
    ['a SIM number above 3', { simNumber: 4 }],
    ['a repeated recipient', { phoneNumbers: [ama, ama] }],
    [
      'more than 100 recipients',
      { phoneNumbers: Array.from({ length: 101 }, (_, n) => `+2335511122${String(n).padStart(2, '0')}`) },
    ],
    ['a priority over 127', { priority: 128 }],
    ['an unknown device', { deviceId: 'nobody' }],
  ];
  test.each(refused)('returns 400 if a message has %s', async (_, fields) => {
    const refusal = { status: 400, json: { message: expect.stringMatching(/./) } };
    expect(await send(await start(), fields)).toMatchObject(refusal);
  });

  test('returns 400 if the body is not JSON', async () => {
    const phone = await start();
    const headers = { Authorization: 'Basic eDp5', 'content-type': 'application/json' };
    const response = await fetch(`${phone.apiUrl}/messages`, { method: 'POST', headers, body: '{"id":' });
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ message: expect.any(String) });
  });

  test.each([
    ...['POST /messages', 'GET /messages/x', 'DELETE /messages/x', 'GET /devices', 'GET /webhooks', 'POST /webhooks'],
    'DELETE /webhooks/x',
  ])('returns 401 if %s is called without credentials', async (route) => {
    const phone = await start();
    const [method = '', path = ''] = route.split(' ');
    const response = await fetch(phone.apiUrl + path, { method });
    expect(response.status).toBe(401);
    expect(await response.json()).toEqual({ message: expect.any(String) });
  });

  test.each(['/nothing', '/3rdparty/v1/devices', '/api/3rdparty/v1/nothing', '/messages/a/b', '/messages/unknown'])(
    'returns 404 for GET %s',
    async (path) => {
      const phone = await start();
      expect(await call(phone, 'GET', path)).toEqual({ status: 404, json: { message: expect.any(String) } });
    },
  );
});

describe('a simulated phone’s power switch', () => {
  test('holds texts while off', async () => {
    const phone = await start();
    await turn(phone, false);
    const [before] = (await call(phone, 'GET', '/devices')).json;
    await send(phone, { id: 'text-1' });
    await send(phone, { id: 'text-2' });
    await send(phone, { id: 'urgent', priority: 100 });
    const [after] = (await call(phone, 'GET', '/devices')).json;
    expect(after.lastSeen).toBe(before.lastSeen);
    expect((await message(phone, 'text-1')).state).toBe('Pending');
    expect(await sent(phone)).toEqual([]);

    await turn(phone, true);
    await reaches(phone, 'text-1', 'Delivered');
    expect((await sent(phone)).map(({ id }) => id)).toEqual(['urgent', 'text-2', 'text-1']);
    const [seen] = (await call(phone, 'GET', '/devices')).json;
    expect(Date.parse(seen.lastSeen)).toBeGreaterThan(Date.parse(before.lastSeen));
  });

  test('can turn off one of several phones', async () => {
    const phone = await start({ devices: [kiosk, stall] });
    const { json } = await call(phone, 'POST', '/switch', { device_id: 'stall', on: false });
    const [on, off] = [true, false].map((isOn) => ({ on: isOn, pings: true }));
    expect(json).toEqual({
      devices: [
        { id: 'kiosk', ...on },
        { id: 'stall', ...off },
      ],
    });
    expect((await call(phone, 'POST', '/switch', { device_id: 'nobody', on: false })).status).toBe(404);
  });
});

describe('pings from a simulated phone', () => {
  test('are sent at their interval with a signature', async () => {
    const { service } = await registered('system:ping', { devices: [kiosk], pingMs: 10 });
    await expect.poll(() => service.posts.length, { interval: 5 }).toBeGreaterThan(2);
    const [post] = service.posts;
    expect(post?.event).toMatchObject({ deviceId: 'kiosk', event: 'system:ping', payload: { health: {} } });
    expect(post?.signature).toBe(signature('kiosk-key', post));
  });

  test.each([{ pings: false }, { on: false }])('stop while the phone is set to %j', async (stop) => {
    const { service, phone } = await registered('system:ping', { devices: [kiosk, stall], pingMs: 10 });
    const pingsOf = (id: string) => service.posts.filter(({ event }) => event.deviceId === id).length;
    const more = async (id: string) => {
      const before = pingsOf(id);
      await expect.poll(() => pingsOf(id), { interval: 5 }).toBeGreaterThan(before + 4);
    };
    await more('kiosk');
    await call(phone, 'POST', '/switch', { device_id: 'kiosk', ...stop });
    // The other phone's pings measure the time. Callbacks that have already started may still finish.
    await more('stall');
    const before = pingsOf('kiosk');
    await more('stall');
    expect(pingsOf('kiosk')).toBe(before);
    await call(phone, 'POST', '/switch', { device_id: 'kiosk', on: true, pings: true });
    await more('kiosk');
    expect((await send(phone, { id: 'text-1' })).status).toBe(202);
  });
});

describe('callbacks from a simulated phone', () => {
  test('forward an incoming SMS with a signature', async () => {
    const startedAtSeconds = Math.floor(Date.now() / 1000);
    const { service, phone } = await registered('sms:received', { devices: [kiosk, stall] });
    const sms = {
      sender: 'MobileMoney',
      message: 'Payment received for GHS 36.00',
      simNumber: 1,
      recipient: mtn.number,
    };
    const { status, json } = await call(phone, 'POST', '/receive', { ...sms, device_id: 'stall' });
    expect(status).toBe(202);
    expect(json).toEqual({ deliveries: [{ url: service.url, status: 200 }] });

    const [post] = service.posts;
    expect(post?.event).toEqual({
      deviceId: 'stall',
      event: 'sms:received',
      id: expect.any(String),
      webhookId: 'sms:received',
      payload: {
        messageId: expect.stringMatching(/^[\da-f]{8}$/),
        message: 'Payment received for GHS 36.00',
        sender: 'MobileMoney',
        recipient: mtn.number,
        simNumber: 1,
        receivedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/),
      },
    });
    expect(post?.signature).toBe(signature('stall-key', post));
    expect(Number(post?.timestamp)).toBeGreaterThanOrEqual(startedAtSeconds);
    expect(post?.timestamp).toMatch(/^\d{10}$/);
  });

  test('have a new event id each time the same SMS is forwarded', async () => {
    const { service, phone } = await registered('sms:received');
    await receive(phone, { times: 3 });
    expect(new Set(service.posts.map(({ event }) => event.id)).size).toBe(3);
    expect(new Set(service.posts.map(({ event }) => event.payload.messageId)).size).toBe(1);
  });

  test('contain null for an unknown SIM and number', async () => {
    const { service, phone } = await registered('sms:received');
    const sms = { sender: 'T-CASH', message: 'Confirmed.' };
    await call(phone, 'POST', '/receive', { ...sms, simNumber: null, recipient: null });
    await call(phone, 'POST', '/receive', sms);
    await call(phone, 'POST', '/receive', { ...sms, simNumber: 2 });
    expect(
      service.posts.map(({ event }) => ({ simNumber: event.payload.simNumber, recipient: event.payload.recipient })),
    ).toEqual([
      { simNumber: null, recipient: null },
      { simNumber: 1, recipient: mtn.number },
      { simNumber: 2, recipient: telecel.number },
    ]);
    expect((await call(phone, 'POST', '/receive', { ...sms, simNumber: 3 })).status).toBe(400);
  });

  test('report a two-part text as sent once and delivered twice', async () => {
    const { service, phone } = await registered(['sms:sent', 'sms:delivered', 'sms:failed']);
    await send(phone, { id: 'long', textMessage: { text: 'a'.repeat(161) } });
    await send(phone, { id: 'late', validUntil: '2020-01-01T00:00:00Z' });
    await posts(service, 4);

    const payloads = (name: string) => service.posts.filter(({ event }) => event.event === name).map(payloadOf);
    expect(payloads('sms:sent')).toMatchObject([{ messageId: 'long', partsCount: 2, sentAt: expect.any(String) }]);
    expect(payloads('sms:delivered')).toMatchObject([
      { messageId: 'long', recipient: ama, simNumber: 1, deliveredAt: expect.any(String) },
      { messageId: 'long', recipient: ama, simNumber: 1, deliveredAt: expect.any(String) },
    ]);
    expect(payloads('sms:failed')).toMatchObject([{ messageId: 'late', reason: 'TTL expired' }]);
  });

  test('are retried after a rejection', async () => {
    const { service, phone } = await registered('sms:received', { retryBaseMs: 1 }, [500, 302, 200]);
    const { json } = await receive(phone);
    expect(json.deliveries).toEqual([{ url: service.url, status: 500 }]);
    await posts(service, 3);
    await receive(phone, { message: 'Another' });

    expect(service.posts).toHaveLength(4);
    expect(new Set(service.posts.slice(0, 3).map(({ body }) => body)).size).toBe(1);
    for (const post of service.posts) expect(post.signature).toBe(signature('kiosk-key', post));
  });

  test('are retried with increasing pauses', () => {
    const queue = new AppQueue();
    const post = { tries: 0, dueAtEpochMs: 0 };
    queue.add(post);
    const dueAt = [0, 1, 2].map(() => {
      queue.tried(post, false, 0);
      return post.dueAtEpochMs;
    });
    expect(dueAt).toEqual([1, 2, 4].map((times) => times * RETRY_BASE_MS));
    expect(queue.batch(4 * RETRY_BASE_MS - 1)).toEqual([]);
    expect(queue.batch(4 * RETRY_BASE_MS)).toEqual([post]);
  });

  test('are abandoned after 16 attempts', async () => {
    const { service, phone } = await registered('sms:received', { retryBaseMs: 0 }, [...Array(16).fill(503), 200]);
    await receive(phone);
    await posts(service, 16);
    await receive(phone, { message: 'Another' });
    expect(service.posts.map(payloadOf).filter(({ message }) => message === 'Another')).toHaveLength(1);
    expect(service.posts).toHaveLength(17);
  });

  test('explain why the service was unreachable', async () => {
    const phone = await start();
    const url = 'http://localhost:9/nobody';
    await register(phone, url, 'sms:received');
    const { json } = await receive(phone);
    expect(json.deliveries).toEqual([{ url, error: expect.stringMatching(/./) }]);
  });

  test('are sent one at a time', async () => {
    const { service, phone } = await registered(['sms:sent', 'sms:delivered', 'sms:received']);
    await turn(phone, false);
    for (let n = 0; n < 10; n++) await send(phone, { id: `text-${n}` });
    await turn(phone, true);
    await reaches(phone, 'text-0', 'Sent');
    await receive(phone);
    await posts(service, 21);
    expect(service.posts.findIndex(({ event }) => event.event === 'sms:received')).toBeGreaterThanOrEqual(10);
  });

  test('wait while an earlier callback’s URL does not respond', async () => {
    const silent = await startService([0]);
    const { service, phone } = await registered('sms:received', { devices: [kiosk, stall] });
    await register(phone, silent.url, 'sms:sent');
    await send(phone, {});
    await posts(silent, 1);
    void receive(phone).catch(() => {});
    await expect.poll(async () => (await call(phone, 'GET', '/received')).json, { interval: 5 }).toHaveLength(1);
    // A post of the first phone would have left before this one.
    await receive(phone, { device_id: 'stall' });
    expect(service.posts.map(({ event }) => event.deviceId)).toEqual(['stall']);
  });

  test('do not wait for another phone’s callbacks', async () => {
    const silent = await startService([0]);
    const service = await startService();
    const phone = await start({ devices: [kiosk, stall] });
    const webhook = { url: silent.url, event: 'sms:received', deviceId: 'kiosk' };
    await call(phone, 'POST', '/webhooks', webhook);
    await call(phone, 'POST', '/webhooks', { ...webhook, url: service.url, deviceId: 'stall' });
    void receive(phone, { device_id: 'kiosk' }).catch(() => {});
    await posts(silent, 1);
    await receive(phone, { device_id: 'stall' });
    expect(service.posts).toHaveLength(1);
  });

  test('wait while the phone is off', async () => {
    const { service, phone } = await registered('sms:received', { devices: [kiosk, stall] });
    await call(phone, 'POST', '/switch', { device_id: 'kiosk', on: false });
    const { json } = await receive(phone);
    expect(json.deliveries).toEqual([{ url: service.url, error: expect.stringContaining('off') }]);
    // A post of the first phone would have left before this one.
    await receive(phone, { device_id: 'stall' });
    expect(service.posts.map(({ event }) => event.deviceId)).toEqual(['stall']);
    await turn(phone, true);
    await posts(service, 2);
  });

  test('can be limited to one device’s events', async () => {
    const service = await startService();
    const phone = await start({ devices: [kiosk, stall] });
    await call(phone, 'POST', '/webhooks', { url: service.url, event: 'sms:received', deviceId: 'stall' });
    expect((await receive(phone, { device_id: 'kiosk' })).json.deliveries).toEqual([]);
    expect((await receive(phone, { device_id: 'stall' })).json.deliveries).toHaveLength(1);
  });

  test('use webhooks that can be replaced or removed by id', async () => {
    const phone = await start();
    const url = 'https://example.com/callback';
    const webhook = { id: 'mine', url, event: 'sms:sent', deviceId: null };
    expect(await call(phone, 'POST', '/webhooks', { ...webhook, event: 'sms:failed' })).toMatchObject({ status: 201 });
    expect(await call(phone, 'POST', '/webhooks', webhook)).toMatchObject({ status: 201, json: webhook });
    expect((await call(phone, 'GET', '/webhooks')).json).toEqual([webhook]);
    expect((await call(phone, 'DELETE', '/webhooks/mine')).status).toBe(204);
    expect((await call(phone, 'GET', '/webhooks')).json).toEqual([]);

    for (const bad of [{ event: 'sms:other' }, { url: 'http://example.com' }, { url: 'no' }, { deviceId: 'nobody' }])
      expect((await call(phone, 'POST', '/webhooks', { ...webhook, ...bad })).status).toBe(400);
  });
});

describe('SMSGate’s official client', () => {
  const http: HttpClient = {
    get: (url, headers) => request('GET', url, undefined, headers),
    post: (url, body, headers) => request('POST', url, body, headers),
    put: (url, body, headers) => request('PUT', url, body, headers),
    patch: (url, body, headers) => request('PATCH', url, body, headers),
    delete: (url, headers) => request('DELETE', url, undefined, headers),
  };

  async function withClient() {
    const phone = await start();
    return { phone, client: new SmsGateClient('user', 'password', http, phone.apiUrl) };
  }

  test('sends a text and reads its state', async () => {
    const { phone, client } = await withClient();
    const message = { id: 'text-1', message: 'Hello', phoneNumbers: [ama], simNumber: 2, ttl: 3600 };
    const { Pending: state } = ProcessState;
    const pending = { id: 'text-1', state, recipients: [{ phoneNumber: ama, state }] };
    expect(await client.send(message, { skipPhoneValidation: true })).toMatchObject(pending);
    await expect
      .poll(async () => (await client.getState('text-1')).state, { interval: 5 })
      .toBe(ProcessState.Delivered);
    expect(await sent(phone)).toMatchObject([{ id: 'text-1', text: 'Hello', from: telecel.number }]);
    await expect(client.send(message)).rejects.toThrow('409');
  });

  test('lists devices without their phone numbers', async () => {
    const startedAtMs = Date.now();
    const { client } = await withClient();
    const devices = await client.getDevices();
    expect(devices).toMatchObject([{ id: 'kiosk', name: 'Kiosk' }]);
    expect(Date.parse(devices[0]?.lastSeen ?? '')).toBeGreaterThanOrEqual(startedAtMs);
    expect(JSON.stringify(devices)).not.toContain(mtn.number);
  });

  test('registers, lists and removes a webhook', async () => {
    const { client } = await withClient();
    const url = 'https://example.com/callback';
    const webhook = await client.registerWebhook({ url, event: WebHookEventType.SmsReceived });
    expect(webhook).toEqual({ id: expect.any(String), url, event: 'sms:received', deviceId: null });
    expect(await client.getWebhooks()).toEqual([webhook]);
    await client.deleteWebhook(webhook.id ?? '');
    expect(await client.getWebhooks()).toEqual([]);
  });
});

describe('a simulated phone’s saved state', () => {
  test('contains texts, webhooks and callbacks', async () => {
    const keepFile = join(await temporaryFolder(), 'kept', 'phone.json');
    const { service, phone: first } = await registered('sms:received', { keepFile }, [503, 200]);
    await receive(first);
    await sends(first, { id: 'gone' }, 'Delivered');
    await turn(first, false);
    await send(first, { id: 'waiting' });
    await first.close();

    const second = await start({ keepFile, retryBaseMs: 0 });
    await reaches(second, 'waiting', 'Delivered');
    expect((await sent(second)).map(({ id }) => id)).toEqual(['gone', 'waiting']);
    expect((await send(second, { id: 'gone' })).status).toBe(409);
    expect((await call(second, 'GET', '/webhooks')).json).toMatchObject([{ url: service.url }]);
  });

  test('contains unsent events', async () => {
    const keepFile = join(await temporaryFolder(), 'phone.json');
    const { service, phone: first } = await registered('sms:received', { keepFile });
    await turn(first, false);
    await receive(first);
    await first.close();

    await start({ keepFile });
    await expect.poll(() => service.posts.map(payloadOf), { interval: 5 }).toMatchObject([{ sender: 'MobileMoney' }]);
  });

  test('is written while the phone runs', async () => {
    const folder = await temporaryFolder();
    const keepFile = join(folder, 'phone.json');
    const phone = await start({ keepFile });
    await send(phone, { id: 'text-1' });
    await expect.poll(() => readdir(folder), { interval: 10 }).toEqual(['phone.json']);
    await phone.close();
    expect(await readdir(folder)).toEqual(['phone.json']);
  });

  // Every write to this Linux device fails as if the disk were full.
  test.skipIf(!existsSync('/dev/full'))('is saved later if the disk is full', async () => {
    const printed = vi.spyOn(console, 'error').mockReturnValue();
    onTestFinished(() => printed.mockRestore());
    const folder = await temporaryFolder();
    const keepFile = join(folder, 'phone.json');
    symlinkSync('/dev/full', `${keepFile}.${process.pid}.part`);
    const phone = await start({ keepFile });
    await turn(phone, false);
    await send(phone, { id: 'waiting' });
    await expect
      .poll(() => printed.mock.calls, { interval: 10 })
      .toEqual([[`The disk is full: nothing can be written to ${folder}. Free some space and try again.`]]);
    await phone.close();
    expect(await readFile(keepFile, 'utf8')).toContain('"waiting"');
  });

  test('is rejected if its file has a different format', async () => {
    const keepFile = join(await temporaryFolder(), 'phone.json');
    await writeFile(keepFile, '{}');
    await expect(startPhone({ devices: [kiosk], keepFile })).rejects.toThrow('not a stored phone');
  });
});

describe('a simulated phone’s page', () => {
  test('shows SIMs, the power switch and sent texts', async () => {
    const phone = await start();
    await send(phone, { id: 'text-1', textMessage: { text: '<script>alert("1")</script>' } });
    await sends(phone, { id: 'text-2', textMessage: { text: 'Pay: https://pay.example/c/a?b=1&c=2.' } }, 'Delivered');
    const response = await fetch(phone.url);
    const html = await response.text();
    expect(response.headers.get('content-type')).toContain('text/html');
    expect(html).toContain('+233 20 123 4567');
    expect(html).toContain('aria-checked="true"');
    expect(html).toContain('&lt;script&gt;alert(&quot;1&quot;)');
    expect(html).toContain('href="https://pay.example/c/a?b=1&amp;c=2"');
    expect(html.indexOf('pay.example')).toBeLessThan(html.indexOf('&lt;script'));
    await turn(phone, false);
    expect(await (await fetch(phone.url)).text()).toContain('aria-checked="false"');
  });
});

test('the simulated phone stops while a text and a callback are on their way', async () => {
  const { service: silent, phone } = await registered('sms:received', { sendMs: HOUR_MS }, [0]);
  await send(phone, { id: 'text-1' });
  const receiving = postJson(`${phone.url}/receive`, { sender: 'M', message: 'M' });
  const ended = expect(receiving).rejects.toThrow();
  await posts(silent, 1);
  await phone.close();
  await ended;
  await expect(fetch(phone.url)).rejects.toThrow();
});

function signature(key: string, post: Post | undefined): string {
  return createHmac('sha256', key).update(`${post?.body}${post?.timestamp}`).digest('hex');
}

function send(phone: Phone, fields: object) {
  const text = { deviceId: 'kiosk', phoneNumbers: [ama], textMessage: { text: 'Hello' } };
  return call(phone, 'POST', '/messages', { ...text, ...fields });
}

/** Sends a text and waits until it reaches a state. */
async function sends(phone: Phone, fields: { id: string; [field: string]: unknown }, state: string) {
  await send(phone, fields);
  await reaches(phone, fields.id, state);
}

/** Simulates a text about the wallet arriving on the phone. */
function receive(phone: Phone, fields: object = {}) {
  return call(phone, 'POST', '/receive', { sender: 'MobileMoney', message: 'Payment received', ...fields });
}

function posts(service: Awaited<ReturnType<typeof startService>>, count: number): Promise<void> {
  return expect.poll(() => service.posts.length, { interval: 5 }).toBe(count);
}

async function message(phone: Phone, id: string) {
  return (await call(phone, 'GET', `/messages/${id}`)).json;
}

async function sent(phone: Phone): Promise<{ id: string }[]> {
  const response = await fetch(`${phone.url}/sent`);
  return JSON.parse(await response.text());
}

async function reaches(phone: Phone, id: string, state: string): Promise<void> {
  const read = async () => Object.keys((await message(phone, id)).states);
  await expect.poll(read, { interval: 5 }).toContain(state);
}

/** The HTTP client for the official client. It parses answers and throws errors that contain the status. */
async function request(method: string, url: string, body?: object, headers?: Record<string, string>) {
  const response = await fetch(url, { method, headers: headers ?? {}, body: body && JSON.stringify(body) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.status} ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}

describe('a request from another website', () => {
  const payment = JSON.stringify({ sender: 'MobileMoney', message: 'M', simNumber: 1 });

  test.each([
    ['a page on another site', { origin: 'https://evil.example.com', 'content-type': 'application/json' }, 403],
    ['a sandboxed page', { origin: 'null', 'content-type': 'application/json' }, 403],
    ['a form without a preflight', { 'content-type': 'text/plain' }, 415],
  ])('cannot simulate an incoming text from %s', async (_, headers, status) => {
    const phone = await start();
    expect((await fetch(`${phone.url}/receive`, { method: 'POST', headers, body: payment })).status).toBe(status);
    expect(await (await fetch(`${phone.url}/received`)).json()).toEqual([]);
  });

  test('cannot read anything through a different host name', async () => {
    const phone = await start();
    expect(await statusFor(phone.url, 'evil.example.com')).toBe(403);
    expect(await statusFor(phone.url, 'localhost')).toBe(200);
  });
});

/** Sends a request with `node:http`, because `fetch` does not allow setting the host. */
function statusFor(url: string, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    get(`${url}/received`, { headers: { host } }, ({ statusCode }) => resolve(statusCode)).on('error', reject);
  });
}
