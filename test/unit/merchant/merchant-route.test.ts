import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { apiKeyRows } from '../../../shared/merchants/merchant/api-key.table.ts';
import { hashApiKey, newApiKey } from '../../../shared/merchants/merchant/api-key.ts';
import { expectFailure } from '../../support/envelope.ts';
import { scene } from '../../support/scene.ts';

const world = await scene();
const merchant = await world.createMerchant();

describe('the kind of a key', () => {
  test.each([
    ['live', 'sms', 'transaction/list'],
    ['sms', 'live', 'sms/list'],
  ] as const)('is rejected if the prefix is sk_%s_ but the stored kind is %s', async (shown, stored, route) => {
    expect((await world.call(route, { key: await storedAs(shown, shown) })).status).toBe(200);
    expectFailure(await world.call(route, { key: await storedAs(stored, shown) }), 401, 'unauthorized');
  });
});

test('the key, merchant and senders are read in parallel on a cold start', async () => {
  const cold = await scene();
  await cold.createSender('+233241234567');
  const sending = await cold.createMerchant({ credits: 10 });
  let [open, most] = [0, 0];
  cold.dynamoDb = async (_request, sendOn) => {
    most = Math.max(most, ++open);
    await setImmediate();
    await sendOn();
    open--;
  };
  cold.requests.length = 0;
  await sending.text();
  // A key's first use is recorded in parallel with the send.
  const requests = ['GetItem', 'GetItem', 'PutItem', 'Query', 'TransactWriteItems'];
  expect({ most, requests: cold.requests.toSorted() }).toEqual({ most: 3, requests });
});

test('the stored merchant of a key is used, not the one in its prefix', async () => {
  const other = await world.createMerchant();
  await world.call('sms/list', { key: await storedAs('sms', 'sms', other.id) });
  expect(world.noted.at(-1)?.fields).toMatchObject({ merchant_id: merchant.id });
});

/** Stores a key whose prefix names another kind and merchant. */
async function storedAs(kind: 'live' | 'sms', shown: 'live' | 'sms', of = merchant.id): Promise<string> {
  const key = newApiKey(shown, of, world.outside.randomBytes);
  const created_at = world.iso();
  const row = { hash: hashApiKey(key), kind, merchant_id: merchant.id, hint: key.slice(-4), created_at };
  await world.outside.table.write([apiKeyRows.create(row)]);
  return key;
}
