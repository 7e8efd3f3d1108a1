import { describe, expect, test } from 'vitest';
import {
  accountWarnings,
  addApiKey,
  addMerchant,
  addSender,
  changeMerchant,
  removeApiKey,
  requireFreeSim,
  showApiKeys,
  showBalance,
  switchSender,
  topUp,
} from '../../infra/admin/operations.ts';
import { OperatorError } from '../../infra/admin/operator-error.ts';
import { listMerchants } from '../../shared/merchant/merchant.table.ts';
import { listSenders } from '../../shared/sender/sender.table.ts';
import { createSender, createWorld } from '../support/world.ts';

const { outside, clock } = await createWorld();
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
  await createSender(world, NUMBER);
  const merchant = await addMerchant(world.outside, { name: 'Ama', momo_accounts: [momo] });
  await changeMerchant(world.outside, merchant.merchant_id, { default_from: NUMBER });
  await changeMerchant(world.outside, merchant.merchant_id, { momo_accounts: [] });
  expect(await listMerchants(world.outside)).toEqual([{ ...merchant, default_from: NUMBER, momo_accounts: [] }]);
});

describe('keys', () => {
  test('are shown by their hint, oldest first, without the key or its hash', async () => {
    const { merchant_id } = await addMerchant(outside, { name: 'Ama', momo_accounts: [] });
    const live = await addApiKey(outside, merchant_id, 'live');
    const createdAt = new Date(clock.nowMs).toISOString();
    clock.nowMs += 1_000;
    const sms = await addApiKey(outside, merchant_id, 'sms');
    expect(await showApiKeys(outside, merchant_id)).toEqual([
      { kind: 'live', hint: live.slice(-4), created_at: createdAt, revoked_at: null },
      { kind: 'sms', hint: sms.slice(-4), created_at: new Date(clock.nowMs).toISOString(), revoked_at: null },
    ]);
  });

  test('of one merchant never share a hint: a key whose hint is taken is made anew', async () => {
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

  test('revoked twice keep the time of the first', async () => {
    const { merchant_id } = await addMerchant(outside, { name: 'Ama', momo_accounts: [] });
    const key = await addApiKey(outside, merchant_id, 'sms');
    const revokedAt = new Date(clock.nowMs).toISOString();
    expect(await removeApiKey(outside, merchant_id, key.slice(-4))).toEqual({ kind: 'sms', hint: key.slice(-4) });
    clock.nowMs += 1_000;
    await removeApiKey(outside, merchant_id, key.slice(-4));
    expect(await showApiKeys(outside, merchant_id)).toMatchObject([{ revoked_at: revokedAt }]);
  });
});

test('credits add up, also when they are added at once', async () => {
  const { merchant_id } = await addMerchant(outside, { name: 'Ama', momo_accounts: [] });
  expect(await showBalance(outside, merchant_id)).toBe(0);
  await Promise.all([1, 2, 3, 4, 5].map((credits) => topUp(outside, merchant_id, credits)));
  expect(await showBalance(outside, merchant_id)).toBe(15);
});

test('a sender that is added again moves to the phone and SIM named now, is enabled, and keeps its pace', async () => {
  const world = await createWorld();
  await createSender(world, NUMBER);
  await switchSender(world.outside, NUMBER, false);
  await addSender(world.outside, { number: NUMBER, network: 'AT', gateway: 'spare', device_id: 'new', sim_number: 2 });
  expect(await listSenders(world.outside)).toMatchObject([
    {
      ...{ number: NUMBER, network: 'AT', gateway: 'spare', device_id: 'new', sim_number: 2, enabled: true },
      messages_per_hour: 100_000,
    },
  ]);
});

test('a number that is set to another number’s SIM is a mistake; to its own SIM, or another slot, it is none', async () => {
  const world = await createWorld({ inMemory: true });
  await createSender(world, NUMBER);
  const place = { number: '+233209999999', gateway: 'phone', device_id: 'device-1', sim_number: 1 };
  await expect(requireFreeSim(world.outside, place)).rejects.toThrow(`SIM 1 of the phone device-1 has ${NUMBER}`);
  await requireFreeSim(world.outside, { ...place, sim_number: 2 });
  await requireFreeSim(world.outside, { ...place, gateway: 'spare' });
  await requireFreeSim(world.outside, { ...place, number: NUMBER });
});

test('a number that two merchants are paid on, or of AT, is worth a note', async () => {
  const world = await createWorld({ inMemory: true });
  const account = { number: NUMBER, network: 'MTN' as const, account_name: 'AMA' };
  const { merchant_id: first } = await addMerchant(world.outside, { name: 'First', momo_accounts: [account] });
  expect(await accountWarnings(world.outside, first, [account])).toEqual([]);
  const { merchant_id: second } = await addMerchant(world.outside, { name: 'Second', momo_accounts: [account] });
  expect(await accountWarnings(world.outside, second, [account])).toEqual([expect.stringContaining(first)]);
  const at = { ...account, number: '+233271234567', network: 'AT' as const };
  expect(await accountWarnings(world.outside, second, [at])).toEqual([expect.stringContaining('Receipts of AT')]);
});

describe('a mistake is a sentence that says where to look', () => {
  test.each<[string, () => Promise<unknown>, string]>([
    ['set', () => changeMerchant(outside, 'X', { momo_accounts: [momo] }), 'merchant X. See: merchant list'],
    ['key create', () => addApiKey(outside, 'X', 'live'), 'merchant X. See: merchant list'],
    ['key list', () => showApiKeys(outside, 'X'), 'merchant X. See: merchant list'],
    ['key revoke', () => removeApiKey(outside, 'X', 'abcd'), 'merchant X. See: merchant list'],
    ['credits add', () => topUp(outside, 'X', 1), 'merchant X. See: merchant list'],
    ['credits show', () => showBalance(outside, 'X'), 'merchant X. See: merchant list'],
    ['sender enable', () => switchSender(outside, NUMBER, true), `sender ${NUMBER}. See: sender list`],
  ])('%s', async (_, act, sentence) => {
    await expect(act()).rejects.toThrow(new OperatorError(`There is no ${sentence}`));
  });

  test('a default that is no sender', async () => {
    const { merchant_id } = await addMerchant(outside, { name: 'Ama', momo_accounts: [] });
    await expect(changeMerchant(outside, merchant_id, { default_from: NUMBER })).rejects.toThrow(OperatorError);
  });

  test('a hint that no key of the merchant has, be it another’s', async () => {
    const ama = await addMerchant(outside, { name: 'Ama', momo_accounts: [] });
    const kofi = await addMerchant(outside, { name: 'Kofi', momo_accounts: [] });
    const key = await addApiKey(outside, kofi.merchant_id, 'live');
    await expect(removeApiKey(outside, ama.merchant_id, key.slice(-4))).rejects.toThrow(OperatorError);
  });
});
