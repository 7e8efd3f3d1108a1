import { CURRENCY } from '../../ghana/country.ts';
import { ghsOf } from '../../ghana/money.ts';
import { type Merchant, type MomoAccount, nameDecidesUpToPesewas } from '../../merchants/merchant/merchant.ts';
import { isTestAccount, retentionOf } from '../../merchants/merchant/test-account.ts';
import { type Clock, isoOf, type Outside } from '../../runtime/outside/outside.ts';
import { endOfRetention } from '../../runtime/outside/retention.ts';
import { retryIfChanged } from '../../runtime/table/contention.ts';
import { invalidRequest, PublicError } from '../../runtime/values/errors.ts';
import { metadataValue } from '../../runtime/values/metadata.ts';
import { orNull } from '../../runtime/values/or-null.ts';
import { presentProof } from '../../wallets/chain/proof.ts';
import {
  type ChargeState,
  missingPesewas,
  type Payment,
  refundedPesewas,
  reversibleUntil,
  shownDispute,
} from '../payment/payment.ts';
import { type EndedParts, presentArrived, presentArrivedFor, proofOfCharge } from '../payment/shown-payment.ts';
import { CHARGE_LIFETIME_MS, type Charge, newAccessCode, newReference, ReferenceTaken } from './charge.table.ts';
import { matchableName } from './customer-name.ts';
import { type CodeGoods, codeOf } from './goods.ts';
import { HTTPS_CALLBACK, isHttps, MAX_EXPIRES_IN_SECONDS } from './initialize-limits.ts';
import type { InitializeRequest } from './initialize-request.ts';
import { cameWith } from './origin.ts';
import type {
  ChargeResponse,
  NewChargeResponse,
  PaymentResponse,
  RefundResponse,
  SecondPaymentResponse,
} from './responses.ts';

export const MAX_CHARGE_LIFETIME_MS = MAX_EXPIRES_IN_SECONDS * 1000;

export interface NewCharge extends Pick<Charge, 'origin' | 'goods'> {
  readonly asked: InitializeRequest;
}

/**
 * Builds a charge without storing it.
 * @throws PublicError `no_momo_number` if nobody could pay the charge, `invalid_request` if a field is allowed only for
 * test charges.
 */
