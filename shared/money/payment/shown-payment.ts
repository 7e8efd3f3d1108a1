import { type ArrivedPesewas, arrivedPesewas } from '../../ghana/arrived.ts';
import { ghsOf, shownMoney, wholeMoney } from '../../ghana/money.ts';
import { type Proof, presentProof } from '../../wallets/chain/proof.ts';
import {
  asTextsSay,
  type BackedCharge,
  type BackedReceipt,
  type Backing,
  backingOfBill,
  backingOfCharge,
  backingOfOne,
  backingOfReceipt,
  hasEndedUnpaid,
  isDoubted,
  isUnproven,
  mayHaveReversal,
  type PaidBill,
  unverifiedPayments,
  weakest,
} from './backing.ts';
import {
  type ChargeState,
  missingPesewas,
  overpaidPesewas,
  type Payment,
  paidPesewas,
  paymentsOf,
  type Refund,
  refundedPesewas,
  totalPesewas,
} from './payment.ts';

interface PaidCharge extends BackedCharge {
  readonly amount_pesewas: number;
  readonly refunds?: readonly Refund[] | undefined;
}

export const LOOK_FIRST = 'Check your MoMo balance first.';
export const COUNT_FIRST = 'Count the cash first.';

interface Caution {
  readonly lookFirst: string;
  readonly warning: string;
  /** True if the bill's own records decide, not the wallet. */
  readonly isAboutBill?: boolean;
}

export interface Doubt extends Caution {
  readonly badge: 'Not verified' | 'In doubt';
}

const NOT_VERIFIED: Doubt = {
  badge: 'Not verified',
  lookFirst: `${LOOK_FIRST} This payment is not verified and may be forged.`,
  warning: `${LOOK_FIRST} This payment is not verified, so the money may never have arrived. Do not send anything until you see it.`,
};

const ALL_NOT_VERIFIED = `${LOOK_FIRST} These payments are not verified and may be forged.`;

/** Returns the advice to check the wallet for some unverified payments. */
export function lookFirstFor({ lookFirst }: Doubt, payments: number): string {
  return payments > 1 && lookFirst === NOT_VERIFIED.lookFirst ? ALL_NOT_VERIFIED : lookFirst;
}

export function doubtOf(backing: Backing): Doubt | undefined {
  return DOUBTS[backing];
}

const DOUBTS: Readonly<Record<Backing, Doubt | undefined>> = {
  verified: undefined,
  unverified: NOT_VERIFIED,
  contradicted: {
    badge: 'In doubt',
    lookFirst: `${LOOK_FIRST} Something contradicts this payment, so it may be forged or reversed.`,
    warning: `${LOOK_FIRST} Something contradicts this payment, so it may be forged or reversed. Do not send anything until you see it, and no reversal of it.`,
  },
  unknown: NOT_VERIFIED,
  test: undefined,
};

/** Cash never appears in the wallet. */
const IN_CASH: Caution = {
  lookFirst: `${COUNT_FIRST} No message confirms this payment.`,
  warning: `${COUNT_FIRST} No message confirms this payment. Do not send anything until you have found the money.`,
};

const VERIFIED_BUT = 'This payment is verified, but';
const MAY_BE_REVERSED = `${LOOK_FIRST} ${VERIFIED_BUT} the network may have reversed the payment that paid`;

const BILL_NOT_VERIFIED: Caution = {
  lookFirst: `${LOOK_FIRST} ${VERIFIED_BUT} the payment that paid its bill is not. If you find only this payment, keep it for the bill.`,
  warning: `${LOOK_FIRST} ${VERIFIED_BUT} the payment that paid the charge is not and may be forged. Do not send anything until you see both payments.`,
};

const BILL_MAY_BE_REVERSED: Caution = {
  lookFirst: `${MAY_BE_REVERSED} its bill. If you find only this payment, or a reversal of the other, keep this one for the bill.`,
  warning: `${MAY_BE_REVERSED} the charge. Do not send anything until you see both payments, and no reversal of either.`,
};

const BILL_IN_CASH: Caution = {
  lookFirst: `${COUNT_FIRST} ${VERIFIED_BUT} its bill was marked as paid in cash. If the cash is not there, keep this payment for the bill.`,
  warning: `${COUNT_FIRST} ${VERIFIED_BUT} the charge was marked as paid in cash. Do not send anything until you have found the cash.`,
};

/**
 * A refund of the charge may include this payment: the network later reversed another one, or the merchant recorded the
 * refund of a second payment as one of the charge.
 */
