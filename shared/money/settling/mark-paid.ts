import { arrivedPesewas } from '../../ghana/arrived.ts';
import { Network } from '../../ghana/network.ts';
import { wholeNumber } from '../../ghana/shown-number.ts';
import { cleanName } from '../../ghana/wallet-text/clean-name.ts';
import type { Merchant } from '../../merchants/merchant/merchant.ts';
import { isTestAccount } from '../../merchants/merchant/test-account.ts';
import { type Clock, nowIso, type Outside } from '../../runtime/outside/outside.ts';
import { endOfRetention } from '../../runtime/outside/retention.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { invalidRequest, type PublicError } from '../../runtime/values/errors.ts';
import { MovedOn } from '../charge/change-charge.table.ts';
import { type Charge, requireCharge } from '../charge/charge.table.ts';
import { accountsOf, mayUndo, statusOf } from '../charge/charge.ts';
import { nameWords } from '../charge/customer-name.ts';
import { isShortened } from '../charge/written-id.ts';
import {
  type Marked,
  type MarkedHow,
  markedTextIds,
  missingPesewas,
  type Payment,
  paymentsOf,
  totalPesewas,
  UNMARK_MS,
} from '../payment/payment.ts';
import {
  checkReceipt,
  getReceipts,
  type Over,
  ownUse,
  paymentUseRows,
  receiptRows,
  replaceReceipt,
  typedUseRows,
} from '../receipt/receipt.table.ts';
import {
  isAssignable,
  isDoubtOnly,
  isNotThere,
  isSameText,
  isUndecidedText,
  isUndoneMark,
  isUnseen,
  newCashId,
  type PaymentReceipt,
  paymentReceiptId,
  type Receipt,
  testTransactionId,
} from '../receipt/receipt.ts';
import { receiptIdsAt, textsAt } from '../receipt/texts-of-payment.ts';
import { transactionIdIn } from '../receipt/typed-transaction-id.ts';
import { foreignUse } from '../receipt/typed-use.ts';
import { countByHand, requireReceipt } from './assign-receipt.ts';
import { partsCountedAgain } from './pay-charge.ts';
import { undoPayment } from './undo-payment.ts';

export interface MarkDetails {
  readonly how: MarkedHow;
  readonly amount: number;
  readonly payer?: string | undefined;
  readonly transaction_id?: string | undefined;
  /** Merchant's number that received the payment. */
  readonly number?: string | undefined;
  /** Receipt id of a text that could not be parsed. */
  readonly text?: string | undefined;
  /** True if the person accepts less than the amount due. */
  readonly isEnough?: boolean;
}

/**
 * Marks a merchant's charge as paid: in cash, by transfer, or from a text that could not be parsed. Returns the charge
 * and the writes. A later text, claim or reversal with the same id finds the payment. Rejects an id that is already
 * known.
 * @throws PublicError `not_found`, `invalid_request`, `charge_not_pending`, and `receipt_not_held` if another writer
 * was first.
 */
export async function markPaid(
  outside: Outside,
  merchant: Merchant,
  reference: string,
  { by, ...details }: MarkDetails & { readonly by: string },
): Promise<{ charge: Charge; receipt: PaymentReceipt; writes: TableWrite[] }> {
  const charge = await requireCharge(outside, reference, merchant.merchant_id);
  const text = details.how === 'text' ? await requireText(outside, merchant, details.text) : undefined;
  const at = nowIso(outside);
  const marked = { how: details.how, at, by };
  const receipt: PaymentReceipt = {
    ...(details.how === 'cash' ? cashOf(outside, charge) : transferOf(merchant, details, charge, text)),
    state: 'held',
    merchant_id: merchant.merchant_id,
    amount_pesewas: arrivedPesewas(details.amount),
    payer_name: cleanName(details.payer ?? '') || undefined,
    received_at: text?.received_at ?? at,
    ...(!isTestAccount(merchant.merchant_id) && { proof: { state: 'unproven' } }),
    marked,
    ...endOfRetention(outside, at),
  };
  const hasEnded = statusOf(outside, charge) !== 'pending' && charge.state !== 'success';
  const back = totalPesewas(await partsCountedAgain(outside, charge, receipt));
  const asPart = details.isEnough !== true && details.amount < missingPesewas(charge) - back;
  if (asPart && hasEnded) throw tooLittle();
  const { current, over, checks } = await refuseKnown(outside, merchant, charge, { ...receipt, looked_by: by });
  // If the same id is typed again, keep any doubt about a reversal, and the ids of the texts from which the id was
  // typed.
  const known = current?.marked && !isUndoneMark(current) ? markedTextIds(current.marked) : [];
  const [text_id, ...earlier] = text ? [text.receipt_id, ...known] : known;
  const from = { text_id, ...(earlier.length > 0 && { earlier_text_ids: earlier }) };
  const again = { ...receipt, marked: { ...marked, ...from }, reversal_doubt_at: current?.reversal_doubt_at };
  const { charge: after, writes } = await countByHand(outside, again, charge, { asPart, current, over });
  // Fewer earlier parts may count again than expected.
  if (hasEnded && details.isEnough !== true && missingPesewas(after) > 0) throw tooLittle();
  const noted = text ? [replaceReceipt(text, { ...text, reference })] : [];
  return { charge: after, receipt: again, writes: [...writes, ...noted, ...checks] };
}

