import { type ArrivedPesewas, arrivedPesewas } from '../../ghana/arrived.ts';
import { isTestAccount } from '../../merchants/merchant/test-account.ts';
import type { TableOutside } from '../../runtime/outside/outside.ts';
import { type Charge, getCharges } from '../charge/charge.table.ts';
import { listRequestMoney } from '../charge/request-money.table.ts';
import {
  asCustomerSees,
  asTextsSay,
  type Backing,
  backingOfCharge,
  hasEndedUnpaid,
  isSuspected,
  isUnproven,
  unverifiedPesewas,
  weakest,
} from '../payment/backing.ts';
import { paidPesewas, paymentsOf, refundedPesewas, totalPesewas } from '../payment/payment.ts';
import { doubtOf, proofOfCharge } from '../payment/shown-payment.ts';
import type { PaymentRequest, RequestCharge } from './request.table.ts';
import type { RequestState } from './states.ts';

export interface Sums {
  /** Money that arrived, less the refunds recorded while the request was not paid. */
  readonly paidPesewas: ArrivedPesewas;
  readonly openPesewas: number;
  /** Part of `paidPesewas` above the total, even if it has been sent back since. */
  readonly overpaidPesewas: ArrivedPesewas;
  /** Overpayment that no refund covers. */
  readonly toReturnPesewas: ArrivedPesewas;
  /** All refunds, sent or only recorded. */
  readonly refundedPesewas: number;
  /** Refunds of a paid request beyond its overpayment. The customer does not owe this money again. */
  readonly discountPesewas: number;
  readonly backing: Backing;
  readonly charges: readonly RequestCharge[];
  readonly found: ReadonlyMap<string, Charge>;
}

/** Maximum number of paid charges, and of unpaid charges, to read. Charges with unrecorded money are read as well. */
export const READ_OF_EACH = 5;

/**
 * Adds up a payment request's money from consistent reads of its charges. Reads `READ_OF_EACH` unpaid charges, and as
 * many paid ones or ones with held payments. Of charges with held payments, those with the largest verified payment come first; of the others,
 * the newest. Also reads every charge with unrecorded money: otherwise, a request could be paid twice, or cancelled while it
 * is being paid. Uses the recorded amounts of all other charges, including deleted ones.
 */
export async function readSums(outside: TableOutside, stored: PaymentRequest): Promise<Sums> {
  const money = new Set((await listRequestMoney(outside, stored.slug)).map(({ reference }) => reference));
  const request = withCharges(stored, money);
  const {
    plain = [],
    paid = [],
    waiting = [],
    unpaid = [],
  } = Object.groupBy(request.charges, ({ access_code, look, has_held, paid_pesewas }) =>
    access_code ? 'plain' : has_held ? 'waiting' : look || paid_pesewas > 0 ? 'paid' : 'unpaid',
  );
  // A stranger would have to pay more than the customer to hide the customer's payment.
  const largest = waiting.toSorted(
    (one, other) =>
      (one.held_pesewas ?? 0) - (other.held_pesewas ?? 0) || (one.asked_pesewas ?? 0) - (other.asked_pesewas ?? 0),
  );
  const newest = [[...plain, ...paid, ...largest], unpaid].flatMap((some) => some.slice(-READ_OF_EACH));
  const fresh = request.charges.filter((one) => money.has(one.reference) && !newest.includes(one));
  return sumsOfRead(outside, request, [...fresh, ...newest]);
}

/** Adds charges that were dropped from the request's row but may have been paid since. */
export function withCharges(request: PaymentRequest, references: ReadonlySet<string>): PaymentRequest {
  const missing = references.difference(new Set(request.charges.map((one) => one.reference)));
  const more = Array.from(missing, (reference) => ({ reference, paid_pesewas: arrivedPesewas(0) }));
  return more.length > 0 ? { ...request, charges: [...request.charges, ...more] } : request;
}

export function readAllSums(outside: TableOutside, request: PaymentRequest): Promise<Sums> {
  return sumsOfRead(outside, request, request.charges);
}

async function sumsOfRead(
  outside: TableOutside,
  request: PaymentRequest,
  read: readonly RequestCharge[],
): Promise<Sums> {
  const charges = await getCharges(
    outside,
    read.map(({ reference }) => reference),
  );
  const found = new Map(charges.map((charge) => [charge.reference, charge]));
  return sumsOf(
    request,
    request.charges.map((one) => {
      const { from, asked_pesewas } = one;
      const counted = countedOf(found.get(one.reference)) ?? one;
      // Keep the stored field order: the stored and the new charge are compared as JSON.
      return { ...counted, ...(asked_pesewas !== undefined && { asked_pesewas }), ...(from && { from }) };
    }),
    found,
  );
}

