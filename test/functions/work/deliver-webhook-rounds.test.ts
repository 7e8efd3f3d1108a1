import { beforeEach, describe, expect, test } from 'vitest';
import { refuse } from '../../support/disturb.ts';
import { type Merchant, type Scene, scene } from '../../support/scene.ts';
import { opened, startWork, type Work } from '../../support/webhooks.ts';

// An event from its first try to its end, on a clock that is moved: the queue hands jobs out when they are due, and
// housekeeping runs where nothing waits in the queue.

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const PLAN = [0, 5, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];

let world: Scene;
let merchant: Merchant;
let secret: string;
let work: Work;
beforeEach(async () => {
  world = await scene({ inMemory: true });
  merchant = await world.createMerchant();
  secret = await merchant.setWebhook();
  work = startWork(world);
});

test('ten tries over about three days, each as long after the one before as planned; then it is given up', async () => {
  const id = await merchant.newEvent();
  const triedMs = answer(() => 500);

  await toTheEnd(id);

  expect(triedMs).toHaveLength(10);
  const waits = triedMs.map((ms, n) => (ms - (triedMs[n - 1] ?? ms)) / 1000);
  for (const [n, wait] of waits.entries()) {
    const planned = PLAN[n] ?? 0;
    expect(wait).toBeGreaterThanOrEqual(planned);
    // A tenth by chance, a second of the queue's, and for what housekeeping queues half a minute and a minute.
    expect(wait).toBeLessThanOrEqual(planned * 1.1 + (planned > 900 ? 91 : 1));
  }
  const attempts = PLAN.map((_, n) => ({ number: n + 1, status_code: 500 }));
  const shown = { status: 'gave_up', tries: 10, next_try_at: null, attempts };
  expect(await merchant.shownEvent(id)).toMatchObject(shown);
  expect(await world.eventRow(id)).not.toHaveProperty('gsi2pk');
});