const PARTLY_SENT_BACK: Caution = {
  lookFirst: 'A refund was already recorded for this bill. Compare its refunds with this payment first.',
  warning: 'A refund was already recorded for this charge. Compare its refunds with this payment first.',
  isAboutBill: true,
};

const MAY_BE_REST: Caution = {
  lookFirst:
    'You accepted less than the full amount for this bill. If the customer still owes the rest, match this payment to the bill.',
  warning:
    'Less than the full amount was accepted for this charge. If the customer still owes the rest, assign this payment to the charge.',
  isAboutBill: true,
};

export function cautionOfSecond(receipt: BackedReceipt, bill: PaidBill | undefined): Caution | undefined {
  const { backing, doubt } = shownReceipt(receipt);
  if (backing === 'test') return undefined;
  if (doubt) return doubt;
  if (bill && !isUnpaid(bill) && mayHaveReversal(bill)) return BILL_MAY_BE_REVERSED;
  if (!isUnpaid(bill) && doubtOf(backingOfBill(bill)))
    return bill && areCash(unverifiedPayments(asTextsSay(bill))) ? BILL_IN_CASH : BILL_NOT_VERIFIED;
  if (bill && refundedPesewas(bill.refunds) > 0) return PARTLY_SENT_BACK;
  const isShort = bill?.state === 'success' && paidPesewas(bill) > 0 && missingPesewas(bill) > 0;
  return isShort && receipt.reason === 'already_paid' ? MAY_BE_REST : undefined;
}

/** True if the charge exists and is not paid. Its payments are then judged only by their own proof. */
function isUnpaid(bill: PaidBill | undefined): bill is PaidBill {
  return bill !== undefined && bill.paid_as === undefined && bill.state !== 'success';
}

export interface ShownPayment {
  readonly amount: string;
  /** For a page's sentence. */
  readonly amountText: string;
  readonly ghs: number;
  readonly pesewas: number;
  readonly backing: Backing;
  readonly doubt: Doubt | undefined;
  readonly advise: (advice: string) => string;
}

/**
 * Formats received money for pages, events, notifications and API responses. No other function may do so. Only verified
 * money comes with advice to send it back.
 */
export function shownPayment(pesewas: ArrivedPesewas, backing: Backing, isCash = false): ShownPayment {
  const ofBacking = doubtOf(backing);
  const doubt = ofBacking && isCash ? { ...ofBacking, ...IN_CASH } : ofBacking;
  const plain = Number(pesewas);
  const whole = wholeMoney(plain);
  return {
    amount: shownMoney(plain),
    amountText: doubt ? `${whole} (${doubt.badge.toLowerCase()})` : whole,
    ghs: ghsOf(plain),
    pesewas: plain,
    backing,
    doubt,
    advise: (advice) => doubt?.lookFirst ?? advice,
  };
}

/**
 * Returns a charge's money as shown to its customer. Leaves out unverified overpayments: a forger would ask for them
 * back. For an expired, cancelled or reversed charge, includes only verified money that is still `held`.
 */
export function shownToCustomer(charge: PaidCharge, status: ChargeState, held: readonly HeldPart[] = []): ShownPayment {
  if (hasEndedUnpaid(charge)) {
    const verified = held.filter((part) => !doubtOf(backingOfReceipt(part)));
    return shownPayment(remainingPesewas(charge, verified), shownHeld(verified).backing);
  }
  const backing = backingOfCharge(charge);
  const arrived = paidPesewas(charge);
  const forBill = status === 'pending' || status === 'success' ? arrived - overpaidPesewas(charge) : 0;
  return shownPayment(doubtOf(backing) ? arrivedPesewas(forBill) : arrived, backing);
}

export function messageIsChecked(merchant: string): string {
  return `A payment message about this bill arrived; ${merchant} is checking it.`;
}

export function otherMessage(merchant: string): string {
  return `Another payment message about this bill arrived; ${merchant} is checking it.`;
}

export function notVerifiedYet(merchant: string): string {
  return `${merchant} has not verified this payment yet.`;
}

export function shownReceipt(
  receipt: BackedReceipt & { readonly amount_pesewas?: ArrivedPesewas | undefined },
): ShownPayment {
  const pesewas = receipt.amount_pesewas ?? arrivedPesewas(0);
  return shownPayment(pesewas, backingOfReceipt(receipt), areCash([receipt]));
}

