import { beforeEach, describe, expect, test } from 'vitest';
import { handler as remove } from '../../../functions/webhook/remove.ts';
import { handler as show } from '../../../functions/webhook/show.ts';
import { handler } from '../../../functions/work/deliver-webhook.ts';
import { AddressNotAllowed } from '../../../shared/runtime/outside/post-public.ts';
import { rows } from '../../support/receipts.ts';
import { eventRow, HOOK, makeTry, newEvent, opened, setWebhook, shownEvent } from '../../support/webhooks.ts';
import {
  call,
  callWorker,
  createMerchant,
  createWorld,
  queueEvent,
  type TestMerchant,
  type World,
} from '../../support/world.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

let world: World;
let merchant: TestMerchant;
let secret: string;
beforeEach(async () => {
  world = await createWorld();
  merchant = await createMerchant(world);
  secret = await setWebhook(world, merchant);
});

describe('a try', () => {
  test('posts the event, signed, with 15 seconds for the receiver', async () => {
    const id = await newEvent(world, merchant);
    await makeTry(world, id);
    expect(world.posted).toEqual([
      {
        url: HOOK,
        headers: {
          'content-type': 'application/json',
          'webhook-id': id,
          'webhook-timestamp': String(Math.floor(world.clock.nowMs / 1000)),
          'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
        },
        body: (await eventRow(world, id)).body,
        timeoutMs: 15_000,
      },
    ]);
    const [post] = world.posted;
    expect(post && opened(world, post, secret)).toMatchObject({ type: 'webhook.test' });
  });

  test.each([200, 201, 202, 204, 299])('answered %i is delivered: nothing more is planned', async (statusCode) => {
    const id = await newEvent(world, merchant);
    world.receiver = async () => {
      world.clock.nowMs += 85;
      return { statusCode, headers: {}, text: 'thanks' };
    };
    const startedMs = world.clock.nowMs;
    await makeTry(world, id);
    expect(await shownEvent(world, merchant, id)).toMatchObject({
      status: 'delivered',
      tries: 1,
      next_try_at: null,
      attempts: [
        {
          number: 1,
          started_at: new Date(startedMs).toISOString(),
          duration_ms: 85,
          status_code: statusCode,
          answer: 'thanks',
          error: null,
        },
      ],
    });
    expect(await eventRow(world, id)).not.toHaveProperty('gsi2pk');
    expect([world.queued, world.postponed, world.logged]).toEqual([[], [], []]);
    expect(world.counted).toEqual({ webhook_tries_ok: 1 });
    expect(await endpoint()).toMatchObject({ enabled: true, failing_since: null });
  });

  test.each([100, 199, 300, 301, 302, 304, 307, 400, 401, 404, 408, 429, 500, 502, 503, 599])(
    'answered %i failed: the next is planned, as a job of its own',
    async (statusCode) => {
      const id = await newEvent(world, merchant);
      const startedMs = world.clock.nowMs;
      world.receiver = async () => {
        world.clock.nowMs += 40;
        return { statusCode, headers: { location: 'https://elsewhere.example.com' }, text: 'sorry' };
      };
      await makeTry(world, id);

      expect(world.posted).toHaveLength(1);
      const { attempts, next_try_at, ...event } = await shownEvent(world, merchant, id);
      expect(event).toMatchObject({ status: 'pending', tries: 1 });
      expect(attempts).toEqual([
        {
          number: 1,
          started_at: new Date(startedMs).toISOString(),
          duration_ms: 40,
          status_code: statusCode,
          answer: 'sorry',
          error: null,
        },
      ]);
      const waitMs = Date.parse(next_try_at) - startedMs;
      expect(waitMs).toBeGreaterThanOrEqual(5_000);
      expect(waitMs).toBeLessThan(5_500);
      expect(world.queued).toEqual([
        {
          queue: 'deliver-webhook',
          job: {
            body: { event_id: id, tries: 1 },
            group: merchant.id,
            delaySeconds: Math.ceil((Date.parse(next_try_at) - world.clock.nowMs) / 1000),
          },
        },
      ]);
      // A planned wait is no failure of the job: it spends no receive.
      expect([world.postponed, world.logged]).toEqual([[], []]);
      expect(await endpoint()).toMatchObject({ enabled: true, failing_since: expect.any(String) });
    },
  );

  test.each([
    ['a network error', new Error('The connection was refused')],
    ['silence', new Error('Timed out after 15 s')],
    ['a host that has become private', new AddressNotAllowed('Refused: the host does not resolve to a public address')],
  ])('that met %s failed, and says why', async (_, error) => {
    const id = await newEvent(world, merchant);
    world.receiver = async () => {
      world.clock.nowMs += 15_000;
      throw error;
    };
    await makeTry(world, id);
    expect(await shownEvent(world, merchant, id)).toMatchObject({
      status: 'pending',
      tries: 1,
      attempts: [{ number: 1, duration_ms: 15_000, status_code: null, answer: null, error: error.message }],
    });
    expect(world.queued).toMatchObject([{ job: { body: { event_id: id, tries: 1 } } }]);
    expect([world.postponed, world.logged]).toEqual([[], []]);
  });

  test('delivered five times at once is one request', async () => {
    const id = await newEvent(world, merchant);
    // All five have read event and endpoint before the first of them writes.
    const { promise: allHaveRead, resolve } = Promise.withResolvers<void>();
    let reads = 0;
    world.dynamoDb = async ({ command }, send) => {
      if (command !== 'GetItem') await allHaveRead;
      await send();
      if (command === 'GetItem' && ++reads === 10) resolve();
    };
    await makeTry(world, id, 0, 5);
    expect(world.posted).toHaveLength(1);
    expect(await shownEvent(world, merchant, id)).toMatchObject({ status: 'delivered', tries: 1, attempts: [{}] });
  });

  test('delivered again after it was made sends no request, whatever its outcome', async () => {
    const [delivered, failed] = [await newEvent(world, merchant), await newEvent(world, merchant)];
    await makeTry(world, delivered);
    world.receiver = async () => ({ statusCode: 500, headers: {}, text: '' });
    await makeTry(world, failed);
    world.clock.nowMs += 60_000;
    const before = [await eventRow(world, delivered), await eventRow(world, failed)];
    await makeTry(world, delivered, 0, 2);
    await makeTry(world, failed, 0, 2);
    expect(world.posted).toHaveLength(2);
    expect([await eventRow(world, delivered), await eventRow(world, failed)]).toEqual(before);
  });

  test('delivered too early waits for its time, and is not counted', async () => {
    const id = await newEvent(world, merchant);
    world.receiver = async () => ({ statusCode: 500, headers: {}, text: '' });
    await makeTry(world, id);
    world.clock.nowMs += 6_000;
    await makeTry(world, id, 1);
    const before = await eventRow(world, id);
    world.queued.length = 0;
    world.clock.nowMs += 60_000;

    await makeTry(world, id, 2);

    expect(world.posted).toHaveLength(2);
    expect(await eventRow(world, id)).toEqual(before);
    const waitMs = Date.parse(String(before.next_try_at)) - world.clock.nowMs;
    expect(world.queued).toEqual([
      {
        queue: 'deliver-webhook',
        job: { body: { event_id: id, tries: 2 }, group: merchant.id, delaySeconds: Math.ceil(waitMs / 1000) },
      },
    ]);
  });

  test('that waits longer than a queue can hold it back is left to housekeeping', async () => {
    const id = await newEvent(world, merchant);
    world.receiver = async () => ({ statusCode: 500, headers: {}, text: '' });
    for (const tries of [0, 1]) {
      await makeTry(world, id, tries);
      world.clock.nowMs = Date.parse(String((await eventRow(world, id)).next_try_at));
    }
    world.queued.length = 0;
    await makeTry(world, id, 2);
    await makeTry(world, id, 3);
    expect(world.posted).toHaveLength(3);
    expect(world.queued).toEqual([]);
  });

  test('of an event that does not exist is nothing', async () => {
    await makeTry(world, `evt_${'0'.repeat(32)}`);
    expect([world.posted, world.queued, await rows(world, 'EVENT')]).toEqual([[], [], []]);
  });

  test('one bad job does not hurt the others of its batch', async () => {
    const [one, another] = [await newEvent(world, merchant), await newEvent(world, merchant)];
    const jobs = [{ event_id: one, tries: 0 }, { nonsense: true }, { event_id: another, tries: 0 }];
    const { batchItemFailures } = await callWorker(world, handler, queueEvent(jobs));
    expect(batchItemFailures).toEqual([{ itemIdentifier: '1' }]);
    expect(world.posted.map(({ headers }) => headers['webhook-id']).sort()).toEqual([one, another].sort());
  });

  test('logs nothing of what was posted or answered', async () => {
    const id = await newEvent(world, merchant);
    world.receiver = async () => ({ statusCode: 410, headers: {}, text: 'a private answer' });
    await makeTry(world, id);
    const logged = JSON.stringify(world.logged.map((line) => ({ ...line, error: String(line.fields?.error) })));
    expect(world.logged).not.toEqual([]);
    expect(logged).not.toMatch(/private answer|arrive here|whsec|shop\.example/);
  });
});

