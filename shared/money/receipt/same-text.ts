import type { Outside } from '../../runtime/outside/outside.ts';
import { getReceipt } from './receipt.table.ts';
import { type PaymentReceipt, paymentReceiptId, type Receipt } from './receipt.ts';

/** What two texts of one payment must agree on: amount, payer, what was typed, and the balance afterwards. */
export function factsOf({
  amount_pesewas,
  payer_name,
  payer_reference,
  balance_pesewas,
}: Omit<Receipt, 'state'>): string {
  const words = [payer_name, payer_reference].map((text = '') => text.toUpperCase().replace(/\s+/g, ' ').trim());
  return [amount_pesewas, balance_pesewas, ...words].join('\n');
}

/** Whether two texts of one payment say the same about it, as far as is known: the operator may have erased the payer of one. */
export function isSameText(one: Omit<Receipt, 'state'>, other: Omit<Receipt, 'state'>): boolean {
  if (one.text !== undefined && other.text !== undefined) return factsOf(one) === factsOf(other);
  return one.amount_pesewas === other.amount_pesewas && one.balance_pesewas === other.balance_pesewas;
}

/**
 * The text of a payment whose phone reported no number, if it contradicts `receipt`: then neither may confirm anything.
 */
export async function contradictionOf(
  outside: Pick<Outside, 'table'>,
  receipt: Omit<PaymentReceipt, 'state'>,
): Promise<Receipt | undefined> {
  const other = await getReceipt(outside, paymentReceiptId(receipt.network, undefined, receipt.transaction_id));
  const isOther = other && other.receipt_id !== receipt.receipt_id && !isSameText(other, receipt);
  return isOther ? other : undefined;
}
