/**
 * Writes that change a charge's row. For each kind of decision, a table lists the fields that the decision reads. The
 * write fails if any of these fields has changed since.
 */
import { type Clock, isoOf, nowIso } from '../../runtime/outside/outside.ts';
import { Changed } from '../../runtime/table/contention.ts';
import { asRead, type TableWrite } from '../../runtime/table/table.ts';
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

/** Fields that can change without a change of state. All other fields never change, or change only with the state. */
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

/**
 * The changing fields that each kind of decision reads. Both `ReadFor` and the condition of each write are derived from
 * this table.
 */
const decidedBy = {
  money: FOR_MONEY,
  /** A payment pays the charge, and parts that are no longer needed become second payments. */
  paid: [...FOR_MONEY, 'second_receipts'],
  reversal: [...FOR_MONEY, 'goods', 'refunds', 'second_receipts'],
  unmark: [...FOR_MONEY, 'goods', 'refunds', 'released_by'],
  refund: FOR_GOODS,
  goods: FOR_GOODS,
  receiptText: [...FOR_GOODS, 'receipt_send_id'],
  second: ['state', 'paid_as', 'second_receipts'],
  /** A verified payment replaces an unverified one, which becomes a second payment. */
  place: [...FOR_MONEY, 'refunds', 'released_by', 'second_receipts'],
  freed: ['paid_as'],
  doubted: ['state', 'disputed'],
  note: ['notes'],
} as const satisfies Readonly<Record<string, readonly Changing[]>>;
type Decision = keyof typeof decidedBy;

/** The fields that must not have changed when a decision is written, plus the `Fixed` fields. */
export type ReadFor<Kind extends Decision, Fixed extends Exclude<keyof Charge, Changing> = 'reference'> = Pick<
  Charge,
  'reference' | (typeof decidedBy)[Kind][number] | Fixed
>;

export type ForMoney = ReadFor<'money', 'merchant_id' | 'created_at' | 'origin'>;

const moved = (reference: string) => () =>
  new MovedOn(`The charge ${reference} has changed: one of its payments has arrived or been reversed. Check it again.`);

/**
 * Pays a pending or ended charge with `payment` and the parts to keep. Like every write below, it fails with `MovedOn`
 * if a field on which the decision was based has changed.
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
  /** The doubt that remains about the charge's payments. */
  readonly disputed: Dispute | undefined;
}

/** Closes a pending charge with the parts that have arrived. The sum of the parts becomes the charge's amount. */
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
 * Undoes a mark as paid. Unless the charge stays paid by the remaining `payments`, it becomes pending or cancelled
 * again, as it was before the mark, and goods that waited for a person are unpaid again.
 */
