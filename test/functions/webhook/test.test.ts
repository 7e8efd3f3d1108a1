import { beforeEach, describe, expect, test } from 'vitest';
import { loseAnswers } from '../../support/disturb.ts';
import { expectFailure, expectOk } from '../../support/envelope.ts';
import { type Merchant, type Scene, scene } from '../../support/scene.ts';
import { opened } from '../../support/webhooks.ts';
import type { Call } from '../../support/world.ts';

let world: Scene;
let merchant: Merchant;
let secret: string;
beforeEach(async () => {
  world = await scene();
  merchant = await world.createMerchant();
  secret = await merchant.setWebhook();
});

test('a test call creates an event that contains only a message', async () => {
  const now = world.iso();
  const { json } = expectOk(await post(), {
    id: expect.stringMatching(/^evt_[0-9a-f]{32}$/),
    type: 'webhook.test',
    status: 'pending',
    tries: 0,
    next_try_at: now,
    created_at: now,
    body: { type: 'webhook.test', timestamp: now, livemode: true, data: { message: expect.any(String) } },
  });
  expect(await world.rows('EVENT')).toMatchObject([{ event_id: json.data.id, merchant_id: merchant.id }]);
});

test('the test event arrives signed', async () => {
  const { id } = (await post()).json.data;
  await world.relayChanges({ after: await world.eventRow(id) });
  expect(world.queued).toEqual([
    { queue: 'deliver-webhook', job: { body: { event_id: id, tries: 0 }, group: merchant.id, delaySeconds: 0 } },
  ]);
  await world.makeTry(id);
  const [arrived] = world.posted;
  expect(arrived && opened(world, arrived, secret)).toEqual({
    type: 'webhook.test',
    timestamp: world.iso(),
    livemode: true,
    data: { message: expect.any(String) },
  });
});

test('a test call for a disabled webhook returns 404', async () => {
  world.receiver = async () => ({ statusCode: 410, headers: {}, text: '' });
  await world.makeTry((await post()).json.data.id);
  const answer = await post();
  expectFailure(answer, 404, 'not_found');
  expect(answer.json.message).toContain('Your webhook has been disabled since');
  expect(await world.rows('EVENT')).toHaveLength(1);
});

test('each test call creates an event', async () => {
  const ids = [(await post()).json.data.id, (await post()).json.data.id];
  expect(new Set(ids).size).toBe(2);
  expect(await world.rows('EVENT')).toHaveLength(2);
});

test('a test call without a webhook returns 404', async () => {
  const { liveKey: key } = await world.createMerchant();
  expectFailure(await post({ key }), 404, 'not_found');
  expect(await world.rows('EVENT')).toEqual([]);
});

test('a test call succeeds if the DynamoDB response was lost', async () => {
  loseAnswers(world, 'PutItem', 1);
  expect((await post()).status).toBe(200);
  expect(await world.rows('EVENT')).toHaveLength(1);
});

describe('the Idempotency-Key for a test call', () => {
  const headers = { 'idempotency-key': 'test-1' };

  test('returns the same event for a repeated call', async () => {
    const [first, second] = [await post({ headers }), await post({ headers })];
    expect({ status: second.status, text: second.text }).toEqual({ status: 200, text: first.text });
    expect(second.headers['idempotent-replayed']).toBe('true');
    expect(await world.rows('EVENT')).toHaveLength(1);
  });

  test('creates one event for ten simultaneous calls', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => post({ headers })));
    const done = answers.filter(({ status }) => status === 200);
    expect(new Set(done.map(({ text }) => text)).size).toBe(1);
    expect(await world.rows('EVENT')).toHaveLength(1);
  });

  test('is independent for each merchant', async () => {
    const other = await world.createMerchant();
    await other.setWebhook();
    await post({ headers });
    expect((await post({ headers, key: other.liveKey })).headers).not.toHaveProperty('idempotent-replayed');
    const owners = (await world.rows('EVENT')).map(({ merchant_id }) => merchant_id);
    expect(owners.sort()).toEqual([merchant.id, other.id].sort());
  });
});

describe('the limit on test calls', () => {
  test('allows ten tests or replays a minute', async () => {
    world.clock.nowMs = Date.UTC(2026, 10, 20, 8, 30, 15);
    const id = await merchant.newEvent();
    for (let n = 0; n < 5; n++) expect((await post()).status).toBe(200);
    for (let n = 0; n < 5; n++) expect((await replayed(id)).status).toBe(200);

    for (const answer of [await post(), await replayed(id)]) {
      expectFailure(answer, 429, 'too_many_requests');
      expect(answer.headers['retry-after']).toBe('45');
    }

    expect(await world.rows('EVENT')).toHaveLength(6);
    world.clock.nowMs += 45_000;
    expect((await post()).status).toBe(200);
  });

  test('holds for simultaneous calls', async () => {
    const answers = await Promise.all(Array.from({ length: 40 }, () => post()));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
    expect(await world.rows('EVENT')).toHaveLength(10);
  });

  test('is separate for each merchant', async () => {
    for (let n = 0; n < 11; n++) await post();
    const neighbour = await world.createMerchant();
    await neighbour.setWebhook();
    expect((await neighbour.call('webhook/test')).status).toBe(200);
  });

  test('counts a repeated Idempotency-Key once', async () => {
    const headers = { 'idempotency-key': 'test-1' };
    for (let n = 0; n < 20; n++) expect((await post({ headers })).status).toBe(200);
    loseAnswers(world, 'TransactWriteItems', 3);
    for (let n = 0; n < 9; n++) expect((await post()).status).toBe(200);
    expectFailure(await post(), 429, 'too_many_requests');
    // A repeated request succeeds even after the limit is reached.
    expect((await post({ headers })).status).toBe(200);
  });
});

function post(how?: Call) {
  return merchant.call('webhook/test', how);
}

function replayed(id: string) {
  return merchant.call('webhook/replay', { parameters: { id } });
}
