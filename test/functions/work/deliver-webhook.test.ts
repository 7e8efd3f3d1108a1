import { beforeEach, describe, expect, test } from 'vitest';
import { AddressNotAllowed } from '../../../shared/runtime/outside/post-public.ts';
import { DAY_MS } from '../../../shared/runtime/values/calendar.ts';
import { refuse } from '../../support/disturb.ts';
import { type Merchant, type Scene, scene } from '../../support/scene.ts';
import { HOOK, opened, startWork, type Work } from '../../support/webhooks.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const PLAN = [0, 5, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];

let world: Scene;
let merchant: Merchant;
let secret: string;
/** Id of an event that has not been queued yet. */
let id: string;
beforeEach(async () => {
  world = await scene();
  merchant = await world.createMerchant();
  secret = await merchant.setWebhook();
  id = await merchant.newEvent();
});

describe('a webhook attempt', () => {
  test('posts the signed event with a timeout of 15 seconds', async () => {
    await world.makeTry(id);
    const headers = {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(world.clock.nowMs / 1000)),
      'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
    };
    expect(world.posted).toEqual([{ url: HOOK, headers, body: (await world.eventRow(id)).body, timeoutMs: 15_000 }]);
    const [post] = world.posted;
    expect(post && opened(world, post, secret)).toMatchObject({ type: 'webhook.test' });
  });

  test.each([200, 201, 202, 204, 299])('is not retried if the receiver returns %i', async (statusCode) => {
    world.receiver = async () => {
      world.clock.nowMs += 85;
      return { statusCode, headers: {}, text: 'thanks' };
    };
    const started_at = world.iso();
    await world.makeTry(id);
    const attempt = { number: 1, started_at, duration_ms: 85, status_code: statusCode, answer: 'thanks', error: null };
    const delivered = { status: 'delivered', tries: 1, next_try_at: null, attempts: [attempt] };
    expect(await merchant.shownEvent(id)).toMatchObject(delivered);
    expect(await world.eventRow(id)).not.toHaveProperty('gsi2pk');
    expect({ queued: world.queued, postponed: world.postponed, logged: world.logged }).toEqual({
      queued: [],
      postponed: [],
      logged: [],
    });
    expect(world.counted).toEqual({ webhook_tries_ok: 1 });
    expect(await endpoint()).toMatchObject({ enabled: true, failing_since: null });
  });

  test.each([100, 199, 300, 301, 302, 304, 307, 400, 401, 404, 408, 429, 500, 502, 503, 599])(
    'fails if the receiver returns %i, and the next attempt is queued',
    async (statusCode) => {
      const startedMs = world.clock.nowMs;
      world.receiver = async () => {
        world.clock.nowMs += 40;
        return { statusCode, headers: { location: 'https://elsewhere.example.com' }, text: 'sorry' };
      };
      await world.makeTry(id);

      expect(world.posted).toHaveLength(1);
      const { attempts, next_try_at, ...event } = await merchant.shownEvent(id);
      expect(event).toMatchObject({ status: 'pending', tries: 1 });
      const made = { number: 1, started_at: new Date(startedMs).toISOString(), duration_ms: 40 };
      const error = statusCode >= 300 && statusCode < 400 ? expect.stringContaining('elsewhere.example.com') : null;
      expect(attempts).toEqual([{ ...made, status_code: statusCode, answer: 'sorry', error }]);
      const waitMs = Date.parse(next_try_at) - startedMs;
      expect(waitMs).toBeGreaterThanOrEqual(5_000);
      expect(waitMs).toBeLessThan(5_500);
      expect(world.queued).toEqual([jobOf(id, 1, next_try_at)]);
      // A scheduled delay is not a failed attempt.
      expect({ postponed: world.postponed, logged: world.logged }).toEqual({ postponed: [], logged: [] });
      expect(await endpoint()).toMatchObject({ enabled: true, failing_since: expect.any(String) });
    },
  );

  test.each([
    ['a network error', new Error('The connection was refused')],
    ['a timeout', new Error('Timed out after 15 s')],
    [
      'a blocked private host',
      new AddressNotAllowed('Nothing was sent, because the host does not resolve to a public address'),
    ],
  ])('records the reason for %s', async (_, error) => {
    world.receiver = async () => {
      world.clock.nowMs += 15_000;
      throw error;
    };
    await world.makeTry(id);
    const attempt = { number: 1, duration_ms: 15_000, status_code: null, answer: null, error: error.message };
    expect(await merchant.shownEvent(id)).toMatchObject({ status: 'pending', tries: 1, attempts: [attempt] });
    expect(world.queued).toMatchObject([{ job: { body: { event_id: id, tries: 1 } } }]);
    expect({ postponed: world.postponed, logged: world.logged }).toEqual({ postponed: [], logged: [] });
  });

  test('is made only once even if its job is delivered five times simultaneously', async () => {
    // All five workers read before the first one writes.
    const { promise: allHaveRead, resolve } = Promise.withResolvers<void>();
    let reads = 0;
    world.dynamoDb = async ({ command }, send) => {
      if (command !== 'GetItem') await allHaveRead;
      await send();
      if (command === 'GetItem' && ++reads === 10) resolve();
    };
    await world.makeTry(id, 0, 5);
    expect(world.posted).toHaveLength(1);
    expect(await merchant.shownEvent(id)).toMatchObject({ status: 'delivered', tries: 1, attempts: [{}] });
  });

  test('is not repeated if its job is redelivered', async () => {
    const [delivered, failed] = [id, await merchant.newEvent()];
    await world.makeTry(delivered);
    world.receiver = async () => ({ statusCode: 500, headers: {}, text: '' });
    await world.makeTry(failed);
    world.clock.nowMs += 60_000;
    const before = [await world.eventRow(delivered), await world.eventRow(failed)];
    await world.makeTry(delivered, 0, 2);
    await world.makeTry(failed, 0, 2);
    expect(world.posted).toHaveLength(2);
    expect([await world.eventRow(delivered), await world.eventRow(failed)]).toEqual(before);
  });

  test('is postponed if its job arrives early', async () => {
    await tryOnce(500);
    world.clock.nowMs += 6_000;
    await world.makeTry(id, 1);
    const before = await world.eventRow(id);
    world.queued.length = 0;
    world.clock.nowMs += 60_000;

    await world.makeTry(id, 2);

    expect(world.posted).toHaveLength(2);
    expect(await world.eventRow(id)).toEqual(before);
    expect(world.queued).toEqual([jobOf(id, 2, String(before.next_try_at))]);
  });

  test('is left to housekeeping if its delay exceeds the queue’s maximum', async () => {
    world.receiver = async () => ({ statusCode: 500, headers: {}, text: '' });
    for (const tries of [0, 1]) {
      await world.makeTry(id, tries);
      world.clock.nowMs = Date.parse(String((await world.eventRow(id)).next_try_at));
    }
    world.queued.length = 0;
    await world.makeTry(id, 2);
    await world.makeTry(id, 3);
    expect(world.posted).toHaveLength(3);
    expect(world.queued).toEqual([]);
  });

  test('is skipped if the event does not exist', async () => {
    await world.makeTry(`evt_${'0'.repeat(32)}`);
    expect({ posted: world.posted, queued: world.queued }).toEqual({ posted: [], queued: [] });
    expect(await world.rows('EVENT')).toHaveLength(1);
  });

  test('is made despite an invalid job in the same batch', async () => {
    const [one, another] = [id, await merchant.newEvent()];
    const jobs = [{ event_id: one, tries: 0 }, { nonsense: true }, { event_id: another, tries: 0 }];
    const { batchItemFailures } = await world.work('deliver-webhook', jobs);
    expect(batchItemFailures).toEqual([{ itemIdentifier: '1' }]);
    expect(world.posted.map(({ headers }) => headers['webhook-id']).sort()).toEqual([one, another].sort());
  });

  test.each([
    [
      301,
      { location: 'https://www.shop.example.com/hooks' },
      'redirected to https://www.shop.example.com/hooks with status 301',
    ],
    [308, {}, 'redirected with status 308'],
  ])('records the target of a %i redirect without following it', async (statusCode, headers, error) => {
    world.receiver = async () => ({ statusCode, headers, text: '' });
    await world.makeTry(id);
    const { attempts } = await merchant.shownEvent(id);
    expect(attempts[0]?.error).toBe(
      `The server ${error}. Redirects are not followed. Set the webhook to the final address.`,
    );
  });

  test.each([
    ['a page that asks for JavaScript', '<!DOCTYPE html>\n<html><script>document.cookie="ok=1"</script></html>', true],
    ['a page that begins with a comment', '\n<!-- check --><html>', true],
    ['an error message of PHP in HTML', '<br />\n<b>Fatal error</b>:  Uncaught Error: Call to undefined …', true],
    ['an error message of PHP', 'PHP Fatal error:  Uncaught Error: Call to undefined …', true],
    ['nothing', '', false],
    ['a word', 'ok', false],
    ['JSON', '{"html": "<br />"}', false],
    ['XML', '<?xml version="1.0"?><Response/>', false],
    ['an element of XML', '<Response/>', false],
  ])('is delivered, with a warning about a page, if the receiver returns %s', async (_, text, isPage) => {
    world.receiver = async () => ({ statusCode: 200, headers: { 'content-type': 'text/html' }, text });
    await world.makeTry(id);
    const { status, attempts } = await merchant.shownEvent(id);
    const error = isPage ? expect.stringContaining('Check that your program received the event.') : null;
    expect({ status, attempts }).toMatchObject({ status: 'delivered', attempts: [{ answer: text, error }] });
  });

  test('has no warning about a page if the receiver rejects the event', async () => {
    world.receiver = async () => ({ statusCode: 403, headers: {}, text: '<html>Just a moment...</html>' });
    await world.makeTry(id);
    const [attempt] = (await merchant.shownEvent(id)).attempts;
    expect(attempt).toMatchObject({ status_code: 403, answer: '<html>Just a moment...</html>', error: null });
  });

  test('logs neither the event nor the response', async () => {
    world.receiver = async () => ({ statusCode: 410, headers: {}, text: 'a private answer' });
    await world.makeTry(id);
    const logged = JSON.stringify(world.logged.map((line) => ({ ...line, error: String(line.fields?.error) })));
    expect(world.logged).not.toEqual([]);
    expect(logged).not.toMatch(/private answer|arrive here|whsec|shop\.example/);
  });
});

