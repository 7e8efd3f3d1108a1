/*
 * How a charge's row changes once it is there. Each change needs the charge to be as it was read.
 */
import { type Clock, isoOf, nowIso } from '../../runtime/outside/outside.ts';
import { Changed } from '../../runtime/table/contention.ts';
import { asRead, type TableWrite } from '../../runtime/table/table.ts';
import { invalidRequest, PublicError } from '../../runtime/values/errors.ts';
import { type Goods, goodsTransitions, type TakenGoods, takeOf } from './goods.ts';
import { type Dispute, MAX_NOTES, type Note, type Payment, type Refund } from './payment.ts';
import { type TransactionState, transactionTransitions } from './states.ts';
import {
  byTime,
  isListed,
  listedKey,
  type PaidTransaction,
  statusPartition,
  type Transaction,
  transactionRows,
} from './transaction.table.ts';

/** A charge that may change: the fields that must still be as they were read. */
type ChargeAsRead = Pick<
  Transaction,
  'reference' | 'merchant_id' | 'created_at' | 'state' | 'parts' | 'disputed' | 'refunds' | 'paid_as' | 'goods'
> &
  Partial<Pick<Transaction, 'payment'>>;

/** What moved on under a writer: nobody says which part of a charge it was. */
const moved = (reference: string) => () =>
  new MovedOn(`The charge ${reference} has changed: a payment for it arrived or was reversed. Check it again.`);

/** Pays a waiting charge with `payment` and whatever parts it has. Refused with `MovedOn` if it has moved on. */
export function payTransaction(
  charge: ChargeAsRead,
  { paid_at, payment, parts }: Pick<PaidTransaction, 'paid_at' | 'payment' | 'parts'>,
): TableWrite {
  return moveTransaction(charge, 'success', { paid_at, payment, parts, ...listedKey(charge) });
}

/** Pays a pending charge with the parts that have arrived, which are its amount from then on. Refused with `MovedOn` if it has moved on. */
export function closeAtParts(charge: ChargeAsRead, paid_at: string): TableWrite {
  const { parts = [] } = charge;
  const amount_pesewas = parts.reduce((sum, part) => sum + part.amount_pesewas, 0);
  const paid = { paid_at, payment: parts.at(-1), parts: parts.slice(0, -1), amount_pesewas };
  return moveTransaction(charge, 'success', { ...paid, ...listedKey(charge) });
}

/** Ends a pending charge that was not paid in time, or whose time ends at `expires_at`. Refused with `MovedOn` where it has moved on. */
export function expireTransaction(
  outside: Clock,
  charge: ChargeAsRead,
  parts: readonly Payment[],
  expires_at?: string,
): TableWrite {
  const expired_at = nowIso(outside);
  return moveTransaction(charge, 'expired', { expired_at, ...(expires_at && { expires_at }), parts });
}

/** Ends a pending charge because its merchant wants it no more. Refused with `MovedOn` where it has moved on. */
export function cancelTransaction(charge: ChargeAsRead, parts: readonly Payment[], cancelled_at: string): TableWrite {
  return moveTransaction(charge, 'cancelled', { cancelled_at, parts });
}

/**
 * Undoes a cashier's tap: the charge is cancelled, without the payment, which is free again. Refused with `MovedOn` where the charge, its
 * payment or its tap is not as it was read: its merchant's server may have been told meanwhile, or the payment proven, which frees what it used.
 */
export function undoTake(
  charge: WithGoods<TakenGoods> & Required<Pick<Transaction, 'payment'>> & Pick<Transaction, 'refunds'>,
  undone_by: string,
  cancelled_at: string,
): TableWrite {
  const { reference, payment, refunds } = charge;
  const goods: TakenGoods = { ...charge.goods, state: 'taken_back', undone_at: cancelled_at, undone_by };
  const gone = { payment: undefined, parts: undefined, gsi2pk: undefined, gsi2sk: undefined };
  const read = asRead({ ...goodsRead(charge), parts: undefined, payment, refunds });
  const set = { state: 'cancelled', cancelled_at, goods, ...gone };
  return transactionRows.change(charge, set, { ...read, refused: moved(reference) });
}

