import { beforeEach, describe, expect, test } from 'vitest';
import { MINUTE_MS } from '../../../shared/runtime/values/calendar.ts';
import { endpointRows } from '../../../shared/webhook/endpoint.table.ts';
import { createWebhookEvent } from '../../../shared/webhook/event.table.ts';
import { newWebhookEvent } from '../../../shared/webhook/event.ts';
import { TimedWork } from '../../simulation/timed-work.ts';
import { liveHolder } from '../../support/holders.ts';
import { type Merchant, type Scene, scene } from '../../support/scene.ts';
import { sliceOf } from '../../support/slice.ts';

// A merchant with a slow receiver tries to use more than two workers at a time.

const GREEDY = 'https://greedy.example.com/hooks';
const SECOND_MS = 1_000;
const OK = { statusCode: 200, headers: {}, text: '' };

let world: Scene;
let greedy: Merchant;
beforeEach(async () => {
  world = await scene({ inMemory: true });
  greedy = await world.createMerchant();
  await greedy.setWebhook(GREEDY);
});

describe('a receiver that took fifteen seconds to respond', () => {
  const again = () => greedy.setWebhook(GREEDY);

  test.each<[string, change: () => Promise<unknown>]>([
    ['its URL is set again', again],
    ['the path of its URL changes', () => greedy.setWebhook(`${GREEDY}?2`)],
    ['its webhook is removed and set again', () => greedy.call('webhook/remove').then(again)],
  ])('is still treated as slow if %s', async (_, change) => {
    world.receiver = slow;
    await world.makeTry(await greedy.newEvent());
    await change();
    await expectSlow();
  });

  test('is still treated as slow if its URL changes during the response', async () => {
    world.receiver = async () => {
      await greedy.setWebhook(`${GREEDY}?${world.clock.nowMs}`);
      return slow();
    };
    await world.makeTry(await greedy.newEvent());
    await expectSlow();
  });

  async function slow() {
    world.clock.nowMs += 15 * SECOND_MS;
    return OK;
  }

  async function expectSlow(): Promise<void> {
    world.receiver = async () => OK;
    world.clock.nowMs += MINUTE_MS;
    world.posted.length = 0;
    const events = await Promise.all(Array.from({ length: 20 }, (_, n) => newEvent(greedy, `event ${n}`)));
    const jobs = events.map((event_id) => ({ event_id, tries: 0 }));
    await world.work('deliver-webhook', jobs);
    expect(world.posted).toHaveLength(1);
  }
});

describe('merchants that share workers with a slow receiver', () => {
  let work: TimedWork;
  let modest: Merchant;
  /** Delays of the other merchant's events. */
  let waits: number[];
  let madeMs: Map<string, number>;
  beforeEach(async () => {
    work = new TimedWork(world);
    modest = await world.createMerchant();
    await modest.setWebhook('https://modest.example.com/hooks');
    waits = [];
    madeMs = new Map();
  });

  const never = { takesMs: 15 * SECOND_MS, events: 300, setsEverySecond: true };
  const nearly = { takesMs: 1_900, events: 3_000, setsEverySecond: false };
  const servers = [
    { name: 'wait at most 16 s if the receiver never responds and keeps changing its URL', server: never },
    { name: 'wait at most 16 s if the receiver is nearly slow and has 3,000 events', server: nearly },
  ];

  test.each(sliceOf(servers, 2))('$name', async ({ server: { takesMs, events, setsEverySecond } }) => {
    receive(async () => {
      await work.sleep(takesMs);
      return { ...OK, statusCode: takesMs > 10_000 ? 503 : 200 };
    });
    for (let n = 0; n < events; n++) work.after(n, () => void tell(greedy, `greedy ${n}`));
    for (let n = 0; setsEverySecond && n < 600; n++)
      work.after(n * SECOND_MS, () => void greedy.setWebhook(`${GREEDY}?${n}`));
    for (let n = 0; n < 55; n++)
      work.after(30 * SECOND_MS + n * 10 * SECOND_MS, () => void tell(modest, `modest ${n}`));
    await work.run(1_800 * SECOND_MS);
    expect(waits).toHaveLength(55);
    expect(Math.max(...waits)).toBeLessThan(16 * SECOND_MS);
  });

  test('wait only briefly if the receiver hangs after each recovery', async () => {
    const halfAnHourMs = 30 * MINUTE_MS;
    world.outside.sleep = (ms) => work.sleep(ms);
    const startMs = world.clock.nowMs;
    let lately: number[] = [];
    let hung = 0;
    receive(async () => {
      lately = [...lately.filter((ms) => world.clock.nowMs - ms < 300), world.clock.nowMs];
      if (lately.length > 2) {
        hung++;
        await work.sleep(14_900);
      }
      return OK;
    }, 100);
    let made = 0;
    // Sends sixty events whenever the receiver counts as fast again.
    const attack = async () => {
      if (world.clock.nowMs - startMs > halfAnHourMs) return;
      const isSlow = (await endpointRows.find(world.outside, liveHolder(greedy.id)))?.slow_ms !== undefined;
      for (let n = 0; n < (isSlow ? 1 : 60); n++) void tell(greedy, `${made++}`);
      work.after((isSlow ? 3 : 16) * SECOND_MS, () => void attack());
    };
    for (let ms = 0; ms < halfAnHourMs; ms += 2 * SECOND_MS) work.after(ms, () => void tell(modest, `${made++}`));
    work.after(SECOND_MS, () => void attack());
    await work.run(halfAnHourMs + MINUTE_MS);
    expect({ waits: waits.length, manyHung: hung > 10 }).toEqual({ waits: 900, manyHung: true });
    expect(waits.filter((ms) => ms > 5 * SECOND_MS).length).toBeLessThan(900 / 50);
  });

  /** Sets the slow receiver's responses and the other receiver's response time. */
  function receive(greedily: () => ReturnType<Scene['receiver']>, modestMs = 0): void {
    world.receiver = async ({ url, headers }) => {
      if (url.startsWith(GREEDY)) return greedily();
      waits.push(world.clock.nowMs - (madeMs.get(headers['webhook-id'] ?? '') ?? Number.NaN));
      if (modestMs > 0) await work.sleep(modestMs);
      return OK;
    };
  }

  async function tell(merchant: Merchant, cause: string): Promise<void> {
    const event_id = await newEvent(merchant, cause);
    madeMs.set(event_id, world.clock.nowMs);
    await world.outside.queues.send('deliver-webhook', [{ body: { event_id, tries: 0 }, group: merchant.id }]);
  }
});

async function newEvent({ id }: Merchant, cause: string): Promise<string> {
  const event = newWebhookEvent(liveHolder(id), 'charge.expired', { cause, at: world.iso(), data: {} });
  await world.outside.table.write([createWebhookEvent(event)]);
  return event.event_id;
}
