import { beforeEach, describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { handler as followUp } from '../../../functions/work/follow-up.ts';
import { handler as relay } from '../../../functions/work/relay.ts';
import { MINUTE_MS } from '../../../shared/runtime/values/calendar.ts';
import { parseMessageId } from '../../../shared/texts/sms/message-id.ts';
import { createSend } from '../../../shared/texts/sms/send.table.ts';
import { operatorText } from '../../../shared/texts/sms/send.ts';
import { loseAnswers } from '../../support/disturb.ts';
import { PATIENCE } from '../../support/http.ts';
import { fromTelecel, newPayerNumber, pay } from '../../support/receipts.ts';
import { removeSender } from '../../support/rows.ts';
import { type Merchant, type Scene, scene } from '../../support/scene.ts';
import { callWorker, streamEvent } from '../../support/world.ts';

const MTN = '+233241234567';
const CREDITS = 100;
const GatewayText = z.looseObject({ id: z.string(), deviceId: z.string() });

let world: Scene;
let merchant: Merchant;
/** Id of a text that is waiting to be sent. */
let id: string;
beforeEach(async () => {
  world = await scene();
  await world.createSender(MTN);
  merchant = await world.createMerchant({ credits: CREDITS });
  [id = ''] = await queued();
});

describe('a delivery job', () => {
  test('sends the text to the gateway with its id, device, SIM and number', async () => {
    await world.addSender({ number: MTN, device_id: 'desk', sim_number: 2 });
    world.clock.nowMs += 3_000;

    expect(await deliver([id])).toEqual([]);

    const url = 'https://gateway.example.com/3rdparty/v1/messages?skipPhoneValidation=true';
    const place = { deviceId: 'desk', simNumber: 2, phoneNumbers: ['+233551112223'] };
    const textMessage = { text: 'Your order is ready 😀' };
    const body = { id, ...place, textMessage, withDeliveryReport: true, ttl: 24 * 60 * 60 };
    expect(world.fetched).toEqual([{ url, headers: expect.any(Headers), body }]);
    const headers = world.fetched[0]?.headers;
    expect(headers?.get('authorization')).toBe(`Basic ${btoa('ama:canary-password')}`);
    expect(headers?.get('content-type')).toBe('application/json');
    expect((await shown(id)).status).toBe('sending');
    expect(world.postponed).toEqual([]);
  });

  test('creates one gateway message per recipient', async () => {
    const ids = await queued(['0551112223', '0551112224', '0551112223']);
    for (const id of ids) expect(await deliver([id])).toEqual([]);
    const numbers = ['+233551112223', '+233551112224', '+233551112223'];
    const texts = numbers.map((number, n) => ({ id: ids[n], phoneNumbers: [number] }));
    expect(world.fetched.map(({ body }) => body)).toMatchObject(texts);
  });

  test('uses the sender in the API’s response, regardless of the default', async () => {
    await world.createSender('+233201234567', 'other');
    await merchant.change({ default_from: '+233201234567' });
    await deliver([id]);
    expect(devices()).toEqual(['device-1']);
  });

  test('sends an accepted text after its sender is disabled', async () => {
    await world.switchSender(MTN, false);
    expect(await deliver([id])).toEqual([]);
    expect(devices()).toEqual(['device-1']);
  });

  test('succeeds if the gateway already has the text (409)', async () => {
    world.gateway = async () => Response.json({ message: 'A message with this id exists' }, { status: 409 });
    expect(await deliver([id])).toEqual([]);
    expect((await shown(id)).status).toBe('sending');
    expect(await merchant.balance()).toBe(CREDITS - 1);
  });

  test.each(['sent', 'delivered', 'failed'])('sends nothing if the text is already %s', async (state) => {
    await world.writeMessageState(id, state);
    expect(await deliver([id])).toEqual([]);
    expect(world.fetched).toEqual([]);
    expect((await shown(id)).status).toBe(state);
  });

  test('uses the same message id on every run', async () => {
    await sendOne();
    await Promise.all([deliver([id]), deliver([id])]);
    const place = { id, deviceId: 'device-1', simNumber: 1 };
    expect(handedOver()).toMatchObject([place, place]);
  });
});

describe('a failed delivery attempt', () => {
  const failures: [string, Scene['gateway']][] = [
    ['500', async () => new Response('the recipient +233551112223 is unhappy', { status: 500 })],
    [
      '503 because of its queue limits',
      async () => Response.json({ message: 'Queue limits exceeded' }, { status: 503 }),
    ],
    ['401', async () => Response.json({ message: 'Unauthorized' }, { status: 401 })],
    ['a redirect', async () => new Response(null, { status: 302, headers: { location: 'https://elsewhere.example' } })],
    ['200 and an HTML page, as from a captive portal', async () => new Response('<html>Sign in to the Wi-Fi</html>')],
    ['202 and an empty body', async () => new Response(null, { status: 202 })],
    ['a network error', async () => Promise.reject(new TypeError('fetch failed'))],
    ['a timeout', async () => Promise.reject(new DOMException('The operation timed out', 'TimeoutError'))],
  ];

  test.each(failures)('is retried with exponential backoff if the gateway fails with %s', async (_, gateway) => {
    world.gateway = gateway;
    for (const receives of [1, 2, 3, 9, 10, 16]) expect(await deliver([id], receives)).toEqual(['0']);
    expect(world.postponed.map(({ seconds }) => seconds)).toEqual([2, 4, 8, 512, 900, 900]);
    expect((await shown(id)).status).toBe('sending');
    expect(await merchant.balance()).toBe(CREDITS - 1);
  });

  test('logs neither the number nor the text', async () => {
    [id = ''] = await queued(['0551112223'], 'My secret text');
    for (const [, gateway] of failures) {
      world.gateway = gateway;
      await deliver([id]);
    }
    await deliver([id], 17);
    const logged = JSON.stringify(world.logged.map((line) => ({ ...line, error: String(line.fields?.error) })));
    expect(world.logged.length).toBeGreaterThan(failures.length);
    expect(logged).not.toMatch(/551112223|My secret text/);
  });

  test('is retried after the gateway’s Retry-After delay', async () => {
    world.gateway = async () => new Response('', { status: 503, headers: { 'retry-after': '77' } });
    expect(await deliver([id], 5)).toEqual(['0']);
    expect(world.postponed).toMatchObject([{ seconds: 77 }]);
  });

  test.each([
    ['a day', '86400', 900],
    ['a date', 'Wed, 21 Oct 2026 07:28:00 GMT', 32],
    ['empty', '', 32],
    ['zero', '0', 32],
    ['negative', '-5', 32],
  ])('is retried after a limited delay if Retry-After is %s', async (_, retryAfter, seconds) => {
    world.gateway = async () => new Response('', { status: 503, headers: { 'retry-after': retryAfter } });
    await deliver([id], 5);
    expect(world.postponed.map((pause) => pause.seconds)).toEqual([seconds]);
  });

  test('is retried on the same device after the sender is moved', async () => {
    failOnce();
    expect(await deliver([id])).toEqual(['0']);
    await world.addSender({ number: MTN, device_id: 'new', sim_number: 3 });
    world.clock.nowMs += 60_000;

    expect(await deliver([id], 2)).toEqual([]);

    const place = { id, deviceId: 'device-1', simNumber: 1 };
    expect(handedOver()).toMatchObject([place, place]);
    const [next = ''] = await queued();
    await deliver([next]);
    expect(devices().at(-1)).toBe('new');
  });

  test('is retried on the same device after the sender is removed', async () => {
    failOnce();
    await deliver([id]);
    await removeSender(world, MTN);
    world.clock.nowMs += 60_000;
    expect(await deliver([id], 2)).toEqual([]);
    expect(devices()).toEqual(['device-1', 'device-1']);
    expect(await merchant.refunds()).toEqual([]);
  });

  test('is retried if its worker dies before the gateway responds', async () => {
    world.gateway = () => new Promise(() => {});
    void deliver([id]);
    await vi.waitFor(() => expect(world.fetched).toHaveLength(1), PATIENCE);
    expect((await shown(id)).status).toBe('sending');

    world.gateway = async () => Response.json({ state: 'Pending' }, { status: 202 });
    expect(await deliver([id], 2)).toEqual([]);

    expect(handedOver().map(({ id: same }) => same)).toEqual([id, id]);
    expect(devices()).toEqual(['device-1', 'device-1']);
    expect(await merchant.balance()).toBe(CREDITS - 1);
  });

  test('is retried if the gateway has no account yet', async () => {
    await world.addSender({ number: MTN, gateway: 'x' });
    world.clock.nowMs += 60_000;
    expect(await deliver([id])).toEqual(['0']);
    expect(world.fetched).toEqual([]);
  });
});

describe('a gateway that rejects our credentials', () => {
  const TEXTS = Array.from({ length: 18 }, (_, n) => `05511122${n + 10}`);

  test('is not called again until its credentials work', async () => {
    const ids = await queued(TEXTS);
    let status = 401;
    world.gateway = async ({ method }) => {
      if (method === 'POST' || status === 401) return Response.json({ message: 'Unauthorized' }, { status });
      return Response.json([{ id: 'device-1', lastSeen: world.iso(), simCards: [] }]);
    };
    const posts = () => world.fetched.filter(({ body }) => body).length;
    for (let receives = 1; receives <= 10; receives++) {
      for (const id of ids) expect(await deliver([id], receives)).toEqual(['0']);
      world.clock.nowMs += 5_000;
    }
    expect(posts()).toBe(1);

    await world.housekeeping();
    world.clock.nowMs += 5_000;
    for (const id of ids) expect(await deliver([id], 11)).toEqual(['0']);
    expect(posts()).toBe(1);

    status = 202;
    await world.housekeeping();
    world.clock.nowMs += 5_000;
    for (const id of ids) expect(await deliver([id], 12)).toEqual([]);
    expect(posts()).toBe(1 + TEXTS.length);
  });

  test('makes its texts fail with a specific reason', async () => {
    world.gateway = async () => Response.json({ message: 'Unauthorized' }, { status: 403 });
    for (const receives of [1, 17, 18, 19, 20]) expect(await deliver([id], receives)).toEqual(['0']);
    expect((await shown(id)).failure_reason).toMatch(/rejected .* password/);
    expect(await merchant.refunds()).toHaveLength(1);
  });
});

test('a text fails with one refund if the gateway’s queue stays full', async () => {
  const message = 'failed to enqueue message: queue limits exceeded: too many pending messages';
  world.gateway = async () => Response.json({ message }, { status: 503 });
  for (const receives of [17, 18, 20]) expect(await deliver([id], receives)).toEqual(['0']);
  expect((await shown(id)).failure_reason).toBe('Too many texts were waiting for the phone');
  expect(await merchant.refunds()).toHaveLength(1);
});

test.each([
  [
    'a long error message',
    JSON.stringify({ message: 'failed to enqueue message: failed to use phone in row 1: invalid phone number' }),
    'The gateway rejected it: invalid phone number',
  ],
  ['JSON without a message', '{"error":"x"}', 'The gateway rejected it'],
  ['an HTML page', '<html><body>400 Bad Request</body></html>', 'The gateway rejected it'],
])('merchants see a short error if the gateway returns %s', async (_, answer, reason) => {
  world.gateway = async () => new Response(answer, { status: 400 });
  await deliver([id]);
  expect((await shown(id)).failure_reason).toBe(reason);
});

test('the service’s own texts have the highest priority', async () => {
  const text = { from: MTN, to: '+233551112223', message: '123456 is your code', uselessAfterMs: 60_000 };
  const code = operatorText(world.outside, text);
  await world.outside.table.write([createSend(code)]);
  await world.work('deliver-sms', [{ send_id: code.send_id, index: 0 }]);
  expect(world.fetched.map(({ body }) => body)).toMatchObject([{ priority: 100, phoneNumbers: ['+233551112223'] }]);
});

describe('an undeliverable text', () => {
  test('fails and is refunded immediately if the gateway rejects it (400)', async () => {
    world.gateway = async () => Response.json({ message: 'Invalid phone number' }, { status: 400 });

    expect(await deliver([id])).toEqual([]);

    const failure_reason = expect.stringContaining('Invalid phone number');
    expect(await shown(id)).toMatchObject({ status: 'failed', failed_at: world.iso(), failure_reason });
    expect(await merchant.balance()).toBe(CREDITS);
    expect(await merchant.refunds()).toMatchObject([{ credits: 1, reason: 'refund', message_id: id }]);
  });

  test('is refunded once if its job is redelivered', async () => {
    world.gateway = async () => Response.json({ message: 'Invalid phone number' }, { status: 400 });
    await Promise.all([deliver([id]), deliver([id]), deliver([id])]);
    await deliver([id], 2);
    await expectRefundedOnce();
  });

  test('is refunded once if DynamoDB’s response to the refund is lost', async () => {
    world.gateway = async () => Response.json({ message: 'Invalid phone number' }, { status: 400 });
    loseAnswers(world, 'TransactWriteItems', 1);
    expect(await deliver([id])).toEqual([]);
    await expectRefundedOnce();
  });

  test('does not affect the other texts of the send', async () => {
    const ids = await queued(['0551112223', '0551112224', '0551112225']);
    world.gateway = async (request) => {
      const { id } = GatewayText.parse(await request.json());
      return Response.json({ message: '' }, { status: id === ids[1] ? 400 : 202 });
    };
    for (const id of ids) expect(await deliver([id])).toEqual([]);
    const states = await Promise.all(ids.map(async (id) => (await shown(id)).status));
    expect(states).toEqual(['sending', 'failed', 'sending']);
    expect(await merchant.balance()).toBe(CREDITS - 1 - 2);
  });

  test('fails after 17 attempts with one refund and one dead letter', async () => {
    world.gateway = async () => new Response('', { status: 500 });
    for (let receives = 1; receives <= 16; receives++) expect(await deliver([id], receives)).toEqual(['0']);
    expect((await shown(id)).status).toBe('sending');
    expect(await merchant.balance()).toBe(CREDITS - 1);

    for (let receives = 17; receives <= 20; receives++) {
      expect(await deliver([id], receives)).toEqual(['0']);
      const failure_reason = expect.stringMatching(/gateway/i);
      expect(await shown(id)).toMatchObject({ status: 'failed', failed_at: world.iso(), failure_reason });
      expect(await merchant.balance()).toBe(CREDITS);
      expect(await merchant.refunds()).toMatchObject([{ credits: 1, message_id: id }]);
    }
    expect(world.fetched).toHaveLength(17);
    // After the text has failed, its job is redelivered at once.
    expect(world.postponed.slice(16).map(({ seconds }) => seconds)).toEqual([0, 0, 0, 0]);
  });

  test('fails on the next attempt if the worker dies during attempt 17', async () => {
    world.gateway = () => new Promise(() => {});
    void deliver([id], 17);
    await vi.waitFor(() => expect(world.fetched).toHaveLength(1), PATIENCE);
    world.gateway = async () => new Response('', { status: 500 });
    expect(await deliver([id], 18)).toEqual(['0']);
    expect((await shown(id)).status).toBe('failed');
    expect(await merchant.refunds()).toHaveLength(1);
  });

  test('is not refunded if attempt 17 finds that it was delivered', async () => {
    world.gateway = async () => {
      await world.writeMessageState(id, 'delivered');
      return new Response('', { status: 500 });
    };
    await deliver([id], 17);
    expect((await shown(id)).status).toBe('delivered');
    expect(await merchant.balance()).toBe(CREDITS - 1);
    expect(await deliver([id], 18)).toEqual([]);
  });

  test('is sent if only attempt 17 succeeds', async () => {
    expect(await deliver([id], 17)).toEqual([]);
    expect((await shown(id)).status).toBe('sending');
    expect(await merchant.refunds()).toEqual([]);
  });

  test('fails and is refunded if its sender is removed', async () => {
    await removeSender(world, MTN);
    world.clock.nowMs += 60_000;
    expect(await deliver([id])).toEqual([]);
    expect(world.fetched).toEqual([]);
    const failure_reason = expect.stringMatching(/sender/);
    expect(await shown(id)).toMatchObject({ status: 'failed', failure_reason });
    await expectRefundedOnce();
  });

  test('keeps the balance equal to top-ups minus sends plus refunds', async () => {
    const ids = await queued(Array(12).fill('0551112223'));
    let calls = 0;
    world.gateway = async () => new Response('{}', { status: [202, 400, 500, 409][calls++ % 4] ?? 202 });
    for (const receives of [1, 2, 17, 18]) await deliver(ids, receives);
    const refunds = await merchant.refunds();
    const rows = await Promise.all(ids.map((id, index) => world.messageRow(ids[0] ?? id, index)));
    expect(refunds).toHaveLength(rows.filter((row) => row?.state === 'failed').length);
    expect(new Set(refunds.map(({ message_id }) => message_id)).size).toBe(refunds.length);
    expect(await merchant.balance()).toBe(CREDITS - 1 - 12 + refunds.length);
  });
});

test('two simultaneous texts on an idle SIM are sent immediately', async () => {
  const ids = await queued(['0551112223', '0551112224']);
  holdUntilTwo('UpdateItem');
  expect(await deliver(ids)).toEqual([]);
  expect(world.fetched).toHaveLength(2);
  expect(world.queued).toEqual([]);
});

describe('a batch of delivery jobs', () => {
  test('processes the other jobs if one is invalid', async () => {
    await sendOne();
    const [first, second] = await queued(['0551112223', '0551112224']);
    const bad = [{ send_id: 'nonsense', index: 0 }, { nonsense: true }, { send_id: first, index: 7 }];
    const { batchItemFailures } = await world.work('deliver-sms', [jobOf(first), ...bad, jobOf(second)]);
    expect(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier)).toEqual(['1', '2', '3']);
    // A batch runs its jobs concurrently.
    expect(world.fetched.map(({ body }) => GatewayText.parse(body).id).sort()).toEqual([first, second].sort());
  });

  test('processes the other texts if one fails', async () => {
    await sendOne();
    const ids = await queued(['0551112223', '0551112224', '0551112225']);
    world.gateway = async (request) => {
      const { id } = GatewayText.parse(await request.json());
      return Response.json({}, { status: id === ids[1] ? 500 : 202 });
    };
    expect(await deliver(ids)).toEqual(['1']);
    expect(world.postponed).toMatchObject([{ queue: 'deliver-sms', receiptHandle: '1' }]);
  });

  test('reads each sender and account once', async () => {
    const ids = await queued(Array(10).fill('0551112223'));
    let secrets = 0;
    const { secret } = world.outside;
    world.outside.secret = (name) => {
      secrets += 1;
      return secret(name);
    };
    await deliver(ids.slice(0, 1));
    const asked: string[] = [];
    world.dynamoDb = (request, send) => {
      asked.push(`${request.command} ${JSON.stringify(request.input)}`);
      return send();
    };
    await deliver(ids.slice(1));
    expect(secrets).toBe(1);
    expect(asked.filter((request) => request.startsWith('Query') && request.includes('"SENDER"'))).toEqual([]);
  });
});

