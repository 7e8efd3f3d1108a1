/*
 * Changes of a charge's row. A decision declares the fields that it reads; its write requires them to be as they were read.
 */
import { type Clock, isoOf, nowIso } from '../../runtime/outside/outside.ts';
import { Changed } from '../../runtime/table/contention.ts';
import { asRead, type TableWrite } from '../../runtime/table/table.ts';
import { invalidRequest, PublicError } from '../../runtime/values/errors.ts';
import {
  type ChargeState,
  type Dispute,
  MAX_NOTES,
  type Note,
  type Payment,
  paymentsOf,
  type Refund,
  totalPesewas,
} from '../payment/payment.ts';
import {
  byTime,
  type Charge,
  chargeRows,
  type Found,
  isListed,
  listedKey,
  openKey,
  type PaidCharge,
  statusPartition,
} from './charge.table.ts';
import { type Goods, goodsTransitions, type TakenGoods } from './goods.ts';
import { chargeTransitions } from './states.ts';

/** The fields that a write can change while a charge stays in its state. The others are fixed, or change only with the state. */
type Changing =
  | 'state'
  | 'parts'
  | 'payment'
  | 'goods'
  | 'disputed'
  | 'checking_until'
  | 'refunds'
  | 'released_by'
  | 'paid_as'
  | 'notes'
  | 'second_receipts'
  | 'receipt_send_id';

const FOR_MONEY = ['state', 'parts', 'payment', 'disputed', 'paid_as'] as const;
const FOR_GOODS = ['state', 'parts', 'payment', 'disputed', 'goods', 'refunds', 'released_by'] as const;

/** The fields that each kind of decision reads of those that can change. Its type (`ReadFor`) and its condition both come from here. */
const decidedBy = {
  /** A payment arrives or is verified, or the charge ends unpaid. */
  money: FOR_MONEY,
  /** A payment pays the charge, and the parts that it needs no more are noted as second payments. */
  paid: [...FOR_MONEY, 'second_receipts'],
  /** The network takes a payment back. */
  reversal: [...FOR_MONEY, 'goods', 'refunds', 'second_receipts'],
  /** A mark as paid is undone, which it is not once goods were let go. */
  unmark: [...FOR_MONEY, 'goods', 'refunds', 'released_by'],
  /** Money is noted to go back, or has gone. The answer shows goods and proof as they are with it. */
  refund: FOR_GOODS,
  /** Goods may leave, leave or come back. */
  goods: FOR_GOODS,
  /** The payer is texted a customer receipt. */
  receiptText: [...FOR_GOODS, 'receipt_send_id'],
  /** A second payment is noted. */
  second: ['state', 'paid_as', 'second_receipts'],
  /** A verified payment takes the place of one that is not, which is noted as a second one. */
  place: [...FOR_MONEY, 'refunds', 'released_by', 'second_receipts'],
  /** The sticker charge that another charge replaced can be paid again. */
  freed: ['paid_as'],
  note: ['notes'],
} as const satisfies Readonly<Record<string, readonly Changing[]>>;
type Decision = keyof typeof decidedBy;

/** A charge as a decision may read it: the fields that its write holds, and `Fixed` ones. */
export type ReadFor<Kind extends Decision, Fixed extends Exclude<keyof Charge, Changing> = 'reference'> = Pick<
  Charge,
  'reference' | (typeof decidedBy)[Kind][number] | Fixed
>;

/** A charge as a decision about its money reads it, with what lists it. */
export type ForMoney = ReadFor<'money', 'merchant_id' | 'created_at' | 'origin'>;

/** The refusal says nothing about which field changed. */
const moved = (reference: string) => () =>
  new MovedOn(`The charge ${reference} has changed: a payment for it arrived or was reversed. Check it again.`);

/** Pays a waiting charge with `payment` and the parts that it keeps. Refused with `MovedOn` if it has moved on. */
export function payCharge(
  charge: ReadFor<'paid', 'merchant_id' | 'created_at' | 'origin'>,
  { paid_at, payment, parts }: Pick<PaidCharge, 'paid_at' | 'payment' | 'parts'>,
  second_receipts = charge.second_receipts,
): TableWrite {
  const paid = { paid_at, payment, parts, second_receipts };
  return moveCharge('paid', charge, 'success', { ...paid, ...listedKey(charge) });
}

