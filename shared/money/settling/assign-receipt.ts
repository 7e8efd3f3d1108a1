import { isTestAccount } from '../../merchants/merchant/test-account.ts';
import {
  type Clock,
  nowIso,
  type Outside,
  type TableOutside,
  type TimedOutside,
} from '../../runtime/outside/outside.ts';
import { retryIfChanged } from '../../runtime/table/contention.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { DAY_MS } from '../../runtime/values/calendar.ts';
import { invalidRequest, PublicError } from '../../runtime/values/errors.ts';
import { NoSuch } from '../../runtime/values/no-such.ts';
import { text } from '../../runtime/values/text.ts';
import { MovedOn } from '../charge/change-charge.table.ts';
import { type Charge, chargeRows, getCharge, requireCharge } from '../charge/charge.table.ts';
import { endedAtParts, haveLeft, isSettled, statusOf } from '../charge/charge.ts';
import { takeOf } from '../charge/goods.ts';
import { mayBeOf } from '../matching/match.ts';
import { partGivingWay, withoutReplaced } from '../payment/backing.ts';
import { MAX_PART_PAYMENTS, missingPesewas, paidPesewas, paymentsOf, refundedPesewas } from '../payment/payment.ts';
import { shownReceipt, shownSecond } from '../payment/shown-payment.ts';
import { paidAs } from '../receipt/paid-as.ts';
import {
  getReceipts,
  listReceipts,
  type Over,
  receiptRows,
  receivedBetween,
  replaceReceipt,
  secondReceiptsOf,
} from '../receipt/receipt.table.ts';
import {
  isAssignable,
  isNotThere,
  isUndoneMark,
  type PaymentReceipt,
  type Receipt,
  type SetAside,
} from '../receipt/receipt.ts';
import { isInDoubt } from '../receipt/repeated-text.ts';
import { noteWaiting } from '../receipt/second-receipts.ts';
import { type Look, lookedBy, refuseOutdatedReceipt, shownProofOf } from '../receipt/shown-proof.ts';
import { mayAskFor, type Reader, shownIdOf, timeOfShownId } from '../receipt/shown-receipt.ts';
import {
  type CountedText,
  refuseUsed,
  takeOverUse,
  undecidedElsewhere,
  verifiedElsewhere,
} from '../receipt/typed-use.ts';
import type { RefundRequest } from '../refund/refund-request.ts';
import type { AssignRequest } from './assign-request.ts';
import { countPart, payWithReceipt } from './pay-charge.ts';
import type { SentBack } from './present-charge.ts';
import { decideOthers, putBack } from './undo-payment.ts';

/**
 * Time for which a payment can still be assigned to a charge that has expired or was cancelled. After that, the goods
 * have probably been sold. Payment requests, and payments that arrived in time, have no such limit.
 */
const ASSIGNABLE_AFTER_END_MS = DAY_MS;

interface Assignment {
  readonly merchantId: string;
  readonly receiptId: string;
  readonly look?: Look;
}

/**
 * Assigns a held receipt to a merchant's charge. Returns the writes and the charge, which is now paid or has one more
 * part. Without `look`, nobody vouches for an unverified payment.
 * @throws PublicError `not_found` unless the merchant owns the receipt and the charge, `receipt_not_held` (also if the
 * proof is now weaker than the form showed), `charge_not_pending`.
 */
export async function assignReceipt(
  outside: Outside,
  { merchantId, receiptId, look }: Assignment,
  { reference, as_part }: AssignRequest,
): Promise<{ charge: Charge; writes: TableWrite[] }> {
  const receipt = await requireReceipt(outside, merchantId, receiptId);
  const charge = await getCharge(outside, reference, merchantId);
  if (!charge)
    throw new PublicError(
      'not_found',
      'You have no charge with this reference. Use the reference of a pending charge: MK- and ten digits.',
    );
  return payByHand(outside, receipt, charge, { asPart: as_part, look });
}

