/*
 * merchant reference   MERCHANT_REFERENCE#<merchant>#<sha256> / MERCHANT_REFERENCE   which charge has it, where its merchant wanted it
 *                                                                                   to be unique; as long as that charge
 */
import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import type { TableWrite } from '../../runtime/table/table.ts';
import { PublicError } from '../../runtime/values/errors.ts';
import type { Transaction } from './transaction.table.ts';

const Taken = z.object({ reference: z.string() });

/** One leg of creating a charge. Refused with PublicError `duplicate_reference` where another charge has the reference. */
export function takeMerchantReference(charge: Transaction, merchantReference: string): TableWrite {
  const { merchant_id, reference, expires_at_epoch_seconds } = charge;
  const hash = createHash('sha256').update(merchantReference).digest('hex');
  return {
    put: {
      Item: {
        pk: `MERCHANT_REFERENCE#${merchant_id}#${hash}`,
        sk: 'MERCHANT_REFERENCE',
        reference,
        expires_at_epoch_seconds,
      },
      ConditionExpression: 'attribute_not_exists(pk)',
    },
    refused: (current) => {
      const { reference: other } = z.parse(Taken, current);
      // Our own first try, whose answer was lost.
      return other === reference ? undefined : duplicateReference(other);
    },
  };
}

export function duplicateReference(other: string): PublicError {
  return new PublicError(
    'duplicate_reference',
    `Your charge ${other} has this merchant_reference. Use that one (GET /api/v1/transaction/verify/${other}), or give this one another.`,
  );
}
