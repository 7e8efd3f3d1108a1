import { type Clock, nowIso, type Outside } from '../../runtime/outside/outside.ts';
import { retryIfChanged } from '../../runtime/table/contention.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { invalidRequest, PublicError } from '../../runtime/values/errors.ts';
import { newUlid } from '../../runtime/values/ids.ts';
import { setRefunds } from '../charge/change-charge.table.ts';
import { type Charge, requireCharge } from '../charge/charge.table.ts';
import { statusOf } from '../charge/charge.ts';
import { type Refund, refundablePesewas } from '../payment/payment.ts';
import { shownOf } from '../payment/shown-payment.ts';
import { awaitTransfer, openRefund, openRefundRows } from './open-refund.table.ts';
import type { CloseRefundRequest, RefundRequest } from './refund-request.ts';

/** Maximum number of open and sent refunds per charge. Refunds withdrawn after a reversal do not count. */
const MAX_REFUNDS = 10;
/** Maximum number of refunds in a charge's row, including withdrawn ones. */
const MAX_NOTED = 50;

type OfCharge<What> = What & { readonly reference: string };
type Commit<Result> = (charge: Charge, writes: readonly TableWrite[]) => Promise<Result>;

/**
 * Records that a charge's money is being sent back, up to the amount paid. Held money cannot be refunded: it may still
 * pay another charge.
 * @throws PublicError `not_found`, `nothing_to_refund`, `invalid_request`.
 */
export function noteRefund<Result>(
  outside: Outside,
  merchantId: string,
  { reference, amount, reason }: OfCharge<RefundRequest>,
  commit: Commit<Result>,
): Promise<Result> {
  return retryIfChanged(async () => {
    const charge = await requireCharge(outside, reference, merchantId);
    const refunds = charge.refunds ?? [];
    if (charge.state !== 'success') {
      const is = statusOf(outside, charge);
      throw new PublicError(
        'nothing_to_refund',
        `Only a paid charge can be refunded; this one is ${is}. To record that a payment held for this charge was sent back, use the payment’s receipt_id.`,
      );
    }
    const left = refundablePesewas(charge);
    const going = refunds.filter(({ state }) => state !== 'withdrawn');
    if (left <= 0 || going.length >= MAX_REFUNDS || refunds.length >= MAX_NOTED) {
      const cause =
        left <= 0
          ? 'This charge has nothing left to refund'
          : `This charge has reached the limit of ${MAX_REFUNDS} refunds, or ${MAX_NOTED} including withdrawn ones`;
      throw new PublicError('nothing_to_refund', `${cause}. Call verify to see its payments and refunds.`);
    }
    if (amount !== undefined && amount > left) {
      throw invalidRequest([
        {
          field: 'amount',
          message: `must be at most ${shownOf(charge, left).amount}, the amount left to refund`,
        },
      ]);
    }
    const refund = newRefund(outside, amount ?? left, reason);
    const noted = [...refunds, refund];
    return commit({ ...charge, refunds: noted }, [setRefunds(charge, noted), openRefund(charge, refund)]);
  });
}

/**
 * Records a refund's outcome. Idempotent.
 * @throws PublicError `not_found`, or `charge_not_pending` if the refund already has another outcome.
 */
export function closeRefundByHand<Result>(
  outside: Outside,
  merchantId: string,
  { reference, refund_id, outcome }: OfCharge<CloseRefundRequest> & { readonly refund_id: string },
  commit: Commit<Result>,
): Promise<Result> {
  return retryIfChanged(async () => {
    const charge = await requireCharge(outside, reference, merchantId);
    const refund = charge.refunds?.find((one) => one.refund_id === refund_id);
    if (!refund)
      throw new PublicError('not_found', 'This charge has no refund with this id. Call verify to list its refunds.');
    if (refund.state === outcome) return commit(charge, []);
    if (refund.state !== 'noted') {
      throw new PublicError('charge_not_pending', `This refund was ${refund.state} at ${refund.closed_at}.`);
    }
    const closed = closedRefunds(outside, charge, [refund_id], { state: outcome, closed_by: 'hand' });
    const ended = outcome === 'sent' ? awaitTransfer(outside, refund_id) : openRefundRows.remove({ refund_id });
    return commit({ ...charge, refunds: closed }, [setRefunds(charge, closed), ended]);
  });
}

/**
 * Reduces a charge's open refunds to `owedPesewas` after a reversal, and returns the writes for the refunds' rows.
 * Keeps the oldest refunds that fit, withdraws the others, and creates a new refund for the rest.
 */
export function reduceRefunds(
  outside: Outside,
  charge: Pick<Charge, 'reference' | 'merchant_id' | 'refunds' | 'expires_at_epoch_seconds'>,
  owedPesewas: number,
): { refunds: Refund[] | undefined; writes: TableWrite[] } {
  let left = owedPesewas;
  const beyond = (charge.refunds ?? []).filter(({ state, amount_pesewas }) => {
    if (state !== 'noted' || amount_pesewas > left) return state === 'noted';
    left -= amount_pesewas;
    return false;
  });
  const [first] = beyond;
  if (!first) return { refunds: charge.refunds, writes: [] };
  const ids = beyond.map(({ refund_id }) => refund_id);
  const closed = closedRefunds(outside, charge, ids, { state: 'withdrawn', closed_by: 'network' });
  const ended = beyond.map((one) => openRefundRows.remove(one));
  if (left <= 0) return { refunds: closed, writes: ended };
  const rest = newRefund(outside, left, first.reason);
  return { refunds: [...closed, rest], writes: [...ended, openRefund(charge, rest)] };
}

function newRefund(outside: Outside, amount_pesewas: number, reason: string | undefined): Refund {
  const noted_at = nowIso(outside);
  return { refund_id: newUlid(outside), amount_pesewas, reason, state: 'noted', noted_at };
}

export function closedRefunds(
  outside: Clock,
  { refunds = [] }: Pick<Charge, 'refunds'>,
  refundIds: readonly string[],
  outcome: Pick<Refund, 'state' | 'closed_by' | 'transaction_id'>,
): Refund[] {
  const now = nowIso(outside);
  return refunds.map((one) =>
    refundIds.includes(one.refund_id) ? { ...one, ...outcome, closed_at: one.closed_at ?? now } : one,
  );
}
