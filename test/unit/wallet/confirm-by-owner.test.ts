import { beforeEach, expect, test } from 'vitest';
import { confirmByOwner, denyByOwner } from '../../../shared/care/wallet/confirm-by-owner.ts';
import { listAudit } from '../../../shared/merchants/audit/audit.table.ts';
import { at, ESTABLISHED_MINUTE, establish, known, link, run, WALLET } from '../../support/wallet-chains.ts';
import { createMerchant, createWorld, type World } from '../../support/world.ts';

let world: World;
let merchantId: string;

beforeEach(async () => {
  world = await createWorld({ inMemory: true });
  at(world, 0);
  merchantId = (await createMerchant(world)).id;
  await establish(world);
  await link(world, ...run(ESTABLISHED_MINUTE + 1, 1_036_00, 5_00, 6_00));
});

const auditOf = async (merchant: string | undefined) =>
  (await listAudit(world.outside, merchant, '2026-11', { limit: 50, newestFirst: false })).entries;

test.each([
  ['wallet confirm', confirmByOwner],
  ['wallet deny', denyByOwner],
])('%s is noted once, for its merchant, with the last digits of the number and no balance', async (action, take) => {
  await take(world.outside, WALLET, 1_047_00, { by: 'ama' });
  await take(world.outside, WALLET, 1_047_00, { by: 'ama' });
  expect((await known(world)).waiting).toEqual([]);
  expect(await auditOf(merchantId)).toEqual([
    { merchant_id: merchantId, at: expect.any(String), by: 'ama', action, about: 'MTN …4567' },
  ]);
});

test('the word about a shared wallet is noted for the operator alone', async () => {
  const other = await createMerchant(world);
  await confirmByOwner(world.outside, WALLET, 1_047_00, { by: 'kwesi' });
  expect(await auditOf(undefined)).toMatchObject([{ action: 'wallet confirm', by: 'kwesi', about: 'MTN …4567' }]);
  expect([...(await auditOf(merchantId)), ...(await auditOf(other.id))]).toEqual([]);
});

test('a word that is refused is not noted', async () => {
  await expect(confirmByOwner(world.outside, WALLET, 1_048_00, { by: 'ama' })).rejects.toThrow(
    'No text that waits leads to',
  );
  expect(await auditOf(merchantId)).toEqual([]);
});
