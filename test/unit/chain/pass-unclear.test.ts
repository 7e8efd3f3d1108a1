import { beforeEach, describe, expect, test } from 'vitest';
import { MINUTE_MS } from '../../../shared/runtime/values/calendar.ts';
import { isPaused } from '../../../shared/wallets/chain/guesses.ts';
import { nameBalance } from '../../../shared/wallets/chain/name-balance.ts';
import { passUnclear } from '../../../shared/wallets/chain/pass-unclear.ts';
import { BEGUN_MINUTE, begin, idsOf, known, link, text, WALLET } from '../../support/wallet-chains.ts';
import { createWorld, type World } from '../../support/world.ts';

let world: World;

const pass = (before: number, after: number, text_hash = `${before} ${after}`) =>
  passUnclear(world.outside, WALLET, {
    before,
    after,
    at_ms: world.clock.nowMs,
    arrived_ms: world.clock.nowMs,
    text_hash,
  });

describe('a text that can be read in two ways', () => {
  beforeEach(async () => {
    world = await createWorld({ inMemory: true });
    await begin(world, 1_000_00);
    world.clock.nowMs += MINUTE_MS;
  });

  test('moves the head from its balance, so that the next text links', async () => {
    await pass(1_000_00, 1_001_00);
    const next = text(BEGUN_MINUTE + 1, 1_001_00, 36_00);
    await link(world, next);
    expect(await known(world)).toMatchObject({ balance: 1_037_00, linked: idsOf([next]), waiting: [] });
  });

  test('links a text that already waits for it', async () => {
    const next = text(BEGUN_MINUTE + 1, 1_001_00, 36_00);
    await link(world, next);
    await pass(1_000_00, 1_001_00);
    expect(await known(world)).toMatchObject({ balance: 1_037_00, linked: idsOf([next]) });
  });

  test('moves the head once, although a copy arrives after the balance has returned', async () => {
    await pass(1_000_00, 1_001_00);
    await link(world, text(BEGUN_MINUTE + 1, 1_001_00, -1_00));
    await pass(1_000_00, 1_001_00);
    expect(await known(world)).toMatchObject({ balance: 1_000_00 });
  });

  test('counts as one guess if it does not continue, and three pause the chain', async () => {
    for (const n of [1, 1, 2]) await pass(n, 500_00);
    expect((await known(world)).chain.failed_ms).toHaveLength(2);
    await pass(3, 500_00);
    const { chain, balance } = await known(world);
    expect([isPaused(chain, world.clock.nowMs), balance]).toEqual([true, 1_000_00]);
    await pass(1_000_00, 1_001_00);
    expect((await known(world)).balance).toBe(1_000_00);
  });
});

test('a text that can be read in two ways changes nothing without an anchor, or from before it', async () => {
  world = await createWorld({ inMemory: true });
  await pass(1_000_00, 1_001_00);
  await nameBalance(world.outside, WALLET, 1_000_37);
  const early = { before: 1_000_37, after: 1_001_37, at_ms: 0, arrived_ms: world.clock.nowMs - 1, text_hash: 'early' };
  await passUnclear(world.outside, WALLET, early);
  expect((await known(world)).balance).toBe(1_000_37);
});