/** Like `assignReceipt`, for a receipt and a charge that were read. The writes can be discarded, to show the outcome. */
export async function payByHand(
  outside: TimedOutside,
  receipt: Receipt,
  charge: Charge,
  { asPart = false, look }: { readonly asPart?: boolean; readonly look: Look | undefined },
): Promise<{ charge: Charge; writes: TableWrite[] }> {
  if (!isAssignable(receipt)) {
    const reason = receipt.reason ? ` (${receipt.reason})` : '';
    if (receipt.reason === 'reversed')
      throw notHeld('The network reversed this payment, so it cannot pay a charge. Do not send any money back.');
    if (isUndoneMark(receipt))
      throw notHeld(
        'A charge was marked as paid with this payment, but the mark was later undone. Mark the charge as paid again instead.',
      );
    throw notHeld(
      `Only a held payment can be assigned; this receipt is ${receipt.state}${reason}. GET /api/v1/receipt lists those that can be assigned.`,
    );
  }
  if (receipt.set_aside?.sent_back)
    throw notHeld(
      'This payment was recorded as sent back. If this is wrong, put the payment back on the list in the dashboard.',
    );
  const looked_by = look && lookedBy(receipt, look);
  const isVerified = receipt.proof?.state === 'proven';
  const isDoubted = (receipt.reason === 'conflict' || isInDoubt(receipt)) && isVerified;
  const counted: PaymentReceipt = isDoubted ? { ...receipt, proof: { state: 'unproven' } } : receipt;
  await refuseUndecided(outside, charge.merchant_id, counted);
  const taken = await takeOverUse(outside, { ...counted, looked_by }, charge, { isVerified });
  if (!taken) await refuseUsed(outside, receipt, charge);
  const given = { asPart, looked_by, current: receipt, over: taken?.over };
  const { charge: after, writes } = await countByHand(outside, counted, charge, given);
  return { charge: after, writes: [...writes, ...(taken?.writes ?? [])] };
}

/**
 * Adds a payment to a charge on a person's decision. Returns the changed charge and the writes. `current`: the stored
 * receipt, if any.
 * @throws PublicError `charge_not_pending`.
 */
export async function countByHand(
  outside: TimedOutside,
  receipt: PaymentReceipt,
  charge: Charge,
  {
    asPart,
    ...given
  }: {
    readonly asPart: boolean;
    readonly looked_by?: string | undefined;
    readonly current?: Receipt | undefined;
    readonly over?: Over | undefined;
  },
): Promise<{ charge: Charge; writes: TableWrite[] }> {
  const without = withoutReplaced(charge, { ...receipt, looked_by: given.looked_by });
  if (refundedPesewas(charge.refunds) > paidPesewas(without) + receipt.amount_pesewas)
    throw new MovedOn(
      `This payment would replace a larger one with the same id, of which more has been refunded than this payment is worth. Assign it to a new charge. ${newChargeOf(charge)}`,
    );
  const missing = missingPesewas(without);
  const isPart = isShort(charge) || isMore(charge, receipt) || (asPart && receipt.amount_pesewas < missing);
  await refuseEnded(outside, charge, receipt, isPart);
  const matched = { matched_by: 'hand', ...given } as const;
  if (isPart) return countPart(outside, charge, receipt, matched);
  const { paid, writes } = await payWithReceipt(outside, charge, receipt, matched);
  return { charge: { ...charge, ...paid }, writes };
}

/** True if a person assigned less than the charge's amount, so the charge still accepts payments. */
function isShort(charge: Charge): boolean {
  return charge.state === 'success' && missingPesewas(charge) > 0;
}

/**
 * Returns true if a payment can be added to a payment request's charge that was closed as paid before all of its parts
 * had arrived. Always false for one of the charge's second payments.
 */
function isMore(charge: Charge, { marked, reason, suggested_reference }: PaymentReceipt): boolean {
  const isSecond = reason === 'already_paid' && suggested_reference === charge.reference;
  return endedAtParts(charge) && marked === undefined && !isSecond;
}

/** True if a person can match a held payment to a charge. */
export function acceptsHeld(outside: Clock, charge: Charge, receipt: PaymentReceipt): boolean {
  return acceptsPayment(outside, charge) || isMore(charge, receipt) || isInTime(outside, charge, receipt);
}

/** True if an expired charge could still be paid when the payment arrived. Such a payment has no time limit. */
export function isInTime(outside: Clock, charge: Charge, { received_at }: Pick<Receipt, 'received_at'>): boolean {
  const wasOpen = charge.created_at <= received_at && received_at <= charge.expires_at;
  return statusOf(outside, charge) === 'expired' && !isSettled(charge) && wasOpen;
}

/** True for an ended charge from which a person removed a payment, and whose goods may have left. */
export function isOwedAfterEnd(outside: Clock, charge: Charge): boolean {
  const status = statusOf(outside, charge);
  return charge.unmarked_at !== undefined && (status === 'expired' || (status === 'cancelled' && haveLeft(charge)));
}

