import { handler } from '../../functions/dashboard/till.ts';
import { changeMerchant } from '../../shared/merchants/merchant/manage-merchant.ts';
import { closingOf } from '../../shared/money/till/closing.ts';
import { tillRows } from '../../shared/money/till/till.table.ts';
import { nameByOwner } from '../../shared/money/wallet/name-by-owner.ts';
import { DAY_MS, dayOf, MINUTE_MS } from '../../shared/runtime/values/calendar.ts';
import { visit } from '../support/dashboard.ts';
import { arrive, charge, createShop, pay, reversal, type Shop } from '../support/receipts.ts';
import { provenBook, WalletBook } from '../support/wallet-book.ts';
import { createWorld, type World } from '../support/world.ts';
import { type Chance, chanceFrom } from './random.ts';
import { type At, openTills, TILL, tapAt, undoAt } from './till-queues.ts';

/**
 * Thieves at a counter try to get free goods. One cashier is honest. Another one helps a friend, and the closing must
 * show this.
 */

const AMOUNTS = [10, 36];
const THIEF = 'EVE MENSAH';
const FRIEND = 'KOJO BADU';
/** Maximum number of forged texts. With more, the owner decides about each payment (decision 50). */
const MAX_FORGED = 2;
/** Number of rounds with reversals. */
const LAST = 3;
const LATE = ['a payment reversed before the tap', 'reversed later'] as const;

const tricks = [
  'a screenshot',
  'a forged text',
  'a repeated text',
  'a payment of a friend who has received goods',
  'a payment from yesterday',
  'a payment of the web shop',
  'a payment reversed before the tap',
] as const;
type Trick = (typeof tricks)[number];

export interface ThievesScore {
  /** Number of honest customers, and of those who waited for the owner. */
  readonly customers: number;
  readonly waited: number;
  /** Number of attempts at each trick. */
  readonly tried: Readonly<Record<Trick, number>>;
  /** Goods handed over without a payment, by trick. */
  readonly free: readonly Trick[];
  /** Goods for payments that were reversed later, and how many of them the closing shows. */
  readonly takenBack: number;
  readonly takenBackShown: number;
  /** Goods for a payment that was used before, and how many of them the closing shows under the cashier's name. */
  readonly colluded: number;
  readonly colludedShown: number;
}

/** Simulates a day with this many tricks. */
export async function playThieves(seed: number, rounds: number): Promise<ThievesScore> {
  const game = new Game(await createWorld({ inMemory: true }), chanceFrom(seed));
  await game.open();
  for (let left = rounds; left > 0; left--) await game.round(left <= LAST);
  return game.score();
}

