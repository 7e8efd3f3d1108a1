import { beforeEach, expect, test } from 'vitest';
import { chainRows, createChain } from '../../../shared/wallets/chain/chain.table.ts';
import { startChain } from '../../../shared/wallets/chain/chain.ts';
import { changeChain, findWallet } from '../../../shared/wallets/chain/change-chain.ts';
import { setProve } from '../../support/actions.ts';
import { rightBefore } from '../../support/receipts.ts';
import { ESTABLISHED_MINUTE, establish, known, link, run, text, WALLET } from '../../support/wallet-chains.ts';
import { createWorld, type World } from '../../support/world.ts';

let world: World;
beforeEach(async () => {
  world = await createWorld({ inMemory: true });
});

test('payments that an established chain does not prove are held, and no more', async () => {
  await establish(world);
  await setProve(world.outside, WALLET, 'enforce');
  expect((await known(world)).chain.mode).toBe('enforce');
  await setProve(world.outside, WALLET, 'observe');
  expect((await known(world)).chain.mode).toBe('observe');
});

test('what failed to link before is forgotten with it, and what came before counts against no text', async () => {
  await establish(world);
  await setProve(world.outside, WALLET, 'enforce');
  const since = world.clock.nowMs;
  expect((await known(world)).chain.established_ms).toBe(since);
  await changeChain(world.outside, WALLET, () => ({ failed_ms: [since, since, since] }));
  await setProve(world.outside, WALLET, 'enforce');
  expect((await known(world)).chain.failed_ms).toHaveLength(3);
  await setProve(world.outside, WALLET, 'observe');
  world.clock.nowMs += 60_000;
  await setProve(world.outside, WALLET, 'enforce');
  const { chain } = await known(world);
  expect([chain.failed_ms, chain.established_ms]).toEqual([undefined, since + 60_000]);
});

test('a chain of too few links does not decide, and says how many are missing', async () => {
  await link(world, ...run(0, 100_00, 1_00, 2_00, -1_00));
  await expect(setProve(world.outside, WALLET, 'enforce')).rejects.toThrow(
    'not established yet: 2 of 20 links, 1 of 5 of money that went out',
  );
  expect((await known(world)).chain.mode).toBe('observe');
});

test("another network's chain does not decide, however long it is", async () => {
  const telecel = { network: 'TELECEL', momo_number: '+233201234567' } as const;
  const chain = { ...startChain(telecel, text(0, 0, 1_00)), links: 400, outgoing_links: 100 };
  await world.outside.table.write([createChain(chain)]);
  await expect(setProve(world.outside, telecel, 'enforce')).rejects.toThrow(/can only observe: enforce is for MTN/);
  expect((await chainRows.find(world.outside, telecel))?.mode).toBe('observe');
});

test('a text that links at the same moment is not lost', async () => {
  await establish(world);
  rightBefore(world, 'PutItem', () => link(world, text(ESTABLISHED_MINUTE, 1_000_00, 5_00)));
  await setProve(world.outside, WALLET, 'enforce');
  const { chain, balance } = await known(world);
  expect(chain.mode).toBe('enforce');
  expect(balance).toBe(1_005_00);
});

test('a wallet is found by its number; of two with one number, the network must be named', async () => {
  await establish(world);
  expect((await findWallet(world.outside, WALLET.momo_number, undefined)).network).toBe('MTN');
  await expect(findWallet(world.outside, '+233240000000', undefined)).rejects.toThrow(
    /No text has reported the balance of a wallet/,
  );
  const other = { ...WALLET, network: 'TELECEL' } as const;
  await world.outside.table.write([createChain(startChain(other, text(0, 0, 1_00)))]);
  await expect(findWallet(world.outside, WALLET.momo_number, undefined)).rejects.toThrow(/MTN and TELECEL: name the/);
  expect((await findWallet(world.outside, WALLET.momo_number, 'TELECEL')).network).toBe('TELECEL');
});
