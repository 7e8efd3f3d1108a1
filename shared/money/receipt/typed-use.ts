import { accountRows } from '../../merchants/merchant/merchant.table.ts';
import type { TableOutside, TimedOutside } from '../../runtime/outside/outside.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { disputeCharge } from '../charge/change-charge.table.ts';
import { type PaymentUse, receiptRows, replaceReceipt, typedUseRows } from './receipt.table.ts';
import type { PaymentReceipt, Receipt } from './receipt.ts';

/*
 * An id that somebody typed to mark a charge as paid may be of another payment. It yields to that payment's text where the text is verified, or a
 * person gives it to its charge; the charge that was marked is in doubt from then on. To other merchants a typed id says nothing.
 */

/** The receipt of a use, if somebody typed it. */
export async function typedUse(outside: TableOutside, use: PaymentUse | undefined): Promise<Receipt | undefined> {
  const used = use?.reference === undefined ? undefined : await receiptRows.find(outside, use);
  return used?.marked && used.state === 'matched' ? used : undefined;
}

/** The receipt of a payment whose id a merchant of a number typed, at whichever of their numbers. */
export async function typedAt(
  outside: TableOutside,
  payment: Pick<PaymentReceipt, 'network' | 'transaction_id'>,
  number: string,
): Promise<Receipt | undefined> {
  const accounts = await accountRows.list(outside, { number });
  const merchants = accounts.map(({ merchant_id }) => merchant_id);
  return (await typedBy(outside, payment, merchants))[0];
}

/** The receipts of a payment whose id some merchants typed. */
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

/** The writes that put in doubt what some merchants marked by a payment's id: its text names a bill of another merchant. */
export async function doubtMarks(
  outside: TimedOutside,
  text: Omit<PaymentReceipt, 'state'>,
  merchantIds: readonly string[],
): Promise<TableWrite[]> {
  const marks = await typedBy(outside, text, merchantIds);
  // A text that would be stored in place of a mark is refused, and decided about beside it.
  const others = marks.filter(({ receipt_id }) => receipt_id !== text.receipt_id);
  const unnoted = others.filter(({ contradicted_by }) => !contradicted_by?.includes(text.receipt_id));
  return unnoted.flatMap((mark) => contradict(outside, mark, text.receipt_id));
}

/** The writes by which a typed id yields to a payment with a text, which may be used over it then; undefined where it does not. */
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

/** Texts that are noted beside a marked payment, the first ones: all of them are decided about again whenever one is. */
const MAX_CONTRADICTING = 20;

/** The writes that put a marked charge in doubt: a text says something else of its payment. */
export function contradict(outside: TimedOutside, typed: Receipt, by: string): TableWrite[] {
  const { reference, contradicted_by = [] } = typed;
  const all = [...new Set([...contradicted_by, by])].slice(0, MAX_CONTRADICTING);
  return [
    replaceReceipt(typed, { ...typed, contradicted_by: all }),
    ...(reference === undefined ? [] : [disputeCharge(outside, reference, 'conflict')]),
  ];
}
