import { expect, test } from 'vitest';
import { expectFailure, expectOk } from '../../support/envelope.ts';
import { scene } from '../../support/scene.ts';

const world = await scene();
const merchant = await world.createMerchant();
await merchant.setWebhook();

test('an event is returned with its attempts in order', async () => {
  const id = await merchant.newEvent();
  const madeAt = world.iso();
  world.receiver = async () => {
    world.clock.nowMs += 120;
    return { statusCode: 500, headers: {}, text: 'sorry' };
  };
  await world.makeTry(id);
  world.clock.nowMs += 10_000;
  const secondAt = world.iso();
  const error = 'Timed out after 15 s';
  world.receiver = async () => {
    world.clock.nowMs += 15_000;
    throw new Error(error);
  };
  await world.makeTry(id, 1);

  expectOk(await show(id), {
    id,
    type: 'webhook.test',
    status: 'pending',
    tries: 2,
    next_try_at: expect.any(String),
    created_at: madeAt,
    body: { type: 'webhook.test', timestamp: madeAt, livemode: true, data: expect.anything() },
    attempts: [
      { number: 1, started_at: madeAt, duration_ms: 120, status_code: 500, answer: 'sorry', error: null },
      { number: 2, started_at: secondAt, duration_ms: 15_000, status_code: null, answer: null, error },
    ],
  });
});

test('an event without attempts has an empty list', async () => {
  expect((await show(await merchant.newEvent())).json.data).toMatchObject({ tries: 0, attempts: [] });
});

test.each(['', 'evt_', `evt_${'0'.repeat(32)}`, 'EVENT', '%', '\u0000', 'x'.repeat(3_000)])(
  'an impossible event id returns 404: %#',
  async (id) => {
    expectFailure(await show(id), 404, 'not_found');
  },
);

test('another merchant’s event returns 404', async () => {
  const id = await merchant.newEvent();
  const { liveKey: key } = await world.createMerchant();
  const answer = await show(id, key);
  expectFailure(answer, 404, 'not_found');
  expect(answer.json.message).toBe((await show(`evt_${'0'.repeat(32)}`, key)).json.message);
});

function show(id: string, key = merchant.liveKey) {
  return world.call('webhook/show-event', { key, parameters: { id } });
}
