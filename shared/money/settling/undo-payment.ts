import { numbersOfMerchant } from '../../merchants/merchant/merchant.table.ts';
import { nowIso, type TableOutside, type TimedOutside } from '../../runtime/outside/outside.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import {
  disputeCharge,
  disputeReversal,
  endDispute,
  freePaidAs,
  MovedOn,
  type ReadFor,
  undoMark,
  undoTake,
} from '../charge/change-charge.table.ts';
import { askedPesewas, type Charge, chargeRows } from '../charge/charge.table.ts';
import { haveLeft } from '../charge/charge.ts';
import { noteExpiry } from '../charge/expiry.table.ts';
import { type TakenGoods, takeOf } from '../charge/goods.ts';
import { UNCOUNTED, uncount } from '../goods/decide-release.ts';
import { leaveQueue } from '../link/stock.table.ts';
import { reasonFor } from '../matching/admit.ts';
import { namesCharge } from '../matching/typed-reference.ts';
import { isReversalDoubted, type Payment, paymentsOf } from '../payment/payment.ts';
import {
  createReceipt,
  notedReceiptsOf,
  type PaymentUse,
  receiptRows,
  releasePayment,
  replaceReceipt,
} from '../receipt/receipt.table.ts';
import {
  type HeldReason,
  isAssignable,
  isNotThere,
  isPayment,
  isSameText,
  isUndoneMark,
  mayShareWallet,
  NOT_THERE,
  type PaymentReceipt,
  paymentReceiptId,
  type Receipt,
} from '../receipt/receipt.ts';
import { isInDoubt } from '../receipt/repeated-text.ts';
import { withWaiting } from '../receipt/second-receipts.ts';
import { countedCopyOf, distinctTextsAt, textWithoutNumber } from '../receipt/texts-of-payment.ts';
import { MAX_CONTRADICTING } from '../receipt/typed-use.ts';
import { type FoundField, heldAgain, holdAgain, holdParts } from './matched-receipt.ts';
import { shownAgain } from './merchant-of-phone.ts';
import { readKept, withoutPayment } from './without-payment.ts';

/**
 * Undoes a cashier's tap. Cancels the tap's charge and holds its payment, which can be taken again. The sticker charge
 * that the tap replaced can be paid again.
 * @throws MovedOn if the charge or payment has changed in the meantime.
 */
export async function releaseTaken(
  outside: TimedOutside,
  charge: ReadFor<'goods', 'merchant_id'> & { readonly goods: TakenGoods },
  undoneBy: string,
): Promise<TableWrite[]> {
  const { reference, payment, parts = [], state, disputed } = charge;
  const receipt = payment && (await receiptRows.find(outside, payment));
  if (
    state !== 'success' ||
    !payment ||
    parts.length > 0 ||
    receipt?.state !== 'matched' ||
    receipt.reference !== reference
  )
    throw new MovedOn(`The charge ${reference} is now ${state}. Check it again.`);
  const at = nowIso(outside);
  const text = receipt.reversal_doubt_at ? undefined : onlyOf(await remainingTexts(outside, receipt), receipt);
  return [
    ...(await freeScanned(outside, charge)),
    holdAgain(receipt, { reason: disputed ? 'conflict' : 'no_charge' }),
    ...releasePayment(payment, charge, receipt),
    // After the cashier's minute, the customer has left with the goods.
    ...(charge.goods.told_at === undefined ? uncount(outside, charge.merchant_id, [payment]) : []),
    undoTake(charge, undoneBy, at),
    // The tapped payment still waits, so only a verified text may take its id.
    ...(text?.proof?.state === 'proven' ? [replaceReceipt(text, freed(text, true))] : []),
  ];
}

/**
 * True for a payment whose money may be missing from the wallet: only its own text or a person reports it, or its
 * reversal is in doubt or suspected. False while the text is being checked.
 */
export function mayBeFalse(
  {
    proof,
    marked,
    looked_by,
    reversal_suspected_at,
  }: Pick<Payment, 'proof' | 'marked' | 'looked_by' | 'reversal_suspected_at'>,
  { disputed }: Pick<Charge, 'disputed'>,
): boolean {
  const isReversed = isReversalDoubted({ disputed }) || reversal_suspected_at !== undefined;
  // The person who found the money may have confused it with another payment's.
  const isFound = looked_by !== undefined;
  return (isReversed || isFound || proof?.state !== 'proven') && marked === undefined && proof?.state !== 'checking';
}

/**
 * Undoes marking a charge as paid, or removes an unverified payment that a person did not find in the wallet. The payment
 * is set aside. Unless the charge stays paid, it becomes pending for the outstanding amount. If it was cancelled before,
 * it is cancelled again, and its parts are held again.
 * @throws MovedOn if the charge or payment has changed in the meantime.
 */
