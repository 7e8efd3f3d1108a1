import { beforeEach, expect, test } from 'vitest';
import { addMerchant } from '../../../shared/merchants/merchant/add-merchant.ts';
import { addApiKey, showApiKeys } from '../../../shared/merchants/merchant/manage-keys.ts';
import { changeKeyRate, removeApiKey } from '../../support/actions.ts';
import { createWorld } from '../../support/world.ts';

const { outside, clock, iso } = await createWorld();
let id: string;
beforeEach(async () => {
  id = (await addMerchant(outside, { name: 'Ama', momo_accounts: [] })).merchant_id;
});

test('keys are listed by their last four characters, oldest first', async () => {
  const made = async (kind: 'live' | 'sms', mode: 'real' | 'test') => {
    clock.nowMs += 1_000;
    const key = await addApiKey(outside, id, kind, { mode });
    const never = { scope: null, made_by: null, last_used_at: null, ends_at: null, revoked_at: null };
    return { kind, test: mode === 'test', hint: key.slice(-4), created_at: iso(), ...never };
  };
  const keys = [await made('live', 'real'), await made('sms', 'real'), await made('live', 'test')];
  const rates = [50, 50, 10];
  expect(await showApiKeys(outside, id)).toEqual(keys.map((key, n) => ({ ...key, requests_per_second: rates[n] })));
});

test('a key is generated again if its last four characters are taken', async () => {
  let byte = 0;
  // Returns the same bytes for the first two keys.
  const randomBytes = (length: number) => Buffer.alloc(length, Math.floor(byte++ / 2));
  const first = await addApiKey({ ...outside, randomBytes }, id, 'live');
  byte = 0;
  const second = await addApiKey({ ...outside, randomBytes }, id, 'live');
  expect(second.slice(-4)).not.toBe(first.slice(-4));
  expect(await showApiKeys(outside, id)).toHaveLength(2);
});

test('a key is listed with its current rate limit', async () => {
  const key = await addApiKey(outside, id, 'live', { requestsPerSecond: 5 });
  expect(await showApiKeys(outside, id)).toMatchObject([{ requests_per_second: 5 }]);
  await changeKeyRate(outside, id, key.slice(-4), 200);
  expect(await showApiKeys(outside, id)).toMatchObject([{ requests_per_second: 200 }]);
  await expect(changeKeyRate(outside, id, '????', 200)).rejects.toThrow('no key ending in');
});

test('a key keeps its first revocation time', async () => {
  const key = await addApiKey(outside, id, 'sms');
  const revokedAt = iso();
  const hint = key.slice(-4);
  expect(await removeApiKey(outside, id, hint)).toMatchObject({ revoked: { kind: 'sms', hint } });
  clock.nowMs += 1_000;
  await removeApiKey(outside, id, key.slice(-4));
  expect(await showApiKeys(outside, id)).toMatchObject([{ revoked_at: revokedAt }]);
});

test('another merchant’s key is never found', async () => {
  const kofi = await addMerchant(outside, { name: 'Kofi', momo_accounts: [] });
  const hint = (await addApiKey(outside, kofi.merchant_id, 'live')).slice(-4);
  await expect(removeApiKey(outside, id, hint)).rejects.toMatchObject({
    noun: 'key',
    message: `The merchant has no key ending in ${hint}.`,
  });
});

test.each([
  ['created', () => addApiKey(outside, 'X', 'live')],
  ['shown', () => showApiKeys(outside, 'X')],
  ['revoked', () => removeApiKey(outside, 'X', 'abcd')],
])('keys cannot be %s for an unknown merchant', async (_, act) => {
  await expect(act()).rejects.toMatchObject({ noun: 'merchant', message: 'There is no merchant X.' });
});
