import { type ArrivedPesewas, arrivedPesewas } from '../../ghana/arrived.ts';
import type { TableOutside } from '../../runtime/outside/outside.ts';
import { type Charge, getCharges } from '../charge/charge.table.ts';
import { listRequestMoney } from '../charge/request-money.table.ts';
import { type Backing, backingOfCharge, weakest } from '../payment/backing.ts';
import { paidPesewas, paymentsOf } from '../payment/payment.ts';
import { doubtOf, proofOfCharge } from '../payment/shown-payment.ts';
import type { PaymentRequest, RequestCharge } from './request.table.ts';
import type { RequestState } from './states.ts';

/** What is paid of a request, by what its charges say now. */
export interface Sums {
  readonly paidPesewas: ArrivedPesewas;
  /** What is still open; 0 where all of it has arrived. */
  readonly openPesewas: number;
  readonly overpaidPesewas: ArrivedPesewas;
  /** The weakest backing among the charges; `verified` while nothing has arrived. */
  readonly backing: Backing;
  readonly charges: readonly RequestCharge[];
  /** Those of its charges whose rows were read, and are still kept. */
  readonly found: ReadonlyMap<string, Charge>;
}

/** Charges that are read of those that brought money, and of the others, besides those whose money is not recorded yet. */
export const READ_OF_EACH = 5;

/**
 * Reads what is paid of a request from its charges, consistently: the charges alone say it, so nothing can be counted twice or be lost. A
 * charge whose row is gone, after its retention, counts as it was recorded. So do all but the newest where they are many, unless money
 * came that is not recorded yet: a request would be paid twice, or be cancelled when it is paid. Those of which more is to be said come first.
 */
export async function readSums(outside: TableOutside, stored: PaymentRequest): Promise<Sums> {
  const money = new Set((await listRequestMoney(outside, stored.slug)).map(({ reference }) => reference));
  const request = withCharges(stored, money);
  const {
    plain = [],
    paid = [],
    unpaid = [],
  } = Object.groupBy(request.charges, ({ access_code, look, paid_pesewas }) =>
    access_code ? 'plain' : look || paid_pesewas > 0 ? 'paid' : 'unpaid',
  );
  const newest = [[...plain, ...paid], unpaid].flatMap((some) => some.slice(-READ_OF_EACH));
  const fresh = request.charges.filter((one) => money.has(one.reference) && !newest.includes(one));
  return sumsOfRead(outside, request, [...fresh, ...newest]);
}

/** A request that names these charges too: one that gave way may be paid. */
export function withCharges(request: PaymentRequest, references: ReadonlySet<string>): PaymentRequest {
  const missing = references.difference(new Set(request.charges.map((one) => one.reference)));
  const more = Array.from(missing, (reference) => ({ reference, paid_pesewas: arrivedPesewas(0) }));
  return more.length > 0 ? { ...request, charges: [...request.charges, ...more] } : request;
}

/** The same from all of its charges, which may be many: for what records it, and for its merchant's page of them. */
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
      // In the order of the row, with which this is compared.
      return { ...counted, ...(asked_pesewas !== undefined && { asked_pesewas }), ...(from && { from }) };
    }),
    found,
  );
}

/** The same as it was recorded last, without a read: at most some seconds old. */
export function recordedSums(request: PaymentRequest): Sums {
  return sumsOf(request, request.charges, new Map());
}

function sumsOf({ total_pesewas }: PaymentRequest, charges: readonly RequestCharge[], found: Sums['found']): Sums {
  const paid = arrivedPesewas(charges.reduce((sum, { paid_pesewas }) => sum + paid_pesewas, 0));
  return {
    paidPesewas: paid,
    openPesewas: Math.max(0, total_pesewas - paid),
    overpaidPesewas: arrivedPesewas(Math.max(0, paid - total_pesewas)),
    backing: weakest(charges.map(backingOf)),
    charges,
    found,
  };
}

/** The backing of what one charge has brought; that of a test is not told from `verified`. */
export function backingOf({ backing = 'verified' }: RequestCharge): Backing {
  return backing;
}

/** What counts of a charge: payments of one that ended unpaid, or was reversed, are held for a person. */
export function countedOf(charge: Charge | undefined): RequestCharge | undefined {
  if (!charge) return undefined;
  const { reference, state } = charge;
  const paid_pesewas = state === 'pending' || state === 'success' ? paidPesewas(charge) : arrivedPesewas(0);
  const paid_at = paid_pesewas > 0 ? (charge.paid_at ?? paymentsOf(charge).at(-1)?.received_at) : undefined;
  const backing = backingOfCharge(charge);
  const doubt = paid_pesewas > 0 && doubtOf(backing) && { backing, proof: proofOfCharge(charge) };
  return { reference, paid_pesewas, ...(paid_at && { paid_at }), ...doubt, ...moreOf(charge) };
}

function moreOf(charge: Charge): Pick<RequestCharge, 'access_code' | 'look'> {
  const { state, access_code, disputed, refunds = [], second_receipts = [] } = charge;
  const isPlain = refunds.length === 0 && second_receipts.length === 0 && !disputed;
  if (state === 'success' && isPlain) return { access_code };
  return paymentsOf(charge).length > 0 || !isPlain ? { look: true } : {};
}

/** The state that follows from what is paid. */
export function requestStateOf(
  { state }: Pick<PaymentRequest, 'state'>,
  { openPesewas }: Pick<Sums, 'openPesewas'>,
): RequestState {
  if (state === 'cancelled') return state;
  return openPesewas === 0 ? 'paid' : 'open';
}
