import { type ArrivedPesewas, arrivedPesewas } from '../../ghana/arrived.ts';
import type { TableOutside } from '../../runtime/outside/outside.ts';
import { refundedPesewas } from '../payment/payment.ts';
import { isSecond, notedReceiptsOfAll } from '../receipt/receipt.table.ts';
import type { PaymentReceipt } from '../receipt/receipt.ts';
import type { PaymentRequest } from './request.table.ts';
import { duePesewas, withPaid } from './schedule.ts';
import { requestStateOf, type Sums } from './sums.ts';

/** What became of money that arrived for a request beyond what was asked. Amounts in pesewas. */
export interface MoreThanAsked {
  /** Counted beyond the total, and in no refund that its merchant has noted. */
  readonly toReturnPesewas: ArrivedPesewas;
  /** Counted beyond the total, and in refunds that have been noted; of these, what has been sent. */
  readonly refundedPesewas: number;
  readonly sentPesewas: number;
  /** Counted for instalments that are due later than today, and the first day of which something is still to be paid. */
  readonly aheadPesewas: ArrivedPesewas;
  readonly nextDue: string | undefined;
  /** Those that came under a charge that was paid already: held, and counted nowhere. */
  readonly held: readonly PaymentReceipt[];
  /** Those that came under a charge that had expired: held, and counted nowhere until its merchant gives them to it. */
  readonly late: readonly PaymentReceipt[];
}

/**
 * Money beyond a request's total, what was paid before its day, and payments that came again for a charge that was paid, or late for one that had
 * expired. These are read, which costs nothing where there are none.
 */
export async function readMoreThanAsked(
  outside: TableOutside,
  request: PaymentRequest,
  sums: Sums,
  today: string,
): Promise<MoreThanAsked> {
  const charges = [...sums.found.values()].filter(({ merchant_id }) => merchant_id === request.merchant_id);
  const all = await notedReceiptsOfAll(outside, charges);
  const noted = charges
    .flatMap((charge) =>
      (all.get(charge.reference) ?? []).map((receipt) => ({ receipt, isSecond: isSecond(receipt, charge) })),
    )
    .filter(({ receipt }) => receipt.merchant_id === request.merchant_id && !receipt.set_aside?.sent_back);
  const refunds = charges.flatMap((charge) => charge.refunds ?? []);
  const refunded = Math.min(sums.overpaidPesewas, refundedPesewas(refunds));
  const sent = refundedPesewas(refunds.filter(({ state }) => state === 'sent'));
  const isOpen = requestStateOf(request, sums) === 'open';
  const { instalments } = request;
  // What nothing was paid of by its day is what all of the plan has until then.
  const untilToday = duePesewas({ instalments }, 0, today);
  const next = withPaid(instalments, sums.paidPesewas).find((one) => one.paid_pesewas < one.amount_pesewas);
  return {
    toReturnPesewas: arrivedPesewas(sums.overpaidPesewas - refunded),
    refundedPesewas: refunded,
    sentPesewas: Math.min(refunded, sent),
    aheadPesewas: arrivedPesewas(isOpen && instalments.length > 1 ? Math.max(0, sums.paidPesewas - untilToday) : 0),
    nextDue: next?.due,
    held: noted.flatMap((one) => (one.isSecond ? [one.receipt] : [])),
    late: noted.flatMap((one) => (one.isSecond ? [] : [one.receipt])),
  };
}
