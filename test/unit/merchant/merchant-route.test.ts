import { describe, expect, test } from 'vitest';
import { handler as listTexts } from '../../../functions/sms/list.ts';
import { handler as listCharges } from '../../../functions/transaction/list.ts';
import { createApiKey } from '../../../shared/merchant/api-key.table.ts';
import { hashApiKey, newApiKey } from '../../../shared/merchant/api-key.ts';
import { expectFailure } from '../../support/envelope.ts';
import { call, createMerchant, createWorld } from '../../support/world.ts';

const world = await createWorld();
const merchant = await createMerchant(world);

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

/** A key with the prefix of one kind, in the table with another. */
async function storedAs(shown: 'live' | 'sms', kind: 'live' | 'sms'): Promise<string> {
  const key = newApiKey(shown, world.outside.randomBytes);
  const created_at = new Date(world.clock.nowMs).toISOString();
  const row = { hash: hashApiKey(key), kind, merchant_id: merchant.id, hint: key.slice(-4), created_at };
  await world.outside.table.write([createApiKey(row)]);
  return key;
}
