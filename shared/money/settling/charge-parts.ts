import * as z from 'zod/mini';
import {
  type Clock,
  nowIso,
  type Outside,
  type TableOutside,
  type TimedOutside,
} from '../../runtime/outside/outside.ts';
import { retryIfChanged } from '../../runtime/table/contention.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { PublicError } from '../../runtime/values/errors.ts';
import {
  cancelCharge,
  closeAtParts,
  dropPayment,
  expireCharge,
  type ForMoney,
  freePaidAs,
  MovedOn,
  payCharge,
  type ReadFor,
  replacePayment,
  reverseCharge,
  setParts,
  tellTake,
  undoMark,
  undoTake,
} from '../charge/change-charge.table.ts';
import {
  type Charge,
  chargeRows,
  createCharge,
  type Found,
  isUntold,
  type PaidCharge,
  requireCharge,
} from '../charge/charge.table.ts';
import { statusOf } from '../charge/charge.ts';
import { type Expiry, expiryRows, noteExpiry } from '../charge/expiry.table.ts';
import { type TakenGoods, takeOf } from '../charge/goods.ts';
import { noteRequestMoney } from '../charge/request-money.table.ts';
import { UNCOUNTED, uncount, uncountAmount, withRest } from '../goods/may-leave.ts';
import { isUnproven } from '../payment/backing.ts';
import { type MatchedBy, owedPesewas, Payment, paymentsOf, refundedPesewas, totalPesewas } from '../payment/payment.ts';
import {
  createReceipt,
  findUse,
  type PaymentUse,
  receiptRows,
  releasePayment,
  replaceReceipt,
  secondReceiptsOf,
  usePayment,
} from '../receipt/receipt.table.ts';
import { type HeldReason, isAssignable, type PaymentReceipt, type Receipt } from '../receipt/receipt.ts';
import { withSecond } from '../receipt/second-receipts.ts';
import { reduceRefunds } from '../refund/note-refund.ts';

/** The fixed fields by which a part finds its charge, and what that still lacks. */
type FoundField = keyof Found | 'amount_pesewas' | 'origin';

/** The way a payment found its charge, who looked before they gave it, and how a sum of unproven payments counts it. */
type Matched = Pick<Payment, 'matched_by' | 'looked_by' | 'counted_in' | 'counted_pesewas'>;

/** The same, with the receipt that is stored of it, if there is one. `isOverTyped`: an id that somebody typed yields to it. */
type MatchedReceipt = Matched & { readonly current?: Receipt | undefined; readonly isOverTyped?: boolean };

/** A payment as its charge stores it. */
export function paymentOf(receipt: Omit<PaymentReceipt, 'state' | 'reason'>, matched: Matched): Payment {
  return z.parse(Payment, { ...receipt, ...matched });
}

/** Stores a receipt as matched: its payment counts towards a charge. `current` is the stored receipt, if there is one. */
export function matchReceipt(
  { reference, merchant_id }: Pick<Charge, 'reference' | 'merchant_id'>,
  receipt: Omit<PaymentReceipt, 'state' | 'reason'>,
  { matched_by, looked_by }: Pick<Payment, 'matched_by' | 'looked_by'>,
  current?: Receipt,
): TableWrite {
  const matched: Receipt = {
    ...receipt,
    state: 'matched',
    reason: undefined,
    suggested_reference: undefined,
    set_aside: undefined,
    merchant_id,
    matched_by,
    looked_by,
    reference,
  };
  return current ? replaceReceipt(current, matched) : createReceipt(matched);
}

/** The writes that count a payment that is too small towards its charge, which waits for the rest. */
export function countPart(
  outside: Clock,
  charge: ReadFor<'money', FoundField>,
  receipt: Omit<PaymentReceipt, 'state' | 'reason'>,
  { current, isOverTyped, ...matched }: MatchedReceipt,
): { parts: Payment[]; writes: TableWrite[] } {
  const parts = [...(charge.parts ?? []), paymentOf(receipt, matched)];
  return {
    parts,
    writes: [
      matchReceipt(charge, receipt, matched, current),
      ...changeParts(charge, parts),
      ...usePayment(receipt, charge, isOverTyped),
      ...noteRequestMoney(outside, charge, receipt),
    ],
  };
}

/**
 * The writes that change what a charge says of one of its payments. The amount of one that is verified by that leaves the sums of unverified
 * payments. Refused with `MovedOn` where the charge has moved on.
 */