test('every try has the same id and body, and a signature of its own time', async () => {
  const id = await merchant.newEvent();
  const verified: unknown[] = [];
  world.receiver = async (post) => {
    verified.push(opened(world, post, secret));
    return { statusCode: 500, headers: {}, text: '' };
  };
  await toTheEnd(id);
  expect(verified).toHaveLength(10);
  expect(new Set(world.posted.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([id]));
  expect(new Set(world.posted.map(({ body }) => body)).size).toBe(1);
  expect(new Set(world.posted.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(10);
});

test('500 twice, then 200: three tries, and then nothing', async () => {
  const id = await merchant.newEvent();
  const triedMs = answer((n) => (n < 3 ? 500 : 200));
  await toTheEnd(id);
  expect(triedMs).toHaveLength(3);
  const attempts = [500, 500, 200].map((status_code) => ({ status_code }));
  expect(await merchant.shownEvent(id)).toMatchObject({ status: 'delivered', tries: 3, attempts });
  world.clock.nowMs += 100 * HOUR * 1000;
  await world.housekeeping();
  expect(work.queues.waiting).toEqual([]);
});

test('waiting uses up no receive: each job is delivered once, delayed for 900 seconds at most', async () => {
  const id = await merchant.newEvent();
  answer(() => 500);
  await toTheEnd(id);
  expect(work.queues.done.map(({ receives }) => receives)).toEqual(work.queues.done.map(() => 1));
  expect(world.queued.every(({ job }) => (job.delaySeconds ?? 0) <= 900)).toBe(true);
  expect(world.queued.map(({ job }) => job.body)).toEqual(PLAN.map((_, tries) => ({ event_id: id, tries })));
  expect([work.queues.deadLetters, world.postponed]).toEqual([[], []]);
});

test('fifty events are each delivered once, although the receiver fails the first time', async () => {
  const ids = await Promise.all(Array.from({ length: 50 }, () => merchant.newEvent()));
  const [failed, accepted]: [string[], string[]] = [[], []];
  world.receiver = async ({ headers: { 'webhook-id': id = '' } }) => {
    const isFirst = !failed.includes(id);
    (isFirst ? failed : accepted).push(id);
    return { statusCode: isFirst ? 502 : 200, headers: {}, text: '' };
  };
  await world.relayChanges(...(await Promise.all(ids.map(async (id) => ({ after: await world.eventRow(id) })))));
  await work.run(HOUR, { housekeeping: true });
  expect(accepted.sort()).toEqual(ids.sort());
});

describe('a worker that dies', () => {
  test.each(['before the request', 'after the request'])(
    '%s costs that one try: the next is made, and the event ends well',
    async (when) => {
      const id = await merchant.newEvent();
      const triedMs = answer(() => 200);
      die(when);
      await toTheEnd(id);
      const attempts = [{ number: 2, status_code: 200 }];
      expect(await merchant.shownEvent(id)).toMatchObject({ status: 'delivered', tries: 2, attempts });
      // The receiver may have seen the first one too. It knows the second by its id.
      expect(triedMs).toHaveLength(when === 'after the request' ? 2 : 1);
    },
  );

  test('and whose job the queue delivers again does not make a third try', async () => {
    const id = await merchant.newEvent();
    const triedMs = answer(() => 500);
    die('before the request');
    await world.relayChanges({ after: await world.eventRow(id) });
    // The queue hands a dead worker's job out again after three minutes, and the event has been tried by then.
    await work.run(HOUR, { housekeeping: true });
    expect((await world.eventRow(id)).tries).toBe(triedMs.length + 1);
    const { attempts } = await merchant.shownEvent(id);
    expect(attempts).toHaveLength(triedMs.length);
  });

  test.each(['before the request', 'after the request'])('%s of the last try: the event is given up', async (when) => {
    const id = await merchant.newEvent();
    const triedMs = answer((n) => {
      if (n === 9) die(when);
      return 500;
    });
    await toTheEnd(id);
    expect(triedMs).toHaveLength(when === 'after the request' ? 10 : 9);
    expect(await merchant.shownEvent(id)).toMatchObject({ status: 'gave_up', tries: 10, next_try_at: null });
    expect(await world.eventRow(id)).not.toHaveProperty('gsi2pk');
  });

  test('at every single try: ten requests are the most, and the event ends', async () => {
    const id = await merchant.newEvent();
    const triedMs = answer(() => {
      die('after the request');
      return 500;
    });
    die('after the request');
    await toTheEnd(id);
    expect(triedMs.length).toBeLessThanOrEqual(10);
    expect(await merchant.shownEvent(id)).toMatchObject({ status: 'gave_up', tries: 10, attempts: [] });
  });
});

describe('a table or queue that is unavailable for a moment', () => {
  test('after the request: the next try is made when it is due', async () => {
    const id = await merchant.newEvent();
    const triedMs = answer((n) => (n < 2 ? 500 : 200));
    refuse(world, 'TransactWriteItems', 1, () => new Error('The table is away'));
    await toTheEnd(id);
    expect(triedMs).toHaveLength(2);
    expect(await merchant.shownEvent(id)).toMatchObject({ status: 'delivered', tries: 2 });
  });

  test('when the next try is queued: housekeeping queues it', async () => {
    const id = await merchant.newEvent();
    answer((n) => (n < 3 ? 500 : 200));
    const { send } = world.outside.queues;
    let sends = 0;
    world.outside.queues.send = async (queue, jobs) => {
      sends += 1;
      if (sends === 2) throw new Error('The queue is away');
      await send(queue, jobs);
    };
    await toTheEnd(id);
    expect(await merchant.shownEvent(id)).toMatchObject({ status: 'delivered', tries: 3 });
  });
});

/** What the receiver answers to each try, the first being 1; gives the times of the tries. */
function answer(statusOf: (n: number) => number): number[] {
  const triedMs: number[] = [];
  world.receiver = async () => {
    triedMs.push(world.clock.nowMs);
    return { statusCode: statusOf(triedMs.length), headers: {}, text: '' };
  };
  return triedMs;
}

/** The next try that is taken is its worker's last deed, before or after the request. */
function die(when: string): void {
  world.dynamoDb = async ({ command, input }, send) => {
    const written = JSON.stringify(input);
    const settles = written.includes('ATTEMPT#') || written.includes('ended_by');
    const isTry = ['PutItem', 'TransactWriteItems'].includes(command) && written.includes('EVENT#');
    if (!isTry || settles !== (when === 'after the request')) return send();
    world.dynamoDb = (_, next) => next();
    // Taking a try is written, and settling one is not.
    if (!settles) await send();
    work.kill();
    await new Promise(() => {});
  };
}

/** Queues an event and lets time go by until it has ended. */
async function toTheEnd(id: string): Promise<void> {
  await world.relayChanges({ after: await world.eventRow(id) });
  for (;;) {
    await work.run(HOUR);
    const { state, next_try_at } = await world.eventRow(id);
    if (state !== 'pending') return;
    const dueMs = Date.parse(String(next_try_at));
    // A minute before its time nobody queues it; half a minute after it somebody does.
    world.clock.nowMs = Math.max(world.clock.nowMs, dueMs - MINUTE * 1000);
    if (world.clock.nowMs <= dueMs + 29_000) {
      await world.housekeeping();
      expect(work.queues.waiting).toEqual([]);
    }
    world.clock.nowMs = Math.max(world.clock.nowMs, dueMs + 31_000);
    await world.housekeeping();
    expect(work.queues.waiting).toHaveLength(1);
  }
}
