import { expect, test } from 'vitest';
import { handler } from '../../../functions/webhook/show.ts';
import { expectFailure } from '../../support/envelope.ts';
import { HOOK, setWebhook } from '../../support/webhooks.ts';
import { call, createMerchant, createWorld } from '../../support/world.ts';

const world = await createWorld();

test('a merchant without a webhook gets a 404 that says how to set one', async () => {
  const { liveKey: key } = await createMerchant(world);
  const answer = await call(world, handler, { key });
  expectFailure(answer, 404, 'not_found');
  expect(answer.json.message).toContain('PUT /api/v1/webhook');
});

test('shows where events go, without the secret', async () => {
  const merchant = await createMerchant(world);
  const secret = await setWebhook(world, merchant);
  const { status, json, text } = await call(world, handler, { key: merchant.liveKey });
  expect({ status, json }).toEqual({
    status: 200,
    json: {
      status: true,
      message: expect.any(String),
      data: {
        url: HOOK,
        events: null,
        enabled: true,
        disabled_reason: null,
        disabled_at: null,
        failing_since: null,
        created_at: new Date(world.clock.nowMs).toISOString(),
      },
    },
  });
  expect(text).not.toContain(secret.slice(6));
  expect(text).not.toContain('whsec');
});

test('shows nothing of another merchant’s', async () => {
  const [merchant, other] = [await createMerchant(world), await createMerchant(world)];
  await setWebhook(world, other);
  expectFailure(await call(world, handler, { key: merchant.liveKey }), 404, 'not_found');
});
