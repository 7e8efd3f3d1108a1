import type { Table } from '../../shared/runtime/table/table.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../shared/runtime/values/calendar.ts';
import type { Movement } from '../../shared/wallets/chain/chain.ts';
import { endWaiting } from '../../shared/wallets/chain/end-waiting.ts';
import { isPaused } from '../../shared/wallets/chain/guesses.ts';
import { type Chance, chanceFrom } from '../simulation/random.ts';
import { mostInADay } from '../support/most-in-a-day.ts';
import { idAt } from './network.ts';
import { keyOf, Play, WALLET } from './play.ts';
import { balancesOf, beginningOf, byArrival, type Shop, shopOf } from './shop.ts';

const SECOND_MS = 1000;
/** Default limit for an unverified payment, in pesewas. */
const LIMIT_PESEWAS = 50_00;
const STOLEN_PESEWAS = 4_900_00;
/** Guesses per month that look like late texts: two that are passed and six that may be on their way. */
const FREE_TRIES = 8;
const FREE_FOR_MS = 30 * DAY_MS;

/** A patient forger who knows likely balances. */
export interface PatientSettings {
  readonly days: number;
  readonly texts: number;
  readonly paymentsADay: number;
  /** Number of reversals without a text per 30 days. */
  readonly reversalsAMonth?: number;
}

export interface PatientScore {
  readonly forged: number;
  /** Forged texts with the wallet's actual balance. */
  readonly guessedRight: number;
  /** Correct guesses within the month's free guesses. */
  readonly freeRight: number;
  /** Forged texts that the chain could have linked. */
  readonly tries: number;
  /** Verified forged payments above the limit, except through free guesses. */
  readonly stolen: readonly string[];
  /** The largest sum of `stolen` in any 24 hours, in pesewas. */
  readonly mostInADay: number;
  /** Forged payments verified through free guesses. */
  readonly lucky: number;
  readonly honest: number;
  /** Honest payments that stay unverified. */
  readonly unproven: number;
}

/** Distribution of the forged texts over time. `nights`: only while nothing genuine arrives. */
const PACES = ['even', 'bursts', 'nights', 'slow at first'] as const;
/** The forger's knowledge: the steps of the balance, or that the wallet is often emptied. */
const SHOPS = ['ten pesewas', 'whole cedis', 'emptied'] as const;
/**
 * Kinds of forged texts:
 * - `single`: one payment
 * - `loop`: a payment that is sent out again, so the chain continues where it was
 * - `detour`: a payment of which all but a usual price is sent out again, so the chain continues where the next payment
 *   leads
 * - `ending`: a payment that ends at the guessed balance
 * - `follow`: payments that each continue the previous one
 * - `scan`: payments that each end where the next guess starts
 */
const TRICKS = ['single', 'loop', 'detour', 'ending', 'follow', 'scan'] as const;
/** Ids of the forged texts: current, decreasing, or all from the same minute. */
const IDS = ['now', 'falling', 'one minute'] as const;

/** Simulates a shop with a patient forger. The owner enters the correct balance once a day. */
export async function playPatient(seed: number, settings: PatientSettings, table?: Table): Promise<PatientScore> {
  const chance = chanceFrom(seed);
  const kind = SHOPS[seed % SHOPS.length] ?? 'emptied';
  const { days, paymentsADay } = settings;
  const lostShare = chance.pick([0, 0, 0.002, 0.01]);
  const shop = shopOf(chance, {
    payments: days * paymentsADay,
    paymentsADay,
    reversalsAMonth: settings.reversalsAMonth,
    stepPesewas: kind === 'ten pesewas' ? 10 : 100,
    isEmptied: kind === 'emptied',
    lost: (n) => n > 60 && chance.happens(lostShare),
  });
  const forged = new Forger(chance, shop, settings, kind === 'emptied').write();
  const texts = new Map(forged.map((one) => [keyOf(one), one]));
  const balanceAt = balancesOf(shop.movements);
  const { before, at_ms } = beginningOf(shop);
  // Texts from before an anchor may arrive for ten minutes, and a real anchor is young then.
  const play = await new Play(undefined, table).begin({ before, at_ms: at_ms - HOUR_MS });
  const triedMs: number[] = [];
  const free = new Set<string>();
  const score = { guessedRight: 0, freeRight: 0, tries: 0 };
  let nextAnswerMs = play.outside.now() + DAY_MS;
  for (const text of [...shop.arrivals, ...forged].sort(byArrival)) {
    if (text.arrived_ms >= nextAnswerMs) {
      await play.passTo(nextAnswerMs, false);
      await endWaiting(play.outside, WALLET);
      await play.name(balanceAt(nextAnswerMs));
      nextAnswerMs += DAY_MS;
    }
    if (texts.has(keyOf(text))) {
      const isRight = text.before === balanceAt(text.arrived_ms) || text.after === balanceAt(text.arrived_ms);
      const before = triedMs.filter((ms) => text.arrived_ms - ms < FREE_FOR_MS).length;
      if (before < FREE_TRIES) free.add(keyOf(text));
      triedMs.push(text.arrived_ms);
      if (triedMs.length > FREE_TRIES) triedMs.shift();
      score.guessedRight += Number(isRight);
      score.freeRight += Number(isRight && before < FREE_TRIES);
      score.tries += Number(!isPaused(await play.chain(), text.arrived_ms));
    }
    await play.arrive(text, false);
  }
  await play.name(balanceAt(play.outside.now()));
  const stolen = [...play.provenMs.keys()].filter((key) => {
    const one = texts.get(key);
    return one && one.after - one.before > LIMIT_PESEWAS;
  });
  const beyond = stolen.filter((key) => !free.has(key));
  const gains = beyond.map((key) => {
    const { before = 0, after = 0 } = texts.get(key) ?? {};
    return { ms: play.provenMs.get(key) ?? 0, pesewas: after - before };
  });
  const honest = shop.arrivals.filter(({ receipt_id }) => receipt_id !== undefined);
  return {
    ...score,
    forged: forged.length,
    stolen: beyond.map((key) => `seed ${seed}: ${key}`),
    mostInADay: mostInADay(gains),
    lucky: stolen.filter((key) => free.has(key)).length,
    honest: honest.length,
    unproven: honest.filter((one) => !play.provenMs.has(keyOf(one))).length,
  };
}

