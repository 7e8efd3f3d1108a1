import type { TableOutside } from '../../runtime/outside/outside.ts';
import { getReceipts } from './receipt.table.ts';
import {
  isNotThere,
  mayShareWallet,
  NOT_THERE,
  type PaymentReceipt,
  paymentReceiptId,
  type Receipt,
} from './receipt.ts';

type PaymentId = Pick<PaymentReceipt, 'network' | 'transaction_id'>;

/**
 * Reads all stored texts with a payment's id that belong to one of these numbers or have no number. Also reads the
 * texts that contradict them.
 */
export async function textsAt(
  outside: TableOutside,
  payment: PaymentId,
  numbers: readonly (string | undefined)[],
): Promise<Receipt[]> {
  const found: Receipt[] = [];
  let ids = receiptIdsAt(payment, numbers);
  while (ids.length > 0) {
    found.push(...(await getReceipts(outside, ids)));
    const known = new Set([...ids, ...found.map(({ receipt_id }) => receipt_id)]);
    ids = [...new Set(found.flatMap(({ contradicted_by = [] }) => contradicted_by))].filter((id) => !known.has(id));
  }
  return found;
}

export function receiptIdsAt(
  { network, transaction_id }: PaymentId,
  numbers: readonly (string | undefined)[],
): string[] {
  return [...new Set([undefined, ...numbers].map((number) => paymentReceiptId(network, number, transaction_id)))];
}

/**
 * Finds the text that reports a payment to a wallet since a person undid the payment of another text with the same id.
 * Whoever looks for a payment under its own receipt id finds the undone one, and must go on to this text.
 */
export async function textLeft(
  outside: TableOutside,
  payment: PaymentOfWallet,
  typedNumber?: string,
): Promise<Receipt | undefined> {
  return leftOf(await textsAt(outside, payment, [payment.momo_number, typedNumber]), payment);
}

/** Finds a payment's text: the one with the payment's own receipt id, unless a person undid that one. */
export async function textOfPayment(outside: TableOutside, payment: PaymentOfWallet): Promise<Receipt | undefined> {
  const { network, momo_number, transaction_id } = payment;
  const own = paymentReceiptId(network, momo_number, transaction_id);
  const texts = await textsAt(outside, payment, [momo_number]);
  return leftOf(texts, payment) ?? texts.find(({ receipt_id }) => receipt_id === own);
}

type PaymentOfWallet = PaymentId & Pick<Receipt, 'momo_number'>;

function leftOf(texts: readonly Receipt[], payment: PaymentOfWallet): Receipt | undefined {
  const mayBe = (one: Receipt) => (one.first_undone || one.set_aside?.why === NOT_THERE) && !isNotThere(one);
  const left = texts.filter((one) => mayBe(one) && mayShareWallet(one, payment));
  return left.find(({ proof }) => proof?.state === 'proven') ?? left[0];
}
