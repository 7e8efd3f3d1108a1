import { beforeEach, expect, test } from 'vitest';
import { addMerchant } from '../../../shared/merchants/merchant/add-merchant.ts';
import {
  changeMerchant,
  type MerchantChanges,
  merchantAfter,
  othersPaidOn,
  requireMerchant,
} from '../../../shared/merchants/merchant/manage-merchant.ts';
import { accountRows, listMerchants, replaceMerchant } from '../../../shared/merchants/merchant/merchant.table.ts';
import { NoSuch } from '../../../shared/runtime/values/no-such.ts';
import { suspendMerchant } from '../../support/actions.ts';
import { runAdmin } from '../../support/admin-commands.ts';
import { deploymentOf } from '../../support/deployment.ts';
import { createSender, createWorld, type World } from '../../support/world.ts';

const NUMBER = '+233241234567';
let world: World;
let outside: World['outside'];
beforeEach(async () => {
  world = await createWorld();
  outside = world.outside;
});

const momo = { number: NUMBER, network: 'MTN' as const, account_name: 'AMA STORES' };

test('merchants are listed oldest first', async () => {
  const names = ['Ama', 'Kofi', 'Esi'];
  for (const name of names) {
    await add({ name });
    world.clock.nowMs += 1_000;
  }
  expect((await listMerchants(outside)).map(({ name }) => name)).toEqual(names);
});

test('changing one setting does not change the others', async () => {
  const merchant = await add();
  await createSender(world, NUMBER);
  await changeMerchant(outside, merchant.merchant_id, { default_from: NUMBER });
  await changeMerchant(outside, merchant.merchant_id, { momo_accounts: [] });
  expect(await listMerchants(outside)).toEqual([{ ...merchant, default_from: NUMBER, momo_accounts: [] }]);
});

test('a change is rejected if the merchant has changed since it was read', async () => {
  const merchant = await add();
  const after = await merchantAfter(outside, merchant, { match_by_name_up_to_pesewas: 0 });
  const writes = replaceMerchant(merchant, after);
  await changeMerchant(outside, merchant.merchant_id, { contact: NUMBER });
  await expect(outside.table.write(writes)).rejects.toMatchObject({ code: 'busy' });
  expect(await listMerchants(outside)).toMatchObject([{ contact: NUMBER }]);
});

test('a contact is kept until it is replaced or removed', async () => {
  const { merchant_id } = await add({ momo_accounts: [], contact: 'ama@shop.example.com' });
  await changeMerchant(outside, merchant_id, { momo_accounts: [momo] });
  expect(await listMerchants(outside)).toMatchObject([{ contact: 'ama@shop.example.com' }]);
  await changeMerchant(outside, merchant_id, { contact: NUMBER });
  expect(await listMerchants(outside)).toMatchObject([{ contact: NUMBER }]);
  await changeMerchant(outside, merchant_id, { contact: '' });
  expect((await listMerchants(outside))[0]).not.toHaveProperty('contact');
});

test('a balance limit can be set and removed for one or all wallets', async () => {
  const telecel = { number: '+233201234567', network: 'TELECEL' as const, account_name: 'AMA STORES' };
  const { merchant_id: id } = await add({ momo_accounts: [momo, telecel] });
  const limitsAfter = async (changes: MerchantChanges) =>
    (await changeMerchant(outside, id, changes)).momo_accounts.map((account) => account.balance_limit_pesewas);
  const all = { number: undefined, limit_pesewas: 5_000_00 } as const;

  expect(await limitsAfter({ balance_limit: all })).toEqual([5_000_00, 5_000_00]);
  expect(await limitsAfter({ balance_limit: { number: telecel.number, limit_pesewas: 75_000_00 } })).toEqual([
    5_000_00, 75_000_00,
  ]);
  expect(await limitsAfter({ momo_accounts: [telecel, { ...momo, account_name: 'AMA' }] })).toEqual([
    75_000_00, 5_000_00,
  ]);
  expect(await limitsAfter({ momo_accounts: [{ ...telecel, network: 'MTN' }, momo] })).toEqual([undefined, 5_000_00]);
  const none = { number: undefined, limit_pesewas: undefined };
  expect(await limitsAfter({ balance_limit: none })).toEqual([undefined, undefined]);
  const accounts = await accountRows.list(outside, { number: NUMBER });
  expect(accounts.map((account) => 'balance_limit_pesewas' in account)).toEqual([false]);
});

test('a balance limit for another merchant’s number is rejected', async () => {
  const { merchant_id: id } = await add();
  const balance_limit = { number: '+233201234567', limit_pesewas: 5_000_00 } as const;
  await expect(changeMerchant(outside, id, { balance_limit })).rejects.toThrow(
    'does not receive payments on +233201234567',
  );
});

test('a list that contains the same number twice is rejected', async () => {
  const twice = [momo, { ...momo, network: 'AT' as const }];
  const refusal = { code: 'invalid_request', message: expect.stringContaining(`${NUMBER} is listed twice`) };
  await expect(add({ momo_accounts: twice })).rejects.toMatchObject(refusal);
  const merchant = await add();
  await expect(changeMerchant(outside, merchant.merchant_id, { momo_accounts: twice })).rejects.toMatchObject(refusal);
  expect(await listMerchants(outside)).toEqual([merchant]);
});

test('an unknown default sender is rejected', async () => {
  const merchant = await add();
  await expect(changeMerchant(outside, merchant.merchant_id, { default_from: NUMBER })).rejects.toThrow(
    new NoSuch('sender', `There is no sender ${NUMBER}.`),
  );
  expect(await listMerchants(outside)).toEqual([merchant]);
});

test('other merchants that use a number are listed', async () => {
  const { merchant_id: first } = await add();
  expect(await othersPaidOn(outside, first, NUMBER)).toEqual([]);
  const { merchant_id: second } = await add();
  expect(await othersPaidOn(outside, second, NUMBER)).toEqual([first]);
});

test('an unknown merchant throws NoSuch', async () => {
  await expect(changeMerchant(outside, 'X', { momo_accounts: [momo] })).rejects.toThrow(
    new NoSuch('merchant', 'There is no merchant X.'),
  );
});

test('outdated data does not undo a suspension', async () => {
  const active = await add();
  const { merchant_id: id } = active;
  await suspendMerchant(outside, id, true);
  await expect(outside.table.write(replaceMerchant(active, active))).rejects.toMatchObject({ code: 'busy' });
  const suspended = await requireMerchant(outside, id);
  await suspendMerchant(outside, id, false);
  await expect(outside.table.write(replaceMerchant(suspended, suspended))).rejects.toMatchObject({ code: 'busy' });
  expect(await requireMerchant(outside, id)).toEqual(active);
});

test.each([
  [true, 'suspend', 'is already suspended.'],
  [false, 'take-back', 'is not suspended.'],
])('a repeated suspension or reinstatement is rejected (suspended: %s)', async (isSuspended, verb, message) => {
  const { merchant_id: id } = await add();
  if (isSuspended) await suspendMerchant(outside, id, true);
  expect(await suspendMerchant(outside, id, isSuspended)).toMatchObject({ merchant_id: id });
  await expect(runAdmin(deploymentOf(world), ['merchant', verb, '--merchant', id])).rejects.toThrow(message);
  await expect(suspendMerchant(outside, 'unknown', isSuspended)).rejects.toMatchObject({ noun: 'merchant' });
});

function add(fields: Partial<Parameters<typeof addMerchant>[1]> = {}) {
  return addMerchant(outside, { name: 'Ama', momo_accounts: [momo], ...fields });
}
