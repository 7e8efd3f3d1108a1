import type { Table } from '../../shared/runtime/table/table.ts';
import { HOUR_MS, MINUTE_MS } from '../../shared/runtime/values/calendar.ts';
import { YOUNG_PESEWAS } from '../../shared/wallets/chain/anchor.ts';
import type { WhyAsked } from '../../shared/wallets/chain/question.ts';
import { createWorld } from '../support/world.ts';
import { type BankSettings, playBank } from './bank.ts';
import { playFirstTexts } from './first-texts.ts';
import { type FloodSettings, playFlood } from './flooded.ts';
import { playForger } from './forger.ts';
import { playShop } from './honest.ts';
import { playInsider } from './insider.ts';
import { playLost } from './lost-receipt.ts';
import { type PatientSettings, playPatient } from './patient.ts';
import { type PressScore, type PressSettings, playPress } from './press.ts';
import { playReversals, type ReversalSettings } from './reversals.ts';
import type { ShopSettings } from './shop.ts';

/** Results of repeated runs, with the unacceptable ones. */
export interface Score {
  readonly said: string;
  readonly wrong: readonly string[];
}

/** The seeds of the runs. */
export interface Runs {
  readonly firstSeed: number;
  readonly runs: number;
}

const KINDS_OF_SHOP: readonly Pick<ShopSettings, 'offFor' | 'phones'>[] = [
  { offFor: 'nothing', phones: 1 },
  { offFor: 'off', phones: 1 },
  { offFor: 'offline', phones: 2 },
];

/** Scores shops that lose a share of their texts. Some phones are off for a day, and some shops have two phones. */
export async function scoreShops(chosen: Runs, payments: number, lostShare: number): Promise<Score> {
  const played = await playAll(chosen, (seed) =>
    playShop(seed, lostShare, { payments, ...KINDS_OF_SHOP[seed % KINDS_OF_SHOP.length] }),
  );
  const count = sum(played, ({ payments }) => payments);
  const waited = (100 * sum(played, (one) => one.waited)) / count;
  const overAnHour = sum(played, (one) => one.waitedOverAnHour);
  const unsure = sum(played, (one) => one.unsure);
  const most = lostShare > 0 ? 5 : 1;
  return {
    said:
      `${chosen.runs} shops, ${100 * lostShare} % of texts lost (${sum(played, ({ lost }) => lost)}): of ${count} payments ` +
      `${((100 * sum(played, ({ atOnce }) => atOnce)) / count).toFixed(1)} % proven at once, ${waited.toFixed(2)} % not within two ` +
      `minutes; ${overAnHour} are not in the chain after an hour, ${unsure} are but stay unverified; ` +
      `${sum(played, ({ gaps }) => gaps)} gaps`,
    wrong: [
      ...(waited > most ? [`${waited.toFixed(2)} % wait, ${most} % may`] : []),
      ...(overAnHour > count / (lostShare > 0 ? ALLOWED_BETWEEN_BREAKS : ALLOWED_AMBIGUITY)
        ? [`${overAnHour} payments wait longer than an hour`]
        : []),
      ...(unsure > count / (lostShare > 0 ? ALLOWED_BETWEEN_BREAKS : ALLOWED_LATE)
        ? [`${unsure} payments in the chain stay unverified`]
        : []),
    ],
  };
}

/** One payment in this many may be ambiguous: a lost text about an equal withdrawal makes a payment look forged. */
const ALLOWED_AMBIGUITY = 5000;
/** One payment in this many may arrive after the owner has named the balance across the break that it left. */
const ALLOWED_LATE = 1000;
/**
 * One payment in this many may lie between two breaks that a single look passes, mostly after a day without a phone. It
 * is left to a person.
 */
const ALLOWED_BETWEEN_BREAKS = 100;

/** Scores forgers who never guess a correct balance. */
export async function scoreForgers(chosen: Runs, texts: number): Promise<Score> {
  const played = await playAll(chosen, (seed) => playForger(seed, { texts }));
  const linked = sum(played, (one) => one.linked);
  const [atOnce, without] = [sum(played, (one) => one.atOnce), sum(played, (one) => one.atOnceWithout)];
  const disturbed = sum(played, (one) => one.disturbed);
  return {
    said:
      `${chosen.runs} forgers with ${texts} texts each: ${linked} of ${sum(played, ({ forged }) => forged)} linked; ${atOnce} honest ` +
      `payments proven at once, ${without} without them, ${disturbed} later than without them`,
    // `scoreFlood` measures the waiting times of honest payments.
    wrong: linked > 0 ? [`${linked} forged texts linked`] : [],
  };
}

