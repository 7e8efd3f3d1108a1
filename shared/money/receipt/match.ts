import type { WalletPayment } from '../../ghana/wallet-text/reading.ts';
import type { AccountOfNumber } from '../../merchants/merchant/merchant.table.ts';
import { FRESH_SECONDS } from '../../phones/gateway/callback.ts';
import { missingPesewas } from '../transaction/amounts.ts';
import { isNamed, isSameName, matchableName } from '../transaction/customer-name.ts';
import type { MatchedBy } from '../transaction/payment.ts';
import type { OpenTransaction, Transaction } from '../transaction/transaction.table.ts';
import { accountsOf } from '../transaction/transaction.ts';
import type { ToConfirm } from './admit.ts';
import { type Charge, MAX_PARTS } from './charge-parts.ts';
import type { HeldReason } from './receipt.ts';

export type Decision =
  | {
      readonly pays: Charge & ToConfirm;
      readonly matchedBy: Extract<MatchedBy, 'reference' | 'name'>;
    }
  /** It names this charge and is less than what it lacks. */
  | { readonly isPartOf: Transaction }
  /** `about` is the charge that was meant, where that is certain. */
  | { readonly held: HeldReason; readonly about?: Pick<Transaction, 'reference' | 'merchant_id'> };

/**
 * How far a phone's clock may be behind ours: a payment this long before its charge still counts as made for it. Phones are
 * set by their network, to the second.
 */
export const CLOCK_TOLERANCE_MS = 60_000;

/** For how long after a charge was made a payer's name is enough. Somebody who pays later may be anybody of that name. */
export const NAME_DECIDES_MS = 2 * 60 * 60 * 1000;

/** How many charges of one amount are compared with a payer's name. Where more wait, the name decides nothing. */
export const MAX_CANDIDATES = 200;

/**
 * Whether a charge is paid on the number that a payment reached: the number that its page shows, or another one of its
 * merchant's. `accounts` are those of `momoNumber`.
 */
export function isPaidOn(
  charge: Transaction | undefined,
  payment: WalletPayment,
  momoNumber: string,
  accounts: readonly AccountOfNumber[],
): charge is Transaction {
  if (!charge) return false;
  const isItsOwn = accountsOf(charge).some(
    ({ number, network }) => number === momoNumber && network === payment.network,
  );
  return (
    isItsOwn ||
    accounts.some(({ merchant_id, network }) => merchant_id === charge.merchant_id && network === payment.network)
  );
}

/** Whether a charge could be paid when the payment arrived, even if it has been ended since. */
export function isWaiting(charge: Transaction, receivedAt: string): boolean {
  return (charge.state === 'pending' || charge.state === 'expired') && receivedAt <= charge.expires_at;
}

/**
 * What to do with a payment that names a charge. The reference is certain, so a person decides about anything that contradicts
 * it. Too much also pays the charge: its merchant is told both amounts. Too little is counted until the rest arrives.
 */
export function matchByReference(payment: WalletPayment, receivedAt: string, charge: Transaction): Decision {
  // Nobody can have typed a reference that did not exist. A phone whose clock is off by more than this cannot post.
  const latestMs = Date.parse(receivedAt) + FRESH_SECONDS * 1000;
  if (latestMs < Date.parse(charge.created_at)) return { held: 'before_charge', about: charge };
  if (charge.state === 'success' || charge.state === 'reversed') return { held: 'already_paid', about: charge };
  if (charge.state === 'cancelled') return { held: 'charge_cancelled', about: charge };
  if (receivedAt > charge.expires_at) return { held: 'charge_expired', about: charge };
  if (charge.disputed) return { held: 'charge_disputed', about: charge };
  if (payment.amountPesewas >= missingPesewas(charge)) return { pays: charge, matchedBy: 'reference' };
  // The parts of a charge that has ended are held again: a person decides whether they are still meant for it.
  if (charge.state === 'expired') return { held: 'charge_expired', about: charge };
  if ((charge.parts ?? []).length >= MAX_PARTS) return { held: 'amount_differs', about: charge };
  return { isPartOf: charge };
}

/**
 * The one open charge that fits a payment's amount and payer. `open` are the charges of the number's merchants for this amount,
 * or that lack this much, that were made within `NAME_DECIDES_MS`. The amount alone never confirms. Where all that fit are one
 * customer's, who started the same checkout again, it is the newest.
 */
export function matchByName(
  payment: WalletPayment,
  receivedAt: string,
  open: readonly OpenTransaction[],
): { readonly fits: OpenTransaction } | { readonly held: HeldReason } {
  const candidates = open.filter((charge) => isCandidate(charge, payment, receivedAt));
  if (candidates.length === 0) return { held: 'no_charge' };
  const fitting = candidates
    .filter((charge) => fitsPayer(charge, payment.payerName))
    .toSorted((a, b) => (a.created_at < b.created_at ? 1 : -1));
  const [newest, ...others] = fitting;
  if (!newest) return { held: 'name_differs' };
  if (others.some((charge) => !isSameCustomer(charge, newest))) return { held: 'several_fit' };
  if (fitting.some(({ disputed }) => disputed)) return { held: 'charge_disputed' };
  return { fits: newest };
}

function isCandidate(charge: OpenTransaction, payment: WalletPayment, receivedAt: string): boolean {
  const createdMs = Date.parse(charge.created_at);
  const receivedMs = Date.parse(receivedAt);
  return (
    charge.state === 'pending' &&
    (charge.amount_pesewas === payment.amountPesewas || missingPesewas(charge) === payment.amountPesewas) &&
    createdMs <= receivedMs + CLOCK_TOLERANCE_MS &&
    receivedMs <= createdMs + NAME_DECIDES_MS &&
    receivedAt <= charge.expires_at
  );
}

/** Whether a charge is in the name that the network knows a payer by. */
export function fitsPayer({ customer_name }: Pick<Transaction, 'customer_name'>, payerName: string): boolean {
  const words = matchableName(customer_name ?? '');
  return words !== undefined && isNamed(words, payerName);
}

type Customer = Pick<Transaction, 'merchant_id' | 'customer_name' | 'email' | 'customer_phone'>;

/**
 * Whether two charges are one customer's at one merchant: the same name, the same e-mail address or phone number, and nothing
 * that differs. Anybody who knows a name and an address could pretend to be that customer, so this decides only which of
 * their checkouts is paid.
 */
export function isSameCustomer(one: Customer, other: Customer): boolean {
  const [words, otherWords] = [matchableName(one.customer_name ?? ''), matchableName(other.customer_name ?? '')];
  if (one.merchant_id !== other.merchant_id || !words || !otherWords || !isSameName(words, otherWords)) return false;
  const contacts = [
    [one.email?.toLowerCase(), other.email?.toLowerCase()],
    [one.customer_phone, other.customer_phone],
  ].filter(([mine, theirs]) => mine && theirs);
  return contacts.length > 0 && contacts.every(([mine, theirs]) => mine === theirs);
}
