import { merchantRoute } from '../../shared/merchants/merchant/merchant-route.ts';
import { requireCharge } from '../../shared/money/charge/charge.table.ts';
import { writtenReference } from '../../shared/money/charge/written-id.ts';
import { presentCharge } from '../../shared/money/settling/present-charge.ts';
import { ok } from '../../shared/runtime/http/answer.ts';
import { manifest } from '../manifest.ts';

export const handler = merchantRoute(
  manifest['transaction/verify'],
  {},
  async ({ merchant, path, allows }, outside) => {
    const reference = writtenReference(path.reference) ?? path.reference;
    const charge = await requireCharge(outside, reference, merchant.merchant_id);
    return ok('Charge found', await presentCharge(outside, charge, { seesIds: allows('receipts:assign') }));
  },
);