/** Scores forgers whose guesses may be correct. */
export async function scoreGuessers(chosen: Runs): Promise<Score> {
  const played = await playAll(chosen, (seed) => playForger(seed, { texts: 25, mayBeLucky: true }));
  const linked = sum(played, (one) => one.linked);
  return {
    said: `${chosen.runs} forgers who guess round balances and 0: ${linked} of ${sum(played, ({ forged }) => forged)} texts linked`,
    wrong: [],
  };
}

/** Returns the required number of good runs. If there are few runs, one may miss. */
function leastOf(runs: number, share: number): number {
  return Math.floor(runs * share);
}

/** Scores lost texts, each in a separate shop. */
export async function scoreLost(chosen: Runs): Promise<Score> {
  const played = await playAll(chosen, playLost);
  const [noticed, exact] = [sum(played, (one) => one.isNoticed), sum(played, (one) => one.isExact)];
  const [soon, late] = [sum(played, (one) => one.healsSoon), sum(played, (one) => one.healsLate)];
  return {
    said:
      `${chosen.runs} lost receipts: ${noticed} noticed, ${exact} with the exact amount; delivered again within ten minutes, ${soon} heal, ` +
      `in hours ${late}`,
    wrong: [
      ...(noticed < leastOf(chosen.runs, 0.99) ? [`only ${noticed} noticed`] : []),
      ...(exact < leastOf(chosen.runs, 0.92) ? [`only ${exact} with the exact amount`] : []),
      ...(soon < chosen.runs ? [`${chosen.runs - soon} did not heal in ten minutes`] : []),
      ...(late < leastOf(chosen.runs, LEAST_HEALED_LATE) ? [`${chosen.runs - late} did not heal later`] : []),
    ],
  };
}

/**
 * A look leaves texts to a person that were still on their way when the owner named a later balance, or that contradict
 * a balance which the wallet had twice.
 */
const LEAST_HEALED_LATE = 0.95;

export async function scoreInsiders(chosen: Runs): Promise<Score> {
  const played = (await playAll(chosen, playInsider)).filter(({ linked }) => linked);
  const [noticed, found] = [sum(played, (one) => one.isNoticed), sum(played, (one) => one.isFound)];
  return {
    said: `insiders: ${played.length} texts of ${chosen.runs} linked, ${noticed} noticed by the next texts, ${found} found`,
    wrong: [
      ...(noticed < played.length ? ['an insider was not noticed'] : []),
      // An equal outgoing payment makes the texts ambiguous.
      ...(found < leastOf(played.length, 0.98) ? [`only ${found} of ${played.length} insiders were found`] : []),
    ],
  };
}

/** Scores forgers who guess for months. `isWhole` uses the complete in-memory database. */
export async function scorePatient(chosen: Runs, settings: PatientSettings, isWhole = false): Promise<Score> {
  const tableOf = async (): Promise<Table | undefined> =>
    isWhole ? (await createWorld({ inMemory: true })).outside.table : undefined;
  const played = await playAll(chosen, async (seed) => playPatient(seed, settings, await tableOf()));
  const stolen = played.flatMap((one) => one.stolen);
  const most = Math.max(...played.map((one) => one.mostInADay));
  const [forged, right] = [sum(played, (one) => one.forged), sum(played, (one) => one.guessedRight)];
  const byHand = (100 * sum(played, (one) => one.unproven)) / sum(played, (one) => one.honest);
  return {
    said:
      `patient: ${chosen.runs} forgers, ${forged} texts in ${settings.days} days, ${right} right guesses (one in ` +
      `${Math.round(forged / right)}), of them ${sum(played, (one) => one.freeRight)} among the first eight of a month, which proved ` +
      `${sum(played, (one) => one.lucky)} payments; beyond those ${stolen.length} above the limit proven, at most GHS ${most / 100} in 24 hours; with one word of the owner a ` +
      `day ${byHand.toFixed(0)} % of the honest payments need a person`,
    // The owner looks once a day, which ends each pause, and the anchor is then young.
    wrong: most > YOUNG_PESEWAS ? [`forged payments of GHS ${most / 100} were proven in 24 hours`] : [],
  };
}

const MAX_SHOWN = 5;

