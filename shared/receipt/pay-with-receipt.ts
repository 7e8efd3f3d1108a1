import type { Outside } from '../runtime/outside/outside.ts';
import type { TableWrite } from '../runtime/table/table.ts';
import type { MatchedBy } from '../transaction/payment.ts';
import { type PaidTransaction, payTransaction, type Transaction } from '../transaction/transaction.table.ts';
import { usePayment } from './payment-use.table.ts';
import { createReceipt, replaceReceipt } from './receipt.table.ts';
import type { PaymentReceipt, Receipt } from './receipt.ts';

/**
 * The writes with which a receipt pays a charge, and what the charge has of it then: receipt, charge and the use of the
 * payment move in one transaction, so that no payment pays two charges and no charge is paid twice. `current` is the receipt
 * as it is kept already, where it is.
 */
export function payWithReceipt(
  outside: Pick<Outside, 'now'>,
  charge: Pick<Transaction, 'reference' | 'merchant_id'>,
  receipt: Omit<PaymentReceipt, 'state' | 'reason'>,
  matchedBy: MatchedBy,
  current?: Receipt,
): { paid: Pick<PaidTransaction, 'state' | 'paid_at' | 'payment'>; writes: TableWrite[] } {
  const { receipt_id, network, transaction_id, amount_pesewas, payer_name, payer_phone, received_at } = receipt;
  const payment = { receipt_id, network, transaction_id, amount_pesewas, payer_name, payer_phone, received_at };
  const paid = {
    state: 'success',
    paid_at: new Date(outside.now()).toISOString(),
    payment: { ...payment, matched_by: matchedBy },
  } as const;
  const matched: Receipt = {
    ...receipt,
    state: 'matched',
    reason: undefined,
    merchant_id: charge.merchant_id,
    matched_by: matchedBy,
    reference: charge.reference,
  };
  return {
    paid,
    // In this order: where several are refused, the receipt's own state says most.
    writes: [
      current ? replaceReceipt(current, matched) : createReceipt(matched),
      payTransaction({ reference: charge.reference, ...paid }),
      usePayment(receipt, charge.reference),
    ],
  };
}
