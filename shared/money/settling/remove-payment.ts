import { nowIso, type Outside } from '../../runtime/outside/outside.ts';
import { dropPayment, MovedOn, type ReadFor, reverseCharge } from '../charge/change-charge.table.ts';
import { uncount } from '../goods/may-leave.ts';
import { owedPesewas, totalPesewas } from '../payment/payment.ts';
import { notedReceiptsOf, replaceReceipt, usePayment } from '../receipt/receipt.table.ts';
import type { PaymentReceipt, Receipt } from '../receipt/receipt.ts';
import { withSecond } from '../receipt/second-receipts.ts';
import { reduceRefunds } from '../refund/note-refund.ts';
import { type FoundField, isFreeSecond, matchReceipt, paymentOf, releaseParts } from './matched-receipt.ts';
import { changeParts } from './pay-charge.ts';
import { freeScanned } from './undo-payment.ts';

/**
 * Builds the writes that remove a payment from its charge. A pending charge stays pending. A paid charge stays paid if
 * its other payments still cover it, or do so with `second` as a replacement. Otherwise the charge is reversed, and all
 * its other payments are held again. Refunds of the removed money are reduced.
 */
export async function removePayment(
  outside: Outside,
  charge: ReadFor<'reversal', FoundField | 'expires_at_epoch_seconds'>,
  receiptId: string,
  second?: InPlace,
) {
  const isPaid = charge.state === 'success';
  const payments = [...(charge.parts ?? []), ...(isPaid && charge.payment ? [charge.payment] : [])];
  const payment = payments.find(({ receipt_id }) => receipt_id === receiptId);
  // The payment was assigned to another charge after this charge was read.
  if (!payment) throw new MovedOn(`The payment ${receiptId} no longer belongs to the charge ${charge.reference}.`);
  const others = payments.filter((one) => one !== payment);
  if (!isPaid) return [...changeParts(charge, others), ...uncount(outside, charge.merchant_id, [payment])];
  if (second) {
    const { receipt, stored } = second;
    const paying = [...others, paymentOf(receipt, { ...AS_NAMED, counted_at: nowIso(outside) })];
    return [
      matchReceipt(charge, receipt, AS_NAMED, stored),
      dropPayment(charge, paying, charge.refunds, receipt.receipt_id),
      ...usePayment(receipt, charge),
    ];
  }
  const left = totalPesewas(others);
  const isStillPaid = left >= charge.amount_pesewas;
  // Reversed money must not be refunded too.
  const { refunds, writes } = reduceRefunds(
    outside,
    charge,
    isStillPaid ? owedPesewas(charge) - payment.amount_pesewas : 0,
  );
  if (isStillPaid) return [dropPayment(charge, others, refunds), ...writes];
  const released = await releaseParts(outside, charge, others, 'charge_reversed');
  const freed = await freeScanned(outside, charge);
  const kept = (await notedReceiptsOf(outside, charge)).filter(isFreeSecond);
  // A payment request shows them, so that they can be assigned to its next charge.
  const second_receipts =
    charge.origin.kind === 'request' ? await withSecond(outside, charge, others) : charge.second_receipts;
  return [
    reverseCharge(outside, charge, { payment, parts: others, refunds, second_receipts }),
    ...released,
    ...kept.map((one) => replaceReceipt(one, { ...one, reason: 'charge_reversed' })),
    ...writes,
    ...freed,
  ];
}

export interface InPlace {
  readonly receipt: PaymentReceipt;
  readonly stored: Receipt;
}

const AS_NAMED = { matched_by: 'reference' } as const;
