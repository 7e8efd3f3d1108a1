import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../shared/runtime/values/calendar.ts';
import { branchInQuestion } from '../../shared/wallets/chain/branches.ts';
import { listWaiting, noteAsked, replaceChain } from '../../shared/wallets/chain/chain.table.ts';
import { headOf, type Movement } from '../../shared/wallets/chain/chain.ts';
import { endWaiting } from '../../shared/wallets/chain/end-waiting.ts';
import { isGuessed } from '../../shared/wallets/chain/guesses.ts';
import { type Chance, chanceFrom } from '../simulation/random.ts';
import { firstArrivals } from './honest.ts';
import { idAt } from './network.ts';
import { keyOf, Play, WALLET } from './play.ts';
import { byArrival, type Shop, shopOf } from './shop.ts';

const DAYS = 30;
const PAYMENTS_A_DAY = 30;
const LOOKS_AGAIN_MS = 5 * MINUTE_MS;
const ASKED_EVERY_MS = 30 * MINUTE_MS;
const LIMIT_PESEWAS = 50_00;
const STOLEN_PESEWAS = 4_900_00;

export interface ReversalSettings {
  readonly reversalsAMonth: number;
  readonly owner: 'names the balance' | 'says yes to all';
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
  /** Number of hours in which links counted as guesses. */
  readonly guessedHours: number;
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
  const game = new Game(shop, settings);
  for (const text of [...shop.arrivals, ...forged].sort(byArrival)) await game.arrive(text);
  await game.passTo(game.play.outside.now() + 2 * HOUR_MS);
  const waits = [...firstArrivals(shop.arrivals.slice(60))].map(
    ([key, ms]) => (game.play.linkedMs.get(key) ?? Number.POSITIVE_INFINITY) - ms,
  );
  const proven = forged.filter((one) => game.play.everProven.has(keyOf(one)) && isAboveLimit(one));
  const isLucky = (one: Movement) => game.lucky.has(one);
  return {
    payments: waits.length,
    reversals: shop.reversals.size,
    atOnce: waits.filter((ms) => ms <= 2 * MINUTE_MS).length,
    waitsMs: waits.filter((ms) => ms > 2 * MINUTE_MS),
    guessedHours: game.guessedMs / HOUR_MS,
    hours: DAYS * 24,
    forged: forged.length,
    stolen: proven.filter((one) => !isLucky(one)).map((one) => `seed ${seed}: ${keyOf(one)}`),
    lucky: proven.filter(isLucky).length,
  };
}

const isAboveLimit = ({ before, after }: Movement) => after - before > LIMIT_PESEWAS;

function balanceAt(movements: readonly Movement[], ms: number): number {
  return movements.findLast(({ at_ms }) => at_ms <= ms)?.after ?? 0;
}

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

/** A wallet that is checked every minute, and its owner. */
class Game {
  readonly play = new Play();
  guessedMs = 0;
  /** Forged texts with the current balance. */
  readonly lucky = new Set<Movement>();
  #namedMs = 0;
  readonly #shop: Shop;
  readonly #settings: ReversalSettings;
  #question: { readonly balance: number; readonly answeredMs: number } | undefined;

  constructor(shop: Shop, settings: ReversalSettings) {
    [this.#shop, this.#settings] = [shop, settings];
  }

  async arrive(text: Movement): Promise<void> {
    if (this.play.outside.now() > 0) {
      await this.passTo(text.arrived_ms);
      if (headOf(await this.play.chain()).balance === text.before) this.lucky.add(text);
    }
    await this.play.arrive(text, false);
  }

  async passTo(untilMs: number): Promise<void> {
    const fromMs = this.play.outside.now();
    if (isGuessed(await this.play.chain(), fromMs)) this.guessedMs += untilMs - fromMs;
    for (let ms = (Math.floor(fromMs / MINUTE_MS) + 1) * MINUTE_MS; ms < untilMs; ms += MINUTE_MS) {
      if ((await this.play.chain()).waiting === 0) break;
      await this.play.passTo(ms, false);
      await this.#answer(ms);
      await this.#nameEachDay(ms);
      await this.play.look();
      if (ms % HOUR_MS === 0) await endWaiting(this.play.outside, WALLET);
      await this.#ask(ms);
    }
    await this.play.passTo(untilMs, false);
  }

  async #ask(nowMs: number): Promise<void> {
    const chain = await this.play.chain();
    if (this.#question || nowMs - (chain.asked_ms ?? 0) < ASKED_EVERY_MS) return;
    const branch = branchInQuestion(chain, await listWaiting(this.play.outside, WALLET), nowMs);
    const [first] = branch?.texts ?? [];
    if (!branch || !first) return;
    const asked = replaceChain(chain, { ...chain, asked_ms: nowMs });
    await this.play.outside.table.write([asked, noteAsked(this.play.outside, WALLET, first)]);
    this.#question = { balance: branch.to.balance, answeredMs: nowMs + this.#settings.answersAfterMs };
  }

  /** An owner who always answers yes enters the balance once a day. */
  async #nameEachDay(nowMs: number): Promise<void> {
    if (this.#settings.owner === 'names the balance' || nowMs - this.#namedMs < DAY_MS) return;
    this.#namedMs = nowMs;
    await this.play.say(balanceAt(this.#shop.movements, nowMs));
  }

  async #answer(nowMs: number): Promise<void> {
    if (!this.#question || this.#question.answeredMs > nowMs) return;
    const { balance } = this.#question;
    this.#question = undefined;
    const { version } = await this.play.chain();
    if (this.#settings.owner === 'says yes to all') await this.play.say(balance, false);
    const isRefused = async () => (await this.play.chain()).version === version;
    // If a yes is not enough, the owner enters the balance, and again if a payment's text is still on its way.
    if (await isRefused()) await this.play.say(balanceAt(this.#shop.movements, nowMs));
    if (await isRefused()) this.#question = { balance, answeredMs: nowMs + LOOKS_AGAIN_MS };
  }
}
