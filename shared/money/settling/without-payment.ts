import type { TableOutside } from '../../runtime/outside/outside.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import type { ForMoney } from '../charge/change-charge.table.ts';
import type { Charge } from '../charge/charge.table.ts';
import { endedAtParts } from '../charge/charge.ts';
import { CLOCK_TOLERANCE_MS } from '../matching/match.ts';
import { isUnproven } from '../payment/backing.ts';
import { type Dispute, type Payment, paymentsOf, totalPesewas } from '../payment/payment.ts';
import { getReceipts, replaceReceipt } from '../receipt/receipt.table.ts';
import type { Receipt } from '../receipt/receipt.ts';
import { isInDoubt } from '../receipt/repeated-text.ts';

/** A charge's remaining payments, and its state once the payment is removed. */
export interface Remaining {
  readonly others: readonly Payment[];
  readonly receipts: readonly Receipt[];
  readonly isPaid: boolean;
  readonly amount_pesewas: number;
  readonly disputed: Dispute | undefined;
  /** Writes that fail if another payment was put in doubt. Needed unless the same transaction replaces `receipts`. */
  readonly unchanged: readonly TableWrite[];
}

type Before = ForMoney & Pick<Charge, 'amount_pesewas' | 'asked_pesewas' | 'paid_at'>;

interface Leaving {
  readonly payment: Payment;
  readonly receipt: Receipt;
  /** True if a person undoes the payment; false if the network reversed it. */
  readonly isUndone: boolean;
}

/**
 * Returns what remains of a charge without one of its payments. A dispute about that payment ends, unless another
 * payment is in doubt too. The charge stays paid if the other payments cover it, if it was closed as paid before all of
 * its parts had arrived, or if a person had accepted less before the payment arrived.
 */
export async function withoutPayment(
  outside: TableOutside,
  charge: Before,
  { payment, receipt, isUndone }: Leaving,
): Promise<Remaining> {
  const others = paymentsOf(charge).filter((one) => one !== payment);
  const { receipts, isCertain, unchanged } = await readKept(outside, others);
  const { disputed } = charge;
  const isDoubtOver = disputed !== undefined && isCertain && isOver(disputed, { payment, receipt, isUndone }, others);
  return {
    others,
    receipts,
    isPaid: isPaidWithout(charge, payment, isUndone),
    amount_pesewas: endedAtParts(charge) ? totalPesewas(others) : charge.amount_pesewas,
    disputed: isDoubtOver ? undefined : disputed,
    unchanged: isDoubtOver ? unchanged : [],
  };
}

/**
 * Reads the receipts of the payments that stay on a charge. `isCertain`: none of them is in doubt or has lost its id.
 * `unchanged`: writes that fail if one of them has changed in the meantime.
 */
export async function readKept(outside: TableOutside, payments: readonly Payment[]) {
  const receipts = await getReceipts(
    outside,
    payments.map(({ receipt_id }) => receipt_id),
  );
  const isCertain = receipts.length === payments.length && !receipts.some((one) => isInDoubt(one) || one.use_lost);
  return { receipts, isCertain, unchanged: receipts.map((one) => replaceReceipt(one, one)) };
}

/** True if a paid charge stays paid without one of its payments. `isUndone`: a person undoes the payment. */
export function isPaidWithout(charge: Before, payment: Payment, isUndone: boolean): boolean {
  const left = totalPesewas(paymentsOf(charge).filter((one) => one !== payment));
  // Once payments cover the whole amount, an earlier decision to accept less no longer counts. Otherwise, a payer could
  // complete a charge, get the goods, and have most of the money reversed.
  const isShort = left + payment.amount_pesewas < charge.amount_pesewas;
  const isAccepted = (isShort || isUndone) && isAddition(charge, payment);
  const isEnough = left >= charge.amount_pesewas || endedAtParts(charge) || isAccepted;
  return charge.state === 'success' && left > 0 && isEnough;
}

/** True if a dispute ends with this payment, although no text puts the remaining payments in doubt. */
function isOver(
  { why, at, is_contested }: Dispute,
  { payment, receipt, isUndone }: Leaving,
  others: readonly Payment[],
): boolean {
  const isOnlyPayment = others.length === 0;
  if (why === 'conflict' || (isUndone && isOnlyPayment)) return true;
  const isDoubted = {
    reversal: receipt.reversal_doubt_at !== undefined || isOnlyPayment,
    // A receipt does not show whether it is the forged one, but a verified payment is not, unless texts contest it.
    forged: isUndone && !is_contested && !others.some(isUnproven),
  };
  return isDoubted[why] && Date.parse(at) >= Date.parse(payment.counted_at) - CLOCK_TOLERANCE_MS;
}

/** True for a part that was added after the charge had been paid. */
function isAddition({ payment: paying, paid_at }: Before, payment: Payment): boolean {
  return payment !== paying && paid_at !== undefined && payment.counted_at > paid_at;
}