describe('a verification code', () => {
  let send: Record<string, unknown>;
  let job: object;
  beforeEach(async () => {
    await merchant.setWebhook();
    const payer = newPayerNumber();
    await pay(world, { number: MTN }, fromTelecel({ phone: payer }));
    const { access_code } = await merchant.createCharge();
    await world.call('checkout/ask-for-code', { parameters: { access_code }, body: { phone: `+${payer}` } });
    [send = {}] = (await world.rows('SEND')).filter(({ merchant_id }) => merchant_id !== merchant.id);
    await callWorker(world, relay, streamEvent([{ after: send }]));
    [job = {}] = world.queued.splice(0).map((one) => one.job.body);
  });

  test('is sent while it is valid', async () => {
    world.clock.nowMs += MINUTE_MS;
    expect(await world.work('deliver-sms', [job])).toEqual({ batchItemFailures: [] });
    expect(world.fetched.map(({ body }) => body)).toMatchObject([
      { id: send.send_id, phoneNumbers: send.to, ttl: 540 },
    ]);
  });

  test('keeps its message id if its job is delivered twice', async () => {
    for (let n = 0; n < 2; n++) await world.work('deliver-sms', [job]);
    expect(new Set(world.fetched.map(({ body }) => z.object({ id: z.string() }).parse(body).id)).size).toBe(1);
  });

  test('is not sent after it has expired', async () => {
    world.clock.nowMs += 10 * MINUTE_MS;
    expect(await world.work('deliver-sms', [job])).toEqual({ batchItemFailures: [] });
    expect(world.fetched).toEqual([]);
    expect(await world.messageRow(String(send.send_id))).toMatchObject({ state: 'expired' });
  });

  test('is free, so a failure refunds nothing', async () => {
    world.gateway = async () => Response.json({ message: 'no such number' }, { status: 400 });
    await world.work('deliver-sms', [job]);
    const row = await world.messageRow(String(send.send_id));
    expect(row).toMatchObject({ state: 'failed' });
    expect(row).not.toHaveProperty('gsi1pk');
    expect(await merchant.balance()).toBe(CREDITS - 1);
    expect(await merchant.refunds()).toEqual([]);
    expect(await world.rows('BALANCE')).toHaveLength(1);
  });

  test('is hidden from all merchants', async () => {
    const { json } = await merchant.call('sms/list');
    expect(json.data.sends).toMatchObject([{ id }]);
    const shown = await merchant.call('sms/show', { parameters: { id: String(send.send_id) } });
    expect(shown.status).toBe(404);
  });

  test.each(['delivered', 'failed'])('triggers no webhook event when it is %s', async (state) => {
    await world.work('deliver-sms', [job]);
    const before = await world.messageRow(String(send.send_id));
    await callWorker(world, followUp, streamEvent([{ before: before ?? {}, after: { ...before, state } }]));
    expect((await world.rows('EVENT')).filter(({ type }) => String(type).startsWith('sms.'))).toEqual([]);
    expect(world.counted).toMatchObject({ [`codes_${state}`]: 1 });
    for (const name of ['texts_accepted', 'texts_delivered', 'texts_failed', 'credits_refunded']) {
      expect(world.counted).not.toHaveProperty(name);
    }
  });
});

