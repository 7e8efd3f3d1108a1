import { CURRENCY } from '../../ghana/country.ts';
import { ghsOf } from '../../ghana/money.ts';
import { type Merchant, type MomoAccount, nameDecidesUpToPesewas } from '../../merchants/merchant/merchant.ts';
import { isTwin, retentionOf } from '../../merchants/merchant/twin.ts';
import { type Clock, isoOf, type Outside } from '../../runtime/outside/outside.ts';
import { endOfRetention } from '../../runtime/outside/retention.ts';
import { retryIfChanged } from '../../runtime/table/contention.ts';
import { invalidRequest, PublicError } from '../../runtime/values/errors.ts';
import { metadataValue } from '../../runtime/values/metadata.ts';
import { orNull } from '../../runtime/values/or-null.ts';
import { presentProof } from '../../wallets/chain/proof.ts';
import { type Payment, reversibleUntil } from '../payment/payment.ts';
import { type EndedParts, presentArrived, presentArrivedFor, proofOfCharge } from '../payment/shown-payment.ts';
import { matchableName } from './customer-name.ts';
import { type CodeGoods, codeOf } from './goods.ts';
import { HTTPS_CALLBACK, isHttps, MAX_EXPIRES_IN_SECONDS } from './initialize-limits.ts';
import type { InitializeRequest } from './initialize-request.ts';
import { cameWith } from './origin.ts';
import type {
  NewTransactionResponse,
  PaymentResponse,
  RefundResponse,
  SecondPaymentResponse,
  TransactionResponse,
} from './responses.ts';
import type { TransactionStatus } from './states.ts';
import {
  CHARGE_LIFETIME_MS,
  newAccessCode,
  newReference,
  ReferenceTaken,
  type Transaction,
} from './transaction.table.ts';

/** The longest that a merchant may give a customer to pay. */
export const MAX_CHARGE_LIFETIME_MS = MAX_EXPIRES_IN_SECONDS * 1000;

/** What a charge is made of: what is asked with it, where it comes from, and what leaves for it. */
export interface NewCharge extends Pick<Transaction, 'origin' | 'goods'> {
  readonly asked: InitializeRequest;
}

/**
 * A new charge of the merchant's, not yet written. @throws PublicError `no_momo_number` if nobody could pay it, `invalid_request` for
 * what only a test charge may have.
 */
export function newTransaction(outside: Outside, merchant: Merchant, { asked, origin, goods }: NewCharge): Transaction {
  const { amount, currency, expires_in, unique_reference, ...others } = asked;
  // Every other field is kept as it was asked, so the row has one of its name.
  const kept: Pick<Transaction, keyof typeof others> = others;
  const [account] = merchant.momo_accounts;
  if (!account) {
    throw new PublicError(
      'no_momo_number',
      'This merchant has no MoMo number to receive payments on. Ask the operator to set one.',
    );
  }
  const mayBeHere = isTwin(merchant.merchant_id) || outside.allowsThisMachine;
  if (kept.callback_url !== undefined && !isHttps(kept.callback_url) && !mayBeHere) {
    throw invalidRequest([{ field: 'callback_url', message: HTTPS_CALLBACK }]);
  }
  const reference = newReference(outside.randomBytes);
  const nowMs = outside.now();
  const created_at = isoOf(nowMs);
  const lifetimeMs = expires_in === undefined ? CHARGE_LIFETIME_MS : expires_in * 1000;
  return {
    reference,
    access_code: newAccessCode(reference, outside.randomBytes),
    merchant_id: merchant.merchant_id,
    merchant_name: merchant.name,
    merchant_contact: merchant.contact,
    state: 'pending',
    amount_pesewas: amount,
    momo_number: account.number,
    momo_network: account.network,
    momo_account_name: account.account_name,
    momo_accounts: merchant.momo_accounts.some(({ network }) => network !== account.network)
      ? merchant.momo_accounts
      : undefined,
    ...kept,
    origin,
    goods,
    created_at,
    expires_at: isoOf(nowMs + lifetimeMs),
    ...endOfRetention(retentionOf(outside, merchant.merchant_id), created_at),
  };
}

/** Does `create` with new references until one is free. */
export function withFreeReference<Result>(create: () => Promise<Result>): Promise<Result> {
  // With a billion charges a reference is in use one time in ten; ten in a row means a broken random source.
  return retryIfChanged(create, { isChanged: (error) => error instanceof ReferenceTaken, tries: 10 });
}

/** The answer of `initialize` to this body. */
export function presentNewTransaction(
  outside: Outside,
  merchant: Merchant,
  rawBody: string,
  transaction: Transaction,
): NewTransactionResponse {
  return {
    authorization_url: `${outside.baseUrl}/checkout/${transaction.access_code}`,
    ...orNull(transaction, 'access_code', 'reference'),
    livemode: !isTwin(transaction.merchant_id),
    amount: ghsOf(transaction.amount_pesewas),
    currency: CURRENCY,
    ...orNull(transaction, 'momo_number', 'momo_network', 'expires_at'),
    warnings: [...amountWarnings(rawBody, transaction), ...nameWarnings(merchant, transaction)],
  };
}

