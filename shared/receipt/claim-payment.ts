import type { Outside } from '../runtime/outside.ts';
import type { Transaction } from '../transaction/transaction.table.ts';

/**
 * What came of a customer's claim: the charge is `paid` (by this claim or before it); no payment that fits is known
 * (`unknown`); or too many wrong ids were tried (`too_many`, with the seconds to wait).
 */
export type ClaimOutcome = { outcome: 'paid' } | { outcome: 'unknown' } | { outcome: 'too_many'; waitSeconds: number };

/** Confirms a pending charge with the held receipt of the network's transaction id that the customer typed. */
export async function claimPayment(
  _outside: Outside,
  _transaction: Transaction,
  _transactionId: string,
): Promise<ClaimOutcome> {
  throw new Error('Not written yet');
}