export async function undoPayment(
  outside: TimedOutside,
  charge: ReadFor<'unmark', FoundField | 'asked_pesewas' | 'paid_at' | 'cancelled_at'>,
  { payment, receipt, use, by }: Undone,
): Promise<TableWrite[]> {
  const { reference } = charge;
  const isMeant = payment.marked ? receipt?.marked !== undefined : receipt !== undefined && mayBeFalse(receipt, charge);
  if (receipt?.state !== 'matched' || !isMeant || receipt.reference !== reference)
    throw new MovedOn(`The payment for ${reference} was confirmed by a text or reversed. Check the charge again.`);
  const at = nowIso(outside);
  const undone = payment.marked
    ? heldAgain(receipt, { set_aside: { at, by, why: UNDONE } })
    : heldAgain(receipt, {
        set_aside: { at, by, why: NOT_THERE },
        reason: charge.disputed || isInDoubt(receipt) ? 'conflict' : heldReasonOf(receipt),
        suggested_reference: reference,
      });
  const decided = await decideOthers(outside, receipt, charge);
  // A person may find the money later. The bill's page then leads to the payment.
  const waiting = [...(payment.marked ? [] : [payment]), ...(decided.named ? [decided.named] : [])];
  const noted = waiting.length > 0 ? await withWaiting(outside, charge, waiting) : charge.waiting_receipts;
  const left = await withoutPayment(outside, charge, { payment, receipt, isUndone: true });
  const { others, isPaid, amount_pesewas, disputed } = left;
  const isEnded = !isPaid && charge.cancelled_at !== undefined;
  const released = isEnded
    ? holdParts({ ...charge, disputed }, others, left.receipts, { reason: 'charge_cancelled' })
    : left.unchanged;
  const parts = isEnded ? others.map((part) => ({ ...part, ...UNCOUNTED })) : others;
  // The customer must not pay again while another payment of theirs waits for a person.
  const isAsked = !isPaid && !isEnded && (await notedReceiptsOf(outside, charge)).some(isOpen);
  const checking = isAsked ? { checking_until: at } : {};
  return [
    // Keep the ids of the texts that contradict the payment: those texts may still be verified.
    replaceReceipt(receipt, undone),
    ...(await keepDoubt(outside, undone)),
    ...decided.writes,
    ...(use ? releasePayment(payment, charge, receipt) : []),
    // Goods that left without money stay counted.
    ...(haveLeft(charge) ? [] : uncount(outside, charge.merchant_id, isEnded ? paymentsOf(charge) : [payment])),
    undoMark(charge, parts, { isPaid, amount_pesewas, disputed, waiting_receipts: noted, ...checking }, at),
    ...released,
    ...(isPaid ? [] : await leaveQueue(outside, charge)),
    ...(isPaid || isEnded
      ? []
      : [
          noteExpiry({
            ...charge,
            state: 'pending',
            parts: [...others],
            payment: undefined,
            amount_pesewas: askedPesewas(charge),
          }),
        ]),
  ];
}

function isOpen(receipt: Receipt): boolean {
  return isAssignable(receipt) && receipt.set_aside === undefined;
}

/** Returns the reason for which an unverified payment is held. */
function heldReasonOf({ momo_number, proof }: Receipt): HeldReason {
  return momo_number === undefined ? 'number_unknown' : reasonFor(proof?.why);
}

/**
 * Stores a doubt about a reversal under the number that received the reversal's text, because the payment's text may
 * arrive there.
 */
async function keepDoubt(outside: TableOutside, undone: Receipt): Promise<TableWrite[]> {
  const { network, transaction_id, reversal_doubt_number: momo_number } = undone;
  if (!network || !transaction_id || !momo_number) return [];
  const receipt_id = paymentReceiptId(network, momo_number, transaction_id);
  const known = await receiptRows.find(outside, { receipt_id });
  if (known) {
    const isDoubted = known.state !== 'held' || known.reversal_doubt_at !== undefined;
    const { reversal_doubt_at } = undone;
    return isDoubted ? [] : [replaceReceipt(known, { ...known, reversal_doubt_at })];
  }
  // The typed receipt keeps the ids of the texts next to it. Those texts do not contradict this number's text.
  return [createReceipt({ ...undone, receipt_id, momo_number, contradicted_by: undefined, agreed_by: undefined })];
}

/**
 * Decides about the other texts about an undone payment. Re-evaluates the only text that remains, unless a person must
 * decide, and shows a text without a SIM number that was hidden while the payment counted.
 * `isGone`: false for a payment whose money is in the wallet, but for no bill. The other texts then stay in doubt.
 * @returns the writes, and a text that names `bill`. The caller must record that text on the bill, which the undone
 * payment paid or was held for.
 */
