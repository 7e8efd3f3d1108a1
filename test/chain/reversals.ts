import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../shared/runtime/values/calendar.ts';
import { headOf, type Movement } from '../../shared/wallets/chain/chain.ts';
import { isPaused } from '../../shared/wallets/chain/guesses.ts';
import { type Chance, chanceFrom } from '../simulation/random.ts';
import { firstArrivals, ownerOf } from './honest.ts';
import { idAt } from './network.ts';
import { keyOf, Play } from './play.ts';
import { beginningOf, byArrival, type Shop, shopOf } from './shop.ts';

const DAYS = 30;
const PAYMENTS_A_DAY = 30;
const LIMIT_PESEWAS = 50_00;
const STOLEN_PESEWAS = 4_900_00;

export interface ReversalSettings {
  readonly reversalsAMonth: number;
  /** Time until the owner answers a question. */
  readonly answersAfterMs: number;
  /** Number of texts forged after each reversal. */
  readonly forgedAfterEach: number;
}

export interface ReversalScore {
  readonly payments: number;
  readonly reversals: number;
  /** Payments verified within two minutes. */
  readonly atOnce: number;
  /** Waiting times of the other payments in ms. Infinite if never verified. */
  readonly waitsMs: readonly number[];
  /** Number of hours in which linking was paused. */
  readonly pausedHours: number;
  readonly hours: number;
  readonly forged: number;
  /** Verified forged payments above the limit with a wrong balance. */
  readonly stolen: readonly string[];
  /** Forged payments whose balance is correct by chance. */
  readonly lucky: number;
}

/** Simulates a month in a shop with reversals without a text, and measures a forger's gain from them. */
export async function playReversals(seed: number, settings: ReversalSettings): Promise<ReversalScore> {
  const chance = chanceFrom(seed);
  const { reversalsAMonth } = settings;
  const shop = shopOf(chance, { payments: DAYS * PAYMENTS_A_DAY, paymentsADay: PAYMENTS_A_DAY, reversalsAMonth });
  const forged = forgedFor(chance, shop, settings);
  const play = await new Play(ownerOf(shop, settings.answersAfterMs)).begin(beginningOf(shop));
  const lucky = new Set<Movement>();
  let pausedMs = 0;
  for (const text of [...shop.arrivals, ...forged].sort(byArrival)) {
    const [fromMs, chain] = [play.outside.now(), await play.chain()];
    if (isPaused(chain, fromMs)) pausedMs += text.arrived_ms - fromMs;
    await play.passTo(text.arrived_ms);
    if (headOf(await play.chain()).balance === text.before) lucky.add(text);
    await play.arrive(text);
  }
  await play.passTo(play.outside.now() + 2 * HOUR_MS);
  const waits = [...firstArrivals(shop.arrivals)].map(
    ([key, ms]) => (play.provenMs.get(key) ?? Number.POSITIVE_INFINITY) - ms,
  );
  const proven = forged.filter((one) => play.provenMs.has(keyOf(one)) && isAboveLimit(one));
  return {
    payments: waits.length,
    reversals: shop.reversals.size,
    atOnce: waits.filter((ms) => ms <= 2 * MINUTE_MS).length,
    waitsMs: waits.filter((ms) => ms > 2 * MINUTE_MS),
    pausedHours: pausedMs / HOUR_MS,
    hours: DAYS * 24,
    forged: forged.length,
    stolen: proven.filter((one) => !lucky.has(one)).map((one) => `seed ${seed}: ${keyOf(one)}`),
    lucky: proven.filter((one) => lucky.has(one)).length,
  };
}

const isAboveLimit = ({ before, after }: Movement) => after - before > LIMIT_PESEWAS;

/**
 * Forges texts that continue a recent balance or the last forged text. The forger knows the transactions but not the
 * current balance.
 */
function forgedFor(chance: Chance, shop: Shop, { forgedAfterEach }: ReversalSettings): Movement[] {
  return [...shop.reversals].flatMap((reversal) => {
    const lately = shop.movements.filter(({ at_ms }) => reversal.at_ms - at_ms < DAY_MS && at_ms <= reversal.at_ms);
    let before = chance.pick(lately).after;
    return Array.from({ length: forgedAfterEach }, (_, n) => {
      const arrived_ms = reversal.at_ms + chance.between(1, 240) * MINUTE_MS + n;
      if (chance.happens(0.7)) before = chance.pick(lately).after;
      const after = before + STOLEN_PESEWAS + n * 100;
      const id = idAt(arrived_ms - chance.between(0, 20_000));
      const one = {
        id,
        before,
        after,
        at_ms: arrived_ms,
        arrived_ms,
        sender: 'mobilemoney',
        receipt_id: `forged-${id}`,
      };
      before = after;
      return one;
    });
  });
}
