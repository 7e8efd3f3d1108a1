import { merchantRoute } from '../../shared/merchants/merchant/merchant-route.ts';
import { CloseRefundRequest, closeRefundByHand } from '../../shared/money/refund/note-refund.ts';
import { presentTransaction } from '../../shared/money/transaction/transaction.ts';
import { ok } from '../../shared/runtime/http/answer.ts';
import { manifest } from '../manifest.ts';

/** A person says what became of a refund. */
export const handler = merchantRoute(
  manifest['transaction/close-refund'],
  { body: CloseRefundRequest },
  ({ merchant, path, body, commit }, outside) =>
    closeRefundByHand(outside, merchant.merchant_id, path, body, (charge, writes) =>
      commit(writes, ok('Refund closed', presentTransaction(outside, charge))),
    ),
);
