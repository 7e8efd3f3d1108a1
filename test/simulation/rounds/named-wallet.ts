import { changeMerchant } from '../../../shared/merchants/merchant/manage-merchant.ts';
import { paymentsOf } from '../../../shared/money/payment/payment.ts';
import { nameByOwner } from '../../../shared/money/wallet/name-by-owner.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/runtime/values/calendar.ts';
import { isYoung, YOUNG_PESEWAS } from '../../../shared/wallets/chain/anchor.ts';
import { chainRows, listSettledTexts } from '../../../shared/wallets/chain/chain.table.ts';
import { mostInADay } from '../../support/most-in-a-day.ts';
import { type BookedText, WalletBook } from '../../support/wallet-book.ts';
import { hasLeft } from '../goods.ts';
import { openShopLink, pressPayOn } from '../links.ts';
import { type At, openTills, tapAt } from '../till-queues.ts';
import { addressOf, Rounds } from './rounds.ts';

/**
 * Forgers at a shop whose owner names the wallet's balance. Their texts come from the first one on. The shop accepts no
 * unverified payment, so everything that they get is verified.
 */

const OPENING_PESEWAS = 512_337;
const ANSWERS_AFTER_MS = 30 * MINUTE_MS;
const READS_AGAIN_MS = 3 * MINUTE_MS;
/** Interval between an honest payment and the next one. */
const HONEST_EVERY_MS = HOUR_MS;
/** Hours per day in which the shop is open. */
const OPEN_HOURS = 10;
const CODES = 500;

export const FORGERS = [
  'sprays texts before the press',
  'sprays texts that lead to one balance before the press',
  'guesses after the press',
  'reads old messages',
  'knows every tenth balance',
  'sends the balance that the owner copies',
] as const;
type Forger = (typeof FORGERS)[number];

/** Amount of each text in cedis, if it is not the usual one. A forger who knows the balance asks for more. */
const PRICES: Readonly<Partial<Record<Forger, number>>> = { 'knows every tenth balance': 900 };
/** The shop whose owner copies a balance has no customers, which is the forger's best case. */
const TEXTS_PER_HOUR: Readonly<Partial<Record<Forger, number>>> = { 'sends the balance that the owner copies': 3 };

interface Plan {
  readonly seed: number;
  readonly forger: Forger;
  readonly days: number;
  /** Number of texts before the press. */
  readonly sprayed: number;
}

export interface NamedScore {
  readonly forger: Forger;
  readonly days: number;
  readonly forged: number;
  readonly linked: number;
  /** Value of everything that forged texts paid as verified: web orders, taps and goods, in pesewas. */
  readonly gainedPesewas: number;
  /** Largest gain in any 24 hours while the anchor was young, and in all. */
  readonly mostWhileYoung: number;
  readonly mostInADay: number;
  /** Number of goods that left with forged texts that are not verified. */
  readonly unverifiedGoods: number;
  readonly looks: number;
}

/** @throws Violation */
export async function playNamedWallet(plan: Plan): Promise<NamedScore> {
  const game = new Game(plan);
  await game.open();
  return game.play();
}

interface Gain {
  readonly ms: number;
  readonly pesewas: number;
  readonly wasYoung: boolean;
}

class Game {
  readonly #plan: Plan;
  readonly #price: number;
  readonly #isCopied: boolean;
  readonly #rounds: Rounds;
  readonly #book: WalletBook;
  readonly #forged: BookedText[] = [];
  readonly #gains = new Map<string, Gain>();
  #till: At | undefined;
  #link = '';
  #read = 0;
  #isAsked = false;
  #looks = 0;
  /** Earlier balances of the wallet, in pesewas. */
  readonly #old: number[] = [];
  /** Balance after the last forged text. */
  #end = 0;

  constructor(plan: Plan) {
    this.#plan = plan;
    this.#price = PRICES[plan.forger] ?? 90;
    this.#isCopied = plan.forger === 'sends the balance that the owner copies';
    this.#rounds = new Rounds(plan.seed);
    this.#book = new WalletBook(() => this.#rounds.kiosk.nowMs);
    this.#book.pesewas = OPENING_PESEWAS;
  }

