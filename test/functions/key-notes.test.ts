import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { KEY_CACHE_SECONDS } from '../../shared/merchants/merchant/api-key.table.ts';
import { hashApiKey } from '../../shared/merchants/merchant/api-key.ts';
import { listFailedRequests, MAX_NOTED_FAILURES } from '../../shared/merchants/merchant/failed-request.table.ts';
import { showApiKeys } from '../../shared/merchants/merchant/manage-keys.ts';
import { testAccountIdOf } from '../../shared/merchants/merchant/test-account.ts';
import { HOUR_MS } from '../../shared/runtime/values/calendar.ts';
import { rollApiKey } from '../support/actions.ts';
import { expectFailure } from '../support/envelope.ts';
import { asScene, type Merchant, type Scene, scene } from '../support/scene.ts';

let world: Scene;
let merchant: Merchant;

beforeEach(async () => {
  world = await scene();
  merchant = await world.createMerchant({ credits: 1_000 });
  await world.createSender('+233241234567');
});

const charge = (key = merchant.liveKey) => world.call('transaction/initialize', { key, body: { amount: 36 } });

describe('a key’s last use', () => {
  const lastUse = async () => {
    const uses = await world.outside.table.list(`KEY_USE#${hashApiKey(merchant.liveKey)}`);
    await world.relayChanges(...uses.map((after) => ({ after })));
    const keys = await showApiKeys(world.outside, merchant.id);
    return keys.find(({ hint }) => hint === merchant.liveKey.slice(-4))?.last_used_at;
  };

  test('is recorded at most once per hour', async () => {
    expect(await lastUse()).toBeNull();
    const firstMs = world.clock.nowMs;
    await charge();
    expect(await lastUse()).toBe(new Date(firstMs).toISOString());
    world.clock.nowMs = firstMs + HOUR_MS - 1;
    await charge();
    expect(await lastUse()).toBe(new Date(firstMs).toISOString());
    world.clock.nowMs = firstMs + HOUR_MS + KEY_CACHE_SECONDS * 1000;
    await charge();
    expect(await lastUse()).toBe(world.iso());
  });

  test('requires no extra read', async () => {
    await charge();
    await lastUse();
    world.requests.length = 0;
    await charge();
    expect(world.requests).toEqual(['PutItem']);
    world.clock.nowMs += KEY_CACHE_SECONDS * 1000;
    world.requests.length = 0;
    await charge();
    expect(world.requests.toSorted()).toEqual(['GetItem', 'GetItem', 'PutItem']);
  });

  test('is recorded once across function instances', async () => {
    const firstMs = world.clock.nowMs;
    for (const outside of [world.outside, { ...world.outside }, { ...world.outside }]) {
      const request = { key: merchant.liveKey, body: { amount: 36 } };
      await asScene({ ...world, outside }).call('transaction/initialize', request);
      world.clock.nowMs += 60_000;
    }
    const [use] = await world.outside.table.list(`KEY_USE#${hashApiKey(merchant.liveKey)}`);
    expect(use?.last_used_at).toBe(new Date(firstMs).toISOString());
  });

  test('is recorded in parallel with the request', async () => {
    let [open, most] = [0, 0];
    world.dynamoDb = async ({ command }, sendOn) => {
      if (command !== 'PutItem') return sendOn();
      most = Math.max(most, ++open);
      await setImmediate();
      await sendOn();
      open--;
    };
    expect((await charge()).status).toBe(200);
    expect(most).toBe(2);
  });

  test('does not affect the request if it cannot be recorded', async () => {
    world.dynamoDb = async ({ input }, sendOn) => {
      if (JSON.stringify(input).includes('KEY_USE#')) throw new Error('The table is away');
      await sendOn();
    };
    expect((await charge()).status).toBe(200);
    world.dynamoDb = (_, sendOn) => sendOn();
    expect(world.logged.splice(0)).toMatchObject([{ event: 'key_use_not_noted' }]);
    expect(await lastUse()).toBeNull();
  });
});

