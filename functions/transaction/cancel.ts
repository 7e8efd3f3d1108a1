import { merchantRoute } from '../../shared/merchants/merchant/merchant-route.ts';
import { cancelOwnCharge } from '../../shared/money/settling/end-charge.ts';
import { presentCharge } from '../../shared/money/settling/present-charge.ts';
import { ok } from '../../shared/runtime/http/answer.ts';
import { manifest } from '../manifest.ts';

export const handler = merchantRoute(
  manifest['transaction/cancel'],
  {},
  ({ merchant, path, allows, commit }, outside) =>
    cancelOwnCharge(outside, merchant.merchant_id, path.reference, async (charge, writes) =>
      commit(
        writes,
        ok('Charge cancelled', await presentCharge(outside, charge, { seesIds: allows('receipts:assign') })),
      ),
    ),
);
