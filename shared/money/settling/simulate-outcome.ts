import * as z from 'zod/mini';
import { shownMoney } from '../../ghana/money.ts';
import type { WalletPayment } from '../../ghana/wallet-text/reading.ts';
import { isTestAccount, retentionOf } from '../../merchants/merchant/test-account.ts';
import { countTests } from '../../merchants/merchant/test-limit.table.ts';
import { nowIso, type Outside } from '../../runtime/outside/outside.ts';
import { endOfRetention } from '../../runtime/outside/retention.ts';
import { retryIfChanged } from '../../runtime/table/contention.ts';
import { described, requestBody } from '../../runtime/values/described.ts';
import { invalidRequest, PublicError } from '../../runtime/values/errors.ts';
import { sha256Bytes } from '../../runtime/values/sha256.ts';
import { MovedOn } from '../charge/change-charge.table.ts';
import { type Charge, chargeRows } from '../charge/charge.table.ts';
import { statusOf } from '../charge/charge.ts';
import { missingPesewas } from '../payment/payment.ts';
import { receiptRows } from '../receipt/receipt.table.ts';
import { newTestTransactionId, paymentReceiptId } from '../receipt/receipt.ts';
import { endPending } from './end-charge.ts';
import { settlePayment } from './settle-receipt.ts';
import { reversePayment } from './settle-reversal.ts';

export const Outcome = z.enum(
  ['paid', 'underpaid', 'overpaid', 'paid_twice', 'held', 'disputed', 'reversed', 'expired'],
  'must be "paid", "underpaid", "overpaid", "paid_twice", "held", "disputed", "reversed" or "expired"',
);
export type Outcome = z.infer<typeof Outcome>;

export const SimulateRequest = requestBody('SimulateRequest', {
  outcome: described(
    Outcome,
    '`paid`: a payment of the outstanding amount, with the reference. `underpaid`: half of it. `overpaid`: one cedi more. `paid_twice`: two payments; the second is held. `held`: a payment by somebody else without the reference. `disputed`, `reversed`: the payment is contradicted or reversed; if there is none, one is made first. `expired`: the charge expires now.',
  ),
});

/**
 * Requires a test charge. `askerId`: the merchant whose key was used.
 * @throws PublicError `not_found`.
 */
export function requireTest(charge: Charge | undefined, askerId?: string): Charge {
  if (charge && isTestAccount(charge.merchant_id)) return charge;
  const reason =
    askerId === undefined || isTestAccount(askerId)
      ? 'You have no test charge with this reference'
      : 'This is a live key, and only test charges can be simulated';
  throw new PublicError('not_found', `${reason}. Create a test charge with a key that starts with sk_test_.`);
}

/**
 * Simulates an outcome for a test charge and returns the resulting charge. Simulated payments are processed like real
 * ones. Idempotent: calls with the same `seed` create the same payments.
 * @throws PublicError `charge_not_pending`, `invalid_request`, `too_many_requests`.
 */
export async function simulateOutcome(
  outside: Outside,
  charge: Charge,
  outcome: Outcome,
  seed: string = outside.randomBytes(16).toString('hex'),
): Promise<Charge> {
  await outside.table.write(countTests(outside, charge.merchant_id));
  const wallet = new TestWallet(outside, charge, seed);
  if (outcome === 'expired') await expireNow(outside, charge);
  else await makePayments(wallet, outcome, missingPesewas(charge) || charge.amount_pesewas);
  return requireTest(await chargeRows.find(outside, charge));
}

