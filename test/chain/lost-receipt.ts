import { HOUR_MS, MINUTE_MS } from '../../shared/runtime/values/calendar.ts';
import { branchesOf, differenceOf, openGaps } from '../../shared/wallets/chain/branches.ts';
import { listGaps, listWaiting } from '../../shared/wallets/chain/chain.table.ts';
import type { Movement } from '../../shared/wallets/chain/chain.ts';
import { chanceFrom } from '../simulation/random.ts';
import { ownerOf } from './honest.ts';
import { keyOf, type Owner, Play, WALLET } from './play.ts';
import { beginningOf, byArrival, type Shop, shopOf } from './shop.ts';

const PAYMENTS = 70;

export interface LostScore {
  /** True if the chain has a gap. */
  readonly isNoticed: boolean;
  /** True if the gap equals the lost text's amount. */
  readonly isExact: boolean;
  /** True if a text that is ten minutes late closes the gap. */
  readonly healsSoon: boolean;
  /** True if a text that arrives hours later, after the owner's answer, closes the gap. */
  readonly healsLate: boolean;
}

/** Simulates a shop with one lost text. */
export async function playLost(seed: number): Promise<LostScore> {
  const chance = chanceFrom(seed);
  const whole = shopOf(chance, { payments: PAYMENTS });
  const lost = chance.pick(whole.movements.slice(3, -12));
  const shop: Shop = { ...whole, arrivals: whole.arrivals.filter(({ id }) => id !== lost.id) };
  const missing = whole.arrivals.find(({ id }) => id === lost.id);
  if (!missing) throw new Error('The text chosen to be lost never arrived');
  const again = (afterMs: number): Movement => ({ ...missing, arrived_ms: missing.arrived_ms + afterMs });
  const gaps = await gapsOf(await play(shop));
  return {
    isNoticed: gaps.length > 0,
    isExact: gaps.some((difference) => difference === lost.after - lost.before),
    healsSoon: await isWhole(whole, await play({ ...whole, arrivals: [...shop.arrivals, again(10 * MINUTE_MS)] })),
    healsLate: await isWhole(
      whole,
      await play({ ...whole, arrivals: [...shop.arrivals, again(3 * HOUR_MS)] }, ownerOf(whole)),
    ),
  };
}

async function play(shop: Shop, owner?: Owner): Promise<Play> {
  const one = await new Play(owner).begin(beginningOf(shop));
  for (const text of shop.arrivals.toSorted(byArrival)) await one.arrive(text);
  await one.passTo(one.outside.now() + 2 * HOUR_MS);
  return one;
}

/** Returns the amount of each gap. */
async function gapsOf(one: Play): Promise<number[]> {
  const { outside } = one;
  const chain = await one.chain();
  const branches = branchesOf(chain, await listWaiting(outside, WALLET));
  return [...(await listGaps(outside, WALLET)), ...openGaps(chain, branches)].map(differenceOf);
}

async function isWhole({ movements }: Shop, one: Play): Promise<boolean> {
  return (await gapsOf(one)).length === 0 && movements.every((text) => one.linkedMs.has(keyOf(text)));
}
