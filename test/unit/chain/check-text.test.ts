import { beforeEach, describe, expect, test } from 'vitest';
import { type Network, networks } from '../../../shared/ghana/network.ts';
import { MINUTE_MS } from '../../../shared/runtime/values/calendar.ts';
import { checkText } from '../../../shared/wallets/chain/check-text.ts';
import { linkTexts } from '../../../shared/wallets/chain/link-texts.ts';
import { nameBalance } from '../../../shared/wallets/chain/name-balance.ts';
import { at, link, run, text, WALLET } from '../../support/wallet-chains.ts';
import { createWorld, type World } from '../../support/world.ts';

const PROVEN = { proof: { state: 'proven' }, isAnchored: true };
const unproven = (why: string, isAnchored = true) => ({ proof: { state: 'unproven', why }, isAnchored });

let world: World;
beforeEach(async () => {
  world = await createWorld({ inMemory: true });
  at(world, 0);
});

const [FIRST, SECOND] = [text(1, 1_000_37, 5_00), text(2, 1_005_37, 6_00)];
const check = (one = FIRST) => checkText(world.outside, WALLET, one);

test('a text is not anchored until the owner names the balance, and if it arrived before', async () => {
  await link(world, FIRST);
  expect(await check()).toMatchObject(unproven('not_anchored', false));
  at(world, 2);
  await nameBalance(world.outside, WALLET, 1_005_37);
  expect(await check()).toMatchObject(unproven('not_anchored'));
  expect(await checkText(world.outside, WALLET, undefined)).toMatchObject(unproven('no_balance'));
});

describe('a text after the anchor', () => {
  beforeEach(() => nameBalance(world.outside, WALLET, 1_000_37));

  test('is verified if it continues the balance', async () => {
    await link(world, FIRST);
    expect(await check()).toMatchObject({ ...PROVEN, isYoung: true, linkedAtMs: FIRST.at_ms });
  });

  test('is checked for two minutes, then unverified, if a text before it is missing', async () => {
    await link(world, SECOND);
    expect(await check(SECOND)).toMatchObject({ proof: { state: 'checking' }, isWaiting: true });
    world.clock.nowMs += 2 * MINUTE_MS;
    expect(await check(SECOND)).toMatchObject(unproven('balance_gap'));
  });

  test('stays verified after the wallet was emptied, and the texts from 0 are not', async () => {
    const rest = run(2, 1_005_37, -1_005_37, 9_20);
    await link(world, FIRST, ...rest);
    at(world, 5);
    await nameBalance(world.outside, WALLET, 9_20);
    expect(await check()).toMatchObject(PROVEN);
    expect(await check(rest[1])).toMatchObject(unproven('balance_unsure'));
  });

  test('stays verified after the owner began the chain anew', async () => {
    await link(world, FIRST);
    for (const minute of [5, 8]) {
      at(world, minute);
      await nameBalance(world.outside, WALLET, 2_000_37);
    }
    expect(await check()).toMatchObject(PROVEN);
  });

  test('is unverified if another text has its id and balances', async () => {
    await link(world, { ...FIRST, receipt_id: 'MTN-other' });
    expect((await check()).proof.state).toBe('unproven');
  });
});

test.each<[Network, number, provenTexts: number]>([
  ['MTN', 20, 20],
  ['TELECEL', 20, 0],
  ['TELECEL', 21, 1],
])('on %s, %i texts verify %i', async (network, count, verified) => {
  const wallet = { ...WALLET, network };
  await nameBalance(world.outside, wallet, 1_000_37);
  const idsAMinute = networks[network].idsADay / (24 * 60);
  const moved = Array.from({ length: count }, () => 1_00);
  const texts = run(1, 1_000_37, ...moved).map((one, n) => ({ ...one, id: Math.round(90e9 + n * idsAMinute) }));
  for (const one of texts) {
    world.clock.nowMs = one.arrived_ms + 1000;
    await linkTexts(world.outside, wallet, [one]);
  }
  const proofs = await Promise.all(texts.map((one) => checkText(world.outside, wallet, one)));
  expect(proofs.filter(({ proof }) => proof.state === 'proven')).toHaveLength(verified);
});