/** Notes that the time to undo a tap is over: the stream tells the merchant's server then. Refused with `MovedOn`, as `undoTake`. */
export function tellTake(outside: Clock, charge: WithGoods<TakenGoods>): TableWrite {
  return setGoods(charge, { ...charge.goods, told_at: nowIso(outside) });
}

/** Notes of a charge that waits, and for which nothing has arrived, that its payment made another one. Refused with `MovedOn` where that has changed. */
export function markPaidAs({ reference }: Pick<Transaction, 'reference'>, paid_as: string): TableWrite {
  const waits = asRead({ state: 'pending', parts: undefined, paid_as: undefined, disputed: undefined });
  return transactionRows.change({ reference }, { paid_as }, { ...waits, refused: moved(reference) });
}

/** It can be paid again: the other charge was undone. Refused with `MovedOn` where it is not that charge's any more. */
export function freePaidAs({ reference, paid_as }: Pick<Transaction, 'reference' | 'paid_as'>): TableWrite {
  return transactionRows.change(
    { reference },
    { paid_as: undefined },
    { ...asRead({ paid_as }), refused: moved(reference) },
  );
}

/** A charge that goods leave for, as it was read. */
export type WithGoods<Kind extends Goods = Goods> = Pick<Transaction, 'reference' | 'state' | 'disputed'> & {
  readonly goods: Kind;
};

/**
 * Sets what becomes of a charge's goods, and which of its payments that counts. Refused with `MovedOn` where that, the charge's state, its
 * dispute or what is counted is not as it was read.
 */
export function setGoods(charge: WithGoods & WithPayments, goods: Goods, counted?: Counted): TableWrite {
  const { state } = charge.goods;
  if (state !== goods.state && !goodsTransitions[goods.state]?.includes(state)) throw moved(charge.reference)();
  const { set, read } = countedIn(charge, counted);
  return transactionRows.change(
    charge,
    { goods, ...set },
    { ...asRead({ ...goodsRead(charge), ...read }), refused: moved(charge.reference) },
  );
}

function goodsRead({ state, goods, disputed }: WithGoods) {
  return { state, goods, ...(!disputed && { disputed }) };
}

type WithPayments = Pick<Transaction, 'reference' | 'payment' | 'parts'>;
/** A charge's payments, where some are counted now as not proven. */
type Counted = Pick<Transaction, 'payment' | 'parts'> | undefined;

/** Has a charge's payments say that they are counted, where they are as they were read: one that was proven or counted since is not. */
function countedIn({ payment, parts }: WithPayments, counted: Counted) {
  if (!counted) return { set: {}, read: {} };
  return {
    set: { ...(payment && { payment: counted.payment }), ...(parts && { parts: counted.parts }) },
    read: { payment, parts },
  };
}

/** Removes a reversed `payment` from a paid charge, which keeps the others as its parts. Refused with `MovedOn` if it is not paid. */
export function reverseTransaction(
  outside: Clock,
  charge: ChargeAsRead,
  { payment, parts, refunds }: Pick<Fields, 'parts' | 'refunds'> & { readonly payment: Payment },
): TableWrite {
  return moveTransaction(charge, 'reversed', {
    reversed_at: nowIso(outside),
    payment,
    parts,
    refunds,
    // Others are told of a tap before they are told that it was taken back.
    ...(takeOf(charge) && { goods: charge.goods }),
  });
}

/** Sets the parts of a charge that stays in its state, and the payment that completes them. Refused with `MovedOn` if it has moved on. */
export function setParts(charge: ChargeAsRead, parts: readonly Payment[], payment?: Payment): TableWrite {
  return changeTransaction(charge, { parts, ...listedKey(charge), ...(payment && { payment }) });
}

