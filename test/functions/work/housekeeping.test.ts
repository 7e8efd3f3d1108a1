import { beforeEach, describe, expect, test } from 'vitest';
import { manifest } from '../../../functions/manifest.ts';
import { GATEWAY_TIMEOUT_MS } from '../../../shared/phones/gateway/smsgate.ts';
import { endWait, listWaiting } from '../../../shared/phones/sender/pace.table.ts';
import { HOUR_MS, MINUTE_MS } from '../../../shared/runtime/values/calendar.ts';
import { parseMessageId } from '../../../shared/texts/sms/message-id.ts';
import { mtn, receivedEvent, signedCallback } from '../../support/receipts.ts';
import { type Merchant, type Scene, scene } from '../../support/scene.ts';

const MTN = '+233241234567';
const CREDITS = 100;
const [ONE, TWO] = ['0551112223', '0551112224'] as const;
type Ids = [string, ...string[]];
/** A send's texts are first checked after ten seconds. */
const FIRST_LOOK_MS = 10_000 + 1;
/** Unprocessed texts are requeued after this time. */
const FORGOTTEN_MS = 10 * MINUTE_MS + 1;

let world: Scene;
let merchant: Merchant;
/** Gateway responses by text: a state, a status code or an error. */
let states: Map<string, string | number | Error>;
/** Ids requested from the gateway. */
let asked: string[];
/** True if the gateway can list states. */
let canList: boolean;
let lists: URL[];

beforeEach(async () => {
  world = await scene({ inMemory: true });
  await world.createSender(MTN);
  merchant = await world.createMerchant({ credits: CREDITS });
  states = new Map();
  asked = [];
  canList = false;
  lists = [];
  world.gateway = async ({ method, url }) => {
    if (method === 'POST') return Response.json({ state: 'Pending' }, { status: 202 });
    if (url.endsWith('/devices')) return Response.json([{ id: 'device-1', lastSeen: world.iso(), simCards: [] }]);
    if (url.includes('/messages?')) return list(new URL(url));
    const id = url.split('/').at(-1) ?? '';
    asked.push(id);
    const state = states.get(id) ?? 404;
    if (state instanceof Error) throw state;
    if (typeof state === 'number') return Response.json({ message: 'no' }, { status: state });
    return Response.json({ id, deviceId: 'device-1', state, recipients: [], states: {} });
  };
});

describe('a lost delivery report', () => {
  test.each([
    ['Sent', 'sent'],
    ['Delivered', 'delivered'],
    ['Failed', 'failed'],
    ['Cancelled', 'failed'],
    ['Pending', 'sending'],
    ['Processed', 'sending'],
    ['Cancelling', 'sending'],
    ['SomethingNew', 'sending'],
  ])('is replaced by the gateway’s state: %s is stored as %s', async (state, status) => {
    const [id] = await handOver([ONE]);
    states.set(id, state);
    await lookFirst();
    expect(asked).toEqual([id]);
    expect((await shown(id)).status).toBe(status);
    expect(await merchant.refunds()).toHaveLength(status === 'failed' ? 1 : 0);
    expect(await merchant.balance()).toBe(status === 'failed' ? CREDITS : CREDITS - 1);
  });

  test('is requested ten seconds after the send', async () => {
    await handOver([ONE]);
    world.clock.nowMs += FIRST_LOOK_MS - 2;
    await world.housekeeping();
    expect(asked).toEqual([]);
    world.clock.nowMs += 2;
    await world.housekeeping();
    expect(asked).toHaveLength(1);
  });

  test('is requested about a hundred times at growing intervals', async () => {
    const [id] = await handOver([ONE]);
    states.set(id, 'Pending');
    const startMs = world.clock.nowMs;
    const hours: number[] = [];
    for (let n = 0; n < 200; n++) {
      const { next_check_at } = (await world.sendRow(id)) ?? {};
      if (next_check_at === undefined) break;
      world.clock.nowMs = Date.parse(String(next_check_at)) + 1;
      await world.housekeeping();
      hours.push(Math.round((world.clock.nowMs - startMs) / HOUR_MS));
    }
    expect(hours.length).toBeGreaterThan(80);
    expect(hours.length).toBeLessThan(160);
    expect(hours.at(-1)).toBeGreaterThanOrEqual(72);
    await expectClosed(id);
  });

  test('is requested for a text already marked "sent"', async () => {
    const [id] = await handOver([ONE]);
    await report('sms:sent', id);
    const { sent_at } = await shown(id);
    states.set(id, 'Delivered');
    await lookFirst();
    const delivered_at = world.iso();
    expect(await shown(id)).toMatchObject({ status: 'delivered', sent_at, delivered_at });
  });

  test('is requested only for texts that are not in a final state', async () => {
    const [first, second = '', third = '', fourth = ''] = await handOver([ONE, TWO, '0551112225', '0551112226']);
    await report('sms:delivered', second);
    await report('sms:failed', third);
    await report('sms:sent', fourth);
    await lookFirst();
    expect(asked.sort()).toEqual([first, fourth].sort());
  });

  test('causes only one refund if it arrives late', async () => {
    const [id] = await handOver([ONE]);
    states.set(id, 'Failed');
    world.clock.nowMs += FIRST_LOOK_MS;
    await Promise.all([world.housekeeping(), world.housekeeping(), report('sms:failed', id)]);
    await report('sms:failed', id);
    await lookFirst();
    expect((await shown(id)).status).toBe('failed');
    expect(await merchant.refunds()).toHaveLength(1);
    expect(await merchant.balance()).toBe(CREDITS);
  });
});