export async function decideOthers(
  outside: TimedOutside,
  undone: Receipt,
  bill: Pick<Charge, 'reference'> | undefined,
  { isGone = true } = {},
): Promise<{ writes: TableWrite[]; named: PaymentReceipt | undefined }> {
  const texts = await remainingTexts(outside, undone);
  // A mark keeps a doubt about a reversal under the number that received the reversal's text.
  const isKept = undone.marked && undone.reversal_doubt_at !== undefined;
  const only = isGone && !isKept ? onlyOf(texts, undone) : undefined;
  // A text to one wallet cannot doubt a payment to another.
  const doubtedAt = (one: Receipt) => (mayShareWallet(one, undone) ? undone.reversal_doubt_at : undefined);
  const isUndoubted = (one: Receipt) =>
    isGone && one.contradicted_by?.includes(undone.receipt_id) === true && !isContradictedBy(one, texts);
  // The transaction may already write the other payments of the undone payment's charge.
  const others = texts.filter(({ state, reference }) => state !== 'matched' || reference !== undone.reference);
  const copy = only && (await countedCopyOf(outside, only, await textWithoutNumber(outside, only)));
  const counted = others.filter((one) => one.state === 'matched' && (one === only || isUndoubted(one)));
  const freeing = copy && copy.reference !== undone.reference ? [...counted, copy] : counted;
  // Two texts about one bill's payment are not twice the money.
  const isPaid = freeing.some(({ reference }) => reference === bill?.reference);
  const naming = isPaid ? [] : others.filter((one) => mayBeFor(bill, one));
  const named = naming.find(({ proof }) => proof?.state === 'proven') ?? naming[0];
  // A person did not find the undone payment's money. Only a verified text may then confirm something by itself.
  // The text of a mark as paid replaces the mark, which counts already.
  const isOfMark = only !== undefined && texts.length > 1;
  const mayConfirm = undone.marked !== undefined || isOfMark || only?.proof?.state === 'proven';
  const changed = others.map(async (one) => {
    if (counted.includes(one)) return [];
    const shown = (await shownAgain(outside, one, undone)) ?? one;
    const about = one === named ? { ...shown, suggested_reference: bill?.reference } : shown;
    const after = one === only ? freed(about, mayConfirm, doubtedAt(one)) : about;
    return after === one ? [] : [replaceReceipt(one, after)];
  });
  const writes = await Promise.all([...changed, ...freeing.map((one) => freeCounted(outside, one, doubtedAt(one)))]);
  return { writes: writes.flat(), named };
}

/**
 * Frees a text whose payment counts. Ends the conflict about its charge, unless another payment of the charge is in
 * doubt too. Disputes the charge instead if a reversal is in doubt, unless a person looked in the wallet since.
 * `doubtedAt`: time of the doubt (ISO).
 */
async function freeCounted(outside: TimedOutside, text: Receipt, doubtedAt: string | undefined): Promise<TableWrite[]> {
  const { reference, receipt_id, looked_by } = text;
  const charge = reference === undefined ? undefined : await chargeRows.find(outside, { reference });
  const counted = charge && paymentsOf(charge).find((one) => one.receipt_id === receipt_id);
  if (!charge || !counted) return [replaceReceipt(text, freed(text, false, doubtedAt))];
  const isSeen = looked_by !== undefined && doubtedAt !== undefined && counted.counted_at >= doubtedAt;
  const after = freed(text, false, isSeen ? undefined : doubtedAt);
  const free = replaceReceipt(text, after);
  if (after.reversal_doubt_at !== undefined) return [free, disputeReversal(charge, nowIso(outside))];
  if (charge.disputed?.why !== 'conflict') return [free];
  const others = paymentsOf(charge).filter((one) => one !== counted);
  const { isCertain, unchanged } = await readKept(outside, others);
  return isCertain ? [free, endDispute(charge), ...unchanged] : [free];
}

/**
 * Returns a text as the only one about its payment. A doubt about the payment's reversal stays with it, and a person
 * decides. `mayConfirm`: a held text is evaluated again. `doubtedAt`: time of the doubt (ISO).
 */
function freed(text: Receipt, mayConfirm: boolean, doubtedAt?: string): Receipt {
  const { reversal_doubt_at = doubtedAt, contradicted_by } = text;
  const held = { reason: mayConfirm && !reversal_doubt_at ? 'checking' : 'conflict' } as const;
  const only = { first_undone: true, agreed_by: contradicted_by, reversal_doubt_at };
  return { ...text, ...(text.state === 'held' && held), ...only };
}

/** True for a held text that names a bill, and was not recorded there because another text already paid the bill. */
function mayBeFor(bill: Pick<Charge, 'reference'> | undefined, text: Receipt): text is PaymentReceipt {
  if (!bill || !isAssignable(text) || text.set_aside) return false;
  const isOpen = text.reason === 'conflict' && text.suggested_reference === undefined;
  return isOpen && namesCharge(text.payer_reference, bill);
}

