import { DEFAULT_CONFIRM_UNPROVEN_UP_TO_PESEWAS } from '../../shared/merchants/merchant/merchant.ts';
import { receiptRows } from '../../shared/money/receipt/receipt.table.ts';
import type { Receipt } from '../../shared/money/receipt/receipt.ts';
import { HOUR_MS, MINUTE_MS } from '../../shared/runtime/values/calendar.ts';
import { chainRows, type Wallet } from '../../shared/wallets/chain/chain.table.ts';
import { isPaused } from '../../shared/wallets/chain/guesses.ts';
import { nameBalance } from '../../shared/wallets/chain/name-balance.ts';
import { askPhoneAgain } from '../../shared/wallets/wallet/ask-again.ts';
import type { Boundary, Fault } from '../support/faults.ts';
import { WRITES } from '../support/faults.ts';
import { nameMature } from '../support/name-mature.ts';
import { type BookedText, WalletBook } from '../support/wallet-book.ts';
import { chargesIn, DEVICES, Kiosk } from './kiosk.ts';
import { type Chance, chanceFrom } from './random.ts';

const DEVICE = DEVICES[1];
const FAULTS = [
  'lose-request',
  'lose-answer',
  'throttle',
  'conflict',
  'internal',
  'delay',
  'die',
  'die-after',
] as const;
const FAULT_RATE = 0.02;

interface Paid {
  readonly reference: string;
  readonly text: BookedText;
}

/**
 * Random events in a wallet whose owner has named its balance: late, lost, copied and forged texts, with faults at every
 * call. The forger sometimes guesses the balance. The seed determines everything.
 */
export class ProofSimulation {
  readonly chance: Chance;
  readonly kiosk: Kiosk;
  readonly book: WalletBook;
  readonly honest: Paid[] = [];
  readonly forged: Paid[] = [];
  /** Forged texts with the correct balance after too many wrong guesses. */
  guessedRight = 0;
  /** Texts delayed by the network. */
  #late: { text: BookedText; atMs: number }[] = [];

  constructor(seed: number) {
    this.chance = chanceFrom(seed);
    this.kiosk = new Kiosk(this.chance);
    this.book = new WalletBook(() => this.kiosk.nowMs);
  }

  /** Opens the shops and names the wallet's balance. Nine texts make its transaction ids known. */
  async prepare(): Promise<void> {
    const { kiosk, book } = this;
    await kiosk.open(() => 50);
    for (const device of DEVICES) kiosk.pinging.add(device);
    await nameMature(kiosk.outside, this.wallet, book.pesewas);
    for (let n = 0; n < 9; n++) {
      this.#arrive(n % 3 === 0 ? book.spent(this.#amount(20)) : book.paid(this.#amount(90)));
      await kiosk.callBack();
      await kiosk.goOn();
      await kiosk.wait(5 * MINUTE_MS);
    }
    kiosk.isUnruly = true;
    kiosk.faults.decide = (boundary) => this.#fault(boundary);
    kiosk.faults.whileDelayed = () => this.#goOn();
  }

  get wallet(): Wallet {
    return { network: 'MTN', momo_number: this.kiosk.shops[1]?.number ?? '' };
  }

