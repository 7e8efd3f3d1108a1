import { beforeEach, expect, test } from 'vitest';
import { requireMerchant } from '../../../shared/merchants/merchant/manage-merchant.ts';
import { replaceMerchant } from '../../../shared/merchants/merchant/merchant.table.ts';
import { suspendMerchant } from '../../support/actions.ts';
import { runAdmin } from '../../support/admin-commands.ts';
import { placeOf } from '../../support/place.ts';
import { createMerchant, createWorld, type TestMerchant, type World } from '../../support/world.ts';

let world: World;
let merchant: TestMerchant;
beforeEach(async () => {
  world = await createWorld({ inMemory: true });
  merchant = await createMerchant(world);
});

test('whoever read a merchant before it was suspended, or taken back, does not undo that', async () => {
  const { outside } = world;
  const active = await requireMerchant(outside, merchant.id);
  await suspendMerchant(outside, merchant.id, true);
  await expect(outside.table.write(replaceMerchant(active, active))).rejects.toMatchObject({ code: 'busy' });
  const suspended = await requireMerchant(outside, merchant.id);
  await suspendMerchant(outside, merchant.id, false);
  await expect(outside.table.write(replaceMerchant(suspended, suspended))).rejects.toMatchObject({ code: 'busy' });
  expect(await requireMerchant(outside, merchant.id)).toEqual(active);
});

test.each([
  [true, 'suspend', 'is suspended already.'],
  [false, 'take-back', 'is not suspended.'],
])('what is so already is said, and unknown merchants are not found: %s', async (isSuspended, verb, says) => {
  const { outside } = world;
  if (isSuspended) await suspendMerchant(outside, merchant.id, true);
  const { merchant_id } = await suspendMerchant(outside, merchant.id, isSuspended);
  await expect(runAdmin(placeOf(world), ['merchant', verb, '--merchant', merchant_id])).rejects.toThrow(says);
  await expect(suspendMerchant(outside, 'unknown', isSuspended)).rejects.toMatchObject({ noun: 'merchant' });
});