async function makePayments(wallet: TestWallet, outcome: Exclude<Outcome, 'expired'>, missing: number): Promise<void> {
  switch (outcome) {
    case 'paid':
      return wallet.pay(missing);
    case 'underpaid':
      if (missing < 2)
        throw invalidRequest([{ field: 'outcome', message: 'cannot be underpaid: only 1 pesewa is still due' }]);
      return wallet.pay(Math.floor(missing / 2));
    case 'overpaid':
      return wallet.pay(missing + ONE_CEDI_PESEWAS);
    case 'held':
      // An institution's name never matches a customer, so the payment is always held.
      return wallet.pay(missing, { payerName: 'TEST STRANGER', payerIsInstitution: true, reference: null });
    case 'paid_twice':
      await wallet.payIfPending(missing);
      return wallet.pay(missing, {}, 2);
    case 'disputed':
      await wallet.payIfPending(missing);
      return wallet.contradict();
    case 'reversed':
      await wallet.payIfPending(missing);
      return wallet.reverse();
  }
}

const ONE_CEDI_PESEWAS = 100;

/**
 * Expires a pending charge. Does nothing if it has already expired.
 * @throws MovedOn
 */
async function expireNow(outside: Outside, { reference }: Charge): Promise<void> {
  await retryIfChanged(async () => {
    const charge = requireTest(await chargeRows.find(outside, { reference }));
    if (charge.state === 'expired') return;
    if (charge.state !== 'pending') {
      throw new MovedOn(`Only a pending charge can expire; this one is ${statusOf(outside, charge)}.`);
    }
    const now = nowIso(outside);
    await outside.table.write(await endPending(outside, charge, now));
  });
}

/** Default fields of a test payment. */
const NO_MORE = {
  kind: 'payment',
  payerIsInstitution: false,
  payerPhone: null,
  via: null,
  balancePesewas: 1_000_00,
  chargesPesewas: 0,
} as const;

/** A test account's wallet, to which nobody can send money. */
class TestWallet {
  readonly #outside: Outside;
  readonly #charge: Charge;
  readonly #seed: string;

  constructor(outside: Outside, charge: Charge, seed: string) {
    this.#outside = outside;
    this.#charge = charge;
    this.#seed = seed;
  }

  async payIfPending(pesewas: number): Promise<void> {
    if (this.#charge.state === 'pending') await this.pay(pesewas);
  }

  /** Creates a payment unless it exists. `n` distinguishes payments with the same seed. */
  async pay(pesewas: number, payer: Partial<WalletPayment> = {}, n = 1): Promise<void> {
    const { momo_network: network, momo_number, customer_name, reference } = this.#charge;
    const transactionId = newTestTransactionId(network, () => this.#hash(n));
    if (await receiptRows.find(this.#outside, { receipt_id: paymentReceiptId(network, momo_number, transactionId) }))
      return;
    const payerName = (customer_name ?? 'Test Customer').toUpperCase();
    await this.#settle({ ...NO_MORE, network, amountPesewas: pesewas, payerName, reference, transactionId, ...payer });
  }

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
    await reversePayment(this.#outside, { network, transaction_id }, this.#origin('TEST: a payment was reversed'));
  }

  async #payment() {
    const charge = await chargeRows.find(this.#outside, { reference: this.#charge.reference });
    if (charge?.payment) return charge.payment;
    throw new MovedOn('This charge was never paid, so its payment cannot be disputed or reversed.');
  }

  async #settle(payment: WalletPayment): Promise<void> {
    const { merchant_id, momo_number: number, momo_network: network, momo_account_name: account_name } = this.#charge;
    const { amountPesewas, payerName, reference, transactionId } = payment;
    const text = `TEST: ${shownMoney(amountPesewas)} from ${payerName}, reference ${reference ?? 'none'}, ID ${transactionId}`;
    const accounts = [{ merchant_id, number, network, account_name }];
    await settlePayment(this.#outside, payment, this.#origin(text), { accounts });
  }

  #origin(text: string) {
    const { merchant_id, momo_number } = this.#charge;
    const received_at = nowIso(this.#outside);
    const ends = endOfRetention(retentionOf(this.#outside, merchant_id), received_at);
    return { momo_number, sender: 'TEST', text, received_at, merchant_id, ...ends };
  }

  #hash(n: number): Buffer {
    return sha256Bytes(`${this.#charge.reference} ${this.#seed} ${n}`);
  }
}