export function acceptsPayment(outside: Clock, charge: Charge): boolean {
  // A second sale needs its own charge, so a tapped charge accepts another payment only if it is underpaid.
  if (takeOf(charge)) return isShort(charge);
  const status = statusOf(outside, charge);
  const endedAt = { expired: charge.expires_at, cancelled: charge.cancelled_at }[String(status)];
  const isLate = endedAt !== undefined && outside.now() <= Date.parse(endedAt) + ASSIGNABLE_AFTER_END_MS;
  const isStillOwed = (status === 'expired' && charge.origin.kind === 'request') || isOwedAfterEnd(outside, charge);
  return status === 'pending' || isLate || isStillOwed || isShort(charge);
}

async function refuseEnded(outside: TimedOutside, charge: Charge, receipt: PaymentReceipt, isPart: boolean) {
  const status = statusOf(outside, charge);
  const isAdded = isShort(charge) || isMore(charge, receipt);
  if (status === 'reversed')
    throw new MovedOn(
      `The network reversed a payment for this charge, so the charge can no longer be paid. If the money is still owed, assign this payment to a new charge. ${newChargeOf(charge)}`,
    );
  if (!acceptsHeld(outside, charge, receipt)) {
    const next = isSettled(charge) ? await secondAdvice(outside, charge, receipt) : unpaidAdvice(charge, receipt);
    throw new MovedOn(
      `Only a pending charge, or one that ended less than a day ago, can be paid; this one is ${status}. ${next}`,
    );
  }
  if (isPart && status !== 'pending' && !isAdded) {
    throw new MovedOn(
      `This charge is ${status}, so a part payment could never be completed. Assign the payment as a full payment (in the API: without as_part). Other payments can be added to the charge afterwards.`,
    );
  }
  if (isPart && (charge.parts ?? []).length >= MAX_PART_PAYMENTS && !partGivingWay(charge)) {
    const next = isAdded
      ? `Assign the payment to a new charge. ${newChargeOf(charge)}`
      : 'Assign the payment as a full payment (in the API: without as_part).';
    throw new MovedOn(`This charge already has the maximum of ${MAX_PART_PAYMENTS} part payments. ${next}`);
  }
}

async function secondAdvice(outside: TimedOutside, charge: Charge, receipt: PaymentReceipt): Promise<string> {
  const next = shownSecond(receipt, await paidAs(outside, charge)).advise(
    'Send a second payment back, then record this as a refund with the payment’s receipt_id, or in the dashboard.',
  );
  return `${next} Do not create a new charge for it, or you will deliver twice.`;
}

function unpaidAdvice(charge: Charge, receipt: PaymentReceipt): string {
  const { doubt } = shownReceipt(receipt);
  const look = doubt ? `${doubt.lookFirst} ` : '';
  return `${look}If the customer still gets the goods, assign the payment to a new charge. ${newChargeOf(charge)}`;
}

function newChargeOf({ origin }: Charge): string {
  return origin.kind === 'request'
    ? `To get one, press Pay on the page of its payment request, /r/${origin.slug}.`
    : 'Create it with POST /api/v1/transaction/initialize.';
}

/**
 * Assigns a held receipt without a merchant to a charge, whatever the payment's amount. Possible once per receipt.
 * `entry` is for the audit log of the charge's merchant.
 * @throws NoSuch if no such receipt is unassigned; PublicError `invalid_request` if the payment cannot be for this
 * charge, `receipt_not_held`, `charge_not_pending`.
 */
export async function prepareAssignment(outside: TimedOutside, receiptId: string, reference: string, look?: Look) {
  const receipt = await receiptRows.find(outside, { receipt_id: receiptId });
  if (!receipt || receipt.merchant_id !== undefined)
    throw new NoSuch('receipt', `No unassigned receipt has the id ${receiptId}.`);
  const charge = await chargeRows.find(outside, { reference });
  if (!charge) throw new PublicError('invalid_request', `There is no charge ${reference}.`);
  const { merchant_id } = charge;
  // Real money must not be used for a test charge: the customer's order would stay unpaid.
  if (isTestAccount(merchant_id))
    throw new PublicError('invalid_request', `${reference} is a test charge and cannot receive a real payment.`);
  if (!(await mayBeOf(outside, receipt, merchant_id)))
    throw new PublicError(
      'invalid_request',
      `${reference} belongs to a merchant who does not receive payments on ${receipt.momo_number}.`,
    );
  const { charge: paid, writes } = await payByHand(outside, receipt, charge, { look });
  const entry = {
    merchant_id,
    action: 'receipt assign',
    about: receiptId,
    after: { reference, ...(look && { shown: look.shown }) },
  };
  return { assigned: { reference, merchant_id, status: paid.state }, writes, entry };
}

