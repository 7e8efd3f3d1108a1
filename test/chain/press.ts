import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../shared/runtime/values/calendar.ts';
import { isGuessable } from '../../shared/wallets/chain/anchor.ts';
import { listSettledTexts } from '../../shared/wallets/chain/chain.table.ts';
import type { WhyAsked } from '../../shared/wallets/chain/question.ts';
import { chanceFrom } from '../simulation/random.ts';
import { bankerOf, withPushes } from './bank.ts';
import { keyOf, Play, type Text, WALLET } from './play.ts';
import { balancesOf, byArrival, type Shop, shopOf } from './shop.ts';

/** Number of texts before the owner names the balance for the first time. */
const BEFORE = 60;
/** Time from a movement until the owner names the balance. Its text may still be on its way. */
const PRESSED_AFTER_MS = 5_000;
const PAYMENTS = 900;
const LOST_SHARE = 0.002;

/** The balance that the owner names first. `misread`: a wrong one, so that the owner is asked and names the right one. */
type Pressed = 'right' | 'anybody would try' | 'misread';

export interface PressSettings {
  readonly paymentsADay: number;
  readonly pressed: Pressed;
  readonly answersAfterMs: number;
}

export interface PressScore {
  /** Payments from the first hour after the press on, and those verified within two minutes. */
  readonly payments: number;
  readonly verified: number;
  /** The same payments of the first day only. */
  readonly ofFirstDay: number;
  readonly verifiedOfFirstDay: number;
  /** Payments that are never verified, and their sum above a young anchor's sum. */
  readonly never: number;
  readonly asked: readonly WhyAsked[];
  readonly looks: number;
  readonly lost: number;
  readonly sentToBank: number;
  /** Genuine texts that the chain recorded as false. */
  readonly falseOnes: readonly string[];
}

/** Simulates a shop from the moment when its owner names the balance for the first time. Nobody forges texts. */
export async function playPress(seed: number, settings: PressSettings): Promise<PressScore> {
  const chance = chanceFrom(seed);
  const { paymentsADay, answersAfterMs } = settings;
  const made = {
    payments: BEFORE + PAYMENTS,
    paymentsADay,
    lost: (n: number) => n > BEFORE && chance.happens(LOST_SHARE),
  };
  const shop = shopOf(chance, made);
  const texts = withPushes(chance, shop);
  const press = pressOf(shop, settings);
  const play = new Play(bankerOf(chance, shop, { answersAfterMs }));
  for (const text of texts.filter(({ arrived_ms }) => arrived_ms < press.atMs)) await play.arrive(text);
  await play.passTo(press.atMs);
  await play.name(press.balance);
  for (const text of texts.filter(({ arrived_ms }) => arrived_ms >= press.atMs)) await play.arrive(text);
  await play.passTo(play.outside.now() + 26 * HOUR_MS);
  return scoreOf(play, shop, texts, press.atMs);
}

function pressOf(shop: Shop, { pressed }: PressSettings): { readonly atMs: number; readonly balance: number } {
  const isSuited = ({ after }: { readonly after: number }) => isGuessable(after) === (pressed === 'anybody would try');
  const last = shop.movements.slice(BEFORE).find(isSuited);
  const atMs = (last?.at_ms ?? 0) + PRESSED_AFTER_MS;
  return { atMs, balance: balancesOf(shop.movements)(atMs) + (pressed === 'misread' ? 900 : 0) };
}

async function scoreOf(play: Play, shop: Shop, texts: readonly Text[], pressMs: number): Promise<PressScore> {
  const isPayment = ({ receipt_id, push }: Text) => receipt_id !== undefined && !push;
  const counted = texts.filter((one) => isPayment(one) && one.arrived_ms >= pressMs + HOUR_MS).sort(byArrival);
  const waited = (one: Text) => (play.provenMs.get(keyOf(one)) ?? Number.POSITIVE_INFINITY) - one.arrived_ms;
  const isVerified = (one: Text) => waited(one) <= 2 * MINUTE_MS;
  const firstDay = counted.filter(({ arrived_ms }) => arrived_ms < pressMs + DAY_MS);
  const arrived = new Set(texts.map(keyOf));
  const settled = await listSettledTexts(play.outside, WALLET);
  return {
    payments: counted.length,
    verified: counted.filter(isVerified).length,
    ofFirstDay: firstDay.length,
    verifiedOfFirstDay: firstDay.filter(isVerified).length,
    never: counted.filter((one) => waited(one) === Number.POSITIVE_INFINITY).length,
    asked: play.asked,
    looks: play.looks - 1,
    lost: shop.movements.filter((one) => one.at_ms >= pressMs && !arrived.has(keyOf(one))).length,
    sentToBank: texts.filter(({ push }) => push && push.arrived_ms >= pressMs).length,
    falseOnes: settled.filter(({ state }) => state === 'false').map(keyOf),
  };
}
