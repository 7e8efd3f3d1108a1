import { expect, test } from 'vitest';
import { isMobileNumber } from '../../../shared/ghana/network.ts';
import { isTestNumber, parsePhoneNumber } from '../../../shared/ghana/phone-number.ts';
import { addMerchant } from '../../../shared/merchants/merchant/add-merchant.ts';
import { getMerchantOrTwin, merchantCache, merchantRows } from '../../../shared/merchants/merchant/merchant.table.ts';
import { isTwin, originalIdOf, retentionOf, twinIdOf, twinOf } from '../../../shared/merchants/merchant/twin.ts';
import { testSenders } from '../../../shared/phones/sender/test-senders.ts';
import { magicNumbers } from '../../../shared/texts/sms/magic-numbers.ts';
import { createWorld } from '../../support/world.ts';

const { outside } = await createWorld();
const momo_accounts = [{ number: '+233241234567', network: 'MTN' as const, account_name: 'AMA STORES' }];
const merchant = await addMerchant(outside, { name: 'Ama', contact: '+233241234567', momo_accounts });
const id = merchant.merchant_id;

test('a twin is what its merchant is, with a wallet that nobody can have or dial', async () => {
  const twin = await getMerchantOrTwin(outside, twinIdOf(id));
  const [account] = twin?.momo_accounts ?? [];
  const wallet = { number: account?.number, network: 'MTN', account_name: 'TEST AMA STORES' };
  const tested = { merchant_id: `${id}_test`, answers: true, momo_accounts: [wallet] };
  expect(twin).toEqual({ ...merchant, ...tested });
  expect(account?.number).toMatch(/^\+23300\d{7}$/);
  expect(isTestNumber(account?.number ?? '')).toBe(true);
  expect(isMobileNumber(account?.number ?? '')).toBe(false);
  // What a customer would dial is a call abroad.
  expect(parsePhoneNumber(account?.number.replace('+233', '0') ?? '')).not.toMatch(/^\+233[25]/);
});

test('it is remembered for itself, beside its merchant', async () => {
  expect((await merchantCache.get(outside, id))?.merchant_id).toBe(id);
  expect((await merchantCache.get(outside, twinIdOf(id)))?.merchant_id).toBe(twinIdOf(id));
});

test('it has no row: what the operator does by an id is done to merchants alone', async () => {
  expect(await merchantRows.find(outside, { merchant_id: twinIdOf(id) })).toBeUndefined();
  expect(await getMerchantOrTwin(outside, twinIdOf('01HZY'))).toBeUndefined();
});

test('an id says whose it is', () => {
  expect([isTwin(id), isTwin(twinIdOf(id)), isTwin(undefined)]).toEqual([false, true, false]);
  expect([originalIdOf(id), originalIdOf(twinIdOf(id))]).toEqual([id, id]);
});

test('merchants’ test wallets are theirs alone', () => {
  const numberOf = (n: number) => twinOf({ ...merchant, merchant_id: `m${n}` }).momo_accounts[0]?.number;
  const numbers = Array.from({ length: 50 }, (_, n) => numberOf(n));
  expect(new Set(numbers).size).toBe(50);
});

test('its texts leave from a number of its own, where its merchant has a default', () => {
  expect(twinOf({ ...merchant, default_from: '+233241234567' }).default_from).toBe(testSenders[0].number);
});

test('what it has is kept for a month, whatever the stage keeps', () => {
  expect(retentionOf({ retentionDays: 400 }, twinIdOf(id)).retentionDays).toBe(30);
  expect(retentionOf({ retentionDays: 400 }, id).retentionDays).toBe(400);
});

test('the numbers of tests that a request may have are mobile numbers, each of its own', () => {
  const numbers = [...Object.values(magicNumbers), ...testSenders.map(({ number }) => number)];
  expect(numbers.every(isMobileNumber)).toBe(true);
  expect(new Set(numbers).size).toBe(numbers.length);
});
