import { expect, test } from 'vitest';
import { addMerchant } from '../../../shared/merchants/merchant/add-merchant.ts';
import {
  changeMerchant,
  type MerchantChanges,
  merchantAfter,
  othersPaidOn,
} from '../../../shared/merchants/merchant/manage-merchant.ts';
import { accountRows, listMerchants, replaceMerchant } from '../../../shared/merchants/merchant/merchant.table.ts';
import { NoSuch } from '../../../shared/runtime/values/no-such.ts';
import { createSender, createWorld } from '../../support/world.ts';

const NUMBER = '+233241234567';
const momo = { number: NUMBER, network: 'MTN' as const, account_name: 'AMA STORES' };

test('merchants are listed oldest first', async () => {
  const { outside, clock } = await createWorld();
  const names = ['Ama', 'Kofi', 'Esi'];
  for (const name of names) {
    await addMerchant(outside, { name, momo_accounts: [] });
    clock.nowMs += 1_000;
  }
  expect((await listMerchants(outside)).map(({ name }) => name)).toEqual(names);
});

test('a change of a merchant changes nothing else', async () => {
  const world = await createWorld();
  const { outside } = world;
  const merchant = await addMerchant(outside, { name: 'Ama', momo_accounts: [momo] });
  await createSender(world, NUMBER);
  await changeMerchant(outside, merchant.merchant_id, { default_from: NUMBER });
  await changeMerchant(outside, merchant.merchant_id, { momo_accounts: [] });
  expect(await listMerchants(outside)).toEqual([{ ...merchant, default_from: NUMBER, momo_accounts: [] }]);
});

test('a change of a merchant that was read before another change is refused, whatever the other one changed', async () => {
  const { outside } = await createWorld();
  const merchant = await addMerchant(outside, { name: 'Ama', momo_accounts: [momo], contact: undefined });
  const after = await merchantAfter(outside, merchant, { match_by_name_up_to_pesewas: 0 });
  const writes = replaceMerchant(merchant, after);
  await changeMerchant(outside, merchant.merchant_id, { contact: NUMBER });
  await expect(outside.table.write(writes)).rejects.toMatchObject({ code: 'busy' });
  expect(await listMerchants(outside)).toMatchObject([{ contact: NUMBER }]);
});

test('a contact stays until it is replaced or removed', async () => {
  const { outside } = await createWorld();
  const ama = { name: 'Ama', momo_accounts: [], contact: 'ama@shop.example.com' };
  const { merchant_id } = await addMerchant(outside, ama);
  await changeMerchant(outside, merchant_id, { momo_accounts: [momo] });
  expect(await listMerchants(outside)).toMatchObject([{ contact: 'ama@shop.example.com' }]);
  await changeMerchant(outside, merchant_id, { contact: NUMBER });
  expect(await listMerchants(outside)).toMatchObject([{ contact: NUMBER }]);
  await changeMerchant(outside, merchant_id, { contact: '' });
  expect((await listMerchants(outside))[0]).not.toHaveProperty('contact');
});

test('a limit is set for all wallets of a merchant or for one, stays when the accounts are set again, and can be removed', async () => {
  const { outside } = await createWorld();
  const telecel = { number: '+233201234567', network: 'TELECEL' as const, account_name: 'AMA STORES' };
  const { merchant_id: id } = await addMerchant(outside, { name: 'Ama', momo_accounts: [momo, telecel] });
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
  expect(
    (await accountRows.list(outside, { number: NUMBER })).map((account) => 'balance_limit_pesewas' in account),
  ).toEqual([false]);
});

test('a limit of a number on which the merchant is not paid is refused', async () => {
  const { outside } = await createWorld();
  const { merchant_id: id } = await addMerchant(outside, { name: 'Ama', momo_accounts: [momo] });
  const balance_limit = { number: '+233201234567', limit_pesewas: 5_000_00 } as const;
  await expect(changeMerchant(outside, id, { balance_limit })).rejects.toThrow('is not paid on +233201234567');
});

test('a number is one account with one network: one that is listed twice is refused, and nothing is changed', async () => {
  const { outside } = await createWorld();
  const twice = [momo, { ...momo, network: 'AT' as const }];
  const refusal = { code: 'invalid_request', message: expect.stringContaining(`${NUMBER} is listed twice`) };
  await expect(addMerchant(outside, { name: 'Ama', momo_accounts: twice })).rejects.toMatchObject(refusal);
  const merchant = await addMerchant(outside, { name: 'Ama', momo_accounts: [momo] });
  await expect(changeMerchant(outside, merchant.merchant_id, { momo_accounts: twice })).rejects.toMatchObject(refusal);
  expect(await listMerchants(outside)).toEqual([merchant]);
});

test('the default sender is one of the senders', async () => {
  const { outside } = await createWorld();
  const merchant = await addMerchant(outside, { name: 'Ama', momo_accounts: [momo] });
  await expect(changeMerchant(outside, merchant.merchant_id, { default_from: NUMBER })).rejects.toThrow(
    new NoSuch('sender', `There is no sender ${NUMBER}.`),
  );
  expect(await listMerchants(outside)).toEqual([merchant]);
});

test('the others that are paid on a number are named, the merchant itself is not', async () => {
  const { outside } = await createWorld();
  const { merchant_id: first } = await addMerchant(outside, { name: 'First', momo_accounts: [momo] });
  expect(await othersPaidOn(outside, first, NUMBER)).toEqual([]);
  const { merchant_id: second } = await addMerchant(outside, { name: 'Second', momo_accounts: [momo] });
  expect(await othersPaidOn(outside, second, NUMBER)).toEqual([first]);
});

test('an unknown merchant', async () => {
  const { outside } = await createWorld();
  await expect(changeMerchant(outside, 'X', { momo_accounts: [momo] })).rejects.toThrow(
    new NoSuch('merchant', 'There is no merchant X.'),
  );
});
