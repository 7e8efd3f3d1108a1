import { merchantRoute } from '../../shared/merchants/merchant/merchant-route.ts';
import { closeRefundByHand } from '../../shared/money/refund/note-refund.ts';
import { CloseRefundRequest } from '../../shared/money/refund/refund-request.ts';
import { presentCharge } from '../../shared/money/settling/present-charge.ts';
import { ok } from '../../shared/runtime/http/answer.ts';
import { manifest } from '../manifest.ts';

/** Records the outcome of a refund as reported by the merchant. */
export const handler = merchantRoute(
  manifest['transaction/close-refund'],
  { body: CloseRefundRequest },
  ({ merchant, path, body, allows, commit }, outside) =>
    closeRefundByHand(outside, merchant.merchant_id, { ...body, ...path }, async (charge, writes) =>
      commit(writes, ok('Refund closed', await presentCharge(outside, charge, { seesIds: allows('receipts:assign') }))),
    ),
);
