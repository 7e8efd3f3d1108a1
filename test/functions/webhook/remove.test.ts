import { expect, test } from 'vitest';
import { handler } from '../../../functions/webhook/remove.ts';
import { rows } from '../../support/receipts.ts';
import { setWebhook } from '../../support/webhooks.ts';
import { call, createMerchant, createWorld } from '../../support/world.ts';

const world = await createWorld();

test('removes the webhook; a second call succeeds too', async () => {
  const [merchant, other] = [await createMerchant(world), await createMerchant(world)];
  await setWebhook(world, merchant);
  await setWebhook(world, other);
  for (let times = 0; times < 2; times++) {
    const { status, json } = await call(world, handler, { method: 'DELETE', key: merchant.liveKey });
    expect({ status, json }).toEqual({ status: 200, json: { status: true, message: expect.any(String), data: {} } });
    expect((await rows(world, 'WEBHOOK')).map(({ merchant_id }) => merchant_id)).toEqual([other.id]);
  }
});

test('a webhook that is set again has a new secret', async () => {
  const merchant = await createMerchant(world);
  const before = await setWebhook(world, merchant);
  await call(world, handler, { method: 'DELETE', key: merchant.liveKey });
  expect(await setWebhook(world, merchant)).not.toBe(before);
});
