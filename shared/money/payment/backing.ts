import { type ArrivedPesewas, arrivedPesewas } from '../../ghana/arrived.ts';
import { isTwin } from '../../merchants/merchant/twin.ts';
import { type ChargeState, type Dispute, type Payment, paidPesewas, paymentsOf, totalPesewas } from './payment.ts';

/**
 * The backing of money that arrived. `verified`: by the wallet's other texts, or by a person who looked. `unverified`: by its own
 * text alone. `contradicted`: another text, its balance or its id says that it is false. `unknown`: its proof was never recorded.
 * `test`: it belongs to a test account.
 */
export type Backing = (typeof weakestFirst)[number];
export const weakestFirst = ['contradicted', 'unverified', 'unknown', 'verified', 'test'] as const;

/** A charge's fields that decide how far its money is backed. */
export interface BackedCharge {
  readonly merchant_id: string;
  readonly state: ChargeState;
  readonly payment?: Payment | undefined;
  readonly parts?: readonly Payment[] | undefined;
  readonly disputed?: Dispute | undefined;
  readonly released_by?: string | undefined;
}

/** A receipt's fields that decide how far its payment is backed. */
export interface BackedReceipt extends Backed {
  readonly merchant_id?: string | undefined;
  /** Why it is held. */
  readonly reason?: string | undefined;
}

/**
 * The backing of everything that has arrived for a charge, and so of its sum and its excess: that of its weakest payment. The parts of one that
 * ended unpaid are `unknown` at best: nothing updates that record, and its receipts say where the money is.
 */
export function backingOfCharge({ merchant_id, disputed, released_by, ...charge }: BackedCharge): Backing {
  if (isTwin(merchant_id)) return 'test';
  if (disputed) return 'contradicted';
  const record = hasEndedUnpaid(charge) && charge.parts?.length ? (['unknown'] as const) : [];
  return weakest([...unverifiedOf({ released_by, ...charge }).map(backingOfPayment), ...record]);
}

/** True once the parts of a charge count for it no longer. */
export function hasEndedUnpaid({ state }: Pick<BackedCharge, 'state'>): boolean {
  return state !== 'pending' && state !== 'success';
}

/** A charge's payments that are not verified. Whoever lets goods go says nothing of money that no machine saw. */
function unverifiedOf({ released_by, ...charge }: Pick<BackedCharge, 'payment' | 'parts' | 'released_by'>): Payment[] {
  const unproven = paymentsOf(charge).filter(isUnproven);
  return released_by === undefined ? unproven : unproven.filter(({ marked }) => marked);
}

/** The backing of one of a charge's payments. */
export function backingOfOne(charge: BackedCharge, payment: Payment): Backing {
  return backingOfCharge({ ...charge, parts: undefined, payment });
}

/**
 * The backing of what paid the bill that a second payment names; `unknown` where that bill is gone, or was paid as another charge that
 * was not read (`paidAs` reads it).
 */
export function backingOfBill(bill: PaidBill | undefined): Backing {
  return bill && bill.paid_as === undefined ? backingOfCharge(bill) : 'unknown';
}

/** The bill of a second payment. */
export type PaidBill = BackedCharge & { readonly paid_as?: string | undefined };

/** The backing of a receipt that is held, or of one payment of a charge that is not disputed. */
export function backingOfReceipt(receipt: BackedReceipt): Backing {
  if (isTwin(receipt.merchant_id)) return 'test';
  return receipt.reason !== undefined && FALSE_REASONS.has(receipt.reason) ? 'contradicted' : backingOfPayment(receipt);
}

/** The unverified money that counts for a charge now, in pesewas: all of its money while the charge is disputed. */
export function unverifiedPesewas(charge: BackedCharge): ArrivedPesewas {
  const backing = backingOfCharge(charge);
  if (hasEndedUnpaid(charge) || backing === 'verified' || backing === 'test') return arrivedPesewas(0);
  if (charge.disputed) return paidPesewas(charge);
  const unproven = paymentsOf(charge).filter(isUnproven);
  return totalPesewas(unproven);
}

/** The weakest of several; `verified` for none. */
export function weakest(all: readonly Backing[]): Backing {
  return weakestFirst.find((one) => all.includes(one)) ?? 'verified';
}

/** True if nothing proves a payment: the wallet's texts do not, and nobody who gave it to its charge was asked to look first. */
export function isUnproven({ proof, looked_by, marked }: Backed): boolean {
  return proof?.state !== 'proven' && (looked_by === undefined || marked !== undefined);
}

/** True if some of a charge's money is unverified. Every page that shows the charge as paid says so. */
export function isPaidUnproven({ released_by, ...charge }: Omit<BackedCharge, 'disputed'>): boolean {
  return !isTwin(charge.merchant_id) && unverifiedOf({ released_by, ...charge }).length > 0;
}

type Backed = Pick<Payment, 'proof' | 'looked_by' | 'marked'>;

function backingOfPayment(payment: Backed): Backing {
  if (!isUnproven(payment)) return 'verified';
  const { proof } = payment;
  if (!proof) return 'unknown';
  return proof.why === 'clock_odd' || proof.why === 'balance_impossible' ? 'contradicted' : 'unverified';
}

const FALSE_REASONS: ReadonlySet<string> = new Set(['conflict', 'before_charge']);