/** Formats a second payment. Advises sending it back only if the charge's own payment is verified too. */
export function shownSecond(receipt: Parameters<typeof shownReceipt>[0], bill: PaidBill | undefined): ShownPayment {
  const caution = cautionOfSecond(receipt, bill);
  return { ...shownReceipt(receipt), advise: (advice) => caution?.lookFirst ?? advice };
}

export function shownOf(charge: BackedCharge, pesewas: ArrivedPesewas): ShownPayment {
  return shownPayment(pesewas, backingOfCharge(charge), areCash(unverifiedPayments(charge)));
}

export function areCash(payments: readonly Pick<Payment, 'marked'>[]): boolean {
  return payments.length > 0 && payments.every(({ marked }) => marked?.how === 'cash');
}

export function shownPaid(charge: BackedCharge & Pick<PaidCharge, 'state'>): ShownPayment {
  return shownOf(charge, paidPesewas(charge));
}

export function shownOne(charge: BackedCharge, payment: Payment): ShownPayment {
  return shownPayment(payment.amount_pesewas, backingOfOne(charge, payment));
}

export function presentArrived(pesewas: ArrivedPesewas, proof: Proof | undefined) {
  return { amount: ghsOf(Number(pesewas)), proof: presentProof(proof) };
}

export type HeldPart = BackedReceipt & { readonly amount_pesewas: ArrivedPesewas };

export interface EndedParts {
  readonly parts: readonly Payment[];
  /** Parts that have not since been reversed, assigned, set aside or sent back. */
  readonly held: readonly HeldPart[];
}

export function shownHeld(held: readonly HeldPart[]): ShownPayment {
  return shownPayment(totalPesewas(held), weakest(held.map(backingOfReceipt)));
}

export function presentArrivedFor(charge: PaidCharge, ended?: EndedParts) {
  return {
    amount_paid: ghsOf(Number(paidPesewas(charge))),
    overpaid: ghsOf(Number(overpaidPesewas(charge))),
    proof: presentProof(ended ? proofOfEnded(charge, ended) : proofOfCharge(charge)),
    held: ended ? presentArrived(remainingPesewas(charge, ended.held), proofOfHeld(ended.held)) : null,
  };
}

/** Returns how much of the held parts is left after the charge's refunds. */
function remainingPesewas({ refunds }: Pick<PaidCharge, 'refunds'>, held: readonly HeldPart[]): ArrivedPesewas {
  return arrivedPesewas(Math.max(0, Number(totalPesewas(held)) - refundedPesewas(refunds)));
}

/** Returns a receipt's proof. Never `proven` if another text contradicts the payment. */
export function proofOfReceipt(receipt: BackedReceipt): Proof | undefined {
  const isDenied = receipt.proof?.state === 'proven' && backingOfReceipt(receipt) === 'contradicted';
  return isDenied ? { state: 'unproven' } : receipt.proof;
}

function proofOfHeld(held: readonly HeldPart[]): Proof | undefined {
  const proofs = held.filter((part) => backingOfReceipt(part) !== 'test').map(proofOfReceipt);
  return proofs.length > 0 ? weakestProof(proofs) : undefined;
}

/** Returns `proven` only while all of the money is held and verified, because people send proven money back. */
function proofOfEnded(charge: PaidCharge, { parts, held }: EndedParts): Proof | undefined {
  if (backingOfCharge(charge) === 'test') return undefined;
  if (charge.disputed || held.length < parts.length) return { state: 'unproven' };
  const { payment } = charge;
  return weakestProof([...held.map(proofOfReceipt), ...(payment && isUnproven(payment) ? [payment.proof] : [])]);
}

function weakestProof(proofs: readonly (Proof | undefined)[]): Proof {
  const known = proofs.map((proof): Proof => proof ?? { state: 'unproven' });
  const at = (wanted: Proof['state']) => known.find(({ state }) => state === wanted);
  return at('unproven') ?? at('checking') ?? { state: 'proven' };
}

export function proofOfCharge(charge: BackedCharge): Proof | undefined {
  const payments = paymentsOf(charge);
  const backing = backingOfCharge(charge);
  if (payments.length === 0 || backing === 'test') return undefined;
  if (backing === 'verified') return { state: 'proven' };
  if (charge.disputed) return { state: 'unproven' };
  if (isDoubted(charge)) return { state: 'unproven', why: 'reversal_suspected' };
  if (hasEndedUnpaid(charge) && charge.parts?.length) return { state: 'unproven' };
  return weakestProof(payments.filter(isUnproven).map(({ proof }) => proof));
}
