import {
  chainRows,
  listGaps,
  listSettledTexts,
  listWaiting,
  type Wallet,
} from '../../shared/wallets/chain/chain.table.ts';
import { headOf, type Movement } from '../../shared/wallets/chain/chain.ts';
import { linkTexts } from '../../shared/wallets/chain/link-texts.ts';
import { askOwner } from '../../shared/wallets/wallet/ask-owner.ts';
import { nameMature } from './name-mature.ts';
import type { World } from './world.ts';

export const WALLET: Wallet = { network: 'MTN', momo_number: '+233241234567' };

/** Number of transaction ids that the network assigns per minute. */
const IDS_A_MINUTE = 46_000;
const FIRST_ID = 90_000_000_000;
const START_MS = Date.parse('2026-11-20T10:00:00.000Z');

/** Creates a movement's text, `minute` minutes after the start. */
export function text(minute: number, before: number, moved: number, more: Partial<Movement> = {}): Movement {
  const at_ms = START_MS + minute * 60_000;
  const id = FIRST_ID + minute * IDS_A_MINUTE;
  const payment = moved > 0 && { receipt_id: `MTN-233241234567-${id}` };
  return { id, before, after: before + moved, at_ms, arrived_ms: at_ms, sender: 'mobilemoney', ...payment, ...more };
}

export function run(minute: number, before: number, ...moved: readonly number[]): Movement[] {
  const texts: Movement[] = [];
  for (const amount of moved) {
    texts.push(text(minute + texts.length, texts.at(-1)?.after ?? before, amount));
  }
  return texts;
}

export async function link(world: World, ...texts: readonly Movement[]): Promise<void> {
  for (const one of texts) {
    world.clock.nowMs = Math.max(world.clock.nowMs, one.arrived_ms);
    await linkTexts(world.outside, WALLET, [one]);
  }
}

export function at(world: World, minute: number): void {
  world.clock.nowMs = START_MS + minute * 60_000;
}

/** Names the balance one minute before `BEGUN_MINUTE`, and looks again, so that the chain verifies any amount. */
export async function begin(world: World, balance = 1_000_00): Promise<void> {
  at(world, BEGUN_MINUTE - 1);
  await nameMature(world.outside, WALLET, balance);
}

/**
 * Simulates a lost text about GHS 36 on a chain. The next two texts wait, and the owner is asked whether
 * the balance is GHS 1,047.
 */
export async function askAboutLost(world: World): Promise<void> {
  await link(world, ...run(BEGUN_MINUTE + 1, 1_036_00, 5_00, 6_00));
  at(world, BEGUN_MINUTE + 15);
  const { chain } = await known(world);
  await askOwner(world.outside, chain, await listWaiting(world.outside, WALLET), []);
}

export const BEGUN_MINUTE = 26;

export async function known(world: World) {
  const chain = await chainRows.find(world.outside, WALLET);
  if (!chain) throw new Error('There is no chain');
  const [waiting, settled, gaps] = await Promise.all([
    listWaiting(world.outside, WALLET),
    listSettledTexts(world.outside, WALLET),
    listGaps(world.outside, WALLET),
  ]);
  if (chain.waiting !== waiting.length || chain.gaps !== gaps.length)
    throw new Error('The head has the wrong number of waiting texts or gaps');
  return {
    chain,
    balance: headOf(chain).balance,
    waiting: waiting.map(({ id }) => id),
    linked: settled.filter(({ state }) => state === 'linked').map(({ id }) => id),
    before: settled.filter(({ state }) => state === 'before').map(({ id }) => id),
    unsure: settled.filter(({ state }) => state === 'unsure').map(({ id }) => id),
    false: settled.filter(({ state }) => state === 'false').map(({ id }) => id),
    gaps: gaps.map(({ from, to }) => to.balance - from.balance),
  };
}

export const idsOf = (texts: readonly Movement[]): number[] => texts.map(({ id }) => id);