export function undoMark(
  charge: ReadFor<'unmark', keyof Found | 'amount_pesewas' | 'asked_pesewas' | 'cancelled_at'>,
  payments: readonly Payment[],
  { isPaid, amount_pesewas: left, ...more }: Pick<Fields, 'disputed' | 'amount_pesewas'> & { readonly isPaid: boolean },
  unmarked_at: string,
): TableWrite {
  if (isPaid) return change('unmark', charge, { ...paidBy(payments), amount_pesewas: left, ...more, unmarked_at });
  const goods = givenOf(charge);
  const unpaid = goods?.state === 'to_release' && { goods: { ...goods, state: 'unpaid', at: undefined } as const };
  const set: Fields = { payment: undefined, parts: payments, ...more, ...unpaid, unmarked_at };
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

/** Reopens a charge after the payment for its replacement was undone. */
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
 * Sets a charge's parts and the payment that completes them. If a payment is added, or the text of a marked payment
 * arrives, the release of the goods is revoked: the person who released them had not seen this money.
 */
export function setParts(
  charge: ForMoney,
  parts: readonly Payment[],
  {
    payment,
    amountPesewas,
    isDoubtOver,
  }: {
    readonly payment?: Payment | undefined;
    readonly amountPesewas?: number | undefined;
    readonly isDoubtOver?: boolean;
  } = {},
): TableWrite {
  const isMore = parts.length > (charge.parts ?? []).length;
  const isRead = countMarked({ parts, payment }) < countMarked(charge);
  const isOther = (isMore || isRead) && { released_by: undefined };
  const amount = amountPesewas !== undefined && { amount_pesewas: amountPesewas };
  const over = isDoubtOver && { disputed: undefined };
  const set = { parts, ...listedKey(charge), ...(payment && { payment }), ...amount, ...isOther, ...over };
  return change('money', charge, set);
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
 * Removes a reversed payment from a charge that stays paid by the remaining `payments`. `second`: the second payment
 * among them that replaces the reversed one.
 */
export function dropPayment(
  charge: ReadFor<'reversal'>,
  payments: readonly Payment[],
  { second, ...left }: Pick<Fields, 'refunds' | 'disputed' | 'amount_pesewas'> & { readonly second?: string },
): TableWrite {
  const second_receipts = charge.second_receipts?.filter((id) => id !== second);
  return change('reversal', charge, { ...paidBy(payments), ...left, second_receipts });
}

/** Returns the fields of a charge that these payments pay. The last of them completes its amount. */
function paidBy(payments: readonly Payment[]): Pick<Fields, 'parts' | 'payment'> {
  return { parts: payments.slice(0, -1), payment: payments.at(-1) };
}

export function setRefunds(charge: ReadFor<'refund'>, refunds: readonly Refund[]): TableWrite {
  return change('refund', charge, { refunds });
}

/**
 * Moves a charge to another state and to the lists for that state. A paid charge can no longer be found by name. An
 * expired or cancelled charge still can, because a claimed payment may have been meant for it.
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
  refused: TableWrite['refused'] = moved(charge.reference),
): TableWrite {
  const read = decidedBy[kind]
    // Leave out goods of an unknown kind. They are parsed as `other`, so they would not match the stored goods.
    .filter((field) => !(field === 'goods' && charge.goods?.kind === 'other'))
    .map((field) => [field, orNone(charge[field])]);
  const { when, values } = asRead(Object.fromEntries(read));
  const stored = Object.entries(set).map(([field, value]) => [field, orNone(value)]);
  return chargeRows.change(charge, Object.fromEntries(stored), {
    values,
    // Do not recreate a deleted charge.
    when: `attribute_exists(pk) AND ${when}`,
    refused,
  });
}

function orNone(value: unknown): unknown {
  return Array.isArray(value) && value.length === 0 ? undefined : value;
}

/**
 * Adds a note. The write fails with PublicError `busy` if somebody else added a note in the meantime.
 * @throws PublicError `invalid_request` above the maximum number of notes.
 */
export function addNote(charge: ReadFor<'note'>, note: Note): TableWrite {
  const { notes = [] } = charge;
  if (notes.length >= MAX_NOTES)
    throw invalidRequest([
      { field: 'note', message: `cannot be added: this charge already has ${MAX_NOTES} notes, the maximum` },
    ]);
  const refused = () => new PublicError('busy', 'Somebody else has just added a note. Send yours again.');
  return change('note', charge, { notes: [...notes, note] }, refused);
}

/**
 * Marks a charge as disputed. An existing dispute is kept, unless the new one is `forged`. The goods of a forged
 * payment are taken back, and a forger could otherwise prevent that with an earlier dispute. `isContested`: two texts
 * contradict each other, and either may be false. Write this together with a check that the payment's receipt is
 * unchanged, because the receipt may no longer pay this charge.
 */
export function disputeCharge(
  outside: Clock,
  reference: string,
  reason: Dispute['why'],
  isContested = false,
): TableWrite {
  const disputed: Dispute = { at: nowIso(outside), why: reason, ...(isContested && { is_contested: true }) };
  const [set, once] = reason === 'forged' ? [{ disputed }, {}] : [{}, { disputed }];
  return chargeRows.change({ reference }, set, { once, when: 'attribute_exists(pk)' });
}

/** Marks a reversed charge as disputed because its payment may not have been reversed. Keeps an existing dispute. */
export function disputeReversed(outside: Clock, charge: ReadFor<'doubted'>): TableWrite {
  return change('doubted', charge, { disputed: charge.disputed ?? { at: nowIso(outside), why: 'reversal' } });
}

export const MAX_SECOND_RECEIPTS = 5;

/**
 * Records payments that arrived after the charge was paid or had expired. The write fails with `MovedOn` if other
 * payments were recorded first. It also fails if the charge is no longer paid, because the payment may then pay it.
 */
export function noteSecondReceipts(charge: ReadFor<'second'>, second_receipts: string[]): TableWrite {
  return change('second', charge, { second_receipts });
}

/**
 * Records the text that was sent to a charge's payer. `counted`: the payments, if sending the text counts them as
 * unverified money. The write fails with `ReceiptTexted` if a text was already recorded or the charge is no longer
 * paid, and with `MovedOn` after any other change.
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

export class ReceiptTexted extends Error {}

const CHECKING_MS = 2 * MINUTE_MS;

/**
 * Shows on a charge's page that its payment is being checked or is not confirmed yet. A forged text cannot affect an
 * unpaid charge in any other way.
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

/**
 * Thrown if the charge changed after it was read. A worker then reads the charge and decides again. An API caller gets
 * an error.
 */
export class MovedOn extends Changed {
  constructor(message: string) {
    super('charge_not_pending', message);
  }
}
