import type { Transaction } from './transaction.table.ts';

type Amounts = Pick<Transaction, 'state' | 'amount_pesewas' | 'parts' | 'payment'>;

/**
 * What has arrived for a charge and was not taken back, in pesewas: its parts, and the payment that completed it. Of a charge
 * that ended unpaid it is what had arrived by then, and is held again.
 */
export function paidPesewas({ state, parts = [], payment }: Omit<Amounts, 'amount_pesewas'>): number {
  const completing = state === 'success' ? (payment?.amount_pesewas ?? 0) : 0;
  return parts.reduce((sum, { amount_pesewas }) => sum + amount_pesewas, completing);
}

/** What a charge still lacks, in pesewas; 0 where that is nothing. What one that has ended had is no longer its own. */
export function missingPesewas(charge: Amounts): number {
  const counted = charge.state === 'pending' || charge.state === 'success' ? paidPesewas(charge) : 0;
  return Math.max(0, charge.amount_pesewas - counted);
}

/** What was paid beyond a charge's amount, in pesewas; 0 where that is nothing. */
export function overpaidPesewas(charge: Amounts): number {
  return Math.max(0, paidPesewas(charge) - charge.amount_pesewas);
}
