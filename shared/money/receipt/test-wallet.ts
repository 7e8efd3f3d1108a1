import { createHash } from 'node:crypto';
import { shownMoney } from '../../ghana/money.ts';
import type { WalletPayment } from '../../ghana/wallet-text/reading.ts';
import { retentionOf } from '../../merchants/merchant/twin.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import { endOfRetention } from '../../runtime/outside/retention.ts';
import { MovedOn } from '../transaction/change-transaction.table.ts';
import { findTransaction, type Transaction } from '../transaction/transaction.table.ts';
import { getReceipt } from './receipt.table.ts';
import { paymentReceiptId } from './receipt.ts';
import { settlePayment } from './settle-receipt.ts';
import { reversePayment } from './settle-reversal.ts';
import { newTestTransactionId } from './test-transaction-id.ts';

/** What a text may say besides, and says of no test. */
const NO_MORE = {
  kind: 'payment',
  payerIsInstitution: false,
  payerPhone: null,
  via: null,
  balancePesewas: 1_000_00,
  chargesPesewas: 0,
} as const;

/** The wallet of a twin, which nobody can pay to. */
export class TestWallet {
  readonly #outside: Outside;
  readonly #charge: Transaction;
  readonly #seed: string;

  constructor(outside: Outside, charge: Transaction, seed: string) {
    this.#outside = outside;
    this.#charge = charge;
    this.#seed = seed;
  }

  async payIfPending(pesewas: number): Promise<void> {
    if (this.#charge.state === 'pending') await this.pay(pesewas);
  }

  /** `n` tells the payments of one seed apart. One that was made already is left. */
  async pay(pesewas: number, payer: Partial<WalletPayment> = {}, n = 1): Promise<void> {
    const { momo_network: network, momo_number, customer_name, reference } = this.#charge;
    const transactionId = newTestTransactionId(network, () => this.#hash(n));
    if (await getReceipt(this.#outside, paymentReceiptId(network, momo_number, transactionId))) return;
    const payerName = (customer_name ?? 'Test Customer').toUpperCase();
    await this.#settle({ ...NO_MORE, network, amountPesewas: pesewas, payerName, reference, transactionId, ...payer });
  }

  /** Another text reports the payment with another balance. */
  async contradict(): Promise<void> {
    const payment = await this.#payment();
    await this.#settle({
      ...NO_MORE,
      network: payment.network,
      amountPesewas: payment.amount_pesewas,
      payerName: payment.payer_name ?? '',
      reference: this.#charge.reference,
      transactionId: payment.transaction_id,
      balancePesewas: 0,
    });
  }

  async reverse(): Promise<void> {
    const { network, transaction_id } = await this.#payment();
    await reversePayment(this.#outside, network, transaction_id, this.#origin('TEST: a payment was reversed'));
  }

  async #payment() {
    const charge = await findTransaction(this.#outside, this.#charge.reference);
    if (charge?.payment) return charge.payment;
    throw new MovedOn('This charge was never paid: there is nothing to contradict or to take back.');
  }

  async #settle(payment: WalletPayment): Promise<void> {
    const { merchant_id, momo_number: number, momo_network: network, momo_account_name: account_name } = this.#charge;
    const { amountPesewas, payerName, reference, transactionId } = payment;
    const text = `TEST: ${shownMoney(amountPesewas)} from ${payerName}, reference ${reference ?? 'none'}, ID ${transactionId}`;
    await settlePayment(this.#outside, payment, this.#origin(text), [{ merchant_id, number, network, account_name }]);
  }

  #origin(text: string) {
    const { merchant_id, momo_number } = this.#charge;
    const received_at = new Date(this.#outside.now()).toISOString();
    const ends = endOfRetention(retentionOf(this.#outside, merchant_id), received_at);
    return { momo_number, sender: 'TEST', text, received_at, merchant_id, ...ends };
  }

  #hash(n: number): Buffer {
    return createHash('sha256').update(`${this.#charge.reference} ${this.#seed} ${n}`).digest();
  }
}
