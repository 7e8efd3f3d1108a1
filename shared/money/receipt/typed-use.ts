import { accountRows, merchantRows, numbersOfMerchant } from '../../merchants/merchant/merchant.table.ts';
import type { TableOutside, TimedOutside } from '../../runtime/outside/outside.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { PublicError } from '../../runtime/values/errors.ts';
import { disputeCharge } from '../charge/change-charge.table.ts';
import { type Charge, chargeRows } from '../charge/charge.table.ts';
import {
  findUse,
  type Over,
  type PaymentUse,
  PaymentUsed,
  paymentUseRows,
  receiptRows,
  replaceReceipt,
  typedUseRows,
} from './receipt.table.ts';
import {
  isAssignable,
  isCopy,
  isNotThere,
  isSameReference,
  isSameText,
  looksLikeAnother,
  mayShareWallet,
  type PaymentReceipt,
  type Receipt,
} from './receipt.ts';
import { textsAt } from './texts-of-payment.ts';

/**
 * An id that a merchant typed may belong to a different payment. Once the text of that payment is verified, or a person
 * assigns that payment, the text takes over the id, and the charge that was marked as paid is disputed. A forged text
 * to another wallet loses its id in the same way. Ids that one merchant typed do not affect other merchants.
 */

async function typedUse(outside: TableOutside, use: PaymentUse | undefined): Promise<Receipt | undefined> {
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

export async function typedBy(
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
 * Disputes charges that were marked as paid with this payment's id, because the payment's text names another merchant's
 * charge.
 */
export async function doubtMarks(
  outside: TimedOutside,
  text: Omit<PaymentReceipt, 'state'>,
  merchantIds: readonly string[],
): Promise<TableWrite[]> {
  const marks = await typedBy(outside, text, merchantIds);
  // Leave out a mark whose receipt has the text's own id. The text is stored next to that receipt, under a different
  // id.
  const others = marks.filter(({ receipt_id }) => receipt_id !== text.receipt_id);
  const unnoted = others.filter(({ contradicted_by }) => !contradicted_by?.includes(text.receipt_id));
  return (await Promise.all(unnoted.map((mark) => contradict(outside, mark, text.receipt_id)))).flat();
}

export interface TakenUse {
  readonly over: Over;
  readonly writes: readonly TableWrite[];
}

/**
 * Lets a text take over its id if the charge's merchant typed that id, or if an unverified text to another wallet uses
 * it. The caller decides whether a typed id may be taken over. Disputes the charges that lose their payment. Disputes
 * another merchant's charge only if the text is verified. Returns undefined if the id is unused, if an existing use of
 * the id must stay, or if another text to this wallet has lost the id. `isVerified`: the wallet's chain verified the
 * text that a person assigns.
 */
export async function takeOverUse(
  outside: TimedOutside,
  text: Omit<PaymentReceipt, 'state'>,
  { reference, merchant_id }: Pick<Charge, 'reference' | 'merchant_id'>,
  { isVerified = false } = {},
): Promise<TakenUse | undefined> {
  if (text.marked) return undefined;
  const [use, ofTyped] = await Promise.all([
    paymentUseRows.find(outside, text),
    typedUseRows.find(outside, { ...text, merchant_id }),
  ]);
  const [foreign, typed] = await Promise.all([
    foreignUse(outside, use, text, { isVerified }),
    typedUse(outside, ofTyped),
  ]);
  const isTaken = (used: PaymentUse | undefined, by: Receipt | undefined) =>
    used === undefined || (by !== undefined && by.receipt_id !== text.receipt_id && by.reference !== reference);
  if (!(use || ofTyped) || !isTaken(use, foreign) || !isTaken(ofTyped, typed)) return undefined;
  if (await lostText(outside, text)) return undefined;
  const writes = [
    ...(typed ? await contradict(outside, typed, text.receipt_id) : []),
    ...(foreign ? await loseUse(outside, foreign, text, merchant_id) : []),
  ];
  return { over: { isTyped: typed !== undefined, foreign: foreign && use }, writes };
}

/**
 * Like `takeOverUse`, but never takes over a typed id, because that needs a person's decision. If the id is unused,
 * returns a result that takes over nothing. Returns undefined if an existing use of the id must stay, or if another
 * text to this wallet has lost the id.
 */
export async function takeOverForeignUse(
  outside: TimedOutside,
  text: Omit<PaymentReceipt, 'state'>,
  charge: Pick<Charge, 'reference' | 'merchant_id'>,
): Promise<TakenUse | undefined> {
  if (text.marked) return besideForeignUse(outside, text, charge);
  if (await findUse(outside, text, [charge.merchant_id])) {
    const taken = await takeOverUse(outside, text, charge);
    return taken?.over.isTyped ? undefined : taken;
  }
  return (await lostText(outside, text)) ? undefined : { over: {}, writes: [] };
}

/**
 * Lets a mark as paid count again although an unverified text to another shop's wallet has the same id. That text keeps
 * the id.
 */
async function besideForeignUse(
  outside: TableOutside,
  mark: Omit<PaymentReceipt, 'state'>,
  { merchant_id }: Pick<Charge, 'merchant_id'>,
): Promise<TakenUse | undefined> {
  const use = await paymentUseRows.find(outside, mark);
  if ((await typedUseRows.find(outside, { ...mark, merchant_id })) || (await lostText(outside, mark))) return undefined;
  const used = await foreignUse(outside, use, { ...mark, looked_by: mark.marked?.by });
  if (use && (!used || used.merchant_id === merchant_id)) return undefined;
  return { over: { foreign: use }, writes: [] };
}

/**
 * Finds another text about this payment to this wallet whose id another wallet's text has taken over. The text found
 * still pays its charge, so this payment must not pay a second charge, even once nobody uses the id.
 */
async function lostText(outside: TableOutside, text: Omit<PaymentReceipt, 'state'>): Promise<Receipt | undefined> {
  return lostAmong(await textsBeside(outside, text), text);
}

function lostAmong(texts: readonly Receipt[], text: Omit<PaymentReceipt, 'state'>): Receipt | undefined {
  return texts.find((one) => one.use_lost === true && mayShareWallet(one, text));
}

function textsBeside(outside: TableOutside, text: Omit<PaymentReceipt, 'state'>): Promise<Receipt[]> {
  const { network, momo_number, numbers_of_phone = [], transaction_id } = text;
  return textsAt(outside, { network, transaction_id }, [momo_number, ...numbers_of_phone]);
}

export type CountedText = Omit<Receipt, 'state'> & Pick<PaymentReceipt, 'network' | 'transaction_id'>;

/**
 * Returns the unverified payments whose id belongs to a verified text that the merchant holds: at a different number, at
 * the same number without a conflict, or with the same amount and payer. The money then belongs to that text's payment.
 * A verified text does no harm if it names the charge for which the unverified payment counts.
 */
export async function verifiedElsewhere<Text extends CountedText>(
  outside: TableOutside,
  merchantId: string,
  payments: readonly Text[],
): Promise<Text[]> {
  const found = await textsOfUnverified(outside, merchantId, payments);
  return found.filter(isVerifiedAmong(merchantId)).map(({ payment }) => payment);
}

/**
 * Returns why this unverified payment must not confirm anything by itself, if so. `verified`: its id belongs to a
 * verified text that the merchant holds. `not there`: a person did not find the money of a text with its id to another
 * of the merchant's numbers.
 */
export async function doubtElsewhere(
  outside: TableOutside,
  merchantId: string,
  payment: CountedText,
): Promise<'verified' | 'not there' | undefined> {
  const [found] = await textsOfUnverified(outside, merchantId, [payment]);
  if (!found) return undefined;
  if (isVerifiedAmong(merchantId)(found)) return 'verified';
  const isRemoved = (text: Receipt) => isNotThere(text) && !mayShareWallet(text, payment);
  return found.texts.some((text) => isRemoved(text) && text.merchant_id === merchantId) ? 'not there' : undefined;
}

/**
 * Returns which other text with this unverified payment's id a person must decide about before they assign the payment,
 * if any. `verified`: see `verifiedElsewhere`. `alike`: the merchant holds a text with the same amount and payer, but a
 * different reference. Only one of the two is in the wallet.
 */
export async function undecidedElsewhere(
  outside: TableOutside,
  merchantId: string,
  payment: CountedText,
): Promise<'verified' | 'alike' | undefined> {
  const [found] = await textsOfUnverified(outside, merchantId, [payment]);
  if (!found) return undefined;
  if (isVerifiedAmong(merchantId)(found)) return 'verified';
  const isAlike = (text: Receipt) =>
    text.merchant_id === merchantId &&
    isAssignable(text) &&
    !text.set_aside &&
    text.receipt_id !== payment.receipt_id &&
    looksLikeAnother(payment, [text]) &&
    !isSameReference(text.payer_reference, payment.payer_reference);
  return found.texts.some(isAlike) ? 'alike' : undefined;
}

/** Reads the texts about each unverified payment on all of the merchant's numbers. */
async function textsOfUnverified<Text extends CountedText>(
  outside: TableOutside,
  merchantId: string,
  payments: readonly Text[],
): Promise<{ payment: Text; texts: Receipt[] }[]> {
  const unverified = payments.filter(({ proof }) => proof?.state !== 'proven');
  const numbers = unverified.length > 0 ? await numbersOfMerchant(outside, merchantId) : undefined;
  if (!numbers) return [];
  return Promise.all(unverified.map(async (payment) => ({ payment, texts: await textsAt(outside, payment, numbers) })));
}

function isVerifiedAmong(merchantId: string) {
  return ({ payment, texts }: { readonly payment: CountedText; readonly texts: readonly Receipt[] }) =>
    texts.some(
      (text) =>
        text.state === 'held' &&
        text.merchant_id === merchantId &&
        text.reason !== 'reversed' &&
        text.proof?.state === 'proven' &&
        (payment.reference === undefined || text.suggested_reference !== payment.reference) &&
        (!mayShareWallet(text, payment) ||
          (looksLikeAnother(payment, [text]) && !isCopy(payment, text)) ||
          (text.receipt_id !== payment.receipt_id && text.reason !== 'conflict')),
    );
}

/**
 * @throws PaymentUsed if another text to this wallet already counts for the payment, but has lost its id to another
 * wallet's text; PublicError `receipt_not_held` if another merchant's charge was paid with the id.
 */
export async function refuseUsed(
  outside: TableOutside,
  text: Omit<PaymentReceipt, 'state'>,
  { merchant_id }: Pick<Charge, 'merchant_id'>,
): Promise<void> {
  const texts = await textsBeside(outside, text);
  const lost = lostAmong(texts, text);
  if (lost) throw new PaymentUsed(lost);
  const isOfOther = (one: Receipt) => one.state === 'matched' && !one.marked && one.merchant_id !== merchant_id;
  if (texts.some((one) => isOfOther(one) && !one.use_lost))
    throw new PublicError(
      'receipt_not_held',
      'Another shop’s charge was paid with this transaction ID. If you find the money, ask the operator.',
    );
}

/** Records that `text`, which reports a payment to this merchant, takes over the id of a text to another wallet. */
export async function loseUse(
  outside: TimedOutside,
  foreign: Receipt,
  text: Omit<PaymentReceipt, 'state'>,
  merchantId: string,
): Promise<TableWrite[]> {
  const lost = { ...foreign, use_lost: true };
  const mayDispute = text.proof?.state === 'proven' || foreign.merchant_id === merchantId;
  return mayDispute ? contradict(outside, lost, text.receipt_id, foreign) : [replaceReceipt(foreign, lost)];
}

/**
 * Returns the unverified text to another wallet that uses an id, if `text` is verified or a person checked it. One of
 * the two texts is false, because a network assigns an id only once. A forged text must not block another merchant's
 * payment. Nor must the text of a suspended merchant, who may have forged a whole wallet or share this one, once a person
 * assigns `text`. If `text` is verified and a person checked it, also returns a different text to the same wallet.
 */
export async function foreignUse(
  outside: TableOutside,
  use: PaymentUse | undefined,
  text: Omit<Receipt, 'state'>,
  { isVerified = false } = {},
): Promise<Receipt | undefined> {
  const mayTake = text.proof?.state === 'proven' || text.looked_by !== undefined;
  const used = use && mayTake ? await receiptRows.find(outside, use) : undefined;
  if (!used || used.marked) return undefined;
  const isDecided = isVerified || text.looked_by !== undefined;
  const isDifferent = isVerified && text.looked_by !== undefined && !isSameText(used, text);
  // A text that is still being checked may be verified soon.
  const mayStay = used.proof?.state === 'proven' || used.proof?.state === 'checking';
  if (!mayStay && (isElsewhere(used, text) || isDifferent)) return used;
  return isDecided && (await isOfSuspended(outside, used)) ? used : undefined;
}

/** True if the operator suspended the merchant to whom a text belongs. */
export async function isOfSuspended(outside: TableOutside, { merchant_id }: Receipt): Promise<boolean> {
  const merchant = merchant_id === undefined ? undefined : await merchantRows.find(outside, { merchant_id });
  return merchant?.suspended_at !== undefined;
}

export function isElsewhere(used: Receipt, text: Omit<Receipt, 'state'>): boolean {
  return used.marked === undefined && !mayShareWallet(used, text);
}

export const MAX_CONTRADICTING = 20;

/** Records that a text contradicts a stored text, and disputes the charge that the stored text's payment pays. */
export async function contradict(
  outside: TimedOutside,
  receipt: Receipt,
  by: string,
  stored = receipt,
): Promise<TableWrite[]> {
  const { reference, state } = receipt;
  // A charge may be deleted before the receipt of its payment.
  const charge = state === 'matched' && reference !== undefined && (await chargeRows.find(outside, { reference }));
  return [
    replaceReceipt(stored, contradictedBy(receipt, by)),
    ...(charge ? [disputeCharge(outside, charge.reference, 'conflict')] : []),
  ];
}

export function contradictedBy(first: Receipt, by: string): Receipt {
  const all = new Set([...(first.contradicted_by ?? []), by]);
  return { ...first, contradicted_by: [...all].slice(0, MAX_CONTRADICTING) };
}
