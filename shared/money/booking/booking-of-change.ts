import type { Change } from '../../runtime/triggers/stream.ts';
import { parseMessage } from '../../texts/sms/message.table.ts';
import { parseSend } from '../../texts/sms/send.table.ts';
import { overpaidPesewas, type Payment, paymentsOf, sentRefunds } from '../transaction/payment.ts';
import type { TransactionState } from '../transaction/states.ts';
import { parseTransaction, type Transaction } from '../transaction/transaction.table.ts';
import type { Booking } from './booking.table.ts';
import { type SomeTotals, withoutZeros } from './totals.ts';

/**
 * What a change in the table means to a merchant's money and texts; undefined if nothing. It follows from the change alone, so that one
 * that arrives twice gives the same booking. That a charge was created is not booked: the list of charges says when.
 */
export function bookingOfChange({ event, sk, before, after, at, sequence }: Change): Booking | undefined {
  if (!after) return undefined;
  const booked = (merchant_id: string | undefined, what: SomeTotals, disputed: readonly string[] = []) => {
    const totals = withoutZeros(what);
    const isNothing = Object.keys(totals).length === 0 && disputed.length === 0;
    return merchant_id && !isNothing ? { merchant_id, at, sequence, totals, disputed } : undefined;
  };
  if (sk === 'TRANSACTION') {
    const charge = parseTransaction(after);
    const disputed = charge.disputed && !before?.disputed ? [charge.reference] : [];
    return booked(charge.merchant_id, ofCharge(charge, before && parseTransaction(before)), disputed);
  }
  if (sk === 'SEND' && event === 'INSERT') {
    const { merchant_id, to } = parseSend(after);
    return booked(merchant_id, { texts_accepted: to.length });
  }
  // What its merchant cancelled did not fail.
  if (sk.startsWith('MESSAGE#') && (became('failed', before, after) || became('expired', before, after)))
    return booked(parseMessage(after).merchant_id, { texts_failed: 1 });
  return undefined;
}

function ofCharge(charge: Transaction, earlier: Transaction | undefined): SomeTotals {
  const [had, has] = [countedOf(earlier), countedOf(charge)];
  const came = [...has.values()].filter(({ receipt_id }) => !had.has(receipt_id));
  const gone = [...had.values()].filter(({ receipt_id }) => !has.has(receipt_id));
  const reversed = gone.filter((payment) => isReversed(charge, payment));
  const released = gone.filter((payment) => !isReversed(charge, payment));
  const sentBefore = new Set(sentRefunds(earlier ?? {}).map(({ refund_id }) => refund_id));
  const refunds = sentRefunds(charge).filter(({ refund_id }) => !sentBefore.has(refund_id));
  const turned = (state: TransactionState) => became(state, earlier, charge);
  return {
    charges_paid: turned('success'),
    charges_expired: turned('expired'),
    charges_cancelled: turned('cancelled'),
    charges_reversed: turned('reversed'),
    payments: came.length,
    payments_pesewas: sum(came),
    overpaid_pesewas: overpaid(charge) - overpaid(earlier),
    reversed: reversed.length,
    reversed_pesewas: sum(reversed),
    released: released.length,
    released_pesewas: sum(released),
    refunds: refunds.length,
    refunds_pesewas: sum(refunds),
  };
}

/** The payments that count for a charge, by their receipts. Those of one that has ended are a record of what once did. */
function countedOf(charge: Transaction | undefined): ReadonlyMap<string, Payment> {
  const counts = charge?.state === 'pending' || charge?.state === 'success';
  return new Map((charge && counts ? paymentsOf(charge) : []).map((payment) => [payment.receipt_id, payment]));
}

/** Whether a payment that no longer counts was taken back by the network. All others of a charge that ended are released. */
function isReversed({ state, payment }: Transaction, { receipt_id }: Payment): boolean {
  if (state === 'reversed') return payment?.receipt_id === receipt_id;
  return state === 'pending' || state === 'success';
}

function overpaid(charge: Transaction | undefined): number {
  return charge?.state === 'success' ? overpaidPesewas(charge) : 0;
}

interface Stateful {
  readonly state?: unknown;
}

function became(state: string, before: Stateful | undefined, after: Stateful): number {
  return after.state === state && before?.state !== state ? 1 : 0;
}

function sum(each: readonly { readonly amount_pesewas: number }[]): number {
  return each.reduce((total, { amount_pesewas }) => total + amount_pesewas, 0);
}
