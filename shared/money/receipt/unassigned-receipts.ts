import { isTwin } from '../../merchants/merchant/twin.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import { NoSuch } from '../../runtime/values/no-such.ts';
import { findTransaction } from '../transaction/transaction.table.ts';
import { payByHand } from './assign-receipt.ts';
import { getReceipt } from './receipt.table.ts';

/**
 * Assigns an unassigned held receipt to a charge, once, whatever its amount. Returns the charge's merchant.
 * @throws NoSuch receipt, charge; PublicError `receipt_not_held`, `charge_not_pending`.
 */
export async function assignUnassignedReceipt(
  outside: Pick<Outside, 'table' | 'now'>,
  receiptId: string,
  reference: string,
) {
  const receipt = await getReceipt(outside, receiptId);
  if (!receipt || receipt.merchant_id !== undefined)
    throw new NoSuch('receipt', `No unassigned receipt has the id ${receiptId}.`);
  const charge = await findTransaction(outside, reference);
  if (!charge) throw new NoSuch('charge', `There is no charge ${reference}.`);
  // Money that arrived would be used up, and its customer's order never paid.
  if (isTwin(charge.merchant_id))
    throw new NoSuch('charge', `${reference} is a test charge: no real payment is for it.`);
  const { charge: paid, writes } = await payByHand(outside, receipt, charge);
  await outside.table.write(writes);
  return { reference: paid.reference, merchant_id: paid.merchant_id, status: paid.state };
}
