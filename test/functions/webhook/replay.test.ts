import { beforeEach, describe, expect, test } from 'vitest';
import { loseAnswers } from '../../support/disturb.ts';
import { expectFailure, expectOk } from '../../support/envelope.ts';
import { type Merchant, type Scene, scene } from '../../support/scene.ts';
import { startWork } from '../../support/webhooks.ts';
import type { Call } from '../../support/world.ts';

let world: Scene;
let merchant: Merchant;
beforeEach(async () => {
  world = await scene();
  merchant = await world.createMerchant();
  await merchant.setWebhook();
});

describe('a replay of a delivered event', () => {
  test('adds up to ten attempts with the same id', async () => {
    const id = await delivered();
    world.clock.nowMs += 60_000;
    expectOk(await replay(id), {
      id,
      type: 'webhook.test',
      status: 'pending',
      tries: 1,
      next_try_at: world.iso(),
      created_at: expect.any(String),
      body: expect.anything(),
    });

    await world.makeTry(id, 1);

    expect(world.posted.map(({ headers }) => headers['webhook-id'])).toEqual([id, id]);
    expect(new Set(world.posted.map(({ body }) => body)).size).toBe(1);
    expect(await merchant.shownEvent(id)).toMatchObject({
      status: 'delivered',
      tries: 2,
      next_try_at: null,
      attempts: [{ number: 1 }, { number: 2 }],
    });
  });

  test('is queued by the stream reader', async () => {
    const id = await delivered();
    const before = await world.eventRow(id);
    await replay(id);
    await world.relayChanges({ before, after: await world.eventRow(id) });
    expect(world.queued.at(-1)).toEqual({
      queue: 'deliver-webhook',
      job: { body: { event_id: id, tries: 1 }, group: merchant.id, delaySeconds: 0 },
    });
  });
});

test('a replay of an abandoned event adds ten attempts', async () => {
  const id = await merchant.newEvent();
  world.receiver = async () => ({ statusCode: 500, headers: {}, text: '' });
  await failTries(id, 0, 10);
  expect(await merchant.shownEvent(id)).toMatchObject({ status: 'gave_up', tries: 10 });
  // Sets the URL again, because three more days of failures would disable it.
  await merchant.setWebhook();
  await replay(id);
  await failTries(id, 10, 19);
  expect(await merchant.shownEvent(id)).toMatchObject({ status: 'pending', tries: 19 });
  await failTries(id, 19, 20);
  const { status, attempts } = await merchant.shownEvent(id);
  expect(status).toBe('gave_up');
  expect(attempts.map(({ number }: { number: number }) => number)).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
});

test('a replay of a pending event posts it at once', async () => {
  const work = startWork(world);
  const id = await merchant.newEvent();
  await world.relayChanges({ after: await world.eventRow(id) });
  world.receiver = async () => ({ statusCode: 500, headers: {}, text: '' });
  await work.run(10);
  const before = await world.eventRow(id);
  expect({ tries: before.tries, waiting: work.queues.waiting.length }).toEqual({ tries: 2, waiting: 1 });
  world.receiver = async () => ({ statusCode: 200, headers: {}, text: '' });

  await replay(id);
  await world.relayChanges({ before, after: await world.eventRow(id) });
  await work.run(3_600);

  expect(world.posted).toHaveLength(3);
  expect(await merchant.shownEvent(id)).toMatchObject({ status: 'delivered', tries: 3 });
});

