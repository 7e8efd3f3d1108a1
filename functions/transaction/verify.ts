import { merchantRoute } from '../../shared/merchant/merchant-route.ts';
import { ok } from '../../shared/runtime/http/answer.ts';
import { PublicError } from '../../shared/runtime/values/errors.ts';
import { getTransaction } from '../../shared/transaction/transaction.table.ts';
import { presentTransaction } from '../../shared/transaction/transaction.ts';
import { manifest } from '../manifest.ts';

/** Shows a merchant one of its charges in full. */
export const handler = merchantRoute(manifest['transaction/verify'], {}, async ({ merchant, path }, outside) => {
  const transaction = await getTransaction(outside, path.reference, merchant.merchant_id);
  if (!transaction)
    throw new PublicError(
      'not_found',
      'You have no charge with this reference. Use it as returned by initialize: MK- and ten digits.',
    );
  return ok('Charge found', presentTransaction(outside, transaction));
});
