import { type ArrivedPesewas, arrivedPesewas } from '../../ghana/arrived.ts';
import { type TableOutside, type TimedOutside, todayOf } from '../../runtime/outside/outside.ts';
import { heldAsCustomerSees } from '../payment/backing.ts';
import { isOpenRefund, refundedPesewas, sentRefunds } from '../payment/payment.ts';
import { type Doubt, doubtOf, shownReceipt } from '../payment/shown-payment.ts';
import { isSecond, notedReceiptsOfAll, type View, waitingReceiptsOfAll } from '../receipt/receipt.table.ts';
import type { PaymentReceipt } from '../receipt/receipt.ts';
import { withHeldParts, withReleasedParts } from '../receipt/second-receipts.ts';
import { findRequest, type PaymentRequest } from './request.table.ts';
import { duePesewas, withPaid } from './schedule.ts';
import { mayBeOwed, readSums, requestStateOf, type Sums } from './sums.ts';

export interface MoreThanAsked {
  /** Refunds that are recorded but not sent yet, and refunds that have been sent. */
  readonly notedPesewas: number;
  readonly sentPesewas: number;
  /** Money paid ahead for instalments due after today, and the first due date with an unpaid amount. */
  readonly aheadPesewas: ArrivedPesewas;
  readonly nextDue: string | undefined;
  /** Held payments for a charge that was already paid. Not part of the amounts above. */
  readonly held: readonly PaymentReceipt[];
  /** Payments for an expired charge, held until the merchant assigns them. */
  readonly late: readonly PaymentReceipt[];
  /** Other payments that the merchant must check, for example because of their amount. */
  readonly waiting: readonly PaymentReceipt[];
}

/**
 * Finds refunds, money paid before its due date, and second or late payments. Reads receipts only if the charges refer to
 * any.
 */
export async function readMoreThanAsked(
  outside: TableOutside,
  request: PaymentRequest,
  { view, ...sums }: Sums & { readonly view?: View },
  today: string,
): Promise<MoreThanAsked> {
  const charges = [...sums.found.values()].filter(({ merchant_id }) => merchant_id === request.merchant_id);
  const all = await notedReceiptsOfAll(outside, charges.map(withHeldParts), view);
  const noted = charges
    .flatMap((charge) =>
      (all.get(charge.reference) ?? []).map((receipt) => ({ receipt, isSecond: isSecond(receipt, charge) })),
    )
    .filter(({ receipt }) => receipt.merchant_id === request.merchant_id && !receipt.set_aside?.sent_back);
  const known = new Set(noted.map(({ receipt }) => receipt.receipt_id));
  const isOpen = requestStateOf(request, sums) === 'open';
  const needed = charges.filter(({ state }) => isOpen || state === 'pending' || state === 'expired');
  const waiting = (await waitingReceiptsOfAll(outside, needed.map(withReleasedParts), view)).filter(
    ({ merchant_id, receipt_id }) => merchant_id === request.merchant_id && !known.has(receipt_id),
  );
  const refunds = charges.flatMap((charge) => charge.refunds ?? []);
  const { instalments } = request;
  // Total of all instalments due by today, paid or not.
  const untilToday = duePesewas({ instalments }, 0, today);
  const next = withPaid(instalments, sums.paidPesewas).find((one) => one.paid_pesewas < one.amount_pesewas);
  return {
    notedPesewas: refundedPesewas(refunds.filter(isOpenRefund)),
    sentPesewas: refundedPesewas(charges.flatMap(sentRefunds)),
    aheadPesewas: arrivedPesewas(isOpen && instalments.length > 1 ? Math.max(0, sums.paidPesewas - untilToday) : 0),
    nextDue: next?.due,
    held: noted.flatMap((one) => (one.isSecond ? [one.receipt] : [])),
    late: noted.flatMap((one) => (one.isSecond ? [] : [one.receipt])),
    waiting,
  };
}

/**
 * Returns a request's overpayment that no refund covers. A single bill's excess may be needed by the request's others.
 */
export async function readExcess(
  outside: TimedOutside,
  slug: string,
): Promise<{ readonly pesewas: ArrivedPesewas; readonly doubt: Doubt | undefined }> {
  const request = await findRequest(outside, slug);
  if (!request) return { pesewas: arrivedPesewas(0), doubt: undefined };
  const { toReturnPesewas, backing } = await readSums(outside, request);
  return { pesewas: toReturnPesewas, doubt: doubtOf(backing) };
}

/**
 * Returns whether a request needs a further payment, also one for a bill that was already paid: `yes` while it is open,
 * `unsure` if unverified money has paid it.
 */
export async function needOf(outside: TableOutside, slug: string): Promise<'yes' | 'unsure' | 'no'> {
  const request = await findRequest(outside, slug);
  const sums = request && (await readSums(outside, request));
  if (!sums || !mayBeOwed(request, sums)) return 'no';
  return requestStateOf(request, sums) === 'open' ? 'yes' : 'unsure';
}

/**
 * Returns the money that nobody should be asked for again: what counts for the request, and verified payments that wait
 * for the merchant.
 */
export async function arrivedForRequest(outside: TimedOutside, request: PaymentRequest, sums: Sums): Promise<number> {
  // The customer reads what a reminder asks for.
  const asSeen = { ...sums, view: heldAsCustomerSees };
  const { held, late, waiting } = await readMoreThanAsked(outside, request, asSeen, todayOf(outside));
  const undecided = [...held, ...late, ...waiting].filter(({ set_aside }) => !set_aside);
  const verified = undecided.map(shownReceipt).filter(({ doubt }) => !doubt);
  return verified.reduce((sum, { pesewas }) => sum + pesewas, Number(sums.paidPesewas));
}