/** Sends a text, then clears the recorded requests. */
async function sendOne(): Promise<void> {
  await deliver(await queued());
  world.fetched.length = 0;
}

async function expectRefundedOnce(): Promise<void> {
  expect(await merchant.balance()).toBe(CREDITS);
  expect(await merchant.refunds()).toHaveLength(1);
}

/** Accepts a text. Returns its message ids. */
async function queued(to = ['0551112223'], message = 'Your order is ready 😀'): Promise<string[]> {
  return (await merchant.text({ to, message, from: MTN })).ids;
}

/** Runs the jobs for these messages. Returns the indexes of the failed jobs. */
async function deliver(ids: readonly string[], receives = 1): Promise<string[]> {
  const { batchItemFailures } = await world.work('deliver-sms', ids.map(jobOf), receives);
  return batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
}

function jobOf(id = '') {
  const place = parseMessageId(id);
  return { send_id: place?.sendId, index: place?.index };
}

async function shown(id: string) {
  return (await merchant.call('sms/show', { parameters: { id } })).json.data;
}

function devices(): string[] {
  return handedOver().map(({ deviceId }) => deviceId);
}

function handedOver() {
  return world.fetched.map(({ body }) => GatewayText.parse(body));
}

/** Makes the gateway return 500 once, then 202. */
function failOnce(): void {
  const { gateway } = world;
  world.gateway = async () => {
    world.gateway = gateway;
    return new Response('', { status: 500 });
  };
}

/** Holds the first such request from each of two workers, so that both are executed before either gets a response. */
function holdUntilTwo(command: string): void {
  const { promise: met, resolve } = Promise.withResolvers<void>();
  let arrived = 0;
  world.dynamoDb = async (request, send) => {
    try {
      await send();
    } finally {
      if (request.command === command && arrived < 2) {
        arrived += 1;
        if (arrived === 2) resolve();
        await met;
      }
    }
  };
}
