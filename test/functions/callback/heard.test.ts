import { beforeEach, describe, expect, test } from 'vitest';
import { listPhones, noteHeard } from '../../../shared/phones/gateway/phone.table.ts';
import { listRefused } from '../../../shared/phones/gateway/refused-callback.table.ts';
import { MINUTE_MS } from '../../../shared/runtime/values/calendar.ts';
import { refuse } from '../../support/disturb.ts';
import { expectFailure } from '../../support/envelope.ts';
import { hmac, mtn, receivedEvent, signedCallback } from '../../support/receipts.ts';
import { type Scene, scene } from '../../support/scene.ts';
import { type Call, SIGNING_KEYS } from '../../support/world.ts';

const DAY_SECONDS = 24 * 60 * 60;

let world: Scene;
beforeEach(async () => {
  world = await scene();
});

describe('a phone’s contact record', () => {
  test.each(['system:ping', 'sms:received', 'sms:sent', 'sms:failed', 'something:new'])(
    'is updated by the signed event %s',
    async (event) => {
      expect((await post(signed(event))).status).toBe(200);
      expect(await phone()).toMatchObject({ gateway: 'phone', device_id: 'device-1', heard_ms: world.clock.nowMs });
    },
  );

  test('contains the time of the last readable text', async () => {
    await post(signed('system:ping'));
    expect(await phone()).not.toHaveProperty('read_ms');
    world.clock.nowMs += 5 * MINUTE_MS;
    await post(signed('sms:received'));
    expect(await phone()).toMatchObject({ read_ms: world.clock.nowMs });
  });

  test('contains the time by which the slowest new text lags behind its time stamp', async () => {
    const arrived = (behindMs: number) => ({ ...mtn(), receivedAt: world.iso(-behindMs), eventId: `${behindMs}` });
    const arrives = (behindMs: number) => post(signedCallback(world, receivedEvent(world, arrived(behindMs))));
    await arrives(8_000);
    expect(await phone()).toMatchObject({ delay_ms: 8_000 });
    expect(await phone()).not.toHaveProperty('late');
    await arrives(6 * MINUTE_MS);
    expect(await phone()).toMatchObject({ late: { at_ms: world.clock.nowMs, delay_ms: 6 * MINUTE_MS } });
    world.clock.nowMs += 5 * MINUTE_MS;
    const messages = [4_000, 7 * MINUTE_MS].map((ms) => receivedEvent(world, arrived(ms)).payload);
    const batch = { ...receivedEvent(world, mtn()), event: 'sms:batch:received', payload: { messages } };
    await post(signedCallback(world, batch));
    expect(await phone()).toMatchObject({ delay_ms: 7 * MINUTE_MS });
  });

  test('does not contain the delay of a repeated text', async () => {
    const event = receivedEvent(world, mtn());
    await post(signedCallback(world, event));
    world.clock.nowMs += 10 * MINUTE_MS;
    await post(signedCallback(world, event));
    expect(await phone()).toMatchObject({ heard_ms: world.clock.nowMs, delay_ms: 0 });
  });

  test('requires the phone’s signature', async () => {
    expectFailure(await post({ ...signed('system:ping'), headers: {} }), 401, 'unauthorized');
    expect(await phone()).toBeUndefined();
  });

  test('is logged only for app start events', async () => {
    const starts = () => world.noted.filter((one) => one.event === 'phone_started');
    await post(signed('system:ping'));
    await post(signed('sms:received'));
    expect(starts()).toEqual([]);
    await post(signed('app:started'));
    expect(starts()).toEqual([{ event: 'phone_started', fields: { gateway: 'phone', device: 'device-1' } }]);
  });

  test('is updated by a post with unescaped line feeds', async () => {
    const arrived = { ...mtn(), text: `${mtn().text}\nThank you` };
    const body = JSON.stringify(receivedEvent(world, arrived)).replace('\\n', '\n');
    const timestamp = String(Math.floor(world.clock.nowMs / 1000));
    const headers = { 'x-timestamp': timestamp, 'x-signature': hmac(SIGNING_KEYS.phone['device-1'], body + timestamp) };
    await world.call('callback/smsgate', { parameters: { gateway: 'phone' }, headers, body });
    const fields = { gateway: 'phone', device: 'device-1', code: 'repaired' };
    expect(world.logged).toEqual([{ level: 'warn', event: 'callback_repaired', fields }]);
    expect(await phone()).toMatchObject({ heard_ms: world.clock.nowMs, read_ms: world.clock.nowMs });
  });

  test('is written at most once every five minutes', async () => {
    await post(signed('sms:sent'));
    world.requests.length = 0;
    for (let n = 0; n < 50; n++) await post(signed('mms:received'));
    expect(world.requests).toEqual([]);
    world.clock.nowMs += 5 * MINUTE_MS;
    await post(signed('mms:received'));
    expect(world.requests).toEqual(['UpdateItem']);
  });

  test('keeps the times of the last four pings', async () => {
    const times: number[] = [];
    for (let n = 0; n < 6; n++) {
      times.unshift(world.clock.nowMs);
      await post(signed('system:ping'));
      world.clock.nowMs += 10 * MINUTE_MS;
    }
    expect(await phone()).toMatchObject({ pinged_ms: times.slice(0, 4) });
  });

  test('lists a repeated ping once', async () => {
    const again = { ...world.outside };
    const times: number[] = [];
    for (let n = 0; n < 4; n++) {
      await noteHeard(world.outside, 'phone', 'device-1', { isPing: true });
      world.clock.nowMs += 5000;
      await noteHeard(again, 'phone', 'device-1', { isPing: true });
      times.unshift(world.clock.nowMs);
      world.clock.nowMs += 30 * MINUTE_MS;
    }
    expect(await phone()).toMatchObject({ pinged_ms: times });
  });

  test('lists each ping even if texts arrive in between', async () => {
    await post(signed('system:ping'));
    const first = world.clock.nowMs;
    world.clock.nowMs += 2 * MINUTE_MS;
    await post(signed('sms:received'));
    expect(await phone()).toMatchObject({ heard_ms: world.clock.nowMs, pinged_ms: [first] });
    world.clock.nowMs += 3 * MINUTE_MS;
    await post(signed('system:ping'));
    expect(await phone()).toMatchObject({ pinged_ms: [world.clock.nowMs, first] });
  });

  test('does not prevent a text from being stored if the write fails', async () => {
    refuse(world, 'UpdateItem', 9, () => Object.assign(new Error('no'), { name: 'AccessDenied' }));
    expect(await post(signed('sms:received'))).toMatchObject({ status: 200, json: { message: 'Event accepted' } });
    expect(await world.rows('PHONE_EVENT')).toHaveLength(1);
    const fields = { gateway: 'phone', error: expect.any(Error) };
    expect(world.logged).toEqual([{ level: 'warn', event: 'phone_not_noted', fields }]);
  });
});

