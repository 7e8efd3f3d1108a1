import { accountRows } from '../../merchants/merchant/merchant.table.ts';
import type { TableOutside, TimedOutside } from '../../runtime/outside/outside.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { disputeCharge } from '../charge/change-charge.table.ts';
import { type PaymentUse, receiptRows, replaceReceipt, typedUseRows } from './receipt.table.ts';
import type { PaymentReceipt, Receipt } from './receipt.ts';

/**
 * An id that a merchant typed may turn out to belong to another payment. If the text of that payment is verified, or a
 * person assigns it, the text takes over the id, and the charge that was marked as paid is disputed. Typed ids do not
 * affect other merchants.
 */

export async function typedUse(outside: TableOutside, use: PaymentUse | undefined): Promise<Receipt | undefined> {
  const used = use?.reference === undefined ? undefined : await receiptRows.find(outside, use);
  return used?.marked && used.state === 'matched' ? used : undefined;
}

export async function typedAt(
  outside: TableOutside,
  payment: Pick<PaymentReceipt, 'network' | 'transaction_id'>,
  number: string,
): Promise<Receipt | undefined> {
  const accounts = await accountRows.list(outside, { number });
  const merchants = accounts.map(({ merchant_id }) => merchant_id);
  return (await typedBy(outside, payment, merchants))[0];
}

async function typedBy(
  outside: TableOutside,
  payment: Pick<PaymentReceipt, 'network' | 'transaction_id'>,
  merchantIds: readonly string[],
): Promise<Receipt[]> {
  const found = await Promise.all(
    merchantIds.map(async (merchant_id) =>
      typedUse(outside, await typedUseRows.find(outside, { ...payment, merchant_id })),
    ),
  );
  return found.filter((receipt) => receipt !== undefined);
}

/**
 * Disputes charges that were marked as paid with the id of this payment, because the payment's text names another
 * merchant's charge.
 */
export async function doubtMarks(
  outside: TimedOutside,
  text: Omit<PaymentReceipt, 'state'>,
  merchantIds: readonly string[],
): Promise<TableWrite[]> {
  const marks = await typedBy(outside, text, merchantIds);
  // Leave out a mark with the same receipt id as the text. Storing the text then fails, and the text is stored next to
  // the mark instead.
  const others = marks.filter(({ receipt_id }) => receipt_id !== text.receipt_id);
  const unnoted = others.filter(({ contradicted_by }) => !contradicted_by?.includes(text.receipt_id));
  return unnoted.flatMap((mark) => contradict(outside, mark, text.receipt_id));
}

/** Transfers the use of a typed id to a payment's text. Returns undefined if the text must not take over the id. */
export async function yieldTyped(
  outside: TimedOutside,
  use: PaymentUse | undefined,
  receipt: Omit<PaymentReceipt, 'state'>,
  reference: string,
): Promise<TableWrite[] | undefined> {
  const typed = receipt.marked ? undefined : await typedUse(outside, use);
  if (!typed || typed.receipt_id === receipt.receipt_id || typed.reference === reference) return undefined;
  return contradict(outside, typed, receipt.receipt_id);
}

export const MAX_CONTRADICTING = 20;

export function contradict(outside: TimedOutside, typed: Receipt, by: string): TableWrite[] {
  const { reference } = typed;
  return [
    replaceReceipt(typed, contradictedBy(typed, by)),
    ...(reference === undefined ? [] : [disputeCharge(outside, reference, 'conflict')]),
  ];
}

export function contradictedBy(first: Receipt, by: string): Receipt {
  const all = new Set([...(first.contradicted_by ?? []), by]);
  return { ...first, contradicted_by: [...all].slice(0, MAX_CONTRADICTING) };
}