/** A forger whose texts are chosen in advance, because responses reveal nothing. */
class Forger {
  readonly #chance: Chance;
  readonly #shop: Shop;
  readonly #settings: PatientSettings;
  readonly #isEmptied: boolean;
  readonly #pace: (typeof PACES)[number];
  readonly #trick: (typeof TRICKS)[number];
  readonly #ids: (typeof IDS)[number];
  readonly #prices: readonly number[];
  readonly #texts: Movement[] = [];
  readonly #fromMs: number;
  #ends: number | undefined;

  constructor(chance: Chance, shop: Shop, settings: PatientSettings, isEmptied: boolean) {
    this.#chance = chance;
    this.#shop = shop;
    this.#settings = settings;
    this.#isEmptied = isEmptied;
    this.#pace = chance.pick(PACES);
    this.#trick = chance.pick(TRICKS);
    this.#ids = chance.pick(IDS);
    this.#fromMs = shop.arrivals[0]?.arrived_ms ?? 0;
    this.#prices = shop.movements.map(({ before, after }) => after - before).filter((moved) => moved > 0);
  }

  write(): Movement[] {
    while (this.#texts.length < this.#settings.texts) this.#try();
    return this.#texts;
  }

  #try(): void {
    const guess = this.#guess();
    const more = STOLEN_PESEWAS + this.#chance.between(0, 9) * 100;
    const ends = this.#ends;
    const path: Record<(typeof TRICKS)[number], () => readonly number[]> = {
      single: () => [guess, guess + more],
      loop: () => [guess, guess + more, guess],
      detour: () => [guess, guess + more, guess + this.#chance.pick(this.#prices)],
      ending: () => [Math.max(0, guess - more), guess],
      follow: () => {
        const before = ends !== undefined && this.#chance.happens(0.5) ? ends : guess;
        return [before, before + (this.#chance.happens(0.3) ? this.#chance.between(1, 40) * 100 : more)];
      },
      scan: () => [...(ends === undefined ? [] : [ends]), guess, guess + more],
    };
    const balances = path[this.#trick]();
    for (const [n, after] of balances.slice(1).entries()) this.#put(balances[n] ?? after, after);
    this.#ends = balances.at(-1);
  }

  /** Guesses 0 for a wallet that is often emptied, and otherwise a balance similar to earlier ones. */
  #guess(): number {
    if (this.#isEmptied && this.#chance.happens(0.4)) return 0;
    return this.#chance.pick(this.#shop.movements).after;
  }

  #put(before: number, after: number): void {
    const { days, texts } = this.#settings;
    const n = this.#texts.length;
    const fromMs = this.#fromMs;
    const arrived_ms = Math.floor(fromMs + momentOf(this.#pace, n / texts, days)) + n;
    // Some texts are delayed on the phone.
    const at_ms = arrived_ms - (Math.floor(arrived_ms / DAY_MS) % 5 === 0 ? 3 * MINUTE_MS : SECOND_MS);
    this.#texts.push({
      id: this.#idOf(arrived_ms, n),
      before,
      after,
      at_ms,
      arrived_ms,
      sender: 'mobilemoney',
      ...(after > before && { receipt_id: `forged-${n}` }),
    });
  }

  #idOf(ms: number, n: number): number {
    const daysFirstMs = Math.floor(ms / DAY_MS) * DAY_MS;
    if (this.#ids === 'now') return idAt(ms) - this.#chance.between(0, 10_000);
    if (this.#ids === 'one minute') return idAt(Math.floor(ms / HOUR_MS) * HOUR_MS) + (n % 40_000);
    return idAt(ms) - Math.floor(((ms - daysFirstMs) / DAY_MS) * 40_000_000);
  }
}

function momentOf(pace: (typeof PACES)[number], share: number, days: number): number {
  const spanMs = days * DAY_MS;
  if (pace === 'even') return share * spanMs;
  if (pace === 'bursts') return Math.floor(share * 3) * (spanMs / 3) + (((share * 3) % 1) * HOUR_MS) / 2;
  // The shop opens at 7:00, some hours before its fortieth text.
  const night = Math.floor(share * days) * DAY_MS + 10 * HOUR_MS + ((share * days) % 1) * 9 * HOUR_MS;
  if (pace === 'nights') return night;
  return share < 0.001 ? share * 1000 * (spanMs / 2) : spanMs / 2 + (share - 0.001) * (spanMs / 2);
}