describe('a receiver that is overloaded', () => {
  test.each([
    [429, '120', 120],
    [503, '120', 120],
    [503, '3600', 3_600],
    [503, '86400', 86_400],
    [503, '99999999', 86_400],
  ])('answers %i and Retry-After: %s: the next try is then', async (statusCode, retryAfter, seconds) => {
    expect(await waitAfter(statusCode, retryAfter)).toBe(seconds);
    expect(world.queued.map(({ job }) => job.delaySeconds)).toEqual(seconds <= 900 ? [seconds] : []);
  });

  test.each([429, 503])('answers %i and a date: the next try is then', async (statusCode) => {
    // HTTP's dates know no milliseconds.
    world.clock.nowMs = Math.floor(world.clock.nowMs / 1000) * 1000;
    expect(await waitAfter(statusCode, new Date(world.clock.nowMs + 600_000).toUTCString())).toBe(600);
  });

  test.each([
    ['earlier than planned', '1'],
    ['at once', '0'],
    ['in the past', 'Wed, 21 Oct 2015 07:28:00 GMT'],
    ['in words', 'soon'],
    ['with a sign', '-120'],
    ['nothing', ''],
  ])('asks for a try %s: it is as planned', async (_, retryAfter) => {
    const wait = await waitAfter(503, retryAfter);
    expect(wait).toBeGreaterThanOrEqual(5);
    expect(wait).toBeLessThan(5.5);
  });

  test.each([301, 400, 404, 500, 502])('is not honoured if it answers %i', async (statusCode) => {
    expect(await waitAfter(statusCode, '120')).toBeLessThan(5.5);
  });

  test('waits no less than planned: a later try has its half hour', async () => {
    const id = await newEvent(world, merchant);
    world.receiver = async () => ({ statusCode: 503, headers: { 'retry-after': '60' }, text: '' });
    const waits: number[] = [];
    for (const tries of [0, 1, 2]) {
      await makeTry(world, id, tries);
      const atMs = Date.parse(String((await eventRow(world, id)).next_try_at));
      waits.push((atMs - world.clock.nowMs) / 1000);
      world.clock.nowMs = atMs;
    }
    expect(waits[0]).toBe(60);
    expect(waits[1]).toBeGreaterThanOrEqual(300);
    expect(waits[2]).toBeGreaterThanOrEqual(1_800);
  });

  async function waitAfter(statusCode: number, retryAfter: string): Promise<number> {
    const id = await newEvent(world, merchant);
    world.receiver = async () => ({ statusCode, headers: { 'retry-after': retryAfter }, text: '' });
    await makeTry(world, id);
    return (Date.parse(String((await eventRow(world, id)).next_try_at)) - world.clock.nowMs) / 1000;
  }
});

