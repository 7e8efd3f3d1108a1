import { beforeEach, expect } from 'vitest';
import * as z from 'zod';
import { expectFailure } from '../../support/envelope.ts';
import { signedCallback } from '../../support/receipts.ts';
import { rotatingTest } from '../../support/rotating-test.ts';
import { type Merchant, type Scene, scene } from '../../support/scene.ts';
import { startWork, type Work } from '../../support/webhooks.ts';

const test = rotatingTest(3);

// A phone is off for an hour, and then on. Its gateway is there all the time: it holds what it takes until the phone asks.

const CREDITS = 100;
const Text = z.object({ id: z.string(), phoneNumbers: z.array(z.string()) });

let world: Scene;
let merchant: Merchant;
let work: Work;
let phone: Phone;
beforeEach(async () => {
  world = await scene({ inMemory: true });
  await world.addSender({ number: '+233241234567', messages_per_hour: 100 });
  merchant = await world.createMerchant({ credits: CREDITS });
  work = startWork(world, { atOnce: 1 });
});

test('the gateway holds the texts: each leaves once, in the order they were sent, and no job is lost', async () => {
  phone = startGateway();
  const accepted: string[] = [];
  await minutes(5, async () => void accepted.push(...(await sendMany(1))));
  await minutes(1);
  expect(phone.left).toEqual(accepted);
  phone.switch(false);

  // A text a minute while it is off, until nobody takes them any more.
  const taken: boolean[] = [];
  await minutes(60, async () => {
    const ids = await sendMany(1);
    taken.push(ids.length > 0);
    accepted.push(...ids);
  });
  // It is missed after fifteen minutes, by the next look at it.
  expect(taken.indexOf(false)).toBeGreaterThan(14);
  expect(taken.indexOf(false)).toBeLessThan(18);
  expect(taken.slice(taken.indexOf(false))).not.toContain(true);
  expectFailure(await trySend(), 503, 'no_sender_available');
  expect(phone.left).toHaveLength(5);
  expect(await merchant.balance()).toBe(CREDITS - accepted.length);

  phone.switch(true);
  await minutes(3);

  expect(phone.left).toEqual(accepted);
  expect(new Set(await statesOf(accepted))).toEqual(new Set(['delivered']));
  expect((await merchant.call('sms/from')).json.data.senders).toMatchObject([{ available: true }]);
  accepted.push(...(await sendMany(1)));
  await minutes(2);
  expect(phone.left).toEqual(accepted);
  expect(work.queues.deadLetters).toEqual([]);
  expect(work.queues.done.map(({ receives }) => receives)).toEqual(work.queues.done.map(() => 1));
  expect(await merchant.refunds()).toEqual([]);
  expect(await merchant.balance()).toBe(CREDITS - accepted.length);
});

test('a bulk that was queued as the phone went off leaves once, in order, at its pace all the while', async () => {
  phone = startGateway();
  phone.switch(false);
  const ids = await sendMany(40);
  await minutes(60);
  expect(phone.left).toEqual([]);
  phone.switch(true);
  await minutes(3);
  expect(phone.left).toEqual(ids);
  expect(new Set(await statesOf(ids))).toEqual(new Set(['delivered']));
  expect([work.queues.deadLetters, work.queues.waiting]).toEqual([[], []]);
});

test('the gateway accepts no more for most of the hour (503): nothing is lost, duplicated or refunded', async () => {
  phone = startGateway({ mostPending: 5 });
  phone.switch(false);
  const accepted: string[] = [];
  await minutes(14, async () => void accepted.push(...(await sendMany(1))));
  await minutes(46);
  expect(phone.left).toEqual([]);
  phone.switch(true);
  await minutes(20);
  // What was taken leaves in order. What was refused is tried again text by text, and so the order is that of the tries.
  expect(phone.left.slice(0, 5)).toEqual(accepted.slice(0, 5));
  expect(phone.left.toSorted()).toEqual(accepted.toSorted());
  expect(Math.max(...work.queues.done.map(({ receives }) => receives))).toBeLessThan(17);
  expect(new Set(await statesOf(accepted))).toEqual(new Set(['delivered']));
  expect([work.queues.deadLetters, work.queues.waiting]).toEqual([[], []]);
  expect(await merchant.refunds()).toEqual([]);
  expect(await merchant.balance()).toBe(CREDITS - accepted.length);
});

interface Phone {
  /** The ids that really left, in that order. */
  readonly left: string[];
  switch(isOn: boolean): void;
  /** What the phone does in a minute: it sends what its gateway holds, and reports. */
  minute(): Promise<void>;
}

/** A gateway with one phone, which is on. With `mostPending` texts waiting it takes no more. */
function startGateway({ mostPending = Number.POSITIVE_INFINITY } = {}): Phone {
  const pending: string[] = [];
  const states = new Map<string, string>();
  const left: string[] = [];
  let offSinceMs: number | undefined;
  world.gateway = async (request) => {
    if (request.url.endsWith('/devices')) {
      const lastSeen = new Date(offSinceMs ?? world.clock.nowMs).toISOString();
      return Response.json([{ id: 'device-1', name: 'Desk', lastSeen, simCards: [] }]);
    }
    if (request.method === 'GET') {
      const id = request.url.split('/').at(-1) ?? '';
      return Response.json({ id, state: states.get(id) }, { status: states.has(id) ? 200 : 404 });
    }
    const { id } = Text.parse(await request.json());
    if (states.has(id)) return Response.json({ message: 'A message with this id exists' }, { status: 409 });
    if (pending.length >= mostPending) return Response.json({ message: 'Queue limits exceeded' }, { status: 503 });
    pending.push(id);
    states.set(id, 'Pending');
    return Response.json({ id, state: 'Pending' }, { status: 202 });
  };
  return {
    left,
    switch: (isOn) => {
      offSinceMs = isOn ? undefined : world.clock.nowMs;
    },
    minute: async () => {
      if (offSinceMs !== undefined) return;
      for (const id of pending.splice(0)) {
        left.push(id);
        states.set(id, 'Delivered');
        for (const event of ['sms:sent', 'sms:delivered']) await report(event, id);
      }
    },
  };
}

async function report(event: string, messageId: string): Promise<void> {
  const posted = { deviceId: 'device-1', event, id: messageId, webhookId: 'webhook', payload: { messageId } };
  const { status } = await world.call('callback/smsgate', signedCallback(world, posted));
  if (status !== 200) throw new Error(`The report was answered ${status}`);
}

/** Lets minutes pass. In each of them something may happen, the phone does its work, and housekeeping runs. */
async function minutes(count: number, happens?: () => Promise<void>): Promise<void> {
  const each = async () => {
    await happens?.();
    await phone.minute();
  };
  await work.run(count * 60, { housekeeping: true, each });
}

function trySend(to: string[] = ['0551112223']) {
  return merchant.call('sms/send', { body: { to, message: 'Your order is ready' } });
}

/** Sends a text to so many, which the stream carries on; their ids, none where it was refused. */
async function sendMany(count: number): Promise<string[]> {
  const { status, json } = await trySend(Array.from({ length: count }, (_, n) => `05511122${n + 10}`));
  if (status !== 200) return [];
  await world.relayChanges({ after: (await world.sendRow(json.data.id)) ?? {} });
  return json.data.ids;
}

async function statesOf(ids: readonly string[]): Promise<string[]> {
  const shown = await Promise.all(ids.map((id) => merchant.call('sms/show', { parameters: { id } })));
  return shown.map(({ json }) => json.data.status);
}
