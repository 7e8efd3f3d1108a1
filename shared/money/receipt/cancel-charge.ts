import type { Outside } from '../../runtime/outside/outside.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { PublicError } from '../../runtime/values/errors.ts';
import { requireTransaction, type Transaction } from '../transaction/transaction.table.ts';
import { statusOf } from '../transaction/transaction.ts';
import { cancelCharge } from './charge-parts.ts';
import { whileOthersWrite } from './overtaken.ts';

/**
 * Cancels a merchant's charge, unless a payment comes first: `commit` makes the writes and answers with the charge as it is
 * then. A charge that is cancelled already stays so.
 * @throws PublicError `not_found`, `charge_not_pending`.
 */
export function cancelOwnCharge<Result>(
  outside: Outside,
  merchantId: string,
  reference: string,
  commit: (charge: Transaction, writes: readonly TableWrite[]) => Promise<Result>,
): Promise<Result> {
  return whileOthersWrite(async () => {
    const charge = await requireTransaction(outside, reference, merchantId);
    const status = statusOf(outside, charge);
    if (status === 'cancelled') return commit(charge, []);
    if (status !== 'pending') {
      throw new PublicError('charge_not_pending', `Only a pending charge can be cancelled; this one is ${status}.`);
    }
    const cancelled_at = new Date(outside.now()).toISOString();
    const writes = await cancelCharge(outside, charge, cancelled_at);
    return commit({ ...charge, state: 'cancelled', cancelled_at }, writes);
  });
}