describe('a rejected callback', () => {
  const OF_DEVICE = { device_id: 'device-1' };
  test.each<[string, string, () => Call, object]>([
    ['a reinstalled app', 'unknown_device', () => signed('system:ping', 'device-new'), { device_id: 'device-new' }],
    ['an app with another key', 'wrong_signature', () => signedWith('another-key', 0), OF_DEVICE],
    ['an app with another key and an old time', 'wrong_signature', () => signedWith('another-key', -3600), OF_DEVICE],
    [
      'a phone with a slow clock',
      'clock',
      () => signedWith('canary-key-1', -3600),
      { ...OF_DEVICE, skew_seconds: -3600 },
    ],
    ['a body without an event', 'not_an_event', () => ({ ...signed('system:ping'), body: 'hello' }), {}],
    ['an unknown gateway', 'unknown_gateway', atNowhere, { gateway: undefined }],
    [
      'a body without an event at an unknown gateway',
      'unknown_gateway',
      () => ({ ...atNowhere(), body: 'hello' }),
      { gateway: undefined },
    ],
    [
      'a body without an event that names an unknown phone',
      'not_an_event',
      () => ({ ...signed('system:ping'), body: '"deviceId":"device-new"' }),
      {},
    ],
  ])('caused by %s is counted as %s', async (_, code, callback, about) => {
    expectFailure(await post(callback()), 401, 'unauthorized');
    const at = world.iso();
    const counted = { gateway: 'phone', reason: code, ...about, count: 1, first_at: at, last_at: at };
    expect(await listRefused(world.outside)).toEqual([counted]);
    const line = { level: 'warn', event: 'callback_refused', fields: { gateway: 'phone', code } };
    expect(world.logged).toEqual(counted.gateway === undefined ? [] : [line]);
  });

  test('is counted at most once every ten seconds', async () => {
    for (let n = 0; n < 100; n++) await post(signed('system:ping', `junk-${n}`));
    expect(world.requests).toEqual(['UpdateItem']);
    expect(world.logged).toHaveLength(1);
    world.clock.nowMs += 10_000;
    await post(signed('system:ping', 'junk-last'));
    expect(await listRefused(world.outside)).toMatchObject([{ count: 2, device_id: 'junk-last' }]);
  });

  test('is counted equally often for known and unknown gateways', async () => {
    const strangers = [signed('system:ping', 'junk'), { ...signed('system:ping'), body: 'junk' }, atNowhere()];
    for (const first of strangers) {
      await post(first);
      world.requests.length = 0;
      for (const next of strangers) await post(next);
      expect(world.requests).toEqual([]);
      world.clock.nowMs += 10_000;
    }
  });

  test('is listed separately from posts by unknown phones', async () => {
    await post(signedWith('canary-key-1', -3600));
    for (let n = 0; n < 10; n++) await post(signed('system:ping', `junk-${n}`));
    expect((await listRefused(world.outside)).map(({ reason }) => reason).sort()).toEqual(['clock', 'unknown_device']);
  });

  test('returns a 401 that says what to check even if it cannot be counted', async () => {
    refuse(world, 'UpdateItem', 9, () => Object.assign(new Error('no'), { name: 'AccessDenied' }));
    const answer = await post(signedWith('another-key', 0));
    expectFailure(answer, 401, 'unauthorized');
    expect(answer.json.message).toBe(
      "The signature is not valid. Check the signing key in the phone's app, the phone's clock, and the gateway's name in the webhook's address.",
    );
    expect(world.logged).toEqual([]);
  });

  test('is listed for one week', async () => {
    await post(signedWith('another-key', 0));
    world.clock.nowMs += 7 * DAY_SECONDS * 1000 + 1000;
    expect(await listRefused(world.outside)).toEqual([]);
  });
});

function post(callback: Call) {
  return world.call('callback/smsgate', callback);
}

async function phone() {
  const { phones } = await listPhones(world.outside);
  return phones.find(({ device_id }) => device_id === 'device-1');
}

function signed(event: string, device = 'device-1'): Call {
  const received = receivedEvent(world, { ...mtn(), device: 'device-1' });
  const payload = event === 'sms:received' ? received.payload : { messageId: 'none' };
  return signedCallback(world, { ...received, deviceId: device, event, payload });
}

function signedWith(key: string, offsetSeconds: number): Call {
  const callback = signed('system:ping');
  const timestamp = String(Math.floor(world.clock.nowMs / 1000) + offsetSeconds);
  return { ...callback, headers: { 'x-timestamp': timestamp, 'x-signature': hmac(key, callback.body + timestamp) } };
}

function atNowhere(): Call {
  return { ...signed('system:ping'), parameters: { gateway: 'nowhere' } };
}