/** Scores shops with reversals without a text: the waiting times of other payments and a forger's gain. */
export async function scoreReversals(chosen: Runs, settings: ReversalSettings): Promise<Score> {
  const played = await playAll(chosen, (seed) => playReversals(seed, settings));
  const share = (part: number, whole: number) => (100 * part) / whole;
  const atOnce = share(
    sum(played, (one) => one.atOnce),
    sum(played, (one) => one.payments),
  );
  const paused = share(
    sum(played, (one) => one.pausedHours),
    sum(played, (one) => one.hours),
  );
  const waits = played.flatMap(({ waitsMs }) => waitsMs).toSorted((a, b) => a - b);
  const stolen = played.flatMap((one) => one.stolen);
  const { reversalsAMonth, forgedAfterEach, answersAfterMs } = settings;
  const isHonest = forgedAfterEach === 0;
  const isSoon = answersAfterMs <= 1_800_000;
  return {
    said:
      `reversals: ${chosen.runs} shops, ${reversalsAMonth} a month in silence (${sum(played, (one) => one.reversals)}), ` +
      `${forgedAfterEach} forged texts after each, owner answers after ${answersAfterMs / 3_600_000} h: ${atOnce.toFixed(1)} % proven without a word, the others wait ` +
      `${Math.round((waits[Math.floor(waits.length / 2)] ?? 0) / 60_000)} min (median); paused ${paused.toFixed(1)} % of the time; of ` +
      `${sum(played, (one) => one.forged)} forged ${stolen.length} above the limit proven, ${sum(played, (one) => one.lucky)} that named the balance`,
    wrong: [
      ...stolen.slice(0, MAX_SHOWN).map((one) => `a forged payment was proven: ${one}`),
      ...(isHonest && isSoon && paused > MOST_PAUSED ? [`linking was paused ${paused.toFixed(1)} % of the time`] : []),
      ...(isHonest && isSoon && atOnce < LEAST_AT_ONCE
        ? [`only ${atOnce.toFixed(1)} % were proven without a word`]
        : []),
    ],
  };
}

/**
 * In percent. The reversal of the last payment restores the balance before it, so the next payment contradicts the
 * reversed one, whose text then counts as a guess.
 */
const MOST_PAUSED = 1;
/** In percent. Each of the ten reversals a month delays payments for half an hour. */
const LEAST_AT_ONCE = 95;

/** Scores the waiting times of honest payments while the balance is guessed. */
export async function scoreFlood(chosen: Runs, settings: FloodSettings): Promise<Score> {
  const played = await playAll(chosen, (seed) => playFlood(seed, settings));
  const payments = sum(played, (one) => one.payments);
  const waits = played.flatMap(({ waitsMs }) => waitsMs.filter((ms) => ms > 0)).toSorted((a, b) => a - b);
  const byHand = sum(played, (one) => one.byHand);
  const share = (count: number) => `${((100 * count) / payments).toFixed(1)} %`;
  const minutes = (ms = 0) => `${Math.round(ms / MINUTE_MS)} min`;
  const quantile = (part: number) => minutes(waits[Math.floor(waits.length * part)]);
  const days = sum(played, (one) => one.days);
  const aDay = (count: number) => (count / days).toFixed(1);
  const { isEmptied = false, paymentsADay = 250, forgedADay, answersAfterMs } = settings;
  return {
    said:
      `${isEmptied ? 'emptied wallets, ' : ''}${paymentsADay} payments and ${forgedADay} forged texts a day, owner answers in ` +
      `${answersAfterMs / HOUR_MS} h: of ${payments} payments ${share(sum(played, ({ late }) => late))} are not verified within two minutes; ` +
      `above the limits, ${share(waits.length)} wait for the owner (median ${quantile(0.5)}, p95 ${quantile(0.95)}, longest ` +
      `${minutes(waits.at(-1))}) and ${share(byHand)} need a person; ${sum(played, (one) => one.denied)} were recorded as false; ` +
      `${aDay(sum(played, (one) => one.looks))} looks a day; questions: ${countsOf(played.flatMap(({ asked }) => asked))}`,
    wrong:
      forgedADay === 0 && !isEmptied && answersAfterMs <= HOUR_MS && byHand > 0.03 * payments
        ? [`${share(byHand)} need a person, nobody forged`]
        : [],
  };
}

/** Lists how often each value occurs. */
function countsOf(values: readonly string[]): string {
  const counts = [...Map.groupBy(values, (value) => value)].map(([value, all]) => `${value} ${all.length}`);
  return counts.join(', ') || 'none';
}