function tooLittle(): PublicError {
  const message =
    'is less than the amount due, and this bill cannot be paid in parts. Tick that you accept less, or enter the full amount';
  return invalidRequest([{ field: 'amount', message }]);
}

type Identity = Pick<PaymentReceipt, 'receipt_id' | 'network' | 'transaction_id' | 'momo_number'>;

/** Every payment needs a network. A cash payment gets its charge's network. */
function cashOf(outside: Outside, { momo_network: network, merchant_id }: Charge): Identity {
  const id = newCashId(outside.randomBytes);
  const transaction_id = isTestAccount(merchant_id) ? testTransactionId(id) : id;
  return { receipt_id: paymentReceiptId(network, undefined, transaction_id), network, transaction_id };
}

/** Derives a transfer's key from the details that the wallet shows. A test payment never gets a real payment's id. */
function transferOf(
  { merchant_id, momo_accounts }: Merchant,
  details: MarkDetails,
  charge: Charge,
  text: Receipt | undefined,
): Identity {
  const number = text?.momo_number ?? details.number;
  // The charge's customer may have paid to a number that the merchant has since replaced.
  const accounts = text ? [...momo_accounts, ...accountsOf(charge)] : momo_accounts;
  const usual = momo_accounts.find(({ network }) => network === text?.network) ?? momo_accounts[0];
  const account = number ? accounts.find((one) => one.number === number) : usual;
  if (!account) throw invalidRequest([{ field: 'number', message: 'must be one of your MoMo numbers' }]);
  // A name without letters, or only a title, would match any payer.
  if (!nameWords(details.payer ?? '').some((word) => /\p{L}/u.test(word)))
    throw invalidRequest([{ field: 'payer', message: 'must be the name shown in your wallet' }]);
  const network = Network.parse(text?.network ?? account.network);
  const { transaction_id: typed = '' } = details;
  const id = transactionIdIn(typed, network);
  if (id === undefined) {
    const message = isShortened(typed)
      ? 'was shortened by a spreadsheet. Enter all the digits shown in your wallet'
      : 'must be the transaction ID shown in your wallet';
    throw invalidRequest([{ field: 'transaction_id', message }]);
  }
  const transaction_id = isTestAccount(merchant_id) ? testTransactionId(id) : id;
  const momo_number = account.number;
  return { receipt_id: paymentReceiptId(network, momo_number, transaction_id), network, transaction_id, momo_number };
}

async function requireText(outside: Outside, { merchant_id }: Merchant, textId = ''): Promise<Receipt> {
  const text = await requireReceipt(outside, merchant_id, textId);
  if (isUndecidedText(text)) return text;
  throw invalidRequest([{ field: 'text', message: 'has already been dealt with. Reload the list of texts' }]);
}

/**
 * Rejects an id that has paid one of the merchant's charges, or that is known on one of the merchant's numbers or on a
 * former number stored on the charge. An unverified text to another merchant's wallet does not count, because it may be
 * forged, nor does a text whose money a person did not find, nor a different text that no merchant sees. If a mark was
 * undone, or a text removed, returns its receipt, which the new mark replaces. `checks`: fail if a text about the payment
 * arrives on another number in the meantime.
 * @throws PublicError `invalid_request` if the payment is already known.
 */
