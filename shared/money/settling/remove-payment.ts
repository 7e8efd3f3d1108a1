import { nowIso, type Outside } from '../../runtime/outside/outside.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { dropPayment, MovedOn, type ReadFor, reverseCharge } from '../charge/change-charge.table.ts';
import { uncountLeaving } from '../goods/decide-release.ts';
import { owedPesewas, paymentsOf } from '../payment/payment.ts';
import { notedReceiptsOf, replaceReceipt, usePayment } from '../receipt/receipt.table.ts';
import type { PaymentReceipt, Receipt } from '../receipt/receipt.ts';
import type { TakenUse } from '../receipt/typed-use.ts';
import { reduceRefunds } from '../refund/note-refund.ts';
import { type FoundField, holdParts, isFreeSecond, matchReceipt, paymentOf } from './matched-receipt.ts';
import { changeParts } from './pay-charge.ts';
import { freeScanned } from './undo-payment.ts';
import { withoutPayment } from './without-payment.ts';

/**
 * Removes a reversed payment from its charge. A pending charge stays pending. A paid charge stays paid if enough
 * remains, or if `second` replaces the payment. Otherwise, the charge is reversed, and its other payments are held
 * again. Refunds of the removed money are reduced.
 */
export async function removePayment(
  outside: Outside,
  charge: ReadFor<'reversal', FoundField | 'expires_at_epoch_seconds' | 'asked_pesewas' | 'paid_at' | 'unmarked_at'>,
  receipt: Receipt,
  second?: InPlace,
): Promise<TableWrite[]> {
  const payment = paymentsOf(charge).find(({ receipt_id }) => receipt_id === receipt.receipt_id);
  // The payment was assigned to another charge after this charge was read.
  if (!payment)
    throw new MovedOn(`The payment ${receipt.receipt_id} no longer belongs to the charge ${charge.reference}.`);
  const { others, receipts, isPaid, amount_pesewas, disputed, unchanged } = await withoutPayment(outside, charge, {
    payment,
    receipt,
    isUndone: false,
  });
  if (charge.state !== 'success') {
    const isDoubtOver = charge.disputed !== disputed;
    return [
      ...changeParts(charge, others, { isDoubtOver }),
      ...unchanged,
      ...uncountLeaving(outside, charge, [payment]),
    ];
  }
  if (second) {
    const { receipt: given, stored, taken } = second;
    const paying = [...others, paymentOf(given, { ...AS_NAMED, counted_at: nowIso(outside) })];
    return [
      matchReceipt(charge, given, AS_NAMED, stored),
      dropPayment(charge, paying, { refunds: charge.refunds, disputed, second: given.receipt_id }),
      ...unchanged,
      ...usePayment(given, charge, taken.over),
      ...taken.writes,
    ];
  }
  // Reversed money must not be refunded too.
  const { refunds, writes } = reduceRefunds(outside, charge, isPaid ? owedPesewas(charge) - payment.amount_pesewas : 0);
  if (isPaid) return [dropPayment(charge, others, { refunds, disputed, amount_pesewas }), ...unchanged, ...writes];
  const released = holdParts({ ...charge, disputed }, others, receipts, { reason: 'charge_reversed' });
  const freed = await freeScanned(outside, charge);
  const kept = (await notedReceiptsOf(outside, charge)).filter(isFreeSecond);
  return [
    reverseCharge(outside, charge, { payment, parts: others, refunds, disputed }),
    ...released,
    ...kept.map((one) => replaceReceipt(one, { ...one, reason: 'charge_reversed' })),
    ...writes,
    ...freed,
  ];
}

export interface InPlace {
  readonly receipt: PaymentReceipt;
  readonly stored: Receipt;
  /** Existing uses of the second payment's id, which the second payment takes over. */
  readonly taken: TakenUse;
}

const AS_NAMED = { matched_by: 'reference' } as const;
