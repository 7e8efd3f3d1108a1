import { type Clock, nowIso, type TableOutside, type TimedOutside } from '../../runtime/outside/outside.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { freePaidAs, MovedOn, type ReadFor, undoMark, undoTake } from '../charge/change-charge.table.ts';
import { askedPesewas, type Charge, chargeRows } from '../charge/charge.table.ts';
import { endedAtParts } from '../charge/charge.ts';
import { noteExpiry } from '../charge/expiry.table.ts';
import { type TakenGoods, takeOf } from '../charge/goods.ts';
import { uncount } from '../goods/may-leave.ts';
import { type Payment, paymentsOf, totalPesewas } from '../payment/payment.ts';
import { type PaymentUse, receiptRows, releasePayment } from '../receipt/receipt.table.ts';
import type { Receipt } from '../receipt/receipt.ts';
import { type FoundField, holdAgain } from './matched-receipt.ts';

/**
 * Builds the writes that undo a cashier's tap. The tap's charge is cancelled, its payment is held and can be taken
 * again, and the sticker charge that the tap's charge replaced can be paid again.
 * @throws MovedOn if the charge or payment has changed in the meantime.
 */
export async function releaseTaken(
  outside: TimedOutside,
  charge: ReadFor<'goods', 'merchant_id'> & { readonly goods: TakenGoods },
  undoneBy: string,
): Promise<TableWrite[]> {
  const { reference, payment, parts = [], state, disputed } = charge;
  const receipt = payment && (await receiptRows.find(outside, payment));
  if (
    state !== 'success' ||
    !payment ||
    parts.length > 0 ||
    receipt?.state !== 'matched' ||
    receipt.reference !== reference
  )
    throw new MovedOn(`The charge ${reference} is now ${state}. Check it again.`);
  const at = nowIso(outside);
  return [
    ...(await freeScanned(outside, charge)),
    holdAgain(receipt, { reason: disputed ? 'conflict' : 'no_charge' }),
    ...releasePayment(payment, charge, receipt),
    ...uncount(outside, charge.merchant_id, [payment]),
    undoTake(charge, undoneBy, at),
  ];
}

/**
 * Builds the writes that undo a mark as paid. The charge becomes pending again for the missing amount, or returns to
 * cancelled if it was cancelled before, and the typed payment is set aside.
 * @throws MovedOn if the charge or payment has changed in the meantime.
 */
export function undoMarkOf(
  outside: Clock,
  charge: ReadFor<'unmark', FoundField | 'asked_pesewas' | 'cancelled_at'>,
  { payment, receipt, others: otherReceipts, use, by }: Unmarked,
): TableWrite[] {
  const { reference } = charge;
  if (receipt?.state !== 'matched' || !receipt.marked || receipt.reference !== reference)
    throw new MovedOn(`The payment for ${reference} was confirmed by a text or reversed. Check the charge again.`);
  const at = nowIso(outside);
  const { disputed } = charge;
  const doubtedBy = { conflict: receipt.contradicted_by, reversal: receipt.reversal_doubt_at, forged: undefined };
  const isDoubtOfMark =
    disputed !== undefined &&
    doubtedBy[disputed.why] !== undefined &&
    !otherReceipts.some(isInDoubt) &&
    disputed.at >= receipt.marked.at;
  const others = paymentsOf(charge).filter((one) => one !== payment);
  const left = totalPesewas(others);
  const isEnded = endedAtParts(charge);
  const isStillPaid = charge.state === 'success' && (isEnded ? left > 0 : left >= charge.amount_pesewas);
  const paying = { parts: others.slice(0, -1), payment: others.at(-1), ...(isEnded && { amount_pesewas: left }) };
  const counted = isStillPaid ? paying : { parts: others };
  return [
    // Keep the ids of the texts that contradict the typed payment, because those texts may still be verified.
    holdAgain(receipt, { set_aside: { at, by, why: UNDONE } }),
    ...(use ? releasePayment(payment, charge, receipt) : []),
    ...uncount(outside, charge.merchant_id, [payment]),
    undoMark(charge, isDoubtOfMark ? { ...counted, disputed: undefined } : counted, at),
    ...(isStillPaid || charge.cancelled_at
      ? []
      : [
          noteExpiry({
            ...charge,
            state: 'pending',
            parts: others,
            payment: undefined,
            amount_pesewas: askedPesewas(charge),
          }),
        ]),
  ];
}

function isInDoubt({ contradicted_by, reversal_doubt_at }: Receipt): boolean {
  return contradicted_by !== undefined || reversal_doubt_at !== undefined;
}

interface Unmarked {
  readonly payment: Payment;
  readonly receipt: Receipt | undefined;
  /** Receipts of the charge's other payments. */
  readonly others: readonly Receipt[];
  readonly use: PaymentUse | undefined;
  readonly by: string;
}

const UNDONE = 'Marked as paid by hand, then undone.';

/** Reopens the sticker charge that this charge replaced, because the payment of this charge has been released. */
export async function freeScanned(
  outside: TableOutside,
  charge: Pick<Charge, 'reference' | 'goods'>,
): Promise<TableWrite[]> {
  const opened = takeOf(charge)?.scanned;
  const scanned = opened === undefined ? undefined : await chargeRows.find(outside, { reference: opened });
  return scanned?.paid_as === charge.reference ? [freePaidAs(scanned)] : [];
}
