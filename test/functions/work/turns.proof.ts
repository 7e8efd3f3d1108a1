import { beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { laneEndsMs } from '../../../shared/phones/sender/pace.table.ts';
import { HOUR_MS, MINUTE_MS } from '../../../shared/runtime/values/calendar.ts';
import { TimedWork } from '../../simulation/timed-work.ts';
import { removeSender } from '../../support/rows.ts';
import { type Merchant, type Scene, scene } from '../../support/scene.ts';
import { databaseOf } from '../../support/world.ts';

const MTN = '+233241234567';
const SECOND_MS = 1000;
/** Too slow for a burst: only one text is sent at once. */
const INTERVAL_MS = 3 * MINUTE_MS;

let world: Scene;
let merchant: Merchant;
let work: TimedWork;
let jobs: object[];
let isQueueLost: boolean;
/** Ids of sent texts and the times they were sent. */
let left: { readonly id: string; readonly ms: number }[];

beforeEach(async () => {
  world = await scene({ inMemory: true });
  await world.addSender({ number: MTN, messages_per_hour: 20 });
  merchant = await world.createMerchant({ credits: 1_000 });
  work = new TimedWork(world);
  jobs = [];
  left = [];
  isQueueLost = false;
  const { send: queue } = world.outside.queues;
  world.outside.queues.send = async (name, all) => {
    jobs.push(...all.map(({ body }) => body));
    if (!isQueueLost) await queue(name, all);
  };
  world.gateway = async (request) => {
    if (request.method === 'POST') {
      const { id } = z.object({ id: z.string() }).parse(await request.json());
      if (!left.some((text) => text.id === id)) left.push({ id, ms: world.clock.nowMs });
    }
    return Response.json({ state: 'Pending' }, { status: 202 });
  };
});

describe('texts above the sender’s hourly limit', () => {
  test('share one job while they wait for send slots', async () => {
    await accept(20);
    jobs.length = 0;
    await work.run(MINUTE_MS);
    expect(left).toHaveLength(1);
    expect(waiting()).toHaveLength(19);
    expect(jobs).toEqual([{ sender: MTN, turn_ms: expect.any(Number) }]);
  });

  test('are sent at the SIM’s hourly limit, oldest first', async () => {
    const ids = await acceptAndRun(30, 30 * INTERVAL_MS);
    expect(left.map(({ id }) => id)).toEqual(ids);
    // The burst sends early texts up to a minute ahead.
    for (const [n, { ms }] of left.entries()) {
      const earlyMs = n === 0 || n > 10 ? 0 : MINUTE_MS;
      expect(Math.abs(ms - (left[0]?.ms ?? 0) - n * INTERVAL_MS + earlyMs)).toBeLessThan(5 * SECOND_MS);
    }
  });

  test('need two jobs each and one more job that finds the queue empty', async () => {
    await acceptAndRun(50, 51 * INTERVAL_MS);
    expect(left).toHaveLength(50);
    expect(jobs.length).toBeLessThanOrEqual(2 * 50);
    expect(paces()).toEqual([]);
  });

  test('are sent immediately once the queue is empty', async () => {
    await acceptAndRun(3, 5 * INTERVAL_MS);
    jobs.length = 0;
    await acceptAndRun(1, SECOND_MS);
    expect(left).toHaveLength(4);
    expect(jobs).toHaveLength(1);
  });

  test('are queued once each despite repeated jobs', async () => {
    const [send_id = ''] = await acceptAndRun(3, SECOND_MS);
    const again = [1, 2, 2, 1].map((index) => ({ send_id, index }));
    await world.work('deliver-sms', again);
    expect(waiting()).toHaveLength(2);
    expect(await world.messageRow(send_id, 2)).toMatchObject({ state: 'pending', place: expect.any(String) });
  });

  test('use one send slot each despite repeated jobs', async () => {
    const turn = await turnOfFive();
    await Promise.all([1, 2, 3].map(() => world.work('deliver-sms', [turn])));
    await world.work('deliver-sms', [turn]);
    expect(waiting()).toHaveLength(3);
  });

  test('stay within the hourly limit even if a worker is slow', async () => {
    const turn = await turnOfFive();
    let before: unknown;
    const haveTurns = async () => {
      await world.work('deliver-sms', [turn]);
      world.clock.nowMs += INTERVAL_MS;
      await world.work('deliver-sms', jobs.slice(-1));
      before = paces();
    };
    world.rightBefore('UpdateItem', haveTurns, '#turn_ms');
    await world.work('deliver-sms', [turn]);
    expect(waiting()).toHaveLength(2);
    expect(paces()).toEqual(before);
  });

  test('are sent before another merchant’s long queue if they are few', async () => {
    await accept(30);
    await work.run(14 * INTERVAL_MS + MINUTE_MS / 2);
    const quiet = await world.createMerchant({ credits: 10 });
    const fromMs = world.clock.nowMs;
    const [id] = await accept(1, quiet);
    await work.run(INTERVAL_MS);
    const next = left.findIndex(({ ms }) => ms > fromMs);
    expect(left[next]?.id).toBe(id);
    // The burst sends the text up to a minute ahead.
    const pauseMs = (left[next]?.ms ?? 0) - (left[next - 1]?.ms ?? 0);
    expect(Math.abs(pauseMs - (INTERVAL_MS - MINUTE_MS))).toBeLessThan(5 * SECOND_MS);
  });

  test('fail and are refunded if their sender is removed', async () => {
    const [send_id = ''] = await acceptAndRun(4, SECOND_MS);
    await removeSender(world, MTN);
    await work.run(INTERVAL_MS + MINUTE_MS);
    expect(await world.messageRow(send_id, 3)).toMatchObject({ state: 'failed' });
    expect(await merchant.balance()).toBe(999);
    expect(waiting()).toEqual([]);
  });
});

describe('a text that is waiting for a send slot', () => {
  test('is requeued by housekeeping if all queued jobs are lost', async () => {
    await acceptAndRun(5, MINUTE_MS);
    isQueueLost = true;
    await work.run(4 * INTERVAL_MS);
    expect(left.length).toBeLessThanOrEqual(2);
    isQueueLost = false;
    await work.run(2 * 60 * MINUTE_MS, { housekeeping: true });
    expect(left).toHaveLength(5);
  });

  test('moves to the next slot if its worker dies', async () => {
    const ids = await acceptAndRun(3, SECOND_MS);
    let deaths = 0;
    world.dynamoDb = async ({ command, input }, ask) => {
      const isTaken = command === 'UpdateItem' && JSON.stringify(input).includes('sending_at');
      if (isTaken && deaths++ === 0) return new Promise(() => {});
      await ask();
    };
    await work.run(5 * INTERVAL_MS);
    expect(left.map(({ id }) => id)).toEqual(ids);
  });

  test('is retried after a gateway failure without delaying other texts', async () => {
    await acceptAndRun(3, SECOND_MS);
    const { gateway } = world;
    let fails = 0;
    world.gateway = async (request) => (fails++ === 0 ? new Response('', { status: 500 }) : gateway(request));
    await work.run(3 * INTERVAL_MS);
    expect(left).toHaveLength(3);
    expect(waiting()).toEqual([]);
  });

  test('does not queue a job every minute if it cannot be sent', async () => {
    await acceptAndRun(5, SECOND_MS);
    isQueueLost = true;
    jobs.length = 0;
    await work.run(2 * 60 * MINUTE_MS, { housekeeping: true });
    const turns = jobs.filter((job) => 'sender' in job);
    expect(turns.length).toBeGreaterThan(3);
    expect(turns.length).toBeLessThanOrEqual(10);
  });

  test('is not lost if it arrives just as the queue becomes empty', async () => {
    await acceptAndRun(2, INTERVAL_MS + SECOND_MS);
    expect(waiting()).toEqual([]);
    // Two texts arrive after the worker found the queue empty, before it closes the queue.
    const twoCome = async () => {
      const [send_id = ''] = await accept(2);
      await world.work(
        'deliver-sms',
        [0, 1].map((index) => ({ send_id, index })),
      );
    };
    world.rightBefore('UpdateItem', twoCome, 'REMOVE');
    await work.run(INTERVAL_MS + SECOND_MS);
    await work.run(3 * INTERVAL_MS);
    expect(left).toHaveLength(4);
  });
});

describe('one merchant’s long queue', () => {
  test('stays in order when more texts arrive', async () => {
    const ids = await acceptAndRun(16, 10 * INTERVAL_MS + MINUTE_MS);
    ids.push(...(await accept(1)));
    await work.run(10 * INTERVAL_MS);
    expect(left.map(({ id }) => id)).toEqual(ids);
  });

  test('keeps moving while other merchants use the whole hourly limit', async () => {
    const ids = await acceptAndRun(40, SECOND_MS);
    for (let n = 0; n < 30; n++) {
      const other = await world.createMerchant({ credits: 10, momo: false });
      await accept(1, other);
      await work.run(INTERVAL_MS);
    }
    const own = left.filter(({ id }) => ids.includes(id));
    expect(own.length).toBeGreaterThan(5);
    const ends = await laneEndsMs(world.outside, { number: MTN, messages_per_hour: 20 });
    expect([...ends.keys()]).toContain(merchant.id);
    ids.push(...(await accept(1)));
    await work.run(60 * INTERVAL_MS);
    expect(left.map(({ id }) => id).filter((id) => ids.includes(id))).toEqual(ids);
  });
});

describe('a send slot', () => {
  test('is not used for a text that is already being sent', async () => {
    await world.addSender({ number: MTN, messages_per_hour: 900 });
    const { gateway } = world;
    let posts = 0;
    world.gateway = async (request) => {
      posts++;
      await work.sleep(5 * SECOND_MS);
      return gateway(request);
    };
    await acceptAndRun(30, 5 * MINUTE_MS);
    expect({ left: left.length, posts }).toEqual({ left: 30, posts: 30 });
  });

  test('is not used for an abandoned text', async () => {
    await acceptAndRun(20, SECOND_MS);
    isQueueLost = true;
    world.clock.nowMs += 73 * HOUR_MS;
    await work.run(5 * MINUTE_MS, { housekeeping: true });
    isQueueLost = false;
    expect(await merchant.balance()).toBe(1_000);
    const other = await world.createMerchant({ credits: 100, momo: false });
    const ids = await accept(5, other);
    const fromMs = world.clock.nowMs;
    const [pace] = paces();
    await world.outside.queues.send('deliver-sms', [{ body: { sender: MTN, turn_ms: pace?.turn_ms }, group: 'x' }]);
    await work.run(HOUR_MS);
    const own = left.filter(({ id }) => ids.includes(id));
    expect(own).toHaveLength(5);
    expect((own.at(-1)?.ms ?? 0) - fromMs).toBeLessThan(6 * INTERVAL_MS);
  });
});

describe('a text in an unusual state', () => {
  test('fails and is refunded if its sender and jobs were lost', async () => {
    const [send_id = ''] = await acceptAndRun(5, SECOND_MS);
    isQueueLost = true;
    await work.run(INTERVAL_MS);
    isQueueLost = false;
    await removeSender(world, MTN);
    await work.run(12 * HOUR_MS, { housekeeping: true });
    expect(await statesOf(send_id, 2, 3, 4)).toEqual(['failed', 'failed', 'failed']);
  });

  test('is not refunded if it is sent while housekeeping abandons it', async () => {
    const [send_id = ''] = await acceptAndRun(3, SECOND_MS);
    isQueueLost = true;
    world.clock.nowMs += 73 * HOUR_MS;
    await work.run(SECOND_MS);
    const [pace] = paces();
    let reads = 0;
    world.dynamoDb = async ({ command, input }, ask) => {
      const isOfSend = command === 'Query' && JSON.stringify(input).includes(`SEND#${send_id}`);
      await ask();
      // Housekeeping fails the remaining texts after its second read.
      if (isOfSend && ++reads === 2) await world.work('deliver-sms', [{ sender: MTN, turn_ms: pace?.turn_ms }]);
    };
    await work.run(2 * MINUTE_MS, { housekeeping: true });
    expect(await statesOf(send_id, 0, 1, 2)).toEqual(['failed', 'failed', 'sending']);
    expect(await merchant.balance()).toBe(999);
  });
});

/** Accepts a send to this many recipients and queues its jobs. Returns the text ids. */
async function accept(count: number, owner = merchant): Promise<string[]> {
  const to = Array.from({ length: count }, (_, n) => `05511122${n + 10}`);
  const { id: send_id, ids } = await owner.text({ to, from: MTN });
  const queued = to.map((_, index) => ({ body: { send_id, index }, group: owner.id }));
  await world.outside.queues.send('deliver-sms', queued);
  return ids;
}

/** Like `accept`, but also runs the workers for a while. */
async function acceptAndRun(count: number, ms: number): Promise<string[]> {
  const ids = await accept(count);
  await work.run(ms);
  return ids;
}

/** Makes five texts wait while their job is lost. */
async function turnOfFive(): Promise<object> {
  await accept(5);
  isQueueLost = true;
  await work.run(INTERVAL_MS);
  return jobs.at(-1) ?? {};
}

async function statesOf(sendId: string, ...places: number[]) {
  const rows = await Promise.all(places.map((n) => world.messageRow(sendId, n)));
  return rows.map((row) => row?.state);
}

function waiting() {
  return rows().filter(({ sk }) => String(sk).startsWith('WAIT#'));
}

/** Returns the rows of senders with waiting texts. */
function paces() {
  return rows().filter((row) => 'turn_ms' in row);
}

function rows() {
  return databaseOf(world).memory?.items() ?? [];
}
