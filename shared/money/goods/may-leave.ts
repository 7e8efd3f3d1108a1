import {
  confirmsUnprovenUpToPesewas,
  type Merchant,
  newWalletDailyLimitPesewas,
} from '../../merchants/merchant/merchant.ts';
import { isTwin } from '../../merchants/merchant/twin.ts';
import type { Clock, TimedOutside } from '../../runtime/outside/outside.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { type ReadFor, releaseGoods } from '../charge/change-charge.table.ts';
import type { Charge } from '../charge/charge.table.ts';
import { isPaidUnproven, isUnproven } from '../payment/backing.ts';
import { type Payment, paidPesewas, paymentsOf, refundedPesewas, totalPesewas } from '../payment/payment.ts';
import { addUnproven, sumName, takeUnproven, type UnprovenKind, type UnprovenSum, type Way } from './unproven.table.ts';

/*
 * One rule decides if goods may leave for a payment, wherever they leave and in every mode of a wallet's chain. For verified payments they may. Money
 * that is not verified meets two limits, one per charge and one for any 24 hours; above them a person decides. It counts with the value that leaves,
 * so a small payment that a person called enough counts with the price. Each payment is counted once, in the transaction with which the goods
 * leave, and one that is verified later leaves the sum again.
 */

/** Unproven payments of a known wallet may confirm this many times the limit for each of them in 24 hours. */
export const UNPROVEN_LIMITS_A_DAY = 3;

/** Why goods may not leave: the charge is not paid, in doubt or sent back; or nothing proves what was paid, and it is more than may be unproven. */
export type NotLeaving = 'not_paid' | 'over_limit';

/** The payments that goods leave for, and how to count them. */
export interface Leaving {
  /** The charge's payments, where some are counted now; undefined where none is. */
  readonly counted: Pick<Charge, 'payment' | 'parts'> | undefined;
  /** The writes that count it, made from the day's sums as they are now: refused with `UnprovenLimitReached`, or `Changed` where those moved on. */
  readonly count: (outside: TimedOutside) => Promise<readonly TableWrite[]>;
}

type ForGoods = ReadFor<'goods', 'merchant_id' | 'origin' | 'amount_pesewas'>;

/** Decides if goods may leave for a charge now, as far as its own row tells: the day's limit is a condition of what counts it. */
export function mayLeave(
  outside: Clock,
  merchant: Merchant,
  charge: ForGoods,
  way: Way = 'alone',
): Leaving | NotLeaving {
  if (!isPaidFor(charge)) return 'not_paid';
  const free = { counted: undefined, count: async () => [] };
  if (isTwin(merchant.merchant_id) || charge.released_by !== undefined) return free;
  if (charge.goods?.kind === 'credits') {
    if (!isWhole(charge)) return 'not_paid';
    return paymentsOf(charge).every(isCertain) ? free : 'over_limit';
  }
  const unproven = paymentsOf(charge).filter(isUnproven);
  const unbacked = unbackedPesewas(charge, unproven);
  if (unbacked > confirmsUnprovenUpToPesewas(merchant)) return 'over_limit';
  const uncounted = unproven.filter(({ counted_in }) => counted_in === undefined);
  const isCounted = (one: Payment) => !uncounted.includes(one);
  const left = unbacked - sumOf(unproven.filter(isCounted).map(countedPesewas)) - totalPesewas(uncounted);
  const last = uncounted.at(-1);
  // All was counted, and what was counted is less than what leaves: no payment is left to carry the rest.
  if (!last) return left > 0 ? 'over_limit' : free;
  const atMs = outside.now();
  const withRest = (one: Payment) => (one === last && left > 0 ? one.amount_pesewas + left : undefined);
  const count = (one: Payment): Payment =>
    isCounted(one)
      ? one
      : { ...one, counted_in: sumName({ kind: kindOf(one), way, atMs }), counted_pesewas: withRest(one) };
  const sums = (['new', 'known'] as const).flatMap((kind) => {
    const pesewas = sumOf(uncounted.filter((one) => kindOf(one) === kind).map((one) => countedPesewas(count(one))));
    return pesewas > 0 ? [{ sum: { kind, way, atMs }, pesewas }] : [];
  });
  return {
    counted: { payment: charge.payment && count(charge.payment), parts: charge.parts?.map(count) },
    count: (now) => Promise.all(sums.map(({ sum, pesewas }) => countUnproven(now, merchant, sum, pesewas))),
  };
}