describe('a gateway that lists message states', () => {
  const MANY = Array.from({ length: 30 }, (_, n) => `05511122${n + 10}`);
  beforeEach(() => {
    canList = true;
  });

  test('is queried once for all sends', async () => {
    const first = await handOver(MANY);
    const [second] = await handOver([ONE]);
    for (const id of first) states.set(id, 'Delivered');
    states.set(second, 'Failed');
    await lookFirst();
    expect(lists).toHaveLength(1);
    expect(asked).toEqual([]);
    for (const n of first.keys()) expect(await world.messageRow(first[0], n)).toMatchObject({ state: 'delivered' });
    expect((await shown(second)).status).toBe('failed');
    for (const id of [first[0], second]) await expectClosed(id);
  });

  test('is queried page by page, then once per unlisted text', async () => {
    merchant = await world.createMerchant({ credits: 200 });
    const ids: string[] = [];
    for (let n = 0; n < 4; n++) ids.push(...(await handOver(MANY)));
    for (const id of ids) states.set(id, 'Sent');
    const [missing = ''] = ids;
    states.delete(missing);
    await lookFirst();
    expect(lists.map(({ searchParams }) => searchParams.get('offset'))).toEqual(['0', '100']);
    expect(asked).toEqual([missing]);
    expect((await shown(missing)).status).toBe('sending');
    expect((await shown(ids.at(-1) ?? '')).status).toBe('sent');
  });

  test('is queried directly if only one text is missing', async () => {
    const [id] = await handOver([ONE]);
    states.set(id, 'Delivered');
    await lookFirst();
    expect(lists).toEqual([]);
    expect(asked).toEqual([id]);
  });

  test('is trusted for timestamps that agree with ours', async () => {
    const [id] = await handOver([ONE]);
    const { sending_at } = await shown(id);
    const delivered_at = world.iso(5_000);
    const times = { Sent: world.iso(-HOUR_MS), Delivered: delivered_at };
    world.gateway = async () => Response.json({ id, state: 'Delivered', recipients: [], states: times });
    await lookFirst();
    expect(await shown(id)).toMatchObject({ sent_at: sending_at, delivered_at });
  });

  test('is queried text by text if the list request fails', async () => {
    const ids = await handOver([ONE, TWO]);
    for (const id of ids) states.set(id, 'Delivered');
    const { gateway } = world;
    world.gateway = async (request) =>
      request.url.includes('/messages?') ? new Response('', { status: 500 }) : gateway(request);
    await lookFirst();
    expect(asked).toEqual(ids);
    for (const id of ids) expect((await shown(id)).status).toBe('delivered');
  });

  test('is not queried again in the same run after a 401', async () => {
    await handOver(MANY);
    const { gateway } = world;
    world.gateway = async (request) =>
      request.url.endsWith('/devices') ? gateway(request) : new Response('', { status: 401 });
    const before = world.fetched.length;
    await lookFirst();
    expect(world.fetched.slice(before).filter(({ url }) => !url.endsWith('/devices'))).toHaveLength(1);
  });
});

