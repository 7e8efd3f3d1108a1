import type { TableOutside, TimedOutside } from '../../runtime/outside/outside.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { disputeTransaction } from '../transaction/change-transaction.table.ts';
import { type PaymentUse, paymentUseRows, receiptRows, replaceReceipt } from './receipt.table.ts';
import type { PaymentReceipt, Receipt } from './receipt.ts';

/*
 * An id that somebody typed to mark a charge as paid may be of another payment. It yields to that payment's text where the text is verified, or a
 * person gives it to its charge; the charge that was marked is in doubt from then on.
 */

/** The receipt of a use, if somebody typed it. */
export async function typedUse(outside: TableOutside, use: PaymentUse | undefined): Promise<Receipt | undefined> {
  const used = use?.reference === undefined ? undefined : await receiptRows.find(outside, use);
  return used?.marked && used.state === 'matched' ? used : undefined;
}

/** The use that a payment with a text takes from a marked one, and the writes for the latter; undefined where nothing yields to it. */
export async function takeTypedUse(
  outside: TimedOutside,
  receipt: Omit<PaymentReceipt, 'state'>,
  reference: string,
): Promise<{ taken: PaymentUse; writes: TableWrite[] } | undefined> {
  const taken = receipt.marked ? undefined : await paymentUseRows.find(outside, receipt);
  const typed = await typedUse(outside, taken);
  if (!taken || !typed || typed.receipt_id === receipt.receipt_id || typed.reference === reference) return undefined;
  return { taken, writes: contradict(outside, { ...typed, use_taken: true }, receipt.receipt_id, typed) };
}

/** Texts that are noted beside a marked payment, the first ones: all of them are decided about again whenever one is. */
const MAX_CONTRADICTING = 20;

/** The writes that put a marked charge in doubt: a text says something else of its payment. */
export function contradict(outside: TimedOutside, typed: Receipt, by: string, stored = typed): TableWrite[] {
  const { reference, contradicted_by = [] } = typed;
  const all = [...new Set([...contradicted_by, by])].slice(0, MAX_CONTRADICTING);
  return [
    replaceReceipt(stored, { ...typed, contradicted_by: all }),
    ...(reference === undefined ? [] : [disputeTransaction(outside, reference, 'conflict')]),
  ];
}