describe('an endpoint that is gone (410)', () => {
  test('is disabled at once: the event is given up, and the operator is told', async () => {
    const id = await newEvent(world, merchant);
    world.receiver = async () => ({ statusCode: 410, headers: {}, text: '' });
    await makeTry(world, id);
    expect(await shownEvent(world, merchant, id)).toMatchObject({
      status: 'gave_up',
      tries: 1,
      next_try_at: null,
      attempts: [{ status_code: 410 }],
    });
    expect(await endpoint()).toMatchObject({
      enabled: false,
      disabled_reason: 'gone',
      disabled_at: new Date(world.clock.nowMs).toISOString(),
    });
    expect(world.logged).toEqual([
      { level: 'warn', event: 'webhook_disabled', fields: { merchant_id: merchant.id, status: 410 } },
    ]);
    expect(world.queued).toEqual([]);
  });

  test('gets nothing more: waiting events are given up without a request', async () => {
    const [waiting, gone] = [await newEvent(world, merchant), await newEvent(world, merchant)];
    world.receiver = async () => ({ statusCode: 410, headers: {}, text: '' });
    await makeTry(world, gone);
    await makeTry(world, waiting);
    expect(world.posted).toHaveLength(1);
    expect(await shownEvent(world, merchant, waiting)).toMatchObject({ status: 'gave_up', tries: 0, attempts: [] });
  });

  test('is enabled again by a PUT, of the same address too', async () => {
    world.receiver = async () => ({ statusCode: 410, headers: {}, text: '' });
    await makeTry(world, await newEvent(world, merchant));
    expect(await setWebhook(world, merchant)).toBe(secret);
    expect(await endpoint()).toMatchObject({ enabled: true, disabled_reason: null, failing_since: null });
    world.receiver = async () => ({ statusCode: 200, headers: {}, text: '' });
    const id = await newEvent(world, merchant);
    await makeTry(world, id);
    expect((await shownEvent(world, merchant, id)).status).toBe('delivered');
  });

  test.each([
    ['stays enabled', async () => expect(await endpoint()).toMatchObject({ enabled: true, disabled_at: null })],
    ['is told to nobody', async () => expect(world.logged).toEqual([])],
  ])('that was given another address meanwhile %s', async (_, expectIt) => {
    const id = await newEvent(world, merchant);
    world.receiver = async () => {
      await setWebhook(world, merchant, 'https://shop.example.com/elsewhere');
      return { statusCode: 410, headers: {}, text: '' };
    };
    await makeTry(world, id);
    await expectIt();
  });

  test('and says so five times at once is disabled, and reported, once', async () => {
    const ids = await Promise.all(Array.from({ length: 5 }, () => newEvent(world, merchant)));
    world.receiver = async () => ({ statusCode: 410, headers: {}, text: '' });
    await callWorker(world, handler, queueEvent(ids.map((event_id) => ({ event_id, tries: 0 }))));
    expect(await endpoint()).toMatchObject({ enabled: false, disabled_reason: 'gone' });
    expect(world.logged.filter(({ event }) => event === 'webhook_disabled')).toHaveLength(1);
    expect(world.counted.webhooks_disabled).toBe(1);
  });
});