describe('failed API requests', () => {
  test('are recorded with route, key and reason only', async () => {
    const body = { to: '0551112223', message: 'canary-words', from: '0209999999' };
    const { json } = await merchant.call('sms/send', { body });
    await merchant.call('transaction/verify', { parameters: { reference: 'MK-0000000000' } });
    const at = world.iso();
    const found = await listFailedRequests(world.outside, merchant.id);
    expect(found).toHaveLength(2);
    expect(found).toContainEqual({
      at,
      hint: merchant.smsKey.slice(-4),
      method: 'POST',
      route: '/api/v1/sms/send',
      status: 400,
      code: 'invalid_request',
      request_id: json.request_id,
    });
    const rows = await world.outside.table.list(`FAILED_REQUEST#${merchant.id}`);
    expect(JSON.stringify(rows)).not.toMatch(/canary|0551112223|209999999|MK-0000000000/);
    for (const { expires_at_epoch_seconds: end } of rows)
      expect(Number(end) * 1000 - world.clock.nowMs).toBeCloseTo(3 * 24 * HOUR_MS, -4);
  });

  test('are recorded separately in test mode', async () => {
    await world.call('transaction/verify', { key: merchant.testKey, parameters: { reference: 'MK-0000000000' } });
    expect(await listFailedRequests(world.outside, merchant.id)).toEqual([]);
    expect(await listFailedRequests(world.outside, testAccountIdOf(merchant.id))).toHaveLength(1);
  });

  test('are combined into a few rows if repeated in a loop', async () => {
    const fail = () => merchant.call('transaction/verify', { parameters: { reference: 'MK-0000000000' } });
    for (let n = 0; n < 40; n++) await fail();
    expect(await listFailedRequests(world.outside, merchant.id)).toHaveLength(MAX_NOTED_FAILURES);
    world.clock.nowMs += KEY_CACHE_SECONDS * 1000;
    await fail();
    expect(await listFailedRequests(world.outside, merchant.id)).toHaveLength(MAX_NOTED_FAILURES + 1);
  });

  test('are recorded only for valid keys', async () => {
    await world.call('transaction/verify', { key: 'sk_live_nonsense', parameters: { reference: 'MK-0000000000' } });
    await charge();
    expect(await listFailedRequests(world.outside, merchant.id)).toEqual([]);
  });

  test('get the same response if they cannot be recorded', async () => {
    world.dynamoDb = async ({ input }, sendOn) => {
      if (JSON.stringify(input).includes('FAILED_REQUEST#')) throw new Error('The table is away');
      await sendOn();
    };
    const { status } = await merchant.call('transaction/verify', { parameters: { reference: 'MK-0000000000' } });
    expect(status).toBe(404);
    expect(world.logged.splice(0)).toMatchObject([{ event: 'failure_not_noted' }]);
  });
});

describe('a rotated API key', () => {
  test('remains valid until the overlap ends', async () => {
    const { key, old } = await rollApiKey(world.outside, merchant.id, merchant.liveKey.slice(-4), { overlap: '1h' });
    expect(old.ends_at).toBe(world.iso(HOUR_MS));
    world.clock.nowMs += HOUR_MS - 1;
    expect({ ownKey: (await charge()).status, otherKey: (await charge(key)).status }).toEqual({
      ownKey: 200,
      otherKey: 200,
    });
    world.clock.nowMs += 1;
    const ended = await charge();
    expectFailure(ended, 401, 'unauthorized');
    expect(ended.json.message).toContain('was replaced');
    expect((await charge(key)).status).toBe(200);
  });

  test('is replaced by a key with the same properties', async () => {
    const first = await merchant.addKey('sms', { mode: 'test', requestsPerSecond: 3, scope: ['texts:send'] });
    const { key } = await rollApiKey(world.outside, merchant.id, first.slice(-4), { overlap: '24h' });
    expect(key).toMatch(/^sk_sms_test_/);
    const keys = await showApiKeys(world.outside, merchant.id);
    const rolled = keys.find(({ hint }) => hint === key.slice(-4));
    expect(rolled).toMatchObject({ test: true, requests_per_second: 3, scope: ['texts:send'], ends_at: null });
  });

  test('cannot be rotated again', async () => {
    const hint = merchant.liveKey.slice(-4);
    await rollApiKey(world.outside, merchant.id, hint, { overlap: '7d' });
    await expect(rollApiKey(world.outside, merchant.id, hint, { overlap: '7d' })).rejects.toMatchObject({
      code: 'busy',
    });
    await expect(rollApiKey(world.outside, merchant.id, 'none', { overlap: '7d' })).rejects.toThrow(
      'no key ending in none',
    );
    expect(await showApiKeys(world.outside, merchant.id)).toHaveLength(5);
  });
});
