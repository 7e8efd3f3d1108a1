import { merchantRoute } from '../../shared/merchant/merchant-route.ts';
import { ok } from '../../shared/runtime/http/answer.ts';
import { createCharge } from '../../shared/transaction/create-charge.ts';
import { InitializeRequest } from '../../shared/transaction/initialize-request.ts';
import { presentNewTransaction } from '../../shared/transaction/transaction.ts';
import { manifest } from '../manifest.ts';

/** Creates a charge and answers with the address of its checkout page. */
export const handler = merchantRoute(
  manifest['transaction/initialize'],
  { body: InitializeRequest },
  ({ merchant, body, commit }, outside) =>
    createCharge(outside, merchant, body, (charge, writes) =>
      commit(writes, ok('Charge created', presentNewTransaction(outside, merchant, charge))),
    ),
);