export function newCharge(outside: Outside, merchant: Merchant, { asked, origin, goods }: NewCharge): Charge {
  const { amount, currency, expires_in, unique_reference, ...others } = asked;
  const kept: Pick<Charge, keyof typeof others> = others;
  const [account] = merchant.momo_accounts;
  if (!account) {
    throw new PublicError(
      'no_momo_number',
      'This merchant has no MoMo number to receive payments on. Ask the operator to set one.',
    );
  }
  const mayBeHere = isTestAccount(merchant.merchant_id) || outside.allowsThisMachine;
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

/**
 * Retries `create` with new references until one is unused. Ten collisions in a row mean that the random source is
 * broken, because even a billion charges use only one reference in ten.
 */
export function withFreeReference<Result>(create: () => Promise<Result>): Promise<Result> {
  return retryIfChanged(create, { isChanged: (error) => error instanceof ReferenceTaken, tries: 10 });
}

export function presentNewCharge(
  outside: Outside,
  merchant: Merchant,
  rawBody: string,
  charge: Charge,
): NewChargeResponse {
  return {
    authorization_url: `${outside.baseUrl}/checkout/${charge.access_code}`,
    ...orNull(charge, 'access_code', 'reference'),
    livemode: !isTestAccount(charge.merchant_id),
    amount: ghsOf(charge.amount_pesewas),
    currency: CURRENCY,
    ...orNull(charge, 'momo_number', 'momo_network', 'expires_at'),
    warnings: [...amountWarnings(rawBody, charge), ...nameWarnings(merchant, charge)],
  };
}

// Warnings about valid input that the caller may not have meant.

/**
 * Paystack requires an e-mail address and takes pesewas, often as a string of digits. A caller who sends both an e-mail
 * address and a string of digits may therefore mean pesewas.
 */
function amountWarnings(rawBody: string, { email, amount_pesewas }: Charge): string[] {
  if (email === undefined || !/"amount"\s*:\s*"\d{3,}"/.test(rawBody)) return [];
  return [
    `amount is in cedis: the customer will be asked to pay ${CURRENCY} ${ghsOf(amount_pesewas)}. If you meant ${amount_pesewas / 100} pesewas, send ${ghsOf(Math.round(amount_pesewas / 100))}.`,
  ];
}

function nameWarnings(merchant: Merchant, { customer_name, amount_pesewas }: Charge): string[] {
  if (customer_name === undefined) return [];
  if (!matchableName(customer_name)) {
    return [
      'customer_name is stored but not matched: send two to four full names, as registered with MoMo (Kofi Mensah). The payment will need the reference.',
    ];
  }
  const mostPesewas = nameDecidesUpToPesewas(merchant);
  if (amount_pesewas <= mostPesewas) return [];
  return [
    mostPesewas === 0
      ? 'customer_name is stored but not matched: matching by name is turned off for this merchant. The payment will need the reference.'
      : `customer_name is stored but not matched: this merchant confirms payments by name only up to ${CURRENCY} ${ghsOf(mostPesewas)}. The payment will need the reference.`,
  ];
}

export function presentChargeRow(
  outside: Outside,
  charge: Charge,
  { second_payments, ended }: { second_payments: SecondPaymentResponse[]; ended?: EndedParts | undefined },
): ChargeResponse {
  const code = codeOf(charge);
  return {
    reference: charge.reference,
    livemode: !isTestAccount(charge.merchant_id),
    status: statusOf(outside, charge),
    amount: ghsOf(charge.amount_pesewas),
    currency: CURRENCY,
    ...orNull(charge, 'email', 'customer_name', 'customer_phone', 'description', 'merchant_reference'),
    metadata: metadataValue(charge.metadata),
    ...orNull(cameWith(charge), 'link', 'request', 'customer_note'),
    code: code ? presentCode(code) : null,
    ...orNull(charge, 'callback_url', 'momo_number', 'momo_network', 'created_at', 'expires_at'),
    ...orNull(charge, 'paid_at', 'expired_at', 'cancelled_at', 'reversed_at', 'unmarked_at'),
    ...presentArrivedFor(charge, ended),
    parts: (charge.parts ?? []).map(presentPayment),
    payment: charge.payment ? presentPayment(charge.payment) : null,
    disputed: shownDispute(charge) ?? null,
    refunds: presentRefunds(charge),
    second_payments,
  };
}

function presentCode({ state: status, ...code }: CodeGoods) {
  return { status, ...orNull(code, 'number', 'at') };
}

function presentRefunds(charge: Charge): RefundResponse[] {
  const proof = presentProof(proofOfCharge(charge));
  return (charge.refunds ?? []).map((refund) => {
    const { refund_id, state: status, amount_pesewas } = refund;
    const rest = orNull(refund, 'reason', 'noted_at', 'closed_at', 'closed_by', 'transaction_id');
    return { refund_id, status, amount: ghsOf(amount_pesewas), proof, ...rest };
  });
}

export function accountsOf(charge: Charge): readonly MomoAccount[] {
  const { momo_network: network, momo_number: number, momo_account_name: account_name } = charge;
  return charge.momo_accounts ?? [{ network, number, account_name }];
}

/**
 * True if a person can still undo a charge's payments. False once a refund was recorded, for taps, which have their own
 * undo, and for credits that the buyer may have spent. Other goods may have left.
 */
export function mayUndo({ state, goods, refunds }: Pick<Charge, 'state' | 'goods' | 'refunds'>): boolean {
  const isTapOrCredits = goods?.kind === 'take' || goods?.kind === 'credits';
  const isFinal = goods?.state === 'taken_back' || (goods?.state === 'given' && isTapOrCredits);
  return (state === 'pending' || state === 'success') && !isFinal && refundedPesewas(refunds) === 0;
}

/** True if goods were handed over, or a person released them. */
export function haveLeft({ goods, released_by }: Pick<Charge, 'goods' | 'released_by'>): boolean {
  return goods?.state === 'given' || released_by !== undefined;
}

/** True if this charge, or the till's charge that replaced it, is paid. */
export function isSettled({ state, paid_as }: Pick<Charge, 'state' | 'paid_as'>): boolean {
  return state === 'success' || paid_as !== undefined;
}

/** Returns true if a payment request's charge was closed as paid before all of its parts had arrived. */
export function endedAtParts({ state, asked_pesewas }: Pick<Charge, 'state' | 'asked_pesewas'>): boolean {
  return state === 'success' && asked_pesewas !== undefined;
}

/** False for a part that was matched without a typed reference. True for every other receipt. */
export function isHeldByName({ parts = [] }: Pick<Charge, 'parts'>, receiptId: string): boolean {
  return parts.every(({ receipt_id, matched_by }) => receipt_id !== receiptId || matched_by === 'reference');
}

/**
 * True if a payment request's charge counts as paid with less than its original amount, so the request still needs the
 * rest.
 */
export function isRestOwed(charge: Charge): boolean {
  const isShort = charge.state === 'success' && missingPesewas(charge) > 0;
  return endedAtParts(charge) || (isShort && charge.origin.kind === 'request');
}

export function statusOf(outside: Clock, { state, expires_at, paid_as }: Charge): ChargeState {
  if (paid_as !== undefined && (state === 'pending' || state === 'expired')) return 'cancelled';
  return state === 'pending' && Date.parse(expires_at) <= outside.now() ? 'expired' : state;
}

export function presentMarked({ marked }: Pick<Payment, 'marked'>): PaymentResponse['marked'] {
  return marked ? orNull(marked, 'how', 'at') : null;
}

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