// Sentences about input that was accepted but may not do what its sender expects.

/** Paystack takes an amount in pesewas, often as digits in a string, and an e-mail with each. */
function amountWarnings(rawBody: string, { email, amount_pesewas }: Transaction): string[] {
  if (email === undefined || !/"amount"\s*:\s*"\d{3,}"/.test(rawBody)) return [];
  return [
    `amount is in cedis: the customer is asked to pay ${CURRENCY} ${ghsOf(amount_pesewas)}. If ${amount_pesewas / 100} pesewas were meant, send ${ghsOf(Math.round(amount_pesewas / 100))}.`,
  ];
}

function nameWarnings(merchant: Merchant, { customer_name, amount_pesewas }: Transaction): string[] {
  if (customer_name === undefined) return [];
  if (!matchableName(customer_name)) {
    return [
      'customer_name is stored but not matched: give two to four names, each written out, as registered with MoMo (Kofi Mensah). The payment needs the reference.',
    ];
  }
  const mostPesewas = nameDecidesUpToPesewas(merchant);
  if (amount_pesewas <= mostPesewas) return [];
  return [
    mostPesewas === 0
      ? 'customer_name is stored but not matched: matching by name is switched off for this merchant. The payment needs the reference.'
      : `customer_name is stored but not matched: a name confirms payments up to ${CURRENCY} ${ghsOf(mostPesewas)} for this merchant. The payment needs the reference.`,
  ];
}

/** The whole charge, as `verify` and webhooks show it to its merchant. */
export function presentTransaction(
  outside: Outside,
  transaction: Transaction,
  { second_payments, ended }: { second_payments: SecondPaymentResponse[]; ended?: EndedParts | undefined },
): TransactionResponse {
  const { disputed } = transaction;
  const code = codeOf(transaction);
  return {
    reference: transaction.reference,
    livemode: !isTwin(transaction.merchant_id),
    status: statusOf(outside, transaction),
    amount: ghsOf(transaction.amount_pesewas),
    currency: CURRENCY,
    ...orNull(transaction, 'email', 'customer_name', 'customer_phone', 'description', 'merchant_reference'),
    metadata: metadataValue(transaction.metadata),
    ...orNull(cameWith(transaction), 'link', 'request', 'customer_note'),
    code: code ? presentCode(code) : null,
    ...orNull(transaction, 'callback_url', 'momo_number', 'momo_network', 'created_at', 'expires_at'),
    ...orNull(transaction, 'paid_at', 'expired_at', 'cancelled_at', 'reversed_at', 'unmarked_at'),
    ...presentArrivedFor(transaction, ended),
    parts: (transaction.parts ?? []).map(presentPayment),
    payment: transaction.payment ? presentPayment(transaction.payment) : null,
    disputed: disputed ? orNull(disputed, 'at', 'why') : null,
    refunds: presentRefunds(transaction),
    second_payments,
  };
}

function presentCode({ state: status, ...code }: CodeGoods) {
  return { status, ...orNull(code, 'number', 'at') };
}

function presentRefunds(transaction: Transaction): RefundResponse[] {
  const proof = presentProof(proofOfCharge(transaction));
  return (transaction.refunds ?? []).map((refund) => {
    const { refund_id, state: status, amount_pesewas } = refund;
    const rest = orNull(refund, 'reason', 'noted_at', 'closed_at', 'closed_by', 'transaction_id');
    return { refund_id, status, amount: ghsOf(amount_pesewas), proof, ...rest };
  });
}

/** Where a charge can be paid: the number that its page shows first, and its merchant's with other networks. */
export function accountsOf(charge: Transaction): readonly MomoAccount[] {
  const { momo_network: network, momo_number: number, momo_account_name: account_name } = charge;
  return charge.momo_accounts ?? [{ network, number, account_name }];
}

/** Whether its payment has arrived, for itself or as a charge of a till. */
export function isSettled({ state, paid_as }: Pick<Transaction, 'state' | 'paid_as'>): boolean {
  return state === 'success' || paid_as !== undefined;
}

export function statusOf(outside: Clock, { state, expires_at, paid_as }: Transaction): TransactionStatus {
  if (paid_as !== undefined && (state === 'pending' || state === 'expired')) return 'cancelled';
  return state === 'pending' && Date.parse(expires_at) <= outside.now() ? 'expired' : state;
}

/** A payment's mark by hand, as its merchant sees it. */
export function presentMarked({ marked }: Pick<Payment, 'marked'>): PaymentResponse['marked'] {
  return marked ? orNull(marked, 'how', 'at') : null;
}

/** A payment as its merchant sees it. */
function presentPayment(payment: Payment): PaymentResponse {
  return {
    ...orNull(payment, 'network', 'transaction_id'),
    ...presentArrived(payment.amount_pesewas, payment.proof),
    ...orNull(payment, 'payer_name', 'payer_phone', 'received_at', 'matched_by'),
    reversible_until: reversibleUntil(payment),
    marked: presentMarked(payment),
    receipt_id: payment.receipt_id,
  };
}