describe('an endpoint that keeps failing', () => {
  test('is disabled after five days, and the operator is told', async () => {
    const sinceMs = world.clock.nowMs;
    await failOnce();
    expect((await endpoint()).failing_since).toBe(new Date(sinceMs).toISOString());
    for (const days of [1, 2, 3, 4]) {
      world.clock.nowMs = sinceMs + days * DAY_MS;
      await failOnce();
    }
    world.clock.nowMs = sinceMs + 5 * DAY_MS - 1;
    await failOnce();
    expect(await endpoint()).toMatchObject({ enabled: true, failing_since: new Date(sinceMs).toISOString() });
    expect([world.logged, world.counted]).toEqual([[], { webhook_tries_failed: 6 }]);

    world.clock.nowMs += 1;
    await failOnce();

    expect(await endpoint()).toMatchObject({
      enabled: false,
      disabled_reason: 'failing',
      disabled_at: new Date(world.clock.nowMs).toISOString(),
    });
    expect(world.logged).toMatchObject([
      { level: 'warn', event: 'webhook_disabled', fields: { merchant_id: merchant.id } },
    ]);
    expect(world.counted).toEqual({ webhook_tries_failed: 7, webhooks_disabled: 1 });
  });

  test('but works once in between is not disabled: the five days start again', async () => {
    const sinceMs = world.clock.nowMs;
    await failOnce();
    world.clock.nowMs = sinceMs + 4 * DAY_MS;
    world.receiver = async () => ({ statusCode: 204, headers: {}, text: '' });
    await makeTry(world, await newEvent(world, merchant));
    expect((await endpoint()).failing_since).toBeNull();
    world.clock.nowMs = sinceMs + 6 * DAY_MS;
    await failOnce();
    expect(await endpoint()).toMatchObject({ enabled: true, failing_since: new Date(world.clock.nowMs).toISOString() });
    for (let days = 1; days <= 5; days++) {
      world.clock.nowMs += DAY_MS;
      await failOnce();
    }
    expect((await endpoint()).enabled).toBe(false);
  });

  test('but gets no events for a long time is not disabled: one failure says nothing about the days before', async () => {
    await failOnce();
    world.clock.nowMs += 6 * DAY_MS;
    await failOnce();
    expect(await endpoint()).toMatchObject({ enabled: true, failing_since: new Date(world.clock.nowMs).toISOString() });
  });

  test('counts as new after a PUT: the five days start again', async () => {
    await failOnce();
    world.clock.nowMs += 5 * DAY_MS;
    await setWebhook(world, merchant);
    await failOnce();
    expect(await endpoint()).toMatchObject({ enabled: true, failing_since: new Date(world.clock.nowMs).toISOString() });
  });

  test('does not touch another merchant’s', async () => {
    const other = await createMerchant(world);
    await setWebhook(world, other, 'https://other.example.com');
    await failOnce();
    world.clock.nowMs += 5 * DAY_MS;
    await failOnce();
    const { json } = await call(world, show, { key: other.liveKey });
    expect(json.data).toMatchObject({ enabled: true, failing_since: null });
  });

  async function failOnce(): Promise<void> {
    world.receiver = async () => ({ statusCode: 500, headers: {}, text: '' });
    await makeTry(world, await newEvent(world, merchant));
  }
});

describe('an endpoint that changes while events wait', () => {
  test('gets them at its new address', async () => {
    const id = await newEvent(world, merchant);
    await setWebhook(world, merchant, 'https://shop.example.com/elsewhere');
    await makeTry(world, id);
    expect(world.posted.map(({ url }) => url)).toEqual(['https://shop.example.com/elsewhere']);
  });

  test('and is removed gets nothing: they are given up, and say so', async () => {
    const id = await newEvent(world, merchant);
    await call(world, remove, { method: 'DELETE', key: merchant.liveKey });
    await makeTry(world, id);
    expect(world.posted).toEqual([]);
    expect(await shownEvent(world, merchant, id)).toMatchObject({ status: 'gave_up', tries: 0, next_try_at: null });
  });

  test('and is removed while a try fails stays removed', async () => {
    const id = await newEvent(world, merchant);
    world.receiver = async () => {
      await call(world, remove, { method: 'DELETE', key: merchant.liveKey });
      return { statusCode: 500, headers: {}, text: '' };
    };
    await makeTry(world, id);
    expect(await rows(world, 'WEBHOOK')).toEqual([]);
  });
});

async function endpoint() {
  return (await call(world, show, { key: merchant.liveKey })).json.data;
}
