import { expect, test } from 'vitest';
import { expectOk } from '../../support/envelope.ts';
import { scene } from '../../support/scene.ts';

const world = await scene();

test('removing a webhook twice causes no error', async () => {
  const [merchant, other] = [await world.createMerchant(), await world.createMerchant()];
  await merchant.setWebhook();
  await other.setWebhook();
  for (let times = 0; times < 2; times++) {
    expectOk(await merchant.call('webhook/remove'), {});
    expect((await world.rows('WEBHOOK')).map(({ merchant_id }) => merchant_id)).toEqual([other.id]);
  }
});

test('a new webhook after a removal gets a new secret', async () => {
  const merchant = await world.createMerchant();
  const before = await merchant.setWebhook();
  await merchant.call('webhook/remove');
  expect(await merchant.setWebhook()).not.toBe(before);
});