/** Removes a reversed payment from a charge that stays paid by the others. Refused with `MovedOn` if it has moved on. */
export function dropPayment(charge: ChargeAsRead, others: readonly Payment[], refunds: readonly Refund[] | undefined) {
  return changeTransaction(charge, { parts: others.slice(0, -1), payment: others.at(-1), refunds });
}

/** Sets the refunds of a charge that stays as it is otherwise. Refused with `MovedOn` if it has moved on. */
export function setRefunds(charge: ChargeAsRead, refunds: readonly Refund[]): TableWrite {
  return changeTransaction(charge, { refunds, parts: charge.parts });
}

/**
 * A charge that has been paid is no longer found by name, and is listed by state instead. One that has ended unpaid stays: a payment
 * that is claimed for another charge may have been meant for it.
 */
function moveTransaction(charge: ChargeAsRead, state: TransactionState, fields: Fields): TableWrite {
  const listed = isListed(state) && { gsi2pk: statusPartition(charge.merchant_id, state), gsi2sk: byTime(charge) };
  // A state that has no such transition is refused here; a charge that has left its state is refused by the table.
  if (!transactionTransitions[state]?.includes(charge.state)) throw moved(charge.reference)();
  return changeTransaction(charge, { state, ...listed, ...fields });
}

type Fields = Partial<
  Pick<
    Transaction,
    'state' | 'paid_at' | 'expires_at' | 'expired_at' | 'cancelled_at' | 'reversed_at' | 'payment' | 'amount_pesewas'
  >
> & {
  readonly parts: readonly Payment[] | undefined;
  /** Where one of these is given it is as it was read, even if there is none. */
  readonly refunds?: readonly Refund[] | undefined;
  readonly goods?: Goods | undefined;
  readonly gsi1pk?: string;
  readonly gsi1sk?: string;
  readonly gsi2pk?: string;
  readonly gsi2sk?: string;
};

/**
 * The charge must be as it was read: the decision, and the sum of its parts, hold only for that. This also catches a dispute that
 * was raised meanwhile.
 */
function changeTransaction(charge: ChargeAsRead, fields: Fields): TableWrite {
  const { reference, state, parts, payment, disputed, refunds, paid_as, goods } = charge;
  const read = asRead({
    state,
    parts: parts?.length ? parts : undefined,
    ...(!disputed && { disputed }),
    ...(fields.payment && payment && { payment }),
    ...(!paid_as && { paid_as }),
    ...('refunds' in fields && { refunds }),
    ...('goods' in fields && { goods }),
  });
  const set = { ...fields, parts: fields.parts?.length ? fields.parts : undefined };
  return transactionRows.change(charge, set, { ...read, refused: moved(reference) });
}

/**
 * Adds a note, whatever else becomes of the charge. Refused with PublicError `busy` where a colleague's note was first.
 * @throws PublicError `invalid_request` for one too many.
 */
export function addNote({ reference, notes = [] }: Pick<Transaction, 'reference' | 'notes'>, note: Note): TableWrite {
  if (notes.length >= MAX_NOTES)
    throw invalidRequest([{ field: 'note', message: `cannot be added: this charge has ${MAX_NOTES}, the maximum` }]);
  const isAsRead =
    notes.length > 0
      ? { when: 'notes = :read', values: { ':read': notes } }
      : { when: 'attribute_exists(pk) AND attribute_not_exists(notes)' };
  const refused = () => new PublicError('busy', 'Somebody else added a note at the same moment. Send yours again.');
  return transactionRows.change({ reference }, { notes: [...notes, note] }, { ...isAsRead, refused });
}

/** Notes that a person lets goods leave for a paid charge although nothing proves its payment. Refused with `MovedOn` where it is not paid, or in doubt. */
export function releaseGoods({ reference }: Pick<Transaction, 'reference'>, released_by: string): TableWrite {
  const isPaid = asRead({ state: 'success', disputed: undefined });
  return transactionRows.change({ reference }, { released_by }, { ...isPaid, refused: moved(reference) });
}

