import { createCharge, type RouteName } from '../../../infra/local/story/steps.ts';
import { Charge } from '../../../shared/money/charge/charge.table.ts';
import { paymentsOf } from '../../../shared/money/payment/payment.ts';
import { HOUR_MS, MINUTE_MS } from '../../../shared/runtime/values/calendar.ts';
import type { Wallet } from '../../../shared/wallets/chain/chain.table.ts';
import { nameMature } from '../../support/name-mature.ts';
import { mtn } from '../../support/receipts.ts';
import type { BookedText, WalletBook } from '../../support/wallet-book.ts';
import { checkAtTheEnd } from '../invariants.ts';
import { DEVICES, Kiosk, type Shop } from '../kiosk.ts';
import { type Chance, chanceFrom } from '../random.ts';

export interface Payment {
  readonly id: string;
  readonly amount: number;
  readonly payerName: string;
  /** Reference entered by the payer. */
  readonly typed: string;
  /** The payer's number if they are on another network, where the payment has a different id. */
  readonly fromOther?: string | undefined;
}

export interface OpenedCharge {
  readonly reference: string;
  readonly accessCode: string;
}

/** Payments on the network per second (67 million a day). */
const IDS_A_SECOND = 775;
export const IDS_IN_A_MINUTE = 60 * IDS_A_SECOND;

/** Runs scheduled events at a shop through the real handlers, and records what really happened. */
export class Rounds {
  readonly chance: Chance;
  readonly kiosk: Kiosk;
  /** Payments in order. Attackers may know them. */
  readonly payments: Payment[] = [];
  /** Each payment's payer and each charge's owner. */
  readonly payerOf = new Map<string, string>();
  readonly ownerOf = new Map<string, string>();
  /** Attackers' claims with guessed ids, and how many were checked. */
  readonly guesses = { made: 0, checked: 0 };
  /** Honest claims rejected because of other people's claims. */
  honestPaused = 0;
  #agenda: { atMs: number; happens: () => Promise<void> }[] = [];
  #charges = 0;

  constructor(seed: number) {
    this.chance = chanceFrom(seed);
    this.kiosk = new Kiosk(this.chance);
  }

  async open(): Promise<void> {
    await this.kiosk.open(() => 100);
  }

  /** Schedules an event after this many milliseconds. */
  in(ms: number, happens: () => Promise<void>): void {
    this.#agenda.push({ atMs: this.kiosk.nowMs + Math.round(ms), happens });
  }

  /** Runs all scheduled events and then simulates another day. @throws Violation */
  async play(): Promise<void> {
    while (this.#agenda.length > 0) await this.#next();
    for (let hours = 0; hours < 30; hours++) {
      await this.kiosk.wait(HOUR_MS);
      await this.kiosk.goOn();
    }
    checkAtTheEnd(this.kiosk);
  }

  async #next(): Promise<void> {
    const next = this.#agenda.reduce((soonest, one) => (one.atMs < soonest.atMs ? one : soonest));
    this.#agenda = this.#agenda.filter((one) => one !== next);
    await this.kiosk.wait(Math.max(0, next.atMs - this.kiosk.nowMs));
    await next.happens();
    await this.kiosk.goOn();
  }

  get shop(): Shop {
    const [shop] = this.kiosk.shops;
    if (!shop) throw new Error('The shop is not open');
    return shop;
  }

  /** Starts a checkout for this amount. */
  async checkOut(owner: string, amount: number, customer_name?: string): Promise<OpenedCharge> {
    const body = { amount, customer_name, description: `Order ${this.#charges++}` };
    const { reference, access_code } = await createCharge(this.kiosk, body);
    this.ownerOf.set(reference, owner);
    return { reference, accessCode: access_code };
  }

