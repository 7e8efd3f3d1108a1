import type { MatchedBy } from '../transaction/payment.ts';
import type { Transaction } from '../transaction/transaction.table.ts';
import { compareNames } from './names.ts';
import type { Payment } from './read-receipt.ts';
import type { HeldReason } from './receipt.ts';

export type Decision =
  | { readonly pays: Transaction; readonly matchedBy: Extract<MatchedBy, 'reference' | 'name'> }
  /** `about` is the charge that was meant, where that is certain. */
  | { readonly held: HeldReason; readonly about?: Transaction };

/**
 * How far a phone's clock may be behind ours: a payment this long before its charge still counts as made for it. Phones are
 * set by their network, to the second.
 */
export const CLOCK_TOLERANCE_MS = 60_000;

/**
 * The charge reference that a payer typed, in any of its usual spellings: `mk 0123456789`, `MK0123456789`, `0123456789`;
 * undefined for anything else.
 */
export function chargeReferenceIn(typed: string | null): string | undefined {
  const [, digits] = /^(?:MK)?(\d{10})$/.exec(typed?.toUpperCase().replace(/[^A-Z0-9]/g, '') ?? '') ?? [];
  return digits && `MK-${digits}`;
}

/**
 * The charge that a payment's reference names. The reference is certain, so what stands against it is for a person to
 * decide. Undefined where the charge is not one that this number is paid for: then the payer typed something else.
 */
export function matchByReference(
  payment: Payment,
  momoNumber: string,
  receivedAt: string,
  charge: Transaction | undefined,
): Decision | undefined {
  if (charge?.momo_number !== momoNumber || charge.momo_network !== payment.network) return undefined;
  if (charge.state !== 'pending') return { held: 'already_paid', about: charge };
  if (receivedAt > charge.expires_at) return { held: 'charge_expired', about: charge };
  if (charge.amount_pesewas !== payment.amountPesewas) return { held: 'amount_differs', about: charge };
  return { pays: charge, matchedBy: 'reference' };
}

/**
 * The one open charge that fits a payment's amount and name. `open` are all charges of this amount on this number; the
 * amount alone never confirms.
 */
export function matchByName(payment: Payment, receivedAt: string, open: readonly Transaction[]): Decision {
  const candidates = open.filter(
    (charge) =>
      charge.state === 'pending' &&
      charge.momo_network === payment.network &&
      charge.amount_pesewas === payment.amountPesewas &&
      Date.parse(charge.created_at) <= Date.parse(receivedAt) + CLOCK_TOLERANCE_MS &&
      receivedAt <= charge.expires_at,
  );
  if (candidates.length === 0) return { held: 'no_charge' };
  const agreement = candidates.map((charge) => compareNames(charge.customer_name ?? '', payment.payerName));
  const fitting = candidates.filter((_, n) => agreement[n] !== 'different');
  const [charge] = fitting;
  if (!charge) return { held: 'name_differs' };
  if (fitting.length > 1) return { held: 'several_fit' };
  // A single word says little: it must be the only charge that could be meant.
  if (agreement.includes('same') || candidates.length === 1) return { pays: charge, matchedBy: 'name' };
  return { held: 'several_fit' };
}