export function changePayment(
  outside: Clock,
  charge: ForMoney,
  receiptId: string,
  change: (payment: Payment) => Payment,
): TableWrite[] {
  const isMeant = (one: Payment) => one.receipt_id === receiptId;
  const isVerified = (one: Payment) => isMeant(one) && !isProven(one) && isProven(change(one));
  const changed = (one: Payment): Payment => {
    if (!isMeant(one)) return one;
    return isVerified(one) ? { ...change(one), ...withRest(one) } : change(one);
  };
  const verified = paymentsOf(charge).filter(isVerified);
  return [
    setParts(charge, (charge.parts ?? []).map(changed), charge.payment && changed(charge.payment)),
    ...verified.flatMap((one) => uncountAmount(outside, charge.merchant_id, one)),
  ];
}

/**
 * The writes that change the proof of one of a charge's payments. Where the charge is paid by verified payments alone from then on, it keeps no other,
 * unless a person decided about its money, or that is in doubt.
 */
export async function changeProof(
  outside: TimedOutside,
  charge: Charge,
  receiptId: string,
  proof: Payment['proof'],
): Promise<TableWrite[]> {
  const isMeant = (one: Payment) => one.receipt_id === receiptId;
  const noted = (one: Payment) => (isMeant(one) ? { ...one, proof } : one);
  const { state, payment, parts = [], disputed, released_by, refunds } = charge;
  const isDecided = disputed || released_by !== undefined || refundedPesewas(refunds) > 0;
  if (state === 'success' && payment && proof?.state === 'proven' && !isDecided) {
    const covering = (one: Payment) => (isProven(noted(one)) ? { ...noted(one), ...UNCOUNTED } : one);
    const counts = { parts: parts.map(covering), payment: covering(payment) };
    const { second_receipts, extra = [], writes, ...kept } = await withoutExtra(outside, charge, counts);
    const verified = [...parts, payment].filter((one) => isProven(noted(one)));
    const uncounted = uncount(outside, charge.merchant_id, [...verified, ...extra]);
    if (second_receipts)
      return [replacePayment(charge, { ...counts, ...kept }, second_receipts), ...writes, ...uncounted];
  }
  return changePayment(outside, charge, receiptId, (one) => ({ ...one, proof }));
}

function isProven({ proof }: Payment): boolean {
  return proof?.state === 'proven';
}

/** Records what a pending charge still lacks, for lookups by amount, and when it ends: its parts must not wait for ever. */
function changeParts(charge: ReadFor<'money', FoundField>, parts: readonly Payment[]): TableWrite[] {
  const changed = setParts(charge, parts);
  return charge.state === 'pending' ? [changed, noteExpiry({ ...charge, parts: [...parts] })] : [changed];
}

/**
 * The writes that end a pending charge that was not paid in time, or whose time is made to end: it expires, and its parts are held again. Of a
 * payment request what has arrived is a part of that, and the charge ends paid with as much; where it is in doubt, a person decides.
 */
export async function endPending(outside: TimedOutside, charge: ForMoney, expiresAt?: string): Promise<TableWrite[]> {
  if (charge.origin.kind === 'request' && charge.parts?.length && !charge.disputed)
    return [closeAtParts(charge, nowIso(outside))];
  const { parts, writes } = await freeParts(outside, charge, 'charge_expired');
  return [expireCharge(outside, charge, parts, expiresAt), ...writes];
}

/** The writes that cancel a pending charge: its parts are held again. */
async function cancelWithParts(outside: TimedOutside, charge: ForMoney, cancelledAt: string): Promise<TableWrite[]> {
  const { parts, writes } = await freeParts(outside, charge, 'charge_cancelled');
  return [cancelCharge(charge, parts, cancelledAt), ...writes];
}

/** The parts that a charge keeps when it ends unpaid, and the writes that hold their payments again and take them out of the sums. */
async function freeParts(outside: TimedOutside, charge: ForMoney, reason: HeldReason) {
  const { merchant_id, parts = [] } = charge;
  const released = await releaseParts(outside, charge, parts, reason);
  return {
    parts: parts.map((part) => ({ ...part, ...UNCOUNTED })),
    writes: [...released, ...uncount(outside, merchant_id, parts)],
  };
}

/**
 * The writes that remove a payment from the charge it was counted towards. A pending charge keeps waiting without it, and a paid one
 * stays paid if the others are enough, or with `second`, a second payment that takes its place. If not, it is reversed, and the others are
 * held again, second payments as well. What was to go back of it is no longer.
 */
