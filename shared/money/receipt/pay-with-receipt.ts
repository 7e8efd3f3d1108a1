import type { Outside } from '../../runtime/outside/outside.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { payTransaction } from '../transaction/change-transaction.table.ts';
import type { MatchedBy, Payment } from '../transaction/payment.ts';
import type { PaidTransaction } from '../transaction/transaction.table.ts';
import { type Charge, matchReceipt, paymentOf, reclaimParts } from './charge-parts.ts';
import { usePayment } from './payment-use.table.ts';
import type { PaymentReceipt, Receipt } from './receipt.ts';

/**
 * The writes with which a receipt pays a charge, and what the charge has of it then: receipt, charge and the use of the
 * payment move in one transaction, so that no payment pays two charges and no charge is paid twice. The parts of a charge that
 * had expired are restored if a person says so. `current` is the stored receipt, if there is one.
 */
export async function payWithReceipt(
  outside: Pick<Outside, 'now' | 'table'>,
  charge: Charge,
  receipt: Omit<PaymentReceipt, 'state' | 'reason'>,
  matchedBy: MatchedBy,
  current?: Receipt,
): Promise<{ paid: Pick<PaidTransaction, 'state' | 'paid_at' | 'payment' | 'parts'>; writes: TableWrite[] }> {
  const counted = await partsOf(outside, charge, receipt, matchedBy);
  const paid = {
    state: 'success',
    paid_at: new Date(outside.now()).toISOString(),
    payment: paymentOf(receipt, matchedBy),
    parts: counted.parts,
  } as const;
  return {
    paid,
    // In this order: if several are refused, the receipt's own state is the most informative.
    writes: [
      matchReceipt(charge, receipt, matchedBy, current),
      payTransaction(charge, paid),
      usePayment(receipt, charge.reference),
      ...counted.writes,
    ],
  };
}

/** What else counts towards the charge, and the writes for that. */
async function partsOf(
  outside: Pick<Outside, 'table'>,
  charge: Charge,
  receipt: Pick<PaymentReceipt, 'network' | 'transaction_id'>,
  matchedBy: MatchedBy,
): Promise<{ parts: Payment[]; writes: TableWrite[] }> {
  if (charge.state === 'pending') return { parts: charge.parts ?? [], writes: [] };
  return matchedBy === 'hand' ? reclaimParts(outside, charge, receipt) : { parts: [], writes: [] };
}
