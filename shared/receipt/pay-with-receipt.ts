import type { Outside } from '../runtime/outside.ts';
import type { Piece } from '../runtime/table.ts';
import type { MatchedBy } from '../transaction/payment.ts';
import { type PaidTransaction, payTransaction, type Transaction } from '../transaction/transaction.table.ts';
import { createReceipt, replaceReceipt } from './receipt.table.ts';
import type { PaymentReceipt, Receipt } from './receipt.ts';

/**
 * The charge as a receipt pays it, and the pieces that make it so: both move in one transaction, so that no receipt pays two
 * charges and no charge is paid twice. `standing` is the receipt as it is kept already, where it is.
 */
export function payWithReceipt(
  outside: Pick<Outside, 'now'>,
  charge: Transaction,
  receipt: Omit<PaymentReceipt, 'state' | 'reason'>,
  matchedBy: MatchedBy,
  standing?: Receipt,
): { paid: PaidTransaction; pieces: Piece[] } {
  const { receipt_id, network, transaction_id, amount_pesewas, payer_name, payer_phone, received_at } = receipt;
  const payment = { receipt_id, network, transaction_id, amount_pesewas, payer_name, payer_phone, received_at };
  const paid: PaidTransaction = {
    ...charge,
    state: 'success',
    paid_at: new Date(outside.now()).toISOString(),
    payment: { ...payment, matched_by: matchedBy },
  };
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
    pieces: [standing ? replaceReceipt(standing, matched) : createReceipt(matched), payTransaction(paid)],
  };
}