/** Marks a charge as disputed; the first dispute stays. */
export function disputeTransaction(outside: Clock, reference: string, why: Dispute['why'], text_hash?: string) {
  const disputed: Dispute = { at: nowIso(outside), why, ...(text_hash && { text_hash }) };
  return transactionRows.change({ reference }, {}, { once: { disputed }, when: 'attribute_exists(pk)' });
}

/** Who pays a charge more often than this has been told. Each is a read of the page. */
export const MAX_SECOND_RECEIPTS = 5;

/**
 * Notes that a payment which named the charge came when it was paid already, in place of another one where there is no room.
 * Refused with `MovedOn` where another was noted first, or it is paid no more: then this payment may be the one for it.
 */
export function noteSecondReceipt(
  {
    reference,
    state,
    paid_as,
    second_receipts = [],
  }: Pick<Transaction, 'reference' | 'state' | 'paid_as' | 'second_receipts'>,
  receiptId: string,
  insteadOf?: string,
): TableWrite[] {
  const kept = second_receipts.filter((id) => id !== insteadOf);
  if (kept.length >= MAX_SECOND_RECEIPTS) return [];
  const noted = second_receipts.length > 0 ? second_receipts : undefined;
  const read = asRead({ state, paid_as, second_receipts: noted });
  const set = { second_receipts: [...kept, receiptId] };
  return [transactionRows.change({ reference }, set, { ...read, refused: moved(reference) })];
}

/**
 * Notes the text that tells a charge's payer, and which of its payments that counts. Refused with `ReceiptTexted` where there was one or it is
 * no longer paid, and with `MovedOn` where its payments are not as they were read.
 */
export function noteReceiptText(charge: WithPayments, receipt_send_id: string, counted: Counted): TableWrite {
  const { set, read } = countedIn(charge, counted);
  return transactionRows.change(
    charge,
    { receipt_send_id, ...set },
    {
      ...asRead({ state: 'success', receipt_send_id: undefined, ...read }),
      refused: (current) =>
        current?.state !== 'success' || current.receipt_send_id !== undefined
          ? new ReceiptTexted()
          : moved(charge.reference)(),
    },
  );
}

/** Its payer was told before, or there is nothing to tell any more. */
export class ReceiptTexted extends Error {}

/** For how long a charge's page says that its payment is being checked. */
const CHECKING_MS = 2 * 60_000;

/**
 * Nobody pays a charge in so many texts that nothing proves: somebody tries out what the balance may be, and each text is one try. From
 * then on a person decides about the charge.
 */
export const MOST_UNPROVEN_TEXTS = 10;

/**
 * Counts a text that is held for want of a proof at the charge that it was to pay, which its page says: for as long as a check takes that
 * its payment is checked, and then, or at once where there is nothing to wait for, that it is not confirmed yet.
 */
export function noteUnproven(
  outside: Clock,
  { reference, unproven_texts = 0 }: Pick<Transaction, 'reference' | 'unproven_texts'>,
  shown: 'checking' | 'not confirmed' | undefined,
): TableWrite {
  const nowMs = outside.now();
  const isTriedOut = unproven_texts + 1 >= MOST_UNPROVEN_TEXTS;
  const now = isoOf(nowMs);
  const disputed: Dispute = { at: now, why: 'forged' };
  const set = shown === 'checking' ? { checking_until: isoOf(nowMs + CHECKING_MS) } : {};
  const once = { ...(shown === 'not confirmed' && { checking_until: now }), ...(isTriedOut && { disputed }) };
  return transactionRows.change({ reference }, set, { once, add: { unproven_texts: 1 }, when: 'attribute_exists(pk)' });
}

/** The charge has changed since it was read. A worker reads it again and decides again; a caller gets an error. */
export class MovedOn extends Changed {
  constructor(message: string) {
    super('charge_not_pending', message);
  }
}
