import * as z from 'zod';
import { chargeRows } from '../../../shared/money/charge/charge.table.ts';
import { nameByOwner } from '../../../shared/money/wallet/name-by-owner.ts';
import { HOUR_MS, MINUTE_MS } from '../../../shared/runtime/values/calendar.ts';
import { chainRows } from '../../../shared/wallets/chain/chain.table.ts';
import { isPaused } from '../../../shared/wallets/chain/guesses.ts';
import { type BookedText, WalletBook } from '../../support/wallet-book.ts';
import { DEVICES } from '../kiosk.ts';
import { Rounds } from './rounds.ts';

/**
 * Payers have their payments reversed after they got the goods. The network reports the reversal, mentions it in
 * another message, or sends no text. Measures how soon the shop is notified.
 */

const SECOND_MS = 1_000;
/** Interval between reversals. */
const APART_MS = 45 * MINUTE_MS;
/** Interval between other payments. */
const OTHERS_EVERY_MS = 2 * MINUTE_MS;
/** Time until the owner answers with the balance. */
const ANSWERS_AFTER_MS = 5 * MINUTE_MS;
/** Few amounts, so that several payments have the same amount. */
const AMOUNTS = [20, 36, 50];

const ways = ['text', 'mention', 'silence'] as const;
type Way = (typeof ways)[number];

interface Reversal {
  readonly way: Way;
  /** Time from the reversal's text, or from the second text after the balance fell, to the notification. */
  readonly toldMs: number;
  /** True if the event contained the charge. */
  readonly isNamed: boolean;
  /** Why the shop need not be told by name within a minute, if so. */
  readonly unless: Unless | undefined;
}

/**
 * `paused`: somebody guessed the balance, so only the owner's answer continues the chain. `not counted`: the payment
 * waited, so its charge was never paid. `two falls`: the balance fell again before the first fall was told or the
 * owner named the balance, so only the sum is known.
 */
type Unless = 'paused' | 'not counted' | 'two falls';

interface ReversalScore {
  readonly reversals: readonly Reversal[];
  /** Number of falsely suspected reversals. */
  readonly falseAlarms: number;
}

const Told = z.object({
  type: z.string(),
  data: z.looseObject({
    reference: z.string().nullish(),
    amount: z.number().nullish(),
    may_be_reversed: z.array(z.object({ reference: z.string().nullable() })).optional(),
  }),
});
const SUSPECTED = 'wallet.reversal_suspected';
/**
 * Events that report each kind of reversal. If several payments had that amount, a text with a different balance only
 * disputes the charge.
 */
const TELLS: Readonly<Record<Way, readonly string[]>> = {
  text: ['charge.reversed', 'charge.disputed'],
  mention: ['charge.disputed'],
  silence: [SUSPECTED, 'charge.disputed'],
};

interface Taken {
  readonly way: Way;
  readonly reference: string;
  readonly amount: number;
  readonly fromMs: number;
  unless: Unless | undefined;
  /** Number of later texts that continue each other. */
  texts: number;
  shownMs: number | undefined;
  told: { readonly ms: number; readonly isNamed: boolean } | undefined;
}

/** Simulates this many payers in sequence. @throws Violation */
export async function playReversals(seed: number, payers: number): Promise<ReversalScore> {
  const game = new Game(seed);
  await game.open();
  return game.play(payers);
}

class Game {
  readonly #rounds: Rounds;
  readonly #book: WalletBook;
  readonly #taken: Taken[] = [];
  #read = 0;
  #isAsked = false;
  #namedMs = 0;
  #falseAlarms = 0;

  constructor(seed: number) {
    this.#rounds = new Rounds(seed);
    this.#book = new WalletBook(() => this.#rounds.kiosk.nowMs);
  }

  async open(): Promise<void> {
    await this.#rounds.open();
    await this.#rounds.establish(this.#book);
  }