export async function takePaymentBack(
  outside: Outside,
  charge: ReadFor<'reversal', FoundField | 'expires_at_epoch_seconds'>,
  receiptId: string,
  second?: InPlace,
) {
  const isPaid = charge.state === 'success';
  const payments = [...(charge.parts ?? []), ...(isPaid && charge.payment ? [charge.payment] : [])];
  const payment = payments.find(({ receipt_id }) => receipt_id === receiptId);
  // It was assigned to another charge after it was read.
  if (!payment) throw new MovedOn(`The payment ${receiptId} no longer belongs to the charge ${charge.reference}.`);
  const others = payments.filter((one) => one !== payment);
  if (!isPaid) return [...changeParts(charge, others), ...uncount(outside, charge.merchant_id, [payment])];
  if (second) {
    const { receipt, stored } = second;
    const paying = [...others, paymentOf(receipt, AS_NAMED)];
    return [
      matchReceipt(charge, receipt, AS_NAMED, stored),
      dropPayment(charge, paying, charge.refunds, receipt.receipt_id),
      ...usePayment(receipt, charge),
    ];
  }
  const left = totalPesewas(others);
  const isStillPaid = left >= charge.amount_pesewas;
  // Reversed money is not refunded, too.
  const { refunds, writes } = reduceRefunds(
    outside,
    charge,
    isStillPaid ? owedPesewas(charge) - payment.amount_pesewas : 0,
  );
  if (isStillPaid) return [dropPayment(charge, others, refunds), ...writes];
  const released = await releaseParts(outside, charge, others, 'charge_reversed');
  const freed = await freeScanned(outside, charge);
  const kept = (await secondReceiptsOf(outside, charge)).filter(isFreeSecond);
  return [
    reverseCharge(outside, charge, { payment, parts: others, refunds }),
    ...released,
    ...kept.map((one) => replaceReceipt(one, { ...one, reason: 'charge_reversed' })),
    ...writes,
    ...freed,
  ];
}

/** A second payment that takes the place of another one. */
export interface InPlace {
  readonly receipt: PaymentReceipt;
  readonly stored: Receipt;
}

const AS_NAMED = { matched_by: 'reference' } as const;

/** True for a second payment that nobody has decided about, and no text contradicts. */
export function isFreeSecond({ reason, set_aside }: Receipt): boolean {
  return reason === 'already_paid' && set_aside === undefined;
}

/**
 * The parts of an expired or cancelled charge that are still free, and the writes that count them towards it again, besides `given`. A part
 * that is in doubt, was set aside, or was used through another text of the same payment, is not restored.
 */
async function reclaimParts(
  outside: TableOutside,
  charge: ForMoney,
  given: OfPayment,
): Promise<{ parts: Payment[]; writes: TableWrite[] }> {
  const others = (charge.parts ?? []).filter((part) => !isSamePayment(part, given));
  const found = await Promise.all(
    others.map(async (part) => ({
      part,
      receipt: await receiptRows.find(outside, part),
      use: await findUse(outside, part, [charge.merchant_id]),
    })),
  );
  const back = found.flatMap(({ part, receipt, use }) => {
    const isWaiting = WAITING.has(receipt?.reason) && receipt?.suggested_reference === charge.reference;
    const isFree = isWaiting && !receipt.set_aside && !use;
    if (!receipt || !isFree || !isAssignable(receipt)) return [];
    // More may be known of its proof since it was held, and nobody has looked since.
    return [{ part: { ...part, proof: receipt.proof, looked_by: undefined }, receipt }];
  });
  return {
    parts: back.map(({ part }) => part),
    writes: back.flatMap(({ part, receipt }) => [
      matchReceipt(charge, receipt, part, receipt),
      ...usePayment(receipt, charge),
    ]),
  };
}

/** Why the parts of a charge that ended unpaid are held. */
const WAITING: ReadonlySet<HeldReason | undefined> = new Set(['charge_expired', 'charge_cancelled']);

type OfPayment = Pick<Payment, 'network' | 'transaction_id'>;

function isSamePayment(one: OfPayment, other: OfPayment): boolean {
  return one.network === other.network && one.transaction_id === other.transaction_id;
}

/** Stores a matched receipt as held: its payment counts towards its charge no more. */
export function holdAgain(
  matched: Receipt,
  as: Pick<Receipt, 'reason' | 'suggested_reference' | 'contradicted_by' | 'set_aside'>,
): TableWrite {
  const unmatched = { matched_by: undefined, looked_by: undefined, reference: undefined };
  return replaceReceipt(matched, { ...matched, ...unmatched, state: 'held', ...as });
}