export const SetAsideReason = text(200);

/**
 * Sets a held payment aside because it belongs to no charge or was sent back. The payment then confirms nothing
 * automatically or by a claim, but a person can restore or assign it. If its money is not in the wallet, the text that
 * conflicted with it is evaluated again. An unparsed text keeps its state but is listed as decided.
 * @throws PublicError `not_found`, `receipt_not_held`.
 */
export async function setAside(
  outside: TimedOutside,
  merchantId: string,
  receiptId: string,
  note: Omit<SetAside, 'at'>,
): Promise<TableWrite[]> {
  const receipt = await requireReceipt(outside, merchantId, receiptId);
  if (receipt.state === 'matched') throw notHeld('Only a held payment can be set aside; this one is matched.');
  if (receipt.state === 'unread' && receipt.reference !== undefined)
    throw notHeld('This message was used to mark a bill as paid. Undo that first.');
  if (receipt.reason === 'checking')
    throw notHeld('This payment is being checked. Wait two minutes: it may pay its charge automatically.');
  const { aside, writes } = asideOf(outside, receipt, note);
  if (writes.length === 0) return writes;
  const reference = receipt.suggested_reference;
  const found = reference === undefined ? undefined : await chargeRows.find(outside, { reference });
  const bill = found?.merchant_id === merchantId ? found : undefined;
  const decided = await decideOthers(outside, receipt, bill, { isGone: isNotThere(aside) });
  const noted = bill && decided.named ? await noteWaiting(outside, bill, decided.named) : [];
  return [...writes, ...decided.writes, ...noted];
}

/** Returns the writes that set a held payment aside. A payment already set aside can still be recorded as sent back. */
function asideOf<One extends Receipt>(outside: Clock, receipt: One, note: Omit<SetAside, 'at'>) {
  const { set_aside: known } = receipt;
  if (known && (known.sent_back || !note.sent_back)) return { aside: receipt, writes: [] };
  const notReleased = { released_by: undefined, released_verified: undefined };
  const aside: One = { ...receipt, ...notReleased, set_aside: { at: nowIso(outside), ...note } };
  return { aside, writes: [replaceReceipt(receipt, aside)] };
}

/**
 * Records that a payment was sent back: a second payment, or one held because its charge was cancelled.
 * @throws PublicError `not_found`, `invalid_request`.
 */
export function noteSentBack<Result>(
  outside: Outside,
  { merchantId, by, seesIds }: Pick<SetAside, 'by'> & Pick<Reader, 'seesIds'> & { readonly merchantId: string },
  { reference, receipt_id = '', amount, reason }: RefundRequest & Pick<Charge, 'reference'>,
  commit: (charge: Charge, writes: readonly TableWrite[], sentBack: SentBack) => Promise<Result>,
): Promise<Result> {
  return retryIfChanged(async () => {
    const charge = await requireCharge(outside, reference, merchantId);
    const all = await secondReceiptsOf(outside, charge);
    const isMeant = (one: Receipt) => receipt_id === shownIdOf(one) || (seesIds && receipt_id === one.receipt_id);
    const receipt = all.find(isMeant) ?? (seesIds ? await heldFor(outside, charge, receipt_id) : undefined);
    if (!receipt) {
      const message =
        'is not a payment held for this charge. Verify lists such payments in second_payments; receipt.held reports the others';
      throw invalidRequest([{ field: 'receipt_id', message }]);
    }
    if (amount !== undefined && amount !== receipt.amount_pesewas) {
      const { amount: whole } = shownReceipt(receipt);
      const message = `must be ${whole}, the full payment, or omitted`;
      throw invalidRequest([{ field: 'amount', message }]);
    }
    const { aside, writes } = asideOf(outside, receipt, { by, why: reason, sent_back: true });
    return commit(charge, writes, { receipt, second: all.map((one) => (one === receipt ? aside : one)) });
  });
}

async function heldFor(
  outside: TableOutside,
  { reference, merchant_id }: Pick<Charge, 'reference' | 'merchant_id'>,
  receiptId: string,
): Promise<PaymentReceipt | undefined> {
  const isFor = (one: Receipt) => one.merchant_id === merchant_id && one.suggested_reference === reference;
  return (await getReceipts(outside, [receiptId]))
    .filter(isAssignable)
    .find((one) => isFor(one) && one.reason !== 'checking');
}

