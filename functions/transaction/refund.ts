import { merchantRoute } from '../../shared/merchants/merchant/merchant-route.ts';
import { noteRefund } from '../../shared/money/refund/note-refund.ts';
import { RefundRequest } from '../../shared/money/refund/refund-request.ts';
import { noteSentBack } from '../../shared/money/settling/assign-receipt.ts';
import { presentNotedRefund } from '../../shared/money/settling/present-charge.ts';
import { ok } from '../../shared/runtime/http/answer.ts';
import { manifest } from '../manifest.ts';

/** Records a refund of all or part of a charge, or the return of a second payment. */
export const handler = merchantRoute(
  manifest['transaction/refund'],
  { body: RefundRequest },
  ({ merchant: { merchant_id }, path, body, by, allows, commit }, outside) => {
    const reader = { seesIds: allows('receipts:assign') };
    if (body.receipt_id === undefined)
      return noteRefund(outside, merchant_id, { ...body, ...path }, async (charge, writes) =>
        commit(writes, ok('Refund recorded', await presentNotedRefund(outside, charge, reader))),
      );
    const who = { merchantId: merchant_id, by, ...reader };
    return noteSentBack(outside, who, { ...body, ...path }, async (charge, writes, sentBack) => {
      const shown = await presentNotedRefund(outside, charge, reader, sentBack);
      return commit(writes, ok('Refund recorded', shown), { after: { sent_back: true } });
    });
  },
);
