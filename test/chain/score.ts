import { playForger } from './forger.ts';
import { playShop } from './honest.ts';
import { playInsider } from './insider.ts';
import { playLost } from './lost-receipt.ts';
import type { ShopSettings } from './shop.ts';

/** One kind of run, played often: what came of it, and what of that must not be. */
export interface Score {
  readonly said: string;
  readonly wrong: readonly string[];
}

/** Which runs: each is the same for the same seed. */
export interface Runs {
  readonly firstSeed: number;
  readonly runs: number;
}

const KINDS_OF_SHOP: readonly Pick<ShopSettings, 'offFor' | 'phones'>[] = [
  { offFor: 'nothing', phones: 1 },
  { offFor: 'off', phones: 1 },
  { offFor: 'offline', phones: 2 },
];

/** Shops of which a share of the texts is lost for good; in turn their phones are off for a day, and there are two. */
export async function scoreShops(chosen: Runs, payments: number, lostShare: number): Promise<Score> {
  const played = await playAll(chosen, (seed) =>
    playShop(seed, lostShare, { payments, ...KINDS_OF_SHOP[seed % KINDS_OF_SHOP.length] }),
  );
  const count = sum(played, ({ payments }) => payments);
  const waited = (100 * sum(played, (one) => one.waited)) / count;
  const overAnHour = sum(played, (one) => one.waitedOverAnHour);
  const most = lostShare > 0 ? 5 : 1;
  return {
    said:
      `${chosen.runs} shops, ${100 * lostShare} % of texts lost (${sum(played, ({ lost }) => lost)}): of ${count} payments ` +
      `${((100 * sum(played, ({ atOnce }) => atOnce)) / count).toFixed(1)} % proven at once, ${waited.toFixed(2)} % not within two ` +
      `minutes, ${overAnHour} not within an hour; ${sum(played, ({ gaps }) => gaps)} gaps`,
    wrong: [
      ...(waited > most ? [`${waited.toFixed(2)} % wait, ${most} % may`] : []),
      ...(overAnHour > count / ALLOWED_AMBIGUITY ? [`${overAnHour} payments wait longer than an hour`] : []),
    ],
  };
}

/**
 * Where a payment is withdrawn to the pesewa, and of the withdrawal no text arrives, it looks as if an insider had forged the payment:
 * the owner must look at the place. It happens to one in many.
 */
const ALLOWED_AMBIGUITY = 10_000;

/** Forgers who never write a balance that the wallet had, as most do not happen to. */
export async function scoreForgers(chosen: Runs, texts: number): Promise<Score> {
  const played = await playAll(chosen, (seed) => playForger(seed, { texts }));
  const linked = sum(played, (one) => one.linked);
  const [atOnce, without] = [sum(played, (one) => one.atOnce), sum(played, (one) => one.atOnceWithout)];
  const disturbed = sum(played, (one) => one.disturbed);
  return {
    said:
      `${chosen.runs} forgers with ${texts} texts each: ${linked} of ${sum(played, ({ forged }) => forged)} linked; ${atOnce} honest ` +
      `payments proven at once, ${without} without them, ${disturbed} later than without them`,
    wrong: [
      ...(linked > 0 ? [`${linked} forged texts linked`] : []),
      ...(without - atOnce > without / 500 ? [`${without - atOnce} honest payments were not proven at once`] : []),
    ],
  };
}

/** Forgers who guess: how often a guess is right is not the chain's to decide. */
export async function scoreGuessers(chosen: Runs): Promise<Score> {
  const played = await playAll(chosen, (seed) => playForger(seed, { texts: 25, mayBeLucky: true }));
  const linked = sum(played, (one) => one.linked);
  return {
    said: `${chosen.runs} forgers who guess round balances and 0: ${linked} of ${sum(played, ({ forged }) => forged)} texts linked`,
    wrong: [],
  };
}

/** Each in a shop of its own. */
export async function scoreLost(chosen: Runs): Promise<Score> {
  const played = await playAll(chosen, playLost);
  const [noticed, exact] = [sum(played, (one) => one.isNoticed), sum(played, (one) => one.isExact)];
  const [soon, late] = [sum(played, (one) => one.healsSoon), sum(played, (one) => one.healsLate)];
  return {
    said:
      `${chosen.runs} lost receipts: ${noticed} noticed, ${exact} with the exact amount; told again in ten minutes ${soon} heal, ` +
      `in hours ${late}`,
    wrong: [
      ...(noticed < 0.99 * chosen.runs ? [`only ${noticed} noticed`] : []),
      ...(exact < 0.92 * chosen.runs ? [`only ${exact} with the exact amount`] : []),
      ...(soon < chosen.runs ? [`${chosen.runs - soon} did not heal in ten minutes`] : []),
      ...(late < 0.99 * chosen.runs ? [`${chosen.runs - late} did not heal later`] : []),
    ],
  };
}

export async function scoreInsiders(chosen: Runs): Promise<Score> {
  const played = (await playAll(chosen, playInsider)).filter(({ linked }) => linked);
  const [noticed, found] = [sum(played, (one) => one.isNoticed), sum(played, (one) => one.isFound)];
  return {
    said: `insiders: ${played.length} texts of ${chosen.runs} linked, ${noticed} noticed by the next texts, ${found} found`,
    wrong: noticed < played.length || found < played.length ? ['an insider was not found'] : [],
  };
}

async function playAll<Played>({ firstSeed, runs }: Runs, play: (seed: number) => Promise<Played>): Promise<Played[]> {
  const played: Played[] = [];
  for (let seed = firstSeed; seed < firstSeed + runs; seed++) played.push(await play(seed));
  return played;
}

function sum<Played>(played: readonly Played[], of: (one: Played) => number | boolean): number {
  return played.reduce((total, one) => total + Number(of(one)), 0);
}
