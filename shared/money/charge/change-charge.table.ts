/** Conditional writes to a charge's row. Each write fails if a field that its decision depends on has changed. */
import { type Clock, isoOf, nowIso } from '../../runtime/outside/outside.ts';
import { Changed } from '../../runtime/table/contention.ts';
import { asRead, type Item, type TableWrite } from '../../runtime/table/table.ts';
import { MINUTE_MS } from '../../runtime/values/calendar.ts';
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
  withReversalDoubt,
} from '../payment/payment.ts';
import {
  askedPesewas,
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
import { type Goods, givenOf, goodsTransitions, type TakenGoods } from './goods.ts';
import { chargeTransitions } from './states.ts';

/** Fields that can change while the state stays the same. */
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
  | 'waiting_receipts'
  | 'verified_waiting_pesewas'
  | 'receipt_send_id';

const FOR_MONEY = ['state', 'parts', 'payment', 'disputed', 'paid_as'] as const;
const FOR_GOODS = ['state', 'parts', 'payment', 'disputed', 'goods', 'refunds', 'released_by'] as const;

/**
 * The mutable fields that each kind of decision reads. `ReadFor` and the write conditions are derived from this table.
 */
const decidedBy = {
  money: FOR_MONEY,
  /** A payment covers the charge. Parts that are not needed, and payments that waited, become second payments. */
  paid: [...FOR_MONEY, 'second_receipts', 'waiting_receipts'],
  /** A part completes a charge for which a person had accepted less. */
  completed: [...FOR_MONEY, 'refunds', 'second_receipts', 'waiting_receipts'],
  /** A part replaces an earlier part. A person decides if refunds were recorded. */
  replaced: [...FOR_MONEY, 'refunds'],
  reversal: [...FOR_MONEY, 'goods', 'refunds', 'second_receipts'],
  /** A person undoes a mark as paid, or does not find a payment in the wallet. */
  unmark: [...FOR_MONEY, 'goods', 'refunds', 'released_by', 'waiting_receipts'],
  refund: FOR_GOODS,
  goods: FOR_GOODS,
  receiptText: [...FOR_GOODS, 'receipt_send_id'],
  second: ['state', 'disputed', 'paid_as', 'second_receipts', 'verified_waiting_pesewas'],
  waiting: ['state', 'waiting_receipts', 'verified_waiting_pesewas'],
  /** A verified payment replaces an unverified payment, which becomes a second payment. */
  place: [...FOR_MONEY, 'refunds', 'released_by', 'second_receipts'],
  freed: ['paid_as'],
  doubted: ['state', 'disputed'],
  note: ['notes'],
} as const satisfies Readonly<Record<string, readonly Changing[]>>;
type Decision = keyof typeof decidedBy;

/** Fields that must be unchanged when a decision is written, plus the `Fixed` fields. */
export type ReadFor<Kind extends Decision, Fixed extends Exclude<keyof Charge, Changing> = 'reference'> = Pick<
  Charge,
  'reference' | (typeof decidedBy)[Kind][number] | Fixed
>;

export type ForMoney = ReadFor<'money', 'merchant_id' | 'created_at' | 'origin'>;

const moved = (reference: string) => () =>
  new MovedOn(`The charge ${reference} has changed: one of its payments has arrived or been reversed. Check it again.`);

/**
 * Pays a pending or ended charge. Like every write below, fails with `MovedOn` if a field that it depends on has
 * changed.
 */
export function payCharge(
  charge: ReadFor<'paid', 'merchant_id' | 'created_at' | 'origin'>,
  { paid_at, payment, parts, disputed }: PaidBy,
  second_receipts = charge.second_receipts,
): TableWrite {
  const paid = { paid_at, payment, parts, disputed, second_receipts };
  return moveCharge('paid', charge, 'success', { ...paid, ...listedKey(charge) });
}

interface PaidBy extends Pick<PaidCharge, 'paid_at' | 'payment' | 'parts'> {
  /** Dispute that remains after the payment. */
  readonly disputed: Dispute | undefined;
}

/**
 * Closes a pending charge as paid although only some of its parts have arrived. The total of these parts becomes the
 * charge's amount.
 */
export function closeAtParts(charge: ForMoney & Pick<Charge, 'amount_pesewas'>, paid_at: string): TableWrite {
  const { parts = [], amount_pesewas: asked_pesewas } = charge;
  const amount_pesewas = totalPesewas(parts);
  const paid = { paid_at, ...paidBy(parts), amount_pesewas, asked_pesewas };
  return moveCharge('money', charge, 'success', { ...paid, ...listedKey(charge) });
}

export function expireCharge(
  outside: Clock,
  charge: ForMoney,
  parts: readonly Payment[],
  expires_at?: string,
): TableWrite {
  const expired_at = nowIso(outside);
  return moveCharge('money', charge, 'expired', { expired_at, ...(expires_at && { expires_at }), parts });
}

export function cancelCharge(charge: ForMoney, parts: readonly Payment[], cancelled_at: string): TableWrite {
  return moveCharge('money', charge, 'cancelled', { cancelled_at, parts });
}

export function undoTake(
  charge: ReadFor<'goods'> & { readonly goods: TakenGoods },
  undone_by: string,
  cancelled_at: string,
): TableWrite {
  const goods: TakenGoods = { ...charge.goods, state: 'taken_back', undone_at: cancelled_at, undone_by };
  const gone = { payment: undefined, parts: undefined, gsi2pk: undefined, gsi2sk: undefined };
  return change('goods', charge, { state: 'cancelled', cancelled_at, goods, ...gone });
}

/**
 * Removes a marked or unverified payment from a charge. The charge stays paid if the remaining `payments` cover it.
 * Otherwise, the charge returns to pending or cancelled, its state before the payment, and goods awaiting release
 * or stock become unpaid again.
 */
export function undoMark(
  charge: ReadFor<'unmark', keyof Found | 'amount_pesewas' | 'asked_pesewas' | 'cancelled_at'>,
  payments: readonly Payment[],
  {
    isPaid,
    amount_pesewas: left,
    ...more
  }: Pick<Fields, 'disputed' | 'amount_pesewas' | 'waiting_receipts' | 'checking_until'> & { readonly isPaid: boolean },
  unmarked_at: string,
): TableWrite {
  if (isPaid) return change('unmark', charge, { ...paidBy(payments), amount_pesewas: left, ...more, unmarked_at });
  const goods = givenOf(charge);
  const mayEnd = goods !== undefined && goodsTransitions.unpaid?.includes(goods.state);
  const unpaid = mayEnd && { goods: { ...goods, state: 'unpaid', at: undefined } as const };
  const released_by = undefined;
  const set: Fields = { payment: undefined, parts: payments, released_by, ...more, ...unpaid, unmarked_at };
  if (charge.state === 'pending') return change('unmark', charge, set);
  const amount_pesewas = askedPesewas(charge);
  const found = { gsi2pk: undefined, gsi2sk: undefined, ...openKey(charge, amount_pesewas) };
  const before = charge.cancelled_at === undefined ? 'pending' : 'cancelled';
  const asked = { amount_pesewas, asked_pesewas: undefined };
  return moveCharge('unmark', charge, before, { ...set, ...asked, paid_at: undefined, ...found });
}

export function tellTake(outside: Clock, charge: ReadFor<'goods'> & { readonly goods: TakenGoods }): TableWrite {
  return setGoods(charge, { ...charge.goods, told_at: nowIso(outside) });
}

export function markPaidAs(charge: ReadFor<'money'>, paid_as: string): TableWrite {
  const { state, parts = [], disputed, paid_as: known } = charge;
  if (state !== 'pending' || parts.length > 0 || disputed || known) throw moved(charge.reference)();
  return change('money', charge, { paid_as });
}

/** Reopens a charge after the payment for the charge that replaced it was undone. */
export function freePaidAs(charge: ReadFor<'freed'>): TableWrite {
  return change('freed', charge, { paid_as: undefined });
}

export function setGoods(
  charge: ReadFor<'goods'> & { readonly goods: Goods },
  goods: Goods,
  counted: Counted = {},
): TableWrite {
  const { state } = charge.goods;
  if (state !== goods.state && !goodsTransitions[goods.state]?.includes(state)) throw moved(charge.reference)();
  return change('goods', charge, { goods, ...counted });
}

export function releaseGoods(charge: ReadFor<'goods'>, released_by: string): TableWrite {
  return change('goods', charge, { released_by });
}

type Counted = Pick<Charge, 'payment' | 'parts'>;

export function reverseCharge(
  outside: Clock,
  charge: ReadFor<'reversal', 'merchant_id' | 'created_at' | 'origin'>,
  set: Pick<Fields, 'parts' | 'refunds' | 'disputed'> & { readonly payment: Payment },
): TableWrite {
  return moveCharge('reversal', charge, 'reversed', { reversed_at: nowIso(outside), ...set });
}

/**
 * Sets a charge's parts and the payment that completes them. Revokes the release of the goods after a new payment, or
 * after the late text of a marked payment, because the person who released the goods had not seen this money.
 */
export function setParts(
  charge: ForMoney & ReadFor<'replaced'>,
  parts: readonly Payment[],
  {
    payment,
    amountPesewas,
    isDoubtOver,
    disputed,
    isReplaced,
    second_receipts,
  }: {
    readonly payment?: Payment | undefined;
    readonly amountPesewas?: number | undefined;
    readonly isDoubtOver?: boolean;
    readonly disputed?: Dispute | undefined;
    readonly isReplaced?: boolean;
    readonly second_receipts?: string[] | undefined;
  } = {},
): TableWrite {
  const isMore = parts.length > (charge.parts ?? []).length;
  const isRead = countMarked({ parts, payment }) < countMarked(charge);
  const isOther = (isMore || isRead) && { released_by: undefined };
  const amount = amountPesewas !== undefined && { amount_pesewas: amountPesewas };
  const doubt = isDoubtOver ? { disputed: undefined } : disputed && { disputed };
  const second = second_receipts && { second_receipts };
  const set = { parts, ...listedKey(charge), ...(payment && { payment }), ...amount, ...isOther, ...doubt, ...second };
  return change(second_receipts ? 'completed' : isReplaced ? 'replaced' : 'money', charge, set);
}

function countMarked(charge: Parameters<typeof paymentsOf>[0]): number {
  return paymentsOf(charge).filter(({ marked }) => marked).length;
}

export function replacePayment(
  charge: ReadFor<'place'>,
  counts: Pick<Fields, 'payment' | 'parts'>,
  second_receipts: string[],
): TableWrite {
  return change('place', charge, { ...counts, second_receipts });
}

/**
 * Removes a reversed payment from a charge whose remaining `payments` still cover the amount. `second`: the second
 * payment that replaces the reversed one.
 */
export function dropPayment(
  charge: ReadFor<'reversal'>,
  payments: readonly Payment[],
  { second, ...left }: Pick<Fields, 'refunds' | 'disputed' | 'amount_pesewas'> & { readonly second?: string },
): TableWrite {
  const second_receipts = charge.second_receipts?.filter((id) => id !== second);
  return change('reversal', charge, { ...paidBy(payments), ...left, second_receipts });
}

/** Splits payments into the last one, which completes the amount, and the parts before it. */
function paidBy(payments: readonly Payment[]): Pick<Fields, 'parts' | 'payment'> {
  return { parts: payments.slice(0, -1), payment: payments.at(-1) };
}

export function setRefunds(charge: ReadFor<'refund'>, refunds: readonly Refund[]): TableWrite {
  return change('refund', charge, { refunds });
}

/**
 * Changes a charge's state and its index keys. Name matching ignores paid charges, but finds expired and cancelled
 * charges for claims.
 */
function moveCharge(kind: Decision, charge: ForMoney, state: ChargeState, fields: Fields): TableWrite {
  const listed = isListed(state) && { gsi2pk: statusPartition(charge.merchant_id, state), gsi2sk: byTime(charge) };
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
  | 'amount_pesewas'
  | 'asked_pesewas';
type Fields = Partial<Readonly<Pick<Charge, Exclude<Changing, 'parts' | 'refunds'> | OfState>>> & {
  readonly parts?: readonly Payment[] | undefined;
  readonly refunds?: readonly Refund[] | undefined;
  readonly gsi1pk?: string;
  readonly gsi1sk?: string;
  readonly gsi2pk?: string | undefined;
  readonly gsi2sk?: string | undefined;
};

function change(
  kind: Decision,
  charge: Pick<Charge, 'reference'> & Partial<Pick<Charge, Changing>>,
  set: Fields,
  {
    refused = moved(charge.reference),
    once = {},
  }: { readonly refused?: TableWrite['refused']; readonly once?: Fields } = {},
): TableWrite {
  const read = decidedBy[kind].map((field) => [field, orNone(charge[field])]);
  const { when, values } = asRead(Object.fromEntries(read));
  const isDoubtOver = 'disputed' in set && set.disputed === undefined && charge.disputed !== undefined;
  const ended = isDoubtOver && { earlier_dispute_at: charge.disputed?.at };
  const stored = Object.entries({ ...set, ...ended }).map(([field, value]) => [field, orNone(value)]);
  return chargeRows.change(charge, Object.fromEntries(stored), {
    values,
    once,
    // Do not recreate a deleted charge.
    when: `attribute_exists(pk) AND ${when}`,
    refused,
  });
}

function orNone(value: unknown): unknown {
  return Array.isArray(value) && value.length === 0 ? undefined : value;
}

/**
 * Adds a note. Fails with PublicError `busy` if another note was added first.
 * @throws PublicError `invalid_request` if the charge already has the maximum number of notes.
 */
export function addNote(charge: ReadFor<'note'>, note: Note): TableWrite {
  const { notes = [] } = charge;
  if (notes.length >= MAX_NOTES)
    throw invalidRequest([
      { field: 'note', message: `cannot be added: this charge already has the maximum of ${MAX_NOTES} notes` },
    ]);
  const refused = () => new PublicError('busy', 'Somebody else has just added a note. Send yours again.');
  return change('note', charge, { notes: [...notes, note] }, { refused });
}

/**
 * Marks a charge as disputed, unless it already is. `isContested`: two texts contradict each other, and either may be
 * false. Write this together with a check that the payment's receipt is unchanged.
 */
export function disputeCharge(
  outside: Clock,
  reference: string,
  reason: Dispute['why'],
  isContested = false,
): TableWrite {
  const disputed: Dispute = { at: nowIso(outside), why: reason, ...(isContested && { is_contested: true }) };
  return chargeRows.change({ reference }, {}, { once: { disputed }, when: 'attribute_exists(pk)' });
}

/**
 * Disputes a charge because one of its payments is false or contested. Replaces an earlier dispute, but keeps its doubt
 * about a reversal.
 */
export function disputeForged(outside: Clock, charge: ReadFor<'doubted'>, isContested: boolean): TableWrite {
  const { disputed: before } = charge;
  const reversal_at = before?.why === 'reversal' ? before.at : before?.reversal_at;
  const also = { ...(isContested && { is_contested: true }), ...(reversal_at && { reversal_at }) };
  return change('doubted', charge, { disputed: { at: nowIso(outside), why: 'forged', ...also } });
}

/** Ends a dispute. Write this together with checks that the receipts of the charge's payments are unchanged. */
export function endDispute(charge: ReadFor<'money'>): TableWrite {
  return change('money', charge, { disputed: undefined });
}

/**
 * Disputes a charge because a payment's reversal is in doubt. An earlier dispute stays, and notes the time (ISO) of this
 * doubt.
 */
export function disputeReversal(charge: ReadFor<'doubted'>, at: string): TableWrite {
  return change('doubted', charge, { disputed: withReversalDoubt(charge.disputed, at) });
}

export const MAX_SECOND_RECEIPTS = 5;

/**
 * Records payments that arrived after the charge was paid or expired. Fails with `MovedOn` if other payments were
 * recorded first, or if the charge is no longer paid.
 */
export function noteSecondReceipts(
  outside: Clock,
  charge: ReadFor<'second'>,
  noted: Pick<Charge, 'second_receipts' | 'verified_waiting_pesewas'>,
  shown: 'not confirmed' | 'quiet',
): TableWrite {
  return change('second', charge, noted, { once: shown === 'quiet' ? {} : notConfirmed(outside) });
}

/**
 * Records the text sent to a charge's payer. `counted`: the payments to store, if the text adds them to the unverified
 * totals. Fails with `ReceiptTexted` if a text was already recorded or the charge is no longer paid. Fails with
 * `MovedOn` after any other change.
 */
export function noteReceiptText(
  charge: ReadFor<'receiptText'>,
  receipt_send_id: string,
  counted: Counted = {},
): TableWrite {
  if (charge.receipt_send_id !== undefined) throw new ReceiptTexted();
  const refused = (current?: Item) =>
    current?.state !== 'success' || current.receipt_send_id !== undefined
      ? new ReceiptTexted()
      : moved(charge.reference)();
  return change('receiptText', charge, { receipt_send_id, ...counted }, { refused });
}

export class ReceiptTexted extends Error {}

const CHECKING_MS = 2 * MINUTE_MS;

/**
 * Records the payments that are held for a charge. Unless it is `quiet`, also shows on the charge's page that its
 * payment is being checked. A forged text has no other effect on an unpaid charge.
 */
export function noteWaitingReceipts(
  outside: Clock,
  charge: ReadFor<'waiting'>,
  noted: Pick<Charge, 'waiting_receipts' | 'verified_waiting_pesewas'>,
  shown: 'checking' | 'not confirmed' | 'quiet',
): TableWrite {
  const nowMs = outside.now();
  const set = { ...noted, ...(shown === 'checking' && { checking_until: isoOf(nowMs + CHECKING_MS) }) };
  return change('waiting', charge, set, { once: shown === 'not confirmed' ? notConfirmed(outside) : {} });
}

/** Shows on the charge's page that the merchant must decide about a payment. */
function notConfirmed(outside: Clock): Pick<Charge, 'checking_until'> {
  return { checking_until: isoOf(outside.now()) };
}

/**
 * Thrown if the charge changed after it was read. Workers read the charge again and retry; API callers get an error.
 */
export class MovedOn extends Changed {
  constructor(message: string) {
    super('charge_not_pending', message);
  }
}
