import {
  confirmsUnprovenUpToPesewas,
  type Merchant,
  newWalletDailyLimitPesewas,
} from '../../merchants/merchant/merchant.ts';
import { isTestAccount } from '../../merchants/merchant/test-account.ts';
import type { Clock, TimedOutside } from '../../runtime/outside/outside.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { type ReadFor, releaseGoods } from '../charge/change-charge.table.ts';
import type { Charge } from '../charge/charge.table.ts';
import { isDoubted, isPaidUnproven, isUnproven } from '../payment/backing.ts';
import { type Payment, paidPesewas, paymentsOf, refundedPesewas, totalPesewas } from '../payment/payment.ts';
import {
  addUnproven,
  isCounted,
  subtractUnproven,
  sumName,
  type UnprovenKind,
  type UnprovenSum,
  type Way,
} from './unproven.table.ts';

/**
 * Decides whether goods may be handed over, also if the wallet's balance chain has no anchor.
 * - Goods may always be handed over for verified payments. Unverified money is limited per charge and per 24 hours.
 *   Above a limit, a person decides.
 * - The counted amount is at least the value handed over. If a person or API key accepted too small a payment, the full
 *   price counts.
 * - A payment is counted once in 24 hours, in the transaction that releases the goods.
 * - A payment that is verified later is subtracted again, but the unpaid part of the price stays counted.
 */

export const UNPROVEN_LIMITS_A_DAY = 3;

export type NotLeaving = 'not_paid' | 'over_limit';

export interface Leaving {
  readonly counted: Pick<Charge, 'payment' | 'parts'> | undefined;
  readonly count: (outside: TimedOutside) => Promise<readonly TableWrite[]>;
}

type ForGoods = ReadFor<'goods', 'merchant_id' | 'origin' | 'amount_pesewas'>;

export function decideRelease(
  outside: Clock,
  merchant: Merchant,
  charge: ForGoods,
  way: Way = 'alone',
): Leaving | NotLeaving {
  if (!isPaidFor(charge)) return 'not_paid';
  const free = { counted: undefined, count: async () => [] };
  if (isTestAccount(merchant.merchant_id) || charge.released_by !== undefined) return free;
  if (charge.goods?.kind === 'credits') {
    if (!isWhole(charge)) return 'not_paid';
    return paymentsOf(charge).every(isCertain) ? free : 'over_limit';
  }
  const payments = paymentsOf(charge);
  const unproven = payments.filter(isUnproven);
  const unbacked = unbackedPesewas(charge, unproven);
  if (unbacked > confirmsUnprovenUpToPesewas(merchant)) return 'over_limit';
  // A payment may have been counted days ago if its code was out of stock.
  const counted = payments.filter(({ counted_in }) => counted_in !== undefined && isCounted(outside, counted_in));
  const uncounted = unproven.filter((one) => !counted.includes(one));
  const left = unbacked - sumOf(counted.map(countedPesewas)) - totalPesewas(uncounted);
  if (uncounted.length === 0 && left <= 0) return free;
  // Count the unpaid part of the price with an unverified payment or, if there is none, with a verified payment.
  const last = uncounted.at(-1) ?? (counted.length === 0 ? payments.at(-1) : undefined);
  // All payments are already counted, but their total is less than the value handed over.
  if (!last) return 'over_limit';
  const counting = [...new Set([...uncounted, last])];
  const atMs = outside.now();
  const carried = (one: Payment) => (one === last && left > 0 ? ownPesewas(one) + left : undefined);
  const count = (one: Payment): Payment =>
    counting.includes(one)
      ? { ...one, counted_in: sumName({ kind: kindOf(one), way, atMs }), counted_pesewas: carried(one) }
      : one;
  const sums = (['new', 'known'] as const).flatMap((kind) => {
    const pesewas = sumOf(counting.filter((one) => kindOf(one) === kind).map((one) => countedPesewas(count(one))));
    return pesewas > 0 ? [{ sum: { kind, way, atMs }, pesewas }] : [];
  });
  return {
    counted: { payment: charge.payment && count(charge.payment), parts: charge.parts?.map(count) },
    count: (now) => Promise.all(sums.map(({ sum, pesewas }) => countUnproven(now, merchant, sum, pesewas))),
  };
}

export async function countOneMore(
  outside: TimedOutside,
  merchant: Merchant,
  charge: Pick<Charge, 'payment' | 'goods'> & { readonly parts?: readonly Payment[] | undefined },
  payment: Pick<Payment, 'amount_pesewas' | 'proof'>,
): Promise<{ readonly counted_in: string; readonly writes: readonly TableWrite[] } | undefined> {
  const unproven = [...paymentsOf(charge).filter(isUnproven), payment];
  if (totalPesewas(unproven) > confirmsUnprovenUpToPesewas(merchant)) return undefined;
  // Only a tap is watched by a cashier. A sticker's charge is counted before anybody sees it.
  const way = charge.goods?.kind === 'take' ? 'till' : 'alone';
  const sum: UnprovenSum = { kind: kindOf(payment), way, atMs: outside.now() };
  return { counted_in: sumName(sum), writes: [await countUnproven(outside, merchant, sum, payment.amount_pesewas)] };
}

/** Subtracts payments from the unverified totals. The same transaction must remove `counted_in` from the payments. */
export function uncount(outside: Clock, merchantId: string, payments: readonly Payment[]): TableWrite[] {
  const counted = payments.flatMap(({ counted_in, ...payment }) =>
    counted_in === undefined ? [] : [{ counted_in, pesewas: countedPesewas(payment) }],
  );
  return subtractUnproven(outside, merchantId, counted);
}

