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

test('a test account has its merchant’s settings, with a wallet that nobody can own or dial', async () => {
  const twin = await getMerchantOrTwin(outside, twinIdOf(id));
  const [account] = twin?.momo_accounts ?? [];
  const wallet = { number: account?.number, network: 'MTN', account_name: 'TEST AMA STORES' };
  const tested = { merchant_id: `${id}_test`, answers: true, momo_accounts: [wallet] };
  expect(twin).toEqual({ ...merchant, ...tested });
  expect(account?.number).toMatch(/^\+23300\d{7}$/);
  expect(isTestNumber(account?.number ?? '')).toBe(true);
  expect(isMobileNumber(account?.number ?? '')).toBe(false);
  // Dialled by a customer, the number is a call abroad.
  expect(parsePhoneNumber(account?.number.replace('+233', '0') ?? '')).not.toMatch(/^\+233[25]/);
});

test('it is cached separately from its merchant', async () => {
  expect((await merchantCache.get(outside, id))?.merchant_id).toBe(id);
  expect((await merchantCache.get(outside, twinIdOf(id)))?.merchant_id).toBe(twinIdOf(id));
});

test('it has no row, so an operator’s commands by id affect merchants only', async () => {
  expect(await merchantRows.find(outside, { merchant_id: twinIdOf(id) })).toBeUndefined();
  expect(await getMerchantOrTwin(outside, twinIdOf('01HZY'))).toBeUndefined();
});

test('an id tells whether it is a test account’s', () => {
  expect({ own: isTwin(id), twin: isTwin(twinIdOf(id)), none: isTwin(undefined) }).toEqual({
    own: false,
    twin: true,
    none: false,
  });
  expect({ own: originalIdOf(id), twin: originalIdOf(twinIdOf(id)) }).toEqual({ own: id, twin: id });
});

test('test wallets are unique to their merchant', () => {
  const numberOf = (n: number) => twinOf({ ...merchant, merchant_id: `m${n}` }).momo_accounts[0]?.number;
  const numbers = Array.from({ length: 50 }, (_, n) => numberOf(n));
  expect(new Set(numbers).size).toBe(50);
});

test('its texts leave from a test sender, although its merchant has a default', () => {
  expect(twinOf({ ...merchant, default_from: '+233241234567' }).default_from).toBe(testSenders[0].number);
});

test('its data is kept for a month, whatever the stage’s retention', () => {
  expect(retentionOf({ retentionDays: 400 }, twinIdOf(id)).retentionDays).toBe(30);
  expect(retentionOf({ retentionDays: 400 }, id).retentionDays).toBe(400);
});

test('the test numbers for requests are distinct mobile numbers', () => {
  const numbers = [...Object.values(magicNumbers), ...testSenders.map(({ number }) => number)];
  expect(numbers.every(isMobileNumber)).toBe(true);
  expect(new Set(numbers).size).toBe(numbers.length);
});
