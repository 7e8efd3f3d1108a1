import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../shared/runtime/values/calendar.ts';
import { branchInQuestion } from '../../shared/wallets/chain/branches.ts';
import { listSettledTexts, listWaiting, noteAsked, replaceChain } from '../../shared/wallets/chain/chain.table.ts';
import type { Movement } from '../../shared/wallets/chain/chain.ts';
import { denyWallet } from '../../shared/wallets/chain/confirm-wallet.ts';
import { endWaiting } from '../../shared/wallets/chain/end-waiting.ts';
import { linkTexts } from '../../shared/wallets/chain/link-texts.ts';
import { FEW_WAITING } from '../../shared/wallets/chain/plan-links.ts';
import { type Chance, chanceFrom } from '../simulation/random.ts';
import { firstArrivals } from './honest.ts';
import { idAt } from './network.ts';
import { keyOf, Play, WALLET } from './play.ts';
import { byArrival, type Shop, shopOf } from './shop.ts';

const PAYMENTS_A_DAY = 250;
const DAYS = 6;
const ATTACK_BEGINS_MS = 2 * DAY_MS;
/** Minimum interval between questions (`ask-owner.ts`). */
const ASKED_EVERY_MS = 30 * MINUTE_MS;
/** Default limit for an unverified payment, in pesewas. */
const LIMIT_PESEWAS = 50_00;
const LIMIT_A_DAY_PESEWAS = 150_00;

export interface FloodSettings {
  readonly forgedADay: number;
  readonly answersAfterMs: number;
  readonly isEmptied?: boolean;
}

export interface FloodScore {
  /** Number of honest payments since the attack started. */
  readonly payments: number;
  /** Time in ms until each payment was verified or covered by the limits. */
  readonly waitsMs: readonly number[];
  /** Payments outside the balance chain, which only a person can confirm. */
  readonly byHand: number;
  /** Honest payments rejected by the owner's answer. */
  readonly denied: number;
  readonly questions: number;
  /** Number of days with an attack. */
  readonly days: number;
}

/** Simulates a shop whose balance is guessed several times a day. The owner answers truthfully. */
export async function playFlood(seed: number, settings: FloodSettings): Promise<FloodScore> {
  const chance = chanceFrom(seed);
  const shop = shopOf(chance, {
    payments: DAYS * PAYMENTS_A_DAY,
    isEmptied: settings.isEmptied ?? false,
    lost: () => chance.happens(0.002),
  });
  const beginsMs = (shop.arrivals[0]?.arrived_ms ?? 0) + ATTACK_BEGINS_MS;
  const balances = new Map(shop.movements.map(({ id, after }) => [id, after]));
  const play = new Play();
  let question: { readonly told: Movement; readonly answeredMs: number } | undefined;
  let [askedMs, questions] = [0, 0];
  for (const text of [...shop.arrivals, ...forgedFor(chance, shop, beginsMs, settings)].sort(byArrival)) {
    await watchUntil(text.arrived_ms);
    await play.arrive(text, false);
  }
  await watchUntil(play.outside.now() + DAY_MS);
  return scoreOf(shop, play, beginsMs, questions);

  async function watchUntil(untilMs: number): Promise<void> {
    const nowMs = play.outside.now();
    if (nowMs === 0) return;
    for (let ms = (Math.floor(nowMs / MINUTE_MS) + 1) * MINUTE_MS; ms < untilMs; ms += MINUTE_MS) {
      const { waiting } = await play.chain();
      if (waiting === 0) continue;
      await play.passTo(ms, false);
      await answer(ms);
      // Like housekeeping, checks large numbers of waiting texts only every ten minutes.
      if (waiting > FEW_WAITING && (ms / MINUTE_MS) % 10 !== 0) continue;
      await linkTexts(play.outside, WALLET, []);
      if (ms % HOUR_MS === 0) await endWaiting(play.outside, WALLET);
      await ask(ms);
    }
  }

  async function ask(nowMs: number): Promise<void> {
    if (question || nowMs - askedMs < ASKED_EVERY_MS) return;
    const chain = await play.chain();
    const branch = branchInQuestion(chain, await listWaiting(play.outside, WALLET), nowMs);
    const [first, told] = [branch?.texts[0], branch?.texts.at(-1)];
    if (!first || !told) return;
    const [asked, noted] = [{ ...chain, asked_ms: nowMs }, noteAsked(play.outside, WALLET, first)];
    await play.outside.table.write([replaceChain(chain, asked), noted]);
    [askedMs, question] = [nowMs, { told, answeredMs: nowMs + settings.answersAfterMs }];
    questions += nowMs >= beginsMs ? 1 : 0;
  }

  async function answer(nowMs: number): Promise<void> {
    if (!question || question.answeredMs > nowMs) return;
    const { told } = question;
    question = undefined;
    if (balances.get(told.id) === told.after) await play.say(told.after);
    else await denyWallet(play.outside, WALLET, told.after);
  }
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

async function scoreOf(shop: Shop, play: Play, beginsMs: number, questions: number): Promise<FloodScore> {
  const settled = await listSettledTexts(play.outside, WALLET);
  const states = new Map(settled.map((one) => [keyOf(one), one.state]));
  const amounts = new Map(shop.movements.map((one) => [keyOf(one), one.after - one.before]));
  const payments = [...firstArrivals(shop.arrivals)].filter(([, ms]) => ms >= beginsMs);
  const ofDay = new Map<number, number>();
  const waitsMs: number[] = [];
  let [byHand, denied] = [0, 0];
  for (const [key, ms] of payments.toSorted(([, a], [, b]) => a - b)) {
    const waitedMs = (play.linkedMs.get(key) ?? Number.POSITIVE_INFINITY) - ms;
    const [day, pesewas] = [Math.floor(ms / DAY_MS), amounts.get(key) ?? 0];
    const counted = (ofDay.get(day) ?? 0) + pesewas;
    const isWithin = pesewas <= LIMIT_PESEWAS && counted <= LIMIT_A_DAY_PESEWAS;
    if (states.get(key) === 'false') denied++;
    if (waitedMs <= 2 * MINUTE_MS) waitsMs.push(0);
    else if (isWithin) ofDay.set(day, counted);
    else if (states.get(key) === 'linked') waitsMs.push(waitedMs);
    else byHand++;
    if (waitedMs > 2 * MINUTE_MS && isWithin) waitsMs.push(0);
  }
  const days = DAYS - ATTACK_BEGINS_MS / DAY_MS;
  return { payments: payments.length, waitsMs, byHand, denied, questions, days };
}