describe('an overloaded receiver', () => {
  test.each([
    [429, '120', 120],
    [503, '120', 120],
    [503, '3600', 3_600],
    [503, '86400', 86_400],
    [503, '99999999', 86_400],
  ])('postpones the next attempt with status %i and Retry-After: %s', async (statusCode, retryAfter, seconds) => {
    expect(await waitAfter(statusCode, retryAfter)).toBe(seconds);
    expect(world.queued.map(({ job }) => job.delaySeconds)).toEqual(seconds <= 900 ? [seconds] : []);
  });

  test.each([429, 503])('postpones the next attempt with status %i and a date in Retry-After', async (statusCode) => {
    // HTTP dates have no milliseconds.
    world.clock.nowMs = Math.floor(world.clock.nowMs / 1000) * 1000;
    expect(await waitAfter(statusCode, new Date(world.clock.nowMs + 600_000).toUTCString())).toBe(600);
  });

  test.each([
    ['earlier than scheduled', '1'],
    ['immediate', '0'],
    ['in the past', 'Wed, 21 Oct 2015 07:28:00 GMT'],
    ['a word', 'soon'],
    ['a negative number', '-120'],
    ['empty', ''],
  ])('does not postpone the next attempt if Retry-After is %s', async (_, retryAfter) => {
    const wait = await waitAfter(503, retryAfter);
    expect(wait).toBeGreaterThanOrEqual(5);
    expect(wait).toBeLessThan(5.5);
  });

  test.each([301, 400, 404, 500, 502])('does not postpone the next attempt with status %i', async (statusCode) => {
    expect(await waitAfter(statusCode, '120')).toBeLessThan(5.5);
  });

  test('never brings the next attempt forward', async () => {
    world.receiver = async () => ({ statusCode: 503, headers: { 'retry-after': '60' }, text: '' });
    const waits: number[] = [];
    for (const tries of [0, 1, 2]) {
      await world.makeTry(id, tries);
      const atMs = Date.parse(String((await world.eventRow(id)).next_try_at));
      waits.push((atMs - world.clock.nowMs) / 1000);
      world.clock.nowMs = atMs;
    }
    expect(waits[0]).toBe(60);
    expect(waits[1]).toBeGreaterThanOrEqual(300);
    expect(waits[2]).toBeGreaterThanOrEqual(1_800);
  });

  async function waitAfter(statusCode: number, retryAfter: string): Promise<number> {
    world.receiver = async () => ({ statusCode, headers: { 'retry-after': retryAfter }, text: '' });
    await world.makeTry(id);
    return (Date.parse(String((await world.eventRow(id)).next_try_at)) - world.clock.nowMs) / 1000;
  }
});