/** Pays a pending charge with the parts that have arrived, which are its amount from then on. Refused with `MovedOn` if it has moved on. */
export function closeAtParts(charge: ForMoney, paid_at: string): TableWrite {
  const { parts = [] } = charge;
  const amount_pesewas = totalPesewas(parts);
  const paid = { paid_at, payment: parts.at(-1), parts: parts.slice(0, -1), amount_pesewas };
  return moveCharge('money', charge, 'success', { ...paid, ...listedKey(charge) });
}

/** Ends a pending charge that was not paid in time, or whose time ends at `expires_at`. Refused with `MovedOn` where it has moved on. */
export function expireCharge(
  outside: Clock,
  charge: ForMoney,
  parts: readonly Payment[],
  expires_at?: string,
): TableWrite {
  const expired_at = nowIso(outside);
  return moveCharge('money', charge, 'expired', { expired_at, ...(expires_at && { expires_at }), parts });
}

/** Ends a pending charge because its merchant wants it no more. Refused with `MovedOn` where it has moved on. */
export function cancelCharge(charge: ForMoney, parts: readonly Payment[], cancelled_at: string): TableWrite {
  return moveCharge('money', charge, 'cancelled', { cancelled_at, parts });
}

/** Undoes a cashier's tap: cancels the charge and frees its payment. Refused with `MovedOn` where it has moved on. */
export function undoTake(
  charge: ReadFor<'goods'> & { readonly goods: TakenGoods },
  undone_by: string,
  cancelled_at: string,
): TableWrite {
  const goods: TakenGoods = { ...charge.goods, state: 'taken_back', undone_at: cancelled_at, undone_by };
  const gone = { payment: undefined, parts: undefined, gsi2pk: undefined, gsi2sk: undefined };
  return change('goods', charge, { state: 'cancelled', cancelled_at, goods, ...gone });
}

/** Undoes that a charge was marked as paid: it is pending again, unless the payments that are left pay it. Refused with `MovedOn` where it has moved on. */
export function undoMark(
  charge: ReadFor<'unmark', keyof Found | 'amount_pesewas'>,
  left: Pick<Fields, 'parts' | 'payment' | 'disputed'>,
  unmarked_at: string,
): TableWrite {
  const set: Fields = { payment: undefined, ...left, unmarked_at };
  if (charge.state === 'pending' || left.payment) return change('unmark', charge, set);
  const found = { gsi2pk: undefined, gsi2sk: undefined, ...openKey(charge, charge.amount_pesewas) };
  return moveCharge('unmark', charge, 'pending', { ...set, paid_at: undefined, ...found });
}

/** Notes that a tap can no longer be undone: the stream then notifies the merchant's server. Refused with `MovedOn` where it has moved on. */
export function tellTake(outside: Clock, charge: ReadFor<'goods'> & { readonly goods: TakenGoods }): TableWrite {
  return setGoods(charge, { ...charge.goods, told_at: nowIso(outside) });
}

/** Marks a pending, unpaid charge as paid through another charge. Refused with `MovedOn` where it has moved on. */
export function markPaidAs(charge: ReadFor<'money'>, paid_as: string): TableWrite {
  const { state, parts = [], disputed, paid_as: known } = charge;
  if (state !== 'pending' || parts.length > 0 || disputed || known) throw moved(charge.reference)();
  return change('money', charge, { paid_as });
}

/** Lets a charge be paid again: the charge that it was paid through was undone. Refused with `MovedOn` where it has moved on. */
export function freePaidAs(charge: ReadFor<'freed'>): TableWrite {
  return change('freed', charge, { paid_as: undefined });
}

/** Sets the goods of a charge, and its payments where this counts them as unverified. Refused with `MovedOn` where it has moved on. */
export function setGoods(
  charge: ReadFor<'goods'> & { readonly goods: Goods },
  goods: Goods,
  counted: Counted = {},
): TableWrite {
  const { state } = charge.goods;
  if (state !== goods.state && !goodsTransitions[goods.state]?.includes(state)) throw moved(charge.reference)();
  return change('goods', charge, { goods, ...counted });
}

/** Notes who lets goods leave although the payment is not verified. Refused with `MovedOn` where the charge has moved on. */
export function releaseGoods(charge: ReadFor<'goods'>, released_by: string): TableWrite {
  return change('goods', charge, { released_by });
}

/** A charge's payments, where some are counted now as unverified. */
type Counted = Pick<Charge, 'payment' | 'parts'>;

