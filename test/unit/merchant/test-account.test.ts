import { expect, test } from 'vitest';
import { isMobileNumber } from '../../../shared/ghana/network.ts';
import { isTestNumber, parsePhoneNumber } from '../../../shared/ghana/phone-number.ts';
import { addMerchant } from '../../../shared/merchants/merchant/add-merchant.ts';
import {
  getMerchantOrTestAccount,
  merchantCache,
  merchantRows,
} from '../../../shared/merchants/merchant/merchant.table.ts';
import {
  isTestAccount,
  originalIdOf,
  retentionOf,
  testAccountIdOf,
  testAccountOf,
} from '../../../shared/merchants/merchant/test-account.ts';
import { testSenders } from '../../../shared/phones/sender/test-senders.ts';
import { magicNumbers } from '../../../shared/texts/sms/magic-numbers.ts';
import { createWorld } from '../../support/world.ts';

const { outside } = await createWorld();
const momo_accounts = [{ number: '+233241234567', network: 'MTN' as const, account_name: 'AMA STORES' }];
const merchant = await addMerchant(outside, { name: 'Ama', contact: '+233241234567', momo_accounts });
const id = merchant.merchant_id;

test('a test account has its merchant’s settings but its own wallet number', async () => {
  const testAccount = await getMerchantOrTestAccount(outside, testAccountIdOf(id));
  const [account] = testAccount?.momo_accounts ?? [];
  const wallet = { number: account?.number, network: 'MTN', account_name: 'TEST AMA STORES' };
  const tested = { merchant_id: `${id}_test`, answers: true, momo_accounts: [wallet] };
  expect(testAccount).toEqual({ ...merchant, ...tested });
  expect(account?.number).toMatch(/^\+23300\d{7}$/);
  expect(isTestNumber(account?.number ?? '')).toBe(true);
  expect(isMobileNumber(account?.number ?? '')).toBe(false);
  // Customers who dial the number must not reach anybody in Ghana.
  expect(parsePhoneNumber(account?.number.replace('+233', '0') ?? '')).not.toMatch(/^\+233[25]/);
});

test('a test account is cached separately from its merchant', async () => {
  expect((await merchantCache.get(outside, id))?.merchant_id).toBe(id);
  expect((await merchantCache.get(outside, testAccountIdOf(id)))?.merchant_id).toBe(testAccountIdOf(id));
});

test('a test account has no row of its own', async () => {
  expect(await merchantRows.find(outside, { merchant_id: testAccountIdOf(id) })).toBeUndefined();
  expect(await getMerchantOrTestAccount(outside, testAccountIdOf('01HZY'))).toBeUndefined();
});

test('a test account is recognised by its id', () => {
  expect({
    own: isTestAccount(id),
    testAccount: isTestAccount(testAccountIdOf(id)),
    none: isTestAccount(undefined),
  }).toEqual({
    own: false,
    testAccount: true,
    none: false,
  });
  expect({ own: originalIdOf(id), testAccount: originalIdOf(testAccountIdOf(id)) }).toEqual({
    own: id,
    testAccount: id,
  });
});

test('test wallets of different merchants have different numbers', () => {
  const numberOf = (n: number) => testAccountOf({ ...merchant, merchant_id: `m${n}` }).momo_accounts[0]?.number;
  const numbers = Array.from({ length: 50 }, (_, n) => numberOf(n));
  expect(new Set(numbers).size).toBe(50);
});

test('a test account sends from a test sender by default', () => {
  expect(testAccountOf({ ...merchant, default_from: '+233241234567' }).default_from).toBe(testSenders[0].number);
});

test('a test account keeps data for a month, whatever the retention period', () => {
  expect(retentionOf({ retentionDays: 400 }, testAccountIdOf(id)).retentionDays).toBe(30);
  expect(retentionOf({ retentionDays: 400 }, id).retentionDays).toBe(400);
});

test('test phone numbers are distinct mobile numbers', () => {
  const numbers = [...Object.values(magicNumbers), ...testSenders.map(({ number }) => number)];
  expect(numbers.every(isMobileNumber)).toBe(true);
  expect(new Set(numbers).size).toBe(numbers.length);
});
