import { beforeEach, expect, test } from 'vitest';
import { branchInQuestion, unclearBalance } from '../../../shared/wallets/chain/branches.ts';
import { addWaiting, listWaiting } from '../../../shared/wallets/chain/chain.table.ts';
import { changeChain, requireChain } from '../../../shared/wallets/chain/change-chain.ts';
import { at, ESTABLISHED_MINUTE, establish, link, run, WALLET } from '../../support/wallet-chains.ts';
import { createWorld, type World } from '../../support/world.ts';

const FIRST = ESTABLISHED_MINUTE + 1;
/** One text is lost before each. */
const EARLIER = run(FIRST, 1_036_00, 5_00, 6_00);
const NEWER = run(FIRST + 5, 2_000_00, 1_00);

let world: World;
beforeEach(async () => {
  world = await createWorld({ inMemory: true });
  at(world, 0);
  await establish(world);
});

test('the newest branch is in doubt', async () => {
  await link(world, ...EARLIER, ...NEWER);
  expect(await askable()).toBe(2_001_00);
});

test('the branch that the owner was asked about comes first', async () => {
  await link(world, ...EARLIER, ...NEWER);
  for (const text of EARLIER.slice(0, 1))
    await world.outside.table.write([addWaiting(world.outside, WALLET, { ...text, asked_ms: world.clock.nowMs })]);
  expect(await askable()).toBe(1_047_00);
});

test('the balance that is proven is not in doubt, whatever else leads to it', async () => {
  await link(world, ...run(FIRST, 990_00, 10_00));
  expect(await askable()).toBeUndefined();
  await link(world, ...run(FIRST + 5, 2_000_00, 1_00), ...run(FIRST + 9, 980_00, 20_00));
  expect(await askable()).toBe(2_001_00);
});

test('the owner is asked though the text before came late, as where several customers pay at once', async () => {
  const later = (ms: number) => ({ at_ms: ms + 90_000, arrived_ms: ms + 90_000 });
  const head = run(FIRST, 1_000_00, 2_00).map((one) => ({ ...one, ...later(one.at_ms) }));
  const branch = run(FIRST + 1, 1_036_00, 5_00).map((one) => ({ ...one, at_ms: one.at_ms - 30_000 }));
  await link(world, ...branch, ...head);
  const [chain, waiting] = [await requireChain(world.outside, WALLET), await listWaiting(world.outside, WALLET)];
  expect(branchInQuestion(chain, waiting, world.clock.nowMs + 15 * 60_000)?.to.balance).toBe(1_041_00);
});

test('of several branches the owner is asked about the one that begins at the head, which few can write', async () => {
  const failed_ms = [1, 2, 3].map(() => world.clock.nowMs);
  await changeChain(world.outside, WALLET, () => ({ established_ms: 0, failed_ms }));
  await link(world, ...run(FIRST, 1_000_00, 7_00), ...run(FIRST + 2, 5_000_00, 1_00, 2_00, 3_00));
  const [chain, waiting] = [await requireChain(world.outside, WALLET), await listWaiting(world.outside, WALLET)];
  expect(branchInQuestion(chain, waiting, world.clock.nowMs + 15 * 60_000)?.to.balance).toBe(1_007_00);
});

/** The balance that the owner can be asked about. */
async function askable(): Promise<number | undefined> {
  return unclearBalance(await requireChain(world.outside, WALLET), await listWaiting(world.outside, WALLET))?.balance;
}