  async open(): Promise<void> {
    const rounds = this.#rounds;
    await rounds.open();
    const { kiosk, shop } = rounds;
    await changeMerchant(kiosk.outside, shop.id, { confirm_unproven_up_to_pesewas: 0 });
    [this.#till] = await openTills({ outside: kiosk.outside, clock: kiosk }, shop, ['Counter 1']);
    this.#link = await openShopLink(kiosk, shop, this.#price, CODES);
  }

  async play(): Promise<NamedScore> {
    const { forger, days, sprayed } = this.#plan;
    await this.#spray(sprayed);
    await this.#press();
    for (let day = 0; day < days; day++)
      for (let hour = 0; hour < OPEN_HOURS; hour++) {
        const ms = day * DAY_MS + hour * HONEST_EVERY_MS;
        if (!this.#isCopied) this.#in(ms, () => this.#payHonestly());
        const texts = TEXTS_PER_HOUR[forger] ?? 1;
        for (let n = 0; n < texts; n++)
          this.#in(ms + (20 + n * 10) * MINUTE_MS, () => this.#forge((day * OPEN_HOURS + hour) * texts + n));
        for (let minutes = 24; minutes < 60; minutes += 12) this.#in(ms + minutes * MINUTE_MS, async () => {});
      }
    await this.#rounds.play();
    await this.#noteGains();
    return this.#score();
  }

  // ---- the forger

  /** Sends texts to a wallet whose balance nobody has named yet. */
  async #spray(count: number): Promise<void> {
    const { chance, kiosk } = this.#rounds;
    const end = chance.between(500, 900_000);
    for (let n = 0; n < count; n++) {
      const isPath = this.#plan.forger === 'sprays texts that lead to one balance before the press';
      const amount = this.#price + n / 100;
      await this.#send(isPath ? end : chance.between(50_000, 900_000), amount);
      kiosk.nowMs += 200;
      if (n % 50 === 0) await kiosk.goOn();
    }
    await kiosk.goOn();
  }

  async #forge(n: number): Promise<void> {
    const before = this.#nextBalance(n);
    if (before === undefined) return;
    this.#end = before + this.#price * 100;
    const ways = [() => this.#orderOnTheWeb(), () => this.#tapAtTill(), () => this.#buyCode()];
    await ways[n % ways.length]?.();
  }

  /** Returns the balance from which the forger's next text continues. */
  #nextBalance(n: number): number | undefined {
    const { chance } = this.#rounds;
    switch (this.#plan.forger) {
      case 'sprays texts before the press':
        return this.#end;
      case 'sprays texts that lead to one balance before the press':
        return this.#end;
      case 'guesses after the press':
        return OPENING_PESEWAS + chance.between(-3_000, 3_000) * 100;
      case 'reads old messages':
        return chance.pick(this.#old.slice(0, -1).concat(OPENING_PESEWAS));
      case 'knows every tenth balance':
        return n % 10 === 9 ? this.#book.pesewas : undefined;
      case 'sends the balance that the owner copies':
        return this.#end;
    }
  }

  async #orderOnTheWeb(): Promise<void> {
    const { reference } = await this.#rounds.checkOut('forger', this.#price);
    await this.#send(this.#end, this.#price, { reference });
  }

  async #buyCode(): Promise<void> {
    const reference = await pressPayOn(this.#rounds.kiosk, this.#link, '', String(this.#price), addressOf('forger 1'));
    if (reference) await this.#send(this.#end, this.#price, { reference });
  }