/** Removes a reversed `payment` from a paid charge, which keeps the others as its parts. Refused with `MovedOn` if it is not paid. */
export function reverseCharge(
  outside: Clock,
  charge: ReadFor<'reversal', 'merchant_id' | 'created_at' | 'origin'>,
  set: Pick<Fields, 'parts' | 'refunds'> & { readonly payment: Payment },
): TableWrite {
  return moveCharge('reversal', charge, 'reversed', { reversed_at: nowIso(outside), ...set });
}

/**
 * Sets the parts of a charge that stays in its state, and the payment that completes them. Whoever let goods leave saw other payments: one
 * more ends that, and so does the text of one that was marked by hand. Refused with `MovedOn` if it has moved on.
 */
export function setParts(charge: ForMoney, parts: readonly Payment[], payment?: Payment): TableWrite {
  const isMore = parts.length > (charge.parts ?? []).length;
  const isRead = countMarked({ parts, payment }) < countMarked(charge);
  const isOther = (isMore || isRead) && { released_by: undefined };
  const set = { parts, ...listedKey(charge), ...(payment && { payment }), ...isOther };
  return change('money', charge, set);
}

function countMarked(charge: Parameters<typeof paymentsOf>[0]): number {
  return paymentsOf(charge).filter(({ marked }) => marked).length;
}

/** Sets what counts for a charge that stays paid; what counted before is a second payment. Refused with `MovedOn` if it has moved on. */
export function replacePayment(
  charge: ReadFor<'place'>,
  counts: Pick<Fields, 'payment' | 'parts'>,
  second_receipts: string[],
): TableWrite {
  return change('place', charge, { ...counts, second_receipts });
}

/**
 * Removes a reversed payment from a charge that stays paid by `payments`. If a second one takes its place and is all that counts, the
 * doubt ends too: it may be about any other payment. Refused with `MovedOn` if it has moved on.
 */
export function dropPayment(
  charge: ReadFor<'reversal'>,
  payments: readonly Payment[],
  refunds: readonly Refund[] | undefined,
  second?: string,
): TableWrite {
  const left = { parts: payments.slice(0, -1), payment: payments.at(-1), refunds };
  if (second === undefined) return change('reversal', charge, left);
  const second_receipts = charge.second_receipts?.filter((id) => id !== second);
  const disputed = payments.length === 1 ? undefined : charge.disputed;
  return change('reversal', charge, { ...left, second_receipts, disputed });
}

/** Sets the refunds of a charge that stays as it is otherwise. Refused with `MovedOn` if it has moved on. */
export function setRefunds(charge: ReadFor<'refund'>, refunds: readonly Refund[]): TableWrite {
  return change('refund', charge, { refunds });
}

/**
 * A charge that has been paid is no longer found by name, and is listed by state instead. One that has ended unpaid stays: a payment
 * that is claimed for another charge may have been meant for it.
 */
function moveCharge(kind: Decision, charge: ForMoney, state: ChargeState, fields: Fields): TableWrite {
  const listed = isListed(state) && { gsi2pk: statusPartition(charge.merchant_id, state), gsi2sk: byTime(charge) };
  // A state that has no such transition is refused here; a charge that has left its state is refused by the table.
  if (!chargeTransitions[state]?.includes(charge.state)) throw moved(charge.reference)();
  return change(kind, charge, { state, ...listed, ...fields });
}

type OfState =
  | 'paid_at'
  | 'unmarked_at'
  | 'expires_at'
  | 'expired_at'
  | 'cancelled_at'
  | 'reversed_at'
  | 'amount_pesewas';
type Fields = Partial<Readonly<Pick<Charge, Exclude<Changing, 'parts' | 'refunds'> | OfState>>> & {
  readonly parts?: readonly Payment[] | undefined;
  readonly refunds?: readonly Refund[] | undefined;
  readonly gsi1pk?: string;
  readonly gsi1sk?: string;
  readonly gsi2pk?: string | undefined;
  readonly gsi2sk?: string | undefined;
};

