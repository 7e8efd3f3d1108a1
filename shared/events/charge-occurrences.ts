import type { Charge } from '../money/charge/charge.table.ts';
import { isSettled } from '../money/charge/charge.ts';
import { codeOf, givenOf, takeOf } from '../money/charge/goods.ts';
import { isPaidUnproven, isUnproven, unverifiedPayments, unverifiedPesewas } from '../money/payment/backing.ts';
import {
  isReversalDoubted,
  isSamePayment,
  overpaidPesewas,
  type Payment,
  paymentsOf,
  sentRefunds,
} from '../money/payment/payment.ts';
import { dayOf } from '../runtime/values/calendar.ts';
import type { ChargeOccurrence, EarlierChange, Occurrence } from './occurrence.ts';

export function ofCharge(was: Charge | undefined, charge: Charge): readonly Occurrence[] {
  const became = (state: Charge['state']) => charge.state === state && was?.state !== state;
  const take = takeOf(charge);
  const isToldNow = take?.told_at !== undefined && was !== undefined && takeOf(was)?.told_at === undefined;
  const isPaid = charge.state === 'success';
  const isUnmarked = charge.unmarked_at !== was?.unmarked_at;
  const happened: [ChargeOccurrence, boolean][] = [
    ['charge.created', !was],
    ['charge.taken', !was && take !== undefined],
    ['charge.paid', became('success')],
    ['charge.disputed', isDisputedNow(was, charge)],
    ['charge.success', was !== undefined && isPaid && (became('success') || isToldNow)],
    ['charge.expired', became('expired')],
    ['charge.cancelled', became('cancelled') && !isUnmarked],
    ['charge.reversed', became('reversed')],
    ['charge.unmarked', isUnmarked],
    ['charge.reopened', isUnmarked && was?.state === 'success' && !isPaid],
    ['charge.proven', was?.state === 'success' && isPaid && isPaidUnproven(was) && !isPaidUnproven(charge)],
    ['charge.unsettled', was !== undefined && isSettled(was) && !isSettled(charge)],
    ['charge.undisputed', was?.disputed !== undefined && charge.disputed === undefined],
    ['charge.payments_changed', was !== undefined && paidFacts(was) !== paidFacts(charge)],
    ['charge.goods_changed', was !== undefined && givenFacts(was) !== givenFacts(charge)],
    ['charge.code_waiting', was !== undefined && beginsToWait(was, charge)],
  ];
  return [
    ...happened.flatMap(([what, isSo]) => (isSo ? [{ what, charge }] : [])),
    ...ofPayments(was, charge),
    ...ofRefunds(was, charge),
  ];
}

/** True if a dispute began, or if a reversal came into doubt since. */
function isDisputedNow(was: Charge | undefined, charge: Charge): boolean {
  const isBegun = charge.disputed !== undefined && was?.disputed === undefined;
  return isBegun || (isReversalDoubted(charge) && !isReversalDoubted(was ?? {}));
}

/**
 * Serialises the payment details that affect a charge's payment request or goods. The state of an unpaid charge does not
 * affect them.
 */
function facts({ state, payment, parts, disputed, released_by }: Charge): string {
  const isPaid = payment !== undefined || parts !== undefined;
  return JSON.stringify([isPaid && state, payment, parts, disputed, released_by]);
}

/** Serialises the details that a charge's payment request also stores. */
function paidFacts(charge: Charge): string {
  const { origin, refunds, second_receipts, waiting_receipts, verified_waiting_pesewas } = charge;
  const waiting = [second_receipts, waiting_receipts, verified_waiting_pesewas];
  const ofRequest = origin.kind === 'request' ? [refunds, ...waiting] : [];
  return JSON.stringify([facts(charge), ...ofRequest]);
}

function givenFacts(charge: Charge): string {
  const goods = givenOf(charge);
  return JSON.stringify([facts(charge), goods, goods && charge.refunds]);
}

function beginsToWait(was: Charge, charge: Charge): boolean {
  const state = codeOf(charge)?.state;
  return (state === 'waiting' || state === 'to_release') && was.goods?.state !== state;
}

