import { merchantRoute } from '../../shared/merchants/merchant/merchant-route.ts';
import { assignReceipt } from '../../shared/money/settling/assign-receipt.ts';
import { AssignRequest } from '../../shared/money/settling/assign-request.ts';
import { presentCharge } from '../../shared/money/settling/present-charge.ts';
import { ok } from '../../shared/runtime/http/answer.ts';
import { manifest } from '../manifest.ts';

/**
 * Assigns a held receipt to a charge. Rejects a receipt that is no longer held. The amounts may differ, because the
 * merchant has checked both.
 */
export const handler = merchantRoute(
  manifest['receipt/assign'],
  { body: AssignRequest },
  async ({ merchant, path, body, commit }, outside) => {
    const { charge, writes } = await assignReceipt(
      outside,
      { merchantId: merchant.merchant_id, receiptId: path.id },
      body,
    );
    return commit(writes, ok('Receipt assigned', await presentCharge(outside, charge, { seesIds: true })));
  },
);
