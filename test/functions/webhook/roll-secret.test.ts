import { beforeEach, describe, expect, test } from 'vitest';
import { DAY_MS } from '../../../shared/runtime/values/calendar.ts';
import { loseAnswers } from '../../support/disturb.ts';
import { expectFailure, expectOk } from '../../support/envelope.ts';
import { type Merchant, type Scene, scene } from '../../support/scene.ts';
import { ENABLED, HOOK, isSignedBy } from '../../support/webhooks.ts';
import type { Call } from '../../support/world.ts';

let world: Scene;
let merchant: Merchant;
beforeEach(async () => {
  world = await scene();
  merchant = await world.createMerchant();
});

test('rotation returns a new secret and changes nothing else', async () => {
  const before = await merchant.setWebhook();
  const secret = expect.stringMatching(/^whsec_[A-Za-z0-9+/]{32}$/);
  const { json } = expectOk(await roll(), { ...ENABLED, url: HOOK, secret, created_at: world.iso() });
  expect(json.data.secret).not.toBe(before);
});

test('events are signed with both secrets for 24 hours after a rotation', async () => {
  const before = await merchant.setWebhook();
  const rolledMs = world.clock.nowMs;
  const { secret } = (await roll()).json.data;

  expect(await signedBy(before, secret)).toEqual([true, true]);
  world.clock.nowMs = rolledMs + DAY_MS - 1;
  expect(await signedBy(before, secret)).toEqual([true, true]);
  world.clock.nowMs = rolledMs + DAY_MS;
  expect(await signedBy(before, secret)).toEqual([false, true]);
  expect(world.posted.map(({ headers }) => headers['webhook-signature']?.split(' ').length)).toEqual([2, 2, 1]);
});

test('a second rotation within a day revokes the oldest secret', async () => {
  const first = await merchant.setWebhook();
  const { secret: second } = (await roll()).json.data;
  const { secret: third } = (await roll()).json.data;
  expect(await signedBy(first, second, third)).toEqual([false, true, true]);
});

test('a new URL keeps both secrets', async () => {
  const first = await merchant.setWebhook();
  const { secret: second } = (await roll()).json.data;
  expect(await merchant.setWebhook('https://shop.example.com/elsewhere')).toBe(second);
  expect(await signedBy(first, second)).toEqual([true, true]);
});

test('simultaneous rotations return only secrets that sign events', async () => {
  await merchant.setWebhook();
  const answers = await Promise.all([roll(), roll()]);
  const shown = answers.filter(({ status }) => status === 200).map(({ json }) => json.data.secret);
  expect(shown.length).toBeGreaterThan(0);
  expect(await signedBy(...shown)).toEqual(shown.map(() => true));
});

test('a rotation keeps a URL that is set at the same time', async () => {
  await merchant.setWebhook();
  const elsewhere = 'https://shop.example.com/elsewhere';
  world.rightBefore('TransactWriteItems', () => merchant.setWebhook(elsewhere));
  expectFailure(await roll(), 503, 'busy');
  expect(await world.rows('WEBHOOK')).toMatchObject([{ url: elsewhere }]);
});

test('a rotation without a webhook returns 404', async () => {
  expectFailure(await roll(), 404, 'not_found');
  expect(await world.rows('WEBHOOK')).toEqual([]);
});

test('a rotation does not affect other merchants', async () => {
  const other = await world.createMerchant();
  await merchant.setWebhook();
  await other.setWebhook('https://other.example.com');
  const theirs = async () => (await world.rows('WEBHOOK')).filter(({ merchant_id }) => merchant_id === other.id);
  const before = await theirs();
  await roll();
  expect(await theirs()).toEqual(before);
});

describe('the Idempotency-Key for a rotation', () => {
  const headers = { 'idempotency-key': 'roll-1' };

  test('returns the same secret without rotating again', async () => {
    const before = await merchant.setWebhook();
    const first = await roll({ headers });
    const second = await roll({ headers });
    expect({ status: second.status, text: second.text }).toEqual({ status: 200, text: first.text });
    expect(second.headers['idempotent-replayed']).toBe('true');
    expect(await signedBy(before, first.json.data.secret)).toEqual([true, true]);
  });

  test('rotates once for ten simultaneous requests', async () => {
    const before = await merchant.setWebhook();
    const answers = await Promise.all(Array.from({ length: 10 }, () => roll({ headers })));
    const secrets = new Set(answers.filter(({ status }) => status === 200).map(({ json }) => json.data.secret));
    expect(secrets.size).toBe(1);
    expect(await signedBy(before, ...secrets)).toEqual([true, true]);
  });

  test('rotates once if the DynamoDB response was lost', async () => {
    const before = await merchant.setWebhook();
    loseAnswers(world, 'TransactWriteItems', 1);
    const { status, json } = await roll({ headers });
    expect(status).toBe(200);
    expect(await signedBy(before, json.data.secret)).toEqual([true, true]);
  });
});

function roll(how?: Call) {
  return merchant.call('webhook/roll-secret', how);
}

/** Returns which of the secrets sign a new event. */
async function signedBy(...secrets: string[]): Promise<boolean[]> {
  const id = await merchant.newEvent();
  await world.makeTry(id);
  const post = world.posted.at(-1);
  expect(post?.headers['webhook-id']).toBe(id);
  return secrets.map((secret) => isSignedBy(world, secret, post));
}
