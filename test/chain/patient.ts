import type { Movement } from '../../shared/chain/chain.ts';
import { endWaiting } from '../../shared/chain/end-waiting.ts';
import { type Chance, chanceFrom } from '../simulation/random.ts';
import { idAt } from './network.ts';
import { keyOf, Play, WALLET } from './play.ts';
import { byArrival, type Shop, shopOf } from './shop.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** A merchant lets unproven payments confirm so much, where nothing else is set. */
const LIMIT_PESEWAS = 50_00;
const STOLEN_PESEWAS = 4_900_00;

/** A forger who has time, and who knows what the balance may be but not what it is. */
export interface PatientSettings {
  readonly days: number;
  readonly texts: number;
  readonly paymentsADay: number;
}

export interface PatientScore {
  readonly forged: number;
  /** Forged texts that said the balance which the wallet had. */
  readonly guessedRight: number;
  /** Of those, the ones that became a part of the chain by themselves. */
  readonly linked: number;
  /** Forged payments above the limit that were proven. */
  readonly stolen: number;
  /** After the owner's last word everything honest is proven. */
  readonly unproven: number;
  readonly honest: number;
}

/** How a forger spends his texts: evenly, in a few days, by night while nothing genuine comes, or by waiting until each is forgotten. */
const PACES = ['even', 'bursts', 'nights', 'few at first'] as const;
/** What he knows of the balance: the steps in which it moves, or that the shop empties its wallet. */
const SHOPS = ['ten pesewas', 'whole cedis', 'emptied'] as const;

/**
 * A shop with a patient forger, by its seed. Its owner names the balance once a day. He guesses balances between nothing and the highest
 * that the wallet ever held; half of his texts continue the one before, so that he knows the balance once he was right.
 */
export async function playPatient(seed: number, settings: PatientSettings): Promise<PatientScore> {
  const chance = chanceFrom(seed);
  const kind = SHOPS[seed % SHOPS.length] ?? 'emptied';
  const stepPesewas = kind === 'ten pesewas' ? 10 : 100;
  const payments = settings.days * settings.paymentsADay;
  const shop = shopOf(chance, {
    payments,
    paymentsADay: settings.paymentsADay,
    stepPesewas,
    isEmptied: kind === 'emptied',
  });
  const forged = forgedFor(chance, shop, settings, stepPesewas, kind === 'emptied');
  const keys = new Set(forged.map(keyOf));
  const play = new Play();
  const [balances, said] = [balancesOf(shop), new Set<string>()];
  let [nextWordMs, right] = [Number.POSITIVE_INFINITY, 0];
  for (const text of [...shop.arrivals, ...forged].sort(byArrival)) {
    if (text.arrived_ms >= nextWordMs) {
      await play.passTo(nextWordMs, false);
      note(said, play, keys);
      await endWaiting(play.outside, WALLET);
      await play.say(balances(nextWordMs));
      nextWordMs += DAY_MS;
    }
    if (keys.has(keyOf(text)) && text.before === balances(text.arrived_ms)) right++;
    await play.arrive(text, false);
    if (nextWordMs === Number.POSITIVE_INFINITY) nextWordMs = text.arrived_ms + DAY_MS;
  }
  const stolenOf = (key: string) => forged.some((one) => keyOf(one) === key && one.after - one.before > LIMIT_PESEWAS);
  note(said, play, keys);
  await play.say(balances(play.outside.now()));
  const honest = shop.arrivals.slice(30).filter(({ receipt_id }) => receipt_id !== undefined);
  return {
    forged: forged.length,
    guessedRight: right,
    linked: said.size,
    stolen: [...said].filter(stolenOf).length,
    unproven: honest.filter((one) => !play.linkedMs.has(keyOf(one))).length,
    honest: honest.length,
  };
}

/** What he wrote and what was ever proven, though the owner may have taken it back since. */
function note(said: Set<string>, play: Play, keys: ReadonlySet<string>): void {
  for (const key of play.everLinked) if (keys.has(key)) said.add(key);
}

/** The balance of the wallet at a moment. */
function balancesOf({ movements }: Shop): (ms: number) => number {
  let n = 0;
  return (ms) => {
    if ((movements[n]?.at_ms ?? 0) > ms) n = 0;
    for (let next = movements[n + 1]; next && next.at_ms <= ms; next = movements[n + 1]) n++;
    return movements[n]?.after ?? 0;
  };
}

function forgedFor(
  chance: Chance,
  shop: Shop,
  { days, texts }: PatientSettings,
  step: number,
  isEmptied: boolean,
): Movement[] {
  const first = shop.arrivals[40];
  if (!first) return [];
  const highest = Math.max(...shop.movements.map(({ after }) => after));
  // The pesewas that a wallet's first texts leave it with stay, where all prices are round.
  const rest = (shop.movements[0]?.after ?? 0) % step;
  const pace = chance.pick([...PACES]);
  const forged: Movement[] = [];
  let [known, isKnown] = [0, false];
  for (let n = 0; n < texts; n++) {
    const arrived_ms = first.arrived_ms + momentOf(chance, pace, n / texts, days);
    const guess = isEmptied && chance.happens(0.5) ? 0 : chance.between(0, Math.floor(highest / step)) * step + rest;
    const before = isKnown && chance.happens(0.5) ? known : guess;
    const after = before + (chance.happens(0.3) ? chance.between(1, 40) * 100 : STOLEN_PESEWAS);
    [known, isKnown] = [after, true];
    const id = idAt(arrived_ms - chance.between(0, 20) * SECOND_MS);
    const receipt_id = `forged-${n}`;
    forged.push({ id, before, after, at_ms: arrived_ms, arrived_ms, sender: 'mobilemoney', receipt_id });
  }
  return forged;
}

function momentOf(chance: Chance, pace: (typeof PACES)[number], share: number, days: number): number {
  const spanMs = days * DAY_MS;
  if (pace === 'even') return share * spanMs;
  if (pace === 'bursts') return Math.floor(share * 3) * (spanMs / 3) + (((share * 3) % 1) * HOUR_MS) / 2;
  // The shop opens at seven: from its twentieth text on some hours have passed.
  const night = Math.floor(share * days) * DAY_MS + 14 * HOUR_MS + chance.between(0, 8 * HOUR_MS);
  if (pace === 'nights') return night;
  return share < 0.001 ? share * 1000 * (spanMs / 2) : spanMs / 2 + (share * spanMs) / 2;
}