  async step(): Promise<void> {
    const { chance } = this;
    const happenings: readonly [number, () => Promise<unknown>][] = [
      [4, () => this.#pay()],
      [2, async () => this.#deliver(this.book.spent(this.#amount(40)))],
      [2, () => this.#forge()],
      [1, () => this.#payForged()],
      [1, () => this.#copy()],
      [1, () => this.#askAgain()],
      [1, () => this.#look()],
      [12, () => this.#goOn()],
      [3, () => this.#wait(chance.between(1_000, 3 * MINUTE_MS))],
      [1, () => this.#wait(chance.between(MINUTE_MS, HOUR_MS))],
    ];
    await chance.pickWeighted(happenings)();
    this.checkAlways();
  }

  /** Ends the faults and delivers late and missed texts. */
  async settle(): Promise<void> {
    const { kiosk } = this;
    kiosk.faults.decide = () => undefined;
    kiosk.isUnruly = false;
    for (let n = 0; n < 60; n++) {
      await this.#wait(10 * MINUTE_MS);
      await this.#askAgain();
      await kiosk.callBack();
      await kiosk.goOn();
      if (n % 10 === 9) await this.#look();
      this.checkAlways();
    }
    this.checkAtTheEnd();
  }

  /** Checks that forged payments are never verified and confirm only small amounts. */
  checkAlways(): void {
    const receipts = this.#receipts();
    const ofDay = new Map<string, number>();
    for (const { text } of this.forged) {
      const receipt = receipts.get(text.id);
      if (receipt?.proof?.state === 'proven') throw new Error(`The forged text ${text.id} is proven`);
      if (receipt?.state !== 'matched') continue;
      const pesewas = receipt.amount_pesewas ?? 0;
      if (pesewas > DEFAULT_CONFIRM_UNPROVEN_UP_TO_PESEWAS)
        throw new Error(`The forged text ${text.id} confirmed ${pesewas}`);
      const day = receipt.received_at.slice(0, 10);
      ofDay.set(day, (ofDay.get(day) ?? 0) + pesewas);
    }
    // A payment may be confirmed after midnight.
    const days = [...ofDay.entries()].sort();
    for (const [n, [day, pesewas]] of days.entries()) {
      const both = pesewas + (days[n + 1]?.[1] ?? 0);
      if (both > 6 * DEFAULT_CONFIRM_UNPROVEN_UP_TO_PESEWAS)
        throw new Error(`Forged texts confirmed ${both} from ${day} on`);
    }
  }

  /** Checks that every honest payment is verified or left to a person, and that no check is pending. */
  checkAtTheEnd(): void {
    const receipts = this.#receipts();
    const charges = new Map(chargesIn(this.kiosk.memory.items()).map((charge) => [charge.reference, charge]));
    const forged = new Set(this.forged.map(({ text }) => text.id));
    for (const { reference, text } of this.honest) {
      const receipt = receipts.get(text.id);
      const charge = charges.get(reference);
      const paidFirst = charge?.payment;
      const isForgedFirst = forged.has(paidFirst?.transaction_id ?? '') && paidFirst?.proof?.state === 'unproven';
      if (receipt?.proof?.state === 'unproven' && isLeftToPerson(receipt, isForgedFirst)) continue;
      if (receipt?.state !== 'matched' || receipt.reference !== reference || receipt.proof?.state !== 'proven') {
        throw new Error(`The payment ${text.id} is ${receipt?.state} ${receipt?.reason} ${receipt?.proof?.state}`);
      }
      if (charge?.state !== 'success') throw new Error(`The charge ${reference} is ${charge?.state}`);
      const proof = JSON.stringify(charge.payment?.proof);
      if (proof !== '{"state":"proven"}') throw new Error(`The charge ${reference} says of its payment ${proof}`);
    }
    for (const { text } of this.forged) {
      const receipt = receipts.get(text.id);
      if (receipt?.state === 'held' && receipt.reason === 'checking') throw new Error(`${text.id} is checked for ever`);
    }
  }

  async #pay(): Promise<void> {
    const amount = this.#amount(this.chance.pick([30, 400, 3000]));
    const reference = await this.#charge(amount);
    if (!reference) return;
    const text = this.book.paid(amount, { reference });
    this.honest.push({ reference, text });
    this.#deliver(text);
  }

  /** Forges a payment for a charge, before or after its customer's own payment. */
  async #payForged(): Promise<void> {
    const amount = this.#amount(this.chance.pick([20, 45]));
    const reference = await this.#charge(amount);
    if (!reference) return;
    const forge = () => {
      const text = this.book.receipt(amount, { reference, balance: this.chance.between(0, 2_000_000) });
      this.forged.push({ reference, text });
      this.#arrive(text);
    };
    const isFirst = this.chance.happens(0.7);
    if (isFirst) {
      forge();
      await this.kiosk.callBack();
      await this.#wait(this.chance.between(1_000, 4 * MINUTE_MS));
    }
    const text = this.book.paid(amount, { reference });
    this.honest.push({ reference, text });
    this.#deliver(text);
    if (!isFirst) forge();
    await this.kiosk.callBack();
  }

  async #forge(): Promise<void> {
    const amount = this.#amount(this.chance.pick([20, 45, 60, 900]));
    const reference = await this.#charge(amount);
    if (!reference) return;
    for (let n = this.chance.between(1, 3); n > 0; n--) {
      const isRight = (await this.#isPaused()) && this.chance.happens(0.4);
      if (isRight) this.guessedRight++;
      const balance = isRight ? this.book.pesewas + Math.round(amount * 100) : this.chance.between(0, 2_000_000);
      // A used id would cause a conflict, so the forged text has a new id.
      const off = this.chance.between(1_000, this.chance.pick([50_000, 5_000_000, 90_000_000]));
      const id = String(Number(this.book.nextId()) + (isRight ? 500 : this.chance.pick([off, -off])));
      const text = this.book.receipt(amount, { reference, balance, id });
      this.forged.push({ reference, text });
      this.#arrive(text);
    }
    await this.kiosk.callBack();
  }

  async #isPaused(): Promise<boolean> {
    const chain = await chainRows.find({ table: this.kiosk.outside.table }, this.wallet).catch(() => undefined);
    return chain !== undefined && isPaused(chain, this.kiosk.nowMs);
  }

  async #copy(): Promise<void> {
    if (this.honest.length > 0) this.#arrive(this.chance.pick(this.honest).text);
    await this.kiosk.callBack();
  }

  /** Delivers a text: usually at once, sometimes late or never. */
  #deliver(text: BookedText): void {
    if (this.chance.happens(0.15)) {
      this.#late.push({ text, atMs: this.kiosk.nowMs + this.chance.between(5_000, 5 * MINUTE_MS) });
    } else if (this.chance.happens(0.08)) this.kiosk.arrive(DEVICE, text.text, text.sender, true);
    else this.#arrive(text);
  }

  #arrive(text: BookedText): void {
    this.kiosk.arrive(DEVICE, text.text, text.sender, false);
  }

  async #wait(ms: number): Promise<void> {
    await this.kiosk.wait(ms);
    const due = this.#late.filter(({ atMs }) => atMs <= this.kiosk.nowMs);
    this.#late = this.#late.filter((one) => !due.includes(one));
    for (const { text } of due) this.#arrive(text);
    await this.kiosk.callBack();
  }

  async #askAgain(): Promise<void> {
    const now = new Date(this.kiosk.nowMs).toISOString();
    await askPhoneAgain(this.kiosk.outside, { gateway: 'phone', device_id: DEVICE }, new Date(0).toISOString(), now);
  }

  /** Names the wallet's balance as the owner. */
  async #look(): Promise<void> {
    await this.kiosk.faults.run('admin', () => nameBalance(this.kiosk.outside, this.wallet, this.book.pesewas));
  }

  async #goOn(): Promise<unknown> {
    switch (this.chance.pick(['relay', 'work', 'work', 'phones'])) {
      case 'relay':
        if (this.chance.happens(0.15)) this.kiosk.rewindStream(this.chance.between(1, 5));
        return this.kiosk.relay();
      case 'work':
        return this.kiosk.work();
      default:
        return this.kiosk.phonesWork();
    }
  }

