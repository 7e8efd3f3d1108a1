import { HOUR_MS, MINUTE_MS } from '../../shared/runtime/values/calendar.ts';
import { listGaps } from '../../shared/wallets/chain/chain.table.ts';
import type { Movement } from '../../shared/wallets/chain/chain.ts';
import { chanceFrom } from '../simulation/random.ts';
import { keyOf, type Owner, Play, WALLET } from './play.ts';
import { balancesOf, beginningOf, type Shop, type ShopSettings, shopOf } from './shop.ts';

/** Results of honest customers in several shops. */
export interface HonestScore {
  readonly payments: number;
  /** Payments not verified within two minutes. */
  readonly waited: number;
  /** Payments that are not in the chain after an hour. */
  readonly waitedOverAnHour: number;
  /** Payments in the chain that it never verifies. */
  readonly unsure: number;
  readonly atOnce: number;
  readonly lost: number;
  readonly gaps: number;
  readonly questions: number;
}

/** Returns when each payment's first text arrived, keyed by payment. */
export function firstArrivals(arrivals: readonly Movement[]): Map<string, number> {
  const payments = arrivals.filter(({ receipt_id }) => receipt_id !== undefined);
  // The first copy is inserted last and overrides the others.
  return new Map(payments.toReversed().map((one) => [keyOf(one), one.arrived_ms]));
}

/** Returns an owner who answers each question, by default after half an hour. */
export function ownerOf({ movements }: Pick<Shop, 'movements'>, answersAfterMs = 30 * MINUTE_MS): Owner {
  return { answersAfterMs: () => answersAfterMs, balanceAt: balancesOf(movements) };
}

/** Simulates a shop's wallet until some hours after the last text. */
export async function playShop(seed: number, lostShare: number, settings: ShopSettings): Promise<HonestScore> {
  const chance = chanceFrom(seed);
  const shop = shopOf(chance, { ...settings, lost: () => chance.happens(lostShare) });
  const play = await new Play(ownerOf(shop)).begin(beginningOf(shop));
  for (const text of shop.arrivals) await play.arrive(text);
  await play.passTo(play.outside.now() + 2 * HOUR_MS);
  const arrived = [...firstArrivals(shop.arrivals)];
  const waits = arrived.map(([key, ms]) => (play.provenMs.get(key) ?? Infinity) - ms);
  const links = arrived.map(([key, ms]) => (play.linkedMs.get(key) ?? Infinity) - ms);
  return {
    payments: waits.length,
    waited: waits.filter((ms) => ms > 2 * MINUTE_MS).length,
    waitedOverAnHour: links.filter((ms) => ms > HOUR_MS).length,
    unsure: arrived.filter(([key]) => play.linkedMs.has(key) && !play.provenMs.has(key)).length,
    atOnce: waits.filter((ms) => ms <= 0).length,
    lost: shop.movements.length - new Set(shop.arrivals.map(keyOf)).size,
    gaps: (await listGaps(play.outside, WALLET)).length,
    questions: play.asked.length,
  };
}
