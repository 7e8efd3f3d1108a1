import { isTestAccount } from '../../merchants/merchant/test-account.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { MovedOn } from '../charge/change-charge.table.ts';
import { type Charge, requireCharge } from '../charge/charge.table.ts';
import { mayUndo } from '../charge/charge.ts';
import { type Payment, paymentsOf } from '../payment/payment.ts';
import { ownUse, receiptRows } from '../receipt/receipt.table.ts';
import { type ShownProof, shownProofOfCharge } from '../receipt/shown-proof.ts';
import { mayBeFalse, undoPayment } from './undo-payment.ts';

/**
 * Returns a charge's payments that a person can set aside because the money is not in the wallet. Never includes a
 * payment that was marked or tapped: marks and taps have their own undo. Includes a verified payment only while a
 * reversal is in doubt or suspected.
 */
export function removablePayments(charge: Charge): Payment[] {
  if (isTestAccount(charge.merchant_id) || !mayUndo(charge)) return [];
  return paymentsOf(charge).filter((one) => mayBeFalse(one, charge));
}

interface NotThere {
  readonly merchantId: string;
  readonly reference: string;
  readonly receiptId: string;
  readonly by: string;
  /** The charge's proof on the form. `verified` if the person saw that somebody had found the money. */
  readonly shown: ShownProof;
}

/**
 * Sets aside a payment that counts towards a charge, because a person did not find its money in the wallet.
 * @throws PublicError `not_found`, or `charge_not_pending` if the payment can no longer be set aside.
 */
export async function setCountedAside(
  outside: Outside,
  { merchantId, reference, receiptId, by, shown }: NotThere,
): Promise<{ charge: Charge; writes: TableWrite[] }> {
  const charge = await requireCharge(outside, reference, merchantId);
  const payment = removablePayments(charge).find(({ receipt_id }) => receipt_id === receiptId);
  const isFoundSince = shown !== 'verified' && shownProofOfCharge(charge) === 'verified';
  if (!payment || isFoundSince)
    throw new MovedOn(
      'This payment can no longer be removed from the charge, because it was verified, reversed or already removed, somebody found its money, it was tapped at a till or paid for credits, or a refund was recorded.',
    );
  const [use, receipt] = await Promise.all([ownUse(outside, payment, merchantId), receiptRows.find(outside, payment)]);
  return { charge, writes: await undoPayment(outside, charge, { payment, receipt, use, by }) };
}