describe('an endpoint that returns 410 Gone', () => {
  test('is disabled at once and reported to the operator', async () => {
    await tryOnce(410);
    const givenUp = { status: 'gave_up', tries: 1, next_try_at: null, attempts: [{ status_code: 410 }] };
    expect(await merchant.shownEvent(id)).toMatchObject(givenUp);
    expect(await endpoint()).toMatchObject({ enabled: false, disabled_reason: 'gone', disabled_at: world.iso() });
    const fields = { merchant_id: merchant.id, status: 410 };
    expect(world.logged).toEqual([{ level: 'warn', event: 'webhook_disabled', fields }]);
    expect(world.queued).toEqual([]);
  });

  test('gets no further events', async () => {
    const [waiting, gone] = [id, await merchant.newEvent()];
    world.receiver = async () => ({ statusCode: 410, headers: {}, text: '' });
    await world.makeTry(gone);
    await world.makeTry(waiting);
    expect(world.posted).toHaveLength(1);
    expect(await merchant.shownEvent(waiting)).toMatchObject({ status: 'gave_up', tries: 0, attempts: [] });
  });

  test('is re-enabled by a PUT request with the same URL', async () => {
    const next = await merchant.newEvent();
    await tryOnce(410);
    expect(await merchant.setWebhook()).toBe(secret);
    expect(await endpoint()).toMatchObject({ enabled: true, disabled_reason: null, failing_since: null });
    await tryOnce(200, next);
    expect((await merchant.shownEvent(next)).status).toBe('delivered');
  });

  test.each([
    ['stays enabled', async () => expect(await endpoint()).toMatchObject({ enabled: true, disabled_at: null })],
    ['is not reported', async () => expect(world.logged).toEqual([])],
  ])('%s if its URL changes during the attempt', async (_, expectIt) => {
    world.receiver = async () => {
      await merchant.setWebhook('https://shop.example.com/elsewhere');
      return { statusCode: 410, headers: {}, text: '' };
    };
    await world.makeTry(id);
    await expectIt();
  });

  test('is reported once despite five simultaneous 410 responses', async () => {
    const ids = await Promise.all(Array.from({ length: 5 }, () => merchant.newEvent()));
    world.receiver = async () => ({ statusCode: 410, headers: {}, text: '' });
    const jobs = ids.map((event_id) => ({ event_id, tries: 0 }));
    await world.work('deliver-webhook', jobs);
    expect(await endpoint()).toMatchObject({ enabled: false, disabled_reason: 'gone' });
    expect(world.logged.filter(({ event }) => event === 'webhook_disabled')).toHaveLength(1);
    expect(world.counted.webhooks_disabled).toBe(1);
  });
});

