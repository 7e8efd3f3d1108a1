import { expect, test } from 'vitest';
import { expectFailure } from '../../support/envelope.ts';
import { scene } from '../../support/scene.ts';

const world = await scene();
const merchant = await world.createMerchant();
await merchant.setWebhook();

test('an event with each try, in their order', async () => {
  const id = await merchant.newEvent();
  const madeAt = world.clock.nowMs;
  world.receiver = async () => {
    world.clock.nowMs += 120;
    return { statusCode: 500, headers: {}, text: 'sorry' };
  };
  await world.makeTry(id);
  world.clock.nowMs += 10_000;
  world.receiver = async () => {
    world.clock.nowMs += 15_000;
    throw new Error('Timed out after 15 s');
  };
  await world.makeTry(id, 1);

  const { status, json } = await show(id);

  expect(status).toBe(200);
  expect(json.data).toEqual({
    id,
    type: 'webhook.test',
    status: 'pending',
    tries: 2,
    next_try_at: expect.any(String),
    created_at: new Date(madeAt).toISOString(),
    body: { type: 'webhook.test', timestamp: new Date(madeAt).toISOString(), livemode: true, data: expect.anything() },
    attempts: [
      {
        number: 1,
        started_at: new Date(madeAt).toISOString(),
        duration_ms: 120,
        status_code: 500,
        answer: 'sorry',
        error: null,
      },
      {
        number: 2,
        started_at: new Date(madeAt + 10_120).toISOString(),
        duration_ms: 15_000,
        status_code: null,
        answer: null,
        error: 'Timed out after 15 s',
      },
    ],
  });
});

test('an event that was not tried yet has no tries', async () => {
  const id = await merchant.newEvent();
  expect((await show(id)).json.data).toMatchObject({ tries: 0, attempts: [] });
});

test.each(['', 'evt_', `evt_${'0'.repeat(32)}`, 'EVENT', '%', '\u0000', 'x'.repeat(3_000)])(
  'no event has the id %#: 404',
  async (id) => {
    expectFailure(await show(id), 404, 'not_found');
  },
);

test('another merchant’s event is a 404, as if it did not exist', async () => {
  const id = await merchant.newEvent();
  const { liveKey: key } = await world.createMerchant();
  const answer = await show(id, key);
  expectFailure(answer, 404, 'not_found');
  expect(answer.json.message).toBe((await show(`evt_${'0'.repeat(32)}`, key)).json.message);
});

function show(id: string, key = merchant.liveKey) {
  return world.call('webhook/show-event', { key, parameters: { id } });
}