/** Counts one more payment that nothing proves towards a charge: undefined where with it that has more than the limit for each. */
export async function countOneMore(
  outside: TimedOutside,
  merchant: Merchant,
  charge: Pick<Charge, 'payment' | 'goods'> & { readonly parts?: readonly Payment[] | undefined },
  payment: Pick<Payment, 'amount_pesewas' | 'proof'>,
): Promise<{ readonly counted_in: string; readonly writes: readonly TableWrite[] } | undefined> {
  const unproven = [...paymentsOf(charge).filter(isUnproven), payment];
  if (totalPesewas(unproven) > confirmsUnprovenUpToPesewas(merchant)) return undefined;
  // Only at a tap somebody is looking: what is paid at a sticker is counted before a cashier has seen it.
  const way = charge.goods?.kind === 'take' ? 'till' : 'alone';
  const sum: UnprovenSum = { kind: kindOf(payment), way, atMs: outside.now() };
  return { counted_in: sumName(sum), writes: [await countUnproven(outside, merchant, sum, payment.amount_pesewas)] };
}

/**
 * The writes that take payments out of the sums, because they were proven, their goods came back, or their charge ended unpaid. Their rows lose `counted_in` in the same transaction.
 */
export function uncount(outside: Clock, merchantId: string, payments: readonly Payment[]): TableWrite[] {
  const counted = payments.flatMap(({ counted_in, ...payment }) =>
    counted_in === undefined ? [] : [{ counted_in, pesewas: countedPesewas(payment) }],
  );
  return takeUnproven(outside, merchantId, counted);
}

/**
 * Whether a payment is proven and its payer said what it pays: what credits ask for, which another merchant gets. Whoever sees the seller's
 * payments could give one to a charge, or claim it.
 */
function isCertain({ proof, matched_by }: Pick<Payment, 'proof' | 'matched_by'>): boolean {
  return proof?.state === 'proven' && (matched_by === 'reference' || matched_by === 'phone');
}

/**
 * The writes by which a person lets goods leave for a charge whatever its proof: its code goes out by the stream, and *Handed out* counts
 * nothing. None where there is nothing to let go, or what leaves are credits, which only the operator lets go, or what was paid is in doubt or was sent back.
 */
export function letGo(charge: ForGoods, by: string): TableWrite[] {
  const { goods } = charge;
  if (goods?.kind === 'credits') return [];
  const isWaiting =
    goods?.kind === 'code'
      ? goods.state === 'to_release'
      : charge.released_by === undefined && isPaidUnproven(charge) && goods?.state !== 'given';
  return isPaidFor(charge) && isWaiting ? [releaseGoods(charge, by)] : [];
}

/** The same for credits, by a person of the operator's. None where less was paid than they cost, whatever the seller's people let it pass for. */
export function letCreditsGo(charge: ForGoods, by: string): TableWrite[] {
  const isWaiting = charge.goods?.kind === 'credits' && charge.goods.state === 'to_release';
  return isWaiting && isWhole(charge) && isPaidFor(charge) ? [releaseGoods(charge, by)] : [];
}

/** True if a charge's price was paid and nothing of it goes back. */
function isWhole(charge: ForGoods): boolean {
  return paidPesewas(charge) - refundedPesewas(charge.refunds) >= charge.amount_pesewas;
}

/**
 * Whether a charge is paid, nothing of it is in doubt, and not all of it was sent back or is about to be. What is to leave for a charge whose
 * origin or goods only a later release knows, that release decides.
 */
export function isPaidFor(charge: ForGoods): boolean {
  const { origin, goods, state, disputed, refunds } = charge;
  const isSentBack = refunds !== undefined && refundedPesewas(refunds) >= paidPesewas(charge);
  const isKnown = origin.kind !== 'other' && goods?.kind !== 'other';
  return isKnown && state === 'success' && !disputed && !isSentBack;
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
  return proof?.why === 'not_established' ? 'new' : 'known';
}

/** The value that leaves for unverified money, in pesewas: all of that money, and at least what verified payments leave open of the price. */
function unbackedPesewas(charge: ForGoods, unproven: readonly Payment[]): number {
  if (unproven.length === 0) return 0;
  const backed = paymentsOf(charge).filter((one) => !isUnproven(one));
  return Math.max(totalPesewas(unproven), charge.amount_pesewas - totalPesewas(backed));
}

function countedPesewas({ counted_pesewas, amount_pesewas }: Counted): number {
  return counted_pesewas ?? amount_pesewas;
}

type Counted = Pick<Payment, 'counted_pesewas' | 'amount_pesewas'>;

function sumOf(pesewas: readonly number[]): number {
  return pesewas.reduce((sum, one) => sum + one, 0);
}