async function releaseParts(outside: TableOutside, charge: ForMoney, parts: readonly Payment[], reason: HeldReason) {
  const found = await Promise.all(parts.map((part) => receiptRows.find(outside, part)));
  return found.flatMap((receipt, n) => {
    const part = parts[n];
    if (!part || receipt?.state !== 'matched') throw new MovedOn(`The parts of ${charge.reference} have changed.`);
    // Only a person can tell which of them is in doubt.
    const why = charge.disputed ? 'conflict' : reason;
    return [holdAgain(receipt, { reason: why, suggested_reference: charge.reference }), releasePayment(part, charge)];
  });
}

/**
 * The writes with which a receipt pays a charge, and what the charge has of it then: receipt, charge and the use of the
 * payment move in one transaction, so that no payment pays two charges and no charge is paid twice. The parts of a charge that
 * had expired are restored if a person says so.
 */
export async function payWithReceipt(
  outside: TimedOutside,
  charge: ReadFor<'paid', 'merchant_id' | 'created_at' | 'origin' | 'amount_pesewas'>,
  receipt: Omit<PaymentReceipt, 'state' | 'reason'>,
  { current, isOverTyped, ...matched }: MatchedReceipt,
): Promise<{ paid: Pick<PaidCharge, 'state' | 'paid_at' | 'payment' | 'parts'>; writes: TableWrite[] }> {
  const payment = paymentOf(receipt, matched);
  const counted = await partsOf(outside, charge, receipt, matched.matched_by);
  const { parts, second_receipts, extra, writes } =
    charge.state === 'pending' ? await withoutExtra(outside, charge, { ...counted, payment }) : counted;
  const paid = { state: 'success', paid_at: nowIso(outside), payment, parts } as const;
  return {
    paid,
    // In this order: if several are refused, the receipt's own state is the most informative.
    writes: [
      matchReceipt(charge, receipt, matched, current),
      payCharge(charge, paid, second_receipts),
      ...usePayment(receipt, charge, isOverTyped),
      ...noteRequestMoney(outside, charge, receipt),
      ...writes,
      ...uncount(outside, charge.merchant_id, extra ?? []),
    ],
  };
}

/**
 * The parts that a charge keeps once it is paid, and the writes that hold the others as second payments: unverified ones where verified payments
 * alone pay it, so that a forged part puts none of these in doubt. What a person counted stays.
 */
async function withoutExtra(
  outside: TableOutside,
  charge: ReadFor<'paid', 'merchant_id' | 'created_at' | 'origin' | 'amount_pesewas'>,
  { parts, payment }: { readonly parts: readonly Payment[]; readonly payment: Payment },
): Promise<Counted> {
  const verified = [...parts, payment].filter((one) => !isUnproven(one));
  const isCovered = totalPesewas(verified) >= charge.amount_pesewas;
  const isExtra = (part: Payment) => isCovered && isUnproven(part) && part.matched_by !== 'hand';
  const extra = parts.filter(isExtra);
  if (extra.length === 0) return { parts: [...parts], writes: [] };
  return {
    parts: parts.filter((part) => !isExtra(part)),
    writes: await releaseParts(outside, charge, extra, 'already_paid'),
    extra,
    second_receipts: await withSecond(outside, charge, extra),
  };
}

/** The parts that count for a charge, and the writes for that. */
interface Counted {
  readonly parts: Payment[];
  readonly writes: TableWrite[];
  /** Those that no longer do. */
  readonly extra?: readonly Payment[];
  /** Its second payments, where those are among them. */
  readonly second_receipts?: string[];
}

/**
 * A new charge that a receipt pays at once, and the writes for that: receipt, charge and the use of the payment are one transaction. Refused
 * as `payWithReceipt`, and with `ReferenceTaken`.
 */
export function createPaidCharge(
  outside: Clock,
  charge: Charge,
  receipt: PaymentReceipt,
  payment: Payment,
): { charge: PaidCharge; writes: TableWrite[] } {
  const paid = { ...charge, state: 'success', paid_at: nowIso(outside), payment } as const;
  return {
    charge: paid,
    writes: [matchReceipt(paid, receipt, payment, receipt), createCharge(paid), ...usePayment(receipt, paid)],
  };
}

/**
 * The writes that undo a cashier's tap: the charge is cancelled, its payment is held again, for anybody who may take it, and what its customer
 * was said to have opened at a sticker can be paid again.
 * @throws MovedOn where something else became of it.
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
    throw new MovedOn(`The charge ${reference} is ${state} by now. Check it again.`);
  const at = nowIso(outside);
  return [
    ...(await freeScanned(outside, charge)),
    holdAgain(receipt, { reason: disputed ? 'conflict' : 'no_charge' }),
    releasePayment(payment, charge),
    ...uncount(outside, charge.merchant_id, [payment]),
    undoTake(charge, undoneBy, at),
  ];
}

/**
 * The writes that undo that somebody marked a charge as paid: it waits again for what is missing, and what they had typed is set aside.
 * @throws MovedOn where something else became of it.
 */
