import { expect, test } from 'vitest';
import { expectWords } from '../../support/answers.ts';
import { expectFailure, expectOk } from '../../support/envelope.ts';
import { scene } from '../../support/scene.ts';
import { ENABLED, HOOK } from '../../support/webhooks.ts';

const world = await scene();

test('a missing webhook is explained with advice', async () => {
  const { liveKey: key } = await world.createMerchant();
  const answer = await world.call('webhook/show', { key });
  expectFailure(answer, 404, 'not_found');
  expect(answer.json.message).toContain('PUT /api/v1/webhook');
});

test('the webhook’s URL is returned without its secret', async () => {
  const merchant = await world.createMerchant();
  const secret = await merchant.setWebhook();
  const { text } = expectOk(await merchant.call('webhook/show'), { ...ENABLED, url: HOOK, created_at: world.iso() });
  expectWords(text, [], [secret.slice(6), 'whsec']);
});

test('another merchant’s webhook is hidden', async () => {
  const [merchant, other] = [await world.createMerchant(), await world.createMerchant()];
  await other.setWebhook();
  expectFailure(await merchant.call('webhook/show'), 404, 'not_found');
});
