import { beforeEach, describe, expect, test } from 'vitest';
import { chainRows } from '../../../shared/wallets/chain/chain.table.ts';
import { confirmWallet } from '../../../shared/wallets/chain/confirm-wallet.ts';
import { endWaiting } from '../../../shared/wallets/chain/link-texts.ts';
import { setProve } from '../../support/actions.ts';
import {
  at,
  beginAnew,
  ESTABLISHED_MINUTE,
  establish,
  idsOf,
  known,
  link,
  run,
  text,
  WALLET,
} from '../../support/wallet-chains.ts';
import { createWorld, type World } from '../../support/world.ts';

const DAY_MINUTES = 24 * 60;
const FORGED_MINUTE = ESTABLISHED_MINUTE;
const NEXT = ESTABLISHED_MINUTE + 1;

let world: World;
beforeEach(async () => {
  world = await createWorld({ inMemory: true });
  await establish(world);
});

test('a text that the chain went past is false once it has waited for a day, and not before', async () => {
  const forged = text(FORGED_MINUTE, 500_00, 250_00);
  await link(world, forged, text(NEXT, 1_000_00, 2_00));
  at(world, FORGED_MINUTE + DAY_MINUTES - 1);
  expect(await endWaiting(world.outside, WALLET)).toBe(0);
  at(world, FORGED_MINUTE + DAY_MINUTES);
  expect(await endWaiting(world.outside, WALLET)).toBe(1);
  expect(await known(world)).toMatchObject({ waiting: [], false: [forged.id], balance: 1_002_00 });
});

test('a text that is newer than the chain waits on, however long: what is missing is before it', async () => {
  const newer = text(NEXT, 1_036_00, 5_00);
  await link(world, newer);
  at(world, NEXT + 3 * DAY_MINUTES);
  expect(await endWaiting(world.outside, WALLET)).toBe(0);
  expect(await known(world)).toMatchObject({ waiting: [newer.id], false: [] });
});

describe('a text with an id from a time that has not come', () => {
  const ahead = text(NEXT, 500_00, 250_00, { id: 99_999_999_999_999 });
  beforeEach(() => setProve(world.outside, WALLET, 'enforce'));

  test('is false after a day, where one that came later has linked', async () => {
    await link(world, ahead, text(NEXT + 1, 1_000_00, 2_00));
    at(world, NEXT + DAY_MINUTES);
    expect(await endWaiting(world.outside, WALLET)).toBe(1);
    expect(await known(world)).toMatchObject({ waiting: [], false: [ahead.id] });
  });

  test('waits on where none has: the network may have begun to count anew', async () => {
    await link(world, ahead);
    at(world, NEXT + 3 * DAY_MINUTES);
    expect(await endWaiting(world.outside, WALLET)).toBe(0);
  });
});

test('texts that come after one whose id is from a time that has not come wait on, where it became the head', async () => {
  await beginAnew(world);
  await link(world, text(NEXT, 1_000_00, 1_00, { id: 99_999_999_999_999 }));
  const honest = [text(NEXT + 1, 1_000_00, 36_00), text(NEXT + 2, 1_036_00, 5_00)];
  await link(world, ...honest);
  at(world, NEXT + 2 * DAY_MINUTES);
  expect(await endWaiting(world.outside, WALLET)).toBe(0);
  expect(await known(world)).toMatchObject({ waiting: honest.map(({ id }) => id), false: [] });
});

test('texts from before the chain decided are false, and count as no guesses', async () => {
  const forged = Array.from({ length: 4 }, (_, n) => text(FORGED_MINUTE - n / 10, 500_00 + n, 250_00));
  await link(world, ...forged);
  at(world, NEXT);
  await setProve(world.outside, WALLET, 'enforce');
  await link(world, text(NEXT + 1, 1_000_00, 2_00));
  at(world, NEXT + DAY_MINUTES);
  expect(await endWaiting(world.outside, WALLET)).toBe(4);
  expect((await chainRows.find(world.outside, WALLET))?.failed_ms).toBeUndefined();
});

test.each(['observe', 'enforce'] as const)(
  'where the chain would %s, a text within a known break was never proven once it has waited for three days: those on both of its sides may be missing',
  async (mode) => {
    const within = text(NEXT, 1_036_00, 5_00);
    await link(world, within, ...run(NEXT + 2, 1_099_00, 1_00));
    at(world, NEXT + 3);
    await confirmWallet(world.outside, WALLET, 1_100_00);
    await link(world, text(NEXT + 5, 1_100_00, 1_00));
    await setProve(world.outside, WALLET, mode);
    at(world, NEXT + 3 * DAY_MINUTES - 1);
    expect(await endWaiting(world.outside, WALLET)).toBe(0);
    at(world, NEXT + 3 * DAY_MINUTES);
    expect(await endWaiting(world.outside, WALLET)).toBe(1);
    expect(await known(world)).toMatchObject({ waiting: [], unsure: [within.id], false: [] });
  },
);

test('a flood of forged texts ends, though one transaction may not write them all', async () => {
  await beginAnew(world);
  const forged = Array.from({ length: 95 }, (_, n) => text(FORGED_MINUTE + n / 100, 5_000_00 + n * 1_00, 250_00));
  await link(world, ...forged, ...run(NEXT, 1_000_00, 2_00));
  at(world, NEXT + DAY_MINUTES);
  expect(await endWaiting(world.outside, WALLET)).toBe(95);
  expect(await known(world)).toMatchObject({ waiting: [], false: idsOf(forged) });
});

test('two workers at once end it once', async () => {
  await link(world, text(FORGED_MINUTE, 500_00, 250_00), text(NEXT, 1_000_00, 2_00));
  at(world, NEXT + DAY_MINUTES);
  const ended = await Promise.all([1, 2].map(() => endWaiting(world.outside, WALLET)));
  expect(ended.toSorted()).toEqual([0, 1]);
});

test('a wallet without a chain has none', async () => {
  expect(await endWaiting(world.outside, { network: 'MTN', momo_number: '+233240000000' })).toBe(0);
});
