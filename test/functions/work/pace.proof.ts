import { beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { expectFailure } from '../../support/envelope.ts';
import { signedCallback } from '../../support/receipts.ts';
import { rotatingTest } from '../../support/rotating-test.ts';
import { type Merchant, type Scene, scene } from '../../support/scene.ts';
import { sliceOf } from '../../support/slice.ts';
import { startWork, type Work } from '../../support/webhooks.ts';

const rotating = rotatingTest(3);

const MTN = '+233241234567';
const MINUTE = 60;
const HOUR = 60 * MINUTE;
const CREDITS = 100;

let world: Scene;
/** Texts that the gateway received, in order. */
let left: { id: string; atMs: number }[];
beforeEach(async () => {
  world = await scene({ inMemory: true });
  left = [];
  world.gateway = async (request) => {
    left.push({ id: z.object({ id: z.string() }).parse(await request.json()).id, atMs: world.clock.nowMs });
    return Response.json({ state: 'Pending' }, { status: 202 });
  };
});

rotating('300 texts at 100 an hour are sent once and in order', async () => {
  const work = await given(100, { atOnce: 1 });
  const merchant = await world.createMerchant({ credits: 300 });
  const startMs = world.clock.nowMs;
  const ids: string[] = [];
  for (let n = 0; n < 6; n++) ids.push(...(await text(merchant, 50)));

  await work.run(4 * HOUR);

  expect(left.map(({ id }) => id)).toEqual(ids);
  // The burst allows up to two extra texts.
  expect(mostIn(HOUR)).toBeLessThanOrEqual(100 + 2);
  expect(minutesSince(startMs, left.at(-1))).toBeLessThanOrEqual(180);
  // Delays are at most 900 s, so each job is received once.
  expect(work.queues.done.map(({ receives }) => receives)).toEqual(work.queues.done.map(() => 1));
  expect({ deadLetters: work.queues.deadLetters, waiting: work.queues.waiting, postponed: world.postponed }).toEqual({
    deadLetters: [],
    waiting: [],
    postponed: [],
  });
});

rotating('simultaneous workers keep the hourly limit and send each text once', async () => {
  const work = await given(100, { atOnce: 10 });
  const merchant = await world.createMerchant({ credits: 100 });
  const ids = [...(await text(merchant, 50)), ...(await text(merchant, 50))];
  await work.run(4 * HOUR);
  expect(left.map(({ id }) => id).sort()).toEqual(ids.sort());
  expect(mostIn(10 * MINUTE)).toBeLessThanOrEqual(Math.ceil(100 / 6) + 2);
  expect({ deadLetters: work.queues.deadLetters, waiting: work.queues.waiting }).toEqual({
    deadLetters: [],
    waiting: [],
  });
});

test('a sender with a limit of 100,000 texts an hour sends 200 at once', async () => {
  const work = await given(100_000, { atOnce: 1 });
  const merchant = await world.createMerchant({ credits: 200 });
  const startMs = world.clock.nowMs;
  for (let n = 0; n < 4; n++) await text(merchant, 50);
  await work.run(HOUR);
  expect(left.map(({ atMs }) => atMs)).toEqual(Array.from({ length: 200 }, () => startMs));
});

test('simultaneous texts are sent at once if they are within the hourly limit', async () => {
  const work = await given(100_000, { atOnce: 20 });
  const merchant = await world.createMerchant({ credits: 100 });
  for (let round = 0; round < 5; round++) {
    // After two hours, earlier texts no longer count.
    world.clock.nowMs += 2 * HOUR * 1000;
    left.length = 0;
    await text(merchant, 20);
    await work.run(0);
    expect(left).toHaveLength(20);
  }
});

describe('merchants that share a sender', () => {
  test('can send five texts within ten minutes despite another merchant’s long queue', async () => {
    const work = await given(100, { atOnce: 10 });
    const [big, small] = [await world.createMerchant({ credits: 200 }), await world.createMerchant({ credits: 5 })];
    for (let n = 0; n < 4; n++) await text(big, 50);
    await work.run(5 * MINUTE);
    const sentMs = world.clock.nowMs;
    const few = await text(small, 5);
    await work.run(30 * MINUTE);
    const minutes = left.filter(({ id }) => few.includes(id)).map((text) => minutesSince(sentMs, text));
    expect(minutes).toHaveLength(5);
    expect(Math.max(...minutes)).toBeLessThan(10);
    // The other merchant's texts are still being sent.
    expect(left.length).toBeGreaterThan(5 + 40);
    expect(left.length).toBeLessThan(5 + 70);
  });

  test.each(sliceOf([0, 12, 24], 3))(
    'send three texts in order if the texts arrive %i s after another merchant’s slot',
    async (seconds) => {
      const work = await given(100, { atOnce: 1 });
      const [big, small] = [await world.createMerchant({ credits: 50 }), await world.createMerchant({ credits: 5 })];
      const startMs = world.clock.nowMs;
      await text(big, 50);
      // At 100 an hour, texts are sent 36 s apart.
      await work.run(3 * 36 + seconds);
      world.clock.nowMs = startMs + (3 * 36 + seconds) * 1000;
      const sentMs = world.clock.nowMs;
      const few = await text(small, 3);
      await work.run(HOUR);
      const leftOfFew = left.filter(({ id }) => few.includes(id));
      expect(leftOfFew.map(({ id }) => id)).toEqual(few);
      expect(Math.max(...leftOfFew.map((one) => minutesSince(sentMs, one)))).toBeLessThan(10);
    },
  );

  rotating('get at least a third of the limit each for single texts and a bulk send', async () => {
    const work = await given(100, { atOnce: 1 });
    const waits = await world.createMerchant({ credits: 50 });
    const trickles = await world.createMerchant({ credits: 60 });
    const waiting = await text(waits, 50);
    await work.run(10);
    left.length = 0;
    const startMs = world.clock.nowMs;
    for (let n = 1; n <= 60; n++) {
      await text(trickles, 1);
      await work.run(30);
      world.clock.nowMs = startMs + n * 30_000;
    }
    const ofBulk = left.filter(({ id }) => waiting.includes(id)).length;
    expect(left.length).toBeGreaterThanOrEqual(48);
    expect(ofBulk).toBeGreaterThanOrEqual(16);
    expect(left.length - ofBulk).toBeGreaterThanOrEqual(16);
  });
});

test('a merchant’s texts are sent in the order they were accepted', async () => {
  const work = await given(100, { atOnce: 1 });
  const merchant = await world.createMerchant({ credits: 100 });
  const ids = await text(merchant, 15);
  await work.run(20);
  ids.push(...(await text(merchant, 1)));
  await work.run(HOUR);
  expect(left.map(({ id }) => id)).toEqual(ids);
});

// The gateway stays up and keeps texts until the phone fetches them.
describe('a phone that is off for an hour', () => {
  let merchant: Merchant;
  let work: Work;
  let phone: Phone;
  beforeEach(async () => {
    work = await given(100, { atOnce: 1 });
    merchant = await world.createMerchant({ credits: CREDITS });
  });

  rotating('sends each text from the gateway once and in order', async () => {
    phone = startGateway();
    const accepted: string[] = [];
    await minutes(5, async () => void accepted.push(...(await sendOne())));
    await minutes(1);
    expect(phone.left).toEqual(accepted);
    phone.switch(false);

    // Sends one text a minute until they are rejected.
    const taken: boolean[] = [];
    await minutes(60, async () => {
      const ids = await sendOne();
      taken.push(ids.length > 0);
      accepted.push(...ids);
    });
    // The phone counts as missing after fifteen minutes.
    expect(taken.indexOf(false)).toBeGreaterThan(14);
    expect(taken.indexOf(false)).toBeLessThan(18);
    expect(taken.slice(taken.indexOf(false))).not.toContain(true);
    const body = { to: '0551112223', message: 'Hello', from: MTN };
    expectFailure(await merchant.call('sms/send', { body }), 503, 'no_sender_available');
    expect(phone.left).toHaveLength(5);
    expect(await merchant.balance()).toBe(CREDITS - accepted.length);

    phone.switch(true);
    await minutes(3);

    expect(phone.left).toEqual(accepted);
    expect(new Set(await statesOf(accepted))).toEqual(new Set(['delivered']));
    expect((await merchant.call('sms/from')).json.data.senders).toMatchObject([{ available: true }]);
    accepted.push(...(await sendOne()));
    await minutes(2);
    expect(phone.left).toEqual(accepted);
    expect(work.queues.deadLetters).toEqual([]);
    expect(work.queues.done.map(({ receives }) => receives)).toEqual(work.queues.done.map(() => 1));
    expect(await merchant.refunds()).toEqual([]);
    expect(await merchant.balance()).toBe(CREDITS - accepted.length);
  });

  rotating('sends a waiting bulk send once and in order', async () => {
    phone = startGateway();
    phone.switch(false);
    const ids = await text(merchant, 40);
    await minutes(60);
    expect(phone.left).toEqual([]);
    phone.switch(true);
    await minutes(3);
    expect(phone.left).toEqual(ids);
    expect(new Set(await statesOf(ids))).toEqual(new Set(['delivered']));
    expect({ deadLetters: work.queues.deadLetters, waiting: work.queues.waiting }).toEqual({
      deadLetters: [],
      waiting: [],
    });
  });

  rotating('sends each text once, even if the gateway returns 503 for most of the hour', async () => {
    phone = startGateway({ mostPending: 5 });
    phone.switch(false);
    const accepted: string[] = [];
    await minutes(14, async () => void accepted.push(...(await sendOne())));
    await minutes(46);
    expect(phone.left).toEqual([]);
    phone.switch(true);
    await minutes(20);
    // Texts that the gateway rejected are retried separately, so their order may change.
    expect(phone.left.slice(0, 5)).toEqual(accepted.slice(0, 5));
    expect(phone.left.toSorted()).toEqual(accepted.toSorted());
    expect(Math.max(...work.queues.done.map(({ receives }) => receives))).toBeLessThan(17);
    expect(new Set(await statesOf(accepted))).toEqual(new Set(['delivered']));
    expect({ deadLetters: work.queues.deadLetters, waiting: work.queues.waiting }).toEqual({
      deadLetters: [],
      waiting: [],
    });
    expect(await merchant.refunds()).toEqual([]);
    expect(await merchant.balance()).toBe(CREDITS - accepted.length);
  });

  /** Creates a gateway with one phone. It accepts at most `mostPending` texts at a time. */
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
      const { id } = z.object({ id: z.string() }).parse(await request.json());
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

  /** Advances the clock by minutes. `happens` is called once a minute. */
  async function minutes(count: number, happens?: () => Promise<void>): Promise<void> {
    const each = async () => {
      await happens?.();
      await phone.minute();
    };
    await work.run(count * 60, { housekeeping: true, each });
  }

  /** Sends a text. Returns its id, or nothing if it was rejected. */
  async function sendOne(): Promise<string[]> {
    return text(merchant, 1).catch(() => []);
  }

  async function statesOf(ids: readonly string[]): Promise<string[]> {
    const shown = await Promise.all(ids.map((id) => merchant.call('sms/show', { parameters: { id } })));
    return shown.map(({ json }) => json.data.status);
  }
});

interface Phone {
  /** Ids of sent texts, in order. */
  readonly left: string[];
  switch(isOn: boolean): void;
  /** Simulates one minute: the phone sends and reports its texts. */
  minute(): Promise<void>;
}

async function given(messages_per_hour: number, { atOnce }: { atOnce: number }): Promise<Work> {
  await world.addSender({ number: MTN, messages_per_hour });
  return startWork(world, { atOnce });
}

/** Sends a text to this many recipients and returns the ids. */
async function text(merchant: Merchant, count: number): Promise<string[]> {
  const to = Array.from({ length: count }, (_, n) => `05511122${n + 10}`);
  const { id, ids } = await merchant.text({ to, from: MTN });
  await world.relayChanges({ after: (await world.sendRow(id)) ?? {} });
  return ids;
}

/** Returns the maximum number of texts in any period of this length. */
function mostIn(seconds: number): number {
  const within = left.map(({ atMs }) => left.filter((one) => one.atMs >= atMs && one.atMs < atMs + seconds * 1000));
  return Math.max(...within.map(({ length }) => length));
}

function minutesSince(startMs: number, text: { atMs: number } | undefined): number {
  return ((text?.atMs ?? Number.NaN) - startMs) / (MINUTE * 1000);
}
