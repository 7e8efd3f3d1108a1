import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { MomoKiosk, webhookEventTypes, webhooks } from 'momo-kiosk-client';
import { eventsOfKind } from '../../../../shared/webhook/event.ts';
import { keepBodies } from '../cli/bodies.ts';
import { isAboutTexts, listen } from '../cli/listen.ts';

const SECRET = `whsec_${Buffer.from('a secret of twenty-four!').toString('base64')}`;
const START_MS = Date.UTC(2026, 10, 25, 8);

interface Event {
  readonly id: string;
  readonly type: string;
  /** Time at which the stage stored the event, in milliseconds. Sets its position in the list. */
  readonly atMs: number;
}

let nowMs: number;
let listed: Event[];
let requests: { url: URL; atMs: number }[];
let answer: (id: string, signal: AbortSignal) => Response;
let posted: { id: string; body: string; headers: Headers; redirect: string | undefined; atMs: number }[];
let printed: string[];
let stageFails: (() => Response | undefined) | undefined;
/** Modifies the raw list of events. */
let written: (text: string) => string;
/** Offset of the computer's wall clock from its monotonic clock. */
let setMs: number;
/** Milliseconds by which the stage's clock is ahead. */
let stageAheadMs: number;
/** Stops the command as Ctrl-C does. */
let stop: () => void;
let webhook: object | undefined;

beforeEach(() => {
  [nowMs, listed, requests, posted, printed] = [START_MS, [], [], [], []];
  [stageFails, webhook] = [undefined, undefined];
  [setMs, stageAheadMs] = [0, 0];
  written = (text) => text;
  answer = () => new Response(null, { status: 204 });
});

const envelope = (data: object, meta = {}) =>
  Response.json({ status: true, data, meta }, { headers: { date: new Date(nowMs).toUTCString() } });
const refusal = (status: number, body: object = {}) => Response.json({ status: false, ...body }, { status });

/** Simulates the stage's paginated list of events, newest first, from the second given in `from`. */
const stage: typeof fetch = async (input, init) => {
  init?.signal?.throwIfAborted();
  const url = new URL(String(input));
  const failure = stageFails?.();
  if (failure) return failure;
  if (url.pathname === '/api/v1/webhook')
    return webhook ? envelope(webhook) : refusal(404, { code: 'not_found', message: 'None.' });
  requests.push({ url, atMs: nowMs });
  const fromMs = Math.floor(Date.parse(url.searchParams.get('from') ?? '') / 1000) * 1000;
  const all = listed.filter(({ atMs }) => atMs >= fromMs).toSorted((one, other) => other.atMs - one.atMs);
  const start = Number(url.searchParams.get('cursor') ?? 0);
  const end = start + Math.min(3, Number(url.searchParams.get('per_page')));
  const events = all.slice(start, end).map(({ id, type, atMs }) => {
    const created_at = new Date(atMs).toISOString();
    return { id, type, status: 'kept', tries: 0, next_try_at: null, created_at, body: { type, data: { id } } };
  });
  const text = await envelope({ events }, { next: end < all.length ? String(end) : null }).text();
  return new Response(written(text));
};

/** Runs one action before each poll, then polls once more. */
async function run(happens: readonly (() => void)[], { types, key = 'sk_test_1' }: Partial<Run> = {}): Promise<void> {
  const left = [...happens];
  const ends = new AbortController();
  stop = () => ends.abort();
  const outside = {
    now: () => nowMs + setMs,
    elapsedMs: () => nowMs - START_MS,
    fetch: async (_: unknown, { body, headers, redirect, signal }: RequestInit = {}) => {
      const id = new Headers(headers).get('webhook-id') ?? '';
      posted.push({ id, body: String(body), headers: new Headers(headers), redirect, atMs: nowMs });
      return answer(id, signal ?? ends.signal);
    },
    sleep: async (ms: number) => {
      nowMs += ms;
      if (left.length === 0) ends.abort();
      else left.shift()?.();
    },
  };
  const { fetch: request, bodies } = keepBodies(stage);
  const isSms = key.startsWith('sk_sms_');
  const keys = isSms ? { smsSecretKey: key } : { secretKey: key };
  const momo = new MomoKiosk({ baseUrl: 'https://pay.example.com', ...keys, maxRetries: 0, fetch: request });
  await listen(
    outside as Parameters<typeof listen>[0],
    {
      ...{ url: 'https://pay.example.com', momo, bodies, isSms, isTest: key.includes('_test_') },
      nowMs: () => nowMs + stageAheadMs,
    },
    {
      to: new URL('http://localhost:4000/webhooks'),
      types,
      secret: SECRET,
      print: (line) => printed.push(line),
      signal: ends.signal,
    },
  );
}
interface Run {
  readonly types: readonly string[];
  readonly key: string;
}

