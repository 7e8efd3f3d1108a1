import { describe, expect, test } from 'vitest';
import { handler as listTexts } from '../../../functions/sms/list.ts';
import { handler as send } from '../../../functions/sms/send.ts';
import { handler as listCharges } from '../../../functions/transaction/list.ts';
import { apiKeyRows } from '../../../shared/merchants/merchant/api-key.table.ts';
import { hashApiKey, newApiKey } from '../../../shared/merchants/merchant/api-key.ts';
import { expectFailure } from '../../support/envelope.ts';
import { scene } from '../../support/scene.ts';
import { call, createMerchant, createSender } from '../../support/world.ts';

const world = await scene();
const merchant = await world.createMerchant();

describe('the kind of a key is the one that is stored, not the one that its prefix says', () => {
  test.each([
    ['live', 'sms', listCharges],
    ['sms', 'live', listTexts],
  ] as const)('sk_%s_ stored as %s opens no route', async (shown, stored, handler) => {
    const [right, wrong] = [await storedAs(shown, shown), await storedAs(shown, stored)];
    expect((await call(world, handler, { key: right })).status).toBe(200);
    expectFailure(await call(world, handler, { key: wrong }), 401, 'unauthorized');
  });
});

test('a function that remembers nothing reads key, merchant and senders at the same time', async () => {
  const cold = await scene();
  await createSender(cold, '+233241234567');
  const { smsKey } = await createMerchant(cold, { credits: 10 });
  let [open, most] = [0, 0];
  cold.dynamoDb = async (_request, sendOn) => {
    most = Math.max(most, ++open);
    await new Promise((resolve) => setTimeout(resolve, 5));
    await sendOn();
    open--;
  };
  cold.requests.length = 0;
  const body = { to: '0551112223', message: 'Hello' };
  expect((await call(cold, send, { key: smsKey, body })).status).toBe(200);
  // The use of a key that was never used is noted beside the send.
  const requests = ['GetItem', 'GetItem', 'PutItem', 'Query', 'TransactWriteItems'];
  expect([most, cold.requests.toSorted()]).toEqual([3, requests]);
});

test('a key that names another merchant is the merchant’s that it is stored for', async () => {
  const other = await world.createMerchant();
  const key = newApiKey('sms', other.id, world.outside.randomBytes);
  const created_at = world.iso();
  const of = { kind: 'sms', merchant_id: merchant.id } as const;
  const row = { ...of, hash: hashApiKey(key), hint: key.slice(-4), created_at };
  await world.outside.table.write([apiKeyRows.create(row)]);
  await world.call('sms/list', { key });
  expect(world.noted.at(-1)?.fields).toMatchObject({ merchant_id: merchant.id });
});

/** A key with the prefix of one kind, in the table with another. */
async function storedAs(shown: 'live' | 'sms', kind: 'live' | 'sms'): Promise<string> {
  const key = newApiKey(shown, merchant.id, world.outside.randomBytes);
  const created_at = world.iso();
  const row = { hash: hashApiKey(key), kind, merchant_id: merchant.id, hint: key.slice(-4), created_at };
  await world.outside.table.write([apiKeyRows.create(row)]);
  return key;
}
