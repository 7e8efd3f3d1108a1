import type { TableOutside } from '../../runtime/outside/outside.ts';
import { isDenied } from '../payment/backing.ts';
import { getReceipts, receiptRows } from './receipt.table.ts';
import {
  isNotThere,
  isPayment,
  isSameText,
  mayShareWallet,
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

/** Like `textsAt`, but leaves out texts without a SIM number whose copy with the number is stored too. */
export async function distinctTextsAt(
  outside: TableOutside,
  payment: PaymentId,
  numbers: readonly (string | undefined)[],
): Promise<Receipt[]> {
  const texts = await textsAt(outside, payment, numbers);
  const unnumbered = texts.filter(({ momo_number }) => momo_number === undefined);
  const ofPhones = unnumbered.flatMap(({ numbers_of_phone = [] }) => numbers_of_phone);
  const all = ofPhones.length > 0 ? await textsAt(outside, payment, [...numbers, ...ofPhones]) : texts;
  const numbered = all.filter(({ momo_number, marked }) => momo_number !== undefined && !marked);
  const isCopy = (one: Receipt) => numbered.some((other) => isSameText(other, one));
  return texts.filter((one) => !unnumbered.includes(one) || !isCopy(one));
}

export function receiptIdsAt(
  { network, transaction_id }: PaymentId,
  numbers: readonly (string | undefined)[],
): string[] {
  return [...new Set([undefined, ...numbers].map((number) => paymentReceiptId(network, number, transaction_id)))];
}

/**
 * Finds the text that reports a payment to a wallet, unless that is simply the one with the payment's own receipt id:
 * the verified text, or the one that remained when a person undid the payments of the others.
 */
export async function textLeft(
  outside: TableOutside,
  payment: PaymentOfWallet,
  typedNumber?: string,
): Promise<Receipt | undefined> {
  return leftOf(await distinctTextsAt(outside, payment, [payment.momo_number, typedNumber]), payment);
}

/** Finds the text that reports a payment to a wallet. */
export async function textOfPayment(outside: TableOutside, payment: PaymentOfWallet): Promise<Receipt | undefined> {
  const { network, momo_number, transaction_id } = payment;
  const own = paymentReceiptId(network, momo_number, transaction_id);
  const texts = await distinctTextsAt(outside, payment, [momo_number]);
  return leftOf(texts, payment) ?? texts.find(({ receipt_id }) => receipt_id === own);
}

/** Finds the text about a payment that was forwarded without a SIM number. */
export async function textWithoutNumber(outside: TableOutside, payment: PaymentId): Promise<Receipt | undefined> {
  const { network, transaction_id } = payment;
  const own = await receiptRows.find(outside, { receipt_id: paymentReceiptId(network, undefined, transaction_id) });
  if (!own || !isNotThere(own)) return own;
  const texts = await textsAt(outside, payment, []);
  const unnumbered = texts.filter(({ momo_number }) => momo_number === undefined);
  return leftOf(unnumbered, own) ?? own;
}

/**
 * Finds the copy of this text that was forwarded without a SIM number and counts for a charge. Another text without a
 * number may have arrived before it. `unnumbered`: the first text without a number.
 */
export async function countedCopyOf(
  outside: TableOutside,
  text: Omit<PaymentReceipt, 'state'>,
  unnumbered: Receipt | undefined,
): Promise<Receipt | undefined> {
  const isCopy = (one: Receipt) =>
    one.momo_number === undefined && one.state === 'matched' && !one.marked && isSameText(one, text);
  if (!text.momo_number || !unnumbered) return undefined;
  const others = await getReceipts(outside, unnumbered.contradicted_by ?? []);
  return [unnumbered, ...others].find((one) => isCopy(one) && mayShareWallet(one, text));
}

/**
 * Returns the text without a SIM number if it conflicts with this one: it states different details, or it still counts
 * although another wallet's text has taken over its id. Neither text may then confirm anything. If a person did not find
 * the other text's money, it does not conflict with a verified text.
 */
export async function contradictionOf(
  outside: TableOutside,
  receipt: Omit<PaymentReceipt, 'state'>,
  known?: Receipt,
): Promise<Receipt | undefined> {
  const other = known ?? (await textWithoutNumber(outside, receipt));
  if (!other || other.receipt_id === receipt.receipt_id || !mayShareWallet(other, receipt)) return undefined;
  if (isNotThere(other) && receipt.proof?.state === 'proven') return undefined;
  if (other.use_lost !== true && isSameText(other, receipt)) return undefined;
  return (await isHiddenCopy(outside, other)) ? undefined : other;
}

/** True for a text without a SIM number that no merchant sees because its copy with the number is stored too. */
async function isHiddenCopy(outside: TableOutside, text: Receipt): Promise<boolean> {
  if (!isPayment(text) || text.merchant_id !== undefined) return false;
  const distinct = await distinctTextsAt(outside, text, []);
  return !distinct.some(({ receipt_id }) => receipt_id === text.receipt_id);
}

/**
 * Finds a text with a number that says the same as this text without a number, if a person did not find its money or it
 * is already compared with other texts about the payment.
 */
export async function comparedCopyOf(outside: TableOutside, text: Omit<PaymentReceipt, 'state'>) {
  const texts = await textsAt(outside, text, text.numbers_of_phone ?? []);
  const isCompared = (one: Receipt) => isNotThere(one) || one.use_lost === true || isDenied(one);
  const isCopy = (one: Receipt) => one.momo_number !== undefined && !one.marked && isSameText(one, text);
  return texts.find((one) => isPayment(one) && isCopy(one) && isCompared(one));
}

type PaymentOfWallet = PaymentId & Pick<Receipt, 'momo_number' | 'numbers_of_phone'>;

function leftOf(texts: readonly Receipt[], wallet: Pick<PaymentOfWallet, 'momo_number' | 'numbers_of_phone'>) {
  const ofWallet = texts.filter((one) => isPayment(one) && !one.marked && mayShareWallet(one, wallet));
  const left = ofWallet.filter((one) => !isNotThere(one));
  const only = left.length === 1 && left.length < ofWallet.length ? left[0] : undefined;
  return left.find(({ proof }) => proof?.state === 'proven') ?? left.find(({ first_undone }) => first_undone) ?? only;
}
