import type { Transaction } from './transaction.table.ts';

type Amounts = Pick<Transaction, 'state' | 'amount_pesewas' | 'parts' | 'payment'>;

/**
 * What has arrived for a charge and was not reversed, in pesewas: its parts, and the payment that completed it. For a charge
 * that ended unpaid, this is what had arrived by then and is held again.
 */
export function paidPesewas({ state, parts = [], payment }: Omit<Amounts, 'amount_pesewas'>): number {
  const completing = state === 'success' ? (payment?.amount_pesewas ?? 0) : 0;
  return parts.reduce((sum, { amount_pesewas }) => sum + amount_pesewas, completing);
}

/** What a charge still lacks, in pesewas; 0 if nothing. Payments of a charge that has ended no longer count. */
export function missingPesewas(charge: Amounts): number {
  const counted = charge.state === 'pending' || charge.state === 'success' ? paidPesewas(charge) : 0;
  return Math.max(0, charge.amount_pesewas - counted);
}

/** What was paid beyond a charge's amount, in pesewas; 0 if nothing. */
export function overpaidPesewas(charge: Amounts): number {
  return Math.max(0, paidPesewas(charge) - charge.amount_pesewas);
}
