import type { Merchant } from '../../merchants/merchant/merchant.ts';
import { countTests } from '../../merchants/merchant/test-limit.table.ts';
import type { Outside } from '../../runtime/outside/outside.ts';
import type { TableWrite } from '../../runtime/table/table.ts';
import { refuseSecondOf, takeMerchantReference } from './lookup.table.ts';
import { createTransaction, type Transaction } from './transaction.table.ts';
import { type NewCharge, newTransaction, withFreeReference } from './transaction.ts';

/**
 * A merchant's new charge: `commit` makes the writes and answers with it.
 * @throws PublicError `no_momo_number`, `duplicate_reference`, `invalid_request`.
 */
export async function createCharge<Result>(
  outside: Outside,
  merchant: Merchant,
  made: NewCharge,
  commit: (charge: Transaction, writes: readonly TableWrite[]) => Promise<Result>,
): Promise<Result> {
  const { unique_reference, merchant_reference } = made.asked;
  const unique = unique_reference ? merchant_reference : undefined;
  if (unique !== undefined) await refuseSecondOf(outside, merchant.merchant_id, unique);
  return withFreeReference(() => {
    const charge = newTransaction(outside, merchant, made);
    const taken = unique === undefined ? [] : [takeMerchantReference(charge, unique)];
    const counted = countTests(outside, merchant.merchant_id);
    return commit(charge, [createTransaction(charge), ...taken, ...counted]);
  });
}