async function refuseKnown(
  outside: Outside,
  { merchant_id, momo_accounts }: Merchant,
  charge: Charge,
  receipt: PaymentReceipt,
): Promise<{ current: Receipt | undefined; over: Over; checks: TableWrite[] }> {
  const { momo_number } = receipt;
  const accounts = momo_number ? [...momo_accounts, ...accountsOf(charge)] : [];
  const numbers = [momo_number, ...accounts.map(({ number }) => number)];
  const [found, use, typed] = await Promise.all([
    textsAt(outside, receipt, numbers),
    paymentUseRows.find(outside, receipt),
    typedUseRows.find(outside, { ...receipt, merchant_id }),
  ]);
  const used = await foreignUse(outside, use, receipt);
  const foreign = used && used.merchant_id !== merchant_id ? use : undefined;
  const isHeld = ({ state, reason }: Receipt) => state === 'held' && reason !== 'reversed';
  // A doubtful reversal may arrive before its payment. It stays with the mark for the same number.
  const isDoubt = (one: Receipt) => one.receipt_id === receipt.receipt_id && isDoubtOnly(one);
  // No merchant sees this text, so nobody could remove it. If it may be this payment's, the operator matches it, unless the
  // text was hidden while an earlier mark stood.
  const isMarkedAgain = found.some(isUndoneMark);
  const mayBeVerified = ({ proof }: Receipt) => proof?.state === 'proven' || proof?.state === 'checking';
  const isOther = (one: Receipt) =>
    one.receipt_id !== receipt.receipt_id && (isMarkedAgain || !isSameText(one, receipt));
  const isHidden = (one: Receipt) => one.merchant_id === undefined && !mayBeVerified(one) && isOther(one);
  // A person did not find the money of this text, so it is not the payment that the person enters now.
  const isRemoved = (one: Receipt) => isNotThere(one) && one.merchant_id === merchant_id;
  const isFree = (one: Receipt) => one.marked || isDoubt(one) || isHidden(one) || isRemoved(one);
  const known = found.find((one) => !isHeld(one) || !isFree(one));
  if (!typed && use === foreign && !known) {
    const storedAs = (id: string) => found.find(({ receipt_id }) => receipt_id === id);
    const others = receiptIdsAt(receipt, numbers).filter((id) => id !== receipt.receipt_id);
    const checks = others.map((id) => checkReceipt(id, storedAs(id)));
    return { current: storedAs(receipt.receipt_id), over: { foreign }, checks };
  }
  const isTheirs = known && isAssignable(known) && known.merchant_id === merchant_id;
  const { momo_number: place } = known ?? {};
  const isElsewhere = known?.reversal_doubt_at && place && place !== momo_number && known.merchant_id === merchant_id;
  const message = isTheirs
    ? 'belongs to a payment that has arrived. Match it to the bill under Payments to check'
    : isElsewhere
      ? `belongs to a payment on ${wholeNumber(place)}. Choose that number`
      : known && isUnseen(known)
        ? 'belongs to a payment that is already known but listed for no shop. Ask the operator to match it'
        : 'belongs to a payment that is already known and cannot be used again';
  throw invalidRequest([{ field: 'transaction_id', message }]);
}

/**
 * Returns the payment with which a charge was last marked as paid, if the mark can still be undone: for a day, or while the
 * charge is in doubt or another payment waits for it. A mark in cash after which goods left can be undone only in the last two
 * cases: otherwise, undoing it would hide missing cash.
 */
export function undoableMark(outside: Clock, charge: Charge): (Payment & { readonly marked: Marked }) | undefined {
  if (!mayUndo(charge)) return undefined;
  const { disputed, second_receipts = [], waiting_receipts = [], goods, released_by } = charge;
  const mayBeOthers = disputed !== undefined || second_receipts.length > 0 || waiting_receipts.length > 0;
  const leftAfter = (at: string) => released_by !== undefined || (goods?.state === 'given' && (goods.at ?? at) >= at);
  const mayUndoMark = ({ marked: { how, at } }: { readonly marked: Marked }) =>
    mayBeOthers || (outside.now() < Date.parse(at) + UNMARK_MS && !(how === 'cash' && leftAfter(at)));
  return paymentsOf(charge)
    .filter(isMarked)
    .filter(mayUndoMark)
    .toSorted((one, other) => one.marked.at.localeCompare(other.marked.at))
    .at(-1);
}

function isMarked(payment: Payment): payment is Payment & { readonly marked: Marked } {
  return payment.marked !== undefined;
}

interface Unmarking {
  readonly merchantId: string;
  readonly reference: string;
  readonly by: string;
  /** Receipt id of the mark that the form showed. */
  readonly shown?: string | undefined;
}

/**
 * Undoes marking a charge as paid. The payment no longer pays anything, and its text is handled as if nobody had typed
 * the id.
 * @throws PublicError `not_found`, or `charge_not_pending` if there is nothing to undo, or only another mark.
 */
export async function unmark(
  outside: Outside,
  { merchantId, reference, by, shown }: Unmarking,
): Promise<{ payment: Payment; writes: TableWrite[] }> {
  const charge = await requireCharge(outside, reference, merchantId);
  const payment = undoableMark(outside, charge);
  if (payment && shown !== undefined && payment.receipt_id !== shown)
    throw new MovedOn('This bill was marked as paid in another way since. Check it again.');
  if (!payment)
    throw new MovedOn(
      'This can no longer be undone, because a day has passed, the goods were handed over, a refund was recorded, or the network’s text about the payment arrived.',
    );
  const [use, receipt, texts] = await Promise.all([
    ownUse(outside, payment, merchantId),
    receiptRows.find(outside, payment),
    getReceipts(outside, markedTextIds(payment.marked)),
  ]);
  const writes = await undoPayment(outside, charge, { payment, receipt, use, by });
  // If the payment was later assigned to this charge, its texts still refer to its previous charge.
  const freed = texts.map((text) => replaceReceipt(text, { ...text, reference: undefined }));
  return { payment, writes: [...writes, ...freed] };
}