class Game {
  readonly #world: World;
  readonly #chance: Chance;
  #shop: Shop = { id: '', liveKey: '', number: '', network: 'MTN' };
  #book: WalletBook;
  #tills: At[] = [];
  #payers = 0;
  readonly #tried: Record<Trick, number> = {
    'a screenshot': 0,
    'a forged text': 0,
    'a repeated text': 0,
    'a payment of a friend who has received goods': 0,
    'a payment from yesterday': 0,
    'a payment of the web shop': 0,
    'a payment reversed before the tap': 0,
  };
  readonly #free: Trick[] = [];
  #takenBack = 0;
  #colluded = 0;
  #customers = 0;
  #waited = 0;
  /** The owner's pending answer. */
  #owed: (() => Promise<void>) | undefined;
  /** Payments before the shift. */
  readonly #yesterday: { from: string; amount: number }[] = [];

  constructor(world: World, chance: Chance) {
    this.#world = world;
    this.#chance = chance;
    this.#book = new WalletBook(() => world.clock.nowMs);
  }

  async open(): Promise<void> {
    this.#shop = await createShop(this.#world);
    await changeMerchant(this.#world.outside, this.#shop.id, { confirm_unproven_up_to_pesewas: 0 });
    // Start in the morning to stay within one day.
    this.#world.clock.nowMs = Math.ceil(this.#world.clock.nowMs / DAY_MS) * DAY_MS;
    this.#book = await provenBook(this.#world, this.#shop);
    for (const amount of AMOUNTS) this.#yesterday.push({ amount, from: await this.#paid(amount) });
    this.#world.clock.nowMs += MINUTE_MS;
    this.#tills = await openTills(this.#world, this.#shop, ['Counter 1', 'Counter 2']);
  }

  /** Plays a round. With `isLate`, includes reversals, each of which breaks the wallet's balance chain. */
  async round(isLate: boolean): Promise<void> {
    await this.#owed?.();
    this.#owed = undefined;
    this.#world.clock.nowMs += this.#chance.between(20, 90) * 1_000;
    const [honest, colluding] = this.#tills;
    if (!honest || !colluding) throw new Error('There are two tills');
    // Other customers buy too.
    const amount = this.#chance.pick(AMOUNTS);
    const from = await this.#paid(amount);
    this.#customers += 1;
    // After many forged texts, every customer waits for the owner's answer.
    if (!(await tapAt(this.#world, honest, { amount, from }))) {
      this.#waited += 1;
      return this.#ownersWord();
    }
    const early = [...tricks.filter((one) => this.#isEarly(one)), 'collusion'] as const;
    const trick = this.#chance.pick(isLate ? LATE : early);
    if (trick === 'reversed later') return this.#takeBackLater(honest, amount);
    if (trick === 'collusion') return this.#collude(colluding, amount);
    this.#tried[trick] += 1;
    const goods = await this.#try(trick, honest, amount);
    for (let n = 0; n < goods; n++) this.#free.push(trick);
  }

  #isEarly(trick: Trick): boolean {
    if (trick === 'a forged text') return this.#tried[trick] < MAX_FORGED;
    return trick !== 'a payment reversed before the tap';
  }

  /** Performs a trick. Returns the value of the free goods. */
  async #try(trick: Trick, at: At, amount: number): Promise<number> {
    const world = this.#world;
    const ask = async (from: string) => ((await tapAt(world, at, { amount, from })) ? 1 : 0);
    switch (trick) {
      case 'a screenshot':
        return ask(THIEF);
      case 'a forged text': {
        const balance = this.#chance.pick([0, 100_000, this.#book.pesewas, this.#book.pesewas - 100, 777_700]);
        await pay(
          world,
          this.#shop,
          this.#book.receipt(amount, { from: THIEF, balance: Math.max(balance, amount * 100) }),
        );
        const atOnce = await ask(THIEF);
        world.clock.nowMs += 3 * MINUTE_MS;
        return atOnce + (await ask(THIEF));
      }
      case 'a repeated text': {
        const from = `${THIEF} ${++this.#payers}`;
        const text = this.#book.paid(amount, { from });
        await pay(world, this.#shop, text);
        const bought = await ask(from);
        await pay(world, this.#shop, text);
        return Math.max(0, bought + (await ask(from)) - 1);
      }
      case 'a payment of a friend who has received goods': {
        const from = await this.#paid(amount);
        const both = await Promise.all(this.#tills.map((till) => tapAt(world, till, { amount, from })));
        return Math.max(0, both.filter(Boolean).length - 1);
      }
      case 'a payment from yesterday':
        return ask(this.#yesterday.find((one) => one.amount === amount)?.from ?? '');
      case 'a payment of the web shop': {
        const from = `ESI LAMPTEY ${++this.#payers}`;
        const reference = await charge(world, this.#shop, { amount });
        await pay(world, this.#shop, this.#book.paid(amount, { from, reference }));
        return ask(from);
      }
      case 'a payment reversed before the tap': {
        const from = `${THIEF} ${++this.#payers}`;
        const text = this.#book.paid(amount, { from });
        await pay(world, this.#shop, text);
        await this.#reverse(text.id, amount);
        return ask(from);
      }
    }
  }

  async #takeBackLater(at: At, amount: number): Promise<void> {
    const from = `${THIEF} ${++this.#payers}`;
    const text = this.#book.paid(amount, { from });
    await pay(this.#world, this.#shop, text);
    if (await tapAt(this.#world, at, { amount, from })) this.#takenBack += 1;
    this.#world.clock.nowMs += MINUTE_MS;
    await this.#reverse(text.id, amount);
  }

  /** Confirms a payment, undoes it and confirms it again for a friend. */
  async #collude(at: At, amount: number): Promise<void> {
    const from = await this.#paid(amount);
    const reference = await tapAt(this.#world, at, { amount, from });
    if (!reference) return;
    this.#world.clock.nowMs += 30_000;
    await undoAt(this.#world, at, reference);
    if (await tapAt(this.#world, at, { amount, from })) this.#colluded += 1;
  }

  async #paid(amount: number): Promise<string> {
    const from = `${FRIEND} ${++this.#payers}`;
    await pay(this.#world, this.#shop, this.#book.paid(amount, { from }));
    return from;
  }

  /** Reverses a payment. The network reports the reversal by text. */
  async #reverse(id: string, amount: number): Promise<void> {
    this.#book.pesewas -= amount * 100;
    const { sender } = reversal(id);
    const balance = (this.#book.pesewas / 100).toFixed(2);
    const text = `Transaction ${id} of GHS ${amount}.00 has been reversed. Current Balance: GHS ${balance}`;
    await arrive(this.#world, this.#shop, { sender, text });
    // The reversal breaks the balance chain, so the owner confirms the balance after the next payment.
    this.#owed = () => this.#ownersWord();
  }

  async #ownersWord(): Promise<void> {
    this.#world.clock.nowMs += 5 * MINUTE_MS;
    // An unusual amount, which cannot restore the earlier balance.
    await this.#paid(11.13);
    const wallet = { network: this.#shop.network, momo_number: this.#shop.number };
    await nameByOwner(this.#world.outside, wallet, this.#book.pesewas, { by: 'owner' });
  }

  async score(): Promise<ThievesScore> {
    const { outside, clock } = this.#world;
    const tills = await tillRows.list(outside, { merchant_id: this.#shop.id });
    const { lines } = await closingOf(outside, this.#shop.id, tills, dayOf(clock.nowMs));
    const owner = this.#tills[0]?.by;
    const page = await visit(this.#world, handler, `${TILL}/closing`, { ...(owner && { by: owner }) });
    if (page.status !== 200) throw new Error(`The closing was answered ${page.status}`);
    const of = (at: At | undefined) => lines.filter(({ by }) => by === at?.by.user.user_id);
    return {
      customers: this.#customers,
      waited: this.#waited,
      tried: this.#tried,
      free: this.#free,
      takenBack: this.#takenBack,
      takenBackShown: lines.reduce((sum, { takenBack, disputed }) => sum + takenBack.count + disputed.count, 0),
      colluded: this.#colluded,
      colludedShown: of(this.#tills[1]).reduce((sum, { again }) => sum + again.length, 0),
    };
  }
}