describe('an endpoint that keeps failing', () => {
  test('is disabled after five days and reported to the operator', async () => {
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
    expect({ logged: world.logged, counted: world.counted }).toEqual({
      logged: [],
      counted: { webhook_tries_failed: 6 },
    });

    world.clock.nowMs += 1;
    await failOnce();
    expect(await endpoint()).toMatchObject({ enabled: false, disabled_reason: 'failing', disabled_at: world.iso() });
    const fields = { merchant_id: merchant.id };
    expect(world.logged).toMatchObject([{ level: 'warn', event: 'webhook_disabled', fields }]);
    expect(world.counted).toEqual({ webhook_tries_failed: 7, webhooks_disabled: 1 });
  });

  test('has five more days after a successful attempt', async () => {
    const sinceMs = world.clock.nowMs;
    await failOnce();
    world.clock.nowMs = sinceMs + 4 * DAY_MS;
    await tryOnce(204, await merchant.newEvent());
    expect((await endpoint()).failing_since).toBeNull();
    world.clock.nowMs = sinceMs + 6 * DAY_MS;
    await failOnce();
    expect(await endpoint()).toMatchObject({ enabled: true, failing_since: world.iso() });
    for (let days = 1; days <= 5; days++) {
      world.clock.nowMs += DAY_MS;
      await failOnce();
    }
    expect((await endpoint()).enabled).toBe(false);
  });

  test('is not disabled by one failure after a quiet period', async () => {
    await failOnce();
    world.clock.nowMs += 6 * DAY_MS;
    await failOnce();
    expect(await endpoint()).toMatchObject({ enabled: true, failing_since: world.iso() });
  });

  test('has five more days after a PUT request', async () => {
    await failOnce();
    world.clock.nowMs += 5 * DAY_MS;
    await merchant.setWebhook();
    await failOnce();
    expect(await endpoint()).toMatchObject({ enabled: true, failing_since: world.iso() });
  });

  test('does not affect another merchant’s endpoint', async () => {
    const other = await world.createMerchant();
    await other.setWebhook('https://other.example.com');
    await failOnce();
    world.clock.nowMs += 5 * DAY_MS;
    await failOnce();
    const { json } = await other.call('webhook/show');
    expect(json.data).toMatchObject({ enabled: true, failing_since: null });
  });

  async function failOnce(): Promise<void> {
    await tryOnce(500, await merchant.newEvent());
  }
});