/**
 * Puts a payment that was set aside back on the list. Puts the unverified texts that its removal had freed in doubt
 * again, and the charges that they paid. If no other text about the payment remains, the payment itself is freed.
 */
export async function putBack(outside: TimedOutside, aside: Receipt): Promise<TableWrite[]> {
  const texts = await remainingTexts(outside, aside);
  const isFreed = ({ first_undone, proof, reason }: Receipt) =>
    first_undone && proof?.state !== 'proven' && reason !== 'reversed';
  const doubted = texts.filter(isFreed).flatMap((one) => {
    const held = one.state === 'held' && { reason: 'conflict' as const };
    const again = replaceReceipt(one, { ...one, ...held, first_undone: undefined, agreed_by: undefined });
    return one.reference === undefined ? [again] : [again, disputeCharge(outside, one.reference, 'conflict')];
  });
  const restored = { ...aside, set_aside: undefined };
  const isAlone = aside.reason === 'conflict' && texts.length === 0 && aside.reversal_doubt_at === undefined;
  const isVerified = aside.proof?.state === 'proven';
  return [replaceReceipt(aside, isAlone ? freed(restored, isVerified) : restored), ...doubted];
}

/**
 * Reads the other texts about an undone payment. Leaves out texts whose money a person did not find, and texts that have
 * lost the payment's id.
 */
async function remainingTexts(outside: TableOutside, undone: Receipt): Promise<PaymentReceipt[]> {
  const { receipt_id, merchant_id, momo_number } = undone;
  if (!isPayment(undone)) return [];
  const numbers = merchant_id === undefined ? undefined : await numbersOfMerchant(outside, merchant_id);
  const texts = await distinctTextsAt(outside, undone, [momo_number, ...(numbers ?? [])]);
  const mayRemain = (one: Receipt) => one.receipt_id !== receipt_id && !isUndoneMark(one) && !one.use_lost;
  return texts.filter(isPayment).filter((one) => mayRemain(one) && !isNotThere(one));
}

/**
 * True if one of these texts contradicts a counted payment. A text that a person assigned may count beside texts that
 * this person knew, but a mark as paid only beside texts that agree with it.
 */
function isContradictedBy(counted: Receipt, texts: readonly Receipt[]): boolean {
  const { contradicted_by = [], agreed_by = [], marked } = counted;
  if (contradicted_by.length >= MAX_CONTRADICTING) return true;
  const isOwn = (one: Receipt) => agreed_by.includes(one.receipt_id) || isNamedTextOf(counted, one);
  const isDenying = ({ receipt_id }: Receipt) =>
    contradicted_by.includes(receipt_id) && !agreed_by.includes(receipt_id);
  const isAgainst = (one: Receipt) => (marked ? !isOwn(one) : isDenying(one));
  return texts.some((one) => one.receipt_id !== counted.receipt_id && isAgainst(one));
}

/** True if a text agrees with a mark as paid and names its charge. The merchant may have typed another number. */
function isNamedTextOf({ reference, ...mark }: Receipt, text: Receipt): boolean {
  return reference !== undefined && isSameText(mark, text) && namesCharge(text.payer_reference, { reference });
}

/**
 * Returns the only text that remains, apart from a mark as paid that it confirms. If several remain, or a reversal is in
 * doubt, a person decides.
 */
function onlyOf(texts: readonly PaymentReceipt[], undone: Receipt): PaymentReceipt | undefined {
  const isConfirmed = (one: Receipt) => one.marked && texts.length > 1 && !isContradictedBy(one, texts);
  const [text, ...others] = texts.filter((one) => !isConfirmed(one));
  const isHeldMark = text?.marked !== undefined && text.state === 'held';
  if (!text || others.length > 0 || isHeldMark || text.reversal_doubt_at) return undefined;
  const isBeside = undone.contradicted_by?.includes(text.receipt_id) === true || mayShareWallet(text, undone);
  const isOpen = text.state === 'matched' || text.reason === 'conflict' || text.reason === 'checking';
  return (isBeside || text.merchant_id === undone.merchant_id) && isOpen && !text.set_aside ? text : undefined;
}

interface Undone {
  readonly payment: Payment;
  readonly receipt: Receipt | undefined;
  readonly use: PaymentUse | undefined;
  readonly by: string;
}

const UNDONE = 'Manually marked as paid, then undone.';

/** Reopens the sticker charge that this charge replaced, because this charge's payment was released. */
export async function freeScanned(
  outside: TableOutside,
  charge: Pick<Charge, 'reference' | 'goods'>,
): Promise<TableWrite[]> {
  const opened = takeOf(charge)?.scanned;
  const scanned = opened === undefined ? undefined : await chargeRows.find(outside, { reference: opened });
  return scanned?.paid_as === charge.reference ? [freePaidAs(scanned)] : [];
}
