import { expect, test } from 'vitest';
import { showBalance, topUp } from '../../../shared/credits/top-up.ts';
import { addMerchant } from '../../../shared/merchant/manage-merchant.ts';
import { createWorld } from '../../support/world.ts';

const { outside } = await createWorld();

test('credits add up, also when they are added at once', async () => {
  const { merchant_id } = await addMerchant(outside, { name: 'Ama', momo_accounts: [] });
  expect(await showBalance(outside, merchant_id)).toBe(0);
  await Promise.all([1, 2, 3, 4, 5].map((credits) => topUp(outside, merchant_id, credits)));
  expect(await showBalance(outside, merchant_id)).toBe(15);
});

test.each([
  ['added', () => topUp(outside, 'X', 1)],
  ['shown', () => showBalance(outside, 'X')],
])('no credits are %s of a merchant that there is not', async (_, act) => {
  await expect(act()).rejects.toMatchObject({ noun: 'merchant', message: 'There is no merchant X.' });
});