/**
 * Subtracts unverified payments that leave a charge, like `uncount`. Does nothing if a person removed a payment of the
 * charge before: its goods may have left without money, and stay counted.
 */
export function uncountLeaving(
  outside: Clock,
  { merchant_id, unmarked_at }: Pick<Charge, 'merchant_id' | 'unmarked_at'>,
  payments: readonly Payment[],
): TableWrite[] {
  return unmarked_at === undefined ? uncount(outside, merchant_id, payments) : [];
}

/**
 * Subtracts a newly verified payment from the unverified totals. Ignores a payment that a person vouched for, which was
 * never counted. The same transaction must store the payment with the fields from `withRest`.
 */
export function uncountAmount(outside: Clock, merchantId: string, payment: Payment): TableWrite[] {
  return isUnproven(payment) ? uncount(outside, merchantId, [{ ...payment, counted_pesewas: undefined }]) : [];
}

/** Returns the fields to store once a payment is verified. Only the unpaid part of the price stays counted. */
export function withRest({ counted_in, ...payment }: Payment): Pick<Payment, 'counted_in' | 'counted_pesewas'> {
  const rest = countedPesewas(payment) - ownPesewas(payment);
  return counted_in !== undefined && rest > 0 ? { counted_in, counted_pesewas: rest } : UNCOUNTED;
}

/** Fields of a payment that is in no unverified total. */
export const UNCOUNTED = { counted_in: undefined, counted_pesewas: undefined } satisfies Partial<Payment>;

/**
 * True if a payment is verified and its payer identified the charge. A purchase of credits requires both, because
 * anybody who sees the seller's payments could assign or claim one of them.
 */
export function isCertain({ proof, matched_by }: Pick<Payment, 'proof' | 'matched_by'>): boolean {
  return proof?.state === 'proven' && (matched_by === 'reference' || matched_by === 'phone');
}

/**
 * Releases a charge's goods regardless of the proof. Returns no writes if nothing is waiting, the payment is in doubt
 * or was sent back, or the goods are credits, which only the operator can release.
 */
export function releaseHeldGoods(charge: ForGoods, by: string): TableWrite[] {
  const { goods } = charge;
  if (goods?.kind === 'credits') return [];
  const isWaiting =
    goods?.kind === 'code'
      ? goods.state === 'to_release'
      : charge.released_by === undefined && isPaidUnproven(charge) && goods?.state !== 'given';
  return isPaidFor(charge) && isWaiting ? [releaseGoods(charge, by)] : [];
}

/** Releases credits on the operator's decision. Returns no writes if less than the price was paid. */
export function releaseHeldCredits(charge: ForGoods, by: string): TableWrite[] {
  const isWaiting = charge.goods?.kind === 'credits' && charge.goods.state === 'to_release';
  return isWaiting && isWhole(charge) && isPaidFor(charge) ? [releaseGoods(charge, by)] : [];
}

function isWhole(charge: ForGoods): boolean {
  return paidPesewas(charge) - refundedPesewas(charge.refunds) >= charge.amount_pesewas;
}

/** True if a charge is paid, not in doubt, and not fully refunded. */
export function isPaidFor(charge: ForGoods): boolean {
  const { state, refunds } = charge;
  const isSentBack = refunds !== undefined && refundedPesewas(refunds) >= paidPesewas(charge);
  return state === 'success' && !isDoubted(charge) && !isSentBack;
}

function countUnproven(
  outside: TimedOutside,
  merchant: Merchant,
  sum: UnprovenSum,
  pesewas: number,
): Promise<TableWrite> {
  const mostPesewas =
    sum.kind === 'new'
      ? newWalletDailyLimitPesewas(merchant)
      : confirmsUnprovenUpToPesewas(merchant) * UNPROVEN_LIMITS_A_DAY;
  return addUnproven(outside, merchant.merchant_id, sum, { pesewas, mostPesewas });
}

function kindOf({ proof }: Pick<Payment, 'proof'>): UnprovenKind {
  return proof?.why === 'not_anchored' ? 'new' : 'known';
}

/**
 * Returns the value in pesewas that was handed over for unverified money: the unverified amount, or the part of the
 * price that no verified payment covers, whichever is greater. If every payment is verified, the part of the price that
 * nobody paid counts only for codes.
 */
function unbackedPesewas(charge: ForGoods, unproven: readonly Payment[]): number {
  if (unproven.length === 0 && charge.goods?.kind !== 'code') return 0;
  const backed = paymentsOf(charge).filter((one) => !isUnproven(one));
  return Math.max(totalPesewas(unproven), charge.amount_pesewas - totalPesewas(backed));
}

function countedPesewas({ counted_pesewas, amount_pesewas }: Counted): number {
  return counted_pesewas ?? amount_pesewas;
}

type Counted = Pick<Payment, 'counted_pesewas' | 'amount_pesewas'>;

/**
 * Returns the part of the counted amount that the payment itself covers. The rest is the part of the price that nobody
 * paid.
 */
function ownPesewas(payment: Parameters<typeof isUnproven>[0] & Counted): number {
  return isUnproven(payment) ? payment.amount_pesewas : 0;
}

function sumOf(pesewas: readonly number[]): number {
  return pesewas.reduce((sum, one) => sum + one, 0);
}