describe('a failed text', () => {
  const failed = (error: string) => {
    const recipients = [{ phoneNumber: 'hash', state: 'Failed', error }];
    const states = { Failed: world.iso(-1_000) };
    return async () => Response.json({ id: 'any', state: 'Failed', recipients, states });
  };

  test('shows a readable reason and the phone’s error message', async () => {
    const [id] = await handOver([ONE]);
    world.clock.nowMs += FIRST_LOOK_MS;
    world.gateway = failed('Send result: RESULT_ERROR_NO_SERVICE');
    await world.housekeeping();
    const failure_reason = 'The phone had no signal (RESULT_ERROR_NO_SERVICE)';
    expect(await shown(id)).toMatchObject({ status: 'failed', failure_reason });
  });

  test('is marked failed after two minutes if it has several parts', async () => {
    const [id] = await handOver([ONE], { message: 'a'.repeat(200) });
    world.clock.nowMs += FIRST_LOOK_MS;
    world.gateway = failed('Send result: RESULT_ERROR_LIMIT_EXCEEDED');
    await world.housekeeping();
    expect((await shown(id)).status).toBe('sending');
    expect(await merchant.refunds()).toEqual([]);
    await housekeepAt(id, 3 * MINUTE_MS);
    expect((await shown(id)).status).toBe('failed');
    expect(await merchant.refunds()).toHaveLength(1);
  });
});

describe('a text unknown to the gateway', () => {
  test('is left to its worker for six hours', async () => {
    const [id] = await handOver([ONE]);
    for (const minutes of [11, 75, 200, 359]) {
      await housekeepAt(id, minutes * MINUTE_MS);
      expect((await shown(id)).status).toBe('sending');
    }
    expect(await merchant.balance()).toBe(CREDITS - 1);
  });

  test('fails and is refunded once after six hours', async () => {
    const [id] = await handOver([ONE]);
    await housekeepAt(id, 6 * HOUR_MS + 1);
    const failed_at = world.iso();
    const failure_reason = expect.stringMatching(/gateway/);
    expect(await shown(id)).toMatchObject({ status: 'failed', failed_at, failure_reason });
    for (let n = 0; n < 3; n++) {
      world.clock.nowMs += 6 * HOUR_MS + 1;
      await world.housekeeping();
    }
    expect(await merchant.refunds()).toMatchObject([{ credits: 1, message_id: id }]);
    expect(await merchant.balance()).toBe(CREDITS);
    await expectClosed(id);
  });

  test('stays marked "sent" if it has been sent', async () => {
    const [id] = await handOver([ONE]);
    await report('sms:sent', id);
    await housekeepAt(id, 7 * HOUR_MS);
    expect((await shown(id)).status).toBe('sent');
    expect(await merchant.refunds()).toEqual([]);
  });

  test('does not fail yet if it was queued for seven hours, because its worker may still send it', async () => {
    const [id] = await queue([ONE]);
    world.clock.nowMs += 7 * HOUR_MS;
    world.gateway = refusing(world.gateway, 503);
    await world.work('deliver-sms', [jobOf(id)]);
    expect((await shown(id)).status).toBe('sending');
    await world.housekeeping();
    expect((await shown(id)).status).toBe('sending');
    expect(await merchant.refunds()).toEqual([]);
  });
});