  async play(payers: number): Promise<ReversalScore> {
    const { chance } = this.#rounds;
    const lastMs = (payers + 8) * APART_MS;
    for (let n = 0; n < payers; n++) {
      const takenMs = 60 * MINUTE_MS + n * APART_MS + chance.between(0, APART_MS / 2);
      const way = chance.pick(ways);
      this.#in(takenMs - chance.between(2, 55) * MINUTE_MS, () => this.#payAndTakeBack(`payer ${n}`, way, takenMs));
    }
    for (let ms = 0; ms < lastMs; ms += OTHERS_EVERY_MS) {
      this.#in(ms + chance.between(0, OTHERS_EVERY_MS / 2), () => this.#someoneMovesMoney());
    }
    // Housekeeping runs every minute.
    for (let ms = 0; ms < lastMs; ms += MINUTE_MS) this.#in(ms, async () => {});
    await this.#rounds.play();
    this.#readWhatWasTold();
    const reversals = this.#taken.map(({ way, shownMs, told, ...taken }) => ({
      way,
      unless: taken.unless,
      toldMs: (told?.ms ?? Number.POSITIVE_INFINITY) - (shownMs ?? 0),
      isNamed: told?.isNamed ?? false,
    }));
    return { reversals, falseAlarms: this.#falseAlarms };
  }

  /** Schedules an event. First records the time of earlier notifications. */
  #in(ms: number, happens: () => Promise<void>): void {
    this.#rounds.in(ms, async () => {
      this.#readWhatWasTold();
      await happens();
      await this.#rounds.kiosk.goOn();
      this.#readWhatWasTold();
    });
  }

  async #payAndTakeBack(payer: string, way: Way, takenMs: number): Promise<void> {
    const amount = this.#rounds.chance.pick(AMOUNTS);
    const startMs = this.#rounds.kiosk.nowMs;
    const { reference } = await this.#rounds.checkOut(payer, amount);
    const payment = this.#book.paid(amount, { reference });
    this.#rounds.payerOf.set(payment.id, payer);
    await this.#arrive(payment);
    this.#in(Math.max(MINUTE_MS, takenMs - startMs), () => this.#takeBack(way, reference, amount, payment));
  }

  async #takeBack(way: Way, reference: string, amount: number, payment: BookedText): Promise<void> {
    const { kiosk } = this.#rounds;
    this.#book.pesewas -= amount * 100;
    // The next text does not continue the previous one.
    for (const other of this.#taken) if (other.shownMs === undefined) other.texts = 0;
    const open =
      way === 'text'
        ? []
        : this.#taken.filter((one) => one.way === 'silence' && !one.told && one.fromMs > this.#namedMs);
    const taken: Taken = {
      way,
      reference,
      amount,
      fromMs: kiosk.nowMs,
      unless: await this.#unless(reference),
      texts: 0,
      shownMs: undefined,
      told: undefined,
    };
    this.#taken.push(taken);
    if (open.length > 0) for (const one of [...open, taken]) one.unless ??= 'two falls';
    if (way === 'silence') return;
    taken.shownMs = kiosk.nowMs;
    const balance = (this.#book.pesewas / 100).toFixed(2);
    const text =
      way === 'text'
        ? `Transaction ${payment.id} of GHS ${amount.toFixed(2)} has been reversed. Current Balance: GHS ${balance}`
        : `From NOTE TRADING: the payment with Transaction ID ${payment.id} was reversed.`;
    kiosk.arrive(DEVICES[0], text);
    await kiosk.callBack();
  }

  async #unless(reference: string): Promise<Unless | undefined> {
    const { kiosk, wallet } = this.#rounds;
    const chain = await chainRows.find(kiosk.outside, wallet);
    if (chain && isPaused(chain, kiosk.nowMs)) return 'paused';
    const charge = await chargeRows.find(kiosk.outside, { reference });
    return charge?.state === 'success' ? undefined : 'not counted';
  }

  async #someoneMovesMoney(): Promise<void> {
    const { chance } = this.#rounds;
    await this.#arrive(
      chance.happens(0.1) ? this.#book.spent(chance.between(3, 90)) : this.#book.paid(chance.between(5, 300) + 0.37),
    );
  }

  async #arrive(text: BookedText): Promise<void> {
    await this.#rounds.arrive(text);
    for (const taken of this.#taken) {
      taken.texts++;
      if (taken.texts === 2) taken.shownMs ??= this.#rounds.kiosk.nowMs;
    }
  }

  #readWhatWasTold(): void {
    const { kiosk } = this.#rounds;
    const fresh = kiosk.posted.slice(this.#read);
    this.#read = kiosk.posted.length;
    for (const { body } of fresh) {
      const { type, data } = Told.parse(JSON.parse(body));
      if (type === 'wallet.balance_unclear') this.#askOwner();
      const taken = this.#taken.findLast(
        (one) => TELLS[one.way].includes(type) && !one.told && isAbout(one, type, data),
      );
      const names = (one: Taken) =>
        [data, ...(data.may_be_reversed ?? [])].some((it) => it.reference === one.reference);
      // A suspicion is also correct if a text only mentioned the reversal, or if the charge was disputed just before.
      const isJustTold = ({ told }: Taken) => told !== undefined && kiosk.nowMs - told.ms <= TOLD_WITHIN_MS;
      const isTrue =
        taken ||
        this.#taken.some((one) => one.way === 'mention' && one.amount === data.amount) ||
        this.#taken.some((one) => one.way === 'silence' && isJustTold(one) && names(one));
      if (type === SUSPECTED && !isTrue) this.#falseAlarms++;
      if (taken) taken.told = { ms: kiosk.nowMs, isNamed: names(taken) };
    }
  }

  /** Answers with the wallet's balance as the owner. */
  #askOwner(): void {
    if (this.#isAsked) return;
    this.#isAsked = true;
    this.#in(ANSWERS_AFTER_MS, async () => {
      this.#isAsked = false;
      const { kiosk, wallet } = this.#rounds;
      this.#namedMs = kiosk.nowMs;
      await nameByOwner(kiosk.outside, wallet, this.#book.pesewas, { by: 'owner' });
    });
  }
}

