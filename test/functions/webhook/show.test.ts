import { expect, test } from 'vitest';
import { expectFailure } from '../../support/envelope.ts';
import { scene } from '../../support/scene.ts';
import { HOOK } from '../../support/webhooks.ts';

const world = await scene();

test('a merchant without a webhook gets a 404 that says how to set one', async () => {
  const { liveKey: key } = await world.createMerchant();
  const answer = await world.call('webhook/show', { key });
  expectFailure(answer, 404, 'not_found');
  expect(answer.json.message).toContain('PUT /api/v1/webhook');
});

test('shows where events go, without the secret', async () => {
  const merchant = await world.createMerchant();
  const secret = await merchant.setWebhook();
  const { status, json, text } = await merchant.call('webhook/show');
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
        created_at: world.iso(),
      },
    },
  });
  expect(text).not.toContain(secret.slice(6));
  expect(text).not.toContain('whsec');
});

test('shows nothing of another merchant’s', async () => {
  const [merchant, other] = [await world.createMerchant(), await world.createMerchant()];
  await other.setWebhook();
  expectFailure(await merchant.call('webhook/show'), 404, 'not_found');
});
