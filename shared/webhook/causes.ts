import { paymentsOf, type Refund } from '../money/payment/payment.ts';
import type { Receipt } from '../money/receipt/receipt.ts';
import type { Transaction } from '../money/transaction/transaction.table.ts';
import type { CausedEventType } from './event.ts';

/*
 * What identifies what caused an event about a charge or a held payment. An event's id follows from it, so that the events of a charge
 * are found without a list of them.
 */

interface Cause {
  readonly type: CausedEventType;
  readonly cause: string;
}

/** A state that a charge came to, or its dispute: each comes once, and once more after a mark as paid was undone. */
export function causeOfState({ reference, unmarked_at }: Pick<Transaction, 'reference' | 'unmarked_at'>): string {
  return unmarked_at === undefined ? reference : `${reference} ${unmarked_at}`;
}

export function causeOfPart({ reference }: Pick<Transaction, 'reference'>, receiptId: string): string {
  return `${reference} ${receiptId}`;
}

export function causeOfRefund(
  { reference }: Pick<Transaction, 'reference'>,
  { refund_id }: Pick<Refund, 'refund_id'>,
): string {
  return `${reference} ${refund_id}`;
}

/** `paid` is the charge that it paid until now: where it names none, it is held anew by that. */
export function causeOfHeld(
  { receipt_id, reason, suggested_reference }: Pick<Receipt, 'receipt_id' | 'reason' | 'suggested_reference'>,
  paid = '',
): string {
  return `${receipt_id} ${reason} ${suggested_reference ?? paid}`;
}

/** Everything that may have caused an event about a charge, as far as its row still says it. */
export function causesOf(charge: Transaction): Cause[] {
  const states = [
    'charge.success',
    'charge.expired',
    'charge.cancelled',
    'charge.reversed',
    'charge.disputed',
  ] as const;
  const causes = [...new Set([charge.reference, causeOfState(charge)])];
  return [
    ...states.flatMap((type) => causes.map((cause) => ({ type, cause }))),
    ...(charge.unmarked_at ? [{ type: 'charge.unmarked' as const, cause: causeOfState(charge) }] : []),
    ...paymentsOf(charge).map(({ receipt_id }) => ({
      type: 'charge.partly_paid' as const,
      cause: causeOfPart(charge, receipt_id),
    })),
    ...(charge.refunds ?? []).map((refund) => ({
      type: 'charge.refunded' as const,
      cause: causeOfRefund(charge, refund),
    })),
  ];
}
