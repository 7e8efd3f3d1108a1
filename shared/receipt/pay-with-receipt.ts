import type { Outside } from '../runtime/outside/outside.ts';
import type { TableWrite } from '../runtime/table/table.ts';
import type { MatchedBy } from '../transaction/payment.ts';
import { type PaidTransaction, payTransaction } from '../transaction/transaction.table.ts';
import { type Charge, matchedTo, paymentOf, reclaimParts } from './charge-parts.ts';
import { usePayment } from './payment-use.table.ts';
import { createReceipt, replaceReceipt } from './receipt.table.ts';
import type { PaymentReceipt, Receipt } from './receipt.ts';

/**
 * The writes with which a receipt pays a charge, and what the charge has of it then: receipt, charge and the use of the
 * payment move in one transaction, so that no payment pays two charges and no charge is paid twice. The parts of a charge that
 * had ended come back to it. `current` is the receipt as it is kept already, where it is.
 */
export async function payWithReceipt(
  outside: Pick<Outside, 'now' | 'table'>,
  charge: Charge,
  receipt: Omit<PaymentReceipt, 'state' | 'reason'>,
  matchedBy: MatchedBy,
  current?: Receipt,
): Promise<{ paid: Pick<PaidTransaction, 'state' | 'paid_at' | 'payment' | 'parts'>; writes: TableWrite[] }> {
  const others = (charge.parts ?? []).filter(({ receipt_id }) => receipt_id !== receipt.receipt_id);
  const counted =
    charge.state === 'pending' ? { parts: others, writes: [] } : await reclaimParts(outside, charge, others);
  const paid = {
    state: 'success',
    paid_at: new Date(outside.now()).toISOString(),
    payment: paymentOf(receipt, matchedBy),
    parts: counted.parts,
  } as const;
  const matched = matchedTo(charge, receipt, matchedBy);
  return {
    paid,
    // In this order: where several are refused, the receipt's own state says most.
    writes: [
      current ? replaceReceipt(current, matched) : createReceipt(matched),
      payTransaction(charge, paid),
      usePayment(receipt, charge.reference),
      ...counted.writes,
    ],
  };
}
