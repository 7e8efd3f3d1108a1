import { beforeEach, describe, expect, test } from 'vitest';
import { MINUTE_MS } from '../../../shared/runtime/values/calendar.ts';
import { endpointRows } from '../../../shared/webhook/endpoint.table.ts';
import { createWebhookEvent } from '../../../shared/webhook/event.table.ts';
import { newWebhookEvent, type WebhookEventType } from '../../../shared/webhook/event.ts';
import { liveHolder } from '../../support/holders.ts';
import { type Merchant, type Scene, scene } from '../../support/scene.ts';
import { startWork } from '../../support/webhooks.ts';

let world: Scene;
let greedy: Merchant;
let modest: Merchant;
beforeEach(async () => {
  world = await scene({ inMemory: true });
  greedy = await world.createMerchant();
  modest = await world.createMerchant();
  await greedy.setWebhook('https://greedy.example.com/hooks');
  await modest.setWebhook('https://modest.example.com/hooks');
});

describe('overdue webhook attempts', () => {
  test('are queued within a minute despite another merchant’s backlog', async () => {
    await fill(greedy, 2_000);
    world.clock.nowMs += MINUTE_MS;
    const id = await modest.newEvent();
    world.clock.nowMs += MINUTE_MS;
    await world.housekeeping();
    expect(queuedIds()).toContain(id);
  });

  test('alternate between merchants', async () => {
    await fill(greedy, 600);
    const few: string[] = [];
    for (let n = 0; n < 3; n++) few.push(await modest.newEvent());
    world.clock.nowMs += MINUTE_MS;
    await world.housekeeping();
    expect(queuedIds().slice(0, 6)).toEqual(expect.arrayContaining(few));
    expect(new Set(queuedIds()).size).toBe(603);
  });

  test('are requeued after an hour if their jobs may have been lost', async () => {
    const id = await modest.newEvent();
    world.clock.nowMs += MINUTE_MS;
    await world.housekeeping();
    expect(queuedIds()).toEqual([id]);
    for (let minutes = 0; minutes < 45; minutes++) {
      world.clock.nowMs += MINUTE_MS;
      await world.housekeeping();
    }
    expect(queuedIds()).toEqual([id]);
    world.clock.nowMs += 15 * MINUTE_MS;
    await world.housekeeping();
    expect(queuedIds()).toEqual([id, id]);
  });

  test('keep their new schedule if an attempt is made in the meantime', async () => {
    const id = await modest.newEvent();
    world.receiver = async () => ({ statusCode: 500, headers: {}, text: '' });
    world.clock.nowMs += MINUTE_MS;
    world.outside.queues.send = async () => {
      world.outside.queues.send = async () => {};
      await world.makeTry(id);
    };
    await world.housekeeping();
    const { gsi2sk, next_try_at } = await world.eventRow(id);
    expect(gsi2sk).toBe(`${modest.id}#${next_try_at}#${id}`);
  });
});