describe('a replay while an attempt is running', () => {
  test('posts the event again', async () => {
    const id = await merchant.newEvent();
    world.receiver = async () => {
      expect((await replay(id)).status).toBe(200);
      return { statusCode: 500, headers: {}, text: 'first' };
    };
    await world.makeTry(id);
    expect(await merchant.shownEvent(id)).toMatchObject({ status: 'pending', tries: 1 });
    world.receiver = async () => ({ statusCode: 200, headers: {}, text: 'second' });
    await world.makeTry(id, 1);
    expect(await merchant.shownEvent(id)).toMatchObject({
      status: 'delivered',
      tries: 2,
      attempts: [
        { number: 1, answer: 'first' },
        { number: 2, answer: 'second' },
      ],
    });
  });

  test('returns 503 if the attempt starts at the same moment', async () => {
    const id = await merchant.newEvent();
    world.dynamoDb = async ({ command, input }, send) => {
      // A worker starts the attempt between the replay's read and write.
      if (command === 'TransactWriteItems' && JSON.stringify(input).includes('"round":{"N":"1"}')) {
        world.dynamoDb = (_, next) => next();
        await world.makeTry(id);
      }
      await send();
    };
    const answer = await replay(id);
    expectFailure(answer, 503, 'busy');
    expect(answer.json.message).toMatch(/being sent right now/);
    expect(world.posted).toHaveLength(1);
    expect(await merchant.shownEvent(id)).toMatchObject({ status: 'delivered', tries: 1 });
    expect((await replay(id)).status).toBe(200);
  });
});

test('ten simultaneous replays each start new attempts or return 503', async () => {
  const id = await delivered();
  const answers = await Promise.all(Array.from({ length: 10 }, () => replay(id)));
  const taken = answers.filter(({ status }) => status === 200).length;
  expect(taken).toBeGreaterThan(0);
  expect(answers.filter(({ status }) => status === 503)).toHaveLength(10 - taken);
  expect(await world.eventRow(id)).toMatchObject({ round: taken, state: 'pending', tries: 1 });
});

test('a replay succeeds if the DynamoDB response was lost', async () => {
  const id = await delivered();
  loseAnswers(world, 'PutItem', 1);
  expect((await replay(id)).status).toBe(200);
  expect(await world.eventRow(id)).toMatchObject({ round: 1, state: 'pending' });
});

describe('the Idempotency-Key for a replay', () => {
  const headers = { 'idempotency-key': 'replay-1' };

  test('prevents a second replay', async () => {
    const id = await delivered();
    const first = await replay(id, { headers });
    await world.makeTry(id, 1);
    const second = await replay(id, { headers });
    expect({ status: second.status, text: second.text }).toEqual({ status: 200, text: first.text });
    expect(second.headers['idempotent-replayed']).toBe('true');
    expect(await world.eventRow(id)).toMatchObject({ round: 1, state: 'delivered', tries: 2 });
  });

  test('does not return another event’s response', async () => {
    const [one, another] = [await delivered(), await delivered()];
    await replay(one, { headers });
    const answer = await replay(another, { headers });
    // The replay must not return the other event's response.
    expect(answer.json).toMatchObject(
      answer.status === 200 ? { data: { id: another } } : { code: 'idempotency_key_reused' },
    );
    expect(await world.eventRow(another)).toMatchObject({ round: answer.status === 200 ? 1 : 0 });
  });
});

test('a replay of another merchant’s event returns 404', async () => {
  const id = await delivered();
  const before = await world.eventRow(id);
  const other = await world.createMerchant();
  await other.setWebhook();
  expectFailure(await replay(id, { key: other.liveKey }), 404, 'not_found');
  expectFailure(await replay(`evt_${'0'.repeat(32)}`), 404, 'not_found');
  expect(await world.eventRow(id)).toEqual(before);
});

function replay(id: string, how?: Call) {
  return merchant.call('webhook/replay', { parameters: { id }, ...how });
}

async function delivered(): Promise<string> {
  const id = await merchant.newEvent();
  await world.makeTry(id);
  return id;
}

/** Makes a range of attempts, each when it is due. */
async function failTries(id: string, from: number, to: number): Promise<void> {
  for (let tries = from; tries < to; tries++) {
    const { next_try_at } = await world.eventRow(id);
    world.clock.nowMs = Math.max(world.clock.nowMs, Date.parse(String(next_try_at)));
    await world.makeTry(id, tries);
  }
}