  async #charge(amount: number): Promise<string | undefined> {
    const key = this.kiosk.shops[1]?.liveKey ?? '';
    const answer = await this.kiosk.request('transaction/initialize', { key, body: { amount } });
    return answer?.statusCode === 200 ? JSON.parse(answer.body).data.reference : undefined;
  }

  /** Returns an amount with pesewas, so that no balance occurs twice. */
  #amount(cedis: number): number {
    return cedis + this.chance.between(1, 999) / 100;
  }

  #receipts(): Map<string | undefined, Receipt> {
    const items = this.kiosk.memory.items().filter(({ sk }) => sk === 'RECEIPT');
    return new Map(items.map(receiptRows.parse).map((receipt) => [receipt.transaction_id, receipt]));
  }

  #fault({ what }: Boundary): Fault | undefined {
    if (!this.chance.happens(FAULT_RATE)) return undefined;
    const fault = this.chance.pick(FAULTS);
    return fault === 'conflict' && !WRITES.has(what) ? 'lose-answer' : fault;
  }
}

const LEFT_TO_PERSON = new Set(['balance_unsure', 'balance_gap', 'anchor_young', 'charge_disputed']);

/**
 * Returns true if a person must decide about a payment. `isForgedFirst`: a forged payment has already paid the charge.
 */
function isLeftToPerson({ state, reason }: Receipt, isForgedFirst: boolean): boolean {
  if (reason === 'already_paid') return isForgedFirst;
  return state === 'matched' || (reason !== undefined && LEFT_TO_PERSON.has(reason));
}

/** Runs one seed to the end. @throws Violation */
export async function runProofSeed(seed: number, operations: number): Promise<ProofSimulation> {
  const simulation = new ProofSimulation(seed);
  await simulation.prepare();
  for (let n = 0; n < operations; n++) await simulation.step();
  await simulation.settle();
  return simulation;
}