/**
 * Allows a till to take a held payment. For an unverified one, the person confirms that the money arrived.
 * @throws PublicError `not_found`, `receipt_not_held` (also if the proof is now weaker than the form showed).
 */
export async function releaseReceipt(
  outside: TableOutside,
  merchantId: string,
  receiptId: string,
  { by: released_by, ...form }: Look,
) {
  const receipt = await requireReceipt(outside, merchantId, receiptId);
  if (!isAssignable(receipt))
    throw notHeld(`Only a held payment can be taken at a till; this one is ${receipt.state}.`);
  refuseOutdatedReceipt(receipt, form);
  await refuseUndecided(outside, merchantId, receipt);
  const released_verified = shownProofOf(receipt) === 'verified' || undefined;
  return [replaceReceipt(receipt, { ...receipt, released_by, released_verified })];
}

/**
 * @throws PublicError `receipt_not_held` if the payment is unverified, and a text with its id is held that is verified, or
 * that differs only in the reference.
 */
async function refuseUndecided(outside: TableOutside, merchantId: string, payment: CountedText): Promise<void> {
  const other = await undecidedElsewhere(outside, merchantId, payment);
  if (other === 'verified') throw verifiedWaits();
  if (other === 'alike')
    throw notHeld(
      'Two payments with this transaction ID, amount and payer are waiting, and only one is in the wallet. Compare their references. In the dashboard, say of the other one that the money is not there. Then match this one.',
    );
}

function verifiedWaits(): PublicError {
  return notHeld('A verified payment with the same transaction ID is waiting. Match that payment to the bill instead.');
}

/**
 * Refuses to release goods if one of their payments is unverified, and a verified text with its id is held and does not
 * name the same charge.
 * @throws PublicError `receipt_not_held`.
 */
export async function refuseCountedElsewhere(outside: TableOutside, charge: Charge): Promise<void> {
  const { merchant_id, reference } = charge;
  const payments = paymentsOf(charge).filter(({ proof }) => proof?.state !== 'proven');
  const receipts = await getReceipts(
    outside,
    payments.map(({ receipt_id }) => receipt_id),
  );
  const counted = payments.map((payment) => {
    const receipt = receipts.find(({ receipt_id }) => receipt_id === payment.receipt_id);
    return { ...receipt, ...payment, reference };
  });
  if ((await verifiedElsewhere(outside, merchant_id, counted)).length > 0) throw verifiedWaits();
}

/**
 * Moves a set-aside payment back to the held payments.
 * @throws PublicError `not_found`.
 */
export async function restoreSetAside(
  outside: TimedOutside,
  merchantId: string,
  receiptId: string,
): Promise<TableWrite[]> {
  const receipt = await requireReceipt(outside, merchantId, receiptId);
  return receipt.set_aside ? putBack(outside, receipt) : [];
}

/** More characters than any receipt id has. DynamoDB refuses a key of more than 1,024 bytes. */
const MAX_ID_CHARACTERS = 200;

/**
 * Reads a merchant's receipt. People who must not see ids of held payments pass the id from `receiptFor`.
 * @throws PublicError `not_found`.
 */
export async function requireReceipt(
  outside: TableOutside,
  merchantId: string,
  receiptId: string,
  { seesIds }: Pick<Reader, 'seesIds'> = { seesIds: true },
): Promise<Receipt> {
  const shown = seesIds ? undefined : timeOfShownId(receiptId);
  const find = () =>
    receiptId.length > MAX_ID_CHARACTERS ? undefined : receiptRows.find(outside, { receipt_id: receiptId });
  const found = await (shown ? findShown(outside, merchantId, receiptId, shown) : find());
  if (found?.merchant_id === merchantId && (shown || mayAskFor({ seesIds }, found))) return found;
  throw new PublicError('not_found', 'You have no receipt with this id. GET /api/v1/receipt lists your held receipts.');
}

async function findShown(
  outside: TableOutside,
  merchantId: string,
  shownId: string,
  at: string,
): Promise<Receipt | undefined> {
  const between = receivedBetween({ fromMs: Date.parse(at), toMs: Date.parse(at) });
  const lists = await Promise.all(
    (['held', 'set_aside'] as const).map((list) => listReceipts(outside, merchantId, list, { between })),
  );
  return lists.flatMap(({ receipts }) => receipts).find((receipt) => shownIdOf(receipt) === shownId);
}

function notHeld(message: string): PublicError {
  return new PublicError('receipt_not_held', message);
}
