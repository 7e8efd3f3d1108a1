import type { Outside } from '../runtime/outside.ts';
import { findTransaction, MovedOn, type Transaction } from '../transaction/transaction.table.ts';
import { takeClaimTry } from './claim.table.ts';
import { payWithReceipt } from './pay-with-receipt.ts';
import { getReceipt, ReceiptStands } from './receipt.table.ts';
import { isAssignable, paymentReceiptId } from './receipt.ts';

/**
 * What came of a customer's claim: the charge is `paid` (by this claim or before it); no payment that fits is known
 * (`unknown`); or too many wrong ids were tried (`too_many`, with the seconds to wait).
 */
export type ClaimOutcome = { outcome: 'paid' } | { outcome: 'unknown' } | { outcome: 'too_many'; waitSeconds: number };

/**
 * Confirms a pending charge with the held receipt of the network's transaction id that the customer typed. Number, network
 * and amount must be the charge's own. Each call takes one of the charge's five tries in ten minutes.
 */
export async function claimPayment(outside: Outside, charge: Transaction, typed: string): Promise<ClaimOutcome> {
  if (charge.state === 'success') return { outcome: 'paid' };
  const waitSeconds = await takeClaimTry(outside, charge.reference);
  if (waitSeconds > 0) return { outcome: 'too_many', waitSeconds };
  const transactionId = typed.toUpperCase().replace(/[^0-9A-Z]/g, '');
  const receipt = await getReceipt(outside, paymentReceiptId(charge.momo_network, charge.momo_number, transactionId));
  if (receipt?.state === 'matched' && receipt.reference === charge.reference) return { outcome: 'paid' };
  // Where a number is several merchants', a payment that was meant for one is not another's to claim.
  const isAnothers = receipt?.merchant_id !== undefined && receipt.merchant_id !== charge.merchant_id;
  if (!receipt || isAnothers || !isAssignable(receipt) || receipt.amount_pesewas !== charge.amount_pesewas)
    return { outcome: 'unknown' };
  try {
    await outside.table.write(payWithReceipt(outside, charge, receipt, 'claim', receipt).pieces);
    return { outcome: 'paid' };
  } catch (error) {
    if (!(error instanceof MovedOn || error instanceof ReceiptStands)) throw error;
    // The charge was paid meanwhile, or the receipt was given to another one.
    const current = await findTransaction(outside, charge.reference);
    return { outcome: current?.state === 'success' ? 'paid' : 'unknown' };
  }
}
