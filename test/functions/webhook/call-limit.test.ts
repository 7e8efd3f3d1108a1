import { beforeEach, expect, test } from 'vitest';
import { loseAnswers } from '../../support/disturb.ts';
import { expectFailure } from '../../support/envelope.ts';
import { type Merchant, type Scene, scene } from '../../support/scene.ts';

let world: Scene;
let merchant: Merchant;
beforeEach(async () => {
  world = await scene();
  world.clock.nowMs = Date.UTC(2026, 10, 20, 8, 30, 15);
  merchant = await world.createMerchant();
  await merchant.setWebhook();
});

test('ten events are tested or replayed in a minute, the eleventh is a 429 until the next one', async () => {
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

test('concurrent calls are limited like sequential ones', async () => {
  const answers = await Promise.all(Array.from({ length: 40 }, () => post()));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
  expect(await world.rows('EVENT')).toHaveLength(10);
});

test('another merchant’s calls count only for that merchant', async () => {
  for (let n = 0; n < 11; n++) await post();
  const neighbour = await world.createMerchant();
  await neighbour.setWebhook();
  expect((await neighbour.call('webhook/test')).status).toBe(200);
});

test('a call repeated under its Idempotency-Key counts once, as does one whose response was lost', async () => {
  const headers = { 'idempotency-key': 'test-1' };
  for (let n = 0; n < 20; n++) expect((await post({ headers })).status).toBe(200);
  loseAnswers(world, 'TransactWriteItems', 3);
  for (let n = 0; n < 9; n++) expect((await post()).status).toBe(200);
  expectFailure(await post(), 429, 'too_many_requests');
  // Also a repeat that comes when none is left.
  expect((await post({ headers })).status).toBe(200);
});

function post(how: object = {}) {
  return world.call('webhook/test', { key: merchant.liveKey, ...how });
}

function replayed(id: string) {
  return merchant.call('webhook/replay', { parameters: { id } });
}
