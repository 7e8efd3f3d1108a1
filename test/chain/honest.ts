import { HOUR_MS, MINUTE_MS } from '../../shared/runtime/values/calendar.ts';
import { listGaps } from '../../shared/wallets/chain/chain.table.ts';
import type { Movement } from '../../shared/wallets/chain/chain.ts';
import { chanceFrom } from '../simulation/random.ts';
import { keyOf, type Owner, Play, WALLET } from './play.ts';
import { type Shop, type ShopSettings, shopOf } from './shop.ts';

/** What honest customers of some shops saw. */
export interface HonestScore {
  readonly payments: number;
  /** Not proven within two minutes of their arrival. */
  readonly waited: number;
  readonly waitedOverAnHour: number;
  readonly atOnce: number;
  readonly lost: number;
  readonly gaps: number;
  readonly questions: number;
}

/** The first time that each payment arrived, by its key. */
export function firstArrivals(arrivals: readonly Movement[]): Map<string, number> {
  const payments = arrivals.filter(({ receipt_id }) => receipt_id !== undefined);
  // The first of its copies is the last that is put in.
  return new Map(payments.toReversed().map((one) => [keyOf(one), one.arrived_ms]));
}

/** The owner of a shop, who looks into the wallet half an hour after he was asked. */
export function ownerOf({ movements }: Shop): Owner {
  const balances = new Map(movements.map(({ id, after }) => [id, after]));
  return { answersAfterMs: 30 * MINUTE_MS, knows: (balance, id) => balances.get(id) === balance };
}

/** A shop's wallet from its first text to some hours after its last. */
export async function playShop(seed: number, lostShare: number, settings: ShopSettings): Promise<HonestScore> {
  const chance = chanceFrom(seed);
  const shop = shopOf(chance, { ...settings, lost: () => chance.happens(lostShare) });
  const play = new Play(ownerOf(shop));
  for (const text of shop.arrivals) await play.arrive(text);
  await play.passTo(play.outside.now() + 2 * HOUR_MS);
  const waits = [...firstArrivals(shop.arrivals)].map(([key, ms]) => (play.linkedMs.get(key) ?? Infinity) - ms);
  return {
    payments: waits.length,
    waited: waits.filter((ms) => ms > 2 * MINUTE_MS).length,
    waitedOverAnHour: waits.filter((ms) => ms > HOUR_MS).length,
    atOnce: waits.filter((ms) => ms <= 0).length,
    lost: shop.movements.length - new Set(shop.arrivals.map(keyOf)).size,
    gaps: (await listGaps(play.outside, WALLET)).length,
    questions: play.questions,
  };
}
