import { merchantRoute } from '../../shared/merchant/merchant-route.ts';
import { ok } from '../../shared/runtime/http/answer.ts';
import { requireTransaction } from '../../shared/transaction/transaction.table.ts';
import { presentTransaction } from '../../shared/transaction/transaction.ts';
import { manifest } from '../manifest.ts';

/** Shows a merchant one of its charges in full. */
export const handler = merchantRoute(manifest['transaction/verify'], {}, async ({ merchant, path }, outside) => {
  const transaction = await requireTransaction(outside, path.reference, merchant.merchant_id);
  return ok('Charge found', presentTransaction(outside, transaction));
});