test('a send is checked within a minute despite another merchant’s backlog', async () => {
  const greedy = await world.createMerchant({ credits: 600 });
  for (let n = 0; n < 600; n++) await queue([ONE], {}, greedy);
  world.clock.nowMs += MINUTE_MS;
  const [id] = await queue([TWO]);
  await world.work('deliver-sms', [jobOf(id)]);
  world.gateway = async () => Response.json({ id, state: 'Delivered', recipients: [], states: {} });
  world.clock.nowMs += FORGOTTEN_MS;
  world.queued.length = 0;
  const startMs = world.clock.nowMs;
  const restore = slowQueues();
  await world.housekeeping();
  expect((await shown(id)).status).toBe('delivered');
  expect(Date.parse(String((await shown(id)).delivered_at))).toBeLessThan(startMs + MINUTE_MS);
  // The task runs out of time before the other merchant's last send.
  expect(world.queued.length).toBeLessThan(250);
  restore();
  await world.housekeeping();
  expect(new Set(world.queued.map(({ job }) => JSON.stringify(job.body))).size).toBe(600);
});

describe('a send with lost jobs', () => {
  const FORTY = Array.from({ length: 40 }, (_, n) => `05511122${n + 10}`);

  async function slowSender() {
    await world.addSender({ number: MTN, messages_per_hour: 100 });
    world.clock.nowMs += 5_000;
  }

  test('has a new job queued for each unprocessed text after ten minutes', async () => {
    const [first, second] = await queue([ONE, TWO, '0551112225']);
    await world.work('deliver-sms', [jobOf(second)]);
    await lookForForgotten();
    const job = (index: number) => ({ body: { send_id: first, index }, group: merchant.id, delaySeconds: 0 });
    expect(world.queued).toEqual([0, 2].map((index) => ({ queue: 'deliver-sms', job: job(index) })));
    const line = { level: 'warn', event: 'sms_queued_again', fields: expect.anything() };
    expect(world.logged).toContainEqual(expect.objectContaining(line));
  });

  test('is delivered once if the lost jobs arrive later', async () => {
    const [id] = await queue([ONE]);
    await lookForForgotten();
    const accepted = new Set<string>();
    world.gateway = async (request) => {
      const { id: text } = JSON.parse(await request.text());
      const isKnown = accepted.has(text);
      accepted.add(text);
      return Response.json({}, { status: isKnown ? 409 : 202 });
    };
    for (let n = 0; n < 3; n++) await world.work('deliver-sms', [jobOf(id)]);
    expect([...accepted]).toEqual([id]);
    expect((await shown(id)).status).toBe('sending');
    expect(await merchant.balance()).toBe(CREDITS - 1);
  });

  test('is requeued despite a different merchant’s backlog on the same sender', async () => {
    await slowSender();
    const neighbour = await world.createMerchant({ credits: 100 });
    for (const id of await queue(FORTY, {}, neighbour)) await world.work('deliver-sms', [jobOf(id)]);
    const [id] = await queue([ONE]);
    await lookForForgotten();
    expect(textsQueued()).toEqual([{ send_id: id, index: 0 }]);
  });

  test('is not requeued while its texts wait for the sender', async () => {
    await slowSender();
    for (const id of await queue(FORTY)) await world.work('deliver-sms', [jobOf(id)]);
    await lookForForgotten();
    expect(textsQueued()).toEqual([]);
  });

  test('is checked every few hours until one of its texts is sent', async () => {
    await slowSender();
    // Two of the earlier texts are sent, and ten wait.
    for (const id of await queue(FORTY.slice(0, 12))) await world.work('deliver-sms', [jobOf(id)]);
    const ids = await queue(FORTY.slice(0, 3));
    for (const id of ids) await world.work('deliver-sms', [jobOf(id)]);
    const [turn] = world.queued.map(({ job }) => job.body);
    await lookForForgotten();
    expect(await world.sendRow(ids[0])).toMatchObject({ next_check_at: world.iso(6 * HOUR_MS) });
    for (const text of await listWaiting(world.outside, MTN, 10)) await endWait(world.outside, MTN, text);
    await world.work('deliver-sms', [turn ?? {}]);
    expect(await world.messageRow(ids[0])).toMatchObject({ state: 'sending' });
    expect(await world.sendRow(ids[0])).toMatchObject({ next_check_at: world.iso(10_000) });
  });

  test('is requeued if one of its texts was skipped', async () => {
    await slowSender();
    const [send_id] = await queue(FORTY);
    for (const index of [0, 1, 2, 3]) await world.work('deliver-sms', [{ send_id, index }]);
    const [first] = await listWaiting(world.outside, MTN, 1);
    if (first) await endWait(world.outside, MTN, first);
    await lookForForgotten();
    const unseen = Array.from({ length: 36 }, (_, n) => n + 4);
    expect(textsQueued()).toEqual([2, ...unseen].map((index) => ({ send_id, index })));
  });

  function textsQueued() {
    return world.queued.map(({ job }) => job.body).filter((body) => 'send_id' in body);
  }
});