/** The write of a decision: refused where a field that such a decision reads is no longer as it was read. */
function change(
  kind: Decision,
  charge: Pick<Charge, 'reference'> & Partial<Pick<Charge, Changing>>,
  set: Fields,
  refused: TableWrite['refused'] = moved(charge.reference),
): TableWrite {
  const read = decidedBy[kind]
    // Goods that only a later release knows were not read as they are stored.
    .filter((field) => !(field === 'goods' && charge.goods?.kind === 'other'))
    .map((field) => [field, orNone(charge[field])]);
  const { when, values } = asRead(Object.fromEntries(read));
  const stored = Object.entries(set).map(([field, value]) => [field, orNone(value)]);
  return chargeRows.change(charge, Object.fromEntries(stored), {
    values,
    // A charge whose time is over is gone: it is not stored anew.
    when: `attribute_exists(pk) AND ${when}`,
    refused,
  });
}

/** An empty list is stored as none. */
function orNone(value: unknown): unknown {
  return Array.isArray(value) && value.length === 0 ? undefined : value;
}

/**
 * Adds a note, whatever else becomes of the charge. Refused with PublicError `busy` where a colleague's note was first.
 * @throws PublicError `invalid_request` for one too many.
 */
export function addNote(charge: ReadFor<'note'>, note: Note): TableWrite {
  const { notes = [] } = charge;
  if (notes.length >= MAX_NOTES)
    throw invalidRequest([{ field: 'note', message: `cannot be added: this charge has ${MAX_NOTES}, the maximum` }]);
  const refused = () => new PublicError('busy', 'Somebody else added a note at the same moment. Send yours again.');
  return change('note', charge, { notes: [...notes, note] }, refused);
}

/**
 * Marks a charge as disputed. The first dispute stays, except that `forged` replaces any other: it takes back what was given, and a
 * forger could put the charge in doubt in another way first. `isContested`: another text contradicts the payment's, and which of the two
 * is false is not known. Written with the payment's receipt as read: it may pay this charge no more.
 */
export function disputeCharge(outside: Clock, reference: string, why: Dispute['why'], isContested = false): TableWrite {
  const disputed: Dispute = { at: nowIso(outside), why, ...(isContested && { is_contested: true }) };
  const [set, once] = why === 'forged' ? [{ disputed }, {}] : [{}, { disputed }];
  return chargeRows.change({ reference }, set, { once, when: 'attribute_exists(pk)' });
}

/** Who pays a charge more often than this has been told. Each is a read of the page. */
export const MAX_SECOND_RECEIPTS = 5;

/**
 * Notes which payments that named the charge came when it was paid already, or had expired. Refused with `MovedOn` where others were noted
 * first, or it is paid no more: then this payment may be the one for it.
 */
export function noteSecondReceipts(charge: ReadFor<'second'>, second_receipts: string[]): TableWrite {
  return change('second', charge, { second_receipts });
}

/**
 * Notes the text that tells a charge's payer, and its payments where this counts them as unverified. Refused with `ReceiptTexted` where there was
 * one or it is no longer paid, and with `MovedOn` where it has moved on otherwise.
 */
export function noteReceiptText(
  charge: ReadFor<'receiptText'>,
  receipt_send_id: string,
  counted: Counted = {},
): TableWrite {
  if (charge.receipt_send_id !== undefined) throw new ReceiptTexted();
  return change('receiptText', charge, { receipt_send_id, ...counted }, (current) =>
    current?.state !== 'success' || current.receipt_send_id !== undefined
      ? new ReceiptTexted()
      : moved(charge.reference)(),
  );
}

/** Its payer was told before, or there is nothing to tell any more. */
export class ReceiptTexted extends Error {}

/** For how long a charge's page says that its payment is being checked. */
const CHECKING_MS = 2 * 60_000;

/**
 * Has a charge's page say, for as long as a check takes, that its payment is being checked; or, where there is nothing to wait for, that
 * it is not confirmed yet. Forged texts do no more to a charge than that: what nobody paid closes nothing.
 */
export function noteUnproven(
  outside: Clock,
  { reference }: Pick<Charge, 'reference'>,
  shown: 'checking' | 'not confirmed',
): TableWrite {
  const nowMs = outside.now();
  const [set, once] =
    shown === 'checking'
      ? [{ checking_until: isoOf(nowMs + CHECKING_MS) }, {}]
      : [{}, { checking_until: isoOf(nowMs) }];
  return chargeRows.change({ reference }, set, { once, when: 'attribute_exists(pk)' });
}

/** The charge has changed since it was read. A worker reads it again and decides again; a caller gets an error. */
export class MovedOn extends Changed {
  constructor(message: string) {
    super('charge_not_pending', message);
  }
}
