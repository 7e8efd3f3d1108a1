import { merchantRoute } from '../../shared/merchant/merchant-route.ts';
import { ok } from '../../shared/runtime/http/answer.ts';
import { InitializeRequest } from '../../shared/transaction/initialize-request.ts';
import { refuseSecondOf } from '../../shared/transaction/lookup.table.ts';
import { takeMerchantReference } from '../../shared/transaction/merchant-reference.table.ts';
import { createTransaction } from '../../shared/transaction/transaction.table.ts';
import { newTransaction, presentNewTransaction, withFreeReference } from '../../shared/transaction/transaction.ts';
import { manifest } from '../manifest.ts';

/** Creates a charge and answers with the address of its checkout page. */
export const handler = merchantRoute(
  manifest['transaction/initialize'],
  { body: InitializeRequest },
  async ({ merchant, body, commit }, outside) => {
    const unique = body.unique_reference ? body.merchant_reference : undefined;
    if (unique !== undefined) await refuseSecondOf(outside, merchant.merchant_id, unique);
    return withFreeReference(() => {
      const transaction = newTransaction(outside, merchant, body);
      const answer = ok('Charge created', presentNewTransaction(outside, merchant, transaction));
      const taken = unique === undefined ? [] : [takeMerchantReference(transaction, unique)];
      return commit([createTransaction(transaction), ...taken], answer);
    });
  },
);
