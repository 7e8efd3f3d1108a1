import { merchantRoute } from '../../shared/merchants/merchant/merchant-route.ts';
import { createCharge } from '../../shared/money/transaction/create-charge.ts';
import { InitializeRequest } from '../../shared/money/transaction/initialize-request.ts';
import { presentNewTransaction } from '../../shared/money/transaction/transaction.ts';
import { ok } from '../../shared/runtime/http/answer.ts';
import { manifest } from '../manifest.ts';

export const handler = merchantRoute(
  manifest['transaction/initialize'],
  { body: InitializeRequest },
  ({ merchant, body, rawBody, commit }, outside) =>
    createCharge(outside, merchant, { asked: body, origin: { kind: 'api' } }, (charge, writes) =>
      commit(writes, ok('Charge created', presentNewTransaction(outside, merchant, rawBody, charge))),
    ),
);
