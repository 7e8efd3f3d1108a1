import { beforeEach, describe, expect, test } from 'vitest';
import { getSendAndMessage, startSending } from '../../../shared/texts/sms/message.table.ts';
import { newSendId } from '../../../shared/texts/sms/message-id.ts';
import { refundedStates } from '../../../shared/texts/sms/states.ts';
import { refuse } from '../../support/disturb.ts';
import { expectFailure, expectOk } from '../../support/envelope.ts';
import { signedCallback } from '../../support/receipts.ts';
import { type Merchant, scene } from '../../support/scene.ts';

const CREDITS = 1_000;

const world = await scene();
await world.createSender('+233241234567');
let merchant: Merchant;
beforeEach(async () => {
  merchant = await world.createMerchant({ credits: CREDITS });
  world.gateway = async () => Response.json({ state: 'Pending' }, { status: 202 });
  world.dynamoDb = (_, next) => next();
  world.logged.length = 0;
});

describe('a phone’s delivery report', () => {
  test('moves a text to sent, then to delivered', async () => {
    const id = await handedOver();
    const sending_at = world.iso();
    world.clock.nowMs += 2_000;
    await report('sms:sent', id);
    const sent_at = world.iso();
    expect(await shown(id)).toMatchObject({ status: 'sent', sending_at, sent_at, delivered_at: null });
    world.clock.nowMs += 3_000;
    await report('sms:delivered', id);
    const never = { failed_at: null, failure_reason: null };
    const delivered_at = world.iso();
    expect(await shown(id)).toMatchObject({ status: 'delivered', sending_at, sent_at, delivered_at, ...never });
    expect(await merchant.balance()).toBe(CREDITS - 1);
  });

  test('is recorded for the first part of a multipart text', async () => {
    const id = await handedOver();
    await report('sms:sent', id);
    world.clock.nowMs += 1_000;
    const delivered_at = world.iso();
    for (let part = 0; part < 7; part++) {
      await report('sms:delivered', id);
      world.clock.nowMs += 1_000;
    }
    expect(await shown(id)).toMatchObject({ status: 'delivered', delivered_at });
  });

  test('moves a text to failed with a reason and refunds it', async () => {
    const id = await handedOver();
    world.clock.nowMs += 2_000;
    await report('sms:failed', id, { reason: 'RESULT_ERROR_NO_SERVICE' });
    const failure_reason = 'The phone had no signal (RESULT_ERROR_NO_SERVICE)';
    expect(await shown(id)).toMatchObject({ status: 'failed', failed_at: world.iso(), failure_reason });
    expect(await merchant.balance()).toBe(CREDITS);
    expect(await merchant.refunds()).toMatchObject([{ credits: 1, reason: 'refund', message_id: id }]);
  });

  test.each([[null], [undefined]])('moves a text to failed if the reason is %j', async (reason) => {
    const id = await handedOver();
    await report('sms:failed', id, { reason });
    expect(await shown(id)).toMatchObject({ status: 'failed', failure_reason: expect.stringMatching(/phone/) });
  });

  test('does not affect other texts of the same send', async () => {
    const [first = '', second = '', third = ''] = await handOver(['0551112223', '0551112224', '0551112225']);
    await report('sms:failed', second);
    await report('sms:delivered', third);
    const texts = await Promise.all([first, second, third].map(shown));
    expect(texts.map(({ status }) => status)).toEqual(['sending', 'failed', 'delivered']);
    expect(await merchant.balance()).toBe(CREDITS - 2);
  });
});

test('a cancellation moves a text to failed and refunds it', async () => {
  const id = await handedOver();
  await report('sms:cancelled', id, { cancelledAt: world.iso() });
  expect(await shown(id)).toMatchObject({ status: 'failed', failure_reason: expect.stringMatching(/cancelled/) });
  expect(await merchant.refunds()).toHaveLength(1);
});

test.each([
  [['sms:failed', 'sms:sent', 'sms:delivered'], 'delivered'],
  [['sms:sent', 'sms:failed', 'sms:delivered'], 'delivered'],
  [['sms:failed', 'sms:failed'], 'sending'],
])('a two-part text does not fail because of one part: after %j it is %s', async (events, status) => {
  const [id = ''] = await handOver(['0551112223'], 'a'.repeat(200));
  for (const event of events) await report(event, id, { reason: 'RESULT_ERROR_LIMIT_EXCEEDED' });
  expect((await shown(id)).status).toBe(status);
  expect(await merchant.refunds()).toEqual([]);
});