/** Scores bursts of five payments that are a chain's first texts. */
export async function scoreFirstTexts(chosen: Runs): Promise<Score> {
  const played = await playAll(chosen, playFirstTexts);
  const waits = played.map(({ verifiedMs }) => verifiedMs).toSorted((a, b) => a - b);
  const seconds = (part: number) => `${((waits[Math.ceil(waits.length * part) - 1] ?? 0) / 1000).toFixed(1)} s`;
  const doubted = played.flatMap((one) => one.doubted);
  return {
    said:
      `${chosen.runs} bursts of five payments in a second as the first texts, ${sum(played, (one) => one.isSwapped)} in the wrong order: all ` +
      `verified ${seconds(0.5)} (half), ${seconds(0.95)} (95 %), ${seconds(1)} (all) after the last text; ${doubted.length} doubted`,
    wrong: doubted.slice(0, MAX_SHOWN).map((one) => `a genuine text is doubted: ${one}`),
  };
}

/** Scores shops from the moment when their owner names the balance for the first time. */
export async function scorePress(chosen: Runs, settings: PressSettings): Promise<Score> {
  const played = await playAll(chosen, (seed) => playPress(seed, settings));
  const of = (what: (one: PressScore) => number) => sum(played, what);
  const share = (part: number, whole: number) => `${part} of ${whole} (${((100 * part) / whole).toFixed(2)} %)`;
  const asked = played.flatMap((one) => one.asked);
  const askedFor = (why: WhyAsked) => asked.filter((one) => one === why).length;
  const [lost, sentToBank] = [of((one) => one.lost), of((one) => one.sentToBank)];
  const falseOnes = played.flatMap((one) => one.falseOnes);
  const isRight = settings.pressed === 'right';
  return {
    said:
      `press: ${chosen.runs} shops with ${settings.paymentsADay} payments a day, first balance ${settings.pressed}, owner answers in ` +
      `${settings.answersAfterMs / HOUR_MS} h: from the first hour on ${share(
        of((one) => one.verified),
        of((one) => one.payments),
      )} ` +
      `verified within two minutes, on the first day ${share(
        of((one) => one.verifiedOfFirstDay),
        of((one) => one.ofFirstDay),
      )}, ` +
      `later ${share(
        of((one) => one.verified - one.verifiedOfFirstDay),
        of((one) => one.payments - one.ofFirstDay),
      )}, ` +
      `${of((one) => one.never)} never; ${of((one) => one.looks)} looks; questions: ${countsOf(asked)}, for ${lost} lost texts and ` +
      `${sentToBank} transfers to the bank; ${falseOnes.length} genuine texts recorded as false`,
    wrong: [
      ...(isRight && askedFor('break') > lost + chosen.runs
        ? [`${askedFor('break')} questions about ${lost} lost texts`]
        : []),
      ...(askedFor('above sum') > chosen.runs ? [`${askedFor('above sum')} questions about a young anchor's sum`] : []),
      ...(askedFor('unproven') > 2 * chosen.runs
        ? [`${askedFor('unproven')} questions about a guessable balance`]
        : []),
      ...(askedFor('bank') > sentToBank ? [`${askedFor('bank')} questions about ${sentToBank} transfers`] : []),
      ...(isRight && falseOnes.length > MOST_FALSE * chosen.runs
        ? falseOnes.map((one) => `a genuine text is recorded as false: ${one}`)
        : []),
    ],
  };
}

/**
 * Genuine texts per shop that may end as false: one on its way at the first look whose successor had arrived, and one that
 * contradicts a lost text about an equal amount.
 */
const MOST_FALSE = 0.25;

/** Scores shops that transfer their takings to the bank every afternoon, and a forger's gain. */
export async function scoreBank(chosen: Runs, settings: BankSettings, mostWait: number | undefined): Promise<Score> {
  const played = await playAll(chosen, (seed) => playBank(seed, settings));
  const payments = sum(played, (one) => one.payments);
  const waited = (100 * sum(played, (one) => one.waited)) / payments;
  const unproven = (100 * sum(played, (one) => one.unproven)) / payments;
  const stolen = sum(played, (one) => one.stolen);
  const forged = settings.isForged ? ', with a forged text in the hour of each' : '';
  return {
    said:
      `bank: ${chosen.runs} shops, ${sum(played, ({ pushes }) => pushes)} times takings sent to the bank, owners answer after ` +
      `${settings.answersAfterMs / 3_600_000} h${forged}: of ${payments} payments ${unproven.toFixed(2)} % not proven within two minutes, ` +
      `${waited.toFixed(2)} % nor within the limits; ${sum(played, ({ questions }) => questions)} questions; ${stolen} forged payments above the limits proven`,
    wrong: [
      ...(mostWait !== undefined && waited > mostWait ? [`${waited.toFixed(2)} % wait, ${mostWait} % may`] : []),
      ...(stolen > 0 ? [`${stolen} forged payments were proven`] : []),
    ],
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
