import type { Merchant } from '../../merchants/merchant/merchant.ts';
import { countTests } from '../../merchants/merchant/test-limit.table.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import type { InitializeRequest } from './initialize-request.ts';
import { refuseSecondOf, takeMerchantReference } from './lookup.table.ts';
import { createTransaction, type Transaction } from './transaction.table.ts';
import { newTransaction, withFreeReference } from './transaction.ts';

/** What a charge says that a stranger opened. */
export type Opened = Required<Pick<Transaction, 'opened_by'>> &
  Pick<Transaction, 'link' | 'request' | 'customer_note' | 'goods' | 'metadata'>;

/**
 * A merchant's new charge: `commit` makes the writes and answers with it. `opened` where nobody of the merchant's makes it.
 * @throws PublicError `no_momo_number`, `duplicate_reference`, `invalid_request`.
 */
export async function createCharge<Result>(
  outside: Outside,
  merchant: Merchant,
  request: InitializeRequest,
  commit: (charge: Transaction, writes: readonly TableWrite[]) => Promise<Result>,
  opened?: Opened,
): Promise<Result> {
  const unique = request.unique_reference ? request.merchant_reference : undefined;
  if (unique !== undefined) await refuseSecondOf(outside, merchant.merchant_id, unique);
  return withFreeReference(() => {
    const charge = { ...newTransaction(outside, merchant, request), ...opened };
    const taken = unique === undefined ? [] : [takeMerchantReference(charge, unique)];
    const counted = countTests(outside, merchant.merchant_id);
    return commit(charge, [createTransaction(charge), ...taken, ...counted]);
  });
}