  /** Pays the shop. The text reaches the shop's phone with a realistic delay. */
  pay(payer: string, payment: Omit<Payment, 'id'>): Payment {
    const id = this.idNow();
    const sent = { ...payment, id };
    this.payments.push(sent);
    this.payerOf.set(id, payer);
    const { amount, payerName, typed, fromOther } = payment;
    const reference = fromOther ? `${payerName} ,${fromOther.replace('+', '')},${typed} from VODAFONE` : typed;
    const { text } = mtn({ amount: amount.toFixed(2), from: payerName, reference, id });
    this.in(this.#delayMs(), async () => {
      this.kiosk.arrive(DEVICES[0], text);
      await this.kiosk.callBack();
    });
    return sent;
  }

  /** Receives a forged text. */
  async forge(sender: string, text: string, receivedMs = this.kiosk.nowMs): Promise<void> {
    this.kiosk.arrive(DEVICES[0], text, sender, false, receivedMs);
    await this.kiosk.callBack();
  }

  /** Submits a charge's claim form, by default from the person's own address. */
  async claim(
    charge: OpenedCharge,
    transaction_id: string,
    name: string,
    sourceIp?: string,
  ): Promise<number | undefined> {
    const from = sourceIp ?? addressOf(this.ownerOf.get(charge.reference));
    return (await this.#atPage('checkout/claim', charge, { transaction_id, name }, from))?.statusCode;
  }

  #atPage(route: RouteName, { accessCode: access_code }: OpenedCharge, body: object, sourceIp?: string) {
    return this.kiosk.request(route, this.kiosk.callOf(route, { parameters: { access_code }, body, sourceIp }));
  }

  /** As an attacker, claims a payment with a guessed id. */
  async guess(charge: OpenedCharge, transaction_id: string, name: string, sourceIp?: string): Promise<void> {
    const status = await this.claim(charge, transaction_id, name, sourceIp);
    this.guesses.made++;
    if (status !== 429) this.guesses.checked++;
  }

  /** Requests a claim code for a number. */
  async askForCode(charge: OpenedCharge, phone: string): Promise<void> {
    await this.#atPage('checkout/ask-for-code', charge, { phone });
  }

  /** Enters a claim code. */
  async confirmCode(charge: OpenedCharge, phone: string, code: string): Promise<void> {
    this.kiosk.typedCodes.push({ reference: charge.reference, phone, code });
    await this.#atPage('checkout/confirm-code', charge, { phone, code });
  }

  /** Returns the id that the network would assign now. */
  idNow(): string {
    const base = 90_900_000_000 + Math.floor(this.kiosk.nowMs / 1000 - 1_767_600_000) * IDS_A_SECOND;
    let id = base + this.chance.between(0, IDS_A_SECOND - 1);
    while (this.payerOf.has(String(id))) id++;
    return String(id);
  }

  /** Returns a guess of a payment's id from its time, known to within half a minute. */
  idNear({ id }: Payment): string {
    return String(Number(id) + this.chance.between(-IDS_IN_A_MINUTE / 2, IDS_IN_A_MINUTE / 2));
  }

  get wallet(): Wallet {
    return { network: 'MTN', momo_number: this.shop.number };
  }

  /** Names the wallet's balance and adds enough texts to judge transaction ids. */
  async establish(book: WalletBook): Promise<void> {
    await nameMature(this.kiosk.outside, this.wallet, book.pesewas);
    for (let n = 0; n < 9; n++) {
      await this.arrive(n % 3 === 1 ? book.spent(35.5) : book.paid(120 + n));
      await this.kiosk.goOn();
      await this.kiosk.wait(7 * MINUTE_MS);
    }
  }

  /** Receives a wallet's text without delay. */
  async arrive({ text, sender, receivedAt }: BookedText): Promise<void> {
    this.kiosk.arrive(DEVICES[0], text, sender, false, Date.parse(receivedAt));
    await this.kiosk.callBack();
  }

  get charges(): Charge[] {
    return this.kiosk
      .items()
      .filter(({ sk }) => sk === 'TRANSACTION')
      .map((item) => Charge.parse(item));
  }

  /** Charges paid with another person's money, by owner. */
  get goodsByOthersMoney(): string[] {
    return this.charges
      .filter(({ state }) => state === 'success')
      .filter((charge) =>
        paymentsOf(charge).some(
          ({ transaction_id }) => this.payerOf.get(transaction_id) !== this.ownerOf.get(charge.reference),
        ),
      )
      .map(({ reference, payment }) => `${this.ownerOf.get(reference)}: ${payment?.matched_by}`);
  }

  chargeOf({ reference }: Pick<OpenedCharge, 'reference'>): Charge {
    return Charge.parse(this.kiosk.memory.items().find((item) => item.pk === `TRANSACTION#${reference}`));
  }

  /** Picks the delay from the network to the phone: median 8 s, 99 % within 107 s, at most 75 minutes. */
  #delayMs(): number {
    const luck = this.chance.next();
    if (luck < 0.5) return this.chance.between(2, 8) * 1000;
    if (luck < 0.99) return this.chance.between(8, 107) * 1000;
    return this.chance.between(2, 75) * MINUTE_MS;
  }
}

/** Returns the IP address of a person whose name ends in a number. */
export function addressOf(owner = '0'): string {
  const n = Number(owner.split(' ').at(-1));
  return `10.${owner.startsWith('attacker') ? 1 : 0}.${Math.floor(n / 256)}.${n % 256}`;
}