const happen =
  (id: string, { type = 'charge.success', agoMs = 0 } = {}) =>
  () =>
    void listed.push({ id, type, atMs: nowMs - agoMs });
const nothing = () => {};
const ids = () => posted.map(({ id }) => id);

test('posts each new event once, oldest first', async (context) => {
  happen('evt_before')();
  const two = () => {
    happen('evt_1', { agoMs: 1000 })();
    happen('evt_2')();
  };
  await run([two, nothing, nothing]);
  assert.deepEqual(ids(), ['evt_1', 'evt_2']);
  for (const { body, headers, atMs, id } of posted) {
    context.mock.timers.enable({ apis: ['Date'], now: atMs });
    assert.equal((await webhooks.verify(body, headers, SECRET)).id, id);
    await assert.rejects(webhooks.verify(`${body} `, headers, SECRET));
    context.mock.timers.reset();
  }
  assert.deepEqual(printed.slice(1), [
    '2026-11-25T08:00:01.000Z charge.success evt_1 → 204',
    '2026-11-25T08:00:02.000Z charge.success evt_2 → 204',
  ]);
});

test('posts simultaneous events once each', async () => {
  const eight = () => {
    for (let n = 1; n <= 8; n += 1) happen(`evt_${n}`)();
  };
  await run([eight, happen('evt_9', { agoMs: 2000 }), happen('evt_0', { agoMs: 4000 }), nothing]);
  assert.deepEqual(
    ids().toSorted(),
    Array.from({ length: 10 }, (_, n) => `evt_${n}`),
  );
});

test('posts an event that was stored a minute late', async () => {
  await run([happen('evt_1'), happen('evt_late', { agoMs: 58_000 }), nothing]);
  assert.deepEqual(ids(), ['evt_1', 'evt_late']);
});

test('posts an event that was stored an hour late', async () => {
  await run([happen('evt_late', { agoMs: 50 * 60_000 }), ...Array.from({ length: 150 }, () => nothing)]);
  assert.deepEqual(ids(), ['evt_late']);
  assert.ok((posted[0]?.atMs ?? 0) <= START_MS + 300_000);
});

test('posts events from while the computer was asleep', async () => {
  const sleep = () => {
    happen('evt_asleep')();
    nowMs += 5 * 60 * 60_000;
  };
  await run([sleep, nothing]);
  assert.deepEqual(ids(), ['evt_asleep']);
});

test('polls at most every two seconds', async () => {
  await run(Array.from({ length: 10 }, () => nothing));
  const times = requests.slice(1).map(({ atMs }) => atMs);
  assert.equal(times.length, 10);
  for (const [n, atMs] of times.entries()) assert.equal(atMs, START_MS + 2000 * (n + 1));
  // A poll rereads only the minute before the last poll.
  const { url, atMs = 0 } = requests.at(-1) ?? {};
  assert.equal(url?.searchParams.get('from'), new Date(atMs - 62_000).toISOString());
});

test('posts an event once if a list contains it twice', async () => {
  const twice = () => {
    happen('evt_1')();
    happen('evt_1')();
  };
  await run([twice, nothing]);
  assert.deepEqual(ids(), ['evt_1']);
});

test('reads a list with more pages than the key’s rate limit allows at once', async () => {
  for (let n = 1; n <= 12; n += 1) happen(`evt_${n}`)();
  let [atMs, requested] = [nowMs, 0];
  stageFails = () => {
    if (atMs !== nowMs) [atMs, requested] = [nowMs, 0];
    requested += 1;
    return requested > 3 ? refusal(429, { code: 'too_many_requests', message: 'Too many requests.' }) : undefined;
  };
  await run([nothing, happen('evt_new'), nothing, nothing]);
  assert.deepEqual(ids(), ['evt_new']);
});

test('posts only the selected event types', async () => {
  const types = ['charge.expired'];
  await run([happen('evt_1'), happen('evt_2', { type: 'charge.expired' }), nothing], { types });
  assert.deepEqual(ids(), ['evt_2']);
});

