import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../shared/runtime/values/calendar.ts';
import type { Movement } from '../../shared/wallets/chain/chain.ts';
import { type Chance, chanceFrom } from '../simulation/random.ts';
import { firstArrivals, ownerOf } from './honest.ts';
import { idAt } from './network.ts';
import { keyOf, Play } from './play.ts';
import { beginningOf, byArrival, type Shop, shopOf } from './shop.ts';

const SECOND_MS = 1000;
const PAYMENTS = 120;

/** Settings of a forger who does not know the wallet's balance. */
export interface ForgerSettings {
  readonly texts: number;
  /** True if a guessed balance may be correct. 0 is a good guess, because wallets are often emptied. */
  readonly mayBeLucky?: boolean;
}

export interface ForgerScore {
  readonly forged: number;
  readonly linked: number;
  /** Number of honest payments that were linked as early as without the forger. */
  readonly honest: number;
  readonly atOnce: number;
  readonly atOnceWithout: number;
  /** Number of honest payments that were linked later than without the forger, or never. */
  readonly disturbed: number;
}

/** Simulates the same shop with and without a forger. */
export async function playForger(seed: number, settings: ForgerSettings): Promise<ForgerScore> {
  const chance = chanceFrom(seed);
  const shop = shopOf(chance, { payments: PAYMENTS });
  const forged = forgedFor(chance, shop, settings);
  const [alone, together] = [await play(shop, []), await play(shop, forged)];
  const honest = [...firstArrivals(shop.arrivals)];
  const linkedAt = (one: Play, key: string) => one.linkedMs.get(key) ?? Number.POSITIVE_INFINITY;
  return {
    forged: forged.length,
    linked: forged.filter((one) => together.linkedMs.has(keyOf(one))).length,
    honest: honest.length,
    atOnce: honest.filter(([key, ms]) => linkedAt(together, key) <= ms).length,
    atOnceWithout: honest.filter(([key, ms]) => linkedAt(alone, key) <= ms).length,
    disturbed: honest.filter(([key]) => linkedAt(together, key) > linkedAt(alone, key)).length,
  };
}

async function play(shop: Shop, forged: readonly Movement[]): Promise<Play> {
  const one = await new Play(ownerOf(shop)).begin(beginningOf(shop));
  for (const text of [...shop.arrivals, ...forged].sort(byArrival)) await one.arrive(text);
  await one.passTo(one.outside.now() + 2 * HOUR_MS);
  return one;
}

/** Forges single and consecutive texts, from the wallet's first text on. */
export function forgedFor(
  chance: Chance,
  shop: Pick<Shop, 'movements' | 'arrivals'>,
  { texts, mayBeLucky = false }: ForgerSettings,
): Movement[] {
  const had = new Set(shop.movements.flatMap(({ before, after }) => [before, after]));
  const forged: Movement[] = [];
  while (forged.length < texts) {
    const real = chance.pick(shop.arrivals);
    let [arrived_ms, balance] = [real.arrived_ms + chance.between(-30, 30) * SECOND_MS, guess(chance)];
    const [moment, sender] = [momentOf(chance), chance.happens(0.9) ? real.sender : 'momo'];
    for (let left = chance.happens(0.5) ? 1 : chance.between(2, 8); left > 0 && forged.length < texts; left--) {
      const after = balance + amountOf(chance);
      const isGuessed = had.has(balance) || had.has(after);
      const id = chance.happens(0.05) ? real.id : idAt(moment(arrived_ms));
      if (mayBeLucky || !isGuessed)
        forged.push({ id, before: balance, after, at_ms: arrived_ms, arrived_ms, sender, receipt_id: `forged-${id}` });
      balance = after;
      arrived_ms += chance.between(1, 40) * SECOND_MS;
    }
  }
  return forged;
}

/** Guesses zero, a round balance or any balance. */
function guess(chance: Chance): number {
  if (chance.happens(0.2)) return 0;
  return chance.happens(0.7)
    ? chance.between(1, 100) * chance.pick([500, 1000, 5000, 10_000])
    : chance.between(1, 300_000);
}

/** Picks an amount below or above the limits, sometimes outgoing. */
function amountOf(chance: Chance): number {
  const cedis = chance.happens(0.5) ? chance.between(1, 50) : chance.between(51, 2000);
  return chance.happens(0.8) ? cedis * 100 : -cedis * 100;
}

/** Picks whether forged ids belong to the present, the future or the past. */
function momentOf(chance: Chance): (nowMs: number) => number {
  const kind = chance.pick(['now', 'now', 'future', 'past'] as const);
  const upTo = (most: number, unitMs: number) => chance.between(1, most) * unitMs;
  const byMs = chance.pick([upTo(60, MINUTE_MS), upTo(24, HOUR_MS), upTo(90, DAY_MS)]);
  if (kind === 'now') return (nowMs) => nowMs - chance.between(0, 20) * SECOND_MS;
  return (nowMs) => (kind === 'future' ? nowMs + byMs : nowMs - byMs);
}