describe('delivery reports', () => {
  test.each([
    [['sms:delivered', 'sms:sent'], 'delivered', 0],
    [['sms:delivered', 'sms:failed'], 'delivered', 0],
    [['sms:sent', 'sms:delivered', 'sms:failed', 'sms:sent'], 'delivered', 0],
    [['sms:sent', 'sms:sent'], 'sent', 0],
    [['sms:sent', 'sms:failed'], 'failed', 1],
    [['sms:failed', 'sms:sent'], 'failed', 1],
    [['sms:failed', 'sms:delivered'], 'failed', 1],
    [['sms:failed', 'sms:failed', 'sms:delivered', 'sms:failed'], 'failed', 1],
  ])('may arrive in any order: after %j the text is %s', async (events, status, refunds) => {
    const id = await handedOver();
    for (const event of events) {
      world.clock.nowMs += 1_000;
      await report(event, id);
    }
    expect((await shown(id)).status).toBe(status);
    expect(await merchant.refunds()).toHaveLength(refunds);
    expect(await merchant.balance()).toBe(CREDITS - 1 + refunds);
  });

  test.each(refundedStates)('are ignored after a refund: a text that is %s stays unchanged', async (state) => {
    const id = await handedOver();
    await world.writeMessageState(id, state);
    const before = await world.messageRow(id);
    for (const event of ['sms:sent', 'sms:delivered', 'sms:failed']) await report(event, id, { reason: 'late' });
    expect(await world.messageRow(id)).toEqual(before);
    expect(await merchant.refunds()).toEqual([]);
  });

  test('are awaited if the text expires during sending', async () => {
    const body = { to: '0551112223', message: 'Your order is ready', valid_for: 60 };
    const { json } = await merchant.call('sms/send', { body });
    const { id } = json.data;
    world.clock.nowMs += 61_000;
    world.rightBefore('TransactWriteItems', async () => {
      const found = await getSendAndMessage(world.outside, id, 0);
      const route = { gateway: 'phone', device_id: 'device-1', sim_number: 1 };
      if (found) await startSending(world.outside, found.send, 0, route);
    });
    await world.work('deliver-sms', [{ send_id: id, index: 0 }]);
    expect(await world.messageRow(id)).toMatchObject({ state: 'sending' });
    expect(await merchant.balance()).toBe(CREDITS - 1);
  });

  test('do not change a recorded time', async () => {
    const id = await handedOver();
    await report('sms:delivered', id);
    const before = await world.messageRow(id);
    world.clock.nowMs += 60_000;
    for (const event of ['sms:sent', 'sms:delivered', 'sms:failed']) await report(event, id, { reason: 'late' });
    expect(await world.messageRow(id)).toEqual(before);
  });

  test('lead to a single outcome if they arrive simultaneously', async () => {
    for (let round = 0; round < 10; round++) {
      const id = await handedOver();
      const before = await merchant.balance();
      const events = ['sms:failed', 'sms:delivered', 'sms:sent', 'sms:delivered'];
      await Promise.all(events.map((event) => reportForSure(event, id)));
      const { status } = await shown(id);
      expect(['delivered', 'failed']).toContain(status);
      expect(await merchant.balance()).toBe(status === 'failed' ? before + 1 : before);
    }
  });

  test('refund a text once if 20 copies arrive simultaneously', async () => {
    const id = await handedOver();
    await Promise.all(Array.from({ length: 20 }, () => reportForSure('sms:failed', id)));
    expect((await shown(id)).status).toBe('failed');
    expect(await merchant.refunds()).toHaveLength(1);
    expect(await merchant.balance()).toBe(CREDITS);
  });

  test('refund each text if 20 failures arrive simultaneously', async () => {
    const to = Array.from({ length: 20 }, (_, n) => `05511122${String(n).padStart(2, '0')}`);
    const ids = await handOver(to);
    await Promise.all(ids.map((id) => reportForSure('sms:failed', id)));
    expect(await merchant.refunds()).toHaveLength(20);
    expect(await merchant.balance()).toBe(CREDITS);
  });

  test('take effect once after a storage failure', async () => {
    const id = await handedOver();
    refuse(world, 'TransactWriteItems', 1, () => Object.assign(new Error('detail'), { name: 'AccessDenied' }));
    expectFailure(await post('sms:failed', id), 500, 'internal');
    expect((await shown(id)).status).toBe('sending');
    await report('sms:failed', id);
    expect(await merchant.refunds()).toHaveLength(1);
  });
});

