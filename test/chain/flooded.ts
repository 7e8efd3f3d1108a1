import { DAY_MS, MINUTE_MS } from '../../shared/runtime/values/calendar.ts';
import { listSettledTexts } from '../../shared/wallets/chain/chain.table.ts';
import type { Movement } from '../../shared/wallets/chain/chain.ts';
import type { WhyAsked } from '../../shared/wallets/chain/question.ts';
import { type Chance, chanceFrom } from '../simulation/random.ts';
import { firstArrivals, ownerOf } from './honest.ts';
import { idAt } from './network.ts';
import { keyOf, Play, WALLET } from './play.ts';
import { beginningOf, byArrival, type Shop, shopOf } from './shop.ts';

const DAYS = 6;
const ATTACK_BEGINS_MS = 2 * DAY_MS;
/** Default limit for an unverified payment, in pesewas. */
const LIMIT_PESEWAS = 50_00;
const LIMIT_A_DAY_PESEWAS = 150_00;

export interface FloodSettings {
  readonly forgedADay: number;
  readonly answersAfterMs: number;
  readonly isEmptied?: boolean;
  /** Defaults to 250. */
  readonly paymentsADay?: number;
}

export interface FloodScore {
  /** Number of honest payments since the attack started. */
  readonly payments: number;
  /** Time in ms until each payment was verified or covered by the limits. */
  readonly waitsMs: readonly number[];
  /** Payments that are not verified within two minutes, including those within the limits. */
  readonly late: number;
  /** Payments that are never verified and above the limits, so that only a person can confirm them. */
  readonly byHand: number;
  /** Honest payments that the chain recorded as false. */
  readonly denied: number;
  readonly asked: readonly WhyAsked[];
  /** Number of times that the owner named the balance. */
  readonly looks: number;
  /** Number of days with an attack. */
  readonly days: number;
}

/** Simulates a shop whose balance is guessed several times a day. */
export async function playFlood(seed: number, settings: FloodSettings): Promise<FloodScore> {
  const { paymentsADay = 250, isEmptied = false, answersAfterMs } = settings;
  const chance = chanceFrom(seed);
  const shop = shopOf(chance, {
    payments: DAYS * paymentsADay,
    paymentsADay,
    isEmptied,
    lost: () => chance.happens(0.002),
  });
  const beginsMs = beginningOf(shop).at_ms + ATTACK_BEGINS_MS;
  const play = await new Play(ownerOf(shop, answersAfterMs)).begin(beginningOf(shop));
  for (const text of [...shop.arrivals, ...forgedFor(chance, shop, beginsMs, settings)].sort(byArrival))
    await play.arrive(text);
  await play.passTo(play.outside.now() + DAY_MS);
  return scoreOf(shop, play, beginsMs);
}

/** Forges single payments at any time of day, each with a plausible balance. */
function forgedFor(chance: Chance, shop: Shop, beginsMs: number, { forgedADay }: FloodSettings): Movement[] {
  const untilMs = shop.arrivals.at(-1)?.arrived_ms ?? beginsMs;
  const count = Math.floor((forgedADay * (untilMs - beginsMs)) / DAY_MS);
  return Array.from({ length: count }, (_, n) => {
    const arrived_ms = Math.floor(beginsMs + ((n + chance.next()) * DAY_MS) / forgedADay);
    const before = chance.pick(shop.movements).after;
    const moment = { id: idAt(arrived_ms - chance.between(0, 20_000)), at_ms: arrived_ms - 1000, arrived_ms };
    return { ...moment, before, after: before + 4_900_00, sender: 'mobilemoney', receipt_id: `forged-${n}` };
  });
}

async function scoreOf(shop: Shop, play: Play, beginsMs: number): Promise<FloodScore> {
  const settled = await listSettledTexts(play.outside, WALLET);
  const states = new Map(settled.map((one) => [keyOf(one), one.state]));
  const amounts = new Map(shop.movements.map((one) => [keyOf(one), one.after - one.before]));
  const payments = [...firstArrivals(shop.arrivals)].filter(([, ms]) => ms >= beginsMs);
  const ofDay = new Map<number, number>();
  const waitsMs: number[] = [];
  let [late, byHand, denied] = [0, 0, 0];
  for (const [key, ms] of payments.toSorted(([, a], [, b]) => a - b)) {
    const waitedMs = (play.provenMs.get(key) ?? Number.POSITIVE_INFINITY) - ms;
    const [day, pesewas] = [Math.floor(ms / DAY_MS), amounts.get(key) ?? 0];
    const counted = (ofDay.get(day) ?? 0) + pesewas;
    const isWithin = pesewas <= LIMIT_PESEWAS && counted <= LIMIT_A_DAY_PESEWAS;
    if (states.get(key) === 'false') denied++;
    if (waitedMs > 2 * MINUTE_MS) late++;
    if (waitedMs > 2 * MINUTE_MS && isWithin) ofDay.set(day, counted);
    if (waitedMs <= 2 * MINUTE_MS || isWithin) waitsMs.push(0);
    else if (Number.isFinite(waitedMs)) waitsMs.push(waitedMs);
    else byHand++;
  }
  const days = DAYS - ATTACK_BEGINS_MS / DAY_MS;
  return { payments: payments.length, waitsMs, late, byHand, denied, asked: play.asked, looks: play.looks, days };
}
