import { type ArrivedPesewas, arrivedPesewas } from '../../ghana/arrived.ts';
import { ghsOf, shownMoney } from '../../ghana/money.ts';
import { type Proof, presentProof } from '../../wallets/chain/proof.ts';
import {
  type BackedCharge,
  type BackedReceipt,
  type Backing,
  backingOfBill,
  backingOfCharge,
  backingOfOne,
  backingOfReceipt,
  hasEndedUnpaid,
  isUnproven,
  type PaidBill,
  weakest,
} from './backing.ts';
import { type ChargeState, overpaidPesewas, type Payment, paidPesewas, paymentsOf, totalPesewas } from './payment.ts';

interface PaidCharge extends BackedCharge {
  readonly amount_pesewas: number;
}

/** Comes before any other advice about money that is not verified. */
export const LOOK_FIRST = 'Look in your MoMo balance first.';

/** The shop's first step before any money goes back. */
interface Caution {
  /** Asks the shop to look before anything else. */
  readonly lookFirst: string;
  /** The same for the shop's server, in `warning`. */
  readonly warning: string;
}

/** A warning beside money that is not verified. */
interface Doubt extends Caution {
  /** Two words beside the amount. */
  readonly badge: 'Not verified' | 'In doubt';
}

const NOT_VERIFIED: Doubt = {
  badge: 'Not verified',
  lookFirst: `${LOOK_FIRST} This payment is not verified and may be forged.`,
  warning: `${LOOK_FIRST} This payment is not verified, so the money may never have arrived. Send nothing before you see it.`,
};

/** Undefined where the money is verified or a test's. */
export function doubtOf(backing: Backing): Doubt | undefined {
  return DOUBTS[backing];
}

const DOUBTS: Readonly<Record<Backing, Doubt | undefined>> = {
  verified: undefined,
  unverified: NOT_VERIFIED,
  contradicted: {
    badge: 'In doubt',
    lookFirst: `${LOOK_FIRST} Something contradicts this payment, so it may be forged.`,
    warning: `${LOOK_FIRST} Something contradicts this payment, so the money may never have arrived. Send nothing before you see it.`,
  },
  unknown: NOT_VERIFIED,
  test: undefined,
};

/** A verified payment beyond a bill that other money paid may be the only real one for it. */
const BILL_NOT_VERIFIED: Caution = {
  lookFirst: `${LOOK_FIRST} This payment is verified; the one that paid its bill is not. If you find only this one, keep it: it pays that bill.`,
  warning: `${LOOK_FIRST} This payment is verified, but the one that paid the charge is not and may be forged. Send nothing before you see both.`,
};

/** The shop's first step with a second payment; undefined where both it and the payment of its bill are verified. */
export function cautionOfSecond(receipt: BackedReceipt, bill: PaidBill | undefined): Caution | undefined {
  const backing = backingOfReceipt(receipt);
  if (backing === 'test') return undefined;
  return doubtOf(backing) ?? (doubtOf(backingOfBill(bill)) && BILL_NOT_VERIFIED);
}

/** An amount that arrived, and everything that may be said of it. */
export interface ShownPayment {
  /** `GHS 36.00`. */
  readonly amount: string;
  /** `GHS 36.00 (not verified)`: for a sentence, where no badge can stand beside it. */
  readonly said: string;
  /** Cedis, for answers and files. */
  readonly ghs: number;
  readonly pesewas: number;
  readonly backing: Backing;
  /** Undefined where the money is verified or a test's. */
  readonly doubt: Doubt | undefined;
  /** The advice where the money is verified; otherwise to look first, and nothing else. */
  readonly advise: (advice: string) => string;
}

/**
 * The only way from an amount that arrived to one that a page, an event, a notification or an answer may name: the amount comes with
 * its backing, and advice to send money back only where the money is there.
 */
export function shownPayment(pesewas: ArrivedPesewas, backing: Backing): ShownPayment {
  const doubt = doubtOf(backing);
  // An amount is plain once its proof stands beside it.
  const plain = Number(pesewas);
  const amount = shownMoney(plain);
  return {
    amount,
    said: doubt ? `${amount} (${doubt.badge.toLowerCase()})` : amount,
    ghs: ghsOf(plain),
    pesewas: plain,
    backing,
    doubt,
    advise: (advice) => doubt?.lookFirst ?? advice,
  };
}

/**
 * The money that has arrived for a charge, as its customer may see it. Unverified money that did not pay the bill is left out, as an excess or a
 * part of a bill that has ended: a forger wants it sent back. Of a charge that ended unpaid only what is still `held` is shown.
 */
export function shownToCustomer(charge: PaidCharge, status: ChargeState, held: readonly HeldPart[] = []): ShownPayment {
  if (hasEndedUnpaid(charge)) return shownHeld(held.filter((part) => !doubtOf(backingOfReceipt(part))));
  const backing = backingOfCharge(charge);
  const arrived = paidPesewas(charge);
  const forBill = status === 'pending' || status === 'success' ? arrived - overpaidPesewas(charge) : 0;
  return shownPayment(doubtOf(backing) ? arrivedPesewas(forBill) : arrived, backing);
}