describe('ignored delivery reports', () => {
  describe.each(['sms:sent', 'sms:delivered', 'sms:failed'])('%s', (event) => {
    test.each<[string, From]>([
      ['another phone of this gateway', { deviceId: 'device-2' }],
      ['another gateway’s phone of the same name', { gateway: 'spare' }],
    ])('return 200 and change nothing if sent by %s', async (_, from) => {
      const id = await handedOver();
      await report(event, id, {}, from);
      expect((await shown(id)).status).toBe('sending');
      expect(await merchant.balance()).toBe(CREDITS - 1);
    });

    test('return 200 and change nothing if no phone has the text yet', async () => {
      const body = { to: '0551112223', message: 'Hello', from: '+233241234567' };
      const { id } = (await merchant.call('sms/send', { body })).json.data;
      await report(event, id);
      expect((await shown(id)).status).toBe('pending');
      expect(await world.messageRow(id)).toBeUndefined();
      expect(await merchant.balance()).toBe(CREDITS - 1);
    });
  });

  test.each<[string, () => string]>([
    ['an unknown text', () => newSendId(world.clock.nowMs, (length) => Buffer.alloc(length, 7))],
    ['an id in a different format', () => 'oPQCxbRP3s5K1J6Bvfz8x'],
    ['an empty id', () => ''],
    ['another kind of UUID', () => '01902b7a-0000-4000-8000-000000000000'],
    ['a very long id', () => 'x'.repeat(10_000)],
  ])('return 200 and change nothing for %s', async (_, idOf) => {
    const before = await world.rows('MESSAGE#00');
    for (const event of ['sms:sent', 'sms:delivered', 'sms:failed']) await report(event, idOf());
    expect(await world.rows('MESSAGE#00')).toEqual(before);
    expect(await merchant.refunds()).toEqual([]);
    expect(world.logged).toEqual([]);
  });

  test('return 200 and change nothing for a missing recipient', async () => {
    const id = await handedOver();
    const past = id.slice(0, -2) + (Number.parseInt(id.slice(-2), 16) | 9).toString(16).padStart(2, '0');
    for (const event of ['sms:sent', 'sms:delivered', 'sms:failed']) await report(event, past);
    expect(await world.messageRow(id, 9)).toBeUndefined();
    expect(await merchant.balance()).toBe(CREDITS - 1);
  });

  test.each([[{}], [{ messageId: 7 }], [{ messageId: null }]])(
    'return 200 and change nothing if the payload is %j',
    async (payload) => {
      const event = { deviceId: 'device-1', event: 'sms:failed', id: '1', webhookId: '2', payload };
      expect((await world.call('callback/smsgate', signedCallback(world, event))).status).toBe(200);
      expect(await merchant.refunds()).toEqual([]);
    },
  );
});

test('an unsigned delivery report returns 401', async () => {
  const id = await handedOver();
  const genuine = callbackOf('sms:failed', id);
  const forged = { ...genuine, headers: { ...genuine.headers, 'x-signature': '0'.repeat(64) } };
  expectFailure(await world.call('callback/smsgate', forged), 401, 'unauthorized');
  expectFailure(await world.call('callback/smsgate', { ...genuine, headers: {} }), 401, 'unauthorized');
  expect((await shown(id)).status).toBe('sending');
  expect(await merchant.refunds()).toEqual([]);
});

interface From {
  deviceId?: string;
  gateway?: 'phone' | 'spare';
}

function callbackOf(event: string, messageId: string, more: object = {}, from: From = {}) {
  const { deviceId = 'device-1', gateway } = from;
  const payload = { messageId, recipient: '+233551112223', simNumber: 1, sender: '+233241234567', ...more };
  return signedCallback(world, { deviceId, event, id: 'event-1', webhookId: 'webhook-1', payload }, gateway);
}

function post(event: string, messageId: string, more?: object, from?: From) {
  return world.call('callback/smsgate', callbackOf(event, messageId, more, from));
}

/** Posts a delivery report and expects a 200. */
async function report(event: string, messageId: string, more?: object, from?: From): Promise<void> {
  expectOk(await post(event, messageId, more, from), {});
}

async function reportForSure(event: string, messageId: string): Promise<void> {
  for (let tries = 0; tries < 10; tries++) {
    const { status } = await post(event, messageId);
    if (status === 200) return;
    expect(status).toBe(503);
  }
  throw new Error('The report was never taken');
}

async function handedOver(): Promise<string> {
  const [id = ''] = await handOver(['0551112223']);
  return id;
}

/** Sends texts and hands them to the gateway. @returns their ids. */
async function handOver(to: string[], message = 'Your order is ready'): Promise<string[]> {
  const { json } = await merchant.call('sms/send', { body: { to, message, from: '+233241234567' } });
  for (const index of to.keys()) await world.work('deliver-sms', [{ send_id: json.data.id, index }]);
  return json.data.ids;
}

async function shown(id: string) {
  return (await merchant.call('sms/show', { parameters: { id } })).json.data;
}