describe('a slow receiver', () => {
  test('gets one event every 7.5 seconds', async () => {
    await isSlow(greedy);
    const ids = await fill(greedy, 20);
    world.posted.length = 0;
    await makeTries(ids);
    expect(world.posted).toHaveLength(1);
    const rows = await Promise.all(ids.map((id) => world.eventRow(id)));
    const waiting = rows.filter(({ tries }) => tries === 0);
    const slots = waiting.map(({ next_try_at }) => Date.parse(String(next_try_at)) - world.clock.nowMs);
    expect(slots).toEqual(Array.from({ length: 19 }, (_, n) => (n + 1) * 7_500));
  });

  test('is treated as slow before its first response arrives', async () => {
    const ids = await fill(greedy, 1);
    const slowMs = async () => (await endpointRows.find(world.outside, liveHolder(greedy.id)))?.slow_ms;
    world.outside.sleep = async (ms) => {
      world.clock.nowMs += ms;
    };
    const { promise, resolve: answer } = Promise.withResolvers<Awaited<ReturnType<Scene['receiver']>>>();
    world.receiver = () => promise;
    const trying = makeTries(ids);
    await expect.poll(slowMs).toBe(8_000);
    world.clock.nowMs += 1_000;
    answer({ statusCode: 200, headers: {}, text: '' });
    await trying;
    expect(await slowMs()).toBe(9_000);
  });

  test('does not delay other merchants’ events', async () => {
    await isSlow(greedy);
    const [theirs, ids] = [await fill(greedy, 20), await fill(modest, 5)];
    await makeTries([...theirs, ...ids]);
    for (const id of ids) expect(await world.eventRow(id)).toMatchObject({ state: 'delivered' });
  });

  test('gets every event exactly once', async () => {
    const work = startWork(world, { atOnce: 1 });
    await isSlow(greedy);
    world.posted.length = 0;
    const ids = await fill(greedy, 300);
    await queueTries(ids);
    // Each attempt is slow enough to keep the receiver slow.
    world.receiver = thinksFor(4_000);
    await work.run(3 * 3_600, { housekeeping: true });
    for (const id of ids) expect(await world.eventRow(id)).toMatchObject({ state: 'delivered', tries: 1 });
    expect(world.posted).toHaveLength(300);
  });

  test('receives events at full speed again after it recovers', async () => {
    const work = startWork(world, { atOnce: 1 });
    await isSlow(greedy);
    for (const round of ['first', 'second']) {
      const ids = await fill(greedy, 100, round);
      await queueTries(ids);
      await work.run(800);
      for (const id of ids) expect(await world.eventRow(id)).toMatchObject({ state: 'delivered' });
    }
    world.posted.length = 0;
    await makeTries(await fill(greedy, 20, 'later'));
    expect(world.posted).toHaveLength(20);
  });

  test('gets one event at a time after a single fast response', async () => {
    await isSlow(greedy);
    await makeTries(await fill(greedy, 1, 'quick'));
    world.posted.length = 0;
    world.clock.nowMs += 60_000;
    await makeTries(await fill(greedy, 20));
    expect(world.posted).toHaveLength(1);
  });

  test('has at most 15 minutes of events scheduled ahead', async () => {
    await isSlow(greedy);
    const ids = await fill(greedy, 200);
    await makeTries(ids);
    const rows = await Promise.all(ids.map((id) => world.eventRow(id)));
    const [withSlot = [], without = []] = [true, false].map((hasSlot) => {
      const waiting = rows.filter(({ has_slot, tries }) => tries === 0 && (has_slot ?? false) === hasSlot);
      return waiting.map(({ next_try_at }) => minutesUntil(next_try_at));
    });
    expect({ posts: withSlot.length, highestSlot: Math.max(...withSlot) }).toEqual({ posts: 120, highestSlot: 15 });
    expect([without.length, ...new Set(without)]).toEqual([200 - 120 - 1, 20]);
  });
});

test('payment events are never delayed by text events to the same receiver', async () => {
  await isSlow(greedy);
  world.posted.length = 0;
  const texts = await fill(greedy, 200, 'text', 'sms.cancelled');
  await makeTries(texts);
  expect(world.posted).toHaveLength(1);
  const rows = await Promise.all(texts.slice(1, 4).map((id) => world.eventRow(id)));
  expect(rows.map(({ next_try_at }) => minutesUntil(next_try_at))).toEqual([0.25, 0.5, 0.75]);
  const [paid = ''] = await fill(greedy, 1, 'paid');
  await makeTries([paid]);
  expect(await world.eventRow(paid)).toMatchObject({ state: 'delivered' });
});

/** Makes a merchant's receiver take fifteen seconds once. */
async function isSlow(merchant: Merchant): Promise<void> {
  const { receiver } = world;
  world.receiver = thinksFor(15_000);
  await world.makeTry(await merchant.newEvent());
  world.receiver = receiver;
  world.clock.nowMs += MINUTE_MS;
}

function thinksFor(ms: number): Scene['receiver'] {
  return async () => {
    world.clock.nowMs += ms;
    return { statusCode: 200, headers: {}, text: '' };
  };
}

/** Delivers all events in one batch. */
async function makeTries(ids: readonly string[]): Promise<void> {
  const jobs = ids.map((event_id) => ({ event_id, tries: 0 }));
  const { batchItemFailures } = await world.work('deliver-webhook', jobs);
  expect(batchItemFailures).toEqual([]);
}

async function queueTries(ids: readonly string[]): Promise<void> {
  const jobs = ids.map((event_id) => ({ body: { event_id, tries: 0 }, group: greedy.id }));
  await world.outside.queues.send('deliver-webhook', jobs);
}

function minutesUntil(time: unknown): number {
  return (Date.parse(String(time)) - world.clock.nowMs) / MINUTE_MS;
}

/** Creates due events that have not been queued. */
async function fill({ id }: Merchant, count: number, name = 'event', type: WebhookEventType = 'charge.expired') {
  const ids: string[] = [];
  for (let n = 0; n < count; n++) {
    const event = newWebhookEvent(liveHolder(id), type, { cause: `${name} ${n}`, at: world.iso(), data: {} });
    await world.outside.table.write([createWebhookEvent(event)]);
    ids.push(event.event_id);
  }
  return ids;
}

function queuedIds(): string[] {
  return world.queued.flatMap(({ job: { body } }) => ('event_id' in body ? [String(body.event_id)] : []));
}
