import type { RetryOutside } from '../../shared/runtime/outside/outside.ts';
import { listWaiting, removeWaiting, type Wallet } from '../../shared/wallets/chain/chain.table.ts';
import { changeChain } from '../../shared/wallets/chain/change-chain.ts';
import { nameMature } from './name-mature.ts';
import { arrive, type ReceiptText, type Shop } from './receipts.ts';
import type { World } from './world.ts';

/** Number of transaction ids that the network assigns per millisecond. */
const IDS_A_MS = 67_000_000 / (24 * 60 * 60 * 1000);

/** Close to MTN's first transaction id of 2026. */
const FIRST_ID = 72_000_000_000;

export interface BookedText extends ReceiptText {
  readonly receivedAt: string;
}

/**
 * An MTN wallet as the network records it. Transaction ids increase, and every movement changes the balance, even if
 * its text never arrives.
 */
export class WalletBook {
  readonly #now: () => number;
  pesewas = 500_000;
  #lastId = 0;
  #jumped = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Records a payment. The payer controls only `reference`. */
  paid(amount: number, { from = 'KOFI MENSAH BOATENG', reference = '1' } = {}): BookedText {
    this.pesewas += Math.round(amount * 100);
    return this.receipt(amount, { from, reference, id: this.nextId(), balance: this.pesewas });
  }

  spent(amount: number): BookedText {
    this.pesewas -= Math.round(amount * 100);
    const id = this.nextId();
    const text = `Payment for GHS${amount.toFixed(2)} to PRISCILLA OWUSU .Current Balance: GHS ${shown(this.pesewas)}. Transaction Id: ${id}. Fee charged: GHS0.00,Tax Charged 0.`;
    return this.#text(id, text);
  }

  /** Records a reversal. Its text states the remaining balance. */
  reversed({ id }: Pick<BookedText, 'id'>, amount: number): BookedText {
    this.pesewas -= Math.round(amount * 100);
    const text = `Transaction ${id} of GHS ${amount.toFixed(2)} has been reversed. Current Balance: GHS ${shown(this.pesewas)}`;
    return this.#text(id, text);
  }

  /** Records a bank transfer. Its text states the remaining balance but not the amount. */
  sentToBank(amount: number): BookedText {
    this.pesewas -= Math.round(amount * 100);
    return this.bankText(this.pesewas / 100);
  }

  /** Forges a text about a bank transfer. */
  bankText(balance: number): BookedText {
    const id = this.nextId();
    const text = `Deposit made to your bank account number: ****1234. Current Mobile Money Balance: GHS GHS ${balance.toFixed(2)}. Transaction ID: ${id}.`;
    return this.#text(id, text);
  }

  deposited(amount: number): BookedText {
    this.pesewas += Math.round(amount * 100);
    const id = this.nextId();
    const text = `Cash In received for GHS ${amount.toFixed(2)} from JOE AGENT. Current Balance: GHS ${shown(this.pesewas)}. Transaction ID: ${id}.`;
    return this.#text(id, text);
  }

  /** Returns a payment text with arbitrary content, as a forger could write. */
  receipt(
    amount: number,
    { from = 'KOFI MENSAH BOATENG', reference = '1', id = this.nextId(), balance, fee = 0 }: ForgedText,
  ): BookedText {
    const text =
      `Payment received for GHS ${amount.toFixed(2)} from ${from} Current Balance: GHS ${shown(balance)} . ` +
      `Available Balance: GHS ${shown(balance)}. Reference: ${reference}. Transaction ID: ${id}. TRANSACTION FEE: ${fee.toFixed(2)}`;
    return this.#text(id, text);
  }

  nextId(): string {
    const now = FIRST_ID + this.#jumped + Math.round((this.#now() - Date.UTC(2026, 0, 1)) * IDS_A_MS);
    this.#lastId = Math.max(now, this.#lastId + 1);
    return String(this.#lastId);
  }

  jump(by: number): void {
    this.#jumped += by;
    this.#lastId = 0;
  }

  #text(id: string, text: string): BookedText {
    const receivedAt = new Date(this.#now()).toISOString();
    return { sender: 'MobileMoney', text, id, network: 'MTN', receivedAt };
  }
}

/**
 * Names a wallet's balance and delivers texts, seven minutes apart. Only tests of transaction ids and of long histories
 * need all 24.
 */
export async function provenBook(world: World, shop: Shop, texts: 0 | 6 | 24 = 6): Promise<WalletBook> {
  const book = new WalletBook(() => world.clock.nowMs);
  await nameMature(world.outside, { network: shop.network, momo_number: shop.number }, book.pesewas);
  for (let n = 0; n < texts; n += 3) {
    for (const text of [book.paid(120), book.spent(35.5), book.paid(7.25)]) {
      await arrive(world, shop, text);
      world.clock.nowMs += 7 * 60_000;
    }
  }
  return book;
}

/** Deletes waiting forged texts, which would otherwise count as guesses when a genuine text is linked. */
export async function forgetGuesses({ outside }: { readonly outside: RetryOutside }, wallet: Wallet): Promise<void> {
  const waiting = await listWaiting(outside, wallet);
  await outside.table.write(waiting.map((text) => removeWaiting(wallet, text)));
  await changeChain(outside, wallet, () => ({ waiting: 0, failed_ms: [] }));
}

interface ForgedText {
  readonly from?: string;
  readonly reference?: string;
  readonly id?: string;
  readonly balance: number;
  readonly fee?: number;
}

function shown(pesewas: number): string {
  return (pesewas / 100).toFixed(2);
}