describe('a webhook with pending events', () => {
  test('receives pending events at its new URL', async () => {
    await merchant.setWebhook('https://shop.example.com/elsewhere');
    await world.makeTry(id);
    expect(world.posted.map(({ url }) => url)).toEqual(['https://shop.example.com/elsewhere']);
  });

  test('receives nothing after it is removed', async () => {
    await merchant.call('webhook/remove');
    await world.makeTry(id);
    expect(world.posted).toEqual([]);
    expect(await merchant.shownEvent(id)).toMatchObject({ status: 'gave_up', tries: 0, next_try_at: null });
  });

  test('stays removed if an attempt fails during the removal', async () => {
    world.receiver = async () => {
      await merchant.call('webhook/remove');
      return { statusCode: 500, headers: {}, text: '' };
    };
    await world.makeTry(id);
    expect(await world.rows('WEBHOOK')).toEqual([]);
  });
});

/** Follows events on a simulated clock. Housekeeping runs while the queue is empty. */
describe('delivery attempts', () => {
  let work: Work;
  beforeEach(() => {
    work = startWork(world);
  });

  test('are limited to ten over about three days', async () => {
    const triedMs = answer(() => 500);

    await toTheEnd();

    expect(triedMs).toHaveLength(10);
    const waits = triedMs.map((ms, n) => (ms - (triedMs[n - 1] ?? ms)) / 1000);
    for (const [n, wait] of waits.entries()) {
      const planned = PLAN[n] ?? 0;
      expect(wait).toBeGreaterThanOrEqual(planned);
      // Allows 10% jitter, plus 1 s for the queue or 91 s for housekeeping.
      expect(wait).toBeLessThanOrEqual(planned * 1.1 + (planned > 900 ? 91 : 1));
    }
    const attempts = PLAN.map((_, n) => ({ number: n + 1, status_code: 500 }));
    const shown = { status: 'gave_up', tries: 10, next_try_at: null, attempts };
    expect(await merchant.shownEvent(id)).toMatchObject(shown);
    expect(await world.eventRow(id)).not.toHaveProperty('gsi2pk');
  });

  test('share an event id and body but have different timestamps', async () => {
    const verified: unknown[] = [];
    world.receiver = async (post) => {
      verified.push(opened(world, post, secret));
      return { statusCode: 500, headers: {}, text: '' };
    };
    await toTheEnd();
    expect(verified).toHaveLength(10);
    expect(new Set(world.posted.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([id]));
    expect(new Set(world.posted.map(({ body }) => body)).size).toBe(1);
    expect(new Set(world.posted.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(10);
  });

  test('stop after the first success (500, 500, 200)', async () => {
    const triedMs = answer((n) => (n < 3 ? 500 : 200));
    await toTheEnd();
    expect(triedMs).toHaveLength(3);
    const attempts = [500, 500, 200].map((status_code) => ({ status_code }));
    expect(await merchant.shownEvent(id)).toMatchObject({ status: 'delivered', tries: 3, attempts });
    world.clock.nowMs += 100 * HOUR * 1000;
    await world.housekeeping();
    expect(work.queues.waiting).toEqual([]);
  });

  test('are queued one at a time with a delay of at most 900 seconds', async () => {
    answer(() => 500);
    await toTheEnd();
    expect(work.queues.done.map(({ receives }) => receives)).toEqual(work.queues.done.map(() => 1));
    expect(world.queued.every(({ job }) => (job.delaySeconds ?? 0) <= 900)).toBe(true);
    expect(world.queued.map(({ job }) => job.body)).toEqual(PLAN.map((_, tries) => ({ event_id: id, tries })));
    expect({ deadLetters: work.queues.deadLetters, postponed: world.postponed }).toEqual({
      deadLetters: [],
      postponed: [],
    });
  });

  test('deliver each of fifty events once despite early failures', async () => {
    const others = await Promise.all(Array.from({ length: 49 }, () => merchant.newEvent()));
    const ids = [id, ...others];
    const [failed, accepted]: [string[], string[]] = [[], []];
    world.receiver = async ({ headers: { 'webhook-id': event = '' } }) => {
      const isFirst = !failed.includes(event);
      (isFirst ? failed : accepted).push(event);
      return { statusCode: isFirst ? 502 : 200, headers: {}, text: '' };
    };
    await world.relayChanges(...(await Promise.all(ids.map(async (one) => ({ after: await world.eventRow(one) })))));
    await work.run(HOUR, { housekeeping: true });
    expect(accepted.sort()).toEqual(ids.sort());
  });

  describe('after a worker dies', () => {
    test.each(['before the request', 'after the request'])(
      'deliver the event later if the worker died %s',
      async (when) => {
        const triedMs = answer(() => 200);
        die(when);
        await toTheEnd();
        const attempts = [{ number: 2, status_code: 200 }];
        expect(await merchant.shownEvent(id)).toMatchObject({ status: 'delivered', tries: 2, attempts });
        // If the receiver got both attempts, it recognises the second by its id.
        expect(triedMs).toHaveLength(when === 'after the request' ? 2 : 1);
      },
    );

    test('are repeated if the queue redelivers the job', async () => {
      const triedMs = answer(() => 500);
      die('before the request');
      await world.relayChanges({ after: await world.eventRow(id) });
      // The queue redelivers the job after three minutes, and the event has already been attempted.
      await work.run(HOUR, { housekeeping: true });
      expect((await world.eventRow(id)).tries).toBe(triedMs.length + 1);
      const { attempts } = await merchant.shownEvent(id);
      expect(attempts).toHaveLength(triedMs.length);
    });

    test.each(['before the request', 'after the request'])(
      'end if the worker died %s of the last attempt',
      async (when) => {
        const triedMs = answer((n) => {
          if (n === 9) die(when);
          return 500;
        });
        await toTheEnd();
        expect(triedMs).toHaveLength(when === 'after the request' ? 10 : 9);
        expect(await merchant.shownEvent(id)).toMatchObject({ status: 'gave_up', tries: 10, next_try_at: null });
        expect(await world.eventRow(id)).not.toHaveProperty('gsi2pk');
      },
    );

    test('are limited to ten if every worker dies', async () => {
      const triedMs = answer(() => {
        die('after the request');
        return 500;
      });
      die('after the request');
      await toTheEnd();
      expect(triedMs.length).toBeLessThanOrEqual(10);
      expect(await merchant.shownEvent(id)).toMatchObject({ status: 'gave_up', tries: 10, attempts: [] });
    });
  });

  describe('while the table or queue fails briefly', () => {
    test('continue on schedule if the result cannot be stored', async () => {
      const triedMs = answer((n) => (n < 2 ? 500 : 200));
      refuse(world, 'TransactWriteItems', 1, () => new Error('The table is away'));
      await toTheEnd();
      expect(triedMs).toHaveLength(2);
      expect(await merchant.shownEvent(id)).toMatchObject({ status: 'delivered', tries: 2 });
    });

    test('are queued by housekeeping if the worker could not queue them', async () => {
      answer((n) => (n < 3 ? 500 : 200));
      const { send } = world.outside.queues;
      let sends = 0;
      world.outside.queues.send = async (queue, jobs) => {
        sends += 1;
        if (sends === 2) throw new Error('The queue is away');
        await send(queue, jobs);
      };
      await toTheEnd();
      expect(await merchant.shownEvent(id)).toMatchObject({ status: 'delivered', tries: 3 });
    });
  });

  /** Sets the response to each attempt, counted from 1. Returns the times of the attempts. */
  function answer(statusOf: (n: number) => number): number[] {
    const triedMs: number[] = [];
    world.receiver = async () => {
      triedMs.push(world.clock.nowMs);
      return { statusCode: statusOf(triedMs.length), headers: {}, text: '' };
    };
    return triedMs;
  }

  /** Makes the next worker die before or after its request. */
  function die(when: string): void {
    world.dynamoDb = async ({ command, input }, send) => {
      const written = JSON.stringify(input);
      const settles = written.includes('ATTEMPT#') || written.includes('ended_by');
      const isTry = ['PutItem', 'TransactWriteItems'].includes(command) && written.includes('EVENT#');
      if (!isTry || settles !== (when === 'after the request')) return send();
      world.dynamoDb = (_, next) => next();
      // The attempt's start is stored, but its result is not.
      if (!settles) await send();
      work.kill();
      await new Promise(() => {});
    };
  }

  /** Queues the event and advances the clock until it ends. */
  async function toTheEnd(): Promise<void> {
    await world.relayChanges({ after: await world.eventRow(id) });
    for (;;) {
      await work.run(HOUR);
      const { state, next_try_at } = await world.eventRow(id);
      if (state !== 'pending') return;
      const dueMs = Date.parse(String(next_try_at));
      // Housekeeping queues an event half a minute after its due time, never before.
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
});

/** Returns the job for the next attempt, due at this time. */
function jobOf(event_id: string, tries: number, dueAt: string) {
  const delaySeconds = Math.ceil((Date.parse(dueAt) - world.clock.nowMs) / 1000);
  return { queue: 'deliver-webhook', job: { body: { event_id, tries }, group: merchant.id, delaySeconds } };
}

/** Makes an event's first attempt and returns this status to it. */
async function tryOnce(statusCode: number, of = id): Promise<void> {
  world.receiver = async () => ({ statusCode, headers: {}, text: '' });
  await world.makeTry(of);
}

async function endpoint() {
  return (await merchant.call('webhook/show')).json.data;
}
