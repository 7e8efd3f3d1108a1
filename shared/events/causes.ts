import type { Charge } from '../money/charge/charge.table.ts';
import { isReversalDoubted, paymentsOf, type Refund } from '../money/payment/payment.ts';
import type { Receipt } from '../money/receipt/receipt.ts';
import type { CausedEventType } from '../webhook/event.ts';

/**
 * Causes of webhook events. An event's id is derived from its cause, so a charge's events can be found without a list.
 */

interface Cause {
  readonly type: CausedEventType;
  readonly cause: string;
}

/**
 * Returns the cause of a charge's state events. Each event occurs once, and can occur again after a person has undone a
 * payment of the charge.
 */
export function causeOfState({ reference, unmarked_at }: Pick<Charge, 'reference' | 'unmarked_at'>): string {
  return unmarked_at === undefined ? reference : `${reference} ${unmarked_at}`;
}

type Disputed = Parameters<typeof causeOfState>[0] &
  Pick<Charge, 'disputed' | 'earlier_dispute_at' | 'parts' | 'payment'>;

/**
 * Returns the cause of a dispute's event, which includes the start of the previous dispute, if any. A reversal that came
 * into doubt later has an event of its own.
 */
export function causeOfDispute(charge: Disputed): string {
  const [first, later] = causesOfDispute(charge);
  return charge.disputed?.why !== 'reversal' && isReversalDoubted(charge) ? later : first;
}

function causesOfDispute(charge: Disputed): readonly [string, string] {
  const { earlier_dispute_at } = charge;
  const cause = causeOfState(charge);
  const first = earlier_dispute_at === undefined ? cause : `${cause} ${earlier_dispute_at}`;
  return [first, `${first} reversal`];
}

/** Returns the cause of a part's event. A part that was removed can be counted again. */
export function causeOfPart(charge: Parameters<typeof causeOfState>[0], receiptId: string): string {
  return `${causeOfState(charge)} ${receiptId}`;
}

export function causeOfRefund(
  { reference }: Pick<Charge, 'reference'>,
  { refund_id }: Pick<Refund, 'refund_id'>,
): string {
  return `${reference} ${refund_id}`;
}

/** Returns the cause of a held payment's event. `paid` is the charge that the payment previously counted towards. */
export function causeOfHeld(
  { receipt_id, reason, suggested_reference }: Pick<Receipt, 'receipt_id' | 'reason' | 'suggested_reference'>,
  paid = '',
): string {
  return `${receipt_id} ${reason} ${suggested_reference ?? paid}`;
}

/** Returns the causes of a charge's events that can be derived from its row. */
export function causesOf(charge: Charge): Cause[] {
  const states = [
    'charge.success',
    'charge.expired',
    'charge.cancelled',
    'charge.reversed',
    'charge.disputed',
  ] as const;
  const causes = [...new Set([charge.reference, causeOfState(charge)])];
  const isDisputed = charge.disputed !== undefined || charge.earlier_dispute_at !== undefined;
  const disputes = isDisputed ? causesOfDispute(charge).filter((cause) => !causes.includes(cause)) : [];
  return [
    ...states.flatMap((type) => causes.map((cause) => ({ type, cause }))),
    ...disputes.map((cause) => ({ type: 'charge.disputed' as const, cause })),
    ...(charge.unmarked_at ? [{ type: 'charge.unmarked' as const, cause: causeOfState(charge) }] : []),
    ...paymentsOf(charge).flatMap(({ receipt_id }) =>
      causes.map((cause) => ({ type: 'charge.partly_paid' as const, cause: `${cause} ${receipt_id}` })),
    ),
    ...(charge.refunds ?? []).map((refund) => ({
      type: 'charge.refunded' as const,
      cause: causeOfRefund(charge, refund),
    })),
  ];
}
