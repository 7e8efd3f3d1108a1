import { expect, test } from 'vitest';
import { addMerchant } from '../../../shared/merchants/merchant/add-merchant.ts';
import { addApiKey, showApiKeys } from '../../../shared/merchants/merchant/manage-keys.ts';
import { changeKeyRate, removeApiKey } from '../../support/actions.ts';
import { createWorld } from '../../support/world.ts';

const { outside, clock } = await createWorld();

test('keys are shown by their hint, those of the twin among them, oldest first, without the key or its hash', async () => {
  const { merchant_id } = await addMerchant(outside, { name: 'Ama', momo_accounts: [] });
  const live = await addApiKey(outside, merchant_id, 'live');
  const createdAt = new Date(clock.nowMs).toISOString();
  clock.nowMs += 1_000;
  const sms = await addApiKey(outside, merchant_id, 'sms');
  const created_at = new Date(clock.nowMs).toISOString();
  clock.nowMs += 1_000;
  const test = await addApiKey(outside, merchant_id, 'live', { mode: 'test' });
  expect(await showApiKeys(outside, merchant_id)).toEqual([
    {
      kind: 'live',
      test: false,
      hint: live.slice(-4),
      scope: null,
      requests_per_second: 50,
      created_at: createdAt,
      last_used_at: null,
      ends_at: null,
      revoked_at: null,
    },
    {
      kind: 'sms',
      test: false,
      hint: sms.slice(-4),
      scope: null,
      requests_per_second: 50,
      created_at,
      last_used_at: null,
      ends_at: null,
      revoked_at: null,
    },
    {
      kind: 'live',
      test: true,
      hint: test.slice(-4),
      scope: null,
      requests_per_second: 10,
      created_at: new Date(clock.nowMs).toISOString(),
      last_used_at: null,
      ends_at: null,
      revoked_at: null,
    },
  ]);
});

test('keys of one merchant never share a hint: a key whose hint is taken is generated again', async () => {
  const { merchant_id } = await addMerchant(outside, { name: 'Ama', momo_accounts: [] });
  let byte = 0;
  // The first two keys are made of the same bytes.
  const randomBytes = (length: number) => Buffer.alloc(length, Math.floor(byte++ / 2));
  const first = await addApiKey({ ...outside, randomBytes }, merchant_id, 'live');
  byte = 0;
  const second = await addApiKey({ ...outside, randomBytes }, merchant_id, 'live');
  expect(second.slice(-4)).not.toBe(first.slice(-4));
  expect(await showApiKeys(outside, merchant_id)).toHaveLength(2);
});

test('a key is shown with the rate that it was given, when it was made or later', async () => {
  const { merchant_id } = await addMerchant(outside, { name: 'Ama', momo_accounts: [] });
  const key = await addApiKey(outside, merchant_id, 'live', { requestsPerSecond: 5 });
  expect(await showApiKeys(outside, merchant_id)).toMatchObject([{ requests_per_second: 5 }]);
  await changeKeyRate(outside, merchant_id, key.slice(-4), 200);
  expect(await showApiKeys(outside, merchant_id)).toMatchObject([{ requests_per_second: 200 }]);
  await expect(changeKeyRate(outside, merchant_id, '????', 200)).rejects.toThrow('no key that ends in');
});

test('a key that is revoked twice keeps the time of the first', async () => {
  const { merchant_id } = await addMerchant(outside, { name: 'Ama', momo_accounts: [] });
  const key = await addApiKey(outside, merchant_id, 'sms');
  const revokedAt = new Date(clock.nowMs).toISOString();
  const hint = key.slice(-4);
  expect(await removeApiKey(outside, merchant_id, hint)).toMatchObject({ revoked: { kind: 'sms', hint } });
  clock.nowMs += 1_000;
  await removeApiKey(outside, merchant_id, key.slice(-4));
  expect(await showApiKeys(outside, merchant_id)).toMatchObject([{ revoked_at: revokedAt }]);
});

test('a hint that no key of the merchant has, be it another’s', async () => {
  const ama = await addMerchant(outside, { name: 'Ama', momo_accounts: [] });
  const kofi = await addMerchant(outside, { name: 'Kofi', momo_accounts: [] });
  const hint = (await addApiKey(outside, kofi.merchant_id, 'live')).slice(-4);
  await expect(removeApiKey(outside, ama.merchant_id, hint)).rejects.toMatchObject({
    noun: 'key',
    message: `The merchant has no key that ends in ${hint}.`,
  });
});

test.each([
  ['made', () => addApiKey(outside, 'X', 'live')],
  ['shown', () => showApiKeys(outside, 'X')],
  ['revoked', () => removeApiKey(outside, 'X', 'abcd')],
])('no key is %s of a merchant that there is not', async (_, act) => {
  await expect(act()).rejects.toMatchObject({ noun: 'merchant', message: 'There is no merchant X.' });
});
