import { ProvisionedThroughputExceededException } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, test } from 'vitest';
import { phoneEventJob } from '../../../shared/phones/gateway/phone-event.table.ts';
import { loseAnswers, refuse } from '../../support/disturb.ts';
import { expectFailure, expectOk } from '../../support/envelope.ts';
import { hmac, mtn, receivedEvent, relayed, signedCallback } from '../../support/receipts.ts';
import { type Scene, scene } from '../../support/scene.ts';
import type { Call } from '../../support/world.ts';

const DAY_SECONDS = 24 * 60 * 60;

let world: Scene;
beforeEach(async () => {
  world = await scene();
});

describe('a text received by a gateway phone', () => {
  test('is stored unchanged with one DynamoDB request', async () => {
    // Recording contact with the phone would add a request.
    await post(signedCallback(world, { ...receivedEvent(world, { ...mtn(), sender: 'Ama' }), event: 'mms:received' }));
    world.requests.length = 0;
    const event = receivedEvent(world, { ...mtn(), recipient: '+233241234567', simNumber: 1 });
    expectOk(await post(signedCallback(world, event)), {});
    expect(world.requests).toEqual(['PutItem']);
    const { messageId: _, ...payload } = event.payload;
    expect(await kept()).toEqual([
      {
        pk: `PHONE_EVENT#phone#device-1#${event.id}`,
        sk: 'PHONE_EVENT',
        gsi2pk: expect.stringMatching(/^OPEN#PHONE_EVENT#[01]$/),
        gsi2sk: `${world.iso()}#${event.id}`,
        gateway: 'phone',
        event: { event: 'sms:received', id: event.id, deviceId: 'device-1', payload },
        arrived_at: world.iso(),
        said: expect.stringMatching(/^[0-9a-f]{12}$/),
        expires_at_epoch_seconds: Math.floor(world.clock.nowMs / 1000) + 30 * DAY_SECONDS,
      },
    ]);
    expect(world.logged).toEqual([]);
  });

  test('is resent by the phone if the table is throttled', async () => {
    const event = signedCallback(world, receivedEvent(world, mtn()));
    world.dynamoDb = async () => {
      throw new ProvisionedThroughputExceededException({ message: 'Exceeded', $metadata: {} });
    };
    const answer = await post(event);
    expectFailure(answer, 503, 'busy');
    expect(answer.headers['retry-after']).toBe('1');
    expect(world.logged.map(({ level, event }) => ({ level, event }))).toEqual([
      { level: 'warn', event: 'table_throttled' },
    ]);
    world.dynamoDb = (_request, send) => send();
    expect((await post(event)).status).toBe(200);
  });

  test('is stored without a hash if the sender is unknown', async () => {
    const ofBank = { sender: 'GCB Bank', text: 'Your OTP is 482913. Do not share it.' };
    const [first, second] = [receivedEvent(world, ofBank), receivedEvent(world, mtn())];
    for (const event of [first, first, { ...second, id: first.id }]) await post(signedCallback(world, event));
    const rows = await kept();
    expect(rows.map(({ stranger, event }) => (event ? 'wallet' : stranger))).toEqual([
      { looks_like_payment: false },
      'wallet',
    ]);
    expect(Object.keys(rows[0] ?? {})).not.toContain('said');
    for (const event of [second, { ...first, id: second.id }]) await post(signedCallback(world, event));
    expect((await kept()).filter(({ event }) => event)).toHaveLength(2);
  });

  test('is given a generated id if it has none', async () => {
    const { id: _, ...event } = receivedEvent(world, { ...mtn(), text: 'Your OTP is 482913.' });
    const ids = [];
    for (const device of ['device-1', 'device-2']) {
      for (let n = 0; n < 2; n++) await post(signedCallback(world, { ...event, deviceId: device }));
      ids.push(...(await kept()).map(({ pk }) => String(pk).split('#').at(-1)));
    }
    expect(new Set(ids).size).toBe(2);
  });

  test('is queued per SIM slot', async () => {
    const groups = [1, 2].map((simNumber) => {
      const { id, ...event } = receivedEvent(world, { ...mtn(), simNumber });
      return phoneEventJob({ gateway: 'phone', event: { id, ...event }, arrived_at: '2026-11-21T10:00:00Z' }).group;
    });
    expect(groups).toEqual(['phone#device-1#1', 'phone#device-1#2']);
  });

  test('is queued with its id but without its content', async () => {
    const event = receivedEvent(world, mtn());
    await post(signedCallback(world, event));
    const [row] = await kept();
    expect(await relayed(world, row)).toEqual({ gateway: 'phone', device_id: 'device-1', event_id: event.id });
  });

  test('requires only a sender and a message', async () => {
    const event = receivedEvent(world, { ...mtn(), receivedAt: null });
    const { sender, message } = event.payload;
    expect((await post(signedCallback(world, { ...event, payload: { sender, message } }))).status).toBe(200);
    expect(await kept()).toMatchObject([{ event: { payload: { sender, message } } }]);
  });

  test('may be base64-encoded', async () => {
    const event = receivedEvent(world, { sender: 'MobileMoney', text: 'Abɛna paid ₵36 😀' });
    expect((await post({ ...signedCallback(world, event), isBase64Encoded: true })).status).toBe(200);
    expect(await kept()).toMatchObject([{ event: { payload: { message: 'Abɛna paid ₵36 😀' } } }]);
  });

  test('is accepted from any phone that signs with its own key', async () => {
    for (const [gateway, device] of [
      ['phone', 'device-1'],
      ['phone', 'device-2'],
      ['spare', 'device-1'],
    ] as const) {
      const event = receivedEvent(world, { ...mtn(), device, eventId: 'same' });
      expect((await post(signedCallback(world, event, gateway))).status).toBe(200);
      expect((await kept()).map(({ pk }) => pk)).toContain(`PHONE_EVENT#${gateway}#${device}#same`);
    }
    expect(await kept()).toHaveLength(3);
  });

  test.each([
    ['no text', { sender: 'MobileMoney' }],
    ['no sender', { message: mtn().text }],
    ['a number as the sender', { sender: 7, message: mtn().text }],
  ])('is counted as unreadable and logged with %s', async (_, payload) => {
    expect((await post(signedCallback(world, { ...receivedEvent(world, mtn()), payload }))).status).toBe(200);
    expect(await kept()).toEqual([]);
    const fields = { gateway: 'phone', device: 'device-1', code: 'unknown' };
    expect(world.logged).toEqual([{ level: 'warn', event: 'callback_not_understood', fields }]);
  });

  test('is stored once if it is resent', async () => {
    const event = receivedEvent(world, mtn());
    await post(signedCallback(world, event));
    const first = await kept();
    world.clock.nowMs += 60_000;
    for (let n = 0; n < 2; n++) expect((await post(signedCallback(world, event))).status).toBe(200);
    expect(await kept()).toEqual(first);
  });

  test('is stored once if it is posted 20 times at once', async () => {
    const callback = signedCallback(world, receivedEvent(world, mtn()));
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(callback)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await kept()).toHaveLength(1);
  });

  test('is stored once if the DynamoDB response was lost', async () => {
    loseAnswers(world, 'PutItem', 1);
    expect((await post(signedCallback(world, receivedEvent(world, mtn())))).status).toBe(200);
    expect(await kept()).toHaveLength(1);
  });

  test('returns an error if it cannot be stored', async () => {
    const callback = signedCallback(world, receivedEvent(world, mtn()));
    refuse(world, 'PutItem', 1, () => Object.assign(new Error('secret detail'), { name: 'AccessDenied' }));
    expectFailure(await post(callback), 500, 'internal');
    expect((await post(callback)).status).toBe(200);
    expect(await kept()).toHaveLength(1);
  });
});