  async #tapAtTill(): Promise<void> {
    const { kiosk } = this.#rounds;
    const from = `EVE MENSAH ${this.#forged.length}`;
    await this.#send(this.#end, this.#price, { from });
    this.#in(3 * MINUTE_MS, async () => {
      if (this.#till) await tapAt({ outside: kiosk.outside, clock: kiosk }, this.#till, { amount: this.#price, from });
    });
  }

  async #send(balance: number, amount: number, typed: { reference?: string; from?: string } = {}): Promise<void> {
    const text = this.#book.receipt(amount, { ...typed, balance });
    this.#forged.push(text);
    await this.#rounds.arrive(text);
  }

  // ---- the shop

  async #press(): Promise<void> {
    const { kiosk, wallet, chance } = this.#rounds;
    kiosk.nowMs += 11 * MINUTE_MS;
    this.#end = this.#lastForgedBalance() ?? chance.between(500, 900_000);
    if (this.#isCopied) {
      this.#end = chance.between(500, 900_000) * 100 + 37;
      await nameByOwner(kiosk.outside, wallet, this.#end, { by: 'owner' });
    } else await nameByOwner(kiosk.outside, wallet, this.#book.pesewas, { by: 'owner' });
    kiosk.nowMs += MINUTE_MS;
  }

  #lastForgedBalance(): number | undefined {
    const [, balance] = /Current Balance: GHS ([\d.]+)/.exec(this.#forged.at(-1)?.text ?? '') ?? [];
    return balance === undefined ? undefined : Math.round(Number(balance) * 100);
  }

  async #payHonestly(): Promise<void> {
    const { chance } = this.#rounds;
    const text = chance.happens(0.1)
      ? this.#book.spent(chance.between(3, 90))
      : this.#book.paid(chance.between(5, 60) + 0.37);
    this.#old.push(this.#book.pesewas);
    await this.#rounds.arrive(text);
  }

  #in(ms: number, happens: () => Promise<void>): void {
    this.#rounds.in(ms, async () => {
      await happens();
      await this.#rounds.kiosk.goOn();
      await this.#noteGains();
      this.#answer();
    });
  }

  /** Answers a new question with the wallet's balance. Does not answer if the owner copies balances. */
  #answer(): void {
    const { kiosk } = this.#rounds;
    const fresh = kiosk.posted.slice(this.#read);
    this.#read = kiosk.posted.length;
    const isNew = fresh.some(({ body }) => JSON.parse(body).type === 'wallet.balance_unclear');
    if (!isNew || this.#isAsked || this.#isCopied) return;
    this.#isAsked = true;
    this.#in(ANSWERS_AFTER_MS, () => this.#look());
  }

  async #look(): Promise<void> {
    const { kiosk, wallet } = this.#rounds;
    this.#looks++;
    const { outcome } = await nameByOwner(kiosk.outside, wallet, this.#book.pesewas, { by: 'owner' });
    this.#isAsked = outcome === 'look again';
    if (this.#isAsked) this.#in(READS_AGAIN_MS, () => this.#look());
  }

  // ---- results

  /** Notes what forged texts have paid as verified since the last check. */
  async #noteGains(): Promise<void> {
    const { kiosk, wallet, charges } = this.#rounds;
    const chain = await chainRows.find(kiosk.outside, wallet);
    const wasYoung = chain !== undefined && isYoung(chain, kiosk.nowMs);
    const ids = new Set(this.#forged.map(({ id }) => id));
    for (const charge of charges)
      for (const { transaction_id, amount_pesewas, proof } of paymentsOf(charge)) {
        const isGain = ids.has(transaction_id) && (charge.state === 'success' || hasLeft(charge));
        if (!isGain || proof?.state !== 'proven' || this.#gains.has(transaction_id)) continue;
        this.#gains.set(transaction_id, { ms: kiosk.nowMs, pesewas: amount_pesewas, wasYoung });
      }
  }

  async #score(): Promise<NamedScore> {
    const { kiosk, wallet, charges } = this.#rounds;
    const ids = new Set(this.#forged.map(({ id }) => id));
    const gains = [...this.#gains.values()];
    const settled = await listSettledTexts(kiosk.outside, wallet);
    const goods = charges.filter((one) => hasLeft(one) && paymentsOf(one).some((paid) => ids.has(paid.transaction_id)));
    const isVerified = (one: (typeof goods)[number]) =>
      paymentsOf(one).every(({ transaction_id }) => this.#gains.has(transaction_id));
    return {
      forger: this.#plan.forger,
      days: this.#plan.days,
      forged: this.#forged.length,
      linked: settled.filter(({ id, state }) => ids.has(String(id)) && state === 'linked').length,
      gainedPesewas: gains.reduce((sum, { pesewas }) => sum + pesewas, 0),
      mostWhileYoung: mostInADay(gains.filter(({ wasYoung }) => wasYoung)),
      mostInADay: mostInADay(gains),
      unverifiedGoods: goods.filter((one) => !isVerified(one)).length,
      looks: this.#looks,
    };
  }
}

const GETS_NOTHING: readonly Forger[] = [
  'sprays texts before the press',
  'sprays texts that lead to one balance before the press',
  'reads old messages',
];

/** Returns unacceptable results. */
export function missesOfNamedWallet(score: NamedScore): string[] {
  const { forger, gainedPesewas, mostWhileYoung, unverifiedGoods } = score;
  return [
    ...(GETS_NOTHING.includes(forger) && gainedPesewas > 0
      ? [`a forger who ${forger} gained ${gainedPesewas / 100}`]
      : []),
    ...(mostWhileYoung > YOUNG_PESEWAS ? [`${mostWhileYoung / 100} in 24 hours of a young anchor`] : []),
    ...(unverifiedGoods > 0 ? [`${unverifiedGoods} goods left without a verified payment`] : []),
  ];
}

export function sayNamedWallet(score: NamedScore): string {
  const { forger, days, forged, linked, gainedPesewas, mostWhileYoung, mostInADay: most, looks } = score;
  return `a forger who ${forger}, ${days} days: ${forged} texts, ${linked} of them linked; verified charges, taps and goods for GHS ${gainedPesewas / 100}, at most ${most / 100} in 24 hours, ${mostWhileYoung / 100} while the anchor was young, of at most ${YOUNG_PESEWAS / 100}; ${looks} looks of the owner`;
}
