import { merchantRoute } from '../../shared/merchant/merchant-route.ts';
import { ok } from '../../shared/runtime/http/answer.ts';
import { InitializeRequest } from '../../shared/transaction/initialize-request.ts';
import { createTransaction } from '../../shared/transaction/transaction.table.ts';
import { newTransaction, presentNewTransaction, withFreeReference } from '../../shared/transaction/transaction.ts';
import { manifest } from '../manifest.ts';

/** Creates a charge and answers with the address of its checkout page. */
export const handler = merchantRoute(
  manifest['transaction/initialize'],
  { body: InitializeRequest },
  ({ merchant, body, commit }, outside) =>
    withFreeReference(() => {
      const transaction = newTransaction(outside, merchant, body);
      const answer = ok('Charge created', presentNewTransaction(outside, merchant, transaction));
      return commit([createTransaction(transaction)], answer);
    }),
);
