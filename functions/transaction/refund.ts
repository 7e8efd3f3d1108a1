import { merchantRoute } from '../../shared/merchants/merchant/merchant-route.ts';
import { presentCharge } from '../../shared/money/receipt/present-charge.ts';
import { noteRefund, RefundRequest } from '../../shared/money/refund/note-refund.ts';
import { ok } from '../../shared/runtime/http/answer.ts';
import { manifest } from '../manifest.ts';

/** Notes that a merchant sends the money of a charge back, or some of it. */
export const handler = merchantRoute(
  manifest['transaction/refund'],
  { body: RefundRequest },
  ({ merchant, path, body, allows, commit }, outside) =>
    noteRefund(outside, merchant.merchant_id, path.reference, body, async (charge, writes) =>
      commit(writes, ok('Refund noted', await presentCharge(outside, charge, { seesIds: allows('receipts:assign') }))),
    ),
);