/** Returns the recorded totals without reading anything. They are at most a few seconds old. */
export function recordedSums(request: PaymentRequest): Sums {
  return sumsOf(request, request.charges, new Map());
}

export function sumsOf(request: PaymentRequest, charges: readonly RequestCharge[], found: Sums['found']): Sums {
  const { total_pesewas, refunded_pesewas: earlier = 0 } = request;
  const { arrived, refunded } = totalsOf(charges);
  const kept = arrived - refunded;
  const discount = discountOf(request, charges);
  const isPaid = kept + discount >= total_pesewas;
  const counted = isPaid && request.state === 'paid' ? arrived - Math.min(earlier, refunded) : Math.max(0, kept);
  return {
    paidPesewas: arrivedPesewas(counted),
    openPesewas: isPaid ? 0 : total_pesewas - Math.max(0, kept),
    overpaidPesewas: arrivedPesewas(Math.max(0, counted - total_pesewas)),
    toReturnPesewas: arrivedPesewas(isPaid ? kept + discount - total_pesewas : 0),
    refundedPesewas: refunded,
    discountPesewas: isPaid ? discount : 0,
    backing: weakest(charges.map((one) => backingOf(request, one))),
    charges,
    found,
  };
}

function totalsOf(charges: readonly RequestCharge[]): { readonly arrived: number; readonly refunded: number } {
  return {
    arrived: charges.reduce((sum, { paid_pesewas }) => sum + paid_pesewas, 0),
    refunded: charges.reduce((sum, { refunded_pesewas = 0 }) => sum + refunded_pesewas, 0),
  };
}

type Counting = Pick<
  PaymentRequest,
  'merchant_id' | 'state' | 'total_pesewas' | 'charges' | 'refunded_pesewas' | 'discount_pesewas'
>;

/**
 * Returns the discount after the changes since the row was written. Refunds return an overpayment first, also one that
 * arrived since, and a withdrawn refund ends the discount first: the other refunds may have returned an overpayment. A
 * payment that was reversed is never a discount.
 */
function discountOf(
  { state, total_pesewas, charges: before, refunded_pesewas: earlier = 0, discount_pesewas = 0 }: Counting,
  charges: readonly RequestCharge[],
): number {
  if (state !== 'paid') return 0;
  const [then, now] = [totalsOf(before), totalsOf(charges)];
  const { added, withdrawn } = refundChanges(before, charges);
  const left = Math.max(0, Math.min(discount_pesewas - withdrawn, now.refunded - earlier));
  const overpaid = Math.max(0, then.arrived - then.refunded + withdrawn + left - total_pesewas);
  const more = Math.max(0, added - overpaid);
  const missing = Math.max(0, total_pesewas - now.arrived + now.refunded - left);
  return left + Math.min(more, missing);
}

/** Sums up the changes of each charge's refunds. The refunds of a payment that was reversed are not withdrawn. */
function refundChanges(
  before: readonly RequestCharge[],
  charges: readonly RequestCharge[],
): { readonly added: number; readonly withdrawn: number } {
  const was = new Map(before.map((one) => [one.reference, one]));
  const changes = charges.map(({ reference, paid_pesewas, refunded_pesewas = 0 }) => {
    const { paid_pesewas: paid = 0, refunded_pesewas: refunded = 0 } = was.get(reference) ?? {};
    const change = refunded_pesewas - refunded;
    return change > 0 ? change : Math.min(0, change + Math.max(0, paid - paid_pesewas));
  });
  const sum = (some: readonly number[]) => some.reduce((total, one) => total + one, 0);
  return { added: sum(changes.filter((one) => one > 0)), withdrawn: -sum(changes.filter((one) => one < 0)) };
}

export function backingOf(
  { merchant_id }: Pick<PaymentRequest, 'merchant_id'>,
  { backing, paid_pesewas }: RequestCharge,
): Backing {
  if (isTestAccount(merchant_id)) return 'test';
  return backing ?? (paid_pesewas > 0 ? 'unknown' : 'verified');
}

/** Returns the sums without suspicions about reversals, which only the shop may see. */
export function sumsAsCustomerSees(request: PaymentRequest, sums: Sums): Sums {
  const charges = sums.charges.map(({ unsuspected, ...one }) =>
    unsuspected ? { ...one, proof: undefined, verified_pesewas: undefined, ...unsuspected } : one,
  );
  const found = new Map([...sums.found].map(([reference, charge]) => [reference, asCustomerSees(charge)]));
  return { ...sums, charges, found, backing: weakest(charges.map((one) => backingOf(request, one))) };
}