test('retries a rejected event without delaying others', async () => {
  let tries = 0;
  answer = (id) => new Response(null, { status: id === 'evt_1' && ++tries < 3 ? 500 : 200 });
  await run([happen('evt_1'), happen('evt_2'), ...Array.from({ length: 6 }, () => nothing)]);
  assert.deepEqual(ids(), ['evt_1', 'evt_1', 'evt_2', 'evt_1']);
  assert.equal(new Set(posted.map(({ headers }) => headers.get('webhook-signature'))).size, 4);
  assert.match(printed[1] ?? '', /evt_1 → 500\. Attempt 2 will follow in 2 s\.$/);
  assert.match(printed.at(-1) ?? '', /evt_1 → 200$/);
});

test('stops retrying an event after five attempts', async () => {
  answer = () => {
    throw new TypeError('fetch failed', { cause: Object.assign(new Error(), { code: 'ECONNREFUSED' }) });
  };
  await run([happen('evt_1'), ...Array.from({ length: 60 }, () => nothing)]);
  const [first = 0, ...later] = posted.map(({ atMs }) => atMs);
  assert.deepEqual(
    later.map((atMs) => (atMs - first) / 1000),
    [2, 8, 24, 84],
  );
  assert.match(
    printed[1] ?? '',
    /no response from http:\/\/localhost:4000 \(ECONNREFUSED\)\. Is your server running there\?/,
  );
  assert.match(printed.at(-1) ?? '', /Gave up after 5 attempts\.$/);
});

test('does not follow a redirect', async () => {
  answer = () => new Response(null, { status: 307, headers: { location: '/' } });
  await run([happen('evt_1')]);
  assert.equal(posted[0]?.redirect, 'manual');
  assert.match(printed[1] ?? '', /→ 307\. Redirects are not followed\. Attempt 2/);
});

test('stops on Ctrl-C during an unanswered request', async () => {
  answer = (_, signal) => {
    stop();
    signal.throwIfAborted();
    return new Response(null, { status: 204 });
  };
  await run([happen('evt_1'), happen('evt_2'), nothing]);
  assert.deepEqual(ids(), ['evt_1']);
  assert.match(printed.at(-1) ?? '', /evt_1 → stopped before your server responded\.$/);
});

test('stops on Ctrl-C during an endless list', async () => {
  let pages = 0;
  stageFails = () => {
    pages += 1;
    if (pages === 5) stop();
    assert.ok(pages < 50, 'still reading');
    return envelope({ events: [] }, { next: String(pages) });
  };
  webhook = { enabled: true };
  await run([nothing]);
  assert.equal(pages, 5);
});

test('respects a longer polling interval from the stage', async () => {
  let refusals = 0;
  const wait = () => {
    stageFails = () => {
      refusals += 1;
      return Response.json({ code: 'internal' }, { status: 503, headers: { 'retry-after': '999999999' } });
    };
  };
  await run([wait, nothing, nothing, nothing, nothing]);
  assert.equal(refusals, 3);
  assert.equal(nowMs, START_MS + 3 * 62_000);
});

test('posts missed events after a network failure', async () => {
  const lose = () => {
    happen('evt_1')();
    stageFails = () => {
      throw new TypeError('fetch failed', { cause: Object.assign(new Error(), { code: 'ENOTFOUND' }) });
    };
  };
  const return_ = () => {
    stageFails = undefined;
  };
  await run([lose, ...Array.from({ length: 100 }, () => nothing), return_, nothing]);
  assert.deepEqual(ids(), ['evt_1']);
  assert.equal(printed.filter((line) => line.includes('ENOTFOUND')).length, 1);
  assert.ok(printed.includes('The stage is responding again. Events that happened in the meantime will follow.'));
});

test('exits if the key is revoked', async () => {
  const revoke = () => {
    stageFails = () => refusal(401, { code: 'unauthorized', message: 'No.' });
  };
  await assert.rejects(run([revoke, nothing, nothing]), /does not accept this key\. Check MOMO_KIOSK_KEY/);
});

test('posts each event body unchanged', async () => {
  const body =
    '{"type": "charge.success","data":{"id":"a\\"}],","n":12345678901234567890,"f":1.0,"list":[{"id":1},[]]}}';
  written = (text) => text.replace(/"body":\{.*?\}\}/, () => `"body": ${body} `);
  await run([happen('evt_1'), nothing]);
  assert.deepEqual(
    posted.map((one) => one.body),
    [body],
  );
});

test('waits at startup while the stage is busy', async () => {
  let refusals = 0;
  stageFails = () => {
    refusals += 1;
    if (refusals === 2) stageFails = undefined;
    return refusal(429, { code: 'rate_limited', message: 'Too many requests.' });
  };
  await run([nothing, nothing, happen('evt_1'), nothing]);
  assert.deepEqual(ids(), ['evt_1']);
  assert.equal(printed.filter((line) => line.includes('Too many requests. Still trying.')).length, 1);
});

