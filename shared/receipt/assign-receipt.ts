import * as z from 'zod/mini';
import type { Outside } from '../runtime/outside/outside.ts';
import type { TableWrite } from '../runtime/table/table.ts';
import { PublicError } from '../runtime/values/errors.ts';
import { getTransaction, MovedOn, type PaidTransaction, type Transaction } from '../transaction/transaction.table.ts';
import { statusOf } from '../transaction/transaction.ts';
import { payWithReceipt } from './pay-with-receipt.ts';
import { getReceipt } from './receipt.table.ts';
import { isAssignable, type Receipt } from './receipt.ts';

/** The body of `POST /api/v1/receipt/{id}/assign`. */
export const AssignRequest = z
  .object(
    {
      reference: z
        .string('must be the reference of a pending charge, MK- and ten digits')
        .check(z.meta({ description: 'A pending charge of yours.', examples: ['MK-4071932685'] })),
    },
    'must be a JSON object',
  )
  .check(z.meta({ id: 'AssignRequest' }));

/**
 * A merchant's pending charge as its held receipt pays it, whatever its amount, and the writes for that.
 * @throws PublicError `not_found` for what is not the merchant's, `receipt_not_held`, `charge_not_pending`.
 */
export async function assignReceipt(
  outside: Outside,
  merchantId: string,
  receiptId: string,
  reference: string,
): Promise<{ paid: PaidTransaction; writes: TableWrite[] }> {
  const receipt = await getReceipt(outside, receiptId);
  if (receipt?.merchant_id !== merchantId)
    throw new PublicError(
      'not_found',
      'No receipt of yours has this id. GET /api/v1/receipt lists those that are held.',
    );
  const charge = await getTransaction(outside, reference, merchantId);
  if (!charge)
    throw new PublicError(
      'not_found',
      'No charge of yours has this reference. Give that of a pending charge: MK- and ten digits.',
    );
  return payByHand(outside, receipt, charge);
}

/** @throws PublicError `receipt_not_held`, `charge_not_pending`. */
export function payByHand(
  outside: Pick<Outside, 'now'>,
  receipt: Receipt,
  charge: Transaction,
): { paid: PaidTransaction; writes: TableWrite[] } {
  if (!isAssignable(receipt)) {
    const why = receipt.reason ? ` (${receipt.reason})` : '';
    throw new PublicError(
      'receipt_not_held',
      `Only a held payment can be assigned; this receipt is ${receipt.state}${why}. GET /api/v1/receipt lists those that can.`,
    );
  }
  const status = statusOf(outside, charge);
  if (status !== 'pending') {
    throw new MovedOn(
      `Only a pending charge can be paid; this one reads ${status}. Make a new charge and assign to that.`,
    );
  }
  const { paid, writes } = payWithReceipt(outside, charge, receipt, 'hand', receipt);
  return { paid: { ...charge, ...paid }, writes };
}