function ofPayments(was: Charge | undefined, charge: Charge): readonly Occurrence[] {
  const [had, has] = [countedOf(was), countedOf(charge)];
  const came = [...has.values()].filter((one) => !counts(one, had));
  const gone = [...had.values()].filter((one) => !counts(one, has));
  const isProven = [...has.values()].some((one) => isProvenNow(one, had.get(one.receipt_id)));
  // A second payment can replace a reversed payment.
  const { second_receipts: seconds = [] } = was?.state === 'success' ? was : {};
  const isSecond = ({ receipt_id }: Payment) => seconds.includes(receipt_id);
  const isReplaced = ({ receipt_id }: Payment) => charge.second_receipts?.includes(receipt_id) || !came.every(isSecond);
  // A person undid the payment.
  const isUndone = was !== undefined && was.unmarked_at !== charge.unmarked_at;
  const isOther = (payment: Payment) => isUndone || isProven || (came.length > 0 && isReplaced(payment));
  const unverified = {
    by: unverifiedPesewas(charge),
    before: was ? unverifiedPesewas(was) : 0,
    earlier: was ? unverifiedOfEarlier(was, charge) : [],
  };
  const isChanged = unverified.by !== unverified.before || unverified.earlier.length > 0;
  const over = { by: overpaid(charge), before: overpaid(was) };
  const part = charge.state === 'pending' ? charge.parts?.at(-1) : undefined;
  return [
    ...came.map((payment) => ({ what: 'payment.counted' as const, charge, payment })),
    ...gone.map(
      (payment) =>
        ({
          what: isReversed(charge, payment, isOther(payment)) ? 'payment.reversed' : 'payment.released',
          charge,
          payment,
        }) as const,
    ),
    ...(over.by === over.before ? [] : [{ what: 'charge.overpaid' as const, charge, ...over }]),
    ...(isChanged ? [{ what: 'charge.unverified' as const, charge, ...unverified }] : []),
    ...(part && came.includes(part) ? [{ what: 'charge.partly_paid' as const, charge, part }] : []),
  ];
}

/** Returns the changes in the unverified amounts of the payments that counted before. */
function unverifiedOfEarlier(was: Charge, charge: Charge): EarlierChange[] {
  const [had, has] = [was, charge].map((one) => unverifiedPayments(one).map(({ receipt_id }) => receipt_id));
  const counted = countedOf(charge);
  const changes = [...countedOf(was).values()].map((payment) => {
    const { receipt_id, amount_pesewas, counted_at } = payment;
    const pesewas = (has?.includes(receipt_id) ? amount_pesewas : 0) - (had?.includes(receipt_id) ? amount_pesewas : 0);
    const day = dayOf(Date.parse(counted_at));
    return { day, pesewas, isGone: !counts(payment, counted) };
  });
  return changes.filter(({ pesewas }) => pesewas !== 0);
}

/** Returns the payments that count towards a pending or paid charge, keyed by receipt id. */
function countedOf(charge: Charge | undefined): ReadonlyMap<string, Payment> {
  const counts = charge?.state === 'pending' || charge?.state === 'success';
  return new Map((charge && counts ? paymentsOf(charge) : []).map((payment) => [payment.receipt_id, payment]));
}

/** True if a payment is among these, or if another text about it has taken its text's place. */
function counts(payment: Payment, counted: ReadonlyMap<string, Payment>): boolean {
  const { receipt_id, amount_pesewas, payer_name } = payment;
  const isSameMoney = (one: Payment) => one.amount_pesewas === amount_pesewas && one.payer_name === payer_name;
  return (
    counted.has(receipt_id) || [...counted.values()].some((one) => isSamePayment(one, payment) && isSameMoney(one))
  );
}

function isProvenNow(payment: Payment, was: Payment | undefined): boolean {
  return was !== undefined && isUnproven(was) && !isUnproven(payment);
}

/**
 * Returns true if a payment stopped counting because the network reversed it. `isOther`: a different payment replaced
 * it, a payment was verified in the same change, or a person undid it.
 */
function isReversed({ state, payment }: Charge, { receipt_id, marked }: Payment, isOther: boolean): boolean {
  if (state === 'reversed') return payment?.receipt_id === receipt_id;
  return (state === 'pending' || state === 'success') && !marked && !isOther;
}

function overpaid(charge: Charge | undefined): number {
  return charge?.state === 'success' ? overpaidPesewas(charge) : 0;
}

function ofRefunds(was: Charge | undefined, charge: Charge): readonly Occurrence[] {
  const had = new Set(sentRefunds(was ?? {}).map(({ refund_id }) => refund_id));
  const sent = sentRefunds(charge).filter(({ refund_id }) => !had.has(refund_id));
  return sent.map((refund) => ({ what: 'charge.refunded', charge, refund }));
}
