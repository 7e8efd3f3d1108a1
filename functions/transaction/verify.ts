import { merchantRoute } from '../../shared/merchants/merchant/merchant-route.ts';
import { presentCharge } from '../../shared/money/receipt/present-charge.ts';
import { requireTransaction } from '../../shared/money/transaction/transaction.table.ts';
import { writtenReference } from '../../shared/money/transaction/written-id.ts';
import { ok } from '../../shared/runtime/http/answer.ts';
import { manifest } from '../manifest.ts';

export const handler = merchantRoute(
  manifest['transaction/verify'],
  {},
  async ({ merchant, path, allows }, outside) => {
    const reference = writtenReference(path.reference) ?? path.reference;
    const transaction = await requireTransaction(outside, reference, merchant.merchant_id);
    return ok('Charge found', await presentCharge(outside, transaction, { seesIds: allows('receipts:assign') }));
  },
);