test('waits if a different server responds', async () => {
  const answers = [
    () => new Response(null, { status: 302, headers: { location: 'https://wifi.example.com' } }),
    () => new Response('Forbidden', { status: 403 }),
    () => Response.json({ data: null }),
    () => Response.json({ data: { events: null }, meta: null }),
  ];
  for (const other of answers) {
    [listed, posted, printed] = [[], [], []];
    const lose = () => {
      happen('evt_1')();
      stageFails = other;
    };
    const return_ = () => {
      stageFails = undefined;
    };
    await run([lose, nothing, return_, nothing]);
    assert.deepEqual(ids(), ['evt_1'], String(other));
    assert.match(printed[1] ?? '', /Retrying\. No event will be lost\./);
  }
});

test('reports a malformed list of events at startup', async () => {
  written = () => '{"data":{"events":null},"meta":null}';
  await assert.rejects(run([]), /No response from https:\/\/pay\.example\.com \(it is not a Momo Kiosk\)/);
});

test('stops reading an endless list of events', async () => {
  let pages = 0;
  written = (text) => {
    pages += 1;
    assert.ok(pages <= 300, 'still reading');
    return text.replace('"next":null', '"next":"again"');
  };
  await run([nothing]);
  assert.equal(pages, 200);
  assert.equal(printed[0], 'Only the newest 100 pages of events were read.');
});

test('posts no old event if the stage’s clock is set back', async () => {
  happen('evt_old', { agoMs: 2 * 60 * 60_000 })();
  const setBack = () => {
    stageAheadMs = -3 * 60 * 60_000;
  };
  await run([setBack, nothing, nothing]);
  assert.deepEqual(ids(), []);
});

test('retries on time if the local clock is set back', async () => {
  answer = () => new Response(null, { status: 500 });
  const setBack = () => {
    setMs = -60 * 60_000;
  };
  await run([happen('evt_1'), setBack, nothing]);
  assert.equal(posted.length, 2);
});

test('warns if the live webhook excludes a requested event type', async () => {
  webhook = { enabled: true, events: ['charge.success'] };
  await run([nothing], { key: 'sk_live_1', types: ['charge.success', 'charge.expired'] });
  assert.match(printed[0] ?? '', /^The webhook does not include charge\.expired, so the stage does not keep/);
});

test('exits if the live webhook is removed', async () => {
  webhook = { enabled: true };
  const remove = () => {
    webhook = undefined;
  };
  const polls = Array.from({ length: 150 }, () => nothing);
  await assert.rejects(run([remove, ...polls], { key: 'sk_live_1' }), /only while a webhook is set/);
});

test('warns about event types that the key does not receive', async () => {
  const types = ['charge.success', 'sms.failed', 'webhook.test'];
  await run([], { key: 'sk_sms_test_1', types });
  assert.equal(printed[0], 'This kind of key does not get charge.success. Use a key for charges.');
  await run([], { key: 'sk_test_1', types });
  assert.ok(printed.includes('This kind of key does not get sms.failed. Use a key for texts.'));
  [printed, webhook] = [[], { enabled: true }];
  await run([], { key: 'sk_test_1', types });
  assert.deepEqual(printed.slice(1), []);
  assert.deepEqual(webhookEventTypes.filter(isAboutTexts).toSorted(), [...eventsOfKind('sms')].toSorted());
});

test('explains that a charge webhook also receives text events', async () => {
  await run([nothing], { key: 'sk_sms_test_1' });
  assert.match(
    printed[0] ?? '',
    /that webhook also gets the events about texts\. In that case, listen with that key\.$/,
  );
});

test('requires an enabled webhook for a live key', async () => {
  for (const found of [undefined, { enabled: false }]) {
    webhook = found;
    await assert.rejects(run([], { key: 'sk_live_1' }), /only while a webhook is set/);
  }
  webhook = { enabled: true };
  await run([happen('evt_1'), nothing], { key: 'sk_live_1' });
  assert.deepEqual(ids(), ['evt_1']);
});

test('reports a URL that is not a Momo Kiosk service', async () => {
  stageFails = () => new Response('<html>', { status: 404 });
  await assert.rejects(run([]), /pay\.example\.com is not a Momo Kiosk \(it responded with 404\)/);
  stageFails = () => new Response('<html>');
  await assert.rejects(run([]), /No response from https:\/\/pay\.example\.com \(it is not a Momo Kiosk\)/);
});
