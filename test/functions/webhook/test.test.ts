import { beforeEach, describe, expect, test } from 'vitest';
import { handler as followUp } from '../../../functions/work/follow-up.ts';
import { loseAnswers } from '../../support/disturb.ts';
import { expectFailure, expectOk } from '../../support/envelope.ts';
import { type Merchant, type Scene, scene } from '../../support/scene.ts';
import { opened } from '../../support/webhooks.ts';
import { type Call, callWorker, streamEvent } from '../../support/world.ts';

let world: Scene;
let merchant: Merchant;
let secret: string;
beforeEach(async () => {
  world = await scene();
  merchant = await world.createMerchant();
  secret = await merchant.setWebhook();
});

test('creates an event that says that webhooks arrive, due at once', async () => {
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

test('the stream queues it, and it arrives signed', async () => {
  const { id } = (await post()).json.data;
  await callWorker(world, followUp, streamEvent([{ after: await world.eventRow(id) }]));
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

test('one that is disabled is refused, and says so: nothing would be posted', async () => {
  world.receiver = async () => ({ statusCode: 410, headers: {}, text: '' });
  await world.makeTry((await post()).json.data.id);
  const answer = await post();
  expectFailure(answer, 404, 'not_found');
  expect(answer.json.message).toContain('Your webhook is disabled since');
  expect(await world.rows('EVENT')).toHaveLength(1);
});

test('each call creates its own event', async () => {
  const ids = [(await post()).json.data.id, (await post()).json.data.id];
  expect(new Set(ids).size).toBe(2);
  expect(await world.rows('EVENT')).toHaveLength(2);
});

test('without a webhook it is a 404, and no event is created', async () => {
  const { liveKey: key } = await world.createMerchant();
  expectFailure(await post({ key }), 404, 'not_found');
  expect(await world.rows('EVENT')).toEqual([]);
});

test('a lost DynamoDB response is not a conflict', async () => {
  loseAnswers(world, 'PutItem', 1);
  expect((await post()).status).toBe(200);
  expect(await world.rows('EVENT')).toHaveLength(1);
});

describe('under an Idempotency-Key', () => {
  const headers = { 'idempotency-key': 'test-1' };

  test('a repeat gets the same event', async () => {
    const [first, second] = [await post({ headers }), await post({ headers })];
    expect([second.status, second.text]).toEqual([200, first.text]);
    expect(second.headers['idempotent-replayed']).toBe('true');
    expect(await world.rows('EVENT')).toHaveLength(1);
  });

  test('ten concurrent calls create one event', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => post({ headers })));
    const done = answers.filter(({ status }) => status === 200);
    expect(new Set(done.map(({ text }) => text)).size).toBe(1);
    expect(await world.rows('EVENT')).toHaveLength(1);
  });

  test('the same key of another merchant is independent', async () => {
    const other = await world.createMerchant();
    await other.setWebhook();
    await post({ headers });
    expect((await post({ headers, key: other.liveKey })).headers).not.toHaveProperty('idempotent-replayed');
    const owners = (await world.rows('EVENT')).map(({ merchant_id }) => merchant_id);
    expect(owners.sort()).toEqual([merchant.id, other.id].sort());
  });
});

function post(how?: Call) {
  return merchant.call('webhook/test', how);
}