export function undoMarkOf(
  outside: Clock,
  charge: ReadFor<'unmark', FoundField>,
  { payment, receipt, use, by }: Unmarked,
): TableWrite[] {
  const { reference } = charge;
  if (receipt?.state !== 'matched' || !receipt.marked || receipt.reference !== reference)
    throw new MovedOn(`The payment of ${reference} was read or taken back. Check the charge again.`);
  const at = nowIso(outside);
  const isDoubtOfMark =
    receipt.contradicted_by !== undefined &&
    charge.disputed?.why === 'conflict' &&
    charge.disputed.at >= receipt.marked.at;
  const others = paymentsOf(charge).filter((one) => one !== payment);
  const left = totalPesewas(others);
  const isStillPaid = charge.state === 'success' && left >= charge.amount_pesewas;
  const counted = isStillPaid ? { parts: others.slice(0, -1), payment: others.at(-1) } : { parts: others };
  return [
    // It still leads from the payment's id to the texts beside it, whose proof may come later.
    holdAgain(receipt, { set_aside: { at, by, why: UNDONE } }),
    ...(use ? [releasePayment(payment, charge)] : []),
    ...uncount(outside, charge.merchant_id, [payment]),
    undoMark(charge, isDoubtOfMark ? { ...counted, disputed: undefined } : counted, at),
    ...(isStillPaid ? [] : [noteExpiry({ ...charge, state: 'pending', parts: others, payment: undefined })]),
  ];
}

interface Unmarked {
  readonly payment: Payment;
  readonly receipt: Receipt | undefined;
  /** Its use, if it still has one. */
  readonly use: PaymentUse | undefined;
  readonly by: string;
}

const UNDONE = 'Marked as paid by hand, and undone.';

/** Reopens the sticker charge that this one replaced, because its payment has been released. */
async function freeScanned(outside: TableOutside, charge: Pick<Charge, 'reference' | 'goods'>): Promise<TableWrite[]> {
  const opened = takeOf(charge)?.scanned;
  const scanned = opened === undefined ? undefined : await chargeRows.find(outside, { reference: opened });
  return scanned?.paid_as === charge.reference ? [freePaidAs(scanned)] : [];
}

/** The other payments that count towards the charge, and the writes for them. */
async function partsOf(
  outside: TableOutside,
  charge: ForMoney,
  receipt: Pick<PaymentReceipt, 'network' | 'transaction_id'>,
  matchedBy: MatchedBy,
): Promise<Counted> {
  if (charge.state === 'pending') return { parts: charge.parts ?? [], writes: [] };
  return matchedBy === 'hand' ? reclaimParts(outside, charge, receipt) : { parts: [], writes: [] };
}

/** Ends a charge whose time is up, unless it is paid. */
export async function endCharge(outside: TimedOutside, expiry: Expiry): Promise<void> {
  const charge = await chargeRows.find(outside, expiry);
  // The job that tells of it was lost.
  if (charge && isUntold(charge)) return outside.table.write([tellTake(outside, charge), expiryRows.remove(expiry)]);
  if (charge?.state !== 'pending') return outside.table.remove(expiryRows.key(expiry));
  await outside.table.write([...(await endPending(outside, charge)), expiryRows.remove(expiry)]);
}

/**
 * Cancels a merchant's charge, unless a payment comes first: `commit` makes the writes and answers with the charge as it is
 * then. A charge that is cancelled already stays so.
 * @throws PublicError `not_found`, `charge_not_pending`.
 */
export function cancelOwnCharge<Result>(
  outside: Outside,
  merchantId: string,
  reference: string,
  commit: (charge: Charge, writes: readonly TableWrite[]) => Promise<Result>,
): Promise<Result> {
  return retryIfChanged(async () => {
    const charge = await requireCharge(outside, reference, merchantId);
    const status = statusOf(outside, charge);
    if (status === 'cancelled') return commit(charge, []);
    if (status !== 'pending') {
      const next = status === 'success' ? ` To give the money back: POST /api/v1/transaction/${reference}/refund.` : '';
      throw new PublicError(
        'charge_not_pending',
        `Only a pending charge can be cancelled; this one is ${status}.${next}`,
      );
    }
    const cancelled_at = nowIso(outside);
    const writes = await cancelWithParts(outside, charge, cancelled_at);
    return commit({ ...charge, state: 'cancelled', cancelled_at }, writes);
  });
}
