import { beforeEach, describe, expect, test } from 'vitest';
import { ESTABLISHED, type Movement } from '../../../shared/wallets/chain/chain.ts';
import { checkText } from '../../../shared/wallets/chain/check-text.ts';
import { confirmWallet } from '../../../shared/wallets/chain/confirm-wallet.ts';
import { setProve } from '../../support/actions.ts';
import { at, known, link, text, WALLET } from '../../support/wallet-chains.ts';
import { createWorld, type World } from '../../support/world.ts';

const DAY_MINUTES = 24 * 60;
const NEW = { state: 'unproven', why: 'not_established' };
const PROVEN = { state: 'proven' };

let world: World;
let balance: number;
let minute: number;
beforeEach(async () => {
  world = await createWorld({ inMemory: true });
  [balance, minute] = [100_00, 0];
});

describe('a text from a new wallet', () => {
  test('stays unverified if the owner’s confirmation linked it', async () => {
    await arrive(1_00);
    minute += 10;
    const forged = text(minute, 777_00, 4_900_00);
    await link(world, forged);
    await confirmWallet(world.outside, WALLET, forged.after, false);
    minute += 10;
    // One text is lost, so the next one does not start where the forged text did.
    balance += 3_00;
    await arrive(1_00);
    await confirmWallet(world.outside, WALLET, balance);
    await becomeEstablished();
    expect((await known(world)).linked).toContain(forged.id);
    expect(await proofOf(forged)).toEqual(NEW);
  });

  test('stays unverified if the first text was forged', async () => {
    const forged = text(minute, 777_00, 4_900_00);
    await link(world, forged);
    minute += 10;
    await arrive(1_00);
    await confirmWallet(world.outside, WALLET, balance);
    await becomeEstablished();
    expect(await proofOf(forged)).toEqual(NEW);
  });
});

describe('a text from an established wallet', () => {
  test('is verified in observe and enforce mode', async () => {
    await becomeEstablished();
    const later = await arrive(5_00);
    expect(await proofOf(later)).toEqual(PROVEN);
    world.clock.nowMs += 60_000;
    await setProve(world.outside, WALLET, 'enforce');
    expect(await proofOf(later)).toEqual(PROVEN);
  });
});

async function arrive(moved: number): Promise<Movement> {
  const one = text(minute, balance, moved);
  at(world, minute);
  [balance, minute] = [one.after, minute + 1];
  await link(world, one);
  return one;
}

/** Links enough texts over more than a week to establish the chain. */
async function becomeEstablished(): Promise<void> {
  for (let n = 0; n < 2 * ESTABLISHED.links; n++) {
    await arrive(n % 3 === 0 ? -1_00 : 2_00);
    minute += DAY_MINUTES / 2;
  }
  expect((await known(world)).chain.established_ms).toBeDefined();
}

async function proofOf(one: Movement) {
  return (await checkText(world.outside, WALLET, one)).proof;
}