describe('an unfinished send', () => {
  test('is closed when all of its texts are in a final state', async () => {
    const [first, second = ''] = await handOver([ONE, TWO]);
    await report('sms:delivered', first);
    await report('sms:failed', second);
    expect(await world.sendRow(first)).toHaveProperty('gsi2pk');
    await lookFirst();
    await expectClosed(first);
    expect(asked).toEqual([]);
  });

  test('stays open until all of its texts are in a final state', async () => {
    const [first, second = ''] = await handOver([ONE, TWO]);
    await report('sms:delivered', first);
    states.set(second, 'Sent');
    for (const hours of [1, 5, 30, 71]) {
      await housekeepAt(first, hours * HOUR_MS);
      expect(await world.sendRow(first)).toHaveProperty('gsi2pk', expect.stringMatching(/^OPEN#SEND#[01]$/));
    }
  });

  test('is closed after 72 hours without delivery reports', async () => {
    const [id] = await handOver([ONE]);
    states.set(id, 'Sent');
    await housekeepAt(id, 72 * HOUR_MS + 1);
    await expectClosed(id);
    expect((await shown(id)).status).toBe('sent');
  });
});

describe('a failing housekeeping task', () => {
  test('does not stop the other tasks', async () => {
    await world.addSender({ number: '+233201234567', gateway: 'spare', device_id: 'device-3' });
    const account = (name: string) => ({ url: `https://${name}.example.com`, username: 'ama', password: 'secret' });
    world.outside.secret = async () => JSON.stringify({ phone: account('silent'), spare: account('spare') });
    world.clock.nowMs += 5_000;
    const [silent] = await handOver([ONE]);
    const [spoken] = await handOver([TWO], { from: '+233201234567' });
    await merchant.setWebhook();
    const event = await merchant.newEvent();
    states.set(spoken, 'Delivered');
    const { gateway } = world;
    world.gateway = async (request) => {
      if (request.url.startsWith('https://silent.')) throw new DOMException('The operation timed out', 'TimeoutError');
      return gateway(request);
    };
    await lookForForgotten();
    expect((await shown(silent)).status).toBe('sending');
    expect((await shown(spoken)).status).toBe('delivered');
    expect(world.queued).toMatchObject([{ queue: 'deliver-webhook', job: { body: { event_id: event } } }]);
    expect(world.logged.map(({ event: line }) => line)).toContain('gateway_silent');
    expect(errors()).toEqual([]);
    // The next run checks the text again.
    expect(await world.sendRow(silent)).toMatchObject({ next_check_at: world.iso(MINUTE_MS / 2) });
  });

  test.each([
    ['a 500', 500],
    ['a network error', new TypeError('fetch failed')],
  ])('does not affect the other texts in a send if the query about one text ends with %s', async (_, answer) => {
    const [first, second = ''] = await handOver([ONE, TWO]);
    states.set(first, answer);
    states.set(second, 'Failed');
    await lookForForgotten();
    expect((await shown(first)).status).toBe('sending');
    expect((await shown(second)).status).toBe('failed');
  });

  test('is not caused by a gateway without an account', async () => {
    const [id] = await handOver([ONE]);
    world.outside.secret = async () => '{}';
    await lookForForgotten();
    expect((await shown(id)).status).toBe('sending');
    expect(errors()).toEqual([]);
  });

  test('does not stop gateway queries if a queue is down', async () => {
    const [id] = await handOver([ONE]);
    states.set(id, 'Delivered');
    await merchant.setWebhook();
    await merchant.newEvent();
    await keepPhoneEvent();
    world.outside.queues.send = async () => Promise.reject(new Error('The queue is away'));
    await lookForForgotten();
    expect((await shown(id)).status).toBe('delivered');
    expect(errors()).toEqual(['webhooks', 'receipts']);
  });

  function errors() {
    return world.logged.flatMap(({ level, fields }) => (level === 'error' ? [fields?.function] : []));
  }
});

describe('an overdue webhook event', () => {
  beforeEach(() => merchant.setWebhook());

  test('is requeued half a minute after its due time', async () => {
    const id = await merchant.newEvent();
    world.clock.nowMs += 29_999;
    await world.housekeeping();
    expect(world.queued).toEqual([]);
    world.clock.nowMs += 2;
    await world.housekeeping();
    const job = { body: { event_id: id, tries: 0 }, group: merchant.id, delaySeconds: 0 };
    expect(world.queued).toEqual([{ queue: 'deliver-webhook', job }]);
  });

  test('is queued before events that are due later', async () => {
    const ids = await eventsBySecond(5);
    world.clock.nowMs += MINUTE_MS;
    await world.housekeeping();
    expect(world.queued.map(({ job }) => job.body)).toEqual(ids.map((event_id) => ({ event_id, tries: 0 })));
  });

  test('is queued if other events cannot be queued', async () => {
    const ids = await eventsBySecond(3);
    const { queues } = world.outside;
    const tried: string[] = [];
    world.outside.queues = {
      ...queues,
      send: async (queue, jobs) => {
        const id = 'event_id' in (jobs[0]?.body ?? {}) ? JSON.stringify(jobs[0]?.body).slice(13, 49) : '';
        tried.push(id);
        if (id === ids[0]) throw new Error('The queue takes no job of this one');
        await queues.send(queue, jobs);
      },
    };
    world.clock.nowMs += MINUTE_MS;
    await world.housekeeping();
    expect(world.queued.map(({ job }) => job.body)).toEqual(ids.slice(1).map((event_id) => ({ event_id, tries: 0 })));
    expect(tried).toEqual([...ids, ids[0]]);
    expect(world.logged).toMatchObject([
      { level: 'warn', event: 'event_not_queued', fields: { merchant_id: merchant.id } },
      { level: 'error', event: 'task_failed', fields: { function: 'webhooks' } },
    ]);
  });

  async function eventsBySecond(count: number): Promise<string[]> {
    const ids: string[] = [];
    for (let n = 0; n < count; n++) {
      ids.push(await merchant.newEvent());
      world.clock.nowMs += 1_000;
    }
    return ids;
  }

  test('is not queued after it has been delivered or abandoned', async () => {
    await world.makeTry(await merchant.newEvent());
    world.receiver = async () => ({ statusCode: 410, headers: {}, text: '' });
    await world.makeTry(await merchant.newEvent());
    expect((await world.rows('EVENT')).map(({ state }) => state).sort()).toEqual(['delivered', 'gave_up']);
    world.queued.length = 0;
    world.clock.nowMs += 100 * HOUR_MS;
    await world.housekeeping();
    expect(world.queued).toEqual([]);
  });

  test('is delivered only once, even if its original job also arrives', async () => {
    const id = await merchant.newEvent();
    world.clock.nowMs += MINUTE_MS;
    await world.housekeeping();
    await world.makeTry(id, 0, 2);
    expect(world.posted).toHaveLength(1);
    expect((await world.eventRow(id)).state).toBe('delivered');
  });
});

test('an unsettled text is requeued after five minutes', async () => {
  await keepPhoneEvent();
  world.clock.nowMs += 5 * MINUTE_MS - 1_000;
  await world.housekeeping();
  expect(world.queued).toEqual([]);
  world.clock.nowMs += 2_000;
  await world.housekeeping();
  const [queued, ...more] = world.queued;
  expect(more).toEqual([]);
  expect(queued).toMatchObject({ queue: 'settle-receipt', job: { group: 'phone' } });

  await world.settle(queued?.job.body ?? {});
  world.queued.length = 0;
  world.clock.nowMs += HOUR_MS;
  await world.housekeeping();
  expect(world.queued).toEqual([]);
  expect(await world.rows('PHONE_EVENT')).toHaveLength(1);
});

test('a hanging gateway is queried about a different send in each run', async () => {
  const ids: string[] = [];
  for (let n = 0; n < 40; n++) ids.push(...(await handOver([ONE])));
  for (const id of ids) states.set(id, new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
  slowGateway(GATEWAY_TIMEOUT_MS, /devices$|messages\?/);
  world.clock.nowMs += FIRST_LOOK_MS;
  for (let runs = 1; runs <= 5; runs++) {
    const startedMs = world.clock.nowMs;
    await world.housekeeping();
    expect(world.clock.nowMs - startedMs).toBe(GATEWAY_TIMEOUT_MS);
    expect(asked).toHaveLength(runs);
    world.clock.nowMs = startedMs + MINUTE_MS;
  }
  expect(new Set(asked).size).toBe(5);
});

test('a gateway that never responds is queried once per run', async () => {
  for (let n = 0; n < 10; n++) await handOver([ONE]);
  const before = world.fetched.length;
  world.gateway = async () => {
    world.clock.nowMs += GATEWAY_TIMEOUT_MS;
    throw new DOMException('The operation was aborted due to timeout', 'TimeoutError');
  };
  await lookFirst();
  expect(world.fetched.slice(before)).toHaveLength(1);
});

test('a slow gateway uses at most half of the function’s time', async () => {
  await handOver(Array.from({ length: 50 }, () => ONE));
  slowGateway(GATEWAY_TIMEOUT_MS - 1000, /\/devices$/);
  world.clock.nowMs += FIRST_LOOK_MS;
  const startedMs = world.clock.nowMs;
  await world.housekeeping();
  const halfMs = (manifest['work/housekeeping'].timeoutSeconds * 1000) / 2;
  expect(world.clock.nowMs - startedMs).toBeLessThan(halfMs + GATEWAY_TIMEOUT_MS);
});

test('slow webhook tasks leave time for other tasks', async () => {
  await merchant.setWebhook();
  const EVENTS = 400;
  for (let n = 0; n < EVENTS; n++) await merchant.newEvent();
  const [id] = await handOver([ONE]);
  states.set(id, 'Delivered');
  await keepPhoneEvent();
  world.clock.nowMs += FORGOTTEN_MS;
  const restore = slowQueues();
  const startedMs = world.clock.nowMs;
  await world.housekeeping();
  expect((await shown(id)).status).toBe('delivered');
  expect(world.queued.filter(({ queue }) => queue === 'settle-receipt')).toHaveLength(1);
  const tookMs = world.clock.nowMs - startedMs;
  expect(tookMs).toBeGreaterThan(34_000);
  expect(tookMs).toBeLessThan((manifest['work/housekeeping'].timeoutSeconds * 1000) / 3);
  restore();
  await world.housekeeping();
  expect(world.queued.filter(({ queue }) => queue === 'deliver-webhook')).toHaveLength(EVENTS);
});

test('a run with nothing to do queues and logs nothing', async () => {
  const before = world.fetched.length;
  await world.housekeeping();
  expect({ queued: world.queued, logged: world.logged }).toEqual({ queued: [], logged: [] });
  const asked = world.fetched.slice(before).map(({ url }) => url);
  expect(asked).toEqual(['https://gateway.example.com/3rdparty/v1/devices']);
});

test('the gateway is not queried about texts in a final state', async () => {
  const [id] = await handOver([ONE]);
  await world.writeMessageState(id, 'delivered');
  await lookFirst();
  world.clock.nowMs += 100 * HOUR_MS;
  await world.housekeeping();
  expect(asked).toEqual([]);
});

/** Runs housekeeping when new texts are due for their first check. */
function lookFirst(): Promise<void> {
  world.clock.nowMs += FIRST_LOOK_MS;
  return world.housekeeping();
}

/** Runs housekeeping when unprocessed texts are due for requeuing. */
function lookForForgotten(): Promise<void> {
  world.queued.length = 0;
  world.clock.nowMs += FORGOTTEN_MS;
  return world.housekeeping();
}

/** Makes each request to a queue take a second. Returns a function that restores the queues. */
function slowQueues(): () => void {
  const { queues } = world.outside;
  const send: typeof queues.send = async (...jobs) => {
    world.clock.nowMs += 1_000;
    await queues.send(...jobs);
  };
  world.outside.queues = { ...queues, send };
  return () => {
    world.outside.queues = queues;
  };
}

/** Makes each gateway request take `ms`, except URLs that match `quick`. */
function slowGateway(ms: number, quick: RegExp): void {
  const { gateway } = world;
  world.gateway = async (request) => {
    if (!quick.test(request.url)) world.clock.nowMs += ms;
    return gateway(request);
  };
}

/** Runs housekeeping once a send has this age. */
async function housekeepAt(id: string, ageMs: number): Promise<void> {
  const { created_at } = (await world.sendRow(id)) ?? {};
  world.clock.nowMs = Date.parse(String(created_at)) + ageMs;
  await world.housekeeping();
}

/** Lists up to a hundred messages, newest first. */
function list({ searchParams, href }: URL): Response {
  if (!canList) return Response.json({ message: 'Cannot GET /messages' }, { status: 404 });
  lists.push(new URL(href));
  const offset = Number(searchParams.get('offset'));
  const known = [...states].toReversed().slice(offset, offset + Math.min(100, Number(searchParams.get('limit'))));
  return Response.json(known.map(([id, state]) => ({ id, state, recipients: [], states: {} })));
}

/** Accepts texts but does not queue their jobs. */
async function queue(to: string[], said: object = {}, by = merchant): Promise<Ids> {
  return (await by.text({ to, from: MTN, ...said })).ids;
}

async function handOver(to: string[], said?: object): Promise<Ids> {
  const ids = await queue(to, said);
  for (const index of to.keys()) await world.work('deliver-sms', [{ send_id: ids[0], index }]);
  expect(await world.messageRow(ids[0], to.length - 1)).toMatchObject({ state: 'sending' });
  return ids;
}

function jobOf(id = '') {
  const place = parseMessageId(id);
  return { send_id: place?.sendId, index: place?.index };
}

async function report(event: string, messageId: string): Promise<void> {
  const posted = { deviceId: 'device-1', event, id: '1', webhookId: '2', payload: { messageId, reason: 'no service' } };
  const { status } = await world.call('callback/smsgate', signedCallback(world, posted));
  if (status !== 200 && status !== 503) throw new Error(`The report was answered ${status}`);
}

async function keepPhoneEvent(): Promise<void> {
  const { status } = await world.call('callback/smsgate', signedCallback(world, receivedEvent(world, mtn())));
  if (status !== 200) throw new Error(`The text was answered ${status}`);
}

async function shown(id: string) {
  return (await merchant.call('sms/show', { parameters: { id } })).json.data;
}

async function expectClosed(id: string): Promise<void> {
  const row = await world.sendRow(id);
  expect(row).toBeDefined();
  expect(row).not.toHaveProperty('gsi2pk');
  expect(row).not.toHaveProperty('next_check_at');
}

function refusing(gateway: Scene['gateway'], status: number): Scene['gateway'] {
  return async (request) => (request.method === 'POST' ? new Response('', { status }) : gateway(request));
}