function isAbout({ reference, amount }: Taken, type: string, told: z.infer<typeof Told>['data']): boolean {
  return type === SUSPECTED ? told.amount === amount : told.reference === reference;
}

/** Maximum time until a reversal is reported. */
const TOLD_WITHIN_MS = MINUTE_MS;

/** Returns unacceptable results. */
export function missesOfReversals({ reversals, falseAlarms }: ReversalScore): string[] {
  const late = reversals.filter((one) => !one.unless && (one.toldMs > TOLD_WITHIN_MS || !one.isNamed));
  return [
    ...(late.length > 0 ? [`${late.length} were not told by name within a minute`] : []),
    ...(falseAlarms > 0 ? ['a reversal was suspected that was none, or had been told'] : []),
  ];
}

/** Describes the score for each kind of reversal. */
export function sayReversals({ reversals, falseAlarms }: ReversalScore): string {
  const seconds = (values: readonly number[]) => (Math.max(0, ...values) / SECOND_MS).toFixed(0);
  const kinds = Map.groupBy(reversals, ({ way, unless }) => (unless ? `${way} (${unless})` : way));
  const told = [...kinds]
    .map(([kind, all]) => {
      const known = all.filter(({ toldMs }) => Number.isFinite(toldMs));
      return `${kind}: ${known.length} of ${all.length} told within ${seconds(known.map(({ toldMs }) => toldMs))} s, ${known.filter(({ isNamed }) => isNamed).length} by name`;
    })
    .join('; ');
  const later = (hours: number) => reversals.filter(({ toldMs }) => toldMs > hours * HOUR_MS).length;
  return `${reversals.length} payments taken back: ${told}; ${later(1)} later than an hour or never, ${later(3)} than three; ${falseAlarms} false alarms`;
}