describe('other gateway events', () => {
  const states = ['sms:sent', 'sms:delivered', 'sms:failed', 'sms:cancelled'];
  test.each([...states, 'system:ping', 'mms:received', 'something:new'])(
    'return 200 and are not stored: %s',
    async (event) => {
      const ping = { deviceId: 'device-1', event, id: '1', webhookId: '2', payload: { messageId: 'a', partsCount: 1 } };
      expect((await post(signedCallback(world, ping))).status).toBe(200);
      expect(await kept()).toEqual([]);
    },
  );

  test('are rejected without a signature', async () => {
    const ping = { deviceId: 'device-1', event: 'system:ping', id: '1', payload: {} };
    expectFailure(await post({ ...signedCallback(world, ping), headers: {} }), 401, 'unauthorized');
  });
});

describe('a forged callback', () => {
  test.each<[string, (genuine: Call) => Partial<Call>]>([
    ['without a signature', () => ({ headers: {} })],
    ['without x-signature', ({ headers }) => ({ headers: { 'x-timestamp': headers?.['x-timestamp'] ?? '' } })],
    ['without x-timestamp', ({ headers }) => ({ headers: { 'x-signature': headers?.['x-signature'] ?? '' } })],
    ['with a wrong signature', (genuine) => signedWith('wrong-key', genuine)],
    ['signed with the gateway’s password', (genuine) => signedWith('canary-password', genuine)],
    ['with an empty key', (genuine) => signedWith('', genuine)],
    ['with the key of another phone of this gateway', (genuine) => signedWith('canary-key-2', genuine)],
    [
      'with the key of another gateway’s phone of the same name',
      (one) => signedWith('canary-key-of-another-device-1', one),
    ],
    ['with a signature from 301 seconds ago', (genuine) => signedWith('canary-key-1', genuine, -301)],
    ['with a signature from 302 seconds ahead', (genuine) => signedWith('canary-key-1', genuine, 302)],
    ['with a signature in milliseconds', (genuine) => signedWith('canary-key-1', genuine, world.clock.nowMs)],
    ['with a new timestamp on an old signature', (one) => renewed(signedWith('canary-key-1', one, -3_600))],
    ['with one byte of the body changed', ({ body }) => ({ body: String(body).replace('36.00', '96.00') })],
    ['with one byte added to the body', ({ body }) => ({ body: `${body} ` })],
    ['with changed base64 of the body', ({ body }) => ({ body: `${body}\n`, isBase64Encoded: true })],
    ['posted to another gateway', () => ({ parameters: { gateway: 'spare' } })],
  ])('returns 401 and is not stored: %s', async (_, change) => {
    const genuine = signedCallback(world, receivedEvent(world, mtn()));
    expectFailure(await post({ ...genuine, ...change(genuine) }), 401, 'unauthorized');
    expect(await kept()).toEqual([]);
    // Only the counter of rejected callbacks is written.
    expect(world.requests).toEqual(['UpdateItem']);
    expect(await world.rows('PHONE')).toEqual([]);
    // The genuine post is accepted.
    expect((await post(genuine)).status).toBe(200);
  });

  test.each(['device-3', 'device-9', 'device-without-key', '', '__proto__', 'constructor', 'toString'])(
    'returns 401 for the phone %j, which has no key',
    async (device) => {
      const callback = signedCallback(world, receivedEvent(world, { ...mtn(), device }));
      for (const key of ['', 'undefined', 'canary-key-1', 'canary-key-3']) {
        expectFailure(await post({ ...callback, ...signedWith(key, callback) }), 401, 'unauthorized');
      }
      expect(await kept()).toEqual([]);
    },
  );

  test.each(['other', '', 'Phone', 'phone ', '__proto__', 'constructor', 'toString'])(
    'returns the same 401 for the gateway %j as for a wrong signature',
    async (gateway) => {
      const callback = signedCallback(world, receivedEvent(world, mtn()));
      expectFailure(await post({ ...callback, parameters: { gateway } }), 401, 'unauthorized');
      expect(await kept()).toEqual([]);
    },
  );

  test.each([
    ['empty', ''],
    ['malformed JSON', '{'],
    ['two objects', '{}{}'],
    ['null', 'null'],
    ['a list', '[]'],
    ['a word', '"sms:received"'],
    ['a number', '7'],
    ['an empty object', '{}'],
    ['an event without a device', '{"event":"sms:received","id":"1"}'],
    ['an event whose device is an object', '{"event":"sms:received","id":"1","deviceId":{"toString":"device-1"}}'],
    ['very deep JSON', '['.repeat(60_000)],
  ])('returns 401 for a signed body that is %s', async (_, body) => {
    const genuine = signedCallback(world, receivedEvent(world, mtn()));
    const signed = { ...genuine, ...signedWith('canary-key-1', { ...genuine, body }), body };
    expectFailure(await post(signed), 401, 'unauthorized');
    expect(await kept()).toEqual([]);
    expect(world.logged).toMatchObject([{ level: 'warn', event: 'callback_refused' }]);
  });

  test('does not reveal keys or phones', async () => {
    const genuine = signedCallback(world, receivedEvent(world, mtn()));
    const unknown = signedCallback(world, receivedEvent(world, { ...mtn(), device: 'device-9' }));
    const answers = await Promise.all([post({ ...genuine, ...signedWith('wrong', genuine) }), post(unknown)]);
    expect(new Set(answers.map(({ json }) => json.message)).size).toBe(1);
    expect(answers.map(({ text }) => text).join()).not.toMatch(/key-|device-/);
  });

  test('returns 401 if it replays a genuine post after five minutes', async () => {
    const genuine = signedCallback(world, receivedEvent(world, mtn()));
    world.clock.nowMs += 299_000;
    expect((await post(genuine)).status).toBe(200);
    world.clock.nowMs += 3_000;
    expectFailure(await post(genuine), 401, 'unauthorized');
  });
});

function post(callback: Call) {
  return world.call('callback/smsgate', callback);
}

function kept() {
  return world.rows('PHONE_EVENT');
}

/** Signs a body with a timestamp offset from now. */
function signedWith(key: string, { body }: Call, offsetSeconds = 0): Pick<Call, 'headers'> {
  const timestamp = String(Math.floor(world.clock.nowMs / 1000) + offsetSeconds);
  return { headers: { 'x-timestamp': timestamp, 'x-signature': hmac(key, body + timestamp) } };
}

function renewed({ headers }: Pick<Call, 'headers'>): Pick<Call, 'headers'> {
  return { headers: { ...headers, 'x-timestamp': String(Math.floor(world.clock.nowMs / 1000)) } };
}