/** All that a public page says of a payment message that has yet to be verified before it pays its bill. */
export function messageIsChecked(merchant: string): string {
  return `A payment message about this bill came; ${merchant} is checking it.`;
}

/** All that a public page says of unverified money that did not pay its bill. */
export function otherMessage(merchant: string): string {
  return `Another payment message about this bill came; ${merchant} is checking it.`;
}

/** Stands on customer receipts and paid pages of unverified money. */
export function notVerifiedYet(merchant: string): string {
  return `${merchant} has not verified this payment yet.`;
}

/** A held payment. */
export function shownReceipt(
  receipt: BackedReceipt & { readonly amount_pesewas?: ArrivedPesewas | undefined },
): ShownPayment {
  return shownPayment(receipt.amount_pesewas ?? arrivedPesewas(0), backingOfReceipt(receipt));
}

/** A payment that came when its bill was paid: it is too much only where the payment of that bill is verified, too. */
export function shownSecond(receipt: Parameters<typeof shownReceipt>[0], bill: PaidBill | undefined): ShownPayment {
  const caution = cautionOfSecond(receipt, bill);
  return { ...shownReceipt(receipt), advise: (advice) => caution?.lookFirst ?? advice };
}

/** A part of a charge's money, such as its excess. */
export function shownOf(charge: BackedCharge, pesewas: ArrivedPesewas): ShownPayment {
  return shownPayment(pesewas, backingOfCharge(charge));
}

/** All money that has arrived for a charge. */
export function shownPaid(charge: BackedCharge & Pick<PaidCharge, 'state'>): ShownPayment {
  return shownOf(charge, paidPesewas(charge));
}

/** One of a charge's payments. */
export function shownOne(charge: BackedCharge, payment: Payment): ShownPayment {
  return shownPayment(payment.amount_pesewas, backingOfOne(charge, payment));
}

/** One payment's amount in cedis, with its proof: fields of an answer. */
export function presentArrived(pesewas: ArrivedPesewas, proof: Proof | undefined) {
  return { amount: ghsOf(Number(pesewas)), proof: presentProof(proof) };
}

/** A part of a charge that ended unpaid, as its receipt is now. */
export type HeldPart = BackedReceipt & { readonly amount_pesewas: ArrivedPesewas };

/** The parts of a charge that ended unpaid, as their receipts are now. */
export interface EndedParts {
  /** All of them, with the proof that is known now. */
  readonly parts: readonly Payment[];
  /** Those that still wait for somebody: the network has not taken them back, and nobody has given them away, set them aside or sent them back. */
  readonly held: readonly HeldPart[];
}

/** The money still held for a charge that ended unpaid. */
export function shownHeld(held: readonly HeldPart[]): ShownPayment {
  return shownPayment(totalPesewas(held), weakest(held.map(backingOfReceipt)));
}

/** The money that has arrived for a charge, its excess and the proof of both, and what is still held for it: fields of an answer. */
export function presentArrivedFor(charge: PaidCharge, ended?: EndedParts) {
  return {
    amount_paid: ghsOf(Number(paidPesewas(charge))),
    overpaid: ghsOf(Number(overpaidPesewas(charge))),
    proof: presentProof(ended ? proofOfEnded(charge, ended) : proofOfCharge(charge)),
    held: ended ? presentArrived(totalPesewas(ended.held), proofOfHeld(ended.held)) : null,
  };
}

/** The proof of a held payment: never `proven` where another text contradicts it. */
export function proofOfReceipt(receipt: BackedReceipt): Proof | undefined {
  const isDenied = receipt.proof?.state === 'proven' && backingOfReceipt(receipt) === 'contradicted';
  return isDenied ? { state: 'unproven' } : receipt.proof;
}

/** The weakest proof of held payments: undefined for none, and for a test's. */
function proofOfHeld(held: readonly HeldPart[]): Proof | undefined {
  const proofs = held.filter((part) => backingOfReceipt(part) !== 'test').map(proofOfReceipt);
  return proofs.length > 0 ? weakestProof(proofs) : undefined;
}

/** Proven only while all that had arrived is still held and verified: whoever reads it may send that much back. */
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

/** The proof of everything that has arrived for a charge: undefined while nothing has, and for a test. */
export function proofOfCharge(charge: BackedCharge): Proof | undefined {
  const payments = paymentsOf(charge);
  const backing = backingOfCharge(charge);
  if (payments.length === 0 || backing === 'test') return undefined;
  if (backing === 'verified') return { state: 'proven' };
  if (charge.disputed) return { state: 'unproven' };
  if (hasEndedUnpaid(charge) && charge.parts?.length) return { state: 'unproven' };
  return weakestProof(payments.filter(isUnproven).map(({ proof }) => proof));
}