/** Returns what to record about a charge. */
export function countedOf(charge: Charge | undefined): RequestCharge | undefined {
  if (!charge) return undefined;
  const counted = recordOf(charge);
  if (!isSuspected(charge)) return counted;
  const { backing, proof, verified_pesewas } = recordOf(asCustomerSees(charge));
  return {
    ...counted,
    unsuspected: { backing, ...(proof && { proof }), ...(verified_pesewas && { verified_pesewas }) },
  };
}

/** Payments for an expired or reversed charge are held, so they do not count. */
function recordOf(charge: Charge): RequestCharge {
  const { reference, state } = charge;
  const paid_pesewas = state === 'pending' || state === 'success' ? paidPesewas(charge) : arrivedPesewas(0);
  const paid_at = paid_pesewas > 0 ? (charge.paid_at ?? paymentsOf(charge).at(-1)?.received_at) : undefined;
  const backing = backingOfCharge(charge);
  const verified_pesewas = arrivedPesewas(paid_pesewas - unverifiedPesewas(charge));
  const doubted = doubtOf(backing) && {
    proof: proofOfCharge(charge),
    ...(verified_pesewas > 0 && { verified_pesewas }),
  };
  const backed = paid_pesewas > 0 && { backing, ...doubted };
  // Held money does not count, so neither do its refunds.
  const held = paid_pesewas > 0 ? 0 : paidPesewas(charge);
  const refunded_pesewas = Math.max(0, refundedPesewas(charge.refunds) - held);
  const refunded = refunded_pesewas > 0 && { refunded_pesewas };
  return { reference, paid_pesewas, ...(paid_at && { paid_at }), ...backed, ...refunded, ...moreOf(charge) };
}

function moreOf(charge: Charge): Pick<RequestCharge, 'access_code' | 'look' | 'has_held' | 'held_pesewas'> {
  const { state, access_code, disputed, refunds = [], second_receipts = [], waiting_receipts = [] } = charge;
  const isEnded = hasEndedUnpaid(charge);
  const counted = isEnded ? [] : paymentsOf(charge).map(({ receipt_id }) => receipt_id);
  const noted = [...second_receipts, ...waiting_receipts].filter((id) => !counted.includes(id));
  const mayWait = noted.length > 0 || (isEnded && paidPesewas(charge) > 0);
  const isPlain = refunds.length === 0 && !mayWait && !disputed;
  if (state === 'success' && isPlain) return { access_code };
  const look = paymentsOf(charge).length > 0 || !isPlain;
  const released = paymentsOf(charge).filter((payment) => isEnded && !isUnproven(payment));
  const held_pesewas = Math.max(charge.verified_waiting_pesewas ?? 0, totalPesewas(released));
  return {
    ...(look && { look }),
    ...(mayWait && { has_held: true, ...(held_pesewas > 0 && { held_pesewas }) }),
  };
}

/**
 * True if money that texts verify covers the whole total. Any further payment is then a second payment. Other money does
 * not count: anybody can forge it, and a person who vouched for it may have seen the further payment in the wallet.
 */
export function isPaidVerified(request: Counting, { charges, found }: Pick<Sums, 'charges' | 'found'>): boolean {
  const verifiedOf = (one: RequestCharge) => {
    const charge = found.get(one.reference);
    const counted = (charge && countedOf(asTextsSay(charge))) ?? one;
    return counted.verified_pesewas ?? (doubtOf(backingOf(request, counted)) ? 0 : counted.paid_pesewas);
  };
  const verified = charges.reduce((sum, one) => sum + verifiedOf(one), 0);
  return verified - totalsOf(charges).refunded + discountOf(request, charges) >= request.total_pesewas;
}

/** True if a late payment may still be needed: the request is not cancelled, and verified money has not paid it. */
export function mayBeOwed(request: Counting, sums: Pick<Sums, 'charges' | 'found'>): boolean {
  return request.state !== 'cancelled' && !isPaidVerified(request, sums);
}

export function requestStateOf(
  { state }: Pick<PaymentRequest, 'state'>,
  { openPesewas }: Pick<Sums, 'openPesewas'>,
): RequestState {
  if (state === 'cancelled') return state;
  return openPesewas === 0 ? 'paid' : 'open';
}
